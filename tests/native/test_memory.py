"""What an ended conversation takes, by the memory of a process that reads many of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "memory.py"


@pytest.mark.slow
def test_an_ended_conversation_takes_64_bytes_with_either_engine() -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARK, "--conversations=200000", "--kinds", "ended"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = dict(re.findall(r"^  ended, (\w+) +(\d+) ", done.stdout, re.MULTILINE))
    assert {engine for engine, each in found.items() if int(each) <= 64} == {
        "reference",
        "accelerator",
    }
