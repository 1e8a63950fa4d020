"""The published schemas say what the readers accept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from tests.core.wire.mutation import json_values
from tests.core.wire.samples import (
    ACTIONS,
    BODIES,
    action,
    end,
    message,
    read_action,
    read_hook,
    summary,
    text,
    transfer,
)
from tests.families import family

from segue.core.events import CALL_NOTIFICATIONS, HOOKS, INTAKES, TRANSCRIPTION, Intake
from segue.core.wire.json_schema import schema_of

BODY = Draft202012Validator(schema_of(HOOKS))
ACTION = Draft202012Validator(schema_of(TRANSCRIPTION))


@pytest.mark.parametrize("intake", [HOOKS, TRANSCRIPTION])
def test_a_schema_is_one_of_its_dialect(intake: Intake) -> None:
    schema = schema_of(intake)
    Draft202012Validator.check_schema(schema)

    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"]
    assert schema is not schema_of(intake)
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize(
    ("intake", "title"),
    [
        (HOOKS, "Lifecycle events and messages (E21)"),
        (TRANSCRIPTION, "Transcription action (E1)"),
    ],
)
def test_a_schema_says_what_it_is_of(intake: Intake, title: str) -> None:
    schema = schema_of(intake)
    validator = Draft202012Validator(schema)
    valid, invalid = (BODIES, ACTIONS) if intake is HOOKS else (ACTIONS, BODIES)

    assert schema["title"] == title
    assert all(validator.is_valid(value) for value in valid)
    assert not any(validator.is_valid(value) for value in invalid)


@pytest.mark.parametrize(
    ("intake", "name"), [(HOOKS, "delivery"), (TRANSCRIPTION, "transcription")]
)
def test_a_schema_is_the_one_that_is_published(intake: Intake, name: str) -> None:
    published = Path(__file__).parents[3] / "docs" / "reference" / f"{name}.schema.json"

    assert schema_of(intake) == json.loads(published.read_text("utf-8"))


@pytest.mark.parametrize("value", BODIES)
def test_a_flawless_body_is_valid(value: dict[str, Any]) -> None:
    BODY.validate(value)


@pytest.mark.parametrize("value", ACTIONS)
def test_a_flawless_action_is_valid(value: dict[str, Any]) -> None:
    ACTION.validate(value)


def is_flawless(value: Any) -> bool:
    """Whether a body has no flaw but those a schema cannot see, and no mere warning."""
    delivery = read_hook(text(value))
    found = [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]
    return all(flaw.code in {"SG209", "SG507", "SG512"} or flaw.is_warning for flaw in found)


def paths(value: Any, prefix: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every member of a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, member in items:
        found.append((*prefix, key))
        if isinstance(member, dict | list):
            found += paths(member, (*prefix, key))
    return found


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a copy with another member at a path; `...` takes it away."""
    copy = json.loads(json.dumps(value))
    place = copy
    for key in path[:-1]:
        place = place[key]
    if new is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = new
    return copy


NEW: tuple[Any, ...] = (..., None, "", "x", "NA", "chat", "true", "<a>", 0, True, 1.5, [], {}, [{}])
WHOLE = message(events=[transfer("COLD"), summary(), end(), *BODIES[2]["events"]])
STARTS = (WHOLE, *BODIES)


@pytest.mark.parametrize("start", [WHOLE, BODIES[4], BODIES[8]])
def test_whatever_becomes_of_one_field_schema_and_reader_agree(start: dict[str, Any]) -> None:
    for path in paths(start):
        for new in NEW:
            value = changed(start, path, new)
            assert BODY.is_valid(value) == is_flawless(value), (path, new)


@given(st.sampled_from(STARTS), st.data())
def test_schema_and_reader_agree_on_bodies(start: dict[str, Any], data: st.DataObject) -> None:
    """Law: a body is valid when its reader finds no flaw but placeholders and warnings."""
    value = start
    for _ in range(2):
        path = data.draw(st.sampled_from(paths(value)))
        value = changed(value, path, data.draw(st.sampled_from(NEW) | json_values))
        if not value:
            return
    if "\\ud" not in json.dumps(value) and "\\u0000" not in json.dumps(value):
        assert BODY.is_valid(value) == is_flawless(value)


@family("name", ["start", "pause", "resume", "end", "stop", "Start", None])
@family("handover", NEW)
@family("agent", ["a-1", "", None, 5])
def test_schema_and_reader_agree_on_actions(name: Any, handover: Any, agent: Any) -> None:
    value = action(name, agentId=agent) | ({} if handover is ... else {"handover": handover})
    delivery = read_action(text(value), conversation_id="c-1", bot_id="st-1")

    assert ACTION.is_valid(value) == (delivery.events[0].flaws == ())


@pytest.mark.parametrize(
    ("duration", "is_valid"),
    [(120, True), ("61", True), (" 1.5 ", True), (None, True), ("long", False), (True, False)],
)
def test_the_schema_of_a_notification_takes_numbers_as_text(
    duration: object,
    is_valid: bool,  # noqa: FBT001 - a parameter
) -> None:
    schema = Draft202012Validator(schema_of(CALL_NOTIFICATIONS))
    said = {"conversationId": "c-1", "status": "completed", "duration": duration}

    assert schema.is_valid(said) == is_valid


@pytest.mark.parametrize("value", [{}, {"any": 1}, [], "text", None])
def test_the_schema_of_a_transfer_callback_takes_anything(value: object) -> None:
    """The specification does not show what it says."""
    assert Draft202012Validator(schema_of(INTAKES["transfers"])).is_valid(value)
