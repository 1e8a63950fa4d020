"""How many reports of a run are explained."""

import json

import pytest
from tests.report.story import early, log

import segue
from segue.logs.parallel.report_codec import ReportBatches, reports_of
from segue.logs.plan import Detail
from segue.report import RunSummary
from segue.report.explaining import MOST, ExplainedShare, Explaining, share_of
from segue.report.look import Look
from segue.report.summary import summary_lines


@pytest.mark.parametrize(
    ("formats", "share"),
    [
        (["full"], "some"),
        (["concise"], "none"),
        (["concise", "full"], "some"),
        (["full", "concise", "jsonl"], "all"),
        (["csv"], "all"),
        (["parquet", "full"], "all"),
    ],
)
def test_the_most_demanding_format_decides(formats: list[str], share: ExplainedShare) -> None:
    assert share_of(formats) == share


def explained(explaining: Explaining, count: int) -> int:
    """The number of reports with errors that are explained, of `count`."""
    [report] = segue.replay(early())
    [clean] = segue.replay(log("NA entry a-1", "NA exit a-1", "END"))
    number = 0
    for _ in range(count):
        report.is_explained = True
        explaining.choose(report)
        explaining.choose(clean)
        number += report.is_explained
    return number


@pytest.mark.parametrize(
    ("share", "shown", "number"),
    [
        ("all", 20, MOST + 9),
        ("none", 20, 0),
        ("some", 20, MOST),
        ("some", MOST + 5, MOST + 5),
        ("some", None, MOST + 9),
    ],
)
def test_some_are_the_first_and_all_that_are_shown(
    share: ExplainedShare, shown: int | None, number: int
) -> None:
    assert explained(Explaining(share, shown), MOST + 9) == number


def test_a_run_that_explains_some_counts_errors_and_says_so() -> None:
    tally = RunSummary()
    for number, is_explained in enumerate((True, True, False)):
        [report] = segue.replay(early(f"c-{number}"))
        report.is_explained = is_explained
        tally.add(report)

    assert (tally.mistakes, tally.explained, tally.unexplained) == (None, 2, 1)
    lines = [each.render() for each in summary_lines(tally, Look())]
    assert lines[-2:] == ["3 errors", "explained: 2 of 3 conversations with errors (use --all)"]


def test_a_run_that_explains_all_counts_mistakes() -> None:
    tally = RunSummary()
    for report in segue.replay([*early(), *log("NA entry a-1", conversation="c-2")]):
        tally.add(report)

    assert (tally.mistakes, tally.untraced, tally.unexplained) == (2, 0, 0)


@pytest.mark.parametrize("is_explained", [True, False])
def test_a_report_of_a_worker_is_explained_where_it_is_read(*, is_explained: bool) -> None:
    [report] = segue.replay(early())
    batches = ReportBatches(Detail(explained=is_explained))
    batches.add((0, 1), report)
    [packed] = batches.packed()
    [(_, sent)] = reports_of(packed)

    assert ("_explained" in vars(sent)) is is_explained
    assert sent.explanation == "complete"
    assert [each.sentence for each in sent.mistakes] == [
        "the COLD exit of a-1 came after the COLD entry of a-2 (event 4, due before event 3)"
    ]


def test_a_report_without_findings_has_no_mistakes_even_if_a_worker_sent_no_history() -> None:
    [report] = segue.replay(log("NA entry a-1", "NA exit a-1", "END"))
    batches = ReportBatches(Detail(history=False))
    batches.add((0, 1), report)
    [packed] = batches.packed()
    [(_, sent)] = reports_of(packed)

    assert (sent.mistakes, sent.untraced) == ((), ())


@pytest.mark.parametrize("is_explained", [True, False])
def test_a_report_of_a_worker_without_a_finding_to_show_is_explained(*, is_explained: bool) -> None:
    lines = [*early(), *log("NA entry a-1", "NA exit a-1", "END", conversation="c-2")]
    batches = ReportBatches(Detail(explained=is_explained))
    for number, report in enumerate(segue.replay(lines, policy=segue.Policy(ignore=("SG",)))):
        batches.add((0, number), report)
    [packed] = batches.packed()
    wrong, right = [report for _, report in reports_of(packed)]

    assert (wrong.findings, wrong.explanation, wrong.ignored_mistakes) == ((), "complete", 1)
    assert (right.findings, right.explanation, right.ignored_mistakes) == ((), "complete", 0)


@pytest.mark.parametrize("lines", [early(), log("NA entry a-1", "NA exit a-1", "END")])
def test_a_worker_writes_no_explanation_if_none_is_wanted(lines: list[str]) -> None:
    [report] = segue.replay(lines)
    batches = ReportBatches(Detail(json=True, explained=False))
    batches.add((0, 1), report)
    [packed] = batches.packed()
    [(_, sent)] = reports_of(packed)
    sent.is_explained = False

    assert json.loads(sent.to_json())["explanation"] is None
