"""A decision as a number: it comes back as it was, and old numbers keep their meaning."""

from segue.events import EventKind
from segue.lifecycle import TABLE, Decision, Effect, Phase

WRITTEN = {
    0b000_0000_001_00001_0000000000_1: Decision(
        Phase.WAITING, EventKind.NA_ENTRY, Phase.ACTIVE, Effect.TAKE, None, connects=True
    ),
    0b001_0010_001_00011_0001100111_1: Decision(
        Phase.ACTIVE, EventKind.COLD_ENTRY, Phase.ACTIVE, Effect.TAKE_OWING, "SG103", connects=True
    ),
    0b100_1000_101_00000_0000000000_0: Decision(
        Phase.RELEASED, EventKind.SUMMARY, Phase.SUMMARIZED, Effect.NONE, None, connects=False
    ),
}
"""As states that were saved have them: phase, kind, next phase, effect, rule, connects."""


def test_numbers_that_were_saved_mean_what_they_meant() -> None:
    for stamp, decision in WRITTEN.items():
        assert decision.stamp == stamp
        assert Decision.of(stamp) == decision


def test_numbers_come_back_as_the_decisions_they_were() -> None:
    for phase, kinds in TABLE.items():
        for kind, cells in kinds.items():
            for cell in cells:
                if cell is None:
                    continue
                decision = Decision.of(cell.stamp)
                assert decision.stamp == cell.stamp
                assert (decision.phase, decision.kind) == (phase, kind)
                assert (decision.to, decision.effect) == (cell.to, cell.effect)
                assert decision.code == cell.code
