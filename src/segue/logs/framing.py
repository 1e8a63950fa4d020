"""Splits text with JSON values that are not one per line, such as an array, into lines.

Values are located, not parsed. An invalid value is a finding at its line.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from segue.core.errors import UnreadableLog

HEAD: Final = 1 << 16
"""The maximum number of bytes examined to decide how a log is framed."""

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[][{}]', re.DOTALL)
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_BETWEEN: Final = b",[]" + _BLANKS
_SPACES: Final = bytes.maketrans(b"\r\n", b"  ")


def is_decided(head: bytes) -> bool:
    """Return whether the beginning of a log is sufficient for `holds_values`."""
    text = head.lstrip(_BLANKS)
    first, newline, rest = text.partition(b"\n")
    if text.startswith(b"["):
        return bool(text[1:].strip())
    return bool(newline) and (not _is_cut(first) or bool(rest.strip()))


def holds_values(head: bytes, *, has_path: bool = False) -> bool:
    """Return whether a log begins with an array, or with an object over several lines.

    An object over several lines continues with a key or a bracket, JSON lines with the next object.
    If values are at a path, an object that does not end in `head` counts too.
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
    """Yield each value as a line. The elements of an array are separate values.

    Text between values or after the last one is a line of its own. Raises `UnreadableLog` for a
    string longer than twice `longest`.

    Args:
        read: Returns the next bytes, or no bytes at the end.
        longest: The maximum number of bytes kept of a value. The rest of a longer value is skipped.
        path: The keys, in each object, of the list whose elements are the values. Other text is
            skipped.

    """
    splitter = _Splitter(longest, path)
    while data := read():
        yield from splitter.split(data)
    yield from splitter.rest()


def values_in_lines(
    lines: Iterable[bytes], longest: int, path: Sequence[str] = ()
) -> Iterator[bytes]:
    """Yield each value of each line as a line, like `values_of`.

    A line without a list at the path is yielded unchanged.
    """
    for line in lines:
        splitter = _Splitter(longest, path)
        values = [*splitter.split(line), *splitter.rest()]
        yield from values if splitter.has_list else [line]


class _Splitter:
    """Finds values in bytes that arrive in pieces."""

    def __init__(self, longest: int, path: Sequence[str]) -> None:
        self._longest = longest
        self._text = b""
        self._at = self._depth = 0
        """The position up to which the text is scanned, and the number of open brackets there."""
        self._beginning = b""
        """The kept part of a value that is too long, until its end is found."""
        self._path = [json.dumps(key, ensure_ascii=False).encode() for key in path]
        self._entered = 0
        """The number of keys of the path that have been followed up to the position."""
        self._key = b""
        """The last string, which is the key of the next bracket."""
        self._base: int | None = None if path else 0
        """The number of brackets open around values, or None outside the list."""
        self.has_list = not path
        """Whether the list has been found."""

    def split(self, data: bytes) -> Iterator[bytes]:
        """Yield the values that these bytes complete."""
        self._text += data
        start = 0
        for token in _TOKEN.finditer(self._text, self._at):
            if token[1] == b"":
                break  # the string is incomplete
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
        """Yield the remaining text at the end."""
        if self._base is not None:
            yield from _stray(self._beginning or self._text)

    def _look_for_list(self, bracket: bytes) -> None:
        """Follow the path at a bracket. `_depth` already counts it."""
        if bracket in b"]}":
            self._entered = min(self._entered, max(self._depth - 1, 0))
        elif self._depth == self._entered + 2 and self._key == self._path[self._entered]:
            is_last = self._entered + 1 == len(self._path)
            if bracket == (b"[" if is_last else b"{"):
                self._entered += 1
            if is_last and bracket == b"[":
                self._base, self.has_list = self._depth, True

    def _begins_value(self, bracket: bytes) -> bool:
        """Return whether a bracket between values begins one, and update the state if it does not.

        Without a path, lists may open and close between values. With a path, the list closes once.
        """
        if bracket == b"{" or (self._path and bracket == b"["):
            return True
        if self._path:
            self._base, self._entered = None, self._entered - 1
        else:
            self._depth = 0
        return False

    def _forget(self, start: int) -> None:
        """Drop the text before a position, and the excess of a value that is too long."""
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
    """Return a value as one line. Line breaks outside of strings are insignificant."""
    return value.translate(_SPACES) + b"\n"
