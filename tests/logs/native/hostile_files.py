"""Files that nobody would call a log."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

_EVENT: Final = (
    b'{"name":"INTERNAL_TRANSFER_EVENT","transfertype":"NA","transition":"entry","isExtAD":false,'
    b'"language":"en","experience":"chat","participant":{"identity":"ada","name":%b,'
    b'"type":"agent"},"extra":%b}'
)
_NUMBERS: Final = (
    *(b"1" * 400, b"1e400", b"-0", b"-0.0", b"1." + b"0" * 400, b"01", b"-", b"0x1", b"NaN"),
    *(b"Infinity", b"9" * 5000, b"1E5", b"123456789012345", b"1234567890123456"),
)
_TEXTS: Final = (
    *(rb"\ud800", rb"\udc00\ud800", b"\xed\xa0\x80", rb"\ud83d\ude00", b"\x7f", b"\x1f", b"\0"),
    *(rb"\u0000", rb"\x", rb"\u00", rb"\u0041", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8"),
)
_TIMES: Final = (
    *("2026-02-29T00:00:00Z", "2026-03-02T24:00:00Z", "2026-03-02T09:00:00+24:00"),
    *("9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59", "2026-03-02T09:00:60Z"),
    *("2026-03-02t09:00:00z", "2026-03-02T09:00:00.1234567Z"),
)
_LEVELS: Final = (10, 11, 12, 13, 14, 100, 1_000, 100_000)
_NESTINGS: Final = ((b"[", b"]"), (b'{"a":', b"}"))


def line(name: bytes = b"A", extra: bytes = b"1") -> bytes:
    """Return a body without a newline; a name and a value of it are as they are given."""
    event = _EVENT % (b'"' + name + b'"', extra)
    return b'{"conversationId":"c","botId":"b","events":[' + event + b"]}"


def _deep(good: bytes, chance: Random) -> bytes:
    levels, (begin, end) = chance.choice(_LEVELS), chance.choice(_NESTINGS)
    return good + line(extra=begin * levels + b"1" + end * levels) + b"\n" + good


def _flipped(good: bytes, chance: Random) -> bytes:
    raw = bytearray(good)
    for _ in range(chance.randrange(1, 60)):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


def _many_keys(good: bytes, chance: Random) -> bytes:
    keys = b"".join(b'"k%d":1,' % key for key in range(chance.choice((23, 24, 25, 3_000))))
    return good + b"{" + keys + line()[1:] + b"\n"


def _odd_envelopes(good: bytes, chance: Random) -> bytes:
    time, size = chance.choice(_TIMES).encode(), chance.choice((1, 255, 256, 257, 70_000))
    envelope = b'{"received_at":"%b","delivery_id":"%b","body":%b}\n'
    return good + envelope % (time, b"x" * size, line()) * 3


def _repeated(good: bytes, chance: Random) -> bytes:
    lines = good.splitlines(keepends=True)
    index = chance.randrange(len(lines))
    return b"".join([*lines[:index], lines[index] * chance.randrange(2, 400), *lines[index:]])


def _shuffled(good: bytes, chance: Random) -> bytes:
    lines = good.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines)


HOSTILE_FILES: Final[dict[str, Callable[[bytes, Random], bytes]]] = {
    "junk behind lines": lambda good, chance: good + chance.randbytes(20_000),
    "junk": lambda _, chance: chance.randbytes(chance.randrange(1, 200_000)),
    "no newline": lambda good, _: good.replace(b"\n", b""),
    "an endless line": lambda good, chance: good + b'{"a":"' + b"x" * chance.randrange(1 << 22),
    "NUL": lambda good, chance: good.replace(b"e", b"\0", chance.randrange(40)),
    "odd texts": lambda good, chance: good + line(name=chance.choice(_TEXTS)) + b"\n" + good,
    "odd numbers": lambda good, chance: good + line(extra=chance.choice(_NUMBERS)) + b"\n",
    "deep": _deep,
    "CRLF": lambda good, chance: b"\n" * chance.randrange(999) + good.replace(b"\n", b"\r\n"),
    "CR": lambda good, _: good.replace(b"\n", b"\r") + good,
    "byte order marks": lambda good, _: b"\xef\xbb\xbf" + good + b"\xef\xbb\xbf" + good,
    "UTF-16": lambda good, _: good.decode().encode("utf-16"),
    "flipped bytes": _flipped,
    "cut off": lambda good, chance: good + line()[: -chance.randrange(1, 80)],
    "shuffled": _shuffled,
    "blanks": lambda good, chance: good + b" " * chance.randrange(1 << 20) + b"\n\t\x0b\n" + good,
    "many keys": _many_keys,
    "odd envelopes": _odd_envelopes,
    "repeated": _repeated,
}
"""Each makes a file of the lines of a log."""
