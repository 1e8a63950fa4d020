"""Splits text with JSON values that are not one a line, such as an array, into a line a value.

The values are not parsed, only found: what is wrong in one is a finding of its line.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from segue.core.errors import UnreadableLog

HEAD: Final = 1 << 16
"""How many bytes decide, at most."""

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[][{}]', re.DOTALL)
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_BETWEEN: Final = b",[]" + _BLANKS
_SPACES: Final = bytes.maketrans(b"\r\n", b"  ")


def is_decided(head: bytes) -> bool:
    """Return whether the beginning of a log is enough for `holds_values`."""
    text = head.lstrip(_BLANKS)
    first, newline, rest = text.partition(b"\n")
    if text.startswith(b"["):
        return bool(text[1:].strip())
    return bool(newline) and (not _is_cut(first) or bool(rest.strip()))


def holds_values(head: bytes, *, has_path: bool = False) -> bool:
    """Return whether a log that begins so has an array, or objects over several lines.

    An object over several lines goes on with a key or a bracket, JSON lines with the next object.
    With a path to values, an object that does not end here is one, too.
    """
    text = head.lstrip(_BLANKS)
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in (b"{", b"]")
    first, newline, rest = text.partition(b"\n")
    if has_path and not newline:
        return first.startswith(b"{")
    return _is_cut(first) and rest.lstrip()[:1] in (b'"', b"}")


def _is_cut(line: bytes) -> bool:
    return line.startswith(b"{") and not line.rstrip().endswith(b"}")


def values_of(read: Callable[[], bytes], longest: int, path: Sequence[str] = ()) -> Iterator[bytes]:
    """Yield each value as a line, the elements of an array one by one.

    Text between values, or after the last one, is a line of its own. Raises `UnreadableLog` for a
    string of more than twice as many bytes as a line may have.

    Args:
        read: Returns the next bytes, and none at the end.
        longest: Bytes of a value that are kept; the rest of a longer one is skipped.
        path: Keys that lead to the list whose elements are the values, in each object; other text
            is left out.

    """
    splitter = _Splitter(longest, path)
    while data := read():
        yield from splitter.split(data)
    yield from splitter.rest()


def values_in_lines(
    lines: Iterable[bytes], longest: int, path: Sequence[str] = ()
) -> Iterator[bytes]:
    """Yield each value of each line as a line, as `values_of` does.

    A line without a list at the path is yielded unchanged.
    """
    for line in lines:
        splitter = _Splitter(longest, path)
        values = [*splitter.split(line), *splitter.rest()]
        yield from values if splitter.has_list else [line]


class _Splitter:
    """Finds the values in bytes that come piece by piece."""

    def __init__(self, longest: int, path: Sequence[str]) -> None:
        self._longest = longest
        self._text = b""
        self._at = self._depth = 0
        """How far the text has been looked at, and how many brackets are open there."""
        self._beginning = b""
        """What is kept of a value that is too long, while its end is looked for."""
        self._path = [json.dumps(key, ensure_ascii=False).encode() for key in path]
        self._entered = 0
        """How many keys of the path have been followed to where the text has been looked at."""
        self._key = b""
        """The last string, which is the key of what opens behind it."""
        self._base: int | None = None if path else 0
        """How many brackets are open around values, or None outside the list."""
        self.has_list = not path
        """Whether the list has been found."""

    def split(self, data: bytes) -> Iterator[bytes]:
        """Yield the values that are complete with these bytes."""
        self._text += data
        start = 0
        for token in _TOKEN.finditer(self._text, self._at):
            if token[1] == b"":
                break  # the string is not complete
            self._at = token.end()
            if token[1] is not None:
                self._key = token[0]
                continue
            before, step = self._depth, 1 if token[0] in b"{[" else -1
            self._depth = max(before + step, 0)
            if self._base is None:
                self._look_for_list(token[0])
                start = self._at
            elif before <= self._base:
                yield from _stray(self._text[start : token.start()])
                start = token.start() if self._begins_value(token[0]) else self._at
            elif self._depth == self._base:
                yield _line(self._beginning or self._text[start : self._at])
                start, self._beginning = self._at, b""
        self._forget(start if self._base is not None else self._at)

    def rest(self) -> Iterator[bytes]:
        """Yield what is left at the end."""
        if self._base is not None:
            yield from _stray(self._beginning or self._text)

    def _look_for_list(self, bracket: bytes) -> None:
        """Follow the path; `_depth` is that behind the bracket."""
        if bracket in b"]}":
            self._entered = min(self._entered, max(self._depth - 1, 0))
        elif self._depth == self._entered + 2 and self._key == self._path[self._entered]:
            is_last = self._entered + 1 == len(self._path)
            if bracket == (b"[" if is_last else b"{"):
                self._entered += 1
            if is_last and bracket == b"[":
                self._base, self.has_list = self._depth, True

    def _begins_value(self, bracket: bytes) -> bool:
        """Take a bracket between values: lists open and close there, but at a path only once."""
        if bracket == b"{" or (self._path and bracket == b"["):
            return True
        if self._path:
            self._base, self._entered = None, self._entered - 1
        else:
            self._depth = 0
        return False

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
