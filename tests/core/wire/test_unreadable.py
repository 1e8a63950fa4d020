from __future__ import annotations

import enum
import inspect
import json
import sys
from collections import OrderedDict, UserDict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from tests.core.wire.samples import (
    action,
    body,
    flaws,
    message,
    read_action,
    read_hook,
    reason,
    text,
    transfer,
)
from tests.families import family

from segue.core.events import HOOKS, ActionKind
from segue.core.wire import BodyLimits, read_body, read_line
from segue.core.wire.limits import LIMITS

NESTED = "[" * 100_000 + "]" * 100_000


def nested(depth: int) -> dict[str, Any]:
    """Return a flawless body that is so deep."""
    value: Any = 1
    for _ in range(depth - 1):
        value = [value]
    return body(transfer(), x=value)


@family(
    ("raw", "why"),
    [
        (b"", "cut off"),
        (b"  \n", "cut off"),
        (b'{"a": "b', "cut off"),
        (b'{"a": "b\\', "cut off"),
        (b'{"a": "\\u12', "cut off"),
        (b'{"a": tru', "cut off"),
        (b'{"a": 1.5e', "cut off"),
        (b'{"a": -', "cut off"),
        ('{"a": "é'.encode()[:-1], "cut off"),
        (b"hello", "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b'{"a": 1,}', "not JSON"),
        (b'{"a": 1} {"a": 1}', "not JSON"),
        (b'{"a": "\\x"}', "not JSON"),
        (b'{"a": "\x00"}', "not JSON"),
        (b'{"a": "\n"}', "not JSON"),
        (b'{"a": 01}', "not JSON"),
        (b'{"a": NaN}', "not JSON"),
        (b'{"a": [{"b": -Infinity}]}', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8"),
        (json.dumps(body(transfer())).encode("utf-16"), "not UTF-8"),
        (b"null", "not an object"),
        (b"[]", "not an object"),
        (b'"{}"', "not an object"),
        (b"1", "not an object"),
        (b'{"a": "\\u0000"}', "a NUL character in a string"),
        (b'{"\\u0000": {}}', "a NUL character in a string"),
        (b'{"a": [["\\ud800"]]}', "a lone surrogate in a string"),
        (b'{"\\udc00": 1}', "a lone surrogate in a string"),
        ('{"a": "\ud800"}', "a lone surrogate in a string"),
        (b'{"a": 1, "a": 1}', "a key twice"),
        (b'{"a": [{"b": {}, "b": {}}]}', "a key twice"),
        (b'{"a": 1, "\\u0061": 1}', "a key twice"),
        (NESTED, "nested deeper than 64"),
        ('{"a": ' + NESTED + "}", "nested deeper than 64"),
        (b'{"a":' * 50_000, "nested deeper than 64"),
        (b'{"a":' * 201, "nested deeper than 64"),
        (b'{"a":' * 200, "cut off"),
        (b'{"a": "' + rb"\"[" * 300, "cut off"),
        (text(nested(65)), "nested deeper than 64"),
        (b'{"a": "' + b"x" * 262_144 + b'"}', "larger than 256 KiB"),
    ],
)
@family("read", [read_hook, read_action])
def test_an_unreadable_body_says_why(read: Any, raw: bytes | str, why: str) -> None:
    assert reason(read(raw)) == why


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
@pytest.mark.parametrize(
    "where", [0, [0], {"a": 0}, [[0]], [{"a": 0}], {"a": [0]}, {"a": {"b": 0}}]
)
def test_what_is_no_number_is_found_wherever_it_stands(where: Any, number: bytes) -> None:
    for value in (body(transfer(), x=where), body(transfer(x=where)), message(x=where)):
        raw = text(value).replace(b"0", number)

        assert reason(read_hook(raw)) == "not JSON"
        assert reason(read_line(raw)) == "not JSON"


@pytest.mark.parametrize(
    "wrap", [lambda value: [value], lambda value: {"a": value}], ids=["array", "object"]
)
def test_whatever_is_nested_is_counted(wrap: Any) -> None:
    value: Any = 1
    for _ in range(63):
        value = wrap(value)

    assert reason(read_hook(text(body(transfer(), x=value)))) is None
    assert reason(read_hook(text(body(transfer(), x=wrap(value))))) == "nested deeper than 64"


def test_what_came_with_an_unreadable_body_is_kept() -> None:
    delivery = read_hook(b"{", conversation_id="c-9", bot_id="st-9", delivery_id="d-9", line=7)

    assert (delivery.conversation_id, delivery.bot_id) == ("c-9", "st-9")
    assert (delivery.delivery_id, delivery.line) == ("d-9", 7)
    assert delivery.events == ()
    assert delivery.intake is HOOKS


def test_an_unreadable_action_is_an_action_still() -> None:
    delivery = read_action(b"{", conversation_id="c-9")

    assert [event.kind for event in delivery.events] == [ActionKind.UNPROCESSABLE]
    assert flaws(delivery) == [("SG501", "")]


@pytest.mark.parametrize("value", [body(transfer()), message(query="naïve 😀")])
def test_every_beginning_of_a_body_is_cut_off(value: dict[str, Any]) -> None:
    raw = json.dumps(value, ensure_ascii=False).encode()

    for end in (b"", b"\n", b"\r\n", b" "):
        cut = [raw[:size] + end for size in range(len(raw))]
        assert {reason(read_hook(each)) for each in cut} == {"cut off"}
        assert {reason(read_line(each)) for each in cut} == {"cut off"}
        in_envelope = [json.dumps({"body": each.decode("utf-8", "ignore")}) for each in cut]
        assert {reason(read_line(each)) for each in in_envelope} == {"cut off"}


@pytest.mark.parametrize(
    "number",
    ["9" * 5_000, "-" + "9" * 5_000, "9" * 4_300, "-" + "9" * 4_300, "1e999", "1.5E-999", "-0"],
)
def test_numbers_may_be_of_any_size(number: str) -> None:
    raw = text(body(transfer(), x=0)).replace(b'"x": 0', b'"x": ' + number.encode())

    assert flaws(read_hook(raw)) == []


def test_as_many_digits_as_python_reads_are_a_whole_number() -> None:
    raw = text(body("flawed", x=0)).replace(b'"x": 0', b'"x": -' + b"9" * 4_300)
    delivery = read_hook(raw)

    assert delivery.body is not None
    assert delivery.body["x"] == 1 - 10**4_300


def test_too_many_digits_are_infinite() -> None:
    delivery = read_hook(f'{{"a": {"9" * 4_301}, "b": -{"9" * 4_301}}}')

    assert delivery.body == {"a": float("inf"), "b": float("-inf")}


def test_an_interpreter_that_reads_fewer_digits_changes_nothing_but_the_number() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        delivery = read_hook(f'{{"a": {"9" * 641}}}')
        flawless = read_hook(text(body(transfer(), x="a:b", y=0))[:-2] + b"9" * 641 + b"}")
    finally:
        sys.set_int_max_str_digits(before)

    assert delivery.body == {"a": float("inf")}
    assert flaws(flawless) == []


def test_a_byte_order_mark_is_tolerated() -> None:
    raw = b"\xef\xbb\xbf" + text(body(transfer()))

    assert flaws(read_hook(raw)) == []
    assert flaws(read_hook(raw.decode())) == []


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda raw: str(raw, "utf-8")])
def test_text_may_come_in_any_type(kind: Any) -> None:
    raw = text(body(transfer()))

    assert read_hook(kind(raw)) == read_hook(raw)


