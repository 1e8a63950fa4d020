"""Copies of the reports of a replay, by one process and several, with or without accelerator."""

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from tests.builders import body, end, message, transfer
from tests.logs.native.both import is_installed

import segue
from segue.core.conversation import Report
from segue.core.events import Delivery
from segue.core.findings import Finding
from segue.logs.plan import ChunkSizes, Replay, ReplayOptions
from segue.logs.replaying import start_replay

COPIES: Final[dict[str, Callable[[Any], Any]]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - our own
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def note_of(delivery: Delivery, findings: object) -> str:
    del findings
    return f"line {delivery.line}"


def _log(folder: Path) -> Path:
    """Write a log of clean and wrong conversations, of which some are late and one stays open."""
    bodies = []
    for number in range(40):
        name = f"c-{number}"
        told = [transfer("NA entry", "a-1"), message("USER", "a-1"), transfer("NA exit", "a-1")]
        if number % 3 == 0:
            told.insert(1, transfer("COLD entry", "a-2"))
        bodies += [body(each, conversation=name) for each in (*told, end())]
        if number % 10 == 0:
            bodies.append(body(end(), conversation=name))
    bodies.append(body(transfer("NA entry", "a-1"), conversation="open"))
    path = folder / "calls.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in bodies))
    return path


def _reports(path: Path, jobs: int = 1) -> list[Report]:
    plan = Replay(
        logs=(str(path),),
        options=ReplayOptions(note=note_of),
        jobs=jobs,
        chunk_sizes=ChunkSizes(2_000, 4_000),
    )
    return list(start_replay(plan).reports())


@pytest.mark.parametrize("way", sorted(COPIES))
@pytest.mark.parametrize(
    "native",
    ["0", pytest.param("1", marks=pytest.mark.skipif(not is_installed(), reason="not installed"))],
)
def test_reports_of_a_log_are_copied(
    way: str, native: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_NATIVE", native)
    path = _log(tmp_path)

    copies = [COPIES[way](each) for each in segue.replay(path)]

    assert len(copies) == 45
    monkeypatch.setenv("SEGUE_NATIVE", "0")
    reports = list(segue.replay(path))
    assert copies == reports
    assert [each.to_json() for each in copies] == [each.to_json() for each in reports]
    assert [each.timeline for each in copies] == [each.timeline for each in reports]
    assert sum(len(each.mistakes) for each in copies) == sum(len(r.mistakes) for r in reports) > 20


def test_several_processes_make_reports_that_equal_those_of_one(tmp_path: Path) -> None:
    path = _log(tmp_path)
    alone, together = _reports(path), _reports(path, jobs=2)

    assert together == alone
    assert [COPIES["pickle"](each) for each in together] == alone
    assert [COPIES["deepcopy"](each).to_json() for each in together] == [
        each.to_json() for each in alone
    ]
    assert together[0].notes == [(at, str(path), f"line {at + 1}") for at in range(5)]


def test_a_finding_in_a_report_of_another_process_has_the_rule_of_the_catalogue(
    tmp_path: Path,
) -> None:
    found: list[Finding] = [
        finding for report in _reports(_log(tmp_path), jobs=2) for finding in report.findings
    ]

    assert found
    assert all(any(finding.rule is rule for rule in segue.RULES) for finding in found)
