"""The table as data: total, without dead rows, and every rule it names is the catalogue's."""

from copy import copy

import pytest
from tests.core.lifecycle.scenes import ASKED, complete, places, scenes
from tests.core.lifecycle.test_table_mutants import is_sound
from tests.core.lifecycle.walker import Walker
from tests.families import family

from segue.core.events import EventKind
from segue.core.findings import BY_CODE, RULES
from segue.core.lifecycle import ROWS, TABLE, Phase, Situation, is_legal, situations
from segue.core.lifecycle.table import compile_rows

KINDS = [kind for kind in EventKind if kind is not EventKind.UNPROCESSABLE]
of_agents = pytest.mark.parametrize(
    "agents", ["abc", pytest.param("abcd", marks=pytest.mark.thorough)]
)


@family("phase", Phase)
@family("kind", KINDS)
def test_every_situation_has_a_cell_and_nothing_else_has(phase: Phase, kind: EventKind) -> None:
    filled = {index for index, cell in enumerate(TABLE[phase][kind]) if cell is not None}

    assert filled == {situation.number for situation in situations(phase)}


def test_a_situation_is_read_back_from_its_number() -> None:
    for phase in Phase:
        for situation in situations(phase):
            assert Situation.of(situation.number) == situation


def test_the_rows_name_exactly_the_rules_of_order_and_agents() -> None:
    named = {row.code for row in ROWS if row.code is not None}

    elsewhere = {"SG108", "SG206", "SG209"}  # found at the close, by spelling, by flags
    assert named == {rule.code for rule in RULES if rule.family in (1, 2)} - elsewhere


def test_the_table_is_what_its_rows_say_and_nobody_has_changed_it() -> None:
    assert compile_rows(ROWS) == TABLE


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


def test_every_row_names_a_cell() -> None:
    named = {
        (cell.code, cell.effect, phase, kind)
        for phase, kinds in TABLE.items()
        for kind, cells in kinds.items()
        for cell in cells
        if cell is not None
    }

    for row in ROWS:
        for kind in row.kinds:
            assert any((row.code, row.effect, phase, kind) in named for phase in row.phases), row


@pytest.mark.thorough
def test_every_situation_comes_about() -> None:
    """A summary, an END and the close are nobody's: of them only one role is ever asked."""
    met = {(phase, number) for phase, kind, number in scenes() if kind is EventKind.NA_ENTRY}

    assert met == {(phase, each.number) for phase in Phase for each in complete(phase)}
    assert [key for key, leading in scenes().items() if not leading] == []
    nobodys = {kind for kind, roles in ASKED.items() if len(roles) == 1}
    assert nobodys == {EventKind.SUMMARY, EventKind.END, EventKind.CLOSE}


@pytest.mark.thorough
def test_every_rule_of_the_rows_comes_about() -> None:
    asked = {
        cell.code
        for phase, kind, number in scenes()
        for cell in (TABLE[phase][kind][number],)
        if cell is not None and cell.code is not None
    }

    assert asked == {row.code for row in ROWS if row.code is not None}


@of_agents
def test_who_is_present_agrees_with_the_phase_whatever_happens(agents: str) -> None:
    assert [stream for stream, walker in places(agents) if not is_sound(walker)] == []


@of_agents
def test_what_is_said_of_a_roster_mentions_nobody_who_was_never_named(agents: str) -> None:
    for _, walker in places(agents):
        people = {*walker.present, *walker.pending_exits, *filter(None, (walker.last,))}
        assert people <= set(walker.names)
        assert set(walker.replaced) <= set(walker.names)


@of_agents
@pytest.mark.parametrize("phase", Phase)
def test_every_phase_leads_legally_to_the_end(phase: Phase, agents: str) -> None:
    for walker in [walker for _, walker in places(agents) if walker.phase is phase][:50]:
        ways, seen = [walker], {phase}
        while ways and Phase.ENDED not in seen:
            here = ways.pop(0)
            for kind in KINDS:
                for agent in (*here.names, "x"):
                    twin = copy(here)
                    legal = all(map(is_legal, twin.take(kind, agent)))
                    if legal and (twin.phase not in seen or len(twin.present) < len(here.present)):
                        seen.add(twin.phase)
                        ways.append(twin)
        assert Phase.ENDED in seen


@pytest.mark.parametrize(
    ("stream", "legal"),
    [
        (
            [],
            (
                "NA entry by an agent",
                "redial entry by an agent",
                "END_OF_CONVERSATION",
                "message",
            ),
        ),
        (
            [(EventKind.NA_ENTRY, "a")],
            ("NA exit by a", "COLD exit by a", "WARM entry by another agent", "message"),
        ),
        (
            [(EventKind.NA_ENTRY, "a"), (EventKind.COLD_EXIT, "a")],
            ("NA exit by a", "COLD entry by a", "COLD entry by another agent", "message"),
        ),
        (
            [(EventKind.NA_ENTRY, "a"), (EventKind.WARM_ENTRY, "b")],
            (
                "COLD exit by a",
                "WARM entry by another agent",
                "WARM exit by a",
                "WARM exit by b",
                "message",
            ),
        ),
        (
            [
                (EventKind.NA_ENTRY, "a"),
                (EventKind.WARM_ENTRY, "b"),
                (EventKind.WARM_EXIT, "b"),
            ],
            (
                "NA exit by a",
                "COLD exit by a",
                "WARM entry by another agent",
                "redial entry by b",
                "message",
            ),
        ),
        (
            [
                (EventKind.NA_ENTRY, "a"),
                (EventKind.WARM_ENTRY, "b"),
                (EventKind.COLD_EXIT, "a"),
            ],
            (
                "NA exit by b",
                "COLD entry by b",
                "COLD entry by a",
                "COLD entry by another agent",
                "COLD exit by b",
                "WARM exit by b",
                "message",
            ),
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
    ids=[
        "waiting",
        "active",
        "transferring",
        "consulting",
        "reconnecting",
        "taking over",
        "released",
        "ended",
    ],
)
def test_what_is_expected(stream: list[tuple[EventKind, str]], legal: tuple[str, ...]) -> None:
    walker = Walker()
    for kind, agent in stream:
        walker.take(kind, agent)

    assert walker.expected() == legal


@of_agents
def test_whatever_is_expected_is_legal(agents: str) -> None:
    for stream, walker in places(agents):
        for label in walker.expected():
            kind, _, agent = label.partition(" by ")
            codes = copy(walker).take(EventKind(kind), agent if agent in walker.names else "x")
            assert all(map(is_legal, codes)), (stream, label)


def test_an_unnamed_primary_may_leave() -> None:
    walker = Walker()
    walker.take(EventKind.WARM_ENTRY, "b")
    walker.take(EventKind.WARM_EXIT, "b")

    assert "NA exit by the agent no event named" in walker.expected()


def test_another_agent_is_another_than_somebody() -> None:
    nobody, somebody = Walker(), Walker.truncated_start()
    nobody.take(EventKind.WARM_EXIT, "a")

    assert nobody.expected()[0] == "NA entry by an agent"
    assert somebody.expected()[0] == "NA entry by another agent"


def test_severities_of_the_legal_rows_are_notes() -> None:
    notes = {
        "SG105",
        "SG116",
        "SG118",
        "SG119",
        "SG120",
        "SG122",
        "SG123",
        "SG207",
    }  # lifecycle.md §5
    assert {code for code in notes if BY_CODE[code].severity.value == "note"} == notes
