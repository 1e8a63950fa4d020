"""The findings of a mistake are next to each other in every format, and counts say both numbers."""

import json

import pytest
from tests.report.story import log, report

import segue
from segue.core.explain import Explanation
from segue.report import RunSummary, renderer
from segue.report.grouping import counts_by_severity, counts_of, grouped
from segue.report.look import Look
from segue.report.mistake_view import MistakeView
from segue.report.page_data import details, list_row
from segue.report.page_rows import Situations
from segue.report.renderers import RenderOptions

LINES = log("NA entry a-1", "NA exit a-2", "COLD exit a-1", "COLD entry a-2", "END")
"""An NA exit that overtook a transfer: SG201 at event 1, SG115 at 3, SG107 at 4."""
SENTENCE = "the NA exit of a-2 came before the COLD entry of a-2 (line 2, due after line 4)"


def overtaken() -> segue.Report:
    """The report of the lines: one mistake has all three errors."""
    [found] = segue.replay(LINES)
    return found


def cut() -> segue.Report:
    """A report whose second error was not traced: two consultants whose WARM entries are missing,
    with the search ended after the first.
    """
    found = report("NA entry a-1", "WARM exit a-8", "WARM exit a-9", "NA exit a-1", "END")
    first, second = found.mistakes
    found.__dict__ |= {"_explained": Explanation("untraced", (first,), second.findings)}
    for name in ("mistakes", "untraced", "_own_mistakes", "_mistake_numbers"):
        found.__dict__.pop(name, None)
    return found


def written(name: str, *reports: segue.Report, look: Look | None = None) -> str:
    """What a format makes of reports."""
    texts: list[str] = []
    chosen = renderer(name, texts.append, RenderOptions(look or Look()))
    tally = RunSummary()
    for each in reports:
        tally.add(each)
        chosen.show(each)
    chosen.finish(tally)
    return "".join(texts)


def codes(found: segue.Report) -> list[str]:
    return [" ".join(each.code for each in group) for group in grouped(found)]


def test_the_findings_of_a_mistake_are_a_group() -> None:
    assert codes(overtaken()) == ["SG201 SG115 SG107"]


def test_a_finding_of_no_mistake_is_a_group_of_its_own() -> None:
    found = report("redial entry a-1", "WARM exit a-2", "NA exit a-1", "END")

    assert codes(found) == ["SG118", "SG201"]


def test_a_mistake_whose_first_finding_is_ignored_keeps_the_others() -> None:
    [found] = segue.replay(LINES, policy=segue.Policy(ignore=("SG201",)))

    assert codes(found) == ["SG115 SG107"]
    assert list(counts_of(found).values()) == ["1 mistake (2 errors)"]


def test_errors_are_counted_with_their_mistakes() -> None:
    error, warning, note = segue.Severity
    counts = {error: 3, warning: 1, note: 0}

    assert counts_by_severity(counts, 1) == {error: "1 mistake (3 errors)", warning: "1 warning"}
    assert counts_by_severity(counts) == {error: "3 errors", warning: "1 warning"}
    assert counts_by_severity(counts, 6, 2)[error] == "6 mistakes, 2 errors not traced"
    assert counts_by_severity(counts, 0, 3)[error] == "3 errors not traced"
    assert counts_by_severity({warning: 1}, 1) == {error: "1 mistake", warning: "1 warning"}
    assert counts_by_severity({}) == {}


def test_a_report_without_an_explanation_counts_its_errors() -> None:
    found = overtaken()
    found.is_explained = False

    assert list(counts_of(found).values()) == ["3 errors"]
    text = written("full", found)
    assert "ended · 5 events · 3 errors\n" in text
    assert text.endswith("\n3 errors\n")
    assert "mistake" not in text
    assert "what happened" not in text


def test_full_shows_the_rest_of_a_mistake_in_short() -> None:
    head, _, below = written("full", overtaken()).partition("segue explain SG201\n")

    assert "ended · 5 events · 1 mistake (3 errors)\n" in head
    assert "what happened: the NA exit of a-2 came before the COLD entry of a-2 (line 2," in head
    assert "     fix: Send events in the order in which they happen: the NA exit of a-2\n" in head
    assert "    error[SG115] entry-after-release, part of mistake 1\n" in below
    assert "    error[SG107] missing-na-exit, part of mistake 1\n" in below
    assert below.endswith("\n1 mistake (3 errors)\n")


