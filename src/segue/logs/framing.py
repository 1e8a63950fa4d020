"""Splits JSON documents that do not have one value per line, such as an array, into lines.

Only the boundaries of values are located. Values are not parsed, so an invalid value is reported
later, at its line.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

HEAD: Final = 1 << 16
"""The maximum number of bytes examined to decide whether a log has one JSON value per line."""

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+("?)|[][{}]', re.DOTALL)
_INSERT: Final = re.compile(rb"\s*(?:INSERT|REPLACE)\b[^'\"]*?\bVALUES\s*\(", re.IGNORECASE)
"""Matches the beginning of a statement, up to the parenthesis of its first row."""
_SQL: Final = re.compile(rb"'(?:[^'\\]++|\\.|'')*+'|[()]", re.DOTALL)
"""Matches a string or a parenthesis of SQL."""
_BLANKS: Final = b"\xef\xbb\xbf \t\r\n"
_BETWEEN: Final = b",[]" + _BLANKS
_ANY: Final = b"*"
"""The key of a path that matches every element of a list."""
_LOG: Final = (b'{"log":"', b'{"log": "')
_LAST_PIECE: Final = re.compile(rb'\\n"\s*[,}]')
"""Matches the end of a text that ends with a line feed."""
_SPACES: Final = bytes.maketrans(b"\r\n", b"  ")


def is_decided(head: bytes) -> bool:
    """Return whether `head`, the first bytes of a log, suffices for `holds_values`."""
    text = head.lstrip(_BLANKS)
    first, newline, rest = text.partition(b"\n")
    if text.startswith(b"["):
        return bool(text[1:].strip())
    return bool(newline) and (not _is_cut(first) or bool(rest.strip()))


def holds_values(head: bytes, *, has_path: bool = False) -> bool:
    """Return whether a log is a JSON document rather than one JSON object per line.

    A document begins with an array, or with an object that spans several lines. In the second case,
    the next line begins with a key or a closing bracket.

    Args:
        head: The first bytes of the log.
        has_path: Whether the values are in a list nested in the document. If so, an object that
            does not end in `head` counts too.

    """
    text = head.lstrip(_BLANKS)
    if text.startswith(b"["):
        return text[1:].lstrip()[:1] in (b"{", b"]", b'"')
    first, newline, rest = text.partition(b"\n")
    if has_path and not newline:
        return first.startswith(b"{")
    return _is_cut(first) and rest.lstrip()[:1] in (b'"', b"}")


def _is_cut(line: bytes) -> bool:
    return line.startswith(b"{") and not line.rstrip().endswith(b"}")


def values_of(read: Callable[[], bytes], longest: int, path: Sequence[str] = ()) -> Iterator[bytes]:
    """Split JSON documents into lines, one for each value or element of an array.

    Text between values or after the last value is yielded as a line, too.

    Args:
        read: A function that returns the next bytes, or `b""` at the end.
        longest: The maximum number of bytes kept of a value. The rest of a longer value is skipped.
        path: The keys that lead to the list of values in each object, such as `("data", "items")`.
            The key `*` leads through every element of a list.
            Text outside the list is skipped.

    """
    splitter = _Splitter(longest, path)
    while data := read():
        yield from splitter.split(data)
    yield from splitter.rest()


def values_in_lines(
    lines: Iterable[bytes], longest: int, path: Sequence[str] = ()
) -> Iterator[bytes]:
    """Split each line that contains several JSON values into one line for each value.

    The arguments `longest` and `path` are those of `values_of`. A line without a list at `path` is
    yielded unchanged.
    """
    for line in lines:
        splitter = _Splitter(longest, path)
        values = [*splitter.split(line), *splitter.rest()]
        yield from values if splitter.has_list else [line]


def is_piece(line: bytes) -> bool:
    """Return whether a line of Docker is a piece of a longer line, which another line continues."""
    return line.startswith(_LOG) and not _LAST_PIECE.search(line)


def joined_pieces(lines: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """Join the pieces in which Docker writes a line of more than 16 KiB.

    All pieces but the last lack a line feed. In place of each of these, yield a blank line, so that
    other lines keep their numbers. Lines of standard output and standard error may be interleaved.

    Args:
        lines: The lines of the log.
        longest: The maximum number of characters of a line. A longer one is not joined.

    """
    held: dict[object, str] = {}
    for line in lines:
        if not held and not is_piece(line):
            yield line
            continue
        record = _record_of(line)
        stream, text = record.get("stream"), record.get("log")
        if not isinstance(text, str):
            yield line
            continue
        whole = held.pop(stream, "") + text
        is_whole = whole.endswith("\n") or len(whole) > longest
        yield json.dumps(record | {"log": whole}).encode() + b"\n" if is_whole else b"\n"
        if not is_whole:
            held[stream] = whole
    yield from (json.dumps({"log": whole}).encode() + b"\n" for whole in held.values())


def _record_of(line: bytes) -> dict[str, object]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def joined_objects(lines: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """Join the lines of JSON objects that programs print over several lines in a log of text.

    Such an object begins at the end of a line, and its other lines are indented or begin with a
    closing bracket. Other lines are yielded unchanged.

    Args:
        lines: The lines of the log.
        longest: The maximum number of bytes of an object. A longer one is not joined.

    """
    held = b""
    for line in lines:
        is_inside = bool(held) and line[:1] in (b" ", b"\t", b"}", b"]")
        is_inside &= len(held) + len(line) <= longest
        if held and not is_inside:
            yield _line(held)
            held = b""
        if is_inside or line.rstrip().endswith(b"{"):
            held += line
            if line.startswith(b"}"):
                yield _line(held)
                held = b""
        else:
            yield line
    if held:
        yield _line(held)


def rows_of_inserts(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Split SQL statements that insert several rows into lines, one for each row.

    `mysqldump` writes such statements, each on one line. Other lines are yielded unchanged.
    """
    for line in lines:
        begin = _INSERT.match(line)
        yield from (line,) if begin is None else _rows(line, begin.end() - 1)


