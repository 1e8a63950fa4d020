"""Bytes, text and mappings are read alike, and no key that comes twice gets through."""

from __future__ import annotations

import json
import os
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.core.wire.mutation import json_values, odd_line, odd_lines
from tests.core.wire.samples import (
    ACTIONS,
    BODIES,
    body,
    end,
    flaws,
    message,
    participant,
    read_action,
    read_hook,
    reason,
    summary,
    text,
    transfer,
)
from tests.families import family

from segue.core.events import Delivery
from segue.core.wire import BodyLimits, read_body, read_line

CONTEXTS: tuple[dict[str, Any], ...] = (
    {},
    {"conversation_id": "c-1", "bot_id": "st-1", "delivery_id": "d-1", "line": 3},
    {"conversation_id": "c-2", "bot_id": "st-2"},
    {"conversation_id": "<c>", "bot_id": "null"},
    {"conversation_id": "", "bot_id": ""},
)


def same(one: Delivery, other: Delivery) -> bool:
    """Whether two deliveries are the same to the last digit and type."""
    return one == other and json.dumps(one.body) == json.dumps(other.body)


def agree(raw: bytes) -> int:
    """Hold the forms of a text against each other, and return how many had no flaw.

    A blank before a text, and a mapping that is not a dict, are never taken at first sight.
    """
    found = [read_line(raw)]
    assert same(found[0], read_line(b" " + raw))
    assert same(found[0], read_line(bytearray(raw)))
    for known in CONTEXTS:
        for read in (read_hook, read_action):
            found.append(read(raw, **known))
            blank = read(b"\n" + raw, **known)
            if found[-1].body is None:  # then every byte counts
                blank.known_fingerprint = found[-1].known_fingerprint
            assert same(found[-1], blank)
    try:
        whole = raw.decode()
        value = json.loads(whole)
    except (ValueError, RecursionError):
        return 0
    assert same(found[0], read_line(whole))
    if isinstance(value, dict) and found[0].body is not None:
        assert same(found[0], read_line(value))
        assert same(found[0], read_line(MappingProxyType(value)))
        assert same(found[1], read_hook(value)) or found[1].body is None
    return sum(flaws(each) == [] for each in found)


@given(odd_lines)
def test_a_line_is_read_alike_in_every_form(raw: bytes) -> None:
    """Law: bytes, text and mapping give equal deliveries, at first sight or not."""
    agree(raw)


@given(json_values, json_values)
def test_extra_fields_are_no_flaw_in_any_form(value: Any, other: Any) -> None:
    """Law: whatever JSON stands in extra fields, the forms agree and there is no flaw."""
    agree(text(body(transfer(extra=value, participant=participant(x=other)), more=other)))
    delivery = read_hook(text(body(transfer(extra=value), more=other)))

    surrogate = "\\ud" in json.dumps([value, other])
    assert surrogate or "\\u0000" in json.dumps([value, other]) or flaws(delivery) == []


def test_enough_lines_are_flawless_to_be_tested() -> None:
    random = Random(1)

    answers = [agree(odd_line(random)) for _ in range(500)]

    assert sum(count > 0 for count in answers) > 100


@pytest.mark.slow
@pytest.mark.skipif("SEGUE_LONG" not in os.environ, reason="takes minutes; set SEGUE_LONG=1")
def test_a_million_lines_are_read_alike_in_every_form() -> None:
    random = Random(7)

    assert sum(agree(odd_line(random)) > 0 for _ in range(1_000_000)) > 20_000


@pytest.mark.parametrize("value", BODIES)
def test_what_is_usual_has_no_flaw(value: dict[str, Any]) -> None:
    for line in (value, {"body": value}, {"body": json.dumps(value)}):
        assert agree(text(line))
        assert flaws(read_line(text(line))) == []
        assert read_line(text(line)).body == value


