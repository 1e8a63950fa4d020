"""Functions for the rows of the quarantine: bodies that were not applied."""

from typing import Final

from segue.server.processor import Quarantined
from segue.server.stores import row_codec as codec
from segue.server.stores.schema import Database
from segue.server.stores.statements import delete, insert, records

_AT_MOST: Final = 2_000
"""The maximum number of quarantined bodies. New ones replace the oldest."""


def add(database: Database, item: Quarantined) -> int:
    """Insert a body and return its number. Delete the oldest bodies beyond the maximum number."""
    row, number = codec.row(item, "number"), " RETURNING number"
    rows = insert(database, "segue_quarantine", row, number).fetchall()
    beyond = "SELECT number FROM segue_quarantine ORDER BY number DESC LIMIT 100 OFFSET ?"
    delete(database, "segue_quarantine", f"number IN ({beyond})", (_AT_MOST,))
    return int(rows[0][0])


def release(database: Database, number: int) -> Quarantined | None:
    """Remove the body with a number and return it, or None if it does not exist."""
    found = records(database, Quarantined, "segue_quarantine AS t WHERE t.number = ?", (number,))
    gone = delete(database, "segue_quarantine", "number = ?", (number,)).rowcount == 1
    return found[0] if found and gone else None
