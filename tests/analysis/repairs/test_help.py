"""The help of a finding and its repair agree: the help names whatever is put in or retyped."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from tests.docs.test_rule_pages import LOG

import segue
from segue.analysis.repairs import EditKind, Repair, repair
from segue.core.findings import RULES, Rule, Severity
from segue.report.pages import page
from segue.testing import shortest_witness

REPAIRED = [
    rule
    for rule in RULES
    if (rule.family in (1, 2) and rule.code != "SG209") or rule.code == "SG601"
]
LEFT = [rule for rule in RULES if rule not in REPAIRED]

WORDS = {
    EditKind.MOVE: r"\b(before|after|first|last|between|until)\b",
    EditKind.REIDENTIFY: r"\b(name|spell)\b",
    EditKind.DELETE: r"\b(once|nothing|only)\b",
}
"""What a help that means such an edit says."""


def proposes(done: Repair) -> list[str]:
    """Return the edits that the help does not propose."""
    words = done.settled[0].help.replace("cold transfer", "COLD exit COLD entry")
    words = words.replace("leaves by COLD", "COLD exit")
    return [
        f"{edit.change.value}: {edit.after or edit.before}"
        for edit in done.edits
        if not (
            edit.after.split(" by ")[0] in words
            if edit.change in (EditKind.INSERT, EditKind.RETYPE)
            else re.search(WORDS[edit.change], words)
        )
    ]


def settled(rule: Rule, events: Sequence[Any]) -> Repair:
    return repair(events, strict=rule.severity is not Severity.ERROR)


@pytest.mark.parametrize("rule", REPAIRED, ids=lambda rule: rule.code)
def test_the_repair_of_a_shortest_witness_is_what_the_help_proposes(rule: Rule) -> None:
    done = settled(rule, shortest_witness(rule.code))

    assert (done.is_least, [finding.code for finding in done.settled]) == (True, [rule.code])
    assert all(finding.severity is Severity.NOTE for finding in done.after.findings)
    assert proposes(done) == []


@pytest.mark.parametrize("rule", REPAIRED, ids=lambda rule: rule.code)
def test_the_repair_of_the_example_is_what_the_help_proposes(rule: Rule) -> None:
    example, _ = LOG.findall(page(rule))

    done = settled(rule, example.splitlines())

    assert not [f for f in done.after.findings if f.severity is Severity.ERROR]
    assert rule.code not in [finding.code for finding in done.after.findings]
    assert proposes(done) == []


@pytest.mark.parametrize("rule", LEFT, ids=lambda rule: rule.code)
def test_what_is_not_about_the_order_of_events_is_left_alone(rule: Rule) -> None:
    example, _ = LOG.findall(page(rule))
    lines = example.splitlines()
    for report in segue.replay(lines):
        if report.conversation_id is None:
            lines = []  # of a line nobody can read there is nothing to repair

    done = repair(lines, strict=True)

    assert (done.edits, done.cost, done.events) == ((), 0, tuple(lines))