@pytest.mark.parametrize("value", ACTIONS)
def test_a_usual_action_has_no_flaw(value: dict[str, Any]) -> None:
    about = {"endpoint": "transcription", "conversation_id": "c", "bot_id": "b"}

    for inner in (value, json.dumps(value)):
        assert agree(text(about | {"body": inner}))
        assert read_line(text(about | {"body": inner})).body == value


# Keys that come twice.

DEEP = (
    transfer(
        "redial", participant=participant(customFields={"queueId": "q", "x": {"y": {"z": 1}}})
    ),
    summary(participant=participant()),
    end(x=[{"a": 1}, [{"b": 2}]]),
)
WHOLE = text({"received_at": "2026-03-02T09:14:07Z", "body": message(query="a: b", events=DEEP)})


def key_places(raw: bytes) -> list[tuple[int, bytes]]:
    """Return where keys begin in a text without quotes inside strings, and the keys."""
    places = []
    parts = raw.split(b'"')
    position = 0
    for index, part in enumerate(parts):
        if index % 2 and parts[index + 1].lstrip().startswith(b":"):
            places.append((position - 1, part))
        position += len(part) + 1
    return places


SPELLINGS = (
    lambda key: b'"%s":' % key,
    lambda key: b'"%s" :' % key,
    lambda key: b'"%s"\n\t :' % key,
    lambda key: b'"\\u%04x%s":' % (key[0], key[1:]),
)
VALUES = (b"null", b'"a"', b'"a:b"', b'"\\u003a"', b'":"', b'"\\":"', b"{}", b'{"a":1}', b"[{}]")


@family("spelling", SPELLINGS, ids=("plain", "blank", "blanks", "escaped"))
@family("value", VALUES)
def test_a_key_twice_is_found_wherever_it_is(spelling: Any, value: bytes) -> None:
    places = key_places(WHOLE)

    assert len(places) > 40
    for at, key in places:
        raw = WHOLE[:at] + spelling(key) + value + b"," + WHOLE[at:]
        assert read_line(raw).flaws[0].facts == {"reason": "a key twice"}
        assert read_line(raw).body is None


@given(
    at=st.integers(0, 10**6),
    value=json_values,
    other=st.sampled_from(("", ":", "a:b", "::", '":', "\\u003a", "&#58;", "\u02d0")),
)
def test_no_string_makes_up_for_a_lost_key(at: int, value: Any, other: str) -> None:
    """Law: a key twice is found whatever else is in the text, colons in strings above all."""
    whole = text(body(transfer(x=other), message=other, y=[other, {"z": other}]))
    places = key_places(whole.replace(b'\\"', b"**"))
    place, key = places[at % len(places)]
    raw = whole[:place] + b'"%s":%s,' % (key, text(value)) + whole[place:]

    assert reason(read_hook(raw)) is not None


@pytest.mark.parametrize(
    "raw",
    [
        # As many colons as keys and colons in strings, because an escape hides one.
        b'{"received_at":"2026-03-02T09\\u003a14:07Z","x":1,"x":2,"body":%s}',
        b'{"received_at":"2026-03-02T09:14:07Z","x":"\\u003a","x":"\\u003A","body":%s}',
        b'{"x\\u003a":1,"y":2,"y":3,"body":%s}',
        # A time that is no time cannot lend its colons.
        b'{"received_at":"::::","received_at":"2026-03-02T09:14:07Z","body":%s}',
    ],
)
def test_an_escaped_colon_hides_no_key(raw: bytes) -> None:
    line = raw % text(body(transfer()))

    assert reason(read_line(line)) == "a key twice"


def test_an_escaped_colon_alone_is_no_flaw() -> None:
    raw = text(body(transfer(x="a:b"))).replace(b"a:b", b"a\\u003ab")

    assert read_hook(raw) == read_hook(text(body(transfer(x="a:b"))))


def test_an_escaped_bracket_hides_no_placeholder() -> None:
    raw = text(body(transfer(), conversationId="?id>")).replace(b"?id", b"\\u003cid")

    assert flaws(read_hook(raw)) == [("SG512", "/conversationId")]
    assert flaws(read_line(b'{"body":%s}' % raw)) == [("SG512", "/conversationId")]


