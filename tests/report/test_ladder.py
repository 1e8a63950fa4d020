"""A conversation as a ladder: who does what, and who is there."""

from segue.core.findings import Severity
from segue.report.ladder import Change, LadderRow, Lane, ladder_lines
from segue.report.look import Look
from segue.report.styled_text import rendered

CUSTOMER, BOT = Lane("customer"), Lane("bot")
ADA, BEN, EVE = (Lane("agent", f"a-{number}") for number in (1, 2, 3))
LANES = {CUSTOMER: "customer", BOT: "bot", ADA: "a-1 (Ada)", BEN: "a-2 (Ben)", EVE: "a-3"}


def row(place: int, lane: Lane, label: str, change: Change = "", **roles: str) -> LadderRow:
    """A row with the roles of Ada, Ben and Eve, by their first names."""
    named = {"ada": ADA, "ben": BEN, "eve": EVE}
    return LadderRow(str(place), lane, label, change, {named[n]: role for n, role in roles.items()})


ROWS = [
    row(0, CUSTOMER, "message"),
    row(1, ADA, "NA entry", "entry", ada="primary"),
    row(2, BEN, "WARM entry", "entry", ada="primary", ben="consultant"),
    row(3, CUSTOMER, "message", ada="primary", ben="consultant"),
    row(4, BEN, "WARM exit", "exit", ada="primary", ben="consultant"),
    row(5, ADA, "COLD exit", "exit", ada="primary"),
    row(6, EVE, "COLD entry", "entry", eve="primary")._replace(
        findings=[("SG999", Severity.ERROR), ("SG998", Severity.NOTE)]
    ),
    row(7, BOT, "END_OF_CONVERSATION"),
]


def test_each_has_a_column_and_those_present_a_line() -> None:
    assert rendered(ladder_lines(LANES, ROWS, Look())).splitlines() == [
        "     customer   bot        a-1 (Ada)        a-2 (Ben)        a-3",
        "  0  ● message  │",
        "  1  │          │          ┏ NA entry",
        "  2  │          │          ┃                ┌ WARM entry",
        "  3  ● message  │          ┃                │",
        "  4  │          │          ┃                └ WARM exit",
        "  5  │          │          ┗ COLD exit",
        "  6  │          │                                            ┏ COLD entry  SG999  SG998",
        "  7  │          ● END_OF_CONVERSATION",
    ]


def test_agents_without_room_share_a_column_which_names_them() -> None:
    lines = rendered(ladder_lines(LANES, ROWS, Look(columns=60, fancy=False))).splitlines()

    assert lines[0].split() == ["customer", "bot", "a-1", "(Ada)", "2", "agents"]
    assert lines[3].endswith("|          |          #               + WARM entry a-2")
    assert lines[4].endswith("* message  |          #               |")
    assert max(map(len, lines[:6])) <= 60


def test_of_two_in_a_column_the_primary_is_shown() -> None:
    rows = [row(0, CUSTOMER, "message", eve="primary", ben="consultant", ada="primary")]

    [_, line] = rendered(ladder_lines(LANES, rows, Look(columns=60))).splitlines()

    assert line.count("┃") == 2


def test_a_label_ends_before_who_is_there() -> None:
    rows = [row(0, BOT, "END_OF_CONVERSATION", ada="primary")]

    [_, line] = rendered(ladder_lines(LANES, rows, Look())).splitlines()

    assert line.split() == ["0", "│", "●", "END_OF_…", "┃"]


def test_a_conversation_without_agents_has_two_columns() -> None:
    lanes = {CUSTOMER: "customer", BOT: "bot"}

    assert rendered(ladder_lines(lanes, [], Look())) == "    customer   bot\n"
    assert "● message" in rendered(ladder_lines(lanes, ROWS[:1], Look()))


def test_what_a_finding_is_about_has_its_colour() -> None:
    text = rendered(ladder_lines(LANES, ROWS, Look()), color=True)

    assert "\x1b[1;31mCOLD entry\x1b[0m" in text
    assert "\x1b[1;31mSG999\x1b[0m" in text
    assert "\x1b[1;36mSG998\x1b[0m" in text
