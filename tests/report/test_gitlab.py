"""A code quality report, as GitLab's documentation of the format describes it."""

import json
from typing import Any, Final

from jsonschema import Draft202012Validator
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import early, log, rendered

import segue
from segue.report import RunSummary, renderer

_TEXT: Final = {"type": "string", "minLength": 1}
FORMAT: Final = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": _TEXT,
            "check_name": _TEXT,
            "fingerprint": _TEXT,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "minLength": 1, "not": {"pattern": r"^\./"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def read(lines: list[str]) -> list[dict[str, Any]]:
    """What GitLab finds in the report of a log."""
    document: list[dict[str, Any]] = json.loads(rendered("gitlab", lines))
    Draft202012Validator(FORMAT).validate(document)
    return document


def test_a_finding_is_an_element() -> None:
    [element] = read(early())

    assert element.pop("fingerprint")
    assert element == {
        "description": (
            "agent a-2 took over by COLD entry while a-1 was still primary "
            "(conversation c-1, event 3, /events/0), part of mistake 1: the COLD exit of a-1 "
            "came after the COLD entry of a-2 (line 5, due before line 4); "
            "send the COLD exit of a-1 first, then the COLD entry of a-2; "
            "WARM entry when a-2 joined beside a-1"
        ),
        "check_name": "SG103 cold-entry-before-exit",
        "severity": "major",
        "location": {"path": "log", "lines": {"begin": 4}},
    }


def test_severities_are_those_of_gitlab() -> None:
    found = read(
        [
            *log("NA entry a-1", "NA exit A-1", "END"),
            *log("redial entry a-1", "NA exit a-1", "END", conversation="c-2"),
        ]
    )

    assert [element["severity"] for element in found] == ["minor", "info"]


def test_a_clean_log_is_an_empty_array() -> None:
    assert read(log("NA entry a-1", "NA exit a-1", "END")) == []


def test_fingerprints_differ_and_survive_what_comes_before() -> None:
    ended = log("NA entry a-1", "NA exit a-1", "END", "END", "END", conversation="c-3")
    twice = [*ended, "{", "{"]
    lines = [*early(), *early("c-2"), *twice]
    found = [element["fingerprint"] for element in read(lines)]

    assert len(set(found)) == len(found) == 6
    later = [element["fingerprint"] for element in read([*early("c-0"), *early(), *early("c-2")])]
    assert later[1:] == found[2:4]


def test_equal_findings_of_one_conversation_differ_in_their_fingerprints() -> None:
    body = json.loads(log("NA entry a-1")[0])
    lines = [
        json.dumps({"delivery_id": "d-1", "body": {**body, "botId": f"st-{n}"}}) for n in "123"
    ]
    found = [each for each in read(lines) if each["check_name"].startswith("SG603")]

    assert len({element["fingerprint"] for element in found}) == len(found) == 2


def test_what_came_from_no_log_stands_at_its_first_line() -> None:
    written: list[str] = []
    gitlab = renderer("gitlab", written.append)
    gitlab.show(segue.check(log("NA entry a-1", "NA exit a-1")))
    gitlab.finish(RunSummary())

    [element] = json.loads("".join(written))
    assert element["location"] == {"path": "log", "lines": {"begin": 1}}


def test_nothing_of_a_sender_acts() -> None:
    found = read(hostile())
    text = json.dumps(found, ensure_ascii=False)

    assert len(found) > 3
    assert not any(character in text for character in HOSTILE)
    assert SECRET not in text
