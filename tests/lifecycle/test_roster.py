"""What a roster begins with, and what it remembers of whom."""

from operator import eq

from segue.events import EventKind
from segue.lifecycle import UNNAMED, Phase, Roster, advance


def kept(roster: Roster) -> dict[str, object]:
    return {name: getattr(roster, name) for name in Roster.__slots__}


def told(*events: tuple[EventKind, str]) -> tuple[Roster, list[str | None]]:
    roster = Roster()
    moves = [advance(roster, kind, agent, (kind, agent), same=eq) for kind, agent in events]
    return roster, [move.code for move in moves]


def test_a_conversation_begins_with_nobody_and_nothing_said() -> None:
    beginning = kept(Roster())

    assert repr(beginning) == repr(
        dict.fromkeys(Roster.__slots__)
        | {
            "phase": Phase.WAITING,
            "consultants": (),
            "doubted": False,
            "early_summary": False,
            "known": {},
            "marks": {},
            "na_entered": False,
            "reliefs": {},
            "spellings": frozenset(),
            "told": frozenset(),
        }
    )


def test_a_log_that_begins_late_begins_with_somebody_nobody_named() -> None:
    differences = {
        name: value
        for name, value in kept(Roster.midway()).items()
        if value != getattr(Roster(), name)
    }

    assert differences == {"phase": Phase.ACTIVE, "primary": UNNAMED}


def test_the_na_entry_that_was_missing_may_come_late_once() -> None:
    _, codes = told(
        (EventKind.COLD_ENTRY, "a"),
        (EventKind.NA_ENTRY, "b"),
        (EventKind.WARM_ENTRY, "c"),
        (EventKind.NA_ENTRY, "d"),
    )

    assert codes == ["SG101", None, None, "SG102"]


def test_whoever_was_there_when_everybody_may_have_left_was_the_last() -> None:
    roster, codes = told(
        (EventKind.NA_ENTRY, "a"),
        (EventKind.NA_ENTRY, "b"),
        (EventKind.NA_EXIT, "a"),
        (EventKind.SUMMARY, ""),
    )

    assert codes == [None, "SG102", None, None]
    assert (roster.phase, roster.last) == (Phase.SUMMARIZED, "b")


def test_who_left_stays_the_last_when_nobody_named_came_after() -> None:
    roster, _ = told(
        (EventKind.NA_ENTRY, "a"),
        (EventKind.COLD_EXIT, "a"),
        (EventKind.WARM_ENTRY, "b"),
        (EventKind.WARM_EXIT, "b"),
        (EventKind.SUMMARY, ""),
    )

    assert (roster.phase, roster.last) == (Phase.SUMMARIZED, "a")
