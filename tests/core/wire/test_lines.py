from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

import pytest
from tests.core.wire.samples import (
    ACTIONS,
    BODIES,
    action,
    body,
    end,
    flaws,
    message,
    reason,
    text,
    transfer,
)

from segue.core.events import Delivery, EventKind, Flaw
from segue.core.wire import BodyLimits, is_envelope, parse_line, read_line
from segue.core.wire.timestamps import read_iso_time

WHEN = datetime(2026, 3, 2, 9, 14, 7, 123000, tzinfo=UTC)
TIME = "2026-03-02T09:14:07.123Z"
DEEP = "nested deeper than 64"


def envelope(inner: Any, **changes: Any) -> dict[str, Any]:
    return {"received_at": TIME, "delivery_id": "d-1", "body": inner} | changes


def read(value: Any) -> Delivery:
    """Read a line as bytes, and make sure that text and mapping give the same."""
    delivery = read_line(text(value), line=4)
    assert read_line(text(value).decode(), line=4) == delivery
    assert read_line(value, line=4) == delivery
    return delivery


@pytest.mark.parametrize("value", BODIES)
def test_a_bare_body_is_a_line(value: dict[str, Any]) -> None:
    delivery = read(value)

    assert flaws(delivery) == []
    assert delivery.body == value
    assert (delivery.line, delivery.delivery_id, delivery.received_at) == (4, None, None)


@pytest.mark.parametrize("value", BODIES)
@pytest.mark.parametrize("wrap", [lambda value: value, json.dumps])
def test_an_envelope_says_more_about_its_body(value: dict[str, Any], wrap: Any) -> None:
    delivery = read(envelope(wrap(value), endpoint="hooks", bot_id="st-1"))

    assert flaws(delivery) == []
    assert delivery.body == value
    assert (delivery.line, delivery.delivery_id, delivery.received_at) == (4, "d-1", WHEN)
    assert len(delivery.events) == len(read(value).events)


@pytest.mark.parametrize("value", ACTIONS)
@pytest.mark.parametrize("wrap", [lambda value: value, json.dumps])
def test_the_endpoint_tells_an_action(value: dict[str, Any], wrap: Any) -> None:
    line = envelope(wrap(value), endpoint="transcription", conversation_id="c-1", bot_id="st-1")
    delivery = read(line)

    assert flaws(delivery) == []
    assert [str(event.kind).split()[0] for event in delivery.events] == [value["action"]]
    assert (delivery.conversation_id, delivery.bot_id) == ("c-1", "st-1")
    assert (delivery.line, delivery.delivery_id, delivery.received_at) == (4, "d-1", WHEN)


def test_an_odd_action_in_an_envelope_has_its_flaws() -> None:
    for odd in (action("stop"), action("pause"), action(agentId="<a>"), {}):
        delivery = read(envelope(odd, endpoint="transcription", conversation_id="c", bot_id="b"))

        assert [event.flaws != () for event in delivery.events] == [True]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"body": {}}, True),
        ({"body": None}, True),
        ({"body": {}, "query": "x", "botId": "b"}, True),
        ({"body": {}, "conversationId": None}, False),
        ({"body": {}, "events": []}, False),
        ({}, False),
    ],
)
def test_an_envelope_has_a_body_and_nothing_of_one(line: Any, expected: bool) -> None:  # noqa: FBT001
    assert is_envelope(line) is expected


@pytest.mark.parametrize("line", [body(transfer(), body="x"), body(transfer(), body=body(end()))])
def test_a_body_may_have_a_field_of_that_name(line: dict[str, Any]) -> None:
    delivery = read(line)

    assert [event.kind for event in delivery.events] == [EventKind.NA_ENTRY]
    assert delivery.body == line


def test_a_bare_body_has_no_envelope() -> None:
    line = body(transfer(), received_at="x", delivery_id=5, bot_id="other", endpoint=1)
    delivery = read(line)

    assert flaws(delivery) == []
    assert delivery.delivery_id is None


def test_the_envelope_fills_in_ids() -> None:
    for inner in ({"events": [transfer()]}, {"events": [transfer(), {}]}):
        delivery = read(envelope(inner, conversation_id="c-7", bot_id="st-7"))

        assert (delivery.conversation_id, delivery.bot_id) == ("c-7", "st-7")
        assert delivery.flaws == ()


