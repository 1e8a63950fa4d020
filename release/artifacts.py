"""Builds the source distribution and the wheels, and looks into them."""

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
"""What the wheel may weigh."""


def build(folder: Path) -> list[Path]:
    """Build into a folder and return the files; without cargo there is no accelerator.

    The wheel is built from the source distribution, so what is missing there is noticed.  The
    accelerator is compiled from a copy, so that nothing compiled before gets into it.
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
        raise SystemExit(f"{source} cannot be built:\n{done.stdout}{done.stderr}")


def _time_of_the_commit() -> str:
    """Return the seconds since 1970 that are written into the files."""
    return subprocess.run(
        ["git", "log", "-1", "--format=%ct"],  # noqa: S607 - the git of who releases
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def bill_in(wheel: Path) -> str:
    """Return the path of the bill of materials in a wheel; empty if it has none."""
    names = zipfile.ZipFile(wheel).namelist()
    return next((name for name in names if ".dist-info/sboms/" in name), "")


def metadata_problems(files: Iterable[Path]) -> str:
    """Return what `twine check --strict` says against the files; empty if nothing."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
