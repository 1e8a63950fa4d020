"""Strategies for streams: what is drawn is what is promised, and it shrinks to a short story."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings, strategies as st

import segue
from segue.analysis.simulate.bodies import StoryEvent, read_delivery
from segue.errors import ConfigurationError
from segue.testing import (
    Story,
    any_streams,
    batches,
    conversations,
    event_logs,
    payloads,
    prefixes,
    spellings,
    story,
    valid_streams,
)


@given(valid_streams())
def test_a_valid_stream_ends_and_gives_notes_at_most(stream: Story) -> None:
    """Valid: nothing but what the specification leaves open is reported."""
    report = segue.check(stream)

    assert {finding.severity.value for finding in report.findings} <= {"note"}
    assert report.phase == "ended"


@given(valid_streams(notes=False, messages=False, agents=2, min_size=2, max_size=4))
def test_the_dials_of_a_valid_stream_are_kept(stream: Story) -> None:
    """Dials: no notes, no messages, no third agent, so many events and the way out."""
    beats = [read_delivery(given) for given in stream]

    assert segue.check(stream).clean
    assert {beat.agent for beat in beats if beat} <= {"", "a-1", "a-2"}
    assert not any(beat.is_message for beat in beats if beat)
    assert 3 <= len(stream) <= 4 + 4


def _said(given: Any) -> set[str]:
    """What a delivery says that senders say less often."""
    if isinstance(given, str):
        given = json.loads(given)
    given = given.get("body", given)
    if not isinstance(given, dict):
        return set()
    found = set[str]()
    for each in (given, *given.get("events", ())):
        found |= {"voice"} & {str(each.get("experience")).strip().lower()}
        found |= {"external"} if str(each.get("isExtAD")).lower() == "true" else set()
        found |= {"custom"} if "customFields" in each.get("participant", ()) else set()
        is_redial = str(each.get("transfertype")).strip().lower() == "redial"
        found |= {"reason"} if is_redial and "reason" in each else set()
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    "drawn",
    [valid_streams(), payloads().map(lambda body: [body]), event_logs()],
    ids=["valid_streams", "payloads", "event_logs"],
)
def test_what_senders_say_less_often_occurs(drawn: st.SearchStrategy[list[Any]]) -> None:
    """By hand: four things that the specification has, each in some of 300, and most have none."""
    counts = Counter[str]()

    @settings(max_examples=300, database=None, derandomize=True, deadline=None)
    @given(drawn)
    def count(lines: list[Any]) -> None:
        counts.update(set[str]().union(*map(_said, lines)) or {"none"})

    count()

    assert set(counts) == {"voice", "external", "custom", "reason", "none"}
    assert counts["none"] == max(counts.values())


@given(prefixes(min_size=1))
def test_a_prefix_has_no_error_as_far_as_it_goes(stream: Story) -> None:
    """Prefix: a log that stops early is as valid as the whole."""
    assert stream
    assert segue.check(stream, partial="end").valid


@given(any_streams())
def test_any_stream_is_judged(stream: Story) -> None:
    """Totality: whatever the order, there is a report."""
    assert segue.check(stream).events == len(stream)


@given(conversations(streams=valid_streams(), transcription=False))
def test_a_conversation_has_its_times(lines: Story) -> None:
    """Envelopes: times never run backwards, so there is a duration."""
    report = segue.check(lines)

    assert report.valid
    assert report.metrics.duration is not None


@given(conversations())
def test_a_conversation_with_actions_is_judged(lines: Story) -> None:
    """Envelopes: actions go to their endpoint and have a count of their own."""
    report = segue.check(lines)

    actions = sum(line.get("endpoint") == "transcription" for line in lines)
    assert report.transcription["actions"] == actions
    assert report.events == len(lines) - actions


@given(conversations(calls=True))
def test_a_conversation_with_calls_is_judged(lines: Story) -> None:
    """Envelopes: notifications and callbacks go to their endpoints and take no position."""
    report = segue.check(lines)

    endpoints = [line.get("endpoint", "hooks") for line in lines]
    notified = endpoints.count("notifications")
    assert (report.call is not None) == (notified > 0)
    assert report.call is None or report.call["notifications"] == notified
    assert report.events == endpoints.count("hooks")


@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of a long log, not shrunk
@pytest.mark.parametrize("endpoint", ["notifications", "transfers"])
def test_a_log_with_calls_has_each_of_their_endpoints(endpoint: str) -> None:
    first = settings(max_examples=500, phases=[Phase.generate], database=None)  # as it is found
    lines = find(
        event_logs(calls=True), lambda log: any(endpoint in line for line in log), settings=first
    )

    assert any(json.loads(line).get("endpoint") == endpoint for line in lines)


@given(event_logs(streams=valid_streams()))
@settings(max_examples=25)
def test_a_log_is_its_conversations_interleaved(lines: list[str]) -> None:
    """Interleaving: each conversation of a log is as valid as alone, but for the transcription."""
    reports = list(segue.replay(lines))

    ids = {json.loads(line).get("conversation_id") for line in lines} - {None}
    ids |= {json.loads(line)["body"].get("conversationId") for line in lines} - {None}
    assert {report.conversation_id for report in reports} == ids
    assert all(
        finding.code.startswith("SG4") or finding.severity.value == "note"
        for report in reports
        for finding in report.findings
    )


@given(payloads())
def test_a_payload_is_accepted_in_every_spelling(body: Any) -> None:
    """Spelling: nothing is wrong with the shape of a payload."""
    report = segue.check([body], partial="both")

    assert not [finding for finding in report.findings if finding.rule.family == 5]
    assert report.events == len(body.get("events", [])) + ("query" in body)


@given(payloads(max_events=0))
def test_a_payload_without_events_is_a_message(body: Any) -> None:
    assert "query" in body
    assert not body.get("events")


@given(st.data(), valid_streams(max_size=6))
def test_neither_spelling_nor_batching_changes_what_is_found(
    data: st.DataObject, stream: Story
) -> None:
    """Spelling, batching: a valid stream stays as valid as it is."""
    respelt = [data.draw(spellings(body)) for body in data.draw(batches(stream))]

    expected, report = segue.check(stream), segue.check(respelt)

    assert [finding.code for finding in report.findings] == [
        finding.code for finding in expected.findings
    ]
    assert (report.phase, report.events) == (expected.phase, expected.events)


SHORTEST = {
    False: ("COLD entry by a-2", "NA exit by a-2", "END_OF_CONVERSATION by a-2"),
    True: ("NA exit by a-1", "END_OF_CONVERSATION by a-1"),  # a transfer that is not taken: a note
}


@pytest.mark.parametrize(
    "notes",
    [
        pytest.param(each, marks=pytest.mark.thorough if number else ())
        for number, each in enumerate(SHORTEST)
    ],
)
def test_what_is_drawn_shrinks_to_a_short_story(*, notes: bool) -> None:
    handed_over = find(
        valid_streams(notes=notes),
        lambda stream: any("COLD" in repr(given) for given in stream),
        settings=settings(database=None),
    )

    assert handed_over == story("NA entry by a-1", "COLD exit by a-1", *SHORTEST[notes])


@pytest.mark.parametrize(
    ("strategy", "hint"),
    [
        (valid_streams(min_size=3, max_size=2), "`min_size` must be from 0 to 2, got 3"),
        (valid_streams(agents=0), "`agents` must be from 1 to"),
        (prefixes(min_size=99), "`min_size` must be 0 to .*, got 99"),
        (event_logs(max_conversations=0), "`max_conversations` must be at least 1, got 0"),
    ],
)
def test_arguments_that_cannot_be_meant_are_reported_when_drawing(
    strategy: st.SearchStrategy[Any], hint: str
) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        find(strategy, lambda _: True)


@pytest.mark.thorough
def test_the_beats_of_a_walk_name_agents_in_the_order_they_turn_up() -> None:
    three = find(
        valid_streams(), lambda stream: "a-3" in repr(stream), settings=settings(database=None)
    )

    people = [
        beat.agent
        for beat in map(read_delivery, three)
        if isinstance(beat, StoryEvent) and beat.agent
    ]
    assert list(dict.fromkeys(people)) == ["a-1", "a-2", "a-3"]