def test_full_numbers_several_mistakes() -> None:
    lines = ("NA entry a-1", "WARM exit a-8", "WARM exit a-9", "END")
    text = written("full", report(*lines))

    assert "ended · 4 events · 3 mistakes (3 errors)\n" in text
    told = text.partition("   what happened:\n")[2].partition("\n\n")[0]
    for number, sentence, fix in (
        (1, "the WARM entry of a-8 is missing (at the latest before line 2)", "Send a WARM entry"),
        (2, "the WARM entry of a-9 is missing (at the latest before line 3)", "Send a WARM entry"),
        (3, "the NA exit of a-1 is missing (at the latest before line 4)", "Send an NA exit of"),
    ):
        _, found, rest = told.partition(f"     {number}. {sentence}")
        assert found, told
        assert f"\n          fix: {fix}" in rest
    assert [row for row in text.splitlines() if "= mistake:" in row] == [
        "    = mistake:  1",
        "    = mistake:  2",
        "    = mistake:  3",
    ]


def test_full_shows_the_first_mistakes_of_very_many() -> None:
    exits = [f"WARM exit a-{number}" for number in range(10, 60)]
    [found] = segue.replay(log("NA entry a-1", *exits, "NA exit a-1", "END"))
    texts: list[str] = []
    full = renderer("full", texts.append, RenderOptions(limit=1))

    full.show(found)

    assert len(found.mistakes) == len(exits)
    assert "    20. the WARM entry of a-29 is missing" in texts[0]
    assert "    21. " not in texts[0]
    assert "   … and 30 more mistakes\n" in texts[0]


def test_a_mistake_without_edits_is_told_by_its_finding_alone() -> None:
    [found] = segue.replay(["{"])
    entry = log("NA entry a-1", "NA exit a-1", "END")
    entry[0] = entry[0].replace('"chat"', "5")
    [flawed] = segue.replay(entry)

    assert [each.edits for each in (*found.mistakes, *flawed.mistakes)] == [(), ()]
    assert "what happened" not in written("full", found, flawed)


def test_errors_that_are_not_traced_say_so_in_every_format() -> None:
    full = written("full", cut())
    assert "ended · 5 events · 1 mistake, 1 error not traced\n" in full
    assert "    = mistake:  1\n" in full
    assert "    = mistake:  not traced\n" in full
    assert full.endswith("\n1 mistake, 1 error not traced\n")
    for name in ("github", "gitlab", "rdjson", "junit", "sarif"):
        text = written(name, cut())
        assert text.count("not traced") == 1 + (name == "junit"), name
    document = json.loads(written("json", cut()))
    [told], summary = document["reports"], document["summary"]
    assert (told["untraced"], told["explanation"]) == ([1], "untraced")
    assert (summary["mistakes"], summary["untraced"]) == (1, 1)
    assert list_row(cut())[9:12:2] == [1, 1]
    [row] = segue.to_rows(cut(), "conversations")
    assert (row["mistakes"], row["untraced"], row["explanation"]) == (1, 1, "untraced")


def test_concise_counts_errors_in_the_order_of_events() -> None:
    found = overtaken()
    found.is_explained = False
    first, entry, end = found.findings

    assert written("concise", found).splitlines() == [
        f"line 2: error SG201 c-1 {first.message} [exit-by-absent-agent]",
        f"line 4: error SG115 c-1 {entry.message} [entry-after-release]",
        f"line 5: error SG107 c-1 {end.message} [missing-na-exit]",
        "",
        "findings by rule " + "─" * 63,
        "  1  SG107  missing-na-exit       error",
        "  1  SG115  entry-after-release   error",
        "  1  SG201  exit-by-absent-agent  error",
        "",
        "1 conversation, 0 valid, 0 clean, 5 events",
        "3 errors",
    ]


def test_json_has_the_mistakes_with_their_findings() -> None:
    document = json.loads(written("json", overtaken()))
    [told], summary = document["reports"], document["summary"]
    [mistake] = told["mistakes"]

    assert (mistake["number"], mistake["findings"]) == (1, [0, 1, 2])
    assert [each["mistake"] for each in told["findings"]] == [1, 1, 1]
    assert summary["mistakes"] == 1


