"""`segue playground`: write a page that checks logs in the browser, and the files it needs.

Python for browsers and its packages are not part of Segue. They are read from a folder, or fetched
with npm and pip. Only the files that this version was tested with are accepted.
"""

import sys
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from segue.cli.errors import failing_as
from segue.cli.options import Params, command, option
from segue.cli.playground_files import LIBRARY, library, playground_page, playground_worker
from segue.cli.programs import run_program
from segue.cli.terminal import Output
from segue.core.errors import ConfigurationError

_PYODIDE: Final = "pyodide@314.0.7"


def _hashes(name: str) -> dict[str, str]:
    """Return the SHA-256 by file name from a file in the format of `sha256sum`."""
    lines = files("segue.cli").joinpath(name).read_text("ascii").splitlines()
    return {file: digest for digest, file in map(str.split, lines)}


_RUNTIME: Final = _hashes("playground_runtime.sha256")
"""The SHA-256 of each file of the npm package `pyodide` that the page needs, by name."""
_WHEELS: Final = _hashes("playground_wheels.sha256")
"""The SHA-256 of each wheel for Python in the browser, by file name."""
_FOR_BROWSERS: Final = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"),
    *("--implementation", "cp", "--abi", "cp314", "--abi", "none", "--only-binary", ":all:"),
)
_SECONDS: Final = 300


@command(
    option("--output DIR", "Write the page into this folder.", required=True),
    option("--assets DIR", "Read the files of Python from here; else npm and pip fetch them."),
)
def playground(params: Params) -> None:
    """Write a page that checks logs in the browser, for any static host.

    A log that is dropped there is checked in the browser and sent to no server. The page needs
    Python for browsers (npm package pyodide) and wheels for it, about 14 MB together, which are
    fetched by npm and pip or read from --assets, and are checked by their SHA-256.
    """
    folder = Path(params["output"])
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"--output {folder} is not a folder: give another path")
    with TemporaryDirectory(prefix="segue-") as fetched:
        assets = Path(params["assets"] or fetched)
        if params["assets"] is None:
            _fetch(assets)
        runtime, wheels = _read(assets, _RUNTIME), _read(assets, _WHEELS)
    written = {
        "index.html": playground_page().encode(),
        "worker.mjs": playground_worker().encode(),
        LIBRARY: library(wheels),
        **runtime,
    }
    with failing_as(f"{folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in written.items():
            (folder / name).write_bytes(data)
    size = sum(map(len, written.values())) / 1e6
    Output(params).write(f"{folder}: {len(written)} files, {size:.1f} MB; serve them over HTTP\n")


def _read(folder: Path, hashes: Mapping[str, str]) -> dict[str, bytes]:
    """Return the contents of the files with these names in a folder.

    Raise `ConfigurationError` if a file is missing or does not have the expected SHA-256.
    """
    found = {}
    for name, expected in hashes.items():
        try:
            found[name] = (folder / name).read_bytes()
        except OSError as error:
            msg = f"{folder / name} cannot be read: {error.strerror}; the page needs it"
            raise ConfigurationError(msg) from None
        if sha256(found[name]).hexdigest() != expected:
            msg = f"{folder / name} is not the file that this version was tested with (SHA-256)"
            raise ConfigurationError(msg)
    return found


def _fetch(folder: Path) -> None:
    """Fetch the npm package and the wheels into a folder, with npm and pip."""
    npm = which("npm")
    if npm is None:
        raise ConfigurationError("npm is not installed: give the folder of the files as --assets")
    _run(folder, npm, "pack", "--silent", _PYODIDE)
    [archive] = folder.glob("pyodide-*.tgz")
    with tarfile.open(archive) as packed:
        for name in _RUNTIME:
            member = packed.extractfile(f"package/{name}")
            if member is not None:
                (folder / name).write_bytes(member.read())
    wanted = ["==".join(name.split("-")[:2]) for name in _WHEELS]
    _run(folder, sys.executable, "-m", "pip", "download", "--no-deps", *_FOR_BROWSERS, *wanted)


def _run(folder: Path, *arguments: str) -> None:
    done = run_program(arguments, folder=folder, seconds=_SECONDS)
    if done.returncode:
        last = (done.stderr.strip() or "no reason given").splitlines()[-1]
        msg = (
            f"{' '.join(arguments[1:4])} failed ({last}): give the folder of the files as --assets"
        )
        raise ConfigurationError(msg)