def test_keys_may_have_colons_and_blanks_about_them() -> None:
    raw = b'{"a:b" : {"":1} ,' + text(body(transfer())).replace(b": ", b"\t:\r\n")[1:]

    assert flaws(read_hook(raw)) == []


# What is read at once and what nearly is.

TIME = "2026-03-02T09:14:07.123Z"
CUSTOM = {"queueId": "q", "queueName": None}
ACT = {"endpoint": "transcription", "conversation_id": "c-1", "bot_id": "st-1", "body": ACTIONS[0]}

USUAL: tuple[dict[str, Any], ...] = (
    {"received_at": "2026-03-02T09:14:07.123+00:00", "body": body(transfer("COLD", "exit"))},
    {"received_at": TIME, "body": body(transfer(participant=participant(customFields=CUSTOM)))},
    {"received_at": TIME, "body": body(transfer(participant=participant(customFields={})))},
    {"received_at": TIME, "body": message(query="at 10:30: now")},
    {"received_at": TIME, "body": message(query="", author={"type": "agent"})},
    {"received_at": TIME, "body": message(query='say "hi"')},
    {"received_at": TIME, "body": body(summary())},
    {"received_at": TIME, "endpoint": "hooks", "body": body(end())},
    {"received_at": TIME, "bot_id": "st-1", "body": body(transfer())},
    {"received_at": TIME, **ACT},
    {"received_at": TIME, **ACT, "body": {**ACTIONS[0], "action": "pause", "handover": False}},
    {"received_at": TIME, **ACT, "conversation_id": "urn:c:1", "bot_id": "st:1"},
    {"received_at": TIME, **ACT, "body": {**ACTIONS[0], "agentId": "sip:ann"}},
    {"received_at": TIME, "delivery_id": "d:1", **ACT},
    {"received_at": TIME, "delivery_id": "d-1", "body": body(transfer())},
    {"received_at": TIME, "delivery_id": "d:1", "body": message(query="a:b")},
    {"received_at": TIME, "delivery_id": "", "body": body(summary())},
    {"received_at": TIME, "delivery_id": "d-1", **ACT},
    {"received_at": TIME, "delivery_id": "d:1", "body": json.dumps(body(end()))},
    {"received_at": TIME, "bot_id": None, "conversation_id": None, "body": body(end())},
    {
        "received_at": TIME,
        "delivery_id": "d-1",
        "endpoint": "hooks",
        "conversation_id": "c-1",
        "bot_id": "st-1",
        "body": body(transfer()),
    },
    {"received_at": TIME, "body": body(transfer(), conversationId="urn:c:1", botId="st:1")},
    {"received_at": TIME, "body": message(agentId="sip:ann", query="ä\u007f\u2028\U0001f600/")},
    body(transfer()),
    message(query="a:b"),
)

