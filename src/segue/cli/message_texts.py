"""What was said: the texts of messages, read from the log once more for whoever asked for them.

The check forgets them, so that no other output can have them by mistake.  House rules: what the
check left out is left out here; a message that repeats a delivery is quoted once; a text can break
a line and do nothing else.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from segue.cli.line_lookup import deliveries_of
from segue.cli.log_input import Reading
from segue.errors import ConfigurationError
from segue.lifecycle import MESSAGES
from segue.report.escape import visible
from segue.report.page_data import since_epoch

__all__ = ["Said"]


class Said:
    """The messages of a log with their texts, in order, each time it is iterated over."""

    def __init__(self, reading: Reading, outputs: Iterable[str]) -> None:
        if not any(output.partition("=")[0] == "html" for output in outputs):
            msg = "--include-text is for the format html: add --output html=FILE"
            raise ConfigurationError(msg)
        if len(reading.logs) != 1 or "-" in reading.logs or reading.is_sorted:
            msg = "--include-text reads the log a second time: give one file, in order, without -"
            raise ConfigurationError(msg)
        [self._log] = reading.logs
        self._options = reading.options

    def __iter__(self) -> Iterator[dict[str, Any]]:
        seen: set[int] = set()
        for _, _, delivery in deliveries_of(self._log, self._options):
            identity = hash((delivery.conversation_id, delivery.delivery_id))
            if delivery.delivery_id is not None and identity in seen:
                continue
            seen.add(identity)
            for event in delivery.events:
                text = event.value.get("query")
                if event.kind in MESSAGES and isinstance(text, str):
                    yield {
                        "conversation": visible(delivery.conversation_id or ""),
                        "kind": event.kind.value,
                        "agent": visible(event.agent),
                        "line": delivery.line,
                        "at": delivery.received_at and since_epoch(delivery.received_at),
                        "text": "\n".join(map(visible, text.splitlines())),
                    }
