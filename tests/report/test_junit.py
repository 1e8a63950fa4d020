"""JUnit XML: by the schema of Jenkins, and read by a parser that is not ours."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
import xmlschema
from hypothesis import example, given, strategies as st
from junitparser import Failure, JUnitXml, TestCase
from tests.report.hostile import SECRET, hostile
from tests.report.story import early, line, log, rendered

from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.report import RunSummary, renderer

SCHEMA: Final = xmlschema.XMLSchema(str(Path(__file__).parent / "data" / "junit.xsd"))
_PLACE: Final = re.compile(r' (file="[^"]*" )?line="[0-9]+"(?=>)')
"""Read by GitLab and others; the schema of Jenkins does not have it, and Jenkins skips it."""
CLEAN: Final = log("NA entry a-1", "NA exit a-1", "END", conversation="c-2")
NOTED: Final = log("redial entry a-1", "NA exit a-1", "END", conversation="c-3")


def read(lines: list[str], **options: Any) -> list[TestCase]:
    """The cases that a reader finds."""
    text = rendered("junit", lines, **options)
    SCHEMA.validate(_PLACE.sub("", text))
    suites = JUnitXml.fromstring(text.encode())
    [suite] = list(suites)
    cases = list(suite)
    failed = sum(any(isinstance(each, Failure) for each in case.result) for case in cases)
    assert (suites.tests, suites.failures) == (suite.tests, suite.failures) == (len(cases), failed)
    return cases


def test_a_conversation_is_a_case_that_fails_when_it_is_not_valid() -> None:
    cases = read([*early(), *CLEAN, *NOTED])

    assert [(case.name, case.classname, case.is_passed) for case in cases] == [
        ("c-1", "st-1", False),
        ("c-2", "st-1", True),
        ("c-3", "st-1", True),
    ]


def test_a_failure_says_what_is_wrong_and_what_to_do() -> None:
    [case] = read(early())
    [failure] = case.result

    assert failure.message == "agent a-2 took over by COLD entry while a-1 was still primary"
    assert failure.type == "SG103"
    assert failure.text == (
        "error[SG103] cold-entry-before-exit: "
        "agent a-2 took over by COLD entry while a-1 was still primary\n"
        "  at line 4, event 3, /events/0\n"
        "  part of mistake 1: the COLD exit of a-1 came after the COLD entry of a-2 "
        "(line 5, due before line 4)\n"
        "  expected: NA exit by a-1, COLD exit by a-1, WARM entry by another agent, message\n"
        "  help: send the COLD exit of a-1 first, then the COLD entry of a-2; "
        "WARM entry when a-2 joined beside a-1"
    )


def test_several_errors_are_one_failure() -> None:
    [case] = read(log("NA entry a-1"))
    [failure] = case.result

    assert failure.type == "SG107, SG108"
    assert failure.message.startswith("1 mistake (2 errors): ")


def test_what_is_no_error_is_output() -> None:
    [case] = read(NOTED)

    assert case.system_out.startswith("note[SG118] callback-start: ")


def test_what_belongs_nowhere_is_a_case_of_its_own_and_what_came_late_is_none() -> None:
    cases = read([*CLEAN, "{", line("END", "c-2")])

    assert [(case.name, case.classname) for case in cases] == [
        ("line 4", "lines without a conversation"),
        ("c-2", "st-1"),
    ]


def test_what_came_after_the_window_is_a_case_of_its_own() -> None:
    cases = read([*CLEAN, line("END", "c-2")], window=0)

    assert [(case.name, case.classname) for case in cases] == [
        ("c-2", "st-1"),
        ("c-2 after its end", "st-1"),
    ]


def test_a_log_without_anything_has_no_case() -> None:
    assert read([]) == []


def test_nothing_of_a_sender_is_markup() -> None:
    text = rendered("junit", hostile())

    assert [case.is_passed for case in read(hostile())] == [False, False]
    assert SECRET not in text
    assert "<b>" not in text
    assert "\x1b" not in text


@example("\ufffe\uffff\x00\x1b]]>&<\"'")
@given(st.text(min_size=1))
def test_any_id_is_text_that_xml_allows(identity: str) -> None:
    text = rendered("junit", log("NA entry a-1", conversation=identity))

    SCHEMA.validate(_PLACE.sub("", text))


def test_many_cases_wait_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.report.junit._IN_MEMORY", 100)

    assert len(read([*early(), *CLEAN, *NOTED])) == 3


def test_a_case_has_the_place_of_its_first_finding_and_no_length_of_time() -> None:
    replayer = Replayer(ReplayOptions())
    replayer.change_source("logs/shift.jsonl")
    texts: list[str] = []
    junit = renderer("junit", texts.append)
    for number, text in enumerate([*early(), *CLEAN], start=1):
        if report := replayer.feed(text.encode(), number):
            junit.show(report)
    junit.finish(RunSummary())

    text = "".join(texts)
    case = '<testcase name="c-1" classname="st-1" time="0" file="logs/shift.jsonl" line="4">'
    assert case in text
    assert '<testcase name="c-2" classname="st-1" time="0"/>' in text
    assert text.count(' time="0"') == 4
