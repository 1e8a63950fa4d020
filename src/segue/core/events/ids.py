"""The spelling of ids of conversations, bots and agents: as sent, and as messages show them.

A placeholder is a text that a program sent instead of an id that it did not have: a word such as
`undefined`, a template that was not filled in such as `{{conversationId}}`, or only blanks.
"""

import re
from collections.abc import Sequence
from typing import Final

from segue.core.events.shapes import BLANKS, letter_cases

PLACEHOLDER_WORDS: Final = ("[object object]", "nan", "nil", "none", "null", "undefined")
"""Placeholders in lower case. They are recognized in any letter case."""
_IN_ANY_CASE: Final = frozenset(
    spelling for word in PLACEHOLDER_WORDS[1:] for spelling in letter_cases(word)
)
ODD_STARTS: Final = frozenset(f"{BLANKS}<{{$#%:[")
"""The first characters of placeholders that are not words."""
UNUSUAL_IDS: Final = _IN_ANY_CASE | {""}
"""Ids that are absent or placeholders, apart from those that begin with one of `ODD_STARTS`."""

_TEMPLATE: Final = re.compile(
    r"\{\{.*\}\}|[$#]\{.*\}|%.+%|<.*>|\{[^{}]*\}|:[A-Za-z_]\w*|\[object object\]",
    re.DOTALL | re.IGNORECASE,
)
_UUID: Final = re.compile(r"\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)
_LONGEST: Final = 120
"""The maximum length of an id in a message."""
_LISTED: Final = 20
"""The maximum number of ids that a message lists."""

_UUID_SIZE: Final = 36
"""The number of characters of a UUID without braces."""


def is_placeholder(text: str) -> bool:
    """Return whether a text was sent instead of a missing id, such as `null` or `<agent>`.

    A UUID in braces is an id. An empty text is not a placeholder, because the id is absent.
    """
    if text[:1] not in ODD_STARTS:
        return text in _IN_ANY_CASE
    is_template = _TEMPLATE.fullmatch(text) is not None and not _UUID.fullmatch(text)
    return is_template or not text.strip(BLANKS)


def quoted(identity: str) -> str:
    """Return an id for messages, in quotes if it begins or ends with a blank.

    The quotes distinguish the id from one without blanks, which is a different id.
    """
    return identity if identity == identity.strip() else f'"{identity}"'


def short(text: str) -> str:
    """Return an id cut to 120 characters, in quotes if it begins or ends with a blank."""
    return quoted(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def listed(ids: Sequence[str]) -> str:
    """Return ids as a text for a message, such as `a-1, a-2`, or `nobody` if there are no ids.

    After 20 ids the text gives the number of the others.
    """
    more = [f"{len(ids) - _LISTED} more"] if len(ids) > _LISTED else []
    return ", ".join([*map(short, ids[:_LISTED]), *more]) or "nobody"


def one_spelling(text: str) -> str:
    """Return the spelling of an id that all equal ids share.

    UUIDs (RFC 9562) are equal without regard to letter case and braces, so they are returned in
    small letters without braces. Other ids are returned unchanged.
    """
    size = len(text)
    if (size == _UUID_SIZE and text.islower()) or size not in {_UUID_SIZE, _UUID_SIZE + 2}:
        return text
    return text.strip("{}").lower() if _UUID.fullmatch(text) else text
