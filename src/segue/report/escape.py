"""Escape text from senders, so that it cannot move the cursor, change colours or start a line.

Control characters (C0, C1, DEL), line and paragraph separators, bidirectional overrides, zero-width
characters and lone surrogates are replaced by escapes. Escaping is idempotent.

CI servers execute commands in the output of a job: GitHub Actions a line that begins with `::` or
contains `##[`, Azure Pipelines one that contains `##vso[`, TeamCity one with `##teamcity[`. The
marks with brackets are escaped wherever they occur, and a colon where a line begins with two.
"""

import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
    r"|#(?=#\w*\[)"
)
_COMMAND: Final = re.compile(r"\s*(?=::)")
_FORBIDDEN: Final = re.compile("[\ufffe\uffff]")
"""A pattern for characters that XML forbids and that `visible` does not escape."""


def visible(text: str) -> str:
    """Return the text with every control or invisible character replaced by its escape.

    In `##[` and the like, the first character is escaped as well.
    """
    return _UNSAFE.sub(_escape, text)


def command_mark(line: str) -> int | None:
    """Return the index of the first colon if GitHub Actions would execute a line, otherwise None.

    It executes lines that begin with `::` after blanks.
    """
    found = _COMMAND.match(line)
    return None if found is None else found.end()


def xml_text(text: str) -> str:
    """Escape text as `visible` does, and escape the characters that XML forbids as well.

    Markup characters such as `<` are not escaped.
    """
    return _FORBIDDEN.sub(_escape, visible(text))


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return r"\x23" if character == "#" else character.encode("unicode_escape").decode("ascii")
