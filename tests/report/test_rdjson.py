"""rdjson: by the schema of reviewdog's diagnostic format."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import early, log, rendered

from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.report import RunSummary, renderer

_PLACE: Final = {
    "type": "object",
    "required": ["path"],
    "properties": {
        "path": {"type": "string"},
        "range": {
            "type": "object",
            "required": ["start"],
            "properties": {
                "start": {
                    "type": "object",
                    "properties": {"line": {"type": "integer", "minimum": 1}},
                    "additionalProperties": False,
                },
            },
        },
    },
    "additionalProperties": False,
}
SCHEMA: Final = {
    "type": "object",
    "required": ["source", "diagnostics"],
    "properties": {
        "source": {"type": "object", "properties": {"name": {"type": "string"}}},
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["message", "severity", "code"],
                "properties": {
                    "message": {"type": "string"},
                    "severity": {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
                    "code": {"type": "object", "properties": {"value": {"type": "string"}}},
                    "location": _PLACE,
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
"""What of reviewdog.proto is used."""


def read(text: str) -> list[dict[str, Any]]:
    """The diagnostics of a document."""
    document = json.loads(text)
    Draft202012Validator(SCHEMA).validate(document)
    found: list[dict[str, Any]] = document["diagnostics"]
    return found


def of_file(lines: list[str], name: str) -> list[dict[str, Any]]:
    """The diagnostics of a log in a file of this name."""
    replayer = Replayer(ReplayOptions())
    replayer.change_source(name)
    written: list[str] = []
    rdjson = renderer("rdjson", written.append)
    reports = [replayer.feed(text.encode(), number) for number, text in enumerate(lines, start=1)]
    for report in (*reports, *replayer.close()):
        if report is not None:
            rdjson.show(report)
    rdjson.finish(RunSummary())
    return read("".join(written))


def test_a_finding_is_a_diagnostic() -> None:
    [found] = of_file(early(), "logs/shift.jsonl")

    assert found == {
        "message": (
            "agent a-2 took over by COLD entry while a-1 was still primary "
            "(conversation c-1, event 3, /events/0), part of mistake 1: the COLD exit of a-1 "
            "came after the COLD entry of a-2 (line 5, due before line 4); "
            "send the COLD exit of a-1 first, then the COLD entry of a-2; "
            "WARM entry when a-2 joined beside a-1"
        ),
        "severity": "ERROR",
        "code": {"value": "SG103"},
        "location": {"path": "logs/shift.jsonl", "range": {"start": {"line": 4}}},
    }


def test_without_findings_there_are_no_diagnostics() -> None:
    assert read(rendered("rdjson", log("NA entry a-1", "NA exit a-1", "END"))) == []


def test_lines_from_no_file_have_no_place() -> None:
    [found] = read(rendered("rdjson", early()))

    assert "location" not in found


@pytest.mark.parametrize("name", ["shift.jsonl", "./logs/../logs/shift.jsonl"])
def test_a_path_is_from_the_working_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    [below] = of_file(early(), str(tmp_path / "logs" / "shift.jsonl"))
    [elsewhere] = of_file(early(), "/elsewhere/shift.jsonl")
    [given] = of_file(early(), name)

    assert below["location"]["path"] == "logs/shift.jsonl"
    assert elsewhere["location"]["path"] == "/elsewhere/shift.jsonl"
    assert given["location"]["path"] == name.removeprefix("./")


def test_no_text_of_a_sender_acts() -> None:
    text = rendered("rdjson", hostile())

    assert read(text)
    assert not any(sign in json.loads(text)["diagnostics"][0]["message"] for sign in HOSTILE)
    assert SECRET not in text
