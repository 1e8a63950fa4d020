"""What one step tells its caller: who was meant, what was before and after, what was legal."""

from operator import eq

from segue.events import EventKind
from segue.lifecycle import Decision, Effect, Move, Phase, Roster, advance


def told(*events: tuple[EventKind, str]) -> Roster:
    roster = Roster()
    for kind, agent in events:
        advance(roster, kind, agent, (kind, agent), same=eq)
    return roster


def test_a_move_tells_of_before_and_after() -> None:
    roster = told((EventKind.NA_ENTRY, "ann"), (EventKind.WARM_ENTRY, "bob"))

    assert advance(roster, EventKind.WARM_EXIT, "ANN") == Move(
        kind=EventKind.WARM_EXIT,
        agent="ann",
        code="SG119",
        effect=Effect.PROMOTE,
        phase_before=Phase.CONSULTING,
        phase=Phase.ACTIVE,
        primary_before="ann",
        primary="bob",
        consultants_before=("bob",),
        consultants=(),
        last_before=None,
        respelled=True,
        expected=(
            "WARM entry by another agent",
            "WARM exit by ann",
            "WARM exit by bob",
            "message",
        ),
        stamp=Decision(
            Phase.CONSULTING,
            EventKind.WARM_EXIT,
            Phase.ACTIVE,
            Effect.PROMOTE,
            "SG119",
            connects=False,
        ).stamp,
    )


def test_a_repeat_leaves_everything_and_says_so() -> None:
    roster = told(
        (EventKind.NA_ENTRY, "ann"),
        (EventKind.COLD_EXIT, "ann"),
        (EventKind.COLD_ENTRY, "bob"),
        (EventKind.WARM_ENTRY, "cid"),
        (EventKind.WARM_ENTRY, "cid"),
    )
    kind = EventKind.WARM_ENTRY

    move = advance(roster, kind, "cid", (kind, "cid"), same=eq)

    assert move == Move(
        kind=kind,
        agent="cid",
        code="SG601",
        effect=Effect.NONE,
        phase_before=Phase.CONSULTING,
        phase=Phase.CONSULTING,
        primary_before="bob",
        primary="bob",
        consultants_before=("cid",),
        consultants=("cid",),
        last_before="ann",
        respelled=False,
        expected=(
            "WARM entry by ann",
            "WARM entry by another agent",
            "WARM exit by bob",
            "WARM exit by cid",
            "message",
        ),
        stamp=move.stamp,
    )
    assert move.respelled is False
    assert Decision.of(move.stamp).code == "SG203"


def test_a_repeat_in_another_letter_case_does_not_count_as_a_new_spelling() -> None:
    roster = told((EventKind.NA_ENTRY, "ann"), (EventKind.WARM_EXIT, "Bob"))

    repeated = advance(roster, EventKind.WARM_EXIT, "Bob", (EventKind.WARM_EXIT, "Bob"), same=eq)

    assert (repeated.code, repeated.respelled, repeated.agent) == ("SG601", False, "Bob")


def test_what_was_legal_is_worked_out_for_an_offence_only() -> None:
    move = advance(Roster(), EventKind.NA_ENTRY, "ann")

    assert (move.code, move.expected) == (None, ())


def test_every_spelling_is_new_once() -> None:
    roster = told((EventKind.NA_ENTRY, "ann"))
    spellings = ["ANN", "Ann", "ANN", "Ann", "ann"]
    kind = EventKind.AGENT_MESSAGE

    assert [advance(roster, kind, each).respelled for each in spellings] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_without_a_way_to_compare_nothing_repeats() -> None:
    roster = told((EventKind.NA_ENTRY, "ann"))
    kind = EventKind.NA_ENTRY

    assert advance(roster, kind, "ann", (kind, "ann")).code == "SG203"
    assert advance(roster, kind, "ann", (kind, "ann"), same=eq).code == "SG601"
