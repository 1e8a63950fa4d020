"""What follows from a mistake stands below it in every format, and counts say both numbers."""

import json
from collections.abc import Sequence
from dataclasses import replace
from textwrap import dedent

import pytest
from tests.report.story import log

import segue
from segue.cli.feed_view import finding_lines
from segue.core.findings import BY_CODE, Place, Root
from segue.report import RunSummary, renderer
from segue.report.grouping import counts_by_severity, grouped
from segue.report.look import Look
from segue.report.page_data import details, list_row
from segue.report.page_rows import Situations
from segue.report.renderers import RenderOptions

Follows = dict[int, int]
"""Index of a finding, to the index of the one it follows from."""

LINES = log("NA entry a-1", "NA exit a-2", "COLD exit a-1", "COLD entry a-2", "END")
"""An NA exit that overtook a transfer: SG201 at event 1, SG115 at 3, SG107 at 4."""


def followed(report: segue.Report, follows: Follows) -> segue.Report:
    """The report with these findings following from others."""
    found = report.findings
    report.findings = tuple(
        replace(each, follows=found[follows[index]].root if index in follows else None)
        for index, each in enumerate(found)
    )
    return report


def overtaken() -> segue.Report:
    """The report of the lines: everything follows from the NA exit."""
    [report] = segue.replay(LINES)
    return followed(report, {1: 0, 2: 0})


def written(name: str, *reports: segue.Report, look: Look | None = None) -> str:
    """What a format makes of reports."""
    texts: list[str] = []
    chosen = renderer(name, texts.append, RenderOptions(look or Look()))
    tally = RunSummary()
    for report in reports:
        tally.add(report)
        chosen.show(report)
    chosen.finish(tally)
    return "".join(texts)


def found(code: str, event: int, follows: segue.Finding | None = None) -> segue.Finding:
    """A finding of a rule at an event, which may follow from another."""
    rule, root = BY_CODE[code], None if follows is None else follows.root
    return segue.Finding(rule, Place(event=event), rule.severity, "text", follows=root)


def codes(groups: Sequence[Sequence[segue.Finding]]) -> list[str]:
    return [" ".join(each.code for each in group) for group in groups]


def test_groups_stand_in_the_order_of_their_heads() -> None:
    first, second = found("SG201", 1), found("SG201", 2)
    later, last = found("SG115", 3, first), found("SG107", 4, second)

    assert grouped([first, second, later, last]) == [[first, later], [second, last]]


def test_the_first_of_those_left_heads_the_group_of_a_mistake_left_out() -> None:
    gone = found("SG201", 1)
    left = [found("SG115", 3, gone), found("SG115", 4, gone)]

    assert codes(grouped(left)) == ["SG115 SG115"]


def test_equal_findings_of_one_place_are_groups_of_their_own() -> None:
    twice = [found("SG119", 1)] * 2

    assert codes(grouped(twice)) == ["SG119", "SG119"]


def test_errors_are_counted_with_their_mistakes() -> None:
    ranks = dict(zip(segue.Severity, (3, 1, 0), strict=True))

    assert list(counts_by_severity(1, ranks).values()) == ["1 mistake (3 errors)", "1 warning"]
    assert counts_by_severity(0, {}) == {}


def test_full_shows_what_follows_below_in_short() -> None:
    head, _, below = written("full", overtaken()).partition("segue explain SG201\n")

    assert "ended · 5 events · 1 mistake (3 errors)\n" in head
    assert below == dedent("""\

            error[SG115] entry-after-release, follows from SG201 at event 1
              agent a-2 joined by COLD entry when the conversation was already released
              (last to leave: a-2)
              --> line 4  event 3  /events/0

            error[SG107] missing-na-exit, follows from SG201 at event 1
              the last agent had sent no NA exit before END_OF_CONVERSATION (present:
              a-2; last to leave: a-2)
              --> line 5  event 4  /events/0

        findings by rule ───────────────────────────────────────────────────────────────
          1  SG107  missing-na-exit       error  1 follow
          1  SG115  entry-after-release   error  1 follow
          1  SG201  exit-by-absent-agent  error

        1 conversation, 0 valid, 0 clean, 5 events
        1 mistake (3 errors)
        """)


def test_full_says_what_an_error_follows_whose_mistake_was_left_out() -> None:
    report = overtaken()
    report.findings = report.findings[1:]

    text = written("full", report)

    assert "1 mistake (2 errors)" in text
    assert "    = follows:  from SG201 at event 1\n" in text
    assert "    error[SG107] missing-na-exit, follows from SG201 at event 1\n" in text


def test_what_follows_is_dimmed_where_there_is_color() -> None:
    for name in ("full", "concise"):
        lines = written(name, overtaken(), look=Look(color=True)).splitlines()
        [shown] = [each for each in lines if "SG115" in each and "follows from" in each]
        assert "\x1b[1;31m" not in shown
        assert "\x1b[2m" in shown


