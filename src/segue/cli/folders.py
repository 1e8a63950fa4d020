"""Selection of the logs in folders. Other files, such as notes, are left out and listed."""

from collections.abc import Collection, Iterable
from typing import Final

from segue.cli.errors import print_error
from segue.cli.layouts import mapping_options, only_way
from segue.core.errors import UnreadableLog
from segue.logs.field_mapping import FieldMapping
from segue.logs.log_files import files_of
from segue.logs.plan import ReplayOptions
from segue.logs.readability import readable
from segue.logs.sniffing.decision import sniff
from segue.logs.sources import first_lines, name_of

_NAMED: Final = 5


def files_among(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the files at the given paths and in the given folders, as `files_of` does.

    On stderr, list the pipes, sockets, devices and links in folders that are left out.
    """
    left_out: list[str] = []
    files = files_of(paths, left_out.append)
    if left_out:
        print_error(f"pipes, devices and links in folders are left out: {_listed(left_out)}")
    return files


def logs_among(
    files: Collection[str], given: Collection[str], options: ReplayOptions
) -> tuple[str, ...]:
    """Return the names of the files to read, without the files in folders that are not logs.

    Args:
        files: The files named on the command line, and those found in folders.
        given: The files named on the command line. They are always read.
        options: The options with which the logs are read.

    Raises:
        UnreadableLog: A log in a folder needs another layout than `options` give, or no file is a
            log.

    """
    left_out = {}
    for file in files:
        if file not in given and (reason := _reason(file, options)):
            _refuse_other_layout(file)
            left_out[file] = reason
    if left_out and len(left_out) == len(files):
        raise next(iter(left_out.values()))
    if left_out:
        print_error(f"files that are not logs are left out: {_listed(left_out)}")
    return tuple(file for file in files if file not in left_out)


def _reason(file: str, options: ReplayOptions) -> UnreadableLog | None:
    """Return an error that says why a file is not a log, or None if it is a log or has no lines."""
    try:
        readable(first_lines(file, options.field_mapping or FieldMapping()), options, name_of(file))
    except UnreadableLog as reason:
        return reason
    return None


def _refuse_other_layout(file: str) -> None:
    found = sniff(file)
    if not found.is_ordinary and not found.ways:
        return
    how = mapping_options(FieldMapping() if found.is_ordinary else only_way(file, found))
    msg = f"{file} has another layout than the logs before it: read it by itself, with"
    raise UnreadableLog(f"{msg} {how}" if how else f"{msg}out options")


def _listed(files: Iterable[str]) -> str:
    names = list(files)
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