def test_the_deepest_body_allowed_is_read() -> None:
    assert flaws(read_hook(text(nested(64)))) == []
    assert flaws(read_hook(nested(64))) == []


def test_a_smaller_depth_is_held_by_both_paths() -> None:
    assert (
        reason(read_hook(text(nested(4)), limits=BodyLimits(max_depth=3))) == "nested deeper than 3"
    )
    assert flaws(read_hook(text(nested(4)), limits=BodyLimits(max_depth=4))) == []


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        (100, "larger than 100 bytes"),
        (1024, "larger than 1 KiB"),
        (1025, "larger than 1025 bytes"),
        (2 * 1024 * 1024, "larger than 2 MiB"),
    ],
)
def test_a_body_over_the_limit_says_how_large_one_may_be(limit: int, why: str) -> None:
    limits = BodyLimits(max_bytes=limit)
    raw = text(body(transfer(), x=""))
    fits = raw.replace(b'"x": ""', b'"x": "' + b"." * (limit - len(raw)) + b'"')
    over = fits.replace(b'"x": "', b'"x": ".')

    assert reason(read_hook(over, limits=limits)) == why
    assert reason(read_hook(over.decode(), limits=limits)) == why
    assert len(fits) > limit or flaws(read_hook(fits, limits=limits)) == []
    assert flaws(read_hook(over, limits=BodyLimits(max_bytes=None))) == []


