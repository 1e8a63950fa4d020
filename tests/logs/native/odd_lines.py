"""Lines that are usual but for one thing: their bytes, their values, their times or their size."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import product
from random import Random
from typing import Any, Final, TypeAlias

_PIECES = (
    *(bytes([each]) for each in b'"\\{}[],: \x00\xff\n019-.tfe'),
    *b"null true NA exit WARM COLD ADA voice <id> 24 1e9 00 -0 Z +01:00 1.5".split(),
    *(rb"\u0000", rb"\ud800", rb"\u0041", rb"\n", b'"events":', b'"botId":"b",', b'"x":1,"x":2,'),
)

_ID = re.compile(rb"\bc-[0-9]+")
_ZONES = (
    b"+05:30",
    b"-03:45",
    b"+00:00",
    b"+24:00",
    b"+05:60",
    b".5Z",
    b".123Z",
    b".123456Z",
    b"z",
    b"",
)
_KEYS = (
    *(
        b'"x":1,"x":2,',
        b'"x":{"a":1,"a":2},',
        b'"x":[[],[{}],[1,[2.50]]],',
        b'"Events":1,',
        b'"Body":{},"Received_At":"x",',
        b'"body":{},',
        b'"NAME":0,',
    ),
    *(
        b'"x":null,"y":true,"z":false,',
        b'"x":[1,[2,"a"],{"b":0,"a":[]}],"a":1,',
        b'"x":-0,',
        b'"x":01,',
        b'"x":1e3,',
        b'"x":0.5,',
        b'"x":-,',
        b'"x":1.,',
        b'"x":.5,',
        b'"x":1234567890123456,',
        b'"conversationId":"w",',
        b'"botId":"w",',
    ),
    *(b'"x":123456789012345,', b'"x":nul,', b'"x":[1,],', b'"x": [ ] , "y": { } ,', b",", b'"x",'),
    *(b'"x":{,', b'"x":[,', b'"x":{1},', b'"x":{"a",', b'"x":{"a":,'),
)
_ENDS = (
    b',"x":[1',
    b',"x":{"a":1',
    b',"x":"a',
    b",",
    b"]",
    b"}",
    b' ,"x" : [ { } ] ',
    b',"x":[1,[2}]',
)
_TEXTS = (
    *(
        rb"a\b\f\n\r\t\/\\\"",
        rb"\u001f\u007f\u00e9\u20ac",
        b"<a>",
        b"",
        b"undefined",
        b"UNDEFINED",
        b"{{a}}",
        b"${a}",
        b":a",
        b"[object Object]",
        b"  ",
        b"\x1f",
        b"COLD",
        b"voice",
    ),
    *(rb"\ud83d\ude00", "é€😀".encode(), b"true", rb"\u0000", rb"\u00g0", b"agent ", b"24"),
    *(b"TRANSCRIPTION", b"Internal_Transfer_Event"),
)


def mutated(lines: list[bytes], chance: Random, count: int) -> Iterator[bytes]:
    """Yield many of the lines with a piece of them replaced, each of a conversation of its own."""
    for number in range(count):
        yield mutation(_ID.sub(b"u-%d" % number, chance.choice(lines)), chance)


def mutation(raw: bytes, chance: Random) -> bytes:
    """Return a line with a piece of it replaced."""
    at = chance.randrange(len(raw))
    return raw[:at] + chance.choice(_PIECES) + raw[at + chance.randrange(8) :]


def crafted(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines that are usual but for one thing, each of a conversation of its own."""
    changed = []
    for usual in lines:
        raw = usual
        if b'"delivery_id"' not in raw:
            raw = raw.replace(b'"body"', b'"delivery_id": "d-1", "body"', 1)
        changed.append(b" \t" + raw)
        for found in re.finditer(rb"{", raw):
            changed += [raw[: found.end()] + keys + raw[found.end() :] for keys in _KEYS]
        for found in re.finditer(rb'[][{}":,]', raw):
            changed.append(raw[: found.start()] + raw[found.end() :])
        for found in re.finditer(rb"[]}]", raw):
            changed += [raw[: found.start()] + end + raw[found.start() :] for end in _ENDS]
        changed += [re.sub(rb'Z"', zone + b'"', raw, count=1) for zone in _ZONES]
        for found in re.finditer(rb': "([^"]*)"', raw):
            changed += [raw[: found.start(1)] + text + raw[found.end(1) :] for text in _TEXTS]
    for number, raw in enumerate(changed):
        yield _ID.sub(b"v-%d" % number, raw)


