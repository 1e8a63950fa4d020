"""The vectors: hand-written deliveries of one conversation, and what the check must say of them."""

import json
from pathlib import Path
from typing import Any

import pytest

import segue

FOLDER = Path(__file__).parents[2] / "samples" / "vectors"


def cases() -> list[Any]:
    return [
        pytest.param(json.loads(line), id=f"{path.stem}-{json.loads(line)['id']}")
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


@pytest.mark.parametrize("case", cases())
def test_the_check_says_what_the_vector_says(case: Any) -> None:
    report = segue.check(case["deliveries"], partial=case.get("partial"))

    expect = case["expect"]
    found = [
        {"event": finding.place.event, "code": finding.code}
        | ({"pointer": finding.place.pointer} if "pointer" in wanted else {})
        for finding, wanted in zip(report.findings, [*expect["findings"], *[{}] * 99], strict=False)
    ]
    assert found == expect["findings"]
    assert (report.valid, report.phase) == (expect["valid"], expect["phase"])


@pytest.mark.parametrize("case", cases())
def test_the_vector_cites_the_specification(case: Any) -> None:
    assert case["specification"]
    assert case["title"]