@pytest.mark.parametrize("flaw", [{}, {"experience": "smoke"}])
def test_the_envelope_fills_in_ids_that_are_empty(flaw: dict[str, Any]) -> None:
    inner = body(transfer(**flaw), conversationId="", botId=None)
    delivery = read(envelope(inner, conversation_id="c-7", bot_id="st-7"))

    assert (delivery.conversation_id, delivery.bot_id) == ("c-7", "st-7")
    assert delivery.flaws == ()


@pytest.mark.parametrize("inner", [body(transfer()), message(), body(end())])
@pytest.mark.parametrize("key", ["conversationId", "events"])
def test_a_usual_line_with_something_of_a_body_beside_the_body_is_none(
    inner: Any, key: str
) -> None:
    line = {"received_at": TIME, "body": inner, key: {"conversationId": "c-9", "events": []}[key]}
    delivery = read(line)

    assert delivery.body == line
    assert delivery.conversation_id == line.get("conversationId")
    assert delivery.received_at is None


def test_another_bot_in_the_envelope_is_a_flaw() -> None:
    for inner in (body(transfer()), message(), json.dumps(body(transfer()))):
        delivery = read(envelope(inner, bot_id="st-7"))

        assert delivery.bot_id == "st-7"
        assert delivery.flaws == (Flaw("SG506", "/botId", {"bot": "st-1", "other": "st-7"}),)


@pytest.mark.parametrize("inner", [{"events": [transfer()]}, json.dumps({"events": [transfer()]})])
def test_a_placeholder_in_the_envelope_is_a_flaw(inner: Any) -> None:
    delivery = read(envelope(inner, conversation_id="<id>", bot_id="null"))

    assert flaws(delivery) == [("SG512", "/conversationId"), ("SG507", "/botId")]


@pytest.mark.parametrize("value", ["undefined", "null", "None", "NaN", "<x>", ""])
@pytest.mark.parametrize("where", ["conversationId", "botId", "identity"])
def test_the_usual_line_is_looked_at_for_placeholders(where: str, value: str) -> None:
    inner = body(transfer())
    if where == "identity":
        inner["events"][0]["participant"]["identity"] = value
    else:
        inner[where] = value
    of_placeholder = "SG512" if where == "conversationId" else "SG507"
    code = of_placeholder if value else "SG502"

    assert [found for found, _ in flaws(read(envelope(inner)))] == [code]


# Times.


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (TIME, WHEN),
        ("2026-03-02T09:14:07.123", WHEN),
        ("2026-03-02 10:14:07.123+01:00", WHEN),
        ("20260302T091407.123Z", WHEN),
        ("2026-03-02T09:14:07.123000999Z", WHEN),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
    ],
)
@pytest.mark.parametrize("inner", [body(transfer()), message(), body("flawed")])
def test_iso_times_are_read(time: str, expected: datetime, inner: Any) -> None:
    delivery = read(envelope(inner, received_at=time))

    assert delivery.received_at == expected
    assert delivery.received_at.tzinfo is not None
    assert delivery.flaws == ()


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        ("", ""),
        ("yesterday", "yesterday"),
        ("2026-13-02T09:14:07Z", "2026-13-02T09:14:07Z"),
        ("03/02/2026, 09:14 AM" * 3, "03/02/2026, 09:14 AM03/02/2026, 09:14 A…"),
        (1772442847, "1772442847"),
        (True, "true"),
        ([1.5, "é"], '[1.5, "é"]'),
        ({"$date": TIME}, '{"$date": "2026-03-02T09:14:07.123Z"}'),
    ],
)
@pytest.mark.parametrize("inner", [body(transfer()), message(), json.dumps(message())])
def test_a_time_that_cannot_be_read_is_a_flaw(time: Any, shown: str, inner: Any) -> None:
    delivery = read(envelope(inner, received_at=time))

    assert delivery.received_at is None
    assert delivery.flaws == (Flaw("SG509", "", {"value": shown}),)
    assert len(delivery.events) == 1


def test_a_time_that_is_too_large_to_be_shown_is_named_by_its_type() -> None:
    for value, shown in (
        ({"x": "y" * 990}, '{"x": "' + "y" * 32 + "…"),
        ({"x": "y" * 1_000}, "dict"),
    ):
        delivery = read(envelope(body(transfer()), received_at=value))

        assert delivery.flaws == (Flaw("SG509", "", {"value": shown}),)


def test_a_reader_of_times_is_not_asked_where_there_is_none() -> None:
    for line in (envelope(body("flawed"), received_at=None), {"body": body("flawed")}):
        assert read_line(line, read_time=lambda _: WHEN).received_at is None


