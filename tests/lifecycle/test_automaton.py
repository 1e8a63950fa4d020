"""The `transitions` machine goes where the table goes, for every cell and on long walks."""

from random import Random

import pytest

import segue.lifecycle.automaton  # noqa: F401 - the module must not shadow the function
from segue.events import EventKind
from segue.lifecycle import (
    TABLE,
    Phase,
    Roster,
    Situation,
    advance,
    machine,
    situations,
    trigger_name,
)


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
        roster = Roster()
        built.set_state(Phase.WAITING, model)
        for _ in range(12):
            kind, agent = random.choice(kinds), random.choice("abc")
            trigger = trigger_name(kind, Situation.of(roster.situate(agent)))
            advance(roster, kind, agent)
            getattr(model, trigger)()
            assert model.state is roster.phase


def test_a_machine_without_a_model_is_for_looking_at() -> None:
    built = machine()

    assert set(built.states) == {phase.name for phase in Phase}
    assert built.get_triggers(Phase.ENDED.name)
