"""The two paths agree, and no key that comes twice gets through either."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.mutation import json_values, odd_line, odd_lines
from tests.wire.samples import (
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

from segue.events import Delivery, fingerprint
from segue.wire import ACTION, BODY, LIMITS, LINE, Limits, careful, read_iso_time, read_line
from segue.wire.context import DeliveryContext
from segue.wire.envelope import careful_line
from segue.wire.fast import _decoder, _fingerprinter, fast_decode
from segue.wire.line import decoders, glance
from segue.wire.quick import quick_action, quick_body, quick_record
from segue.wire.usual import Decode, as_delivery, usual, usual_text

GIVENS = (
    DeliveryContext(),
    DeliveryContext("c-1", "st-1", "d-1", None, 3),
    DeliveryContext("c-2", "st-2"),
    DeliveryContext("<c>", "null"),
    DeliveryContext("", ""),
)


def quick_line(raw: bytes) -> Delivery | None:
    try:
        record = LINE.validator.validate_json(raw)
    except ValueError:
        return None
    return quick_record(raw, record, read_iso_time, 3)


def usual_line(raw: bytes, decode: Decode) -> Delivery | None:
    try:
        record = decode(raw)
    except ValueError:
        return None
    is_whole = decode is not fast_decode
    if isinstance(record.get("body"), str):
        read = usual_text(raw, record, decode, is_whole=is_whole)
    else:
        read = usual(raw, record, record.get("body"), is_whole=is_whole)
    if read is None:
        return None
    delivery = as_delivery(read, 3)
    assert read[8] == ("" if delivery.delivery_id is None else fingerprint(delivery.body))
    return delivery


def same(one: Delivery, other: Delivery) -> bool:
    """Whether two deliveries are the same to the last digit and type."""
    return one == other and json.dumps(one.body, sort_keys=True) == json.dumps(
        other.body, sort_keys=True
    )


def agree(raw: bytes) -> int:
    """Hold the paths against each other, and return how often the fast one answered."""
    slow = careful_line(raw, read_iso_time, 3, LIMITS)
    assert same(read_line(raw, line=3), slow)
    pairs = [(quick_line(raw), slow), *((usual_line(raw, decode), slow) for decode in decoders)]
    for known in GIVENS:
        pairs.append((quick_body(raw, known), careful.hook(raw, known, LIMITS)))
        pairs.append((quick_action(raw, known), careful.control(raw, known, LIMITS)))
    answers = [(fast, slow) for fast, slow in pairs if fast is not None]
    for fast, reference in answers:
        assert flaws(reference) == []
        assert same(fast, reference)
    return len(answers)


@given(odd_lines)
def test_what_the_fast_path_accepts_the_careful_path_reads_alike(raw: bytes) -> None:
    """Law: whenever the fast path answers, the careful path finds no flaw and an equal delivery."""
    agree(raw)


@given(json_values, json_values)
def test_extra_fields_are_read_alike_on_both_paths(value: Any, other: Any) -> None:
    """Law: whatever JSON stands in extra fields, the paths agree and there is no flaw."""
    agree(text(body(transfer(extra=value, participant=participant(x=other)), more=other)))
    delivery = read_hook(text(body(transfer(extra=value), more=other)))

    surrogate = "\\ud" in json.dumps([value, other])
    assert surrogate or "\\u0000" in json.dumps([value, other]) or flaws(delivery) == []


def test_the_fast_path_answers_often_enough_to_be_tested() -> None:
    random = Random(1)

    answers = [agree(odd_line(random)) for _ in range(500)]

    assert sum(count > 0 for count in answers) > 100


@pytest.mark.parametrize("value", BODIES)
def test_the_usual_is_read_on_the_fast_path(value: dict[str, Any]) -> None:
    assert quick_line(text(value)) is not None
    assert quick_line(text({"body": value})) is not None
    assert quick_line(text({"body": json.dumps(value)})) is not None
    assert quick_body(text(value), DeliveryContext()) is not None
    assert BODY.validate_json(text(value)) == value


@pytest.mark.parametrize("decode", decoders)
@pytest.mark.parametrize("value", [body(transfer()), body(summary()), body(end()), message()])
def test_the_usual_line_is_read_as_such(value: dict[str, Any], decode: Decode) -> None:
    ids = {name: value[name] for name in ("conversationId", "botId")}
    bare = {name: member for name, member in value.items() if name not in ids}
    about = {"conversation_id": ids["conversationId"], "bot_id": ids["botId"]}
    time = {"received_at": "2026-03-02T09:14:07.123Z"}

    for line in (
        value,
        time | {"body": value},
        time | {"body": json.dumps(value)},
        time | about | {"body": bare},
    ):
        assert usual_line(text(line), decode) == careful_line(text(line), read_iso_time, 3, LIMITS)


@pytest.mark.parametrize(
    "time",
    ["2026-03-02T09:14:07", "9999-12-31T00:00:00Z", "0001-01-01T00:00:00+02:00", "noon"],
)
def test_a_time_that_leaves_something_open_is_not_usual(time: str) -> None:
    for inner in (body(transfer()), json.dumps(body(transfer()))):
        for decode in decoders:
            assert usual_line(text({"received_at": time, "body": inner}), decode) is None


@pytest.mark.parametrize("decode", decoders)
def test_a_key_twice_beside_a_body_as_text_is_not_usual(decode: Decode) -> None:
    line = text({"received_at": "2026-03-02T09:14:07Z", "body": json.dumps(body(transfer()))})

    assert usual_line(line, decode) is not None
    assert usual_line(b'{"body": 1, ' + line[1:], decode) is None


@pytest.mark.parametrize("decode", decoders)
def test_the_usual_action_is_read_as_such(decode: Decode) -> None:
    about = {"conversation_id": "c", "bot_id": "b", "received_at": "2026-03-02T09:14:07Z"}

    for value in ACTIONS[:2]:
        line = {"endpoint": "transcription", **about, "body": value}
        assert usual_line(text(line), decode) == careful_line(text(line), read_iso_time, 3, LIMITS)


@pytest.mark.parametrize(
    "value",
    [
        transfer(isExtAD=None),
        {key: value for key, value in transfer().items() if key != "isExtAD"},
        {key: value for key, value in end().items() if key != "reason"},
        end(language=None),
        transfer(participant=participant(type="bot")),
    ],
)
def test_what_lacks_something_is_not_usual_whatever_decodes_it(value: dict[str, Any]) -> None:
    for decode in decoders:
        assert usual_line(text(body(value)), decode) is None


OWN: tuple[dict[str, Any], ...] = (
    *(
        {"body": body(value)}
        for value in (
            transfer(data={"language": "en", "locale": "en", "type": "post"}),
            transfer(x={"y": [{"z": "1:2"}]}),
            end(participant=participant(team={"id": 1.5})),
            transfer(participant=participant(name="Ann: the first")),
        )
    ),
    {"body": {**ACTIONS[0], "query": "a:b"}},
    {"body": {**ACTIONS[0], "x": {"y": "1:2"}}},
)


@pytest.mark.parametrize("value", OWN)
def test_members_of_their_own_are_usual_to_whoever_keeps_them(value: dict[str, Any]) -> None:
    reference, about = LINE.validator.validate_json, {"received_at": TIME, "delivery_id": "d:1"}
    if "action" in value["body"]:
        about |= {"endpoint": "transcription", "conversation_id": "c:1", "bot_id": "st-1"}
    line = text({**about, **value})

    assert usual_line(line, reference) == careful_line(line, read_iso_time, 3, LIMITS)
    assert usual_line(line, decoders[0]) is None
    for key in (b'{"name"', b'{"action"'):
        twice = line.replace(key, b'{"x": 1, "x": 2, ' + key[1:], 1)
        assert usual_line(twice, reference) is None or twice == line


@pytest.mark.parametrize("value", OWN[:3])
def test_members_of_their_own_are_usual_in_a_body_as_text(value: dict[str, Any]) -> None:
    line = text({"received_at": TIME, "body": json.dumps(value["body"])})

    read = usual_line(line, LINE.validator.validate_json)
    assert read == careful_line(line, read_iso_time, 3, LIMITS)
    assert usual_line(line, decoders[0]) is None


def test_the_fast_decoder_is_tested() -> None:
    assert fast_decode in decoders, "install the extra `fast`"
    assert len(decoders) == 2


def test_the_fast_decoder_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msgspec", None)

    assert _decoder() is None
    assert _fingerprinter() is fingerprint


@pytest.mark.parametrize("value", ACTIONS)
def test_the_usual_action_is_read_on_the_fast_path(value: dict[str, Any]) -> None:
    line = {"endpoint": "transcription", "conversation_id": "c", "bot_id": "b"}

    assert quick_line(text(line | {"body": value})) is not None
    assert quick_line(text(line | {"body": json.dumps(value)})) is not None
    assert quick_action(text(value), GIVENS[1]) is not None
    assert ACTION.validate_json(text(value)) == value


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


@pytest.mark.parametrize("spelling", SPELLINGS, ids=("plain", "blank", "blanks", "escaped"))
@pytest.mark.parametrize("value", VALUES)
def test_a_key_twice_is_found_wherever_it_is(spelling: Any, value: bytes) -> None:
    places = key_places(WHOLE)

    assert len(places) > 40
    for at, key in places:
        raw = WHOLE[:at] + spelling(key) + value + b"," + WHOLE[at:]
        assert quick_line(raw) is None
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

    assert quick_line(line) is None
    assert reason(read_line(line)) == "a key twice"


@pytest.mark.parametrize("decode", decoders)
@pytest.mark.parametrize(
    "raw",
    [
        b'{"received_at":"x","received_at":"2026-03-02T09\\u003a14:07Z","body":%s}',
        b'{"received_at":"2026-03-02T09:14:07Z","delivery_id":"d","delivery_id":"\\u003A","body":%s}',
        b'{"x\\u003a":1,"received_at":"2026-03-02T09:14:07Z","body":%s}',
    ],
)
def test_an_escaped_colon_beside_a_body_as_text_hides_no_key(raw: bytes, decode: Decode) -> None:
    line = raw % text(json.dumps(body(transfer())))

    assert usual_line(line, decode) is None
    assert read_line(line, line=3) == careful_line(line, read_iso_time, 3, LIMITS)


def test_an_escaped_colon_alone_is_no_flaw() -> None:
    raw = text(body(transfer(x="a:b"))).replace(b"a:b", b"a\\u003ab")

    assert read_hook(raw) == read_hook(text(body(transfer(x="a:b"))))


def test_an_escaped_bracket_hides_no_placeholder() -> None:
    raw = text(body(transfer(), conversationId="?id>")).replace(b"?id", b"\\u003cid")

    assert flaws(read_hook(raw)) == [("SG507", "/conversationId")]
    assert flaws(read_line(b'{"body":%s}' % raw)) == [("SG507", "/conversationId")]


def test_keys_may_have_colons_and_blanks_about_them() -> None:
    raw = b'{"a:b" : {"":1} ,' + text(body(transfer())).replace(b": ", b"\t:\r\n")[1:]

    assert quick_body(raw, DeliveryContext()) is not None
    assert flaws(read_hook(raw)) == []


# What is nearly usual.

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


@pytest.mark.parametrize("decode", decoders)
@pytest.mark.parametrize("line", USUAL)
def test_the_usual_takes_the_shortest_way(line: dict[str, Any], decode: Decode) -> None:
    raw = text(line)

    assert usual_line(raw, decode) == careful_line(raw, read_iso_time, 3, LIMITS)
    assert read_line(raw, line=3) == usual_line(raw, decode)


@pytest.mark.parametrize("line", USUAL)
def test_bytes_up_to_the_limit_are_only_glanced_at(
    line: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = text(line)
    monkeypatch.setattr("segue.wire.line._MAX_BYTES", len(raw))
    monkeypatch.setattr("segue.wire.line._read", None)

    assert read_line(raw, line=3) == careful_line(raw, read_iso_time, 3, LIMITS)


@pytest.mark.parametrize(
    "inner",
    [
        body(transfer()),
        message(),
        *(value["body"] for value in OWN[:4]),
        body(transfer(data="the fast decoder refuses this")),
    ],
)
def test_a_glance_is_enough_whoever_decodes_it(inner: dict[str, Any]) -> None:
    for form in (inner, json.dumps(inner)):
        raw = text({"received_at": TIME, "body": form})
        facts = glance(raw, read_iso_time, 3)

        assert isinstance(facts, tuple)
        assert as_delivery(facts, 3) == careful_line(raw, read_iso_time, 3, LIMITS)


@pytest.mark.parametrize("time", [TIME, "noon"])
def test_a_line_of_several_events_needs_no_care(time: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = text({"received_at": time, "body": body(transfer(), end())})
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)

    def read_time(value: object) -> datetime:
        return noon if value == "noon" else datetime.fromisoformat(str(value))

    expected = careful_line(raw, read_time, 3, LIMITS)
    monkeypatch.setattr("segue.wire.line.careful_line", None)

    assert read_line(raw, read_time=read_time, line=3) == expected
    assert read_line(raw.decode(), read_time=read_time, line=3) == expected


@given(
    st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(("", "Ann", "\x7f\u2028"))
)
def test_a_usual_body_has_the_fingerprint_of_its_value(query: str, name: str) -> None:
    for inner in (
        message(query=query),
        body(end(reason=query, participant=participant(name=name))),
    ):
        for decode in decoders:
            for form in (inner, json.dumps(inner, ensure_ascii=False)):
                line = text({"received_at": TIME, "delivery_id": "d-1", "body": form})
                read = usual_line(line, decode)  # which compares them
                assert read is not None or {"<", "\x00", ":"} & set(query)


@pytest.mark.slow
@pytest.mark.skipif("SEGUE_LONG" not in os.environ, reason="takes minutes; set SEGUE_LONG=1")
def test_what_the_fast_decoder_takes_the_reference_takes_alike_a_million_times() -> None:
    random, reference = Random(7), LINE.validator.validate_json
    taken = 0

    for _ in range(1_000_000):
        line = odd_line(random)
        read = usual_line(line, decoders[0])
        if read is not None:
            taken += 1
            expected = usual_line(line, reference)
            assert expected is not None
            assert same(read, expected)

    assert taken > 20_000


def test_what_an_agent_tells_again_is_kept_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.wire.usual._TOLD", {})
    monkeypatch.setattr("segue.wire.usual._MOST_TOLD", 2)

    def told(agent: str, **more: Any) -> Any:
        line = text(body(transfer(participant=participant(identity=agent), **more)))
        facts = usual(line, decoders[0](line), None, is_whole=False)
        assert facts is not None
        return facts[4]

    first = told("a-1")
    assert told("a-1") is first
    assert told("a-1", language="de") == first | {"language": "de"}
    assert told("a-1") == first
    assert told("a-1") is not first
    second, third = told("a-2"), told("a-3")  # one more than are remembered
    assert told("a-3") is third
    assert told("a-2") is not second


@pytest.mark.parametrize("line", NEARLY)
def test_the_nearly_usual_is_read_as_with_care(line: dict[str, Any]) -> None:
    raw = text(line)
    expected = careful_line(raw, read_iso_time, 3, LIMITS)

    assert same(read_line(raw, line=3), expected)
    for decode in decoders:
        assert usual_line(raw, decode) in (None, expected)


@pytest.mark.parametrize("value", [*BODIES, *ACTIONS])
@pytest.mark.parametrize("form", [bytes, bytes.decode])
def test_nothing_usual_needs_care(value: dict[str, Any], form: Any) -> None:
    raw = form(text(value))
    is_action = "action" in value
    read = read_action if is_action else read_hook
    expected = read(raw, conversation_id="c-1", bot_id="st-1")
    with pytest.MonkeyPatch.context() as patch:
        for way in ("hook", "control", "unreadable"):
            patch.setattr(careful, way, None)
        delivery = read(raw, conversation_id="c-1", bot_id="st-1")
        lines = [{"body": value}, {"body": json.dumps(value)}] if not is_action else []
        read_lines = [read_line(form(text(line))) for line in lines]

    assert delivery == expected
    assert all(each.body == value and flaws(each) == [] for each in read_lines)


def test_limits_that_are_lower_than_the_fast_path_is_deep_are_minded() -> None:
    raw = text(body(transfer()))

    assert reason(read_hook(raw, limits=Limits(max_depth=3))) == "nested deeper than 3"
    assert reason(read_hook(raw, limits=Limits(max_depth=4))) is None
    assert reason(read_hook(raw, limits=Limits(max_bytes=len(raw)))) is None
    assert reason(read_hook(raw, limits=Limits(max_bytes=len(raw) - 1))) is not None
    assert reason(read_hook(raw.decode(), limits=Limits(max_bytes=len(raw)))) is None
    assert reason(read_hook(raw + b",", limits=Limits(max_bytes=len(raw) + 1))) == "not JSON"
