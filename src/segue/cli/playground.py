"""`segue playground`: writes a page that checks logs in the browser, and what it needs beside it.

Python for browsers and its packages are not part of this package. They are read from a folder, or
fetched by npm and pip, as these are set up on this machine, and are used only if they are the files
that this version was tested with.
"""

import sys
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from segue.cli.options import Params, command, option_group
from segue.cli.programs import run_program
from segue.cli.terminal import Output
from segue.errors import ConfigurationError
from segue.report.playground import LIBRARY, library, playground_page, playground_worker

_PYODIDE: Final = "pyodide@314.0.7"
_RUNTIME: Final[Mapping[str, str]] = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""Files of the npm package, with the SHA-256 of each."""
_WHEELS: Final[Mapping[str, str]] = {
    "annotated_types-0.8.0-py3-none-any.whl": (
        "f072f4d804ea359e4eaf198b1af7a8b0943881a87f31bb764f8bf219bb9419e0"
    ),
    "pydantic-2.14.3-py3-none-any.whl": (
        "3f7b347782ab7e4cf4c798496ae3a82787d9f21ec12676a9c564355eeef8daa8"
    ),
    "pydantic_core-2.50.4-cp314-cp314-pyemscripten_2026_0_wasm32.whl": (
        "e6da138a1ecc1341c8b788a5ee822670b03788e1f5decf7af9d461de6e508b8e"
    ),
    "python_dateutil-4.0.0-py3-none-any.whl": (
        "a5e246f79eb80475e691bf93862cead98decd8a498cf53ba0516fcdc0f50dc1c"
    ),
    "six-1.17.0-py2.py3-none-any.whl": (
        "4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274"
    ),
    "transitions-0.9.3-py2.py3-none-any.whl": (
        "02463248f2b668d86f66636b1e3c9e8de84d93e22915247f4e1aa9ee1cae28aa"
    ),
    "typing_extensions-4.16.0-py3-none-any.whl": (
        "481caa481374e813c1b176ada14e97f1f67a4539ce9cfeb3f350d78d6370c2e8"
    ),
    "typing_inspection-0.4.5-py3-none-any.whl": (
        "bc210535442b39e1bf2805e0c7a17dfd6a4ace760c84c7f7d16245d23a6b1c39"
    ),
}
"""The wheels for that Python, with the SHA-256 of each."""
_FOR_BROWSERS: Final = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"),
    *("--implementation", "cp", "--abi", "cp314", "--abi", "none", "--only-binary", ":all:"),
)
_SECONDS: Final = 300

_option = option_group("Options")


@command(
    _option("--output DIR", "Write the page into this folder.", required=True),
    _option("--assets DIR", "Read the files of Python from here; else npm and pip fetch them."),
)
def playground(params: Params) -> None:
    """Write a page that checks logs in the browser, for any static host.

    A log that is dropped there is checked in the browser and sent to no server. The page needs
    Python for browsers (npm package pyodide) and wheels for it, about 14 MB together, which are
    fetched by npm and pip or read from --assets, and are checked by their SHA-256.
    """
    folder = Path(params["output"])
    if folder.exists() and not folder.is_dir():
        raise ConfigurationError(f"--output {folder} is not a folder")
    with TemporaryDirectory(prefix="segue-") as fetched:
        assets = Path(params["assets"] or fetched)
        if params["assets"] is None:
            _fetch(assets)
        runtime, wheels = _read(assets, _RUNTIME), _read(assets, _WHEELS)
    files = {
        "index.html": playground_page().encode(),
        "worker.mjs": playground_worker().encode(),
        LIBRARY: library(wheels),
        **runtime,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except OSError as error:
        raise ConfigurationError(f"{folder} cannot be written: {error.strerror}") from None
    size = sum(map(len, files.values())) / 1e6
    Output(params).write(f"{folder}: {len(files)} files, {size:.1f} MB; serve them over HTTP\n")


def _read(folder: Path, hashes: Mapping[str, str]) -> dict[str, bytes]:
    """Return files by name; raise `ConfigurationError` for one that is not what was tested."""
    found = {}
    for name, expected in hashes.items():
        try:
            found[name] = (folder / name).read_bytes()
        except OSError as error:
            msg = f"{folder / name} cannot be read: {error.strerror}; the page needs it"
            raise ConfigurationError(msg) from None
        if sha256(found[name]).hexdigest() != expected:
            msg = f"{folder / name} is another file than this version was tested with (SHA-256)"
            raise ConfigurationError(msg)
    return found


def _fetch(folder: Path) -> None:
    """Have npm and pip fetch all files into a folder."""
    npm = which("npm")
    if npm is None:
        raise ConfigurationError("npm is not installed: give a folder with the files by --assets")
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
        msg = f"{' '.join(arguments[1:4])} failed: {last}; or give the files by --assets"
        raise ConfigurationError(msg)
