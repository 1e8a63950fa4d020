"""SARIF: by its official schema."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft4Validator
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import early, log, rendered

import segue
from segue.core.findings import BY_CODE, RULES
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.report import RunSummary, renderer
from segue.report.sarif import _described

SCHEMA: Final = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0.json").read_text())
NOTED: Final = log("redial entry a-1", "NA exit a-1", "END", conversation="c-3")


def run_of(text: str) -> dict[str, Any]:
    """The one run of a document that the schema allows."""
    document = json.loads(text)
    Draft4Validator(SCHEMA).validate(document)
    assert document["version"] == "2.1.0"
    [run] = document["runs"]
    assert isinstance(run, dict)
    return run


def read(lines: list[str], name: str = "shift.jsonl") -> dict[str, Any]:
    """The run of a log in a file of this name."""
    replayer = Replayer(ReplayOptions())
    replayer.change_source(name)
    written: list[str] = []
    sarif = renderer("sarif", written.append)
    reports = [replayer.feed(text.encode(), number) for number, text in enumerate(lines, start=1)]
    for report in (*reports, *replayer.close()):
        if report is not None:
            sarif.show(report)
    sarif.finish(RunSummary())
    return run_of("".join(written))


def test_a_finding_is_a_result() -> None:
    [result] = read(early())["results"]

    assert re.fullmatch("[0-9a-f]{64}", result.pop("partialFingerprints")["segue/v1"])
    assert result == {
        "ruleId": "SG103",
        "level": "error",
        "message": {
            "text": (
                "agent a-2 took over by COLD entry while a-1 was still primary "
                "(conversation c-1, event 3, /events/0), part of mistake 1: the COLD exit of a-1 "
                "came after the COLD entry of a-2 (line 5, due before line 4); "
                "send the COLD exit of a-1 first, then the COLD entry of a-2; "
                "WARM entry when a-2 joined beside a-1."
            ),
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "shift.jsonl"},
                    "region": {"startLine": 4},
                },
                "logicalLocations": [
                    {
                        "name": "c-1",
                        "fullyQualifiedName": "conversation c-1, event 3, /events/0",
                        "kind": "conversation",
                    },
                ],
            },
        ],
        "relatedLocations": [
            {
                "id": 0,
                "message": {"text": "NA entry of a-1."},
                "physicalLocation": {
                    "artifactLocation": {"uri": "shift.jsonl"},
                    "region": {"startLine": 1},
                },
            },
            {
                "id": 1,
                "message": {
                    "text": (
                        "mistake 1: the COLD exit of a-1 came after the COLD entry of a-2 "
                        "(line 5, due before line 4)."
                    ),
                },
                "physicalLocation": {
                    "artifactLocation": {"uri": "shift.jsonl"},
                    "region": {"startLine": 5},
                },
            },
        ],
        "properties": {
            "expected": [
                "NA exit by a-1",
                "COLD exit by a-1",
                "WARM entry by another agent",
                "message",
            ],
            "mistake": 1,
        },
    }


def test_a_rule_with_a_result_is_described_once() -> None:
    rules = read([*early(), *early("c-2"), *NOTED])["tool"]["driver"]["rules"]

    assert [rule["id"] for rule in rules] == ["SG103", "SG118"]
    assert [rule["name"] for rule in rules] == ["ColdEntryBeforeExit", "CallbackStart"]
    for rule in rules:
        known = BY_CODE[rule["id"]]
        assert rule["shortDescription"]["text"] == known.summary
        assert rule["defaultConfiguration"]["level"] == known.severity.value
        assert rule["help"]["text"] in " ".join(rule["help"]["markdown"].split())
        assert "## Corrected log" in rule["help"]["markdown"]


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("logs/a b#1%.jsonl", "logs/a%20b%231%25.jsonl"),
        ("/logs/ä.jsonl", "file:///logs/%C3%A4.jsonl"),
        ("<stdin>", "%3Cstdin%3E"),
        ("\udcff.jsonl", "%FF.jsonl"),
    ],
)
def test_the_name_of_a_log_is_a_uri(name: str, uri: str) -> None:
    [result] = read(early(), name)["results"]

    [location] = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_lines_without_a_file_have_no_artifact() -> None:
    run = run_of(rendered("sarif", [*early(), "{"]))

    assert [set(place) for result in run["results"] for place in result["locations"]] == [
        {"logicalLocations"},
    ]


def test_a_clean_log_has_no_result() -> None:
    run = read(log("NA entry a-1", "NA exit a-1", "END"))

    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_only_so_many_results_are_shown_and_a_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.report.sarif.RESULTS", 3)
    run = read([*NOTED, *early("c-1"), *early("c-2"), *early("c-4"), *early("c-5")])

    assert [result["level"] for result in run["results"]] == ["error"] * 3
    [invocation] = run["invocations"]
    assert invocation["toolExecutionNotifications"] == [
        {
            "level": "note",
            "message": {"text": "2 of 5 findings were left out: the gravest are shown."},
        },
    ]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["SG103"]


def test_an_id_is_no_link_and_no_placeholder() -> None:
    [result, _] = read(log("NA entry [a](0){0}\\"))["results"]

    assert "\\[a\\](0){{0}}\\\\" in result["message"]["text"]


def test_nothing_of_a_sender_acts() -> None:
    run = read(hostile())
    text = json.dumps(run["results"], ensure_ascii=False)

    assert len(run["results"]) > 3
    assert not any(character in text for character in HOSTILE)
    assert SECRET not in text


def test_every_rule_can_be_described() -> None:
    assert all(_described(rule)["help"]["text"] for rule in RULES)


def test_the_tool_has_a_version_and_a_uri() -> None:
    driver = read(early())["tool"]["driver"]

    assert driver["version"] == driver["semanticVersion"] == segue.__version__
    assert driver["informationUri"] == "urn:segue"


def test_a_log_below_the_working_folder_has_a_relative_uri(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    [result] = read(early(), str(tmp_path / "a b.jsonl"))["results"]

    [location] = result["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "a%20b.jsonl"}
