"""Transcription within a conversation: takeover, what is allowed, and the end.

`Opinion` is the page in another form: sentences about the last action, not a table. Who is present
and whose exit is awaited it takes from the oracle of the lifecycle.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.builders import Sender, read_label
from tests.oracle.oracle import Ev, _Conversation

import segue
from segue.core.events import ActionKind

ACTIONS = [kind.value for kind in ActionKind if kind.action]
EVENTS = [
    f"{kind} {agent}"
    for kind in ("NA entry", "NA exit", "COLD entry", "COLD exit", "WARM entry", "WARM exit")
    for agent in ("a-1", "a-2", "a-3")
] + ["redial entry a-1", "redial entry a-2", "agent message a-1", "END"]
BEGIN = ("NA entry a-1", "start a-1")
DROPPED = ("NA exit a-1", "redial entry a-1")


def line(text: str, bot: str = "b-1") -> dict[str, Any]:
    """One line of a log: an event, or an action in its envelope."""
    return Sender(bot=bot).delivery(text)


def codes(*texts: str) -> list[str]:
    """The findings about actions in a log that goes on."""
    report = segue.check(map(line, texts), partial="end")
    return [f"{each.code} {each.place.action}" for each in report.findings if each.place.action]


def transcription(*texts: str) -> tuple[str, str | None, int]:
    found = segue.check(map(line, texts), partial="end").transcription
    return found["state"], found["controller"], found["generation"]


@pytest.mark.parametrize("partial", ["start", "both"])
@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (("end a-1", "NA exit a-1"), []),
        (("pause handover=false a-1", "resume a-1", "end a-1", "NA exit a-1"), []),
        (("resume a-1", "end a-1", "NA exit a-1"), []),
        (("pause handover=true a-1", "COLD exit a-1", "COLD entry a-2", "end a-1"), []),
        (("start a-2", "end a-2", "NA exit a-1"), []),
        (("end a-1", "end a-2", "NA exit a-1"), ["SG401"]),
        (("end a-1", "resume a-1", "end a-1", "NA exit a-1"), ["SG401"]),
        (("NA exit a-1", "END", "start a-1"), ["SG408"]),
    ],
)
def test_a_log_that_begins_late_may_lack_the_start_and_the_entry_of_an_action(
    log: tuple[str, ...], expected: list[str], partial: Any
) -> None:
    of_actions = {"SG401", "SG403", "SG408"}
    report = segue.check(map(line, log), partial=partial)
    assert [each.code for each in report.findings if each.code in of_actions] == expected


def test_a_whole_log_may_lack_neither() -> None:
    report = segue.check(map(line, ("end a-2", "NA entry a-1", "NA exit a-1", "END")))
    assert [each.code for each in report.findings] == ["SG401", "SG403"]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        pytest.param(("start a-1", "NA entry A-1", "start A-1"), ["SG402 1"], id="repeat"),
        pytest.param((*BEGIN, *DROPPED, "start a-1"), [], id="after a redial"),
        pytest.param((*BEGIN, *DROPPED, "start a-1", "start a-1"), ["SG402 2"], id="twice"),
        pytest.param(
            (*BEGIN, "pause handover=false a-1", "resume a-1", *DROPPED, "start a-1"),
            [],
            id="after a resume and a redial",
        ),
        pytest.param((*BEGIN, "redial entry a-1", "start a-1"), [], id="after a redial alone"),
        pytest.param(("start a-1", "NA entry A-1", "end a-1"), ["SG206 1"], id="end"),
        pytest.param(
            ("start a-1", "NA entry A-1", "pause handover=true A-1", "start a-1"),
            ["SG401 2", "SG206 2"],
            id="takeover by itself",
        ),
        pytest.param(
            ("start a-1", "NA entry A-1", "NA exit A-1", "END", "start a-1"),
            ["SG402 1"],
            id="repeat after the end",
        ),
        pytest.param(
            ("start a-1", "NA entry A-1", "COLD exit A-1", "COLD entry A-2", "start a-2"),
            ["SG206 1"],
            id="takeover when it has left",
        ),
        pytest.param(
            ("start a-1", "NA entry A-1", "WARM entry a-1", "start a-1"), ["SG402 1"], id="exact"
        ),
        pytest.param(
            ("start a-1", "NA entry A-1", "WARM entry a-1", "start A-1"), ["SG401 1"], id="another"
        ),
    ],
)
def test_an_agent_that_acts_before_it_is_known_is_the_one_known_later(
    log: tuple[str, ...], expected: list[str]
) -> None:
    """Unless its letter case tells it from another; in a log read line by line as in a replay."""
    assert codes(*log) == expected
    reports = segue.replay((json.dumps(line(each)) for each in log), partial="end")
    found = [f"{each.code} {each.place.action}" for report in reports for each in report.findings]
    assert [each for each in found if not each.endswith("None")] == expected


@pytest.mark.parametrize("action", ["start a-2", "resume a-2"])
@pytest.mark.parametrize("hold", [(), ("pause handover=false a-1",)], ids=["active", "hold"])
def test_an_agent_present_takes_over_from_a_controller_who_has_left(
    action: str, hold: tuple[str, ...]
) -> None:
    log = (*BEGIN, *hold, "COLD exit a-1", "COLD entry a-2", action)

    assert codes(*log) == []
    assert transcription(*log) == ("active", "a-2", 1)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(("WARM entry a-2",), id="the controller is present"),
        pytest.param(("COLD entry a-2",), id="the controller owes its exit"),
        pytest.param(("NA entry a-2",), id="the controller is excused"),
        pytest.param(("COLD exit a-1",), id="the agent is not present"),
        pytest.param(("COLD exit a-1", "COLD entry a-2", "COLD exit a-2"), id="it has left again"),
        pytest.param(("COLD exit a-1", "COLD entry a-1", "WARM entry a-2"), id="it is back"),
    ],
)
@pytest.mark.parametrize("action", ["start a-2", "resume a-2"])
def test_nobody_takes_over_else(action: str, before: tuple[str, ...]) -> None:
    assert codes(*BEGIN, *before, action) == ["SG401 1"]


def test_an_owed_exit_that_has_come_is_an_exit() -> None:
    assert codes(*BEGIN, "COLD entry a-2", "COLD exit a-1", "start a-2") == []


def test_a_controller_never_seen_has_not_left() -> None:
    assert codes("NA entry a-1", "start a-9", "start a-1") == ["SG401 1"]


def test_a_controller_is_known_in_any_letter_case() -> None:
    log = ("start A-1", "NA entry a-1", "COLD exit a-1", "COLD entry a-2", "start a-2")

    assert codes(*log) == []


def test_what_is_allowed_names_who_may_take_over() -> None:
    conversation = segue.Conversation("c-1")
    for text in (*BEGIN, "WARM entry a-2", "COLD exit a-1", "COLD entry a-3"):
        conversation.feed(line(text))

    answer = conversation.control({"action": "end", "agentId": "a-9", "handover": True})
    again = conversation.control({"action": "resume", "agentId": "a-2"})

    assert [each.to_dict() for each in answer.allowed] == [
        {"action": "start", "handover": None, "agents": "any"}
    ]
    assert not again.accepted


def test_a_refusal_says_who_could_have_sent_it() -> None:
    conversation = segue.Conversation("c-1")
    for text in (*BEGIN, "WARM entry a-2", "COLD exit a-1", "COLD entry a-3"):
        conversation.feed(line(text))

    answer = conversation.control({"action": "resume", "agentId": "a-9"})

    assert (answer.accepted, answer.changed, answer.state) == (False, False, "active")
    assert [each.to_dict() for each in answer.allowed] == [
        {"action": "start", "handover": None, "agents": ["a-3", "a-2"]},
        {"action": "pause", "handover": False, "agents": "any"},
        {"action": "pause", "handover": True, "agents": "any"},
        {"action": "resume", "handover": None, "agents": ["a-3", "a-2"]},
        {"action": "end", "handover": None, "agents": "any"},
    ]
    assert answer.findings[0].expected == ("pause handover=false", "pause handover=true", "end")


def test_after_the_end_a_live_command_is_refused_but_an_end_of_what_is_open() -> None:
    conversation = segue.Conversation("c-1")
    for text in (*BEGIN, "NA exit a-1", "END"):
        conversation.feed(line(text))

    sent = [
        conversation.control({"action": action, "agentId": "a-1", "handover": False})
        for action in ("pause", "resume", "end", "end", "start")
    ]

    assert [answer.accepted for answer in sent] == [False, False, True, True, False]
    assert [answer.changed for answer in sent] == [False, False, True, False, False]
    assert [[each.code for each in answer.findings] for answer in sent] == [
        ["SG408"], ["SG408"], [], ["SG402"], ["SG408"],
    ]  # fmt: skip
    assert [len(answer.allowed) for answer in sent] == [1, 1, 0, 0, 0]
    assert conversation.report().transcription["actions"] == 3


def test_after_the_end_an_observing_policy_believes() -> None:
    conversation = segue.Conversation("c-1", policy=segue.Policy(transcription="observe"))
    for text in ("NA entry a-1", "NA exit a-1", "END"):
        conversation.feed(line(text))

    answer = conversation.control({"action": "start", "agentId": "a-1"})

    assert (answer.accepted, answer.changed, answer.state) == (True, True, "active")
    assert [each.code for each in answer.findings] == ["SG408"]


def test_an_action_of_another_bot_is_reported_once_for_each_bot() -> None:
    log = [
        *map(line, BEGIN),
        line("pause handover=false a-1", bot="b-2"),
        line("resume a-1", bot="b-2"),
        line("end a-1", bot="b-3"),
    ]

    found = segue.check(log, partial="end").findings

    assert [(each.code, each.place.action, each.place.pointer) for each in found] == [
        ("SG302", 1, ""),
        ("SG302", 3, ""),
    ]
    assert found[0].message.count("b-2") == 1


def test_an_action_may_be_the_first_to_name_the_bot() -> None:
    report = segue.check([line("start a-1", bot="b-2"), line("NA entry a-1")], partial="end")

    assert report.bot_id == "b-2"
    assert [(each.code, each.place.event) for each in report.findings] == [("SG302", 0)]


def test_an_action_between_does_not_hide_that_time_runs_backwards() -> None:
    log = [
        {"received_at": f"2026-03-02T{hour}:00:00Z", "body": line(text)} if hour else line(text)
        for hour, text in (("10", "NA entry a-1"), ("", "start a-1"), ("09", "NA exit a-1"))
    ]
    log[1]["received_at"] = "2026-03-02T09:00:00Z"

    assert [each.code for each in segue.check(log, partial="end").findings] == ["SG602"]


def test_a_refused_action_leaves_no_trace_of_its_spelling() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(line("NA entry a-1"))

    refused = conversation.control({"action": "resume", "agentId": "A-1"})
    accepted = conversation.control({"action": "start", "agentId": "A-1"})

    assert [each.code for each in refused.findings] == ["SG401", "SG206"]
    assert [each.code for each in accepted.findings] == ["SG206"]


class Opinion:
    """What the page says of each action; in a log (`believe`) or of a live command."""

    def __init__(self, *, believe: bool) -> None:
        self.believe = believe
        self.lifecycle = _Conversation(begins_late=False)
        self.state, self.controller, self.generation = "idle", "", 0
        self.accepted: tuple[str, str] | None = None
        self.began_in = 0
        """The stay of the controller at the action that the state comes from."""
        self.exits: set[str] = set()
        self.stays: Counter[str] = Counter()
        self.events = 0

    def see(self, text: str) -> None:
        event = read_label(text)
        kind = {"END_OF_CONVERSATION": "end"}.get(event.label, event.label)
        was_present, has_ended = self.present(event.agent), self.lifecycle.phase() == "ended"
        found = self.lifecycle.see(self.events, Ev(kind, "" if kind == "end" else event.agent))
        if kind.endswith("entry") and "SG601" not in found and not has_ended:
            begins = kind == "redial entry" if was_present else self.present(event.agent)
            self.stays[event.agent] += begins
        self.events += 1
        if kind.endswith("exit"):
            self.exits.add(event.agent)

    def present(self, agent: str) -> bool:
        return self.lifecycle.status.get(agent) in ("primary", "consultant")

    def may_succeed(self, agent: str) -> bool:
        left = self.controller in self.exits and not self.present(self.controller)
        return left and self.controller not in self.lifecycle.marks and self.present(agent)

    def code(self, label: str, agent: str) -> str | None:
        has_ended = self.lifecycle.phase() == "ended"
        is_restart = (label, self.state, self.controller) == ("start", "active", agent)
        if is_restart and not has_ended:
            # "after a drop and a redial of the controller it is no finding"
            return None if self.stays[agent] > max(self.began_in, 1) else "SG402"
        if self.accepted == (label, agent):
            return "SG402"
        if has_ended and label != "end":
            return "SG408"
        return None if self.fits(label, agent) else "SG401"

    def fits(self, label: str, agent: str) -> bool:
        state, is_open = self.state, self.state in ("active", "hold", "handover")
        if label == "end":
            return is_open
        if label in ("start", "resume") and is_open and self.may_succeed(agent):
            return True
        if label == "start":
            return not is_open or (state == "handover" and agent != self.controller)
        if label == "resume":
            return state in ("hold", "handover")
        return state == "active" or (state == "hold" and label == "pause handover=true")

    def act(self, label: str, agent: str) -> str | None:
        code = self.code(label, agent)
        if code == "SG402" or (code and not self.believe):
            return code
        self.accepted, self.began_in = (label, agent), self.stays[agent]
        if self.state == "idle" or (self.state == "ended" and label == "start"):
            self.generation += 1
        if label in ("start", "resume") or not self.controller:
            self.controller = agent
        pauses = {"pause handover=false": "hold", "pause handover=true": "handover"}
        self.state = pauses.get(label, "ended" if label == "end" else "active")
        return code


OF_ACTIONS = {"SG401", "SG402", "SG408"}
ACTS = [f"{label} {agent}" for label in ACTIONS for agent in ("a-1", "a-2", "a-3")]


@given(
    st.lists(st.sampled_from(ACTS) | st.sampled_from(EVENTS), max_size=24),
    st.sampled_from(["log", "observe", "enforce"]),
)
def test_every_action_is_judged_as_the_page_says(texts: list[str], how: str) -> None:
    """Oracle: code, state, controller and generation agree, live, observed and in a log."""
    opinion = Opinion(believe=how != "enforce")
    policy = segue.Policy(transcription="enforce" if how == "enforce" else "observe")
    conversation = segue.Conversation("c-1", policy=policy)
    for text in ("NA entry a-1", *texts):
        event = read_label(text)
        if not event.is_action:
            opinion.see(text)
            conversation.feed(line(text))
            continue
        given_line = line(text)
        codes = [
            each.code
            for each in (
                conversation.feed(given_line)
                if how == "log"
                else conversation.control(given_line["body"])
            ).findings
            if each.code in OF_ACTIONS
        ]
        expected = opinion.act(event.label, event.agent)
        assert codes == ([expected] if expected else [])
        conversation = segue.Conversation.restore(conversation.snapshot(), policy=policy)
        found = conversation.report().transcription
        assert (found["state"], found["controller"] or "", found["generation"]) == (
            opinion.state, opinion.controller, opinion.generation,
        )  # fmt: skip


@given(st.lists(st.sampled_from(ACTS) | st.sampled_from(EVENTS), max_size=24))
def test_what_is_allowed_is_what_is_accepted(texts: list[str]) -> None:
    """Law: a live action is accepted if it is listed for its agent, or changes nothing."""
    conversation = segue.Conversation("c-1")
    for text in ("NA entry a-1", *texts):
        event = read_label(text)
        if not event.is_action:
            conversation.feed(line(text))
            continue
        kind, before = ActionKind(event.label), conversation.report().transcription
        listed = [
            each.agents
            for each in conversation.control(b"{}").allowed
            if (each.action, each.handover) == (kind.action, kind.handover)
        ]
        answer = conversation.control(json.dumps(line(text)["body"]))
        is_listed = any(
            agents == "any"
            or (agents == "not-controller" and event.agent != before["controller"])
            or (isinstance(agents, tuple) and event.agent in agents)
            for agents in listed
        )
        found = [each.code for each in answer.findings if each.code in OF_ACTIONS]
        is_redialed = (event.label, before["state"], before["controller"]) == (
            ("start", "active", event.agent)
        )
        is_repeat = found == ["SG402"] or (is_redialed and not found and not answer.changed)
        assert answer.accepted == (is_listed or is_repeat)
