"""Mistakes: every rule has one, and each gives its finding and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from random import Random

from tests.families import family

import segue
from segue.analysis.simulate import MORNING
from segue.analysis.simulate.inject import GeneratorOptions, inject
from segue.analysis.simulate.mistakes import MistakeMaker, mistakes_of
from segue.analysis.simulate.random_walk import strangers, walk
from segue.analysis.simulate.script import LogPart, Script
from segue.analysis.simulate.translation import page_log
from segue.core.conversation.current import current_reports
from segue.core.findings import BY_CODE, RULES

USUAL = GeneratorOptions(
    messages=2.5,
    transcription=True,
    notes=True,
    spellings=True,
    envelopes=True,
    delivery_ids=False,
    calls=True,
)
MISTAKES = [mistake for rule in RULES for mistake in mistakes_of(rule.code)]


def _name(mistake: MistakeMaker) -> str:
    return f"{mistake.code} {type(mistake).__name__}"


def _strangers() -> Iterator[str]:
    return (f"a-{number}" for number in count(9))


@family("mistake", MISTAKES, ids=_name)
@family("seed", ["one", "two", "three"])
def test_a_mistake_gives_its_finding_and_nothing_else(mistake: MistakeMaker, seed: str) -> None:
    drawn = inject(USUAL, mistake, seed, "00001", MORNING)

    found = [
        finding.code
        for report in current_reports(segue.replay([sent.text for sent in drawn.sent]))
        for finding in report.findings
    ]

    assert found == [mistake.code]
    assert [each.code for each in drawn.expected] == found
    assert drawn.expected[0].title == BY_CODE[mistake.code].summary


@family("mistake", MISTAKES, ids=_name)
def test_a_mistake_needs_no_more_than_it_says(mistake: MistakeMaker) -> None:
    options = USUAL._replace(
        messages=2.5 if LogPart.MESSAGES in mistake.needs else 0,
        transcription=LogPart.TRANSCRIPTION in mistake.needs,
        envelopes=LogPart.ENVELOPES in mistake.needs,
        calls=LogPart.CALLS in mistake.needs,
    )

    drawn = inject(options, mistake, "seed", "00001", MORNING)

    assert [each.code for each in drawn.expected] == [mistake.code]


@family("mistake", MISTAKES, ids=_name)
def test_looking_for_a_place_changes_nothing_and_making_a_mistake_does(
    mistake: MistakeMaker,
) -> None:
    made = _name(mistake) == "SG512 PageMistake"  # the only delivery of a conversation
    for seed in range(400):
        script = walk(Random(seed), "c-1", notes=False, parts=[*LogPart])
        before = deepcopy(script.items)
        places = [place for width in mistake.widths for place in mistake.places(script, width)]
        assert script.items == before
        if places:
            mistake.make(script, places[0], strangers(Random(seed), script))
            made = made or script.items != before
        if made:
            break

    assert made


def test_a_rule_that_no_conversation_suits_gets_the_example_of_its_page() -> None:
    options = USUAL._replace(messages=0, transcription=False, spellings=False)
    (handoff,) = mistakes_of("SG119")

    drawn = inject(options, handoff, "seed", "00001", MORNING)
    events = [json.loads(sent.text)["body"]["events"][0] for sent in drawn.sent]

    assert [each.code for each in drawn.expected] == ["SG119"]
    assert [(event.get("transfertype"), event.get("transition")) for event in events] == [
        ("NA", "entry"), ("WARM", "entry"), ("WARM", "exit"), ("NA", "exit"), (None, None),
    ]  # fmt: skip


@family("rule", RULES, ids=lambda rule: rule.code)
@family("corrected", [True, False])
def test_the_logs_of_a_page_hold_in_the_words_of_a_conversation(
    rule: segue.Rule,
    corrected: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    script = Script("c-77", "st-7", "voice")
    script.items = page_log(rule.code, script, _strangers(), corrected=corrected)

    report = segue.check(script.deliveries(MORNING))

    assert [finding.code for finding in report.findings] == ([] if corrected else [rule.code])
    is_placeholder = rule.code == "SG512" and not corrected
    assert report.conversation_id == ("undefined" if is_placeholder else "c-77")


def test_every_rule_has_the_mistake_of_its_page() -> None:
    assert [mistakes_of(code)[0].code for code in BY_CODE] == list(BY_CODE)
