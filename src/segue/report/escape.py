"""Sender text made safe to show: nothing in it can move a cursor, colour a line or start one.

Ids, names and values come from whoever sent them.  Control characters (C0, C1, DEL), line and
paragraph separators, bidirectional overrides, zero-width characters and lone surrogates are shown
as escapes; everything else is shown as it is.
"""

import re
from typing import Final

__all__ = ["visible"]

_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]",
)


def visible(text: str) -> str:
    """Return the text with every character that acts rather than shows replaced by its escape."""
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    number = ord(match.group())
    if number < 0x100:  # noqa: PLR2004 - two hexadecimal digits
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"  # noqa: PLR2004
