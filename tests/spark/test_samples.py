"""The programs to submit, submitted."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from shutil import copy
from typing import Any

from tests.scale.digest import digest
from tests.spark.test_stream import environment, reports_in

from segue import replay

SAMPLES = Path(__file__).parents[2] / "samples"
SHIFT = SAMPLES / "shift.jsonl"


def submit(program: str, *arguments: object) -> str:
    """Submit a program; give what it wrote."""
    command = [
        str(Path(sys.executable).with_name("spark-submit")),
        "--conf=spark.sql.shuffle.partitions=2",
        str(SAMPLES / "spark" / program),
        *map(str, arguments),
    ]
    return subprocess.run(
        command, env=environment(), capture_output=True, text=True, check=True
    ).stdout


def test_the_batch_writes_what_it_found_and_says_it(spark: Any, tmp_path: Path) -> None:
    said = submit("check.py", tmp_path / "reports", SHIFT)

    reports = list(replay(SHIFT))
    assert digest(reports_in(spark.read.parquet(str(tmp_path / "reports")))) == digest(reports)
    for code, count in Counter(f.code for report in reports for f in report.findings).items():
        assert f"|{code}|{count:>5}|" in said
    invalid = sum(not report.valid for report in reports)
    assert f"{len(reports)} reports, {invalid} with errors\n" in said


def test_the_stream_and_its_rest_are_the_whole(spark: Any, tmp_path: Path) -> None:
    reports, checkpoint, logs, rest = (
        tmp_path / name for name in ("reports", "checkpoint", "logs", "rest")
    )
    logs.mkdir()
    copy(SHIFT, logs)
    submit("follow.py", reports, checkpoint, logs, "--once")
    submit("follow.py", reports, checkpoint, logs, "--rest", rest)

    came = [each for path in (reports, rest) for each in reports_in(spark.read.parquet(str(path)))]
    assert digest(came) == digest(replay(SHIFT, key="bot"))
