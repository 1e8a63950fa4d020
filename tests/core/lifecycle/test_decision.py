"""A decision as a number: it comes back as it was, and old numbers keep their meaning."""

import pytest

from segue.core.events import EventKind
from segue.core.lifecycle import TABLE, Decision, Phase, PresenceEffect
from segue.core.lifecycle.table import Cell

WRITTEN = {
    0b000_0000_001_00001_0000000000_1: (
        Phase.WAITING, EventKind.NA_ENTRY, Phase.ACTIVE, PresenceEffect.TAKE, None, True,
    ),
    0b001_0010_001_00011_0001100111_1: (
        Phase.ACTIVE, EventKind.COLD_ENTRY, Phase.ACTIVE, PresenceEffect.TAKE_OWING, "SG103", True,
    ),
    0b100_1000_101_00000_0000000000_0: (
        Phase.RELEASED, EventKind.SUMMARY, Phase.SUMMARIZED, PresenceEffect.NONE, None, False,
    ),
}  # fmt: skip
"""As states that were saved have them: phase, kind, next phase, effect, rule, connects."""


@pytest.mark.parametrize("stamp", WRITTEN)
def test_numbers_that_were_saved_mean_what_they_meant(stamp: int) -> None:
    decision = Decision.of(stamp)

    assert decision[:6] == WRITTEN[stamp]
    assert decision.stamp == stamp


def test_numbers_come_back_as_the_decisions_they_were() -> None:
    for phase, kinds in TABLE.items():
        for kind, cells in kinds.items():
            for cell in filter(None, cells):
                made = Decision.make(phase, kind, cell, is_reported=True)
                assert Decision.of(made.stamp) == made
                assert made[:5] == (phase, kind, cell.to, cell.effect, cell.code)


def test_a_silenced_decision_has_the_same_number() -> None:
    cell = Cell(Phase.ACTIVE, "SG102", PresenceEffect.TAKE_EXCUSING, doubts=False, connects=True)
    reported, silenced = (
        Decision.make(Phase.ACTIVE, EventKind.NA_ENTRY, cell, is_reported=is_reported)
        for is_reported in (True, False)
    )

    assert (reported.reported_code, silenced.reported_code) == ("SG102", None)
    assert reported.stamp == silenced.stamp
