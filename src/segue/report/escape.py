"""Escape text from senders, so that it cannot move the cursor, change colours or start a line.

Control characters (C0, C1, DEL), line and paragraph separators, bidirectional overrides, zero-width
characters and lone surrogates are replaced by escapes. Escaping is idempotent.
"""

import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_FORBIDDEN: Final = re.compile("[\ufffe\uffff]")
"""A pattern for characters that XML forbids and that `visible` does not escape."""


def visible(text: str) -> str:
    """Return the text with every control or invisible character replaced by its escape."""
    return _UNSAFE.sub(_escape, text)


def xml_text(text: str) -> str:
    """Escape text as `visible` does, and escape the characters that XML forbids as well.

    Markup characters such as `<` are not escaped.
    """
    return _FORBIDDEN.sub(_escape, visible(text))


def _escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")