def test_no_time_is_no_flaw() -> None:
    for line in (envelope(body(transfer()), received_at=None), {"body": body(transfer())}):
        delivery = read(line)

        assert delivery.received_at is None
        assert flaws(delivery) == []


@pytest.mark.parametrize("inner", [body(transfer()), message(), body("flawed")])
def test_another_reader_of_times_may_be_given(inner: Any) -> None:
    def read_day(value: object) -> datetime | None:
        return datetime(2026, 1, int(str(value))) if value != "x" else None  # noqa: DTZ001 - naive

    third = datetime(2026, 1, 3, tzinfo=UTC)
    for time, expected in (("3", third), (3, third), ("x", None)):
        line = text(envelope(inner, received_at=time))
        delivery = read_line(line, read_time=read_day)

        assert read_line(line.decode(), read_time=read_day) == delivery
        assert delivery.received_at == expected
        assert [flaw.code for flaw in delivery.flaws] == ([] if expected else ["SG509"])


def test_another_reader_of_times_is_not_asked_for_iso_times_with_a_zone() -> None:
    def read_nothing(_: object) -> datetime | None:
        return None

    for inner in (body(transfer()), message(), body("flawed"), json.dumps(message())):
        delivery = read_line(text(envelope(inner)), read_time=read_nothing)

        assert delivery.received_at == WHEN


@pytest.mark.parametrize(
    "inner", [body(transfer()), message(), body("flawed"), json.dumps(body(transfer()))]
)
@pytest.mark.parametrize("year", ["0001", "9999"])
def test_the_reader_of_times_says_what_the_years_of_never_are(inner: Any, year: str) -> None:
    time = f"{year}-06-01T00:00:00Z"
    for value in (envelope(inner, received_at=time), {"received_at": time, "body": inner}):
        line = text(value)

        assert read_line(line, read_time=lambda _: None).flaws[0].code == "SG509"
        assert read_line(line, read_time=lambda _: WHEN).received_at == WHEN


@pytest.mark.parametrize("year", ["0002", "9998"])
def test_the_years_beside_those_of_never_are_years(year: str) -> None:
    line = text(envelope(body(transfer()), received_at=f"{year}-06-01T00:00:00Z"))
    delivery = read_line(line, read_time=lambda _: None)

    assert delivery.received_at == datetime(int(year), 6, 1, tzinfo=UTC)


def test_what_came_with_a_body_that_cannot_be_read_is_kept() -> None:
    for endpoint in ("hooks", "transcription"):
        delivery = read(envelope("{", endpoint=endpoint, conversation_id="c-7", bot_id="st-7"))

        assert flaws(delivery) == [("SG501", "")]
        assert (delivery.conversation_id, delivery.bot_id) == ("c-7", "st-7")
        assert (delivery.line, delivery.delivery_id, delivery.received_at) == (4, "d-1", WHEN)


@pytest.mark.parametrize("inner", [body(transfer()), message(), body("flawed")])
@pytest.mark.parametrize("error", [ValueError, TypeError])
def test_a_reader_of_times_may_raise_as_those_of_python_do(
    inner: Any, error: type[Exception]
) -> None:
    def read_nothing(_: object) -> datetime:
        raise error

    delivery = read_line(text(envelope(inner, received_at="noon")), read_time=read_nothing)

    assert delivery.flaws == (Flaw("SG509", "", {"value": "noon"}),)


def test_an_aware_time_of_another_reader_is_taken_as_it_is() -> None:
    later = timezone(timedelta(hours=2))
    for inner in (body(transfer()), body("flawed")):
        delivery = read_line(
            text(envelope(inner, received_at="noon")),
            read_time=lambda _: datetime(2026, 1, 1, tzinfo=later),
        )

        assert delivery.received_at == datetime(2026, 1, 1, tzinfo=later)


def test_a_mapping_may_have_a_time_that_has_been_read() -> None:
    naive = WHEN.replace(tzinfo=None)
    for time in (WHEN, naive):
        delivery = read_line(envelope(body(transfer()), received_at=time))

        assert delivery.received_at == WHEN
        assert flaws(delivery) == []


def test_a_time_of_python_that_a_reader_refuses_is_named_by_its_type() -> None:
    delivery = read_line(envelope(body(transfer()), received_at=WHEN), read_time=lambda _: None)

    assert delivery.flaws == (Flaw("SG509", "", {"value": "datetime"}),)


def test_only_text_and_datetimes_are_times_by_default() -> None:
    assert read_iso_time(WHEN) is WHEN
    assert read_iso_time(5) is None
    assert read_iso_time(None) is None


