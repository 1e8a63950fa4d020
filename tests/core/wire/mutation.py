"""Bodies and lines with something odd in them: strategies, and a seeded source for long runs."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

from hypothesis import strategies as st
from tests.core.wire.samples import ACTIONS, BODIES

TOKENS: Final = (
    *("null", "true", "0", "1.50", "-0", "1e999", "NaN", "-Infinity", "9" * 4_301, "[]", "{}"),
    *('""', '"a"', '"null"', '"<x>"', '"a:b"', '"COLD"', '"exit"', '"VOICE"', '"true"', '"İ"'),
    *('"\\u0000"', '"\\ud800"', '"\\u003a"', '"\\u003c>"', '"\\\\u003a"', "[[[[[[1]]]]]]"),
    *(",", ":", "{", "}", "[", "]", '"', "\\", " ", "\t", "\ufeff", "\x00", "é", "\U0001f600"),
    *('"x":1,', '"n":{"a":1,"a":2},', '"botId":"b",', '"name":"z",', '"body":1,', '"query":"q",'),
    *('"events":[],', '"identity":"a",', '"customFields":null,', '"a:b" : {},', '"\\u0061":1,'),
)
"""What is thrown into a text."""

_KEY: Final = re.compile(r'"[^"]*"\s*:')
_VALUE: Final = re.compile(r'("[^"]*"|true|false|null)(?=\s*[,}\]])')
_TIME: Final = "2026-03-02T09:14:07.123Z"
_ENVELOPE: Final[dict[str, tuple[Any, ...]]] = {
    "received_at": (_TIME, _TIME, _TIME, "2026-03-02", None, "x", 5),
    "delivery_id": ("d-1", "d-1", "d-1", "d-1", None, 3),
    "endpoint": ("hooks", "hooks", "hooks", None, "transcription", "calls"),
    "bot_id": ("st-1", "st-1", "st-1", None, "", "st-2", "<b>"),
    "conversation_id": ("c-1", "c-1", "c-1", None, "", "null", 1),
}


def odd_line(random: Random) -> bytes:
    """Return a line of a log, with few or no odd things in it."""
    inner = json.dumps(random.choice((*BODIES, *ACTIONS)))
    if random.random() < 0.4:
        return mutated(random, inner)
    envelope = {
        key: random.choice(values) for key, values in _ENVELOPE.items() if random.random() < 0.6
    }
    if random.random() < 0.3:
        return mutated(random, json.dumps(envelope | {"body": inner}))
    text = json.dumps(envelope | {"body": 0})
    return mutated(random, text.replace('"body": 0', '"body": ' + inner))


def mutated(random: Random, text: str) -> bytes:
    """Return a text after some changes, often none."""
    for _ in range(random.choice((0, 0, 1, 1, 1, 2))):
        text = _changed(random, text)
    raw = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.05:
        at = random.randrange(len(raw) + 1)
        raw = raw[:at] + bytes([random.randrange(256)]) + raw[at + 1 :]
    return raw


def _changed(random: Random, text: str) -> str:
    at = random.randrange(len(text) + 1)
    token = random.choice(TOKENS)
    match random.randrange(6):
        case 0:
            return text[:at] + token + text[at:]
        case 1:
            return text[:at] + text[at + random.randrange(1, 6) :]
        case 2 | 3:
            return _beside_a_key(random, text, token)
        case _:
            return _instead_of_a_value(random, text, token)


def _beside_a_key(random: Random, text: str, token: str) -> str:
    keys = list(_KEY.finditer(text))
    if not keys:
        return text + token
    key = random.choice(keys)
    added = random.choice((token, key.group() + "1,", key.group() + ' {"a":[]},'))
    return text[: key.start()] + added + text[key.start() :]


def _instead_of_a_value(random: Random, text: str, token: str) -> str:
    values = list(_VALUE.finditer(text))
    if not values:
        return token
    value = random.choice(values)
    return text[: value.start()] + token + text[value.end() :]


odd_lines: Final = st.randoms(use_true_random=False).map(odd_line)

_keys = st.text(max_size=5) | st.sampled_from(
    sorted(
        {key for value in (*BODIES, *ACTIONS) for key in re.findall(r'"(\w+)":', json.dumps(value))}
    )
)

json_values: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(("NA", "exit", "agent", "chat", "true", "undefined", "<a>")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=5),
    max_leaves=20,
)
