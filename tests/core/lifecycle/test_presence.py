"""What a presence begins with, what it remembers of whom, and what of it can be compared."""

import json

from tests.core.lifecycle.walker import Walker

from segue.core.events import EventKind
from segue.core.lifecycle import UNNAMED, AgentRole, Phase, Presence


def walked(*events: tuple[EventKind, str]) -> tuple[Walker, list[tuple[str, ...]]]:
    walker = Walker()
    return walker, [walker.take(kind, agent, (kind, agent)) for kind, agent in events]


def test_a_conversation_begins_with_no_agent_and_nothing_reported() -> None:
    assert Presence() == Presence(
        phase=Phase.WAITING,
        primary=None,
        consultants=(),
        last=None,
        pending_exits=(),
        replaced=(),
        consulted=(),
        in_doubt=False,
        na_entered=False,
        early_summary=False,
        reported_once=(),
        agents=0,
    )


def test_a_log_that_begins_late_begins_with_an_agent_whom_no_event_named() -> None:
    start = Presence(phase=Phase.ACTIVE, primary=UNNAMED, begins_late=True)
    assert Presence.truncated_start() == start


def test_a_presence_comes_back_from_json() -> None:
    walker, _ = walked(
        (EventKind.COLD_ENTRY, "a"),
        (EventKind.COLD_ENTRY, "b"),
        (EventKind.WARM_ENTRY, "c"),
        (EventKind.NA_ENTRY, "d"),
    )
    presence = walker.presence

    assert presence.pending_exits == ((0, AgentRole.OWED), (1, AgentRole.EXCUSED))
    assert Presence.from_json(json.loads(json.dumps(presence._asdict()))) == presence


def test_presences_that_differ_in_who_the_others_are_become_equal() -> None:
    one = Presence(Phase.CONSULTING, primary=2, consultants=(0, 1), last=3, agents=4)
    other = Presence(Phase.CONSULTING, primary=1, consultants=(0, 3), last=2, agents=4)

    assert one.renumbered(0) == other.renumbered(0)
    assert one.renumbered(0) != other.renumbered(3)


def test_the_na_entry_that_was_missing_may_come_late_once() -> None:
    _, codes = walked(
        (EventKind.COLD_ENTRY, "a"),
        (EventKind.NA_ENTRY, "b"),
        (EventKind.WARM_ENTRY, "c"),
        (EventKind.NA_ENTRY, "d"),
    )

    assert codes == [("SG101",), (), (), ("SG102",)]


def test_whoever_was_there_when_everybody_may_have_left_was_the_last() -> None:
    walker, codes = walked(
        (EventKind.NA_ENTRY, "a"),
        (EventKind.NA_ENTRY, "b"),
        (EventKind.NA_EXIT, "a"),
        (EventKind.SUMMARY, ""),
    )

    assert codes == [(), ("SG102",), (), ()]
    assert (walker.phase, walker.last) == (Phase.SUMMARIZED, "b")


def test_who_left_stays_the_last_when_nobody_named_came_after() -> None:
    walker, _ = walked(
        (EventKind.NA_ENTRY, "a"),
        (EventKind.COLD_EXIT, "a"),
        (EventKind.WARM_ENTRY, "b"),
        (EventKind.WARM_EXIT, "b"),
        (EventKind.SUMMARY, ""),
    )

    assert (walker.phase, walker.last) == (Phase.SUMMARIZED, "a")
