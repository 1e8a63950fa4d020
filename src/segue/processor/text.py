"""What of a sender's words is kept: all of them, or none.

It decides what counts as text of the conversation: `query`, and the values of `customFields`.
House rules: a blank has the JSON type of what it replaces, so that the same is found wrong with
it; names of fields stay; text that cannot be stored is respelled, never refused.
"""

from collections.abc import Mapping
from typing import Any, Final

from segue.events import fingerprint

__all__ = ["LONGEST_ID", "blank", "storable"]

LONGEST_ID: Final = 255
"""Characters: what an index of every database takes, in any script."""

_KEPT_OF_ID: Final = 200

_BLANKS: Final[dict[type, Any]] = {str: "", int: 0, float: 0, list: [], dict: {}}


def blank(body: Mapping[str, Any]) -> dict[str, Any]:
    """Copy a body of E21 without the text of the conversation."""
    copy = dict(body)
    if "query" in copy:
        copy["query"] = _blank(copy["query"])
    if isinstance(copy.get("events"), list):
        copy["events"] = [_without_text(event) for event in copy["events"]]
    return copy


def storable(name: str | None) -> str | None:
    """Spell an id that did not come in a body so that every store takes it; None: it is empty."""
    if not name:
        return None
    if not name.isascii() or "\0" in name:
        name = name.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
    if len(name) > LONGEST_ID:
        name = f"{name[:_KEPT_OF_ID]}…{fingerprint(name)}"
    return name


def _without_text(event: object) -> object:
    if not isinstance(event, dict) or not isinstance(event.get("participant"), dict):
        return event
    participant = event["participant"]
    if "customFields" not in participant:
        return event
    fields = participant["customFields"]
    blanks = (
        {name: _blank(value) for name, value in fields.items()}
        if isinstance(fields, dict)
        else _blank(fields)
    )
    return {**event, "participant": {**participant, "customFields": blanks}}


def _blank(value: object) -> object:
    return _BLANKS.get(type(value), value)  # true, false and null say nothing
