"""The journal as a log: what was applied, in the lines that `segue.replay` reads.

It decides nothing: an entry holds a delivery as it was sent, and a line is an envelope around it.
House rule: replayed, the lines give the report that the processor gives.
"""

import json
from collections.abc import Iterator
from typing import Final

from segue.processor.records import Entry
from segue.processor.store import Store

__all__ = ["lines"]

_PAGE: Final = 500


def lines(store: Store, conversation_id: str | None) -> Iterator[str]:
    """Yield the log lines of all conversations, or of one, in order, without line ends."""
    after = 0
    while entries := store.journal(after, _PAGE, conversation_id):
        for entry in entries:
            yield _line(entry)
        after = entries[-1].number


def _line(entry: Entry) -> str:
    envelope = {
        "received_at": entry.received_at.isoformat(),
        "delivery_id": entry.delivery_id,
        "endpoint": entry.endpoint,
        "bot_id": entry.bot_id or None,
        "conversation_id": entry.conversation_id,
    }
    known = {key: value for key, value in envelope.items() if value is not None}
    # The body as it was sent: only between its values can a line end stand, and be a blank as well.
    body = entry.body.replace("\n", " ").replace("\r", " ")
    return f'{json.dumps(known)[:-1]}, "body": {body}}}'
