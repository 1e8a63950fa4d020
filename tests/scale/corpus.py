"""The equality corpus: logs that every engine must read alike, whatever it does to them.

Every rule is offended, conversations cross from file to file, and lines are what has brought
engines apart before: broken, blank, ended in three ways, told in another order than their times.
The same bytes come out on every machine.

`write` makes the files, to be read in this order as one story; `write_hot` makes one conversation
of 400,000 events, for tests marked slow; `write_overlong` a line that nobody may hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.logs.story import action, body, enveloped, lines

from segue.analysis.simulate import generate
from segue.logs.sources import LONGEST_LINE

__all__ = ["LATE", "TIE", "write", "write_hot", "write_overlong"]

TIE: Final = "tie"
"""A conversation whose handover has one time for the exit and the entry."""

LATE: Final = "late"
"""A conversation with an event after its end, in another file."""

_NINE: Final = "2026-03-02T09:00:00Z"
_FILES: Final = ("1-morning.jsonl", "2-noon.jsonl", "3-evening.jsonl", "4-night.jsonl")

_ODD_IDS: Final[tuple[Any, ...]] = (
    *(
        "",
        " ",
        "C-00001",
        "c-00001 ",
        "\x00",
        "\x1f",
        "\x7f",
        "\x85",
        "\u2028",
        "\u00e9",
        "e\u0301",
    ),
    *("\ud800", "\U0001f4de", "null", "None", "0", "-0", "1e3", "a\nb", "a\rb", 'a"b', "a\\b"),
    *("x" * 255, "x" * 256, "x" * 257),
    *(0, 1, 1.0, 1.5, 1e3, -1, 10**30, True, None, [], ["c"], {}, {"id": 1}),
)
"""Values of `conversationId`: some are ids, and no two of those are the same."""


def write(folder: Path) -> list[Path]:
    """Write the corpus into a folder and return its files in their order."""
    morning, noon, evening, night = (folder / name for name in _FILES)
    told = list(_interleaved())
    third = len(told) // 3
    first = [
        *_tie(),
        *told[:third],
        *_odd(1),
        *lines("NA entry a-1", "NA exit a-1", "END", conversation=LATE),
    ]
    second = [*told[third : 2 * third], *_odd(2)]
    last = [*told[2 * third :], *_late(told)]
    morning.write_bytes(_damaged(_raw(first)))
    noon.write_bytes(b"\n".join(_raw(second)))  # the last line has no newline
    evening.write_bytes(b"\r\n".join([*_raw(last), b""]))
    night.write_bytes(b"")
    return [morning, noon, evening, night]


def write_hot(path: Path, events: int = 400_000) -> Path:
    """Write a log of one endless conversation among some others."""
    said = [
        {"received_at": _NINE, "body": body(text, conversation="hot")}
        for text in ("user message", "WARM entry a-2", "user message", "WARM exit a-2")
    ]
    turn = b"".join(_ended(_raw(said)))
    others = _raw(json.loads(each.text) for each in generate(3, conversations=40, rules=["SG2"]))
    with path.open("wb") as out:
        out.writelines(_ended(_raw([enveloped("NA entry a-1", conversation="hot")])))
        for number in range(events // len(said)):
            out.write(turn)
            if number % 1_000 == 0:
                out.writelines(_ended(islice(others, 10)))
        out.writelines(_ended(others))
        out.writelines(_ended(_raw(lines("NA exit a-1", "summary", "END", conversation="hot"))))
    return path


def write_overlong(path: Path) -> Path:
    """Write a log with one line that is too long, in the middle of a conversation."""
    before, after = lines("NA entry a-1", "NA exit a-1"), lines("summary", "END")
    with path.open("wb") as out:
        out.writelines(_ended(_raw(before)))
        out.write(b'{"conversationId": "c-1", "query": "' + b"x" * LONGEST_LINE + b'"}\n')
        out.writelines(_ended(_raw(after)))
    return path


def _interleaved() -> Iterator[dict[str, Any] | bytes]:
    """Two generated logs in turns: with envelopes and delivery ids, and without."""
    first = [
        each.text
        for each in generate(
            1,
            conversations=180,
            mistakes=0.7,
            open_at_once=25,
            messages=1,
            delivery_ids=True,
            calls=True,
        )
    ]
    second = [
        each.text.replace('"c-0', '"bare-0')
        for each in generate(2, conversations=90, mistakes=0.4, open_at_once=60, envelopes=False)
    ]
    chance = Random(5)
    while first or second:
        which = chance.choice([log for log in (first, second) if log])
        yield which.pop(0).encode()


def _tie() -> list[dict[str, Any]]:
    texts = ("NA entry a-1", "COLD exit a-1", "COLD entry a-2", "NA exit a-2", "summary", "END")
    return [enveloped(text, conversation=TIE, received_at=_NINE) for text in texts]


def _odd(turn: int) -> Iterator[dict[str, Any] | bytes]:
    """What is at the border of being a line, a body, an id; every turn goes on with the same."""
    text = "NA entry a-1" if turn == 1 else "NA exit a-1"
    for identity in _ODD_IDS:
        yield body(text) | {"conversationId": identity}
        yield {"conversation_id": identity, "body": {**body(text), "conversationId": None}}
        yield action("start a-1" if turn == 1 else "end a-1", identity)
    said = json.dumps(body(text, conversation="twice")).encode()
    yield said.replace(b"{", b'{"conversationId": "once", ', 1)
    yield json.dumps({"body": said.decode(), "received_at": _NINE}).encode()
    yield from (
        b"{",
        b"[]",
        b"null",
        b"5",
        b'"c-1"',
        b"\xef\xbb\xbf{}",
        b"{}\x00",
        b"\xff\xfe{\x00",
    )
    yield said.replace(b"twice", b"bad \xff bytes")
    yield b'{"conversationId": "cut", "botId": "b-1", "events": [{"name"'


def _late(told: list[dict[str, Any] | bytes]) -> Iterator[dict[str, Any] | bytes]:
    """What comes after the end: an event, a repeated END, an action, and deliveries again."""
    yield from lines("user message", "END", conversation=LATE)
    ends = [each for each in told if isinstance(each, bytes) and b"END_OF_CONVERSATION" in each]
    for number, line in enumerate(ends):
        if number % 5 == 0:
            yield line  # the same delivery once more, known by its id or not
        if number % 7 == 0 and b'"delivery_id"' in line:
            yield line.replace(b'"reason": "', b'"reason": "other, ')
        if number % 11 == 0 and b'"bare-0' in line:
            name = "bare-0" + line.partition(b'"bare-0')[2].partition(b'"')[0].decode()
            yield from lines("NA entry a-1", "summary", conversation=name)
            yield action("start a-1", name)
            yield action("end a-1", name)


def _raw(values: Iterable[dict[str, Any] | bytes]) -> Iterator[bytes]:
    for value in values:
        yield value if isinstance(value, bytes) else json.dumps(value).encode()


def _ended(raw: Iterable[bytes]) -> Iterator[bytes]:
    return (line + b"\n" for line in raw)


def _damaged(raw: Iterable[bytes]) -> bytes:
    """Lines ended in several ways, with blank ones between them."""
    parts: list[bytes] = []
    for number, line in enumerate(raw):
        if number % 13 == 0 and line.startswith(b'{"') and b'": ' in line:
            line = line.replace(b'": ', b'":\r', 1)  # noqa: PLW2901 - a lone CR is white space
        parts += [line, b"\r\n" if number % 7 == 0 else b"\n"]
        if number % 50 == 0:
            parts.append((b"\n", b"\r\n", b"  \t\n", b"\r\r\n")[number // 50 % 4])
    return b"".join(parts)