def test_concise_indents_what_follows_behind_its_place() -> None:
    root, entry, end = overtaken().findings
    follows = "follows from SG201 at event 1"

    assert written("concise", overtaken()).splitlines()[:3] == [
        f"line 2: error SG201 c-1 {root.message} [exit-by-absent-agent]",
        f"line 4:   error SG115 c-1 {entry.message} [entry-after-release] {follows}",
        f"line 5:   error SG107 c-1 {end.message} [missing-na-exit] {follows}",
    ]


def test_json_has_the_mistakes_by_index_and_each_root() -> None:
    document = json.loads(written("json", overtaken()))
    [report], summary = document["reports"], document["summary"]

    root = {"code": "SG201", "event": 1, "action": None, "line": 2}
    assert report["mistakes"] == [0]
    assert [each["follows"] for each in report["findings"]] == [None, root, root]
    assert summary["mistakes"] == 1
    assert [(each["code"], each["follow"]) for each in summary["findings"]] == [
        ("SG107", 1),
        ("SG115", 1),
        ("SG201", 0),
    ]


def test_github_and_gitlab_say_what_an_error_follows_from() -> None:
    said = "follows from SG201 at event 1"

    assert [said in each for each in written("github", overtaken()).splitlines()] == [
        False,
        True,
        True,
    ]
    elements = json.loads(written("gitlab", overtaken()))
    assert [said in each["description"] for each in elements] == [False, True, True]
    assert [each["severity"] for each in elements] == ["major"] * 3


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif"])
def test_what_follows_stands_below_its_mistake(name: str) -> None:
    # SG201 at 1, SG201 at 2, SG107 at 3 of the first.
    lines = log("NA entry a-1", "WARM exit a-8", "WARM exit a-9", "END")
    [report] = segue.replay(lines)

    text = written(name, followed(report, {2: 0}))

    rules = [code for code, _ in sorted_by_place(text, "a-8", "a-9", "no NA exit")]
    assert rules == ["a-8", "no NA exit", "a-9"]


def sorted_by_place(text: str, *words: str) -> list[tuple[str, int]]:
    return sorted(((word, text.index(word)) for word in words), key=lambda each: each[1])


def test_junit_indents_what_follows() -> None:
    text = written("junit", overtaken())

    assert 'message="1 mistake (3 errors): agent a-2 sent an NA exit' in text
    assert "\n  error[SG115] entry-after-release: " in text
    assert "\n    follows from SG201 at event 1\n" in text


def test_sarif_relates_an_error_to_its_mistake() -> None:
    [run] = json.loads(written("sarif", overtaken()))["runs"]
    first, second, _ = run["results"]

    assert first["properties"]["follows"] is None
    assert second["properties"]["follows"]["code"] == "SG201"
    assert second["message"]["text"].count("follows from SG201 at event 1") == 1


def test_a_late_report_adds_no_mistake_that_was_counted() -> None:
    lines = log("NA entry a-1", "END", "NA exit a-1", "END")
    early_report, late = segue.replay(lines)
    [root] = early_report.findings
    late.findings = tuple(replace(each, follows=root.root) for each in late.findings)

    text = written("concise", early_report, late)

    assert text.splitlines()[-1] == "1 mistake (3 errors)"


def test_a_row_for_a_table_counts_the_mistakes() -> None:
    [row] = segue.to_rows(overtaken(), "conversations")

    assert (row["findings"], row["mistakes"]) == (3, 1)


def test_a_report_and_a_finding_in_a_shell_say_what_follows() -> None:
    report = overtaken()

    assert repr(report) == "<Report 'c-1' ended: SG201, (SG115), (SG107)>"
    assert str(report.findings[1]).endswith("[entry-after-release] follows from SG201 at event 1")
    assert "<td>SG201 at event 1</td>" in report._repr_html_()
    assert "follows" not in str(report.findings[0])


def test_a_root_names_its_place() -> None:
    places = [Place(event=3, line=9), Place(action=2, line=9), Place(line=9), Place()]

    assert [str(Root("SG103", place)) for place in places] == [
        "SG103 at event 3",
        "SG103 at transcription action 2",
        "SG103 at line 9",
        "SG103 at the end of the log",
    ]


def test_the_page_has_what_follows_below_its_mistake() -> None:
    row, story = list_row(overtaken()), details(overtaken(), Situations())

    assert (row[4], row[9]) == ([3, 0, 0], 1)
    assert [(each["code"], each["follows"], each["under"]) for each in story["findings"]] == [
        ("SG201", "", False),
        ("SG115", "SG201 at event 1", True),
        ("SG107", "SG201 at event 1", True),
    ]


def test_a_tail_says_what_follows() -> None:
    entry = {"findings": [each.to_dict() for each in overtaken().findings]}

    root, entered, ended = (
        line.render(color=True) for line in finding_lines(entry) if "help: " not in line.render()
    )

    assert "follows" not in root
    for line in (entered, ended):
        assert "follows from SG201 at event 1" in line
        assert "\x1b[1;31m" not in line