def test_json_without_an_explanation_has_null() -> None:
    found = overtaken()
    found.is_explained = False
    document = json.loads(written("json", found))
    [told] = document["reports"]

    assert (told["mistakes"], told["explanation"], told["untraced"]) == (None, None, [])
    assert [each["mistake"] for each in told["findings"]] == [None] * 3
    assert document["summary"]["mistakes"] is None


def test_formats_for_machines_say_the_sentence_of_a_mistake() -> None:
    said = f"part of mistake 1: {SENTENCE}"

    for name in ("github", "gitlab", "rdjson", "junit"):
        assert written(name, overtaken()).count(said) == len(overtaken().findings), name


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "rdjson"])
def test_the_findings_of_a_mistake_are_next_to_each_other(name: str) -> None:
    # An exit of a-9 comes between the first and the other errors of the NA exit that came early.
    lines = log("NA entry a-1", "NA exit a-2", "COLD exit a-1", "WARM exit a-9", "COLD entry a-2")
    [found] = segue.replay([*lines, *log("END")])
    text = written(name, found)

    assert [each.code for each in found.findings] == ["SG201", "SG201", "SG115", "SG107"]
    said = ("a-2 sent an NA exit", "a-2 joined by COLD entry", "a-9 sent a WARM exit")
    places = [text.index(each) for each in said]
    assert places == sorted(places)


def test_junit_indents_the_rest_of_a_mistake() -> None:
    text = written("junit", overtaken())

    assert 'message="1 mistake (3 errors): agent a-2 sent an NA exit' in text
    assert "\n  error[SG115] entry-after-release: " in text
    assert f"\n    part of mistake 1: {SENTENCE}\n" in text


def test_sarif_numbers_the_mistake() -> None:
    [run] = json.loads(written("sarif", overtaken()))["runs"]

    assert [each["properties"]["mistake"] for each in run["results"]] == [1, 1, 1]
    assert run["results"][1]["message"]["text"].count("part of mistake 1") == 1


def test_the_mistakes_of_a_late_report_take_the_place_of_the_earlier_ones() -> None:
    first, late = segue.replay(log("NA entry a-1", "END", "NA exit a-1", "END"))

    assert (len(first.mistakes), len(late.mistakes)) == (1, 1)
    assert written("full", first, late).splitlines()[-1] == "1 mistake (3 errors)"


def test_a_row_for_a_table_counts_the_mistakes() -> None:
    [row] = segue.to_rows(overtaken(), "conversations")

    assert (row["findings"], row["mistakes"], row["untraced"]) == (3, 1, 0)
    assert row["explanation"] == "complete"
    assert [each["mistake"] for each in segue.to_rows(overtaken(), "findings")] == [1, 1, 1]


def test_the_page_has_the_findings_of_a_mistake_below_its_first() -> None:
    row, story = list_row(overtaken()), details(overtaken(), Situations())

    assert (row[4], row[9]) == ([3, 0, 0], 1)
    assert [(each["code"], each["mistake"], each["under"]) for each in story["findings"]] == [
        ("SG201", 1, False),
        ("SG115", 1, True),
        ("SG107", 1, True),
    ]
    [mistake] = story["mistakes"]
    assert (mistake["number"], mistake["edits"], mistake["alternatives"]) == (1, 1, [])
    assert mistake["sentence"].endswith("(event 1, due after event 3)")


def test_lines_take_the_place_of_events_that_they_tell_apart() -> None:
    [found] = segue.replay(LINES)
    one_line = [json.loads(each) for each in LINES]
    events = [event for each in one_line for event in each["events"]]
    [told] = segue.replay([json.dumps(one_line[0] | {"events": events})])

    assert MistakeView(found).sentence(found.mistakes[0]) == SENTENCE
    assert MistakeView(told).sentence(told.mistakes[0]) == told.mistakes[0].sentence
    assert told.mistakes[0].sentence.endswith("(events 2 to 3, due before event 1)")


def test_an_agent_called_like_an_event_keeps_its_name() -> None:
    name = "before event 0"
    lines = log("NA entry a-1", "WARM exit a-2", "NA exit a-1", "END")
    [found] = segue.replay([each.replace("a-2", name) for each in lines])

    [mistake] = found.mistakes
    assert MistakeView(found).sentence(mistake) == (
        f"the WARM entry of {name} is missing (at the latest before line 2)"
    )