@pytest.mark.parametrize("digits", ["20260101", "1763123100000", "1763123100"])
def test_digits_alone_are_no_time_anybody_meant(digits: str) -> None:
    delivery = read_line(envelope(body(transfer()), received_at=digits))

    assert read_iso_time(digits) is None
    assert delivery.received_at is None
    assert delivery.flaws == (Flaw("SG509", "", {"value": digits}),)
    assert read_iso_time("2026-01-01") == datetime(2026, 1, 1, tzinfo=UTC)


def test_values_of_an_envelope_are_measured_like_the_line() -> None:
    line = envelope(body(transfer()), delivery_id="x" * 300)

    assert flaws(read_line(line, limits=BodyLimits(max_line_bytes=299))) == [("SG501", "")]
    assert flaws(read_line(line, limits=BodyLimits(max_line_bytes=300))) == []


# Broken lines.


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "cut off"),
        (b"{", "cut off"),
        (b"hello", "not JSON"),
        (b"[]", "not an object"),
        (b"\xff", "not UTF-8"),
        (b'{"body": {}, "body": {}}', "a key twice"),
        (b'{"delivery_id": "a", "delivery_id": "a", "body": {}}', "a key twice"),
        (b'{"conversation_id": "\\u0000", "body": {}}', "a NUL character in a string"),
        (b'{"bot_id": "\\ud800", "body": {}}', "a lone surrogate in a string"),
        (b'{"received_at": ["\\ud800"], "body": {}}', "a lone surrogate in a string"),
        (b'{"received_at": NaN, "body": {}}', "not JSON"),
        (b'{"body": ' + b"[" * 100_000, "nested deeper than 64"),
        ('{"conversationId": "\ud800"}', "a lone surrogate in a string"),
    ],
)
def test_a_broken_line_says_why(raw: bytes | str, why: str) -> None:
    delivery = read_line(raw, line=9)

    assert reason(delivery) == why
    assert delivery.line == 9
    assert (delivery.conversation_id, delivery.events) == (None, ())


@pytest.mark.parametrize(
    ("inner", "why"),
    [
        (b"null", "not an object"),
        (b"5", "not an object"),
        (b"[]", "not an object"),
        (b'""', "cut off"),
        (b'"hello"', "not JSON"),
        (b'"[]"', "not an object"),
        (b'"{\\"a\\": 1, \\"a\\": 2}"', "a key twice"),
        (b'"{\\"a\\": \\"\\\\u0000\\"}"', "a NUL character in a string"),
        (b'{"x": NaN}', "not JSON"),
        (b'{"x": {"a": 1, "a": 2}}', "a key twice"),
        (b'{"x": "\\u0000"}', "a NUL character in a string"),
        (b'{"x": "\\ud800"}', "a lone surrogate in a string"),
        (b'{"x":' + b"[" * 64 + b"]" * 64 + b"}", "nested deeper than 64"),
    ],
)
@pytest.mark.parametrize("endpoint", ["hooks", "transcription"])
def test_a_broken_body_leaves_its_envelope_readable(inner: bytes, why: str, endpoint: str) -> None:
    raw = (
        b'{"conversation_id": "c-7", "bot_id": "st-7", "delivery_id": "d-7", '
        b'"endpoint": "%s", "body": %s}'
    )
    delivery = read_line(raw % (endpoint.encode(), inner))

    assert reason(delivery) == why
    assert (delivery.conversation_id, delivery.bot_id) == ("c-7", "st-7")
    assert delivery.delivery_id == "d-7"
    assert delivery.intake.name == (endpoint or "hooks")


@pytest.mark.parametrize(
    "extra", [b"NaN", b'"\\u0000"', b'{"a": 1, "a": 1}', b"[" * 70 + b"]" * 70]
)
def test_other_keys_of_an_envelope_are_never_looked_at(extra: bytes) -> None:
    raw = text(envelope(body(transfer()), meta=0)).replace(b'"meta": 0', b'"meta": ' + extra)

    assert flaws(read_line(raw)) == []


@pytest.mark.parametrize(("depth", "why"), [(199, None), (200, DEEP), (990, DEEP), (10**5, DEEP)])
def test_where_a_line_is_too_deep_does_not_depend_on_the_stack(depth: int, why: str | None) -> None:
    extra = b"[" * depth + b"]" * depth
    raw = text(envelope(body(transfer()), meta=0)).replace(b'"meta": 0', b'"meta": ' + extra)

    assert reason(read_line(raw)) == why


