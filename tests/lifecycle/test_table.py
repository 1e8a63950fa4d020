"""The table as data: total, without dead rows, and every rule it names is the catalogue's."""

from collections import deque

import pytest
from tests.lifecycle.test_against_oracle import clone

from segue.events import EventKind
from segue.findings import BY_CODE, RULES
from segue.lifecycle import (
    ROWS,
    TABLE,
    Phase,
    Roster,
    Situation,
    advance,
    expected,
    situations,
)
from segue.lifecycle.table import compile_rows

KINDS = [kind for kind in EventKind if kind is not EventKind.UNPROCESSABLE]
TRANSFERS = [kind for kind in KINDS if kind.is_entry or kind.is_exit]


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("kind", KINDS)
def test_every_situation_has_a_cell_and_nothing_else_has(phase: Phase, kind: EventKind) -> None:
    filled = {index for index, cell in enumerate(TABLE[phase][kind]) if cell is not None}

    assert filled == {situation.number for situation in situations(phase)}


def test_a_situation_is_read_back_from_its_number() -> None:
    for phase in Phase:
        for situation in situations(phase):
            assert Situation.of(situation.number) == situation


def test_the_rows_name_exactly_the_rules_of_order_and_agents() -> None:
    named = {row.code for row in ROWS if row.code is not None}

    elsewhere = {"SG108", "SG206"}  # found at the close, and by spelling
    assert named == {rule.code for rule in RULES if rule.family in (1, 2)} - elsewhere


def test_two_rows_for_one_cell_are_refused() -> None:
    with pytest.raises(ValueError, match="two rows for waiting, NA entry"):
        compile_rows([*ROWS, ROWS[4]])


def test_a_cell_without_a_row_is_refused() -> None:
    with pytest.raises(ValueError, match="no row for waiting, NA entry"):
        compile_rows([row for row in ROWS if row is not ROWS[4]])


def test_the_end_is_final() -> None:
    assert {
        (cell.to, cell.effect.name)
        for cells in TABLE[Phase.ENDED].values()
        for cell in cells
        if cell is not None
    } == {(Phase.ENDED, "NONE")}


def test_who_is_present_agrees_with_the_phase_whatever_happens() -> None:
    queue = deque([(Roster(), 0)])
    while queue:
        roster, depth = queue.popleft()
        has_consultants = bool(roster.consultants)
        match roster.phase:
            case Phase.ACTIVE:
                assert (roster.primary is not None, has_consultants) == (True, False)
            case Phase.CONSULTING:
                assert (roster.primary is not None, has_consultants) == (True, True)
            case Phase.TRANSFERRING:
                assert roster.primary is None
            case _:
                assert (roster.primary, has_consultants) == (None, False)
        present = roster.present
        assert len(set(present)) == len(present)
        assert not set(present) & set(roster.marks)
        if depth < 3:
            for kind in (*TRANSFERS, EventKind.SUMMARY, EventKind.END):
                for agent in "abc" if kind in TRANSFERS else ("",):
                    twin = clone(roster)
                    advance(twin, kind, agent)
                    queue.append((twin, depth + 1))


@pytest.mark.parametrize(
    ("stream", "legal"),
    [
        ([], ("NA entry by another agent", "redial entry by another agent", "message")),
        (
            [(EventKind.NA_ENTRY, "a")],
            ("NA exit by a", "COLD exit by a", "WARM entry by another agent", "message"),
        ),
        (
            [(EventKind.NA_ENTRY, "a"), (EventKind.COLD_EXIT, "a")],
            ("COLD entry by a", "COLD entry by another agent", "message"),
        ),
        (
            [(EventKind.NA_ENTRY, "a"), (EventKind.WARM_ENTRY, "b")],
            ("WARM entry by another agent", "WARM exit by a", "WARM exit by b", "message"),
        ),
        (
            [(EventKind.NA_ENTRY, "a"), (EventKind.NA_EXIT, "a")],
            (
                "redial entry by a",
                "redial entry by another agent",
                "TRIGGER_SUMMARY_EVENT",
                "END_OF_CONVERSATION",
                "message",
            ),
        ),
        ([(EventKind.END, "")], ()),
    ],
    ids=["waiting", "active", "transferring", "consulting", "released", "ended"],
)
def test_what_is_expected(stream: list[tuple[EventKind, str]], legal: tuple[str, ...]) -> None:
    roster = Roster()
    for kind, agent in stream:
        advance(roster, kind, agent)

    assert expected(roster) == legal


def test_an_agent_whose_name_is_our_placeholder_is_not_mistaken_for_a_newcomer() -> None:
    roster = Roster()
    advance(roster, EventKind.NA_ENTRY, "#")

    assert "NA exit by #" in expected(roster)
    assert "WARM entry by another agent" in expected(roster)


def test_an_unnamed_primary_may_leave() -> None:
    roster = Roster()
    advance(roster, EventKind.WARM_ENTRY, "b")
    advance(roster, EventKind.WARM_EXIT, "b")

    assert "NA exit by the agent no event named" in expected(roster)


def test_severities_of_the_legal_rows_are_notes() -> None:
    assert {BY_CODE[code].severity.value for code in ("SG118", "SG119", "SG120", "SG207")} == {
        "note"
    }