ENVELOPES: tuple[dict[str, Any], ...] = (
    {"endpoint": "transcription"},
    {"bot_id": "st-2"},
    {"conversationId": "c-2"},
    {"events": []},
    {"delivery_id": "d-1", "x": "y"},
    {"delivery_id": 7},
    {"conversation_id": "urn:c:1"},
    {"received_at": "2026-03-02T09:14:07"},
    {"received_at": "0001-03-02T09:14:07Z"},
    {"received_at": "9999-03-02T09:14:07Z"},
    {"received_at": "noon"},
)
ACTION_ENVELOPES: tuple[dict[str, Any], ...] = (
    {"events": []},
    {"conversationId": "c-2"},
    {"delivery_id": 7},
    {"conversation_id": "null"},
    {"bot_id": "undefined"},
    {"conversation_id": ""},
    {"endpoint": "hooks"},
    {"body": {**ACTIONS[0], "agentId": "None"}},
    {"body": {**ACTIONS[0], "agentId": ""}},
    {"body": {**ACTIONS[0], "handover": True}},
    {"body": {**ACTIONS[0], "action": "pause"}},
    {"body": {**ACTIONS[0], "action": "pause", "handover": "true"}},
    {"body": {**ACTIONS[0], "x": 1}},
)
INSIDES: tuple[dict[str, Any], ...] = (
    body(transfer(), author={"type": "USER"}),
    body(transfer(), query="hello"),
    body(transfer(), query=None),
    body(summary(participant=participant())),
    body(summary(experience="chat")),
    body(summary(experience="chat", participant=participant(identity="null"))),
    body(transfer(), transfer()),
    body(transfer(participant=participant(identity="null"))),
    body(transfer(), conversationId="null"),
    body(transfer(), botId=""),
    message(agentId="undefined"),
    message(source=None),
    message(x="y"),
    message(query="<b>"),
    message(query="\\u0000"),
    message(query="\ud800"),
)
WITHIN: tuple[dict[str, Any], ...] = (
    {"body": "x"},
    {"body": {}},
    {"body": {"query": "x", "x": [1.0]}},
    {"received_at": "noon"},
    {"delivery_id": "d-2"},
    {"endpoint": "transcription"},
    {"conversation_id": "c-2", "bot_id": "st-2"},
)
"""What means something in an envelope only."""
NEARLY = (
    *({"received_at": TIME, "body": body(transfer()), **more} for more in ENVELOPES),
    *({"received_at": TIME, "body": message(), **more} for more in ENVELOPES),
    *({"received_at": TIME, **ACT, **more} for more in ACTION_ENVELOPES),
    *({"received_at": TIME, "body": inside} for inside in INSIDES),
    *({"received_at": TIME, "body": json.dumps(body(transfer())), **more} for more in ENVELOPES),
    *({"received_at": TIME, "body": json.dumps(inside)} for inside in INSIDES),
    {"received_at": None, "body": json.dumps(body(transfer()))},
    {"conversation_id": "c-1", "body": json.dumps(body(transfer()))},
    {"delivery_id": "d-1", "bot_id": "st-1", "body": json.dumps(body(transfer()))},
    *(
        {"received_at": TIME, "delivery_id": "d-1", "body": json.dumps(inside | more)}
        for inside in (body(transfer()), message(), *INSIDES)
        for more in WITHIN
    ),
)


@pytest.mark.parametrize("line", USUAL)
def test_the_usual_is_read_alike_in_every_form(line: dict[str, Any]) -> None:
    assert agree(text(line))
    assert flaws(read_line(text(line))) == []


@family("line", NEARLY)
def test_the_nearly_usual_is_read_alike_in_every_form(line: dict[str, Any]) -> None:
    agree(text(line))


def test_a_mapping_is_copied() -> None:
    inner = body(transfer(extra=[{"a": [1]}]))
    line = {"body": inner}

    delivery = read_line(line)
    inner["events"][0]["extra"][0]["a"].append(2)
    inner["events"][0]["participant"]["identity"] = "a-9"

    assert delivery.events[0].value["extra"] == [{"a": [1]}]
    assert delivery.events[0].participant["identity"] == "a-1"


def test_low_limits_are_minded() -> None:
    raw = text(body(transfer()))

    assert reason(read_hook(raw, limits=BodyLimits(max_depth=3))) == "nested deeper than 3"
    assert reason(read_hook(raw, limits=BodyLimits(max_depth=4))) is None
    assert reason(read_hook(raw, limits=BodyLimits(max_bytes=len(raw)))) is None
    assert reason(read_hook(raw, limits=BodyLimits(max_bytes=len(raw) - 1))) is not None
    assert reason(read_hook(raw.decode(), limits=BodyLimits(max_bytes=len(raw)))) is None
    assert reason(read_hook(raw + b",", limits=BodyLimits(max_bytes=len(raw) + 1))) == "not JSON"


def test_a_mapping_deeper_than_the_limit_is_unreadable() -> None:
    body: dict[str, Any] = {}
    for _ in range(80):
        body = {"a": body}

    (flaw,) = read_body(body).flaws
    assert (flaw.code, flaw.facts["reason"]) == ("SG501", "nested deeper than 64")
