"""The short way of one step: it leads where the long way leads, or leaves everything as it is."""

from tests.lifecycle.scenes import rosters
from tests.streams import clone

from segue.events import EventKind
from segue.lifecycle import MESSAGES, TABLE, UNNAMED, Roster, advance, proceed

NOBODYS = {EventKind.SUMMARY, EventKind.END}
KINDS = {*EventKind} - {*MESSAGES, EventKind.UNPROCESSABLE, EventKind.CLOSE}
VALUE = {"name": "INTERNAL_TRANSFER_EVENT"}


def kept(roster: Roster) -> str:
    """All that a roster knows; as text, for None is not False."""
    return repr([getattr(roster, name) for name in Roster.__slots__])


def is_plain(roster: Roster, kind: EventKind, agent: str) -> bool:
    """Whether an event is legal, nothing is awaited, and its agent is as good as known."""
    cell = TABLE[roster.phase][kind][roster.situate(agent)]
    is_certain = not (roster.marks or roster.doubted or roster.primary == UNNAMED)
    names_its_agent = kind.is_entry and kind is not EventKind.REDIAL_ENTRY
    is_known = agent in roster.known or kind in NOBODYS or names_its_agent
    return is_certain and is_known and cell is not None and cell.code is None


def test_the_short_way_leads_where_the_long_way_leads_or_nowhere() -> None:
    taken = set()
    for _, roster in rosters():
        for kind in KINDS:
            for agent in ("",) if kind in NOBODYS else (*roster.known, "x"):
                short = clone(roster)
                cell = proceed(short, kind, agent, VALUE)
                if cell is None:
                    assert not is_plain(roster, kind, agent)
                    assert kept(short) == kept(roster)
                    continue
                taken.add(kind)
                long = clone(roster)
                move = advance(long, kind, agent, VALUE)
                assert (move.code, move.stamp, move.respelled) == (None, cell.stamp, False)
                assert kept(short) == kept(long)

    assert taken == KINDS - {EventKind.REDIAL_EXIT}


def test_a_spelling_nobody_has_is_left_to_the_long_way() -> None:
    roster = Roster()
    proceed(roster, EventKind.NA_ENTRY, "ann", VALUE)

    assert proceed(clone(roster), EventKind.NA_EXIT, "Ann", VALUE) is None
    assert proceed(clone(roster), EventKind.WARM_ENTRY, "Ann", VALUE) is not None
    assert proceed(roster, EventKind.NA_EXIT, "ann", VALUE) is not None
    assert proceed(clone(roster), EventKind.REDIAL_ENTRY, "Ann", VALUE) is None
    assert proceed(roster, EventKind.REDIAL_ENTRY, "ann", VALUE) is not None
