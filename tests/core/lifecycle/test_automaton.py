"""The `transitions` machine goes where the table goes, for every cell and on long walks."""

from random import Random
from typing import Any

import pytest
from tests.core.lifecycle.walker import Walker

import segue.core.lifecycle.state_machine  # noqa: F401 - the module must not shadow the function
from segue.core.events import EventKind
from segue.core.lifecycle import (
    TABLE,
    AgentRole,
    Phase,
    Situation,
    Uncertainty,
    machine,
    situations,
)
from segue.core.lifecycle.triggers import trigger_name

CERTAIN, UNNAMED, DOUBTED = Uncertainty.NONE, Uncertainty.UNNAMED, Uncertainty.DOUBTED


class Conversation:
    """A model: the machine gives it a phase and a method for every trigger."""

    state: Phase


@pytest.mark.parametrize("phase", Phase)
def test_every_cell_of_the_table_is_a_move_of_the_machine(phase: Phase) -> None:
    model = Conversation()
    built = machine(model)
    for kind, cells in TABLE[phase].items():
        for situation in situations(phase):
            cell = cells[situation.number]
            built.set_state(phase, model)
            getattr(model, trigger_name(kind, situation))()
            assert cell is not None
            assert model.state is cell.to


def test_the_machine_walks_with_the_table() -> None:
    model = Conversation()
    built = machine(model)
    random = Random("walk")
    kinds = [kind for kind in EventKind if kind.is_entry or kind.is_exit]
    for _ in range(300):
        walker = Walker()
        built.set_state(Phase.WAITING, model)
        for _ in range(12):
            kind, agent = random.choice(kinds), random.choice("abc")
            trigger = trigger_name(kind, Situation.of(walker.situation(agent)))
            walker.take(kind, agent)
            getattr(model, trigger)()
            assert model.state is walker.phase


def test_a_machine_without_a_model_is_for_looking_at() -> None:
    built = machine()

    assert set(built.states) == {phase.name for phase in Phase}
    assert built.get_triggers(Phase.ENDED.name)


@pytest.mark.parametrize(
    ("kind", "situation", "name"),
    [
        (EventKind.NA_ENTRY, (AgentRole.OWED, CERTAIN, 0), "na_entry__owed__certain__alone"),
        (EventKind.WARM_ENTRY, (AgentRole.ABSENT, DOUBTED, 2), "warm_entry__absent"),
        (EventKind.REDIAL_EXIT, (AgentRole.LAST, UNNAMED, 1), "redial_exit__last__beside_one"),
        (
            EventKind.AGENT_MESSAGE,
            (AgentRole.PRIMARY, DOUBTED, 1),
            "agent_message__primary__doubted",
        ),
        (EventKind.END, (AgentRole.ABSENT, DOUBTED, 0), "end__doubted__alone"),
        (
            EventKind.WARM_EXIT,
            (AgentRole.CONSULTANT, DOUBTED, 1),
            "warm_exit__consultant__doubted__beside_one",
        ),
        (
            EventKind.NA_EXIT,
            (AgentRole.ABSENT, UNNAMED | DOUBTED, 2),
            "na_exit__absent__unnamed_doubted__beside_more",
        ),
        (
            EventKind.SUMMARY,
            (AgentRole.ABSENT, UNNAMED, 0),
            "summary__unnamed__alone",
        ),
        (EventKind.USER_MESSAGE, (AgentRole.PRIMARY, CERTAIN, 0), "user_message"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_trigger_names_what_the_table_asks_for_and_nothing_else(
    kind: EventKind, situation: tuple[AgentRole, Uncertainty, int], name: str
) -> None:
    assert trigger_name(kind, Situation(*situation)) == name


def test_a_machine_has_the_triggers_of_the_table_and_no_others() -> None:
    built = machine(model := Conversation())
    named = {
        trigger_name(kind, situation)
        for phase in Phase
        for kind in TABLE[phase]
        for situation in situations(phase)
    }

    assert set(built.events) == named
    assert not hasattr(model, "to_active")


def test_callbacks_are_told_of_the_event() -> None:
    heard: list[object] = []

    class Listener(Conversation):
        def on_enter_ACTIVE(self, event: Any) -> None:  # noqa: N802 - the name transitions asks for
            heard.append(event.event.name)

    machine(listener := Listener())
    trigger = trigger_name(EventKind.NA_ENTRY, Situation(AgentRole.ABSENT, CERTAIN, 0))
    getattr(listener, trigger)()

    assert heard == [trigger]
