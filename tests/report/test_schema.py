"""The JSON Schema of a report holds for every report there is."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.families import family
from tests.report.story import early, log

import segue
from segue.core.findings import RULES
from segue.core.lifecycle import Phase
from segue.core.segments import Metrics
from segue.report.log_excerpt import excerpt
from segue.report.pages import sections
from segue.report.schema import report_schema

SAMPLES = Path(__file__).parents[2] / "samples"
SCHEMA = report_schema()
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)


def mistakes(report: segue.Report) -> list[str]:
    value = json.loads(json.dumps(report.to_dict()))
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(value)]


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", ["shift.jsonl", "clean.jsonl"])
def test_every_report_of_a_sample_fits(name: str) -> None:
    reports = list(segue.replay(SAMPLES / name))

    assert reports
    assert [mistake for report in reports for mistake in mistakes(report)] == []


@family("rule", RULES, ids=lambda rule: rule.code)
def test_the_report_of_every_rule_fits(rule: segue.Rule) -> None:
    log_of_page = sections(rule)["Example log"].partition("```jsonl\n")[2].partition("```")[0]
    reports = list(segue.replay(log_of_page.splitlines()))

    assert excerpt(log_of_page)
    assert rule.code in {finding.code for report in reports for finding in report.findings}
    assert [mistake for report in reports for mistake in mistakes(report)] == []


def test_the_report_of_a_conversation_that_goes_on_fits() -> None:
    for count in range(len(early()) + 1):
        conversation = segue.Conversation()
        for each in early()[:count]:
            conversation.feed(each)
        assert mistakes(conversation.report()) == []


def test_the_schema_lists_what_the_code_lists() -> None:
    assert SCHEMA["properties"]["phase"]["enum"] == [phase.value for phase in Phase]
    finding = SCHEMA["$defs"]["finding"]
    assert finding["properties"]["severity"]["enum"] == [each.value for each in segue.Severity]
    assert list(SCHEMA["$defs"]["metrics"]["properties"]) == list(Metrics.__dataclass_fields__)


@pytest.mark.parametrize("part", ["finding", "segment", "connection", "metrics", "transcription"])
def test_everything_that_the_schema_describes_is_required(part: str) -> None:
    described = SCHEMA["$defs"][part]

    assert described["required"] == list(described["properties"])
    assert SCHEMA["required"] == list(SCHEMA["properties"])


def test_the_schema_refuses_what_is_no_report() -> None:
    [report] = segue.replay(log("NA entry a-1", "NA exit a-1", "END"))
    value = report.to_dict()

    assert VALIDATOR.is_valid(value)
    assert not VALIDATOR.is_valid(value | {"phase": "lost"})
    assert not VALIDATOR.is_valid(value | {"more": 1})
