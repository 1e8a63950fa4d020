"""Lists the files of a log, given as files or folders. Rotated files are sorted from old to new.

`x.log.2.gz` is older than `x.log.1`, which is older than `x.log`. A file with a date or time in its
name, such as `x.log-20260301`, is older than one without.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Sequence
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


def files_of(
    paths: Iterable[str], on_skipped: Callable[[str], None] = lambda _: None
) -> tuple[str, ...]:
    """Return the files at the given paths, with rotated files sorted from old to new.

    A folder is replaced by the files in it and its subfolders, except those whose names begin with
    a dot. Pipes, sockets, devices, links to folders and broken links in a folder are skipped, and
    their paths are passed to `on_skipped`. Rotated files are those that differ only in a number or
    date, such as `x.log.1`. Other files keep their order. Each file is returned once, even if it
    has several paths.

    Raises `UnreadableLog` for a folder that cannot be listed, or that contains no files or more
    than 10,000.
    """
    files: list[str] = []
    for path in paths:
        files += _files_in(path, on_skipped) if _is_folder(path) else [path]
    once: dict[str, str] = {}
    for file in files:
        once.setdefault(same_file(file), file)
    return tuple(_by_age([*once.values()]))


def same_file(path: str) -> str:
    """Resolve a path and its symbolic links, so that all paths of a file give an equal result."""
    with suppress(OSError, ValueError):  # invalid path: reading it will report the reason
        return path if path == "-" else os.path.realpath(path)
    return path


def _is_folder(path: str) -> bool:
    """Return whether a path is a folder, ignoring errors, which reading the file will report."""
    with suppress(OSError):
        return path != "-" and Path(path).is_dir()
    return False


def _files_in(folder: str, on_skipped: Callable[[str], None]) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder, onerror=_refuse_folder):
        links = [each for each in folders if Path(place, each).is_symlink()]
        folders[:] = [each for each in folders if not each.startswith(".")]
        for name in sorted([*names, *links]):
            path = str(Path(place, name))
            if name.startswith("."):
                continue
            if _is_regular(path):
                found.append(path)
            else:
                on_skipped(path)
        if len(found) > _MOST_FILES:
            msg = f"{folder} cannot be read: it contains more than {_MOST_FILES} files"
            raise UnreadableLog(f"{msg}: name the folder of the logs")
    if not found:
        raise UnreadableLog(f"{folder} cannot be read: it contains no files")
    return sorted(found, key=_natural)


def _refuse_folder(error: OSError) -> None:
    raise UnreadableLog(f"{error.filename} cannot be read: {error.strerror}") from error


def _is_regular(path: str) -> bool:
    """Return whether a path is a regular file, or one about which only reading can tell."""
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except PermissionError:  # reading it will report the reason
        return True
    except OSError:  # a broken link
        return False


def _by_age(files: Sequence[str]) -> list[str]:
    """Sort each group of adjacent rotated files from old to new."""
    ordered: list[str] = []
    for _, run in groupby(files, key=_base):
        ordered += sorted(run, key=_age)
    return ordered


def _base(file: str) -> str:
    """Return the path that a rotated file had before its rotation: `x.log` for `x.log.2.gz`."""
    found = _ROTATED.fullmatch(file)
    return re.sub(r"\.(?:gz|bz2|xz|zst|zip)\Z", "", file) if found is None else found["base"]


def _age(file: str) -> tuple[int, int, str]:
    """Return a sort key for rotated files: dated files, then numbers descending, then the rest."""
    found = _ROTATED.fullmatch(file)
    if found is None:
        return 2, 0, ""
    if found["number"]:
        return 1, -int(found["number"]), ""
    return 0, 0, found["date"]


def _natural(path: str) -> list[tuple[int, str]]:
    """Return a key that sorts paths by the numbers in them, so that part-2 precedes part-10."""
    parts = _PARTS.split(path)  # every second part is a number
    return [(int(each), "") if at % 2 else (-1, each) for at, each in enumerate(parts)]
