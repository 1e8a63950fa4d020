"""Splits text that holds JSON values over several lines, such as an array, into a line a value.

The values are not parsed, only found: what is wrong in one is a finding of its line.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from segue.errors import UnreadableLog

HEAD: Final = 1 << 16
"""How many bytes decide, at most."""

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[][{}]', re.DOTALL)
_BETWEEN: Final = b", ]\t\r\n"
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_SPACES: Final = bytes.maketrans(b"\r\n", b"  ")


def is_decided(head: bytes) -> bool:
    """Return whether the beginning of a log is enough for `holds_values`."""
    text = head.lstrip(_BLANKS)
    first, newline, rest = text.partition(b"\n")
    if text.startswith(b"["):
        return bool(text[1:].strip())
    return bool(newline) and (not _is_cut(first) or bool(rest.strip()))


def holds_values(head: bytes) -> bool:
    """Return whether a log that begins so has an array, or objects over several lines.

    An object over several lines goes on with a key or a bracket, JSON lines with the next object.
    """
    text = head.lstrip(_BLANKS)
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in (b"{", b"]")
    first, _, rest = text.partition(b"\n")
    return _is_cut(first) and rest.lstrip()[:1] in (b'"', b"}")


def _is_cut(line: bytes) -> bool:
    return line.startswith(b"{") and not line.rstrip().endswith(b"}")


def values_of(read: Callable[[], bytes], longest: int) -> Iterator[bytes]:
    """Yield each value as a line, the elements of an array one by one.

    Text between values, or after the last one, is a line of its own. Raises `UnreadableLog` for a
    string of more than twice as many bytes as a line may have.

    Args:
        read: Returns the next bytes, and none at the end.
        longest: Bytes of a value that are kept; the rest of a longer one is skipped.

    """
    splitter = _Splitter(longest)
    head = data = read()
    while data and not head.lstrip(_BLANKS):
        data = read()
        head += data
    yield from splitter.split(head.lstrip(_BLANKS).removeprefix(b"["))
    while data := read():
        yield from splitter.split(data)
    yield from splitter.rest()


class _Splitter:
    """Finds the values in bytes that come piece by piece."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._text = b""
        self._at = self._depth = 0
        """How far the text has been looked at, and how many brackets are open there."""
        self._beginning = b""
        """What is kept of a value that is too long, while its end is looked for."""

    def split(self, data: bytes) -> Iterator[bytes]:
        """Yield the values that are complete with these bytes."""
        self._text += data
        start = 0
        for token in _TOKEN.finditer(self._text, self._at):
            if token[1] == b"":
                break  # the string is not complete
            self._at = token.end()
            if token[1] is not None:
                continue
            if token[0] in b"{[":
                if not self._depth:
                    yield from _stray(self._text[start : token.start()])
                    start = token.start()
                self._depth += 1
            elif self._depth:
                self._depth -= 1
                if not self._depth:
                    yield _line(self._beginning or self._text[start : self._at])
                    start, self._beginning = self._at, b""
        self._forget(start)

    def rest(self) -> Iterator[bytes]:
        """Yield what is left at the end."""
        yield from _stray(self._beginning or self._text)

    def _forget(self, start: int) -> None:
        """Drop the text before a place, and of a value that is too long what is not kept."""
        if len(self._text) - self._at > 2 * self._longest:
            raise UnreadableLog(f"a string of more than {2 * self._longest >> 20} MiB")
        if self._at - start > self._longest:
            self._beginning = self._beginning or self._text[start : start + self._longest]
            start = self._at
        self._text = self._text[start:]
        self._at -= start


def _stray(text: bytes) -> Iterator[bytes]:
    text = text.strip(_BETWEEN)
    if text:
        yield _line(text)


def _line(value: bytes) -> bytes:
    """Return a value on one line; a line break between its parts means nothing."""
    return value.translate(_SPACES) + b"\n"
