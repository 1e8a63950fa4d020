"""Writes the journal of a store as the lines of a log.

`segue.replay` reads the lines and gives the same reports as the processor.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from segue.core.events import Delivery
from segue.core.wire import read_line
from segue.server.processor.effects import Compute, Unit
from segue.server.processor.records import ConversationKey, JournalEntry
from segue.server.processor.runtime import Runtime
from segue.server.processor.store import Store

_PAGE: Final = 500
_MOST_TEXT: Final = 8 << 20


def log_lines(store: Store, key: ConversationKey | None) -> Iterator[str]:
    """Yield journal entries as lines of a log, in order, without line ends.

    They are the entries of all conversations, or of one if a key is given.
    """
    after = 0
    while entries := store.journal(after, _PAGE, key):
        for entry in entries:
            yield log_line(entry)
        after = entries[-1].number


def read_deliveries(
    runtime: Runtime, key: ConversationKey, most: int | None
) -> Unit[tuple[Delivery, ...]]:
    """Return the first deliveries of a conversation, decoded from the journal.

    Reading stops after `most` deliveries, or after about 8 MB of bodies.
    """
    found: list[Delivery] = []
    after, size, left = 0, _PAGE, _MOST_TEXT
    while size == _PAGE and left > 0 and (most is None or len(found) < most):
        entries = yield runtime.call(Store.journal, after, _PAGE, key)
        found += yield Compute(partial(_deliveries_of, entries))
        left -= sum(len(entry.body) for entry in entries)
        size, after = len(entries), entries[-1].number if entries else after
    return tuple(found[:most])


def _deliveries_of(entries: Sequence[JournalEntry]) -> list[Delivery]:
    return list(map(delivery_of, entries))


def delivery_of(entry: JournalEntry) -> Delivery:
    """Return the delivery of a journal entry, decoded as it was received.

    Its time of receipt may be one that a line of a log cannot express.
    """
    return read_line({**_envelope(entry, entry.received_at), "body": entry.body})


def log_line(entry: JournalEntry) -> str:
    """Return a journal entry as a JSON object on one line, with `received_at` and `body`."""
    known = _envelope(entry, entry.received_at.isoformat())
    # The body as it was sent. A line end in it is always between values, and becomes a blank.
    body = entry.body.replace("\n", " ").replace("\r", " ").strip()
    if body.startswith('"'):  # a string is the JSON text of a body
        body = json.dumps(body)
    return f'{json.dumps(known)[:-1]}, "body": {body}}}'


def _envelope(entry: JournalEntry, received_at: datetime | str) -> dict[str, Any]:
    # A misspelled id in the body is found again only if no other id is given. An empty bot says
    # that the body names the bot, and that the log identifies conversations by bot.
    envelope = {
        "received_at": received_at,
        "delivery_id": entry.delivery_id,
        "endpoint": entry.endpoint,
        "bot_id": entry.bot_id,
        "conversation_id": entry.address_id or None,
        "asked_at": entry.asked_at,
    }
    return {key: value for key, value in envelope.items() if value is not None}
