"""What checks may read, and how values are kept."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.builders import body, transfer

from segue.core.engine import CHECKS, State, apply, new
from segue.core.engine.checks import Check
from segue.core.engine.state import Facts
from segue.core.events import Delivery, EventKind
from segue.core.lifecycle import resolve
from segue.core.wire import read_line

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
READ = {
    "botId": lambda facts: facts.delivery.bot_id,
    "received_at": lambda facts: facts.delivery.received_at,
    "participant.identity": lambda facts: facts.event.agent,
    "experience": lambda facts: facts.event.experience,
}


@st.composite
def deliveries(draw: st.DrawFn) -> Delivery:
    kind = draw(st.sampled_from(("NA entry", "WARM entry", "WARM exit", "redial entry")))
    experience = draw(st.sampled_from(("chat", "voice")))
    event = transfer(kind, draw(st.sampled_from(("ann", "ANN", "bob"))), experience=experience)
    delivery = read_line(body(event, bot=draw(st.sampled_from(("st-1", "st-2")))))
    delivery.received_at = draw(
        st.none() | st.integers(0, 2).map(lambda minutes: NINE + timedelta(minutes=minutes))
    )
    return delivery


def asked(check: Check, state: State, delivery: Delivery) -> tuple[list[Any], bool]:
    """Return what a check reads of a delivery, and whether it has something to say of it."""
    (event,) = delivery.events
    agent = resolve(state.agents, EventKind(event.kind), event.agent)
    facts = Facts(state, delivery, state.position, event=event, agent=agent)
    before = state.kept[CHECKS.index(check)] if state.kept else None
    kept, finding = check.fn(before, facts)
    return [READ[field](facts) for field in check.reads], kept != before or finding is not None


@pytest.mark.parametrize(
    "check", CHECKS, ids=[f"{each.code}-{at}" for at, each in enumerate(CHECKS)]
)
@given(log=st.lists(deliveries(), min_size=2, max_size=12))
def test_a_check_finds_nothing_new_in_fields_it_has_read(check: Check, log: list[Delivery]) -> None:
    """What the accelerator relies on: fields that stay the same need not be looked at again."""
    state, last = new("c-1"), None
    for delivery in log:
        read, has_news = asked(check, state, delivery)
        assert not (has_news and last == read)
        apply(state, delivery)
        last = None if state.findings and state.findings[-1].code == check.code else read


@pytest.mark.parametrize("experience", ["chat", "voice"])
def test_states_share_what_is_kept_of_most_conversations(experience: str) -> None:
    one, other = new("c-1"), new("c-2")
    for state in (one, other):
        event = transfer("NA entry", "a-1", experience=experience)
        apply(state, read_line(json.dumps(body(event))))

    assert one.kept is other.kept
    assert [each for each in one.kept if each is not None] == [experience]
