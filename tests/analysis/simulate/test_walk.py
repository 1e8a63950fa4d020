"""Walks: legal by the table, varied, and never at odds with the check."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest

import segue
from segue import Severity
from segue.analysis.simulate import MORNING
from segue.analysis.simulate.random_walk import strangers, walk
from segue.analysis.simulate.sample_data import AGENTS, participant
from segue.analysis.simulate.script import LogPart, Script, ScriptItem
from segue.core.events import TRANSCRIPTION, EventKind
from segue.core.findings import RULES
from segue.core.lifecycle import TABLE, AgentRole, Phase, Situation, Uncertainty, is_legal

MANY = range(400)


def _label(item: ScriptItem) -> str:
    return item.story_event.label if item.story_event else ""


def _check(script: Script) -> segue.Report:
    return segue.check(sent.text for sent in script.sent(MORNING))


def _walks(**dials: Any) -> list[Script]:
    return [walk(Random(seed), f"c-{seed}", **dials) for seed in MANY]


def test_a_walk_without_notes_is_clean() -> None:
    assert [script for script in _walks(notes=False) if not _check(script).clean] == []


def test_a_walk_with_notes_has_those_it_wrote_down() -> None:
    for script in _walks():
        found = [finding.code for finding in _check(script).findings]
        assert sorted(found) == sorted(script.notes)


def test_every_note_of_the_lifecycle_happens() -> None:
    happened = {code for seed in range(2000) for code in walk(Random(seed), "c-1").notes}
    notes = {rule.code for rule in RULES if rule.severity is Severity.NOTE and rule.family < 4}
    notes.remove("SG209")  # of the form of a message

    assert happened == notes


def test_every_transfer_that_is_legal_somewhere_happens() -> None:
    legal = {
        kind
        for phase in Phase
        for kind in EventKind
        if kind.is_entry or kind.is_exit
        for role in (AgentRole.PRIMARY, AgentRole.CONSULTANT, AgentRole.ABSENT, AgentRole.LAST)
        for beside in range(3)
        if (cell := TABLE[phase][kind][Situation(role, Uncertainty.NONE, beside).number])
        is not None
        and is_legal(cell.code)
        and phase is not Phase.ENDED
    }

    happened = {
        told.kind
        for seed in range(2000)
        for item in walk(Random(seed), "c-1").items
        if (told := item.story_event) and not (told.is_action or told.is_message)
    }

    assert happened - {EventKind.SUMMARY, EventKind.END} == legal


@pytest.mark.parametrize("transcription", [True, False])
def test_voice_and_transcription_come_on_request(transcription: bool) -> None:  # noqa: FBT001
    walks = _walks(parts=[LogPart.TRANSCRIPTION] if transcription else [])

    assert {script.experience for script in walks} == (
        {"chat", "voice"} if transcription else {"chat"}
    )
    assert (
        any(item.intake is TRANSCRIPTION for script in walks for item in script.items)
        is transcription
    )


def test_chats_are_not_transcribed() -> None:
    for script in _walks():
        if script.experience == "chat":
            assert not any(item.intake is TRANSCRIPTION for item in script.items)


def test_consults_are_held_in_private_or_are_conferences() -> None:
    held: Counter[bool] = Counter()
    for script in _walks(notes=False):
        for before, item in pairwise(script.items):
            if _label(item) == "WARM entry" and "start" in map(_label, script.items):
                held[before.intake is TRANSCRIPTION and before.body.get("handover") is False] += 1

    assert set(held) == {True, False}


def test_the_next_agent_starts_or_resumes_transcription() -> None:
    taken_up: Counter[str] = Counter()
    for script in _walks():
        for before, item in pairwise(script.items):
            if _label(before) == "COLD entry" and item.intake is TRANSCRIPTION:
                taken_up[_label(item)] += 1

    assert set(taken_up) == {"start", "resume"}


def test_times_of_a_walk_rise() -> None:
    for script in _walks():
        assert all(one.at < two.at for one, two in pairwise(script.items))


def test_messages_may_be_few_or_many() -> None:
    def share(messages: float) -> float:
        items = [
            item
            for seed in range(100)
            for item in walk(Random(seed), "c-1", messages=messages).items
        ]
        return sum(_label(item).endswith("message") for item in items) / len(items)

    assert share(0) < 0.05 < share(1) < share(4)


def test_the_people_are_nobody() -> None:
    participants = [participant(agent) for agent in AGENTS]

    assert len({agent.casefold() for agent in AGENTS}) == len(AGENTS)
    assert all(
        participant["customFields"]["agentEmail"].endswith("@example.com")
        for participant in participants
    )


def test_strangers_have_no_part_in_the_conversation() -> None:
    random = Random(1)
    script = walk(random, "c-1")

    others = list(strangers(random, script))

    assert others
    assert script.agents().isdisjoint(others)