def _rows(line: bytes, start: int) -> Iterator[bytes]:
    """Yield the rows in parentheses from an index of a line on, and what follows the last one."""
    depth, at = 0, start
    for token in _SQL.finditer(line, start):
        if token[0] == b"(":
            depth += 1
        elif token[0] == b")":
            depth -= 1
            if depth == 0:
                yield line[at : token.end()].lstrip(b", ") + b"\n"
                at = token.end()
    if line[at:].strip(b"; \r\n"):
        yield line[at:]


class _Splitter:
    """An incremental splitter of JSON text into its values."""

    def __init__(self, longest: int, path: Sequence[str]) -> None:
        self._longest = longest
        self._text = b""
        self._at = self._depth = 0
        """The position up to which the text is scanned, and the number of brackets open there."""
        self._beginning = b""
        """The first `longest` bytes of a longer value or text, until its end is found."""
        self._path = [
            _ANY if key == "*" else json.dumps(key, ensure_ascii=False).encode() for key in path
        ]
        self._entered = 0
        """The number of keys of the path whose objects are open at the current position."""
        self._key = b""
        """The last string, which is the key of the value if a bracket follows."""
        self._base: int | None = None if path else 0
        """The number of brackets open between values, or None outside the list of values."""
        self.has_list = not path
        """Whether the list has been found."""

    def split(self, data: bytes) -> Iterator[bytes]:
        """Process the next bytes, and yield each value that they complete as a line."""
        self._text += data
        start = 0
        for token in _TOKEN.finditer(self._text, self._at):
            if token[1] == b"":
                break  # the string is incomplete
            self._at = token.end()
            if token[1] is not None:
                self._key = token[0]
                if text := self._listed_text(self._text[start : token.start()]):
                    yield from _stray(self._text[start : token.start()])
                    yield _line(text)
                    start = self._at
                continue
            before, step = self._depth, 1 if token[0] in b"{[" else -1
            self._depth = max(before + step, 0)
            if self._base is None:
                self._look_for_list(token[0])
                start = self._at
            elif before <= self._base:
                yield from _stray(self._beginning or self._text[start : token.start()])
                self._beginning = b""
                start = token.start() if self._begins_value(token[0]) else self._at
            elif self._depth == self._base:
                yield _line(self._beginning or self._text[start : self._at])
                start, self._beginning = self._at, b""
        self._forget(start if self._base is not None else self._at)

    def rest(self) -> Iterator[bytes]:
        """Yield the text after the last complete value as a line, unless it is blank.

        Call this method after all bytes have been processed.
        """
        if self._base is not None:
            yield from _stray(self._beginning or self._text)

    def _listed_text(self, before: bytes) -> bytes | None:
        """Return the JSON in the last string if it is an element of a list of such texts, or None.

        `before` is the text between the value before and the string.
        """
        is_alone = self._depth == self._base and not self._beginning
        begins = before.strip(_BLANKS)[-1:] in (b"", b",", b"[")
        if not (is_alone and begins and b"{" in self._key):
            return None
        try:
            text = json.loads(self._key)
        except ValueError:
            return None
        return text.encode("utf-8", "surrogatepass") if text.lstrip().startswith("{") else None

    def _look_for_list(self, bracket: bytes) -> None:
        """Track the position in the path to the list of values, at an opening or closing bracket.

        `_depth` already includes the bracket.
        """
        if bracket in b"]}":
            self._entered = min(self._entered, max(self._depth - 1, 0))
        elif self._depth == self._entered + 2 and self._path[self._entered] in (_ANY, self._key):
            after = self._path[self._entered + 1 :][:1]
            is_last = not after
            if bracket == (b"[" if after in ([], [_ANY]) else b"{"):
                self._entered += 1
            if is_last and bracket == b"[":
                self._base, self.has_list = self._depth, True

    def _begins_value(self, bracket: bytes) -> bool:
        """Return whether a bracket between two values opens a value.

        Any other bracket opens or closes a list of values, and updates the state. With a path there
        is only one such list.
        """
        if bracket == b"{" or (self._path and bracket == b"["):
            return True
        if self._path:
            self._base, self._entered = None, self._entered - 1
        else:
            self._depth = 0
        return False

    def _forget(self, start: int) -> None:
        """Free the memory of the text before index `start`.

        Of a value or text that exceeds the maximum length, keep only the beginning.
        """
        most = self._longest if self._base is not None else HEAD  # keys of the path are shorter
        if self._beginning or len(self._text) - start > most:
            if self._base is not None:
                self._beginning = self._beginning or self._text[start : start + self._longest]
            self._text = _shortened(self._text[self._at :])
            start = self._at = 0
        self._text = self._text[start:]
        self._at -= start


def _shortened(text: bytes) -> bytes:
    """Return a text that ends within a string or outside strings, as `text` does.

    `text` has no brackets outside strings and no complete string.
    """
    if b'"' not in text:
        return b""
    backslashes = len(text) - len(text.rstrip(b"\\"))
    return b'"' + b"\\" * (backslashes % 2)


def _stray(text: bytes) -> Iterator[bytes]:
    text = text.strip(_BETWEEN)
    if text:
        yield _line(text)


def _line(value: bytes) -> bytes:
    """Return a value as a single line, with line breaks replaced by spaces."""
    return value.translate(_SPACES) + b"\n"
