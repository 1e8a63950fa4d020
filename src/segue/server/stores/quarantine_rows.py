"""Functions for the rows of the quarantine: bodies that were not applied."""

from collections.abc import Collection
from typing import Final

from segue.server.processor import ConversationKey, Quarantined
from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database
from segue.server.stores.statements import delete, insert, records, select

_AT_MOST: Final = 2_000
"""The maximum number of quarantined bodies. New ones replace the oldest."""


def add(database: Database, item: Quarantined) -> int:
    """Insert a body, and return its number.

    The oldest bodies are deleted if the table then has more than 2,000.
    """
    row, number = codec.row(item, "number"), " RETURNING number"
    rows = insert(database, "segue_quarantine", row, number).fetchall()
    beyond = "SELECT number FROM segue_quarantine ORDER BY number DESC LIMIT 100 OFFSET ?"
    delete(database, "segue_quarantine", f"number IN ({beyond})", (_AT_MOST,))
    return int(rows[0][0])


def count(database: Database, key: ConversationKey, reasons: Collection[str]) -> int:
    """Return the number of bodies for a conversation with these reasons.

    The statement reads the whole table, whose size is limited.
    """
    places = ", ".join("?" * len(reasons))
    source = f"segue_quarantine WHERE bot_id = ? AND conversation_id = ? AND reason IN ({places})"
    ((found,),) = select(database, "count(*)", source, (*key, *reasons))
    return int(found)


def release(database: Database, number: int) -> Quarantined | None:
    """Delete the quarantined body with this number, and return it, or None if it does not exist."""
    found = records(database, Quarantined, "segue_quarantine AS t WHERE t.number = ?", (number,))
    gone = delete(database, "segue_quarantine", "number = ?", (number,)).rowcount == 1
    return found[0] if found and gone else None
