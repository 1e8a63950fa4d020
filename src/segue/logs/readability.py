"""Rejects a log whose first lines contain no delivery."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from segue.core.errors import UnreadableLog
from segue.core.events import Delivery
from segue.logs.contents import describe_contents
from segue.logs.deliveries import has_events
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions

_MOST_LINES: Final = 1000
_MOST_BYTES: Final = 64 << 20


def readable(lines: Iterator[bytes], options: ReplayOptions, name: str) -> Iterator[bytes]:
    """Check that a log contains deliveries, judging by its first lines.

    Return an iterator over all lines. Raises `UnreadableLog` if none of the first 1,000 lines that
    are not blank is a delivery. Empty and blank logs are accepted.
    """
    reader = LineReader(replace(options, conversations=None, since=None, until=None))
    held: list[bytes] = []
    looked_at, size, deliveries = 0, 0, []
    for raw in lines:
        held.append(raw)
        delivery = reader.read_any(raw, None)
        if delivery is None:
            continue
        if delivery.conversation_id is not None and not _is_broken(delivery):
            return chain(held, lines)
        deliveries.append(delivery)
        looked_at, size = looked_at + 1, size + len(raw)
        if looked_at >= _MOST_LINES or size >= _MOST_BYTES:
            break
    if looked_at and not any(map(has_events, deliveries)):
        raise UnreadableLog(_message(name, looked_at, held, options))
    return chain(held, lines)


def _is_broken(delivery: Delivery) -> bool:
    return any(flaw.code == "SG501" for flaw in delivery.flaws)


def _message(name: str, looked_at: int, head: list[bytes], options: ReplayOptions) -> str:
    looked = "its line is not a" if looked_at == 1 else f"none of {looked_at} lines is a"
    mapping = options.field_mapping
    if mapping is not None and mapping.platform is not None:
        return f"{name} cannot be read: no line is an event of {mapping.platform}"
    form = "json" if mapping is None else mapping.lines
    given = "" if mapping is None or not mapping.body_at else f" at {mapping.body_at}"
    return f"{name} cannot be read: {looked} delivery{given}; {describe_contents(head, form)}"
