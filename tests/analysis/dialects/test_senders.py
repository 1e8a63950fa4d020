"""Senders with habits and faults: a habit is proposed to be ignored, a fault never is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

import segue
from segue.analysis.causes import cause_notes
from segue.analysis.compare import Share
from segue.analysis.dialects import Dialects, dialect_note_of, proposed
from segue.analysis.dialects.habits import FindingHabit
from segue.cli.ignores import Ignores

Event = dict[str, Any]
NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
UNTIL = datetime.now(UTC).date()
CONVERSATIONS = 130


def transfer(kind: str, agent: str) -> Event:
    transfer_type, transition = kind.split()
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "language": "en",
        "experience": "chat",
        "participant": {"identity": agent, "name": "Kim", "type": "agent"},
    }


def events(agent: str) -> list[Event]:
    leaves = transfer("NA exit", agent)
    data = {"language": "en", "locale": "en-US", "type": "summary"}
    end = {key: leaves[key] for key in ("language", "experience", "participant")}
    return [
        transfer("NA entry", agent),
        transfer("COLD exit", agent),
        transfer("COLD entry", f"{agent}b"),
        transfer("NA exit", f"{agent}b"),
        {"name": "TRIGGER_SUMMARY_EVENT", "data": data},
        {"name": "END_OF_CONVERSATION", "reason": "done", **end},
    ]


def without(place: int, *path: str) -> Callable[[list[Event]], None]:
    """What leaves out a field of an event."""

    def spoil(sent: list[Event]) -> None:
        holder = sent[place] = json.loads(json.dumps(sent[place]))
        for key in path[:-1]:
            holder = holder[key]
        holder.pop(path[-1], None)

    return spoil


def doubled(place: int, **others: object) -> Callable[[list[Event]], None]:
    """Send an event twice, the second time with other values, so that it is no repeat."""
    return lambda sent: sent.insert(place + 1, {**sent[place], **others})


Seen = tuple[str, str, str]
"""Code, kind of event, field."""
HABITS: dict[str, tuple[Seen | None, Callable[[list[Event]], object]]] = {
    "no end": (("SG108", "conversation", ""), lambda sent: sent.pop()),
    "no name at the exit": (
        ("SG502", "NA exit", "participant.name"),
        without(3, "participant", "name"),
    ),
    "no experience at the entry": (("SG502", "NA entry", "experience"), without(0, "experience")),
    "two summaries": (
        ("SG111", "TRIGGER_SUMMARY_EVENT", ""),
        doubled(4, data={"language": "fr", "locale": "fr", "type": "post"}),
    ),
    "capitals": (None, lambda sent: sent[0].update(transition="ENTRY")),
    "numbers": (("SG503", "COLD exit", "reason"), lambda sent: sent[1].update(reason=3)),
}
"""What senders always do, and the finding it gives; of two summaries every second has one."""
FAULTS: dict[str, tuple[Seen, Callable[[list[Event]], object]]] = {
    "no type at the exit": (
        ("SG502", "NA exit", "participant.type"),
        without(3, "participant", "type"),
    ),
    "no name at the entry": (
        ("SG502", "NA entry", "participant.name"),
        without(0, "participant", "name"),
    ),
    "no entry": (("SG101", "COLD exit", ""), lambda sent: sent.pop(0)),
    "two entries": (("SG203", "NA entry", ""), doubled(0, language="fr")),
    "no cold exit": (("SG103", "COLD entry", ""), lambda sent: sent.pop(1)),
    "a name in lower case": (
        ("SG504", "COLD entry", "name"),
        lambda sent: sent[2].update(name="internal_transfer_event"),
    ),
}
WAYS = ("now and then", "an agent", "since noon")
RARER = {"no entry", "no cold exit"}
"""After which too few events would be left to learn a habit of."""


def log(
    seed: int,
) -> tuple[list[str], dict[str, list[Seen]], list[tuple[str, Seen]]]:
    """Lines of 20 senders, the habits of each that are findings, and every planted fault."""
    random = Random(seed)
    lines: list[tuple[datetime, str]] = []
    habits: dict[str, list[Seen]] = {}
    planted: list[tuple[str, Seen]] = []
    for sender in range(20):
        bot = f"bot {sender}"
        mine = random.sample(sorted(HABITS), random.choice((0, 1, 2, 2)))
        habits[bot] = [seen for name in mine if (seen := HABITS[name][0])]
        faults = random.sample(sorted(FAULTS), random.choice((1, 2)))
        ways = {name: random.choice(WAYS[: 2 if name in RARER else 3]) for name in faults}
        for number in range(CONVERSATIONS):
            minute = number * 5
            agent = f"a-{random.randrange(6)}"
            sent = events(agent)
            name = f"c-{sender}-{number}"
            fault = next(
                (each for each in faults if is_faulty(random, ways[each], minute, agent)), None
            )
            for each in sorted(mine, reverse=True):  # "two summaries" moves the end
                HABITS[each][1](sent)
            if fault:
                FAULTS[fault][1](sent)
                planted.append((name, FAULTS[fault][0]))
            at = NINE + timedelta(minutes=minute)
            for event in sent:
                at += timedelta(seconds=1)
                body = {"conversationId": name, "botId": bot, "events": [event]}
                lines.append((at, json.dumps({"received_at": at.isoformat(), "body": body})))
    lines.sort(key=lambda line: line[0])
    return [text for _, text in lines], habits, planted


def is_faulty(random: Random, way: str, minute: int, agent: str) -> bool:
    if way == "an agent":
        return agent == "a-1"
    return random.random() < 0.3 if way == "now and then" else minute > 180


def learned(lines: list[str]) -> Dialects:
    dialects = Dialects()
    for report in segue.replay(lines, note=dialect_note_of):
        dialects.add(report)
    return dialects


def pairs(report: segue.Report) -> Iterator[tuple[str, str, str]]:
    """Conversation, code and the end of the pointer of each finding."""
    for finding in report.findings:
        yield str(report.conversation_id), finding.code, finding.place.pointer


@pytest.mark.thorough
def test_of_twenty_senders_habits_are_learned_and_no_fault_is_hidden() -> None:
    lines, habits, planted = log(1)
    policy = proposed(learned(lines))
    ignores = Ignores([each.text(UNTIL) for each in policy.ignores], UNTIL)

    found = {(each.bot, tuple(each.habit)) for each in policy.ignores}
    wanted = {(bot, seen) for bot, mine in habits.items() for seen in mine}
    assert found == wanted
    assert len(wanted) > 8

    hidden, shown = 0, set()
    for report in segue.replay(lines, note=cause_notes()):
        before = len(report.findings)
        ignores.apply(report)
        hidden += before - len(report.findings)
        shown |= set(pairs(report))
    assert len(planted) > 500
    for name, (code, _, field) in planted:
        end = field.replace(".", "/")
        assert any(
            (id_, found_code) == (name, code) and pointer.endswith(end)
            for id_, found_code, pointer in shown
        ), (name, code, field)
    assert policy.hidden == hidden


def test_little_is_no_habit() -> None:
    """Nineteen of twenty, as far as the numbers say: 30 of 30 may be by chance."""
    lines = []
    for number in range(30):
        for event in events("a-1")[:5]:
            body = {"conversationId": f"c-{number}", "botId": "st", "events": [event]}
            lines.append(json.dumps(body))
    dialects = learned(lines)

    assert dialects.senders["st"].findings[FindingHabit("SG108", "conversation", "")] == 30
    assert proposed(dialects).ignores == ()


@pytest.mark.parametrize("count", [72, 73])
def test_a_habit_needs_a_lower_end_of_nineteen_in_twenty(count: int) -> None:
    """The Wilson interval of n of n begins at n / (n + 3.84): 0.9494 of 72, 0.9500 of 73."""
    lines = [
        json.dumps({"conversationId": f"c-{number}", "botId": "st", "events": [event]})
        for number in range(count)
        for event in events("a-1")[:5]
    ]

    assert len(proposed(learned(lines)).ignores) == (count == 73)


@pytest.mark.parametrize(
    ("wrong", "habits"),
    [
        (80, {}),
        (
            CONVERSATIONS,
            {
                FindingHabit("SG504", "unprocessable event", "name"): Share(
                    CONVERSATIONS, CONVERSATIONS
                )
            },
        ),
    ],
)
def test_an_unknown_event_is_a_habit_if_nearly_all_conversations_have_it(
    wrong: int, habits: dict[FindingHabit, Share]
) -> None:
    """Every unknown event is found, so that its own kind says nothing of how often it is sent."""
    dialects = Dialects()
    for number in range(CONVERSATIONS):
        sent = events(f"a-{number}")
        if number < wrong:
            sent[4] = {"name": "SUMMARY_V2"}
        body = {"conversationId": f"c-{number}", "botId": "st-1", "events": sent}
        for report in segue.replay([json.dumps(body)], note=dialect_note_of):
            dialects.add(report)

    found = dialects.senders["st-1"].finding_habits()
    assert {habit: share for habit, share in found.items() if habit.code == "SG504"} == habits