def test_the_envelope_has_flaws_of_its_own() -> None:
    line = envelope(
        body(transfer()),
        received_at="x",
        delivery_id=1,
        endpoint="calls",
        bot_id=[],
        conversation_id=False,
    )
    delivery = read(line)

    assert delivery_codes(delivery) == ["SG509", "SG503", "SG505", "SG503", "SG503"]
    assert {flaw.pointer for flaw in delivery.flaws} == {""}
    assert delivery.flaws[2].facts == {
        "field": "endpoint",
        "of": "delivery",
        "value": "calls",
        "allowed": "hooks, transcription, notifications, transfers",
    }
    assert delivery.delivery_id is None
    assert len(delivery.events) == 1


def delivery_codes(delivery: Delivery) -> list[str]:
    return [flaw.code for flaw in delivery.flaws]


def test_nulls_in_an_envelope_are_absent() -> None:
    line = envelope(
        body(transfer()), delivery_id=None, endpoint=None, bot_id=None, conversation_id=None
    )

    assert flaws(read(line)) == []


def test_a_line_may_be_larger_than_a_body() -> None:
    large = envelope(body(transfer(), x="x" * 300_000))
    flawed = envelope(body(transfer(), "flawed", x="x" * 300_000))

    assert flaws(read(large)) == []
    assert flaws(read(flawed)) == [("SG503", "/events/1")]
    assert flaws(read(envelope(json.dumps(large["body"])))) == []


def test_an_overlong_line_says_how_long_one_may_be() -> None:
    assert reason(read_line(b" " * (16 * 1024 * 1024 + 1))) == "larger than 16 MiB"
    line = envelope(body(transfer()))
    limits = BodyLimits(max_line_bytes=100)

    assert reason(read_line(text(line), limits=limits)) == "larger than 100 bytes"
    assert flaws(read_line(text(line), limits=BodyLimits(max_line_bytes=None))) == []
    assert flaws(read_line(text(line), limits=BodyLimits(max_line_bytes=1000))) == []


def test_limits_of_ones_own_find_the_same_flaws() -> None:
    limits = BodyLimits(max_line_bytes=1000)

    assert flaws(read_line(text(envelope(body("flawed"))), limits=limits)) == [
        ("SG503", "/events/0")
    ]
    assert reason(read_line(b"{", limits=limits)) == "cut off"


# Lines of another form.


def test_a_line_of_another_form_gives_its_parts() -> None:
    record = parse_line(text({"payload": {"request": body(transfer())}, "ts": TIME}))

    assert not isinstance(record, Delivery)
    line = {"body": record["payload"]["request"], "received_at": record["ts"]}
    assert read_line(line) == read_line(text(line))


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (b'{"a": 1, "a": 1}', "a key twice"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": "\\u0000"}', "a NUL character in a string"),
    ],
)
def test_a_part_that_is_no_body_says_why(part: bytes, why: str) -> None:
    record = parse_line(b'{"payload": ' + part + b', "id": "c-1"}')

    assert not isinstance(record, Delivery)
    delivery = read_line({"body": record["payload"], "conversation_id": record["id"]})
    assert reason(delivery) == why
    assert delivery.conversation_id == "c-1"


def test_a_broken_line_of_another_form_is_a_delivery() -> None:
    for raw, why in (
        (b"{", "cut off"),
        (b"5", "not an object"),
        (b'{"a": 1, "a": 1}', "a key twice"),
    ):
        delivery = parse_line(raw, line=5)

        assert isinstance(delivery, Delivery)
        assert (reason(delivery), delivery.line) == (why, 5)


def test_any_mapping_is_a_line() -> None:
    line = MappingProxyType(envelope(MappingProxyType(body(transfer()))))

    assert read_line(line) == read_line(text(envelope(body(transfer()))))


def test_a_mapping_that_raises_is_an_unreadable_line() -> None:
    class Raising(dict[str, Any]):
        def items(self) -> Any:
            raise RuntimeError

    assert reason(read_line(Raising(body={}))) == "not JSON"


@pytest.mark.parametrize("endpoint", [["hooks"], {"name": "hooks"}])
def test_an_endpoint_that_is_no_text_is_a_finding(endpoint: object) -> None:
    delivery = read_line({"endpoint": endpoint, "body": body(transfer())})

    assert [flaw.code for flaw in delivery.flaws] == ["SG503"]
    assert delivery.intake.name == "hooks"
