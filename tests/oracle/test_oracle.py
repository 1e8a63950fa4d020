"""The oracle against the shared vectors, and against cases worked out by hand from the page."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.families import family
from tests.oracle.by_hand import BY_HAND, PARTIAL, found, log
from tests.oracle.oracle import Ev, Verdict, judge

VECTORS = Path(__file__).parents[2] / "samples" / "vectors" / "lifecycle.jsonl"

# -- the shared vectors ----------------------------------------------------------------


def vectors() -> list[Any]:
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def from_wire(deliveries: list[dict[str, Any]]) -> list[Ev]:
    events = []
    for body in deliveries:
        if "query" in body or "author" in body:
            kind = f"{body['author']['type'].lower()} message"
            events.append(Ev(kind, body["agentId"]))
        for event in body.get("events", []):
            tag = json.dumps(event, sort_keys=True)
            if event["name"] == "TRIGGER_SUMMARY_EVENT":
                events.append(Ev("summary", tag=tag))
            elif event["name"] == "END_OF_CONVERSATION":
                events.append(Ev("end", tag=tag))
            else:
                kind = f"{event['transfertype']} {event['transition']}"
                events.append(Ev(kind, event["participant"]["identity"], tag))
    return events


@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: str(vector["id"]))
def test_the_oracle_agrees_with_the_vector(vector: Any) -> None:
    verdict = judge(from_wire(vector["deliveries"]))
    expect = vector["expect"]
    assert verdict.findings == [(f["event"], f["code"]) for f in expect["findings"]]
    assert verdict.phase == expect["phase"]
    assert verdict.valid is expect["valid"]


@family("phrase", BY_HAND)
def test_the_oracle_says_what_the_page_says(phrase: str) -> None:
    for shorthand, findings, phase in BY_HAND[phrase]:
        verdict = judge(log(shorthand))
        assert (shorthand, found(verdict), verdict.phase) == (shorthand, findings, phase or "ended")


@pytest.mark.parametrize(("partial", "shorthand", "findings", "phase"), PARTIAL)
def test_partial_logs(partial: str, shorthand: str, findings: str, phase: str) -> None:
    verdict = judge(log(shorthand), partial)
    assert (found(verdict), verdict.phase) == (findings, phase)


def test_unknown_words_are_refused() -> None:
    with pytest.raises(ValueError, match="kind of event"):
        judge([Ev("NA")])
    with pytest.raises(ValueError, match="partial log"):
        judge([], "middle")


def test_a_transfer_without_identity_keeps_its_position_and_is_skipped() -> None:
    assert judge([Ev("NA entry")]) == Verdict([], "waiting")
    log_with_gap = [Ev("NA entry", "a"), Ev("NA exit"), Ev("end")]
    assert judge(log_with_gap) == Verdict([(2, "SG107")], "ended")
