"""Links between standings lead where a step leads, and there are none but for legal events."""

import pytest
from tests.lifecycle.scenes import rosters
from tests.streams import clone

from segue.events import EventKind
from segue.lifecycle import (
    AGENTLESS_KINDS,
    INTRODUCING_KINDS,
    MESSAGES,
    TABLE,
    Phase,
    Roster,
    Standing,
    advance,
    standing_of,
)

KINDS = set(EventKind) - {EventKind.UNPROCESSABLE, EventKind.CLOSE}
NEW = "x"
NOT_ORDER = {"previous", "spellings", "told", "known"}
"""What of a roster a standing does not say."""


@pytest.fixture(autouse=True)
def remember_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.lifecycle.standing._MOST", 10**6)


def order(roster: Roster) -> str:
    """All that ordering depends on; as text, for None is not False."""
    names = [name for name in Roster.__slots__ if name not in NOT_ORDER]
    return repr([getattr(roster, name) for name in names])


def stands(roster: Roster) -> Standing:
    standing = standing_of(roster)
    assert standing is not None
    return standing


def number_of(roster: Roster, kind: EventKind, agent: str) -> int | None:
    return (
        len(roster.known) if agent == NEW and kind in INTRODUCING_KINDS else roster.known.get(agent)
    )


def test_a_roster_is_where_it_stands() -> None:
    for _, roster in rosters():
        elsewhere = Roster()
        elsewhere.known = dict(roster.known)
        standing = stands(roster)
        standing.settle(elsewhere)

        assert standing.phase is roster.phase
        assert repr(sorted(elsewhere.marks.items())) == repr(sorted(roster.marks.items()))
        elsewhere.marks, elsewhere.reliefs = roster.marks, roster.reliefs  # whatever their order
        assert order(elsewhere) == order(roster)
        assert stands(elsewhere) is standing


def test_links_lead_where_a_step_leads() -> None:
    taken = set()
    for _, roster in rosters():
        standing = stands(roster)
        for kind in KINDS:
            for agent in ("",) if kind in AGENTLESS_KINDS else (*roster.known, NEW):
                number = number_of(roster, kind, agent)
                link = standing.links[kind, number]
                cell = TABLE[roster.phase][kind][roster.situate(agent)]
                assert cell is not None
                if cell.code is not None:
                    assert link is None
                elif number is not None or kind in AGENTLESS_KINDS | MESSAGES:
                    assert link is not None
                    after = clone(roster)
                    move = advance(after, kind, agent)
                    assert (move.code, move.stamp) == (None, link.stamp)
                    assert link.to is (standing if kind in MESSAGES else stands(after))
                    taken.add(kind)

    assert taken == KINDS - {EventKind.REDIAL_EXIT}


@pytest.mark.parametrize("kind", [EventKind.NA_EXIT, EventKind.REDIAL_ENTRY])
def test_an_agent_nobody_knows_has_no_link_but_by_an_entry(kind: EventKind) -> None:
    roster = Roster()
    advance(roster, EventKind.NA_ENTRY, "ann")
    standing = stands(roster)

    assert standing.links[kind, None] is None
    assert standing.links[EventKind.UNPROCESSABLE, 0] is None
    assert standing.links[EventKind.WARM_ENTRY, 1] is not None


def test_names_do_not_matter() -> None:
    one, other = Roster(), Roster()
    for kind, first, second in (
        (EventKind.NA_ENTRY, "ann", "cas"),
        (EventKind.WARM_ENTRY, "bob", "ann"),
    ):
        advance(one, kind, first)
        advance(other, kind, second)

    assert stands(one) is stands(other)
    advance(one, EventKind.WARM_EXIT, "bob")
    assert stands(one) is not stands(other)


def test_a_crowd_has_no_standing() -> None:
    roster = Roster()
    advance(roster, EventKind.NA_ENTRY, "agent 0")
    for number in range(1, 16):
        advance(roster, EventKind.WARM_ENTRY, f"agent {number}")

    assert stands(roster).phase is Phase.CONSULTING
    assert stands(roster).links[EventKind.WARM_ENTRY, 16] is None
    advance(roster, EventKind.WARM_ENTRY, "agent 16")
    assert standing_of(roster) is None


def test_only_so_many_standings_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.lifecycle.standing._MOST", 0)
    roster = Roster()
    roster.early_summary = roster.na_entered = roster.doubted = True
    roster.last = roster.primary = ""

    assert standing_of(roster) is None
