"""Build the source distribution and the wheels, and inspect them."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

__all__ = ["MOST_BYTES", "ROOT", "bill_in", "build", "metadata_problems"]

ROOT: Final = Path(__file__).parents[1]
MOST_BYTES: Final = 1_500_000
"""The maximum size of a wheel in bytes."""


def build(folder: Path) -> list[Path]:
    """Build the source distribution and the wheels into a folder, and return their paths.

    The wheel is built from the source distribution, so that files missing there are noticed. The
    accelerator is compiled from a copy, so that it contains no earlier build products. Without
    cargo, the accelerator is left out.
    """
    with TemporaryDirectory() as empty:
        _run_build(ROOT, Path(empty, "files"))
        if shutil.which("cargo"):
            native = Path(empty, "native")
            ignored = shutil.ignore_patterns("target", "__pycache__")
            shutil.copytree(ROOT / "native", native, ignore=ignored)
            _run_build(native, Path(empty, "files"), "--wheel")
        folder.mkdir(parents=True, exist_ok=True)
        files = sorted(Path(empty, "files").iterdir())
        return [Path(shutil.copy(file, folder)) for file in files]


def _run_build(source: Path, folder: Path, *options: str) -> None:
    command = [sys.executable, "-m", "build", "--outdir", str(folder), *options, str(source)]
    done = subprocess.run(
        command,
        env=os.environ | {"SOURCE_DATE_EPOCH": _time_of_the_commit()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"cannot build {source}:\n{done.stdout}{done.stderr}")


def _time_of_the_commit() -> str:
    """Return the time of the last commit in seconds since 1970.

    All files in the distributions have this modification time.
    """
    return subprocess.run(
        ["git", "log", "-1", "--format=%ct"],  # noqa: S607 - the git on the path
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def bill_in(wheel: Path) -> str:
    """Return the path of the bill of materials inside a wheel.

    Return an empty string if the wheel has none.
    """
    names = zipfile.ZipFile(wheel).namelist()
    return next((name for name in names if ".dist-info/sboms/" in name), "")


def metadata_problems(files: Iterable[Path]) -> str:
    """Return the output of `twine check --strict` if it fails, otherwise an empty string."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
