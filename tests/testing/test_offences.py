"""Invalid streams: one finding each, of the rule that was asked for, in every situation."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.families import family

import segue
from segue.core.findings import RULES
from segue.errors import UnknownRule
from segue.testing import Violation, invalid_streams
from segue.testing.mistaken_stories import is_only
from segue.testing.offence_space import targets
from segue.testing.offences import offended_by_bodies


@pytest.mark.parametrize("examples", [3, pytest.param(12, marks=pytest.mark.thorough)])
@family("code", [rule.code for rule in RULES])
def test_every_rule_is_offended_alone(code: str, examples: int) -> None:
    @settings(max_examples=examples, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(invalid_streams(rule=code))
    def is_offended(violation: Violation) -> None:
        findings = segue.check(violation.stream).findings
        assert [finding.code for finding in findings] == [code] == [violation.rule]
        place = findings[0].place
        position = place.event if place.action is None else place.action
        assert position == violation.position

    is_offended()


@given(invalid_streams(rule="SG"))
def test_any_rule_is_offended_alone(violation: Violation) -> None:
    """Invalid: the check finds the rule that was drawn, and nothing else."""
    assert [finding.code for finding in segue.check(violation.stream).findings] == [violation.rule]


@given(invalid_streams())
def test_unless_a_rule_is_asked_for_there_are_bodies_only(violation: Violation) -> None:
    """Bodies: what a webhook takes as it is; no envelope, no broken text."""
    assert [finding.code for finding in segue.check(violation.stream).findings] == [violation.rule]
    for body in violation.stream:
        assert isinstance(body, dict)
        assert "body" not in body
        assert body.keys() & {"events", "query", "conversationId"}


def test_the_rules_that_bodies_offend_are_those_that_need_no_envelope() -> None:
    needing = {rule.code for rule in RULES if rule.family in (4, 7)}
    needing |= {"SG501", "SG506", "SG509", "SG602", "SG603"}
    needing.add("SG512")  # its page shows a notification

    assert offended_by_bodies() == sorted({rule.code for rule in RULES} - needing)


def test_the_targets_are_those_of_the_rules_about_order_and_agents() -> None:
    judged = {rule.code for rule in RULES if rule.family in (1, 2)} | {"SG601"}
    judged -= {"SG209"}  # of the form of a message

    assert set(targets()) == judged


def test_a_target_is_there_for_each_phase_in_which_a_rule_can_be_offended_first() -> None:
    phases = {code: {target.phase.value for target in each} for code, each in targets().items()}

    assert phases["SG101"] == {"waiting"}
    assert phases["SG103"] == {"active", "consulting"}
    assert phases["SG106"] == {"waiting", "active", "consulting", "transferring"}
    assert phases["SG109"] == phases["SG110"] == {"ended"}
    assert phases["SG201"] == {
        "active",
        "consulting",
        "transferring",
        "released",
        "summarized",
    }


def test_a_rule_that_is_none_is_reported_when_drawing() -> None:
    strategy = invalid_streams(rule="SG999")

    with pytest.raises(UnknownRule):
        settings(database=None)(given(strategy)(lambda _: None))()


@pytest.mark.parametrize("rule", ["SG502", "SG503"])
def test_of_all_places_of_a_mistake_one_is_made(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """A conversation of many fields has some hundred places for a mistake of form."""
    made: list[Sequence[Any]] = []

    def counted(code: str, stream: Sequence[Any]) -> bool:
        made.append(stream)
        return is_only(code, stream)

    monkeypatch.setattr("segue.testing.offences.is_only", counted)
    drawn: list[Violation] = []

    @settings(max_examples=30, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(invalid_streams(rule=rule))
    def draw(violation: Violation) -> None:
        drawn.append(violation)

    draw()

    assert len(made) < 10 * len(drawn)
