"""Whatever a server answers is read: what fits is in the result, the rest among its flaws."""

from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic_core import to_json
from tests.platform.vectors import ANSWERS

from segue.platform.answers import flaws_of, read_answer
from segue.platform.messages import FLAW_LIMIT, ReceivedAnswer
from segue.platform.models.base import AnswerFlaw, PlatformModel
from segue.platform.rows import Endpoint
from segue.platform.table import ENDPOINTS, endpoint

NAMES = sorted({
    str(field.alias) for row in ENDPOINTS for model in (row.model, row.item_model) if model
    for field in model.model_fields.values()
} | {"_raw", "raw", "flaws", "model_dump", "str", "__class__", "user_id", "é~/"})  # fmt: skip
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=20,
)


def read(number: str, body: bytes) -> PlatformModel:
    return read_answer(endpoint(number), ReceivedAnswer(200, {}, body), {})


def at(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value[int(part)] if part.isdigit() else getattr(value, part)
    return value


def plain(flaws: tuple[AnswerFlaw, ...]) -> list[str]:
    return [f"{flaw.code} {flaw.pointer}" for flaw in flaws]


@pytest.mark.parametrize(("number", "body", "path", "value", "flaws"), ANSWERS)
def test_an_answer_is_read(
    number: str, body: str, path: str, value: object, flaws: list[str]
) -> None:
    result = read(number, body.encode())

    assert at(result, path) == value
    assert plain(result.flaws) == flaws


@given(row=st.sampled_from(ENDPOINTS), value=JSON)
def test_any_json_is_read(row: Endpoint, value: object) -> None:
    """Nothing that a server answers raises, and what is read fits the model."""
    result = read_answer(row, ReceivedAnswer(200, {}, to_json(value)), {})

    assert type(result) is row.model
    type(result).model_validate(result.model_dump(by_alias=True), by_name=False)


@given(row=st.sampled_from(ENDPOINTS), body=st.binary(max_size=40))
def test_any_bytes_are_read(row: Endpoint, body: bytes) -> None:
    assert read_answer(row, ReceivedAnswer(200, {}, body), {}).raw == ReceivedAnswer(200, {}, body)


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5_000, b"NaN", b"\xff"]
)
def test_a_hostile_body_is_a_flaw(body: bytes) -> None:
    assert [flaw.pointer for flaw in read("E5", body).flaws] == [""]


def test_flaws_say_what_came_and_what_was_wanted_without_the_value() -> None:
    result = read("E3", b'{"id": {"secret": 1}, "expire": 1, "maxTimeout": {"min": []}}')

    assert [str(flaw) for flaw in result.flaws] == [
        "SG503 /id: id came as object instead of string",
        "SG503 /maxTimeout/min: min came as array instead of number or string",
    ]


@pytest.mark.parametrize(
    ("number", "body", "name", "wanted"),
    [
        ("E23", '{"status": "", "data": {"totalPages": 1.5}}', "totalPages", "integer"),
        ("E16", '{"roles": [], "availableMore": false, "total": []}', "total", "number"),
        ("E15", '{"_id": "j", "status": 1}', "status", "string"),
        (
            "E25",
            '{"sessions": [{"isDeveloper": 2}]}',
            "isDeveloper",
            "boolean or one of its values",
        ),
    ],
)
def test_a_flaw_names_what_was_wanted_once(number: str, body: str, name: str, wanted: str) -> None:
    flaws = flaws_of(endpoint(number), body.encode())

    assert [
        flaw.message.partition(" instead of ")[2]
        for flaw in flaws
        if flaw.pointer.endswith(f"/{name}")
    ] == [wanted]


def test_a_part_and_what_it_is_in_may_both_be_wrong() -> None:
    result = read("E16", b'{"availableMore": false, "roles": [{"permissions": {"P": {"str": 1}}}]}')

    assert at(result, "roles.0.permissions") == {}


def test_flaws_are_listed_up_to_a_limit() -> None:
    result = read("E4", b'{"hasMore": false, "results": [' + b"1," * 9_000 + b'{"id": "qu-1"}]}')

    assert len(result.flaws) == FLAW_LIMIT == 100
    assert result.flaw_count == 9_000
    assert at(result, "results.0.id") == "qu-1"


def test_the_items_of_a_page_are_read_up_to_a_limit() -> None:
    result = read("E4", b'{"results": [' + b"{}," * 10_000 + b'{}], "hasMore": false}')

    assert len(at(result, "results")) == 10_000
    assert list(map(str, result.flaws)) == [
        "SG503 /results: results has 10001 items: only the first 10000 are read"
    ]


def test_an_array_is_read_up_to_the_same_limit() -> None:
    result = read("E26", b"[" + b"{}," * 10_000 + b"{}]")

    assert len(at(result, "results")) == 10_000
    assert [str(flaw) for flaw in result.flaws] == [
        "SG503 (body): the answer has 10001 items: only the first 10000 are read"
    ]


def test_lists_in_items_share_a_limit() -> None:
    user = b'{"btRoles": [' + b",".join([b"{}"] * 6_000) + b"]}"
    result = read("E17", b'{"availableMore": false, "users": [' + b",".join([user] * 20) + b"]}")

    counts = [len(each.bt_roles or ()) for each in at(result, "users")]
    # 50,000 less the list of users, its 20 items and their 20 lists leave 8 lists and a part.
    assert counts == [6_000] * 8 + [50_000 - 1 - 20 - 20 - 8 * 6_000] + [0] * 11
    assert [flaw.pointer for flaw in result.flaws] == [""]
    assert "more than 50000 items and objects" in result.flaws[0].message


def test_an_answer_of_wrong_values_only_is_not_read() -> None:
    agent = b'{"id":1,"userId":1,"orgId":1,"accountId":1,"createdBy":1,"roleId":1}'
    result = read("E22", b'{"results": [' + b",".join([agent] * 10_000) + b"]}")

    assert [str(flaw) for flaw in result.flaws] == [
        "SG503 (body): more than 50000 values of the answer have a wrong type"
    ]
    assert at(result, "results") is None


def test_reading_stops_between_its_steps() -> None:
    steps = []
    row, answer = endpoint("E4"), ReceivedAnswer(200, {}, b'{"results": [1], "hasMore": false}')

    def check_time() -> None:
        steps.append("step")
        if len(steps) == 3:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        read_answer(row, answer, {}, check_time)
    assert len(steps) == 3


def test_members_that_the_specification_does_not_name_are_kept() -> None:
    assert at(read("E6", b'{"id": "5f", "name": "L", "added": [1]}'), "added") == [1]


def test_an_object_of_no_answer_has_no_raw() -> None:
    queue = endpoint("E3").model.model_validate({"id": "qu-1"})

    assert (queue.raw, queue.flaws, queue.arguments) == (None, (), {})
    assert "Bearer" not in repr(ReceivedAnswer(200, {"auth": "Bearer x"}, b"Bearer x"))
