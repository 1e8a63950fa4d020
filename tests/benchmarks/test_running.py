"""The benchmarks run and print their rows; what they measure is for whoever asks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FEW = ("--lines=400", "--rounds=1")
SHORT = ("--seconds=0.1", "--rounds=1")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "arguments", "rows"),
    [
        ("check", FEW, ["bare", "check", "an open conversation", "4 x the lines"]),
        ("peers", FEW, ["bare pydantic", "SQL, two threads", "naive stack"]),
        ("memory", ("--conversations=4000",), ["ended, reference", "open, of two agents"]),
        ("jobs", FEW, ["concise", "jsonl"]),
        ("growth", ("memory", "--events=20", "--agents=20"), ["events", "agents together"]),
        ("stores", SHORT, ["store", "processor"]),
        ("figures", ("--conversations=200",), ["lost events", "talk_time", "redials"]),
        ("hostile", ("30",), ["two agents", "ever new agents"]),
        ("serve", SHORT, ["empty", "kept", "kept and logged"]),
        (
            "causes",
            ("--days=1", "--conversations=200", "--lines=400", "--rounds=1"),
            ["planted", "nothing planted", "rare", "cost, 400 lines, reference"],
        ),
        pytest.param(
            *("inspector", ("--seconds=1", "--rate=100"), ["behind, median"]),
            marks=pytest.mark.skipif(which("chromium") is None, reason="there is no chromium"),
        ),
        pytest.param(
            *(
                "page",
                ("--conversations=300", "--rounds=1", "--events=200", "--steps=4"),
                ["a list of 300", "opening 200 events", "zooming 200 events"],
            ),
            marks=pytest.mark.skipif(which("chromium") is None, reason="there is no chromium"),
        ),
    ],
)
def test_a_benchmark_prints_its_rows(
    tmp_path: Path, name: str, arguments: tuple[str, ...], rows: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / f"{name}.py", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    for row in rows:
        assert re.search(rf"^ *{re.escape(row)}\b.*[0-9]", done.stdout, re.MULTILINE), row


def test_every_benchmark_is_tried_here_but_one() -> None:
    """The start of pytest is measured where Segue is installed as users install it.

    `bare` holds the models that others decode with, `sql` what is asked in SQL.
    """
    names = {path.stem for path in BENCHMARKS.glob("*.py")}
    assert names - {"bare", "sql", "startup"} == {
        *(
            "check",
            "memory",
            "peers",
            "jobs",
            "stores",
            "serve",
            "growth",
            "figures",
            "causes",
            "hostile",
            "page",
            "inspector",
        )
    }
