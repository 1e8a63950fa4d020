"""What a log adds up to."""

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from tests.analysis.compare.story import CONSULTED, PLAIN, log
from tests.core.explain.timed import check, timed

import segue
from segue.analysis.causes import FindingReader, cause_notes
from segue.analysis.compare import Figures, Statistics
from segue.core.conversation.current import current_reports
from segue.report.run_summary import RunSummary


def count(*logs: list[Any], zone: str = "UTC") -> dict[str, Any]:
    statistics, reader = Statistics(time_zone=ZoneInfo(zone)), FindingReader()
    lines = [line for each in logs for line in each]
    for report in current_reports(segue.replay(lines, note=cause_notes())):
        statistics.add(report, [each.at for each in reader.read(report)])
    return statistics.to_dict()


def test_findings_are_counted_by_rule_agent_and_queue() -> None:
    unended = log("NA entry by a-1", "END_OF_CONVERSATION by a-1")
    fields = {"queueId": "qu-1", "queueName": "Orders"}
    unended[0]["events"][0]["participant"]["customFields"] = fields
    wrong = log(CONSULTED[0], CONSULTED[1], "COLD exit by a-2", *PLAIN[1:], conversation="c-2")

    counted = count(unended, wrong, log(*PLAIN, conversation="c-3"))

    assert (counted["conversations"], counted["findings"]) == (3, 2)
    assert [(each["code"], each["count"]) for each in counted["by_rule"]] == [
        ("SG107", 1),
        ("SG202", 1),
    ]
    assert counted["by_agent"] == [{"agent": "a-1", "count": 1}, {"agent": "a-2", "count": 1}]
    assert counted["by_queue"] == [{"queue": None, "count": 1}, {"queue": "Orders", "count": 1}]
    assert counted["without_hour"] == 2


def test_mistakes_are_counted_beside_the_errors() -> None:
    """A consultant's entry comes late: one mistake with two errors."""
    statistics = Statistics()
    swapped = (PLAIN[0], "WARM exit by a-2", "WARM entry by a-2", *PLAIN[1:])
    for report in segue.replay(log(*swapped)):
        statistics.add(report)

    counted = statistics.to_dict()

    assert (counted["errors"], counted["mistakes"], counted["untraced"]) == (2, 1, 0)
    assert {each["code"]: each["follow"] for each in counted["by_rule"]} == {
        "SG201": 0,
        "SG204": 1,
    }
    assert counted["by_agent"] == [{"agent": "a-2", "count": 1}]


def test_errors_that_are_not_explained_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.core.explain.BUDGET", 1)
    statistics = Statistics()
    for report in segue.replay(log(PLAIN[0], PLAIN[2])):
        statistics.add(report)

    counted = statistics.to_dict()

    assert (counted["errors"], counted["mistakes"], counted["untraced"]) == (1, 0, 1)
    assert counted["by_bot"] == [{"bot": "st-1", "count": 1}]


LOST = "N+a@0 C+b@60 N-b@180 E@200"
"""The COLD exit of a is missing. It came between 0 and 60, so 120 to 180 seconds were talk."""
WHOLE = "N+a@0 N-a@50 E@60"


def talk(figures: Figures, *told: str) -> tuple[dict[str, Any], int]:
    """Return the talk time of some conversations, and the number of those not explained."""
    statistics = Statistics(figures=figures)
    for each in told:
        statistics.add(check(timed(each)))
    found = statistics.to_dict()
    assert found["figures"] == figures
    metrics = {each["metric"]: each for each in found["metrics"]}
    return metrics.get("talk_time", {}), found["unexplained"]


@pytest.mark.parametrize("figures", ["best", "mended"])
def test_ranges_are_counted_apart_and_added_as_ranges(figures: Figures) -> None:
    found, unexplained = talk(figures, LOST, WHOLE, "N-a@100 E@110")

    assert (found["count"], found["ranges"], found["mean"], found["max"]) == (1, 1, 50, 50)
    assert (found["at_least"], found["at_most"]) == (50 + 120, 50 + 180)
    assert unexplained == 0
    assert found["unknown"] == 1  # nothing says when a came


def test_figures_as_told_have_no_ranges() -> None:
    found, _ = talk("told", LOST, WHOLE)

    assert (found["count"], found["ranges"], found["unknown"]) == (2, 0, 0)
    assert found["at_least"] == found["at_most"] == 180 + 50


def test_conversations_that_are_not_explained_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("segue.core.explain.BUDGET", 1)

    found, unexplained = talk("best", LOST, WHOLE)
    assert (found["count"], found["at_most"], unexplained) == (1, 50, 1)
    found, unexplained = talk("told", LOST, WHOLE)
    assert (found["count"], found["at_most"], unexplained) == (2, 230, 0)


