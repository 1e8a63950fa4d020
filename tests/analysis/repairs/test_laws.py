"""Laws of repair."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.docs.test_rule_pages import LOG
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, streams
from tests.streams import body, clean_streams, single_edits

import segue
from segue.analysis.repairs import Repair, is_repairable
from segue.analysis.simulate import generate
from segue.core.explain import Edit, EditKind
from segue.core.findings import RULES, Finding, Rule, Severity
from segue.report.pages import page
from segue.testing import batches, story

SEARCHED = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
MESSAGES = (*(Ev("agent message", agent) for agent in "abc"), Ev("user message", "a"))
REPAIRED = [rule for rule in RULES if rule.family in (1, 2)]


def errors(done: Repair) -> list[Finding]:
    """Return the errors of order and presence that a repair leaves."""
    order = [each for each in done.after.findings if each.rule.family in (1, 2)]
    return [each for each in order if each.severity is Severity.ERROR]


def mistaken(longest: int) -> list[tuple[Ev, ...]]:
    """Return the clean streams of at most `longest` events with each single mistake."""
    edited = (edit for stream in clean_streams(longest) for _, edit in single_edits(stream))
    return list(dict.fromkeys(edited))


def with_messages(stream: tuple[Ev, ...], random: Random) -> list[Ev]:
    """Return a stream with four messages at random places."""
    events = list(stream)
    for _ in range(4):
        events.insert(random.randint(0, len(events)), random.choice(MESSAGES))
    return events


def numbered(events: list[Ev]) -> list[dict[str, Any]]:
    """Return a body for each event. No two messages are equal."""
    bodies = [body(event) for event in events]
    return [b | {"query": f"text {n}"} if "query" in b else b for n, b in enumerate(bodies)]


def in_deliveries(events: list[Ev], random: Random) -> list[dict[str, Any]]:
    """Return bodies of one or more events."""
    bodies: list[dict[str, Any]] = []
    for each in numbered(events):
        if bodies and "events" in each and "events" in bodies[-1] and random.random() < 0.6:
            bodies[-1] = {**each, "events": bodies[-1]["events"] + each["events"]}
        else:
            bodies.append(each)
    return bodies


@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.thorough)])
def test_after_every_single_mistake_a_repair_leaves_no_error(longest: int) -> None:
    for stream in mistaken(longest):
        done = segue.repair(map(body, stream))

        assert done.is_complete, stream
        assert not errors(done), stream


@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("are_batched", [False, True])
def test_messages_keep_their_places(longest: int, are_batched: bool) -> None:  # noqa: FBT001
    """A repair leaves out or moves only messages that an edit names, and no user's before END.

    Everything else stays in its order, and every message is written as it was sent.
    """
    random, seen = Random(7), set[EditKind]()
    for stream in mistaken(longest):
        events = with_messages(stream, random)
        bodies = in_deliveries(events, random) if are_batched else numbered(events)

        done = segue.repair(bodies)

        assert not errors(done), events
        messages = [at for at, event in enumerate(events) if event.kind in MESSAGE_KINDS]
        touched = [each for each in done.edited if each.edit and each.origin in messages]
        assert {each.place for each in touched} == named(events, done.edits), events
        seen |= {each.edit.kind for each in touched if each.edit}
        stays = [each.place for each in done.edited if each.edit is None]
        assert stays == sorted(stays), events
        assert sorted(e.place for e in done.edited if e.origin is not None) == [*range(len(events))]

        sent = dict(zip(messages, (each for each in bodies if "query" in each), strict=True))
        places = [e.place for e in done.edited if e.origin in messages and not e.is_left_out]
        assert places == sorted(places), events
        written = [each for each in done.events if isinstance(each, dict) and "query" in each]
        assert written == [sent[place] for place in places], events
    assert {EditKind.MOVED, EditKind.SURPLUS} <= seen


def named(events: list[Ev], edits: tuple[Edit, ...]) -> set[int]:
    """Return the positions of the messages that edits name, which a user's before END are not.

    An edit names the messages of an agent between two lifecycle events before END, and all events
    of its run after END.
    """
    end = min((at for at, event in enumerate(events) if event.kind == END), default=len(events))
    found = set[int]()
    for edit in edits:
        if edit.event is None or edit.size is None or edit.kind not in TAKING_AWAY:
            continue
        run = [*range(edit.event, edit.event + edit.size)]
        first = events[edit.event]
        if first.kind == "agent message" and edit.event < end:
            alike = (at for at in range(edit.event, len(events)) if events[at] == first)
            run = [*islice(alike, edit.size)]
            assert all(events[at].kind in MESSAGE_KINDS for at in range(run[0], run[-1]))
        found.update(at for at in run if events[at].kind in MESSAGE_KINDS)
    assert all(events[at].kind == "agent message" or at > end for at in found)
    return found


TAKING_AWAY = (EditKind.MOVED, EditKind.SURPLUS, EditKind.ID_USED_AGAIN)
MESSAGE_KINDS = ("agent message", "user message")
END = "end"


@SEARCHED
@given(streams(max_size=5), st.sampled_from([None, "end", "start", "both"]))
def test_what_has_been_repaired_needs_no_repair(stream: list[Ev], partial: Any) -> None:
    """A repaired stream has no error left, and repairing it again changes nothing."""
    done = segue.repair(map(body, stream), partial=partial)

    if done.is_complete:
        assert not errors(done)
        assert segue.repair(done.events, partial=partial).edits == ()


@SEARCHED
@given(legal_streams(max_size=30))
def test_a_valid_stream_is_left_as_it_is(stream: list[Ev]) -> None:
    bodies = [body(event) for event in stream]

    done = segue.repair(bodies)

    assert (done.edits, done.is_complete) == ((), True)
    assert all(one is other for one, other in zip(done.events, bodies, strict=True))


@SEARCHED
@given(st.data(), streams(max_size=5))
def test_a_repair_changes_only_deliveries_with_edited_events(
    data: st.DataObject, stream: list[Ev]
) -> None:
    """The deliveries of several events are repaired, too."""
    bodies = data.draw(batches([body(event) for event in stream]))

    done = segue.repair(bodies)

    assert not done.is_complete or not errors(done)
    edited = [each for each in done.edited if each.edit is not None]
    untouched = [event for event in done.events if any(event is given for given in bodies)]
    assert len(bodies) - len(untouched) <= 2 * len(edited)


def test_nothing_is_put_in_between_the_events_of_a_delivery_that_is_moved() -> None:
    """The exit after the entry would stand behind the summary of the same delivery."""
    both = story("NA entry by a-1", "TRIGGER_SUMMARY_EVENT")
    sent = story("TRIGGER_SUMMARY_EVENT", "END_OF_CONVERSATION by a-1")
    late = {**both[0], "events": [*both[0]["events"], *both[1]["events"]]}

    done = segue.repair([*sent, late])

    assert done.is_complete
    assert errors(done) == []


@pytest.mark.slow
def test_every_generated_conversation_with_a_mistake_is_repaired() -> None:
    lines: dict[str, list[str]] = {}
    for line in generate(3, conversations=400, mistakes=1.0):
        for report in segue.replay([line.text]):
            if report.conversation_id is not None:
                lines.setdefault(report.conversation_id, []).append(line.text)
    for sent in lines.values():
        assert not errors(segue.repair(sent))


def test_an_event_that_leaves_a_delivery_leaves_its_id_there() -> None:
    """Two events moved out of one delivery are not two deliveries with one id."""
    first = story("TRIGGER_SUMMARY_EVENT", "TRIGGER_SUMMARY_EVENT in de")
    both = story("COLD entry by a-1", "END_OF_CONVERSATION by a-1")
    body_of_both = {**both[0], "events": [*both[0]["events"], *both[1]["events"]]}
    envelope = {"delivery_id": "d-1", "body": body_of_both}

    done = segue.repair([*first, envelope, both[1]])

    assert done.after.valid
    ids = [each["delivery_id"] for each in done.events if isinstance(each, dict) and "body" in each]
    assert len(ids) == len(set(ids))


def test_an_agent_whom_no_event_names_is_unknown() -> None:
    nobody = segue.repair([story("TRIGGER_SUMMARY_EVENT")[0]], partial="end")

    assert [(edit.kind, edit.agent) for edit in nobody.edits] == [(EditKind.SURPLUS, None)]


@pytest.mark.parametrize("rule", REPAIRED, ids=lambda rule: rule.code)
def test_the_example_of_a_rule_about_order_is_repaired(rule: Rule) -> None:
    example, _ = LOG.findall(page(rule))

    done = segue.repair(example.splitlines())

    assert not errors(done)
    assert (rule.severity is Severity.ERROR) == is_repairable(done.before)


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule not in REPAIRED], ids=lambda rule: rule.code
)
def test_what_is_not_about_the_order_of_events_is_left_alone(rule: Rule) -> None:
    example, _ = LOG.findall(page(rule))
    lines = example.splitlines()
    for report in segue.replay(lines):
        if report.conversation_id is None:
            lines = []  # there is nothing to repair in a line that nobody can read

    done = segue.repair(lines)

    assert (done.edits, done.events) == ((), tuple(lines))


def test_a_conversation_of_nothing_is_left_alone() -> None:
    empty: list[Any] = []
    unknown = {"conversationId": "c-1", "botId": "st-1", "events": [{"name": "NOPE"}]}

    assert segue.repair(empty).events == ()
    assert segue.repair([unknown]).events == (unknown,)
