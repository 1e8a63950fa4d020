"""The lines and deliveries of a log, read once more for commands that need more than reports.

Deliveries that the options of the check leave out are left out here, so that positions are equal.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from segue.cli.log_input import LogInput, is_rereadable
from segue.errors import ConfigurationError, UnreadableLog
from segue.events import Delivery
from segue.lifecycle import MESSAGES
from segue.logs import LineReader, lines_of
from segue.logs.parquet import PARQUET
from segue.logs.sources import LONGEST_LINE
from segue.report.escape import visible
from segue.report.page_data import since_epoch


@dataclass(slots=True)
class ConversationLines:
    """The lines of one conversation, in the order of the log."""

    numbers: list[int] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)


def conversation_lines(
    log_input: LogInput, keys: Iterable[str | None]
) -> Iterator[ConversationLines]:
    """Yield the lines of the conversations of these keys; they are held in memory."""
    found = {key: ConversationLines() for key in keys}
    if not found:
        return
    reader = LineReader(log_input.options)
    for log in log_input.logs:
        for number, raw, delivery in deliveries_of(log, reader):
            conversation = found.get(reader.key_of(delivery))
            if conversation is not None:
                conversation.numbers.append(number)
                conversation.raw.append(raw)
                conversation.deliveries.append(delivery)
    yield from found.values()


def deliveries_of(log: str, reader: LineReader) -> Iterator[tuple[int, bytes, Delivery]]:
    """Yield number, text and delivery of each line that the reader does not leave out."""
    for line, raw in enumerate(lines_of(log, field_mapping=reader.field_mapping), start=1):
        delivery = reader.read(raw, line)
        if delivery is not None:
            yield line, raw, delivery


def is_table(log: str) -> bool:
    """Whether a log is a Parquet file, of which each row is read as a line."""
    path = Path(log)
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(PARQUET)) == PARQUET


def raw_lines(log: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a log, to be written again. Raises `UnreadableLog` for an overlong one."""
    for line, raw in enumerate(lines_of(log), start=1):
        if len(raw) > LONGEST_LINE and not raw.endswith(b"\n"):
            msg = f"line {line} of {log} is larger than 16 MiB and cannot be written again"
            raise UnreadableLog(msg)
        yield line, raw


class MessageTexts:
    """The messages of a log with their texts, in order; each iteration reads the log.

    Deliveries that the options leave out are left out; a repeated delivery is quoted once.
    """

    def __init__(self, log_input: LogInput, outputs: Iterable[str]) -> None:
        if not any(output.partition("=")[0] == "html" for output in outputs):
            msg = "--include-text is for the format html: add --output html=FILE"
            raise ConfigurationError(msg)
        files = [log for log in log_input.logs if is_rereadable(log)]
        if log_input.is_sorted or len(files) != 1 or len(log_input.logs) != 1:
            msg = (
                "--include-text reads the log a second time: give one file, in order, "
                "not a pipe and without -"
            )
            raise ConfigurationError(msg)
        [self._log] = files
        self._options = log_input.options

    def __iter__(self) -> Iterator[dict[str, Any]]:
        seen: set[int] = set()
        reader = LineReader(self._options)
        for _, _, delivery in deliveries_of(self._log, reader):
            identity = hash((reader.key_of(delivery), delivery.delivery_id))
            bot = delivery.bot_id if reader.keying == "bot" else None
            if delivery.delivery_id is not None and identity in seen:
                continue
            seen.add(identity)
            for event in delivery.events:
                text = event.value.get("query")
                if event.kind in MESSAGES and isinstance(text, str):
                    yield {
                        "conversation": visible(delivery.conversation_id or ""),
                        "bot": visible(bot or ""),
                        "kind": event.kind.value,
                        "agent": visible(event.agent),
                        "line": delivery.line,
                        "at": delivery.received_at and since_epoch(delivery.received_at),
                        "text": "\n".join(map(visible, text.splitlines())),
                    }
