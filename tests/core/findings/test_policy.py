"""A policy selects, ignores and re-ranks; what cannot be meant is refused where it is written."""

import pickle
from dataclasses import replace
from typing import Any

import pytest

from segue.core.findings import BY_CODE, RULES, Cause, Place, Policy, Severity, codes, find
from segue.errors import ConfigurationError, UnknownRule

FOUND = (
    find("SG101", Place(event=0), {"what": "NA exit"}),
    find("SG118", Place(event=1), {"agent": "a-1"}),
    find("SG508", Place(event=2), {"how": "nothing", "advice": "send something"}),
)


def applied(policy: Policy) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity.value) for finding in policy.apply(FOUND)]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({}, [("SG101", "error"), ("SG118", "note"), ("SG508", "error")]),
        ({"select": ("SG1",)}, [("SG101", "error"), ("SG118", "note")]),
        ({"select": ["SG101", "SG5"]}, [("SG101", "error"), ("SG508", "error")]),
        ({"ignore": ("SG1",)}, [("SG508", "error")]),
        ({"select": ("SG1",), "ignore": ("callback-start",)}, [("SG101", "error")]),
        ({"strict": True}, [("SG101", "error"), ("SG118", "error"), ("SG508", "error")]),
        (
            {"severity": {"SG508": "warning", "SG5": "note"}},
            [("SG101", "error"), ("SG118", "note"), ("SG508", "warning")],
        ),
        (
            {"strict": True, "severity": {"SG118": "warning"}},
            [("SG101", "error"), ("SG118", "warning"), ("SG508", "error")],
        ),
    ],
    ids=[
        "default",
        "select",
        "select-several",
        "ignore",
        "both",
        "strict",
        "longer-beats-shorter",
        "named-beats-strict",
    ],
)
def test_what_is_reported(policy: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert applied(Policy(**policy)) == expected


def test_a_new_rank_is_all_that_changes_in_a_finding() -> None:
    evidence = (Cause(Place(event=0, line=3), "NA entry of a-1"),)
    facts = {"agent": "a-1", "present": "nobody", "primary": "nobody", "an_event": "an NA exit"}
    found = find("SG201", Place(event=1), facts, expected=("message",), because=evidence)

    (ranked,) = Policy(severity={"SG201": "note"}).apply([found])

    assert ranked == replace(found, severity=Severity.NOTE)


def test_strict_leaves_shape_and_log_as_they_are() -> None:
    finding = find("SG601", Place(event=0), {"what": "NA entry", "agent": "a-1"})

    assert Policy(strict=True).apply([finding])[0].severity is Severity.WARNING


@pytest.mark.parametrize("selector", ["SG999", "nothing", "", "SG", "sg101"])
def test_only_codes_prefixes_and_names_select(selector: str) -> None:
    if selector == "SG":
        assert codes((selector,)) == frozenset(BY_CODE)
        return
    with pytest.raises(UnknownRule, match="segue rules"):
        codes((selector,))


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ({"select": "SG1"}, '`select` must be a list, for example select=["SG1"], got str'),
        ({"ignore": ""}, '`ignore` must be a list, for example ignore=["SG110"], got str'),
        (
            {"require": "language"},
            '`require` must be a list, for example require=["language"], got str',
        ),
        ({"select": 5}, '`select` must be a list, for example select=["SG1"], got int'),
        ({"reject": None}, '`reject` must be a list, for example reject=["SG101"], got NoneType'),
        ({"ignore": [5]}, "no rule has the code, prefix or name 5: see `segue rules`"),
        (
            {"severity": ["SG101"]},
            '`severity` must be a dict, for example severity={"SG110": "note"}, got list',
        ),
        (
            {"severity": {5: "note", "SG1": "note"}},
            "no rule has the code, prefix or name 5: see `segue rules`",
        ),
        (
            {"require": ("reason", "Language")},
            "`require` takes customFields, language, reason, customFields.KEY, not 'Language'",
        ),
        (
            {"require": ("customFields.",)},
            "`require` takes customFields, language, reason, customFields.KEY, not 'customFields.'",
        ),
        (
            {"require": ("language.x",)},
            "`require` takes customFields, language, reason, customFields.KEY, not 'language.x'",
        ),
        (
            {"require": (7,)},
            "`require` takes customFields, language, reason, customFields.KEY, not 7",
        ),
        (
            {"severity": {"SG1": "fatal"}},
            "`severity of SG1` must be one of error, warning, note, got 'fatal'",
        ),
        (
            {"transcription": "ignore"},
            "`transcription` must be one of enforce, observe, got 'ignore'",
        ),
        (
            {"reject": ("SG999",)},
            "no rule has the code, prefix or name 'SG999': see `segue rules`",
        ),
        (
            {"select": ("SG1", "SG203"), "ignore": ("SG1", "agent-already-present")},
            (
                "no rule is left to report: the policy selects SG1, SG203 "
                "and ignores SG1, agent-already-present"
            ),
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_and_it_is_said_what_could_be(
    mistake: dict[str, Any], said: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        Policy(**mistake)

    assert str(refused.value) == said


def test_rejecting_and_reporting_are_asked_separately() -> None:
    policy = Policy(reject=("SG508",), ignore=("SG101",))

    assert [policy.rejects(finding) for finding in FOUND] == [False, False, True]
    assert [policy.reports(finding.rule) for finding in FOUND] == [False, True, True]


def test_a_policy_travels_between_processes() -> None:
    policy = Policy(select=("SG1",), severity={"SG118": "error"})

    assert pickle.loads(pickle.dumps(policy)) == policy  # noqa: S301 - our own bytes


def test_equal_policies_are_one_key() -> None:
    policies = [Policy(severity={"SG118": "error"}), Policy(severity={"SG118": "error"})]

    assert len({*policies, Policy(severity={"SG118": "note"}), Policy(strict=True)}) == 3


def test_codes_names_and_families_are_unique_and_sorted() -> None:
    assert [rule.code for rule in RULES] == sorted({rule.code for rule in RULES})
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert {rule.family for rule in RULES} == {1, 2, 3, 4, 5, 6, 7}


def test_a_finding_as_json_has_the_documented_keys() -> None:
    assert FOUND[0].to_dict() == {
        "code": "SG101",
        "name": "missing-na-entry",
        "severity": "error",
        "event": 0,
        "action": None,
        "line": None,
        "pointer": "",
        "message": "the conversation had no NA entry before NA exit",
        "expected": [],
        "because": [],
        "help": (
            "send NA entry when the first agent accepts and NA exit when the last one leaves; "
            "read a log that begins late as partial"
        ),
    }
