"""The vectors: hand-written deliveries of one conversation, and what the check must say of them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.families import family

import segue
from segue.core.conversation.current import current_reports

FOLDER = Path(__file__).parents[2] / "samples" / "vectors"


def cases() -> list[Any]:
    return [
        pytest.param(json.loads(line), id=f"{path.stem}-{json.loads(line)['id']}")
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def said(findings: Iterable[segue.Finding]) -> list[dict[str, Any]]:
    """Return findings as a vector says them."""
    return [
        {"event": each.place.event, "code": each.code}
        | ({} if each.place.action is None else {"action": each.place.action})
        for each in findings
    ]


@family("case", [each for each in cases() if "log_only" not in each.values[0]])
def test_the_check_says_what_the_vector_says(case: Any) -> None:
    report = segue.check(case["deliveries"], partial=case.get("partial"))

    expect = case["expect"]
    assert said(report.findings) == expect["findings"]
    assert (report.valid, report.phase) == (expect["valid"], expect["phase"])
    assert len(report.mistakes) == expect.get("mistakes", len(report.mistakes))


@family("case", cases())
def test_a_log_of_the_deliveries_says_the_same(case: Any) -> None:
    lines = [json.dumps(delivery) for delivery in case["deliveries"]]

    reports = list(current_reports(segue.replay(lines, partial=case.get("partial"))))

    expect = case["expect"]
    findings = [finding for report in reports for finding in report.findings]
    assert said(findings) == expect["findings"]
    assert all(report.valid for report in reports) == expect["valid"]
    assert {report.phase for report in reports} == {expect["phase"]}


@family("case", [each for each in cases() if "metrics" in each.values[0]["expect"]])
def test_segments_and_metrics_are_those_of_the_vector(case: Any) -> None:
    report = segue.check(case["deliveries"], partial=case.get("partial")).to_dict()

    expect = case["expect"]
    wanted = [each["connections"] for each in expect["segments"]]
    for segment, connections in zip(report["segments"], wanted, strict=True):
        named = zip(segment["connections"], connections, strict=True)
        segment["connections"] = [{key: one[key] for key in other} for one, other in named]
    both = zip(report["segments"], expect["segments"], strict=True)
    assert [{key: one[key] for key in other} for one, other in both] == expect["segments"]
    assert {key: report["metrics"][key] for key in expect["metrics"]} == expect["metrics"]
    assert report["estimated"] == expect.get("estimated", report["estimated"])


@family("case", cases())
def test_the_vector_cites_the_specification(case: Any) -> None:
    assert case["specification"]
    assert case["title"]
