"""Read lines from several places of a log, to examine it before it is read."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from segue.logs.field_mapping import FieldMapping
from segue.logs.sources import LogPath, first_lines, is_plain, is_rereadable, open_file

_PLACES: Final = 16
_PLACE_BYTES: Final = 32 << 10
_PLACE_LINES: Final = 13
_HEAD_LINES: Final = 1000
_HEAD_BYTES: Final = 4 << 20


def samples_of(log: LogPath, mapping: FieldMapping) -> list[list[bytes]]:
    """Return lines of a log that follow each other, from 16 places of a file or from its head.

    A compressed or small file, standard input, and a log that is not read line by line have one
    sample: their first 1,000 lines, of at most 4 MiB.
    """
    size = 0 if mapping.is_framed else _plain_size(log)
    if size > _PLACES * _PLACE_BYTES:
        samples = [list(lines) for lines in _at_places(log, size) if lines]
        if len(samples) > 1:
            return samples
    return [list(head_lines(log, mapping))]


def head_lines(
    log: LogPath,
    mapping: FieldMapping,
    most_bytes: int = _HEAD_BYTES,
    most_lines: int | None = _HEAD_LINES,
) -> Iterator[bytes]:
    """Yield the first lines of a log, up to a number of bytes and lines.

    The last line that has come in of a pipe is left out if it is not complete.
    """
    size, may_be_cut = 0, not (mapping.is_framed or is_rereadable(log))
    for line in islice(first_lines(log, mapping), most_lines):
        size += len(line)
        if size > most_bytes or (may_be_cut and not line.endswith(b"\n")):
            return
        yield line


def _plain_size(log: LogPath) -> int:
    """Return the size of a plain file, or 0 for a log that cannot be read from any place."""
    try:
        return Path(log).stat().st_size if is_plain(log) else 0
    except (OSError, ValueError):  # reading it will report the reason
        return 0


def _at_places(log: LogPath, size: int) -> Iterator[Sequence[bytes]]:
    """Yield the whole lines at places that divide a file evenly, with the last one at its end."""
    with open_file(log) as file:
        for place in range(_PLACES):
            start = (size - _PLACE_BYTES) * place // (_PLACES - 1)
            file.seek(start)
            lines = file.read(_PLACE_BYTES).splitlines(keepends=True)
            yield lines[bool(start) : -1][:_PLACE_LINES]
