"""The programs to submit, submitted."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.distributed.test_stream import environment

from segue import replay

pytestmark = pytest.mark.spark
SAMPLES = Path(__file__).parents[2] / "samples"


def test_the_batch_says_what_it_found_and_writes_it(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("spark-submit")),
            str(SAMPLES / "spark" / "check.py"),
            str(tmp_path / "reports"),
            str(SAMPLES / "shift.jsonl"),
        ],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    reports = list(replay(SAMPLES / "shift.jsonl"))
    counts = Counter(finding.code for report in reports for finding in report.findings)
    for code, count in counts.items():
        assert f"|{code}|{count:>5}|" in done.stdout
    invalid = sum(not report.valid for report in reports)
    assert f"{len(reports)} reports, {invalid} with errors\n" in done.stdout
    assert (tmp_path / "reports" / "_SUCCESS").exists()
