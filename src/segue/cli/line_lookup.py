"""The lines and deliveries of a log, read again for commands that need more than reports.

Deliveries that the options exclude from the check are excluded here too, so that positions agree.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from segue.cli.log_input import LogInput
from segue.core.errors import UnreadableLog
from segue.core.events import Delivery
from segue.logs.line_reader import LineReader
from segue.logs.parquet import PARQUET
from segue.logs.sources import is_overlong, lines_of, name_of


@dataclass(slots=True)
class ConversationLines:
    """The lines of one conversation in the order of the log.

    The elements of the three lists with equal indices describe the same line.
    """

    numbers: list[int] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)


def conversation_lines(
    log_input: LogInput, keys: Iterable[str | None]
) -> Iterator[ConversationLines]:
    """Read the logs again, and yield the lines of each conversation in `keys`, in this order.

    A key is a conversation key, as `LineReader.key_of` returns it. All these lines are held in
    memory.
    """
    found = {key: ConversationLines() for key in keys}
    if not found:
        return
    reader = LineReader(log_input.options)
    for log in log_input.logs:
        lines = lines_of(log, field_mapping=reader.field_mapping)
        for number, raw in enumerate(lines, start=1):
            delivery = reader.read(raw, number)
            conversation = None if delivery is None else found.get(reader.key_of(delivery))
            if delivery is not None and conversation is not None:
                conversation.numbers.append(number)
                conversation.raw.append(raw)
                conversation.deliveries.append(delivery)
    yield from found.values()


def is_table(log: str) -> bool:
    """Return whether a log is a Parquet file, which has rows instead of lines."""
    path = Path(log)
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET


def raw_lines(log: str) -> Iterator[tuple[int, bytes]]:
    """Yield each line of a log unchanged, as pairs of the line number and the bytes.

    Raise `UnreadableLog` for a line over 16 MiB, which cannot be read completely.
    """
    for line, raw in enumerate(lines_of(log), start=1):
        refuse_overlong(log, line, raw)
        yield line, raw


def refuse_overlong(log: str, line: int, raw: bytes) -> None:
    """Raise `UnreadableLog` for a line over 16 MiB, since only its beginning was read."""
    if is_overlong(raw):
        msg = f"line {line} of {name_of(log)} is larger than 16 MiB and cannot be written again"
        raise UnreadableLog(msg)
