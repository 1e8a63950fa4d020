"""Which files are meant by the paths of a log: those of folders, and rotated ones by age.

`x.log.2.gz` is older than `x.log.1`, and that than `x.log`; a date or time in a name is older than
none: `x.log-20260301`, `x.log`.
"""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Final

from segue.core.errors import UnreadableLog

_ROTATED: Final = re.compile(
    r"(?P<base>.+?)(?:\.(?P<number>[0-9]{1,4})|[.\-_](?P<date>[0-9]{4}-?[0-9]{2}-?[0-9]{2}[0-9T:.\-_]*))"
    r"(?P<packing>\.(?:gz|bz2|xz|zst|zip))?"
)
_MOST_FILES: Final = 10_000
_PARTS: Final = re.compile(r"([0-9]+)")


def files_of(paths: Iterable[str]) -> tuple[str, ...]:
    """Return files with those of folders in place of these, rotated files from old to new.

    Files whose names begin with a dot are left out of folders. Files that are not of one rotation
    stay in their order. A file is there once, however many names or links it has.

    Raises `UnreadableLog` for a folder without files, and for one with more than 10,000.
    """
    files: list[str] = []
    for path in paths:
        files += _files_in(path) if _is_folder(path) else [path]
    once: dict[str, str] = {}
    for file in files:
        once.setdefault(same_file(file), file)
    return tuple(_by_age([*once.values()]))


def same_file(path: str) -> str:
    """Return what all paths of one file have in common."""
    with suppress(OSError, ValueError):  # of what no file can be called, reading it says why
        return path if path == "-" else os.path.realpath(path)
    return path


def _is_folder(path: str) -> bool:
    """Return whether a path is a folder; if it cannot be looked at, reading it says why."""
    with suppress(OSError):
        return path != "-" and Path(path).is_dir()
    return False


def _files_in(folder: str) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += [str(Path(place, each)) for each in names if not each.startswith(".")]
        if len(found) > _MOST_FILES:
            msg = f"{folder} cannot be read: it holds more than {_MOST_FILES} files"
            raise UnreadableLog(f"{msg}: name the folder of the logs")
    if not found:
        raise UnreadableLog(f"{folder} cannot be read: there are no files in it")
    return sorted(found, key=_natural)


def _by_age(files: Sequence[str]) -> list[str]:
    """Return files with each run of rotated ones from old to new."""
    ordered: list[str] = []
    for _, run in groupby(files, key=_base):
        ordered += sorted(run, key=_age)
    return ordered


def _base(file: str) -> str:
    """Return the name that a rotated file had."""
    found = _ROTATED.fullmatch(file)
    return re.sub(r"\.(?:gz|bz2|xz|zst|zip)\Z", "", file) if found is None else found["base"]


def _age(file: str) -> tuple[int, int, str]:
    """Return what sorts the files of one rotation: dates, then numbers downwards, then the log."""
    found = _ROTATED.fullmatch(file)
    if found is None:
        return 2, 0, ""
    if found["number"]:
        return 1, -int(found["number"]), ""
    return 0, 0, found["date"]


def _natural(path: str) -> list[tuple[int, str]]:
    """Return what sorts names with numbers in them: part-2 before part-10."""
    return [(int(each), "") if each.isdigit() else (-1, each) for each in _PARTS.split(path)]
