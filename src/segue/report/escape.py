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
_SHORT: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BYTE, _WORD = 0xFF, 0xFFFF


def visible(text: str) -> str:
    """Return the text with every character that acts rather than shows replaced by its escape."""
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    number = ord(character)
    if number <= _BYTE:
        return _SHORT.get(character, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number <= _WORD else f"\\U{number:08x}"
