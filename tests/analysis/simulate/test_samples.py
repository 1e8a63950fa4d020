"""The samples: what the seeds make, true beside it, and vectors of the shape they promise."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import segue

SAMPLES = Path(__file__).parents[3] / "samples"
SCHEMA = SAMPLES / "vectors" / "schema.json"


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_clean_log_is_what_the_seed_makes(tmp_path: Path) -> None:
    runpy.run_path(str(SAMPLES / "make.py"))["make"](tmp_path)

    (made,) = tmp_path.iterdir()

    assert made.name == "clean.jsonl"
    assert made.read_bytes() == (SAMPLES / "clean.jsonl").read_bytes()


def test_a_check_of_the_shift_finds_exactly_what_was_planted() -> None:
    truth = Counter(
        (row["conversation_id"], row["code"], row["event"], row["action"])
        for row in _rows(SAMPLES / "shift.truth.jsonl")
    )

    found = Counter(
        (report.conversation_id, finding.code, finding.place.event, finding.place.action)
        for report in segue.replay(SAMPLES / "shift.jsonl")
        for finding in report.findings
    )

    assert found == truth


def test_the_shift_has_mistakes_of_every_family_and_broken_lines() -> None:
    planted = Counter(row["code"] for row in _rows(SAMPLES / "shift.truth.jsonl"))

    assert {code[2] for code in planted} == set("123456")
    assert planted["SG501"] == 2
    assert 25 <= planted.total() <= 35


def test_the_shift_is_small_enough_to_read() -> None:
    reports = list(segue.replay(SAMPLES / "shift.jsonl"))

    assert 48 <= len({report.conversation_id for report in reports} - {None}) <= 60
    assert (SAMPLES / "shift.jsonl").stat().st_size < 300_000


def test_the_clean_sample_is_clean() -> None:
    reports = list(segue.replay(SAMPLES / "clean.jsonl"))

    assert len(reports) == 12
    assert all(report.clean for report in reports)


def test_the_clean_sample_has_other_spellings_in_it() -> None:
    text = (SAMPLES / "clean.jsonl").read_text("utf-8")

    for spelling in ("COLD", "Cold", r" COLD\t"):
        assert f'"transfertype": "{spelling}"' in text


def test_every_vector_fits_the_schema() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    for path in (SAMPLES / "vectors").glob("*.jsonl"):
        for row in _rows(path):
            assert [error.message for error in validator.iter_errors(row)] == [], row["id"]


@pytest.mark.parametrize(
    "change",
    [
        {"id": "Not A Slug"},
        {"deliveries": []},
        {"specification": ""},
        {"expect": {"valid": True, "phase": "asleep", "findings": []}},
        {"expect": {"valid": True, "phase": "ended", "findings": [{"event": -1, "code": "SG101"}]}},
        {"expect": {"valid": True, "phase": "ended", "findings": [{"event": 0, "code": "101"}]}},
        {"partial": "middle"},
        {"note": "no such key"},
    ],
    ids=str,
)
def test_the_schema_refuses_what_is_no_vector(change: dict[str, Any]) -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    vector = _rows(SAMPLES / "vectors" / "lifecycle.jsonl")[0]

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(vector | change, schema, jsonschema.Draft202012Validator)


def test_the_readme_names_every_sample() -> None:
    text = (SAMPLES / "README.md").read_text("utf-8")

    for path in SAMPLES.iterdir():
        if path.name not in ("README.md", "__pycache__"):
            assert path.name in text
