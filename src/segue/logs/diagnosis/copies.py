"""Find logs whose lines come twice, and files that are copies of others."""

import io
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from segue.core.errors import UnreadableLog
from segue.logs.deliveries import has_events
from segue.logs.diagnosis.samples import samples_of
from segue.logs.field_mapping import FieldMapping
from segue.logs.line_reader import LineReader
from segue.logs.once import Once
from segue.logs.plan import ReplayOptions
from segue.logs.remark import LogRemark
from segue.logs.sources import (
    LogPath,
    first_lines,
    is_plain,
    is_rereadable,
    lines_of,
    name_of,
    open_file,
)

_NEARLY_ALL: Final = 0.95
_SUSPICIOUS: Final = 0.4
"""The share of lines of a sample that come twice from which a log is read to count them."""
_LEAST_LINES: Final = 8
"""The number of lines that have to come twice at least, because a sender may repeat a few."""
_LEAST_SEEN: Final = 4
"""The same for a pipe, of which only the beginning is seen, and for copies of whole files."""
_NEAR: Final = 16
"""The number of bytes, such as final newlines, by which the parts of a log may differ."""


class Copies(NamedTuple):
    """The logs and lines that come twice, and remarks that say so."""

    files: frozenset[LogPath] = frozenset()
    """The logs that are copies of logs before them."""
    has_lines_twice: bool = False
    """Whether nearly every line of the other logs comes twice."""
    remarks: tuple[LogRemark, ...] = ()


def copies_in(logs: Sequence[LogPath], mapping: FieldMapping) -> Copies:
    """Return which logs and lines come twice.

    Logs are read as a whole only if their beginnings suggest that. Of standard input and pipes,
    only what has come in is looked at.
    """
    if not all(map(is_rereadable, logs)):
        return _of_sample(logs, mapping)
    if not any(_has_copies(log, mapping) for log in logs) and not _begin_alike(logs, mapping):
        return Copies()
    try:
        return _counted(logs, mapping)
    except UnreadableLog:  # reading the log will report the reason
        return Copies()


def _of_sample(logs: Sequence[LogPath], mapping: FieldMapping) -> Copies:
    once, gives = Once(), _gives_delivery(mapping)
    for lines in (lines for log in logs for lines in samples_of(log, mapping)):
        once.read(filter(gives, lines))
    is_twice = once.repeated >= max(_LEAST_SEEN, _NEARLY_ALL * (once.distinct - 1))
    return Copies(remarks=(_remark(once, is_applied=False),)) if is_twice else Copies()


def _counted(logs: Sequence[LogPath], mapping: FieldMapping) -> Copies:
    once, files, repeated, gives = Once(), [], 0, _gives_delivery(mapping)
    for log in logs:
        distinct, before = once.distinct, once.repeated
        once.read(filter(gives, lines_of(log, None, mapping)))
        count = once.distinct - distinct + once.repeated - before
        if count >= _LEAST_SEEN and once.distinct - distinct <= (1 - _NEARLY_ALL) * count:
            files.append(log)
            repeated += once.repeated - before
    remarks = [
        LogRemark(
            kind="file-twice",
            text=f"{name_of(log)} repeats the logs before it, and is left out",
            applied=True,
            log=name_of(log),
        )
        for log in files
    ]
    once.repeated -= repeated
    if is_twice := _is_twice(once):
        remarks.append(_remark(once, is_applied=True))
    return Copies(frozenset(files), is_twice, tuple(remarks))


def _gives_delivery(mapping: FieldMapping) -> Callable[[object], bool]:
    """Return a function that tells whether a line gives a delivery. Other lines often repeat."""
    reader = LineReader(ReplayOptions(field_mapping=mapping))

    def gives(line: object) -> bool:
        delivery = reader.read_any(line, None)
        return delivery is not None and has_events(delivery)

    return gives


def _is_twice(once: Once) -> bool:
    return once.repeated >= max(_LEAST_LINES, _NEARLY_ALL * once.distinct)


def _remark(once: Once, *, is_applied: bool) -> LogRemark:
    return LogRemark(
        kind="lines-twice",
        text="nearly every line comes twice",
        option="--once",
        applied=is_applied,
        count=once.repeated if is_applied else None,
    )


def _has_copies(log: LogPath, mapping: FieldMapping) -> bool:
    """Return whether lines come twice in a sample of a log, or its second half begins as it does.

    A sample may have lines from both halves of the log.
    """
    samples = samples_of(log, mapping)
    once = Once()
    for lines in samples:
        once.read(lines)
    if once.repeated >= max(1, _SUSPICIOUS * once.distinct):
        return True
    return is_plain(log) is True and _recurs(log, samples[0][:1])


def _recurs(log: LogPath, first: Sequence[bytes]) -> bool:
    """Return whether the first line of a plain file occurs again at its middle or first third."""
    line = b"".join(first).strip()
    size = Path(log).stat().st_size
    with open_file(log) as file:
        return bool(line) and any(_occurs_near(file, size // parts, line) for parts in (2, 3))


def _occurs_near(file: io.FileIO, offset: int, line: bytes) -> bool:
    file.seek(max(0, offset - _NEAR))
    return line in (file.read(len(line) + 2 * _NEAR) or b"")


def _begin_alike(logs: Sequence[LogPath], mapping: FieldMapping) -> bool:
    """Return whether two logs have the same first line."""
    heads = [line for log in logs for line in islice(first_lines(log, mapping), 1)]
    return len(set(heads)) < len(heads)
