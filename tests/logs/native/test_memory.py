"""What a conversation takes, ended or open, by the memory of a process that reads many of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "memory.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("ended", {"reference": 64, "accelerator": 64}),
        ("open, of two agents", {"reference": 1_200, "accelerator": 600}),
    ],
)
def test_a_conversation_takes_no_more_than_is_promised(kind: str, most: dict[str, int]) -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARK, "--conversations=200000", "--kinds", kind],
        capture_output=True,
        text=True,
        check=True,
    )
    found = dict(re.findall(rf"^  {kind}, (\w+) +(\d+) ", done.stdout, re.MULTILINE))
    assert found.keys() == most.keys()
    assert {engine for engine, each in found.items() if int(each) > most[engine]} == set()
