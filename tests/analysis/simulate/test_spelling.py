"""Spellings: every variant is accepted, and none changes a verdict."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

import pytest

import segue
from segue.analysis.simulate import MORNING
from segue.analysis.simulate.random_walk import walk
from segue.analysis.simulate.script import Script, ScriptItem, Wrapping
from segue.analysis.simulate.spelling import VARIANTS, SpellingVariant, apply, respell, spelled


def _report(script: Script) -> dict[str, Any]:
    return segue.check(sent.text for sent in script.sent(MORNING)).to_dict()


def _walk(seed: int) -> Script:
    return walk(Random(seed), "c-1", notes=False)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.title)
@pytest.mark.parametrize("seeds", [15, pytest.param(60, marks=pytest.mark.thorough)])
def test_a_variant_changes_the_lines_and_no_finding(variant: SpellingVariant, seeds: int) -> None:
    changed = 0
    for seed in range(seeds):
        plain = _walk(seed)
        respelt = deepcopy(plain)
        apply(variant, respelt)

        changed += [sent.text for sent in plain.sent(MORNING)] != [
            sent.text for sent in respelt.sent(MORNING)
        ]
        before, after = _report(plain), _report(respelt)
        for key in ("valid", "clean", "phase", "events", "findings", "transcription"):
            assert after[key] == before[key]

    assert changed > seeds // 3


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.title)
def test_a_variant_leaves_mistakes_as_they_are(variant: SpellingVariant) -> None:
    script = _walk(1)
    event = script.items[-1].event
    odd: dict[str, Any] = {
        "transfertype": 7,
        "transition": None,
        "isExtAD": [],
        "experience": "email",
    }
    event |= odd

    apply(variant, script)

    assert {key: event[key] for key in odd} == odd


def test_everything_that_may_be_spelled_otherwise_is() -> None:
    """By hand, from the accepted spellings: letter case, blanks and flags as text."""
    by_title = {variant.title: variant for variant in VARIANTS}
    said = {"conversationId": "c-1", "author": {"type": "USER"}, "experience": "chat"}
    entry = {"transfertype": "redial", "transition": "entry", "isExtAD": True}
    body = {**said, "events": [{**entry, "participant": {"type": "agent", "identity": "a-1"}}]}

    def at(title: str) -> tuple[Any, ...]:
        found = spelled(by_title[title], body)
        event = found["events"][0]
        words = (event["transfertype"], event["transition"], event["participant"]["type"])
        return (found["experience"], found["author"]["type"], *words, event["isExtAD"])

    assert at("everything in capitals") == ("CHAT", "USER", "REDIAL", "ENTRY", "AGENT", True)
    assert at("blanks around words") == (
        *(" chat\t", " USER\t", " redial\t", " entry\t", " agent\t"),
        True,
    )
    assert at("booleans as strings in capitals")[-1] == "TRUE"
    handover = spelled(by_title["booleans as strings in capitals"], {"handover": False})
    assert handover == {"handover": "FALSE"}


def test_some_senders_have_a_variant_and_most_have_none() -> None:
    plain, changed = 0, 0
    for seed in range(200):
        script = _walk(seed)
        before = deepcopy(script.items)
        respell(Random(seed), script)
        if script.form is Wrapping.PLAIN and script.items == before:
            plain += 1
        else:
            changed += 1

    assert plain > changed > 20


def test_a_message_and_the_event_after_it_may_share_a_delivery() -> None:
    script = Script("c-1", "st-1", "chat", form=Wrapping.BATCHED)
    script.items = [
        script.message(0, "USER", "a-101", "Hello."),
        script.summary(2_000),
        script.summary(3_000),
        script.summary(4_000),
        script.action(5_000, "end", "a-101"),
        script.summary(60_000),
        script.summary(90_000),
    ]

    sent = script.sent(MORNING)

    bodies = [json.loads(each.text)["body"] for each in sent]
    items = [len(body.get("events", [])) + bool({"query", "action"} & {*body}) for body in bodies]
    assert items == [2, 2, 1, 1, 1]
    first = bodies[0]
    assert first["query"] == "Hello."
    assert len(first["events"]) == 1


@pytest.mark.parametrize("odd", ["extra", "cut off", "earlier"])
def test_what_is_odd_about_a_line_keeps_it_alone(odd: str) -> None:
    script = Script("c-1", "st-1", "chat", form=Wrapping.BATCHED)
    script.items = [script.summary(1_000), script.summary(2_000)]
    second = script.items[1]
    if odd == "extra":
        second.extra["delivery_id"] = "d-1"
    elif odd == "cut off":
        second.arriving = 0.5
    else:
        second.at = 0

    assert len(script.sent(MORNING)) == 2


def test_an_item_tells_what_it_is() -> None:
    script = Script("c-1", "st-1", "voice")
    message = script.message(0, "AGENT", "a-101", "Hello.")
    unknown = {"events": [{"name": "ODD"}]}

    assert str(message.story_event) == "agent message by a-101"
    assert (
        str(script.action(0, "pause handover=true", "a-1").story_event)
        == "pause handover=true by a-1"
    )
    assert ScriptItem(0, {}).story_event is None
    assert ScriptItem(0, unknown).story_event is None
