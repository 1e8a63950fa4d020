"""Converts a dictionary in Python syntax, such as `{'isExtAD': False}`, to JSON."""

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
    """Convert the Python dictionary at the beginning of a text to JSON.

    Return the JSON and the length of the dictionary in the text. Return None if the text does not
    begin with a complete literal.
    """
    size = _size_of(text[:_LONGEST])
    if size is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes
            return json.dumps(ast.literal_eval(text[:size]), ensure_ascii=False), size
    except _ERRORS:
        return None


def _size_of(text: str) -> int | None:
    """Return the position after the bracket that closes the first one, or None if it is missing."""
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token["open"] is not None) - (token["close"] is not None)
        if depth > _DEEPEST:
            return None
        if not depth:
            return token.end()
    return None
