"""Reads a dictionary as Python prints it: `{'conversationId': 'c-1', 'isExtAD': False}`."""

import ast
import json
import re
import warnings
from typing import Final

_TOKEN: Final = re.compile(
    r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|(?P<open>[{\[(])|(?P<close>[}\])])""", re.DOTALL
)
_LONGEST: Final = 1 << 18
_DEEPEST: Final = 100
_ERRORS: Final = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)


def json_of_literal(text: str) -> tuple[str, int] | None:
    """Return the JSON of the dictionary that a text begins with, and how long it is in the text.

    Returns None for a text that begins with something else, and for one that is cut off.
    """
    size = _size_of(text[:_LONGEST])
    if size is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            return json.dumps(ast.literal_eval(text[:size]), ensure_ascii=False), size
    except _ERRORS:
        return None


def _size_of(text: str) -> int | None:
    """Return where the first bracket is closed, or None if it is not."""
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token["open"] is not None) - (token["close"] is not None)
        if depth > _DEEPEST:
            return None
        if not depth:
            return token.end()
    return None
