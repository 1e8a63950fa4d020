"""Sender text made safe to show: nothing in it can move a cursor, colour a line or start one.

Ids, names and values are the sender's.  Control characters (C0, C1, DEL), line and
paragraph separators, bidirectional overrides, zero-width characters and lone surrogates are shown
as escapes; everything else stays.  Escaping twice gives the same as escaping once.
"""

import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_FORBIDDEN: Final = re.compile("[\ufffe\uffff]")
"""Not allowed in XML, and not escaped for a terminal."""


def visible(text: str) -> str:
    """Return the text with every character that acts rather than shows replaced by its escape."""
    return _UNSAFE.sub(_escape, text)


def xml_text(text: str) -> str:
    """Return the text safe to show, of characters that XML allows; what is markup stays so."""
    return _FORBIDDEN.sub(_escape, visible(text))


def _escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")