def test_doubt_is_the_share_of_ranges_and_of_what_mistakes_leave_unknown() -> None:
    statistics = Statistics()
    for each in (LOST, WHOLE, "N+a@0 N-a@50"):
        statistics.add(check(timed(each)))
    doubts = {each.name: each.doubt for each in statistics.measures.spreads()}

    assert doubts["talk_time"] == 1 / 3
    assert doubts["messages"] == 0
    assert "answer_time" not in doubts


def test_a_mistake_is_counted_for_the_agent_of_its_edit() -> None:
    """The error is found at the entry of `a-2`, but it is the exit of `a-1` that is missing."""
    lost = log(PLAIN[0], "COLD entry by a-2", "NA exit by a-2", "END_OF_CONVERSATION by a-2")
    fields = {"queueId": "qu-1", "queueName": "Orders"}
    lost[0]["events"][0]["participant"]["customFields"] = fields

    counted = count(lost)

    assert counted["by_agent"] == [{"agent": "a-1", "count": 1}]
    assert counted["by_queue"] == [{"queue": "Orders", "count": 1}]
    assert counted["by_bot"] == [{"bot": "st-1", "count": 1}]


def test_a_warning_that_is_no_mistake_is_counted_for_its_segment() -> None:
    absent = log(*CONSULTED[:3], "agent message by a-2", *PLAIN[1:])

    counted = count(absent)

    assert [(each["code"], each["count"]) for each in counted["by_rule"]] == [("SG205", 1)]
    assert counted["mistakes"] == 0
    assert counted["by_agent"] == [{"agent": "a-2", "count": 1}]


def test_all_that_is_missing_of_one_event_is_one_mistake() -> None:
    end = {"botId": "st-1", "conversationId": "c-1", "events": [{"name": "END_OF_CONVERSATION"}]}
    statistics, summary = Statistics(), RunSummary()
    for report in segue.replay([*log(*PLAIN[:2]), end]):
        statistics.add(report)
        summary.add(report)

    [mistake] = report.mistakes

    assert [(each.code, each.place.pointer) for each in mistake.findings] == [
        ("SG502", f"/events/0/{name}")
        for name in ("reason", "language", "experience", "participant")
    ]
    assert (statistics.mistakes, summary.mistakes) == (1, 1)


def test_findings_are_counted_by_the_hour_of_their_event_in_a_zone() -> None:
    unended = log("NA entry by a-1", start=0)

    assert count(unended)["by_hour"] == [{"hour": 9, "count": 2}]
    assert count(unended, zone="Asia/Tokyo")["by_hour"] == [{"hour": 18, "count": 2}]


def test_what_came_after_the_end_is_counted_by_the_hour_it_came_in() -> None:
    again = log(PLAIN[2], start=3_000)
    counted = count(log(*PLAIN, start=0), again, zone="Asia/Kolkata")

    assert counted["by_hour"] == [{"hour": 15, "count": 1}]
    assert counted["by_day"] == [{"day": "2026-03-02", "count": 1}]


def test_what_came_at_no_known_time_or_belongs_to_nobody_is_counted_by_rule_only() -> None:
    counted = count(log(*PLAIN, "user message by a-1"), ["{"])

    assert (counted["conversations"], counted["findings"]) == (1, 2)
    assert (counted["by_agent"], counted["by_hour"], counted["without_hour"]) == ([], [], 2)


def test_metrics_are_distributed() -> None:
    talks = [
        log(
            "NA entry by a-1",
            *["user message by a-1"] * n,
            *PLAIN[1:],
            conversation=f"c-{n}",
            start=0,
        )
        for n in range(1, 11)
    ]
    untimed = log(*PLAIN, conversation="c-99")

    metrics = {each["metric"]: each for each in count(*talks, untimed)["metrics"]}

    assert metrics["connected_time"] == {
        "metric": "connected_time",
        "unit": "seconds",
        "count": 10,
        "ranges": 0,
        "unknown": 0,
        "at_least": pytest.approx(650),
        "at_most": pytest.approx(650),
        "mean": pytest.approx(65),
        "median": pytest.approx(65),
        "p90": pytest.approx(101),
        "max": pytest.approx(110),
    }
    assert metrics["messages"]["count"] == 11
    assert (metrics["messages"]["max"], metrics["messages"]["unit"]) == (10, "")
    assert "transcription_coverage" not in metrics


def test_one_value_is_its_own_quantile() -> None:
    metrics = {each["metric"]: each for each in count(log(*PLAIN, start=0))["metrics"]}

    assert metrics["duration"]["p90"] == metrics["duration"]["median"] == 20
