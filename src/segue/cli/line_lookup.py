"""The lines of some conversations, with what was read from them.

It decides nothing about them.  House rule: what the check left out is left out here, so that events
count alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from segue.cli.log_input import Reading
from segue.errors import UnreadableLog
from segue.events import Delivery
from segue.logs import ReplayOptions, lines_of
from segue.logs.parquet import PARQUET
from segue.logs.sources import LONGEST_LINE
from segue.logs.times import reader
from segue.wire import parse_line, read_line

__all__ = ["Found", "deliveries_of", "is_table", "lines_about", "lines_with"]


@dataclass(slots=True)
class Found:
    """The lines of one conversation, in the order of the log."""

    lines: list[int] = field(default_factory=list)
    raws: list[bytes] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)


def lines_about(reading: Reading, conversations: Sequence[str]) -> Iterator[Found]:
    """Yield these conversations; this reads the logs again, and holds their lines."""
    found = {identity: Found() for identity in conversations}
    if not found:
        return
    for log in reading.logs:
        for line, raw, delivery in deliveries_of(log, reading.options):
            conversation = found.get(delivery.conversation_id or "")
            if conversation is not None:
                conversation.lines.append(line)
                conversation.raws.append(raw)
                conversation.deliveries.append(delivery)
    yield from found.values()


def deliveries_of(log: str, options: ReplayOptions) -> Iterator[tuple[int, bytes, Delivery]]:
    """Yield what of a log the options ask for: number and text of the line, and what it says."""
    read_time = reader(options.time_zone, day_first=options.day_first)
    for line, raw in enumerate(lines_of(log, field_mapping=options.field_mapping), start=1):
        value: Any = raw.strip()
        if options.field_mapping is not None and value:
            record = parse_line(value, line=line)
            value = None if isinstance(record, Delivery) else options.field_mapping.envelope(record)
        if not value:
            continue
        delivery = read_line(value, read_time=read_time, line=line)
        if _is_wanted(delivery, options):
            yield line, raw, delivery


def is_table(log: str) -> bool:
    """Whether a log is no text, but rows that are read as lines."""
    path = Path(log)
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET


def lines_with(log: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a log, to be written again. Raises `UnreadableLog` for an overlong one."""
    for line, raw in enumerate(lines_of(log), start=1):
        if len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
            msg = f"line {line} of {log} is larger than 16 MiB and cannot be written again"
            raise UnreadableLog(msg)
        yield line, raw


def _is_wanted(delivery: Delivery, options: ReplayOptions) -> bool:
    at = delivery.received_at
    if options.conversations is not None and delivery.conversation_id not in options.conversations:
        return False
    if options.since is not None and (at is None or at < options.since):
        return False
    return options.until is None or (at is not None and at < options.until)
