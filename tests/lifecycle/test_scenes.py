"""The scenes can be trusted: what they call the same roster can never be told apart."""

from collections.abc import Iterator

import pytest
from tests.lifecycle.scenes import ASKED, essence, rosters
from tests.streams import clone

from segue.events import EventKind
from segue.lifecycle import Phase, Roster, advance


@pytest.mark.exhaustive
@pytest.mark.parametrize("phase", Phase)
def test_what_the_essence_leaves_out_changes_no_verdict(phase: Phase) -> None:
    """The same code and the same essence after any event: hence the same for ever after."""
    compared = 0
    for stream, roster in rosters():
        if roster.phase is phase:
            verdicts = _verdicts(roster)
            for twin in _twins(roster):
                assert _verdicts(twin) == verdicts, stream
                compared += 1

    assert compared


def _twins(roster: Roster) -> Iterator[Roster]:
    """Yield the roster with something else in one place, wherever that is said not to matter."""
    others: list[tuple[str, object]] = [
        ("doubted", not roster.doubted),
        ("early_summary", not roster.early_summary),
        ("reliefs", {}),
    ]
    if roster.phase is not Phase.WAITING:  # while waiting, nobody has been and no NA entry came
        others += [("na_entered", not roster.na_entered), ("last", None if roster.last else "a")]
    for name, value in others:
        twin = clone(roster)
        setattr(twin, name, value)
        if value != getattr(roster, name) and essence(twin) == essence(roster):
            yield twin


def _verdicts(roster: Roster) -> list[tuple[object, ...]]:
    """Return what every event would give; after the close nothing comes, so its phase is all."""
    found: list[tuple[object, ...]] = []
    for kind, roles in ASKED.items():
        for agent in (*roster.known, "x") if len(roles) > 1 else ("",):
            twin = clone(roster)
            code = advance(twin, kind, agent).code
            found.append((code, twin.phase if kind is EventKind.CLOSE else essence(twin)))
    return found
