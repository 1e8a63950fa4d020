"""A decision has the values of its cell in the table."""

from segue.core.events import EventKind
from segue.core.lifecycle import TABLE, Decision, Phase, PresenceEffect
from segue.core.lifecycle.table import Cell


def test_a_decision_has_the_values_of_its_cell() -> None:
    for phase, kinds in TABLE.items():
        for kind, cells in kinds.items():
            for cell in filter(None, cells):
                made = Decision.make(phase, kind, cell, is_reported=True)
                assert made[:6] == (phase, kind, cell.to, cell.effect, cell.code, cell.connects)


def test_a_silenced_decision_is_not_reported() -> None:
    cell = Cell(Phase.ACTIVE, "SG102", PresenceEffect.TAKE_EXCUSING, doubts=False, connects=True)
    reported, silenced = (
        Decision.make(Phase.ACTIVE, EventKind.NA_ENTRY, cell, is_reported=is_reported)
        for is_reported in (True, False)
    )

    assert (reported.reported_code, silenced.reported_code) == ("SG102", None)
    assert reported.code == silenced.code