def test_a_string_is_measured_in_bytes() -> None:
    assert (
        reason(read_hook('{"a": "é"}', limits=BodyLimits(max_bytes=10))) == "larger than 10 bytes"
    )


# Python mappings.


class Colour(enum.StrEnum):
    RED = "red"


class Number(enum.IntEnum):
    ONE = 1


class Raising(Mapping[str, Any]):
    """A mapping whose members nobody can have."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError

    def __len__(self) -> int:
        return 1


class Twins(UserDict[str, Any]):
    """A mapping that has a key twice."""

    def items(self) -> Any:
        return [("a", 1), ("a", 2)]


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def doubling() -> list[Any]:
    value: list[Any] = []
    for _ in range(60):
        value = [value, value]
    return value


@family(
    ("value", "why"),
    [
        ({1: 2}, "not JSON"),
        ({"a": {None: 1}}, "not JSON"),
        ({"a": object()}, "not JSON"),
        ({"a": {1, 2}}, "not JSON"),
        ({"a": b"bytes"}, "not JSON"),
        ({"a": float("nan")}, "not JSON"),
        ({"a": 1j}, "not JSON"),
        ({"a": Raising()}, "not JSON"),
        (Raising(), "not JSON"),
        (Twins(), "a key twice"),
        ({"a": "\0"}, "a NUL character in a string"),
        ({"\0": 1}, "a NUL character in a string"),
        ({"a": ("\ud800",)}, "a lone surrogate in a string"),
        (nested(65), "nested deeper than 64"),
        ({"a": endless()}, "nested deeper than 64"),
        ({"a": doubling()}, "larger than 256 KiB"),
        ({"a": "x" * 262_144}, "larger than 256 KiB"),
        ([], "not an object"),
        (None, "not an object"),
        (1.5, "not an object"),
        (object(), "not JSON"),
    ],
)
@family("read", [read_hook, read_action])
def test_an_unreadable_mapping_says_why(read: Any, value: Any, why: str) -> None:
    assert reason(read(value)) == why


def test_nothing_is_too_deep_for_an_answer() -> None:
    limits = BodyLimits(max_depth=10**6)

    assert reason(read_hook({"a": endless()}, limits=limits)) == "nested deeper than 1000000"


@pytest.mark.parametrize("kind", [dict, OrderedDict, UserDict, MappingProxyType])
def test_any_mapping_is_read(kind: Any) -> None:
    value = kind(body(kind(transfer(participant=kind(transfer()["participant"])))))

    assert read_hook(value) == read_hook(text(body(transfer())))


def test_subclasses_count_as_what_they_are_in_json() -> None:
    delivery = read_hook({"a": Colour.RED, Colour.RED: (Number.ONE, True, 10**5000, -(10**5000))})

    assert delivery.body is not None
    assert [type(key) for key in delivery.body] == [str, str]
    assert type(delivery.body["a"]) is str
    assert delivery.body["a"] == "red"
    assert delivery.body["red"] == [1, True, float("inf"), float("-inf")]
    assert type(delivery.body["red"][0]) is int


def test_an_infinite_float_is_a_number_too_large() -> None:
    assert read_hook({"a": float("inf")}) == read_hook(b'{"a": 1e999}')


def test_a_mapping_is_neither_changed_nor_kept() -> None:
    value = body(transfer())
    before = json.dumps(value)
    delivery = read_hook(value)
    value["events"][0]["participant"]["identity"] = "a-2"

    assert delivery.events[0].participant["identity"] == "a-1"
    value["events"][0]["participant"]["identity"] = "a-1"
    assert json.dumps(value) == before


def test_no_reason_holds_a_word_of_the_sender() -> None:
    assert reason(read_action(b'{"secret')) == "cut off"
    assert reason(read_action(text(action()) + b"secret")) == "not JSON"


def test_the_default_limits_are_those_of_the_hook() -> None:
    assert BodyLimits() == LIMITS
    assert (LIMITS.max_bytes, LIMITS.max_depth) == (262_144, 64)


def test_a_mapping_is_measured_by_the_values_in_it() -> None:
    """One for every object, array, number and null; of every string and key, its length."""
    value = {"ab": [1, "cd", {"e": None}], "f": ""}
    weight = sum((1, 2, 1, 1, 2, 1, 1, 1, 1, 0))  # {, ab, [, 1, cd, {, e, null, f, ""

    assert reason(read_hook(value, limits=BodyLimits(max_bytes=weight))) is None
    why = reason(read_hook(value, limits=BodyLimits(max_bytes=weight - 1)))
    assert why == f"larger than {weight - 1} bytes"


def test_a_number_of_a_mapping_is_infinite_from_as_many_digits_as_in_text() -> None:
    largest = 10**4_300 - 1
    delivery = read_hook({"a": largest, "b": -largest, "c": largest + 1, "d": -largest - 1})

    infinity = float("inf")
    assert delivery.body == {"a": largest, "b": -largest, "c": infinity, "d": -infinity}


def test_an_event_that_cannot_be_placed_says_where_it_stands() -> None:
    delivery = read_hook(body(transfer(), "no object", {"name": "ELSE"}, transfer("LUKEWARM")))

    assert [event.pointer for event in delivery.events] == [f"/events/{n}" for n in range(4)]
    assert [(event.agent, event.experience) for event in delivery.events[1:]] == [("", "")] * 3
    (flaw,) = delivery.events[1].flaws
    assert flaw.facts == {
        "field": "events[1]",
        "of": "delivery",
        "found": "string",
        "wanted": "object",
    }


@pytest.mark.parametrize("key", ["events", "Events"])
def test_more_events_than_the_limit_are_not_read(key: str) -> None:
    limits = BodyLimits(max_events=2)
    body = {"conversationId": "c-1", "botId": "st-1", key: [0, 0]}

    assert len(read_body(body, limits=limits).events) == 2
    [flaw] = read_body({**body, key: [0, 0, 0]}, limits=limits).flaws
    assert (flaw.code, flaw.facts) == ("SG501", {"reason": "more than 2 events"})
    assert len(read_body({**body, key: [0, 0, 0]}).events) == 3


def test_what_is_too_deep_for_a_stack_that_is_nearly_full_is_a_flaw() -> None:
    raw = '{"a":' * 190 + '"' + "}" * 190  # below the levels that are not decoded at all

    def deep(levels: int) -> tuple[str, ...]:
        if levels:
            return deep(levels - 1)
        return tuple(flaw.code for flaw in read_body(raw).flaws)

    assert deep(sys.getrecursionlimit() - len(inspect.stack()) - 100) == ("SG501",)
