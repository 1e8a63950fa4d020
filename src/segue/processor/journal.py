"""Writes the journal as the lines of a log.

`segue.replay` reads them and gives the report that the processor gives.
"""

import json
from collections.abc import Iterator
from typing import Final

from segue.processor.records import ConversationKey, JournalEntry
from segue.processor.store import Store

_PAGE: Final = 500


def log_lines(store: Store, key: ConversationKey | None) -> Iterator[str]:
    """Yield the log lines of all conversations, or of one, in order, without line ends."""
    after = 0
    while entries := store.journal(after, _PAGE, key):
        for entry in entries:
            yield log_line(entry)
        after = entries[-1].number


def log_line(entry: JournalEntry) -> str:
    """Return an entry as a line of a log."""
    # An id in the body may be misspelled there, which is found again only without another one. An
    # empty bot says that the body names it, and that the log has its conversations by bot.
    envelope = {
        "received_at": entry.received_at.isoformat(),
        "delivery_id": entry.delivery_id,
        "endpoint": entry.endpoint,
        "bot_id": entry.bot_id,
        "conversation_id": entry.address_id or None,
        "asked_at": entry.asked_at,
    }
    known = {key: value for key, value in envelope.items() if value is not None}
    # The body as it was sent: a line end can stand only between its values, and becomes a blank.
    body = entry.body.replace("\n", " ").replace("\r", " ").strip()
    if body.startswith('"'):  # a text as body is the JSON text of one
        body = json.dumps(body)
    return f'{json.dumps(known)[:-1]}, "body": {body}}}'
