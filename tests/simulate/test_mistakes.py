"""Mistakes: every rule has one, and each gives its finding and nothing else."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

import segue
from segue import Severity
from segue.findings import BY_CODE, RULES
from segue.simulate import MISTAKES, MORNING, Mistake, Script
from segue.simulate.inject import Dials, plant
from segue.simulate.mistakes import NOTES, Need
from segue.simulate.sample_data import AGENTS

USUAL = Dials(
    messages=2.5,
    transcription=True,
    notes=True,
    spellings=True,
    envelopes=True,
    delivery_ids=False,
)


def _name(mistake: Mistake) -> str:
    return f"{mistake.code} {mistake.title}"


@pytest.mark.parametrize("mistake", MISTAKES, ids=_name)
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_a_mistake_gives_its_finding_and_nothing_else(mistake: Mistake, seed: str) -> None:
    told = plant(USUAL, mistake, seed, 1, MORNING)

    found = [
        finding.code
        for report in segue.replay([sent.text for sent in told.sent])
        for finding in report.findings
    ]

    assert found == [mistake.code]
    assert [planted.code for planted in told.planted] == found
    assert told.planted[0].title == mistake.title


@pytest.mark.parametrize("mistake", MISTAKES, ids=_name)
def test_a_mistake_needs_no_more_than_it_says(mistake: Mistake) -> None:
    dials = USUAL._replace(
        messages=2.5 if Need.MESSAGES in mistake.needs else 0,
        transcription=Need.TRANSCRIPTION in mistake.needs,
        envelopes=Need.ENVELOPES in mistake.needs,
    )

    assert plant(dials, mistake, "seed", 1, MORNING).planted


@pytest.mark.parametrize("mistake", MISTAKES, ids=_name)
def test_an_edit_that_finds_no_place_says_so_and_changes_nothing(mistake: Mistake) -> None:
    agent = AGENTS[0]
    for messages in (0, 1):
        script = Script("c-1", "st-1", "chat")
        script.items = [
            script.transfer(0, "NA entry", agent),
            *(
                script.message(at, "USER", agent.identity, "Hello.")
                for at in range(1, messages + 1)
            ),
            script.transfer(2_000, "NA exit", agent),
            script.end(4_000, agent),
        ]
        before = deepcopy(script.items)

        changed = mistake.edit(Random(1), script)

        assert changed is (script.items != before)


def test_every_rule_has_a_mistake() -> None:
    assert {mistake.code for mistake in MISTAKES} == set(BY_CODE)


def test_the_mistakes_stand_in_the_order_of_the_codes() -> None:
    found = [mistake.code for mistake in MISTAKES]

    assert found == sorted(found)


def test_no_two_mistakes_have_one_title() -> None:
    assert len({mistake.title for mistake in MISTAKES}) == len(MISTAKES)


def test_what_happens_by_itself_is_a_note() -> None:
    notes = {rule.code for rule in RULES if rule.severity is Severity.NOTE}

    assert set(NOTES) == notes - {"SG405"}