_NONE: Final = object()
_LAST: Final = object()
"""Stand for the absence of a value, and for its key behind all others."""
Path: TypeAlias = tuple[Any, ...]

_AGENT: Final = {"identity": "ada", "name": "A", "type": "agent", "customFields": {"queueId": "q"}}
_TOLD: Final = {"isExtAD": False, "language": "en", "experience": "chat", "participant": _AGENT}
_JOIN: Final = {"name": "INTERNAL_TRANSFER_EVENT", "transfertype": "NA", "transition": "entry"}
_EXIT: Final = {**_JOIN, "transition": "exit", **_TOLD}
_END: Final = {"name": "END_OF_CONVERSATION", "reason": "agent_initiated", **_TOLD}
_MESSAGE: Final = {
    "query": "hi",
    "agentId": "ada",
    "experience": "chat",
    "author": {"type": "USER"},
    "source": "desk",
    "sendUserMessage": True,
    "sendAgentMessage": False,
    "language": "en",
}
_ACTION: Final = {"action": "start", "agentId": "ada", "handover": False}
_IDS: Final = {"conversationId": "c-0", "botId": "b"}
_BESIDE: Final = {"conversation_id": "c-0", "bot_id": "b"}
_LINES: Final[tuple[dict[str, Any], ...]] = (
    {"body": {**_IDS, "events": [{**_JOIN, **_TOLD}, _EXIT, _END]}},
    {**_BESIDE, "endpoint": "hooks", "body": {**_IDS, **_MESSAGE}},
    {**_BESIDE, "body": {"events": [{**_JOIN, **_TOLD}], "author": {"type": "AGENT"}}},
    {**_BESIDE, "body": {"events": [{**_JOIN, **_TOLD}, _EXIT]}},
    {**_BESIDE, "endpoint": "transcription", "body": _ACTION},
    {"body": {**_IDS, **_MESSAGE, "events": [{**_JOIN, **_TOLD}]}},
    {"asked_at": "2026-03-02T09:00:00Z", "body": {**_IDS, **_MESSAGE}},
)
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -7, 1.5, "", "x", "b", "other", "TRUE", "undefined", "<x>", "é", "a\n"),
    *([], {}, [1, [2, "a"], []], {"b": [1, {}], "a": '\n\u00e9"'}, [{}], "24", "NA", "COLD"),
)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield where the values in a value are."""
    if not isinstance(value, dict | list):
        return
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        yield from _paths(each, (*path, key))


def _changed(line: dict[str, Any], path: Path) -> Iterator[dict[str, Any]]:
    """Yield lines that have another value there, or none, or whose keys stand in another order."""
    *above, last = path

    def copy_of(value: Any) -> Any:
        copy = deepcopy(line)
        holder: Any = copy
        for key in above:
            holder = holder[key]
        if value is _NONE:
            del holder[last]
        else:
            holder[last] = holder.pop(last) if value is _LAST else value
        return copy

    return map(copy_of, (*_VALUES, _NONE, _LAST) if isinstance(last, str) else (*_VALUES, _NONE))


def restructured() -> Iterator[bytes]:
    """Yield lines with one of their values changed, each behind a line by which its agent joins."""
    join = {"body": {**_IDS, "events": [{**_JOIN, **_TOLD}]}}
    number = 0
    for line in _LINES:
        given = {"received_at": "2026-03-02T09:00:01Z", "delivery_id": "d-1", **line}
        for path in _paths(given):
            for changed in _changed(given, path):
                number += 1
                both = (join, changed) if "events" not in line["body"] else (changed,)
                for each in both:
                    yield _ID.sub(b"r-%d" % number, json.dumps(each).encode()) + b"\n"


def at_all_times() -> Iterator[bytes]:
    """Yield lines of many dates, also of such as no calendar has, and of odd hours."""
    years = (999, 1000, 1583, 1900, 1969, 1970, 2000, 2024, 2025, 2100, 9000, 9001)
    months, days = range(14), (0, 1, 28, 29, 30, 31, 32)
    dates = [f"{y:04}-{m:02}-{d:02}T09:30:15" for y, m, d in product(years, months, days)]
    hours = [f"2026-03-02T{hour}" for hour in ("24:00:00", "23:59:59", "00:60:00", "00:00:60")]
    zones = ("Z", "+00:00", "-05:30", "+23:59", "-23:59", "+24:00", "+01:60", "-00:01")
    zoned = [f"{hours[1]}{micros}{zone}" for micros in ("", ".001", ".000001") for zone in zones]
    for number, at in enumerate([*(f"{each}Z" for each in (*dates, *hours)), *zoned]):
        line = {"received_at": at, "body": {**_IDS, **_MESSAGE}}
        yield _ID.sub(b"t-%d" % number, json.dumps(line).encode()) + b"\n"


def _with_long_ids() -> Iterator[bytes]:
    for size in (255, 256, 65_535, 65_536, 70_000):
        line = {"delivery_id": "d" * size, "body": {**_IDS, **_MESSAGE}}
        raw = json.dumps(line).encode().replace(b"c-0", b"l-%d" % size) + b"\n"
        yield from (raw, raw)


def _with_more_behind() -> Iterator[bytes]:
    """Yield bodies with something behind: by themselves, in an envelope, and there as a text."""
    body = json.dumps({**_IDS, **_MESSAGE})
    for number, more in enumerate(("", " ", "x", ",", "}", "{}", ',"x":1}')):
        behind = body + more
        ways = (behind, f'{{"body": {behind}}}', json.dumps({"body": behind}))
        for way, raw in enumerate(ways):
            yield raw.encode().replace(b"c-0", b"j-%d-%d" % (number, way)) + b"\n"


def _with_two_mistakes() -> Iterator[bytes]:
    """Yield lines with two values that are not as they should be; the second one matters less."""
    wrong: tuple[dict[str, Any], ...] = ({"botId": "<b>"}, {"botId": ""}, {"conversationId": 1})
    for number, changed in enumerate(wrong):
        body = {**_IDS, **changed, "events": [{**_JOIN, **_TOLD}], "language": 5}
        yield json.dumps({"body": body}).encode().replace(b"c-0", b"w-%d" % number) + b"\n"


def of_many() -> Iterator[bytes]:
    """Yield lines that have as much of something as is usual, and a little more and less."""
    join = {**_JOIN, **_TOLD}

    def sent(events: list[Any], **envelope: Any) -> bytes:
        return json.dumps({**envelope, "body": {**_IDS, "events": events}}).encode() + b"\n"

    yield sent([join]).replace(b"c-0", b"m-0")
    for number in (15, 16, 17):
        ways = [{**join, "transfertype": "WARM", "transition": "exit"}] * 2 * number
        ways[::2] = [{**join, "transfertype": "WARM"}] * number
        for each in ways:
            each["participant"] = {**_AGENT, "identity": "ben"}
        yield sent([join, *ways][:number]).replace(b"c-0", b"m-%d" % number)
    for number in range(68):
        other = {**_AGENT, "identity": f"agent-{number}"}
        warm = {**join, "transfertype": "WARM" if number else "NA", "participant": other}
        yield sent([warm]).replace(b"c-0", b"m-1")
    for number in range(258):
        line = {"delivery_id": f"d-{number}", "body": {**_IDS, **_MESSAGE}}
        yield json.dumps(line).encode().replace(b"c-0", b"m-2") + b"\n"
    yield from _with_long_ids()
    yield from _with_more_behind()
    yield from _with_two_mistakes()
    message = json.dumps({"delivery_id": "d-1", "body": {**_IDS, **_MESSAGE}}).encode() + b"\n"
    for number in range(8, 15):
        nested = (b"[" * number + b"]" * number, b'{"a":' * number + b"1" + b"}" * number)
        keys = b",".join(b'"k%d":%d' % (key, key) for key in range(number + 12))
        for index, more in enumerate((*(b'"x":' + each for each in nested), keys)):
            raw = message.replace(b'{"conv', b"{" + more + b',"conv')
            yield raw.replace(b"c-0", b"n-%d-%d" % (number, index))


def of_bots_with_the_same_ids(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield lines of several bots that have conversations of the same ids."""
    for line in lines:
        for bot in (b"b", b"a", b"\xc3\xa9b", b"1:b", b"bc"):
            yield re.sub(rb"\bst-[a-z]+", bot, line)
