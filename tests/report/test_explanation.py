"""The page of a rule, as a terminal shows it."""

from rich.cells import cell_len
from tests.families import family

from segue.core.findings import BY_CODE, RULES, Rule
from segue.report.explanation import explanation_lines
from segue.report.look import Look
from segue.report.pages import HEADINGS, sections, titled


def shown(code: str, look: Look | None = None) -> str:
    return "".join(
        f"{each.render()}\n" for each in explanation_lines(BY_CODE[code], look or Look())
    )


def test_the_two_logs_of_a_page_are_told_in_short_with_their_difference() -> None:
    text = shown("SG404")

    assert text.startswith(
        "warning[SG404] cold-exit-without-handover\n"
        "  An agent leaves by COLD exit with transcription active and no handover pause.\n"
    )
    assert (
        """
    1  NA entry             a-1
    2  transcription start  a-1
    3  COLD exit            a-1
    4  COLD entry           a-2
    5  transcription end    a-2
    6  NA exit              a-2
    7  END_OF_CONVERSATION  a-2

Corrected log
"""
        in text
    )
    assert "\n  + 3  transcription pause  a-1  handover true\n" in text


def test_a_field_in_which_lines_differ_is_told() -> None:
    text = shown("SG502")

    assert "  - 3  END_OF_CONVERSATION  a-1  no reason\n" in text
    assert '  + 3  END_OF_CONVERSATION  a-1  reason "agent_initiated"\n' in text


def test_of_two_equal_lines_the_second_is_the_one_too_many() -> None:
    assert "\n    1  NA entry             a-1\n  - 2  NA entry             a-1\n" in shown("SG601")


@family("rule", RULES, ids=lambda rule: rule.code)
def test_every_page_has_every_heading_and_fits(rule: Rule) -> None:
    rows = shown(rule.code).splitlines()

    assert [row for row in rows if row in HEADINGS] == list(HEADINGS)
    assert [row for row in rows if cell_len(row) > 80] == []
    assert not any("`" in row for row in rows)
    assert tuple(sections(rule)) == HEADINGS


def test_the_markdown_of_a_page_has_a_title() -> None:
    assert titled(BY_CODE["SG103"]).startswith("# SG103 cold-entry-before-exit\n\n**error.** An ")
