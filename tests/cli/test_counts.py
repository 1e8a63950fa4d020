"""Every format and every command counts the same things, under the same names."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path

import pytest
from tests.builders import end, transfer
from tests.cli.command import Segue, Write

LOG = Path(__file__).parents[2] / "samples" / "shift.jsonl"

# Counted in the log's truth by hand: 60 conversations of which 2 have events after their end, and
# 2 lines that belong to none; 34 findings (22 errors, of which 1 follows; 10 warnings; 2 notes).
CONVERSATIONS, LATE, WITHOUT_CONVERSATION, FINDINGS = 60, 2, 2, 34
WITH_ERRORS, MISTAKES, ERRORS = 19, 21, 22
EVENTS = 699
"""Those after the end among them: 700 elements of deliveries, of which one came twice."""
REPORTS = CONVERSATIONS + WITHOUT_CONVERSATION


def _listed(text: str) -> int:
    """Count the reports' findings of a JSON document or of JSON lines."""
    return sum(len(json.loads(line)["findings"]) for line in text.splitlines())


LISTED: Mapping[str, Callable[[str], int]] = {
    "json": lambda text: sum(len(each["findings"]) for each in json.loads(text)["reports"]),
    "jsonl": _listed,
    "csv": lambda text: len(list(csv.DictReader(StringIO(text)))),
    "gitlab": lambda text: len(json.loads(text)),
    "sarif": lambda text: len(json.loads(text)["runs"][0]["results"]),
    "rdjson": lambda text: len(json.loads(text)["diagnostics"]),
    "github": lambda text: len(re.findall(r"(?m)^::(?:error|warning|notice) ", text)),
    "concise": lambda text: len(re.findall(r"(?m)^\S+shift\.jsonl(?::\d+)?: ", text)),
}


@pytest.mark.parametrize("name", LISTED)
def test_every_format_lists_every_finding(segue: Segue, name: str) -> None:
    done = segue("check", str(LOG), "--format", name)

    assert LISTED[name](done.out) == FINDINGS


def test_a_test_is_a_report_and_fails_with_an_error(segue: Segue) -> None:
    suite = ET.fromstring(segue("check", str(LOG), "--format", "junit").out)  # noqa: S314 - ours
    failed = [each for each in suite.iter("testcase") if each.find("failure") is not None]

    assert (suite.get("tests"), suite.get("failures")) == (str(REPORTS), str(len(failed)))
    assert len(failed) == WITH_ERRORS + WITHOUT_CONVERSATION


def test_the_summary_is_the_same_in_the_terminal_and_in_json(segue: Segue) -> None:
    shown = " ".join(segue("check", str(LOG)).out.split())
    counted = json.loads(segue("check", str(LOG), "--format", "json").out)["summary"]

    assert counted["conversations"] == CONVERSATIONS
    assert counted["late"] == LATE
    assert counted["lines_without_conversation"] == WITHOUT_CONVERSATION
    assert counted["mistakes"] == MISTAKES
    assert sum(row["count"] for row in counted["findings"]) == FINDINGS
    assert (
        f"{CONVERSATIONS} conversations, {counted['valid']} valid, {counted['clean']} clean"
        in shown
    )
    assert f"{counted['events']} events in {counted['lines']} lines" in shown
    assert counted["events"] == EVENTS
    assert f"{LATE} with events after the end" in shown
    assert f"{WITHOUT_CONVERSATION} lines without a conversation" in shown
    assert f"{MISTAKES} mistakes ({ERRORS} errors), 10 warnings, 2 notes" in shown


def test_the_other_commands_count_alike(segue: Segue) -> None:
    stats = json.loads(segue("stats", str(LOG), "--format", "json").out)
    tables = {
        rows: len(list(csv.DictReader(StringIO(
            segue("export", "--to", "csv", "--rows", rows, str(LOG)).out
        ))))
        for rows in ("conversations", "findings")
    }  # fmt: skip
    compared = segue("diff", str(LOG), str(LOG)).out

    assert stats["conversations"] == tables["conversations"] == CONVERSATIONS
    assert stats["findings"] == tables["findings"] == FINDINGS
    assert (stats["mistakes"], stats["errors"]) == (MISTAKES, ERRORS)
    assert f"no difference in {CONVERSATIONS} conversations" in compared
    assert segue("stats", str(LOG)).out.startswith(
        f"{FINDINGS} findings in {CONVERSATIONS} conversations: "
        f"{MISTAKES} mistakes ({ERRORS} errors)"
    )


def test_statistics_are_grouped_by_one_property(segue: Segue) -> None:
    both = segue("stats", "--by", "agent", "--by", "queue", str(LOG))
    same = segue("stats", "--by", "agent", "--by", "agent", str(LOG))

    said = "--by takes one property, not agent and queue: run segue stats once for each"
    assert (both.code, both.out, both.err) == (2, "", f"segue: {said}\n")
    assert same == segue("stats", "--by", "agent", str(LOG))


def test_statistics_say_why_there_is_no_wrap_up(segue: Segue, write: Write) -> None:
    log = []
    for number in range(20):
        ids = {"conversationId": f"c-{number}", "botId": "st-1"}
        events = transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end()
        log += [
            json.dumps({"received_at": f"2026-03-02T09:0{n}:00Z", "body": {**ids, "events": sent}})
            for n, sent in enumerate([events[:1], events[1:]])
        ]
    said = "no wrap-up time: each END came within a second of the exit"

    assert said in segue("stats", str(write("all.jsonl", log))).out
    assert said not in segue("stats", str(write("few.jsonl", log[2:]))).out
