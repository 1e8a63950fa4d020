"""JSON for programs: valid, whole, and nothing but the report."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.report.story import early, log, rendered

import segue
from segue.report import renderer

CLEAN = log("NA entry a-1", "NA exit a-1", "END", conversation="c-2")


def test_each_line_of_json_lines_is_a_report() -> None:
    lines = [*early(), *CLEAN]

    shown = [json.loads(each) for each in rendered("jsonl", lines).splitlines()]

    assert shown == [report.to_dict() for report in segue.replay(lines)]


def test_the_document_has_the_reports_and_the_summary() -> None:
    document = json.loads(rendered("json", [*early(), *CLEAN, "{"]))

    assert [report["conversation_id"] for report in document["reports"]] == [None, "c-1", "c-2"]
    assert document["log"] == []
    assert document["summary"] == {
        "conversations": 2,
        "valid": 1,
        "clean": 1,
        "late": 0,
        "late_alone": 0,
        "late_beyond": 0,
        "forgotten": 0,
        "lines_without_conversation": 1,
        "events": 10,
        "lines": 0,
        "healed": 0,
        "known": 0,
        "mistakes": 2,
        "untraced": 0,
        "possibly_of_log": 0,
        "findings": [
            {
                "code": "SG103",
                "name": "cold-entry-before-exit",
                "severity": "error",
                "count": 1,
            },
            {
                "code": "SG501",
                "name": "unreadable-body",
                "severity": "error",
                "count": 1,
            },
        ],
        "left_out": [],
    }


def test_a_log_without_anything_is_a_document_without_anything() -> None:
    assert json.loads(rendered("json", []))["reports"] == []
    assert rendered("jsonl", []) == ""


def test_every_report_is_written_at_once() -> None:
    written: list[str] = []
    lines = renderer("jsonl", written.append)
    [report] = segue.replay(early())

    lines.show(report)

    assert len(written) == 1


@pytest.mark.parametrize(
    ("name", "is_drawn"), [("json", False), ("jsonl", False), ("html", False), ("concise", True)]
)
def test_rich_is_loaded_only_where_text_is_drawn(
    name: str,
    is_drawn: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(early()), "utf-8")
    command = [sys.executable, "-X", "importtime", "-m", "segue", "check", str(path)]

    done = subprocess.run(
        [*command, "--format", name], capture_output=True, text=True, timeout=PATIENCE, check=False
    )

    assert done.returncode == 1
    assert (" rich.cells" in done.stderr) is is_drawn
    assert " rich.style" not in done.stderr  # without a terminal nothing is colored


def test_there_is_no_other_format() -> None:
    with pytest.raises(ValueError, match="yaml"):
        renderer("yaml", print)
