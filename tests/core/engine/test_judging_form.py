"""The form of a state says all that later events are judged by, and nothing else."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import pytest
from hypothesis import assume, given, strategies as st

from segue.core.engine import CHECKS, apply, judging_form, new
from segue.core.engine.judging_form import copy_of, form_of, has_forms
from segue.core.engine.snapshot import dump
from segue.core.engine.state import State
from segue.core.events import HOOKS, INTAKES, ActionKind, Delivery, Event, EventKind

KINDS = [kind for kind in EventKind if kind.is_entry or kind.is_exit] + [
    EventKind.SUMMARY,
    EventKind.USER_MESSAGE,
    EventKind.AGENT_MESSAGE,
]
ACTIONS = [kind for kind in ActionKind if kind is not ActionKind.UNPROCESSABLE]
EVENTS = st.tuples(
    st.one_of(st.sampled_from(KINDS), st.sampled_from(ACTIONS)), st.sampled_from(["0", "1"])
)

FIRST = (EventKind.NA_ENTRY, "0")  # agents are called by their numbers
LEGAL = st.lists(EVENTS, max_size=4).map(lambda rest: [FIRST, *rest])


def sent(state: State, event: tuple[EventKind | ActionKind, str], line: int) -> tuple[str, ...]:
    kind, agent = event
    intake = HOOKS if isinstance(kind, EventKind) else INTAKES["transcription"]
    delivery = Delivery("c", "b", (Event(kind, agent, "chat", {}, ""),), line=line, intake=intake)
    return tuple(finding.code for finding in apply(state, delivery).findings)


def told(events: Sequence[tuple[EventKind | ActionKind, str]], line: int = 1) -> State:
    state = new("c")
    for index, event in enumerate(events):
        sent(state, event, line + index)
    return state


@given(LEGAL, LEGAL, EVENTS)
def test_what_is_in_order_in_one_state_is_in_order_in_all_of_its_form(
    one: list[tuple[EventKind | ActionKind, str]],
    other: list[tuple[EventKind | ActionKind, str]],
    event: tuple[EventKind | ActionKind, str],
) -> None:
    first, second = told(one), told(other, line=50)
    assume(not first.findings)
    if second.findings or form_of(first) != form_of(second):
        second = told(one, line=90)
    found = sent(first, event, 7)
    assert bool(found) == bool(sent(second, event, 70))
    assert found or form_of(first) == form_of(second)


ALL = [
    *[(kind, agent) for kind in (*KINDS, *ACTIONS) for agent in ("0", "1")],
    (EventKind.END, ""),
]
MOST_ALIKE = 4
"""So many states of each form are held against each other."""


@pytest.mark.thorough
def test_all_that_two_agents_can_do_leads_from_one_form_to_one_form() -> None:
    alike: dict[Hashable, list[State]] = {}
    waiting = [told([FIRST])]
    outcomes: dict[Hashable, list[Hashable]] = {}
    while waiting and len(alike) < 400:
        state = waiting.pop(0)
        known = alike.setdefault(form_of(state), [])
        if len(known) == MOST_ALIKE:
            continue
        known.append(state)
        found: list[Hashable] = []
        for event in ALL:
            after = copy_of(state)
            is_wrong = bool(sent(after, event, 1))
            found.append(is_wrong or form_of(after))
            if not is_wrong and not after.ended:
                waiting.append(after)
        assert outcomes.setdefault(form_of(state), found) == found
    assert sum(len(states) > 1 for states in alike.values()) > 50


def test_connections_count_from_the_present_one_and_only_for_who_transcribes() -> None:
    once: list[tuple[EventKind | ActionKind, str]] = [FIRST]
    entry: list[tuple[EventKind | ActionKind, str]]
    entry = [(EventKind.WARM_ENTRY, "1"), (EventKind.WARM_EXIT, "1")]
    assert form_of(told([*once, *entry])) == form_of(told([*once, *entry, *entry]))
    paused: list[tuple[EventKind | ActionKind, str]]
    paused = [(ActionKind.START, "0"), (ActionKind.HANDOVER, "0")]
    left: list[tuple[EventKind | ActionKind, str]]
    left = [(EventKind.COLD_EXIT, "0"), (EventKind.COLD_ENTRY, "0"), (ActionKind.RESUME, "0")]
    before, now = told([*once, *paused]), told([*once, *paused, *left])
    again = told([*once, *paused, *left, *paused[1:]])
    assert len({form_of(before), form_of(now), form_of(again)}) == 3


@given(LEGAL, EVENTS)
def test_a_copy_goes_its_own_way(
    events: list[tuple[EventKind | ActionKind, str]], event: tuple[EventKind | ActionKind, str]
) -> None:
    state = told(events)
    assume(not state.findings)
    before = dump(state)
    copy = copy_of(state)
    sent(copy, event, 9)
    assert dump(state) == before
    again = copy_of(state)
    assert sent(again, event, 9) == sent(told(events), event, 9)
    assert again.findings or form_of(again) == form_of(copy)


def test_who_left_by_a_cold_exit_counts_for_the_end() -> None:
    one = told([(EventKind.NA_ENTRY, "0"), (EventKind.NA_EXIT, "0"), (EventKind.NA_ENTRY, "1")])
    other = told(
        [(EventKind.NA_ENTRY, "0"), (EventKind.COLD_EXIT, "0"), (EventKind.COLD_ENTRY, "1")]
    )
    assert form_of(one) != form_of(other)


def test_a_check_that_reads_another_field_has_no_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_forms()
    changed = (*CHECKS, replace(CHECKS[0], reads=("participant.name",)))
    monkeypatch.setattr(judging_form, "CHECKS", changed)
    assert not has_forms()
