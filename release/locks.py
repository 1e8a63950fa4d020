"""Write the locked requirements: `python -m release.locks [--upgrade]`.

A file in `release/locked` pins everything that an environment installs, direct and transitive, for
all supported Pythons and platforms, with the SHA-256 hashes of all its distributions. The image and
`.ci/run` install these files with `pip install --require-hashes`. uv resolves them. It keeps
versions that a file already has, unless `--upgrade` is given.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from packaging.requirements import Requirement

from release.artifacts import ROOT

__all__ = ["LOCKED", "Pin", "main", "pins"]

LOCKED: Final = ROOT / "release" / "locked"
_PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
_EXTRAS: Final = tuple(sorted(_PROJECT["project"]["optional-dependencies"].keys() - {"dev"}))
_ENVIRONMENTS: Final = {
    "extras": _EXTRAS,  # resolved first: the other files take its versions
    "image": ("postgres", "serve", "zstd"),
    "dev": ("dev",),
}
"""The extras that each file locks. `build.txt` locks the requirements of the build."""
_OPTIONS: Final = (
    "--quiet",
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--annotation-style=line",
    "--no-header",
    "--no-emit-find-links",
)
_PIN: Final = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<marker>[^\\]+?))? \\$", re.MULTILINE
)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_VIA: Final = re.compile(r"^ +# via (.+)$", re.MULTILINE)


class Pin(NamedTuple):
    """One version in a file of locked requirements."""

    name: str
    version: str
    marker: str
    """The environments that install the version, or an empty string for all."""
    hashes: tuple[str, ...]
    """SHA-256 hashes of the distributions, in hexadecimal."""
    via: tuple[str, ...]
    """Names of the packages that require this one; `segue` for a direct requirement."""


def main(arguments: Sequence[str]) -> int:
    """Resolve and write all files, and return 0."""
    upgrade = [each for each in arguments if each == "--upgrade"]
    LOCKED.mkdir(exist_ok=True)
    _resolve("build", "-", *upgrade, given="\n".join(_PROJECT["build-system"]["requires"]))
    for name, extras in _ENVIRONMENTS.items():
        chosen = [f"--extra={extra}" for extra in extras]
        if name != "extras":
            chosen += ["--constraints", "release/locked/extras.txt"]
        _resolve(name, "pyproject.toml", *chosen, *upgrade)
    return 0


def _resolve(name: str, *arguments: str, given: str = "") -> None:
    target = f"--output-file=release/locked/{name}.txt"
    command = ["uv", "pip", "compile", *_OPTIONS, target, *arguments]
    subprocess.run(command, cwd=ROOT, input=given, text=True, stdout=subprocess.DEVNULL, check=True)


def pins(path: Path) -> Iterator[Pin]:
    """Yield the pins in a file of locked requirements."""
    text = path.read_text("utf-8")
    found = list(_PIN.finditer(text))
    ends = [each.start() for each in found[1:]] + [len(text)]
    for each, end in zip(found, ends, strict=True):
        block = text[each.end() : end]
        yield Pin(
            each["name"],
            each["version"],
            each["marker"] or "",
            tuple(_HASH.findall(block)),
            tuple(_packages(_VIA.search(block))),
        )


def _packages(via: re.Match[str] | None) -> Iterator[str]:
    for word in via[1].split(", ") if via else ():
        if not word.startswith("-"):  # such as `-c release/locked/extras.txt`
            yield Requirement(word.partition(" ")[0]).name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
