"""Stories: labels to deliveries and back, and a `repr` that can be pasted."""

from typing import Any

import pytest

import segue
from segue.analysis.simulate.bodies import StoryEvent, delivery, read_delivery
from segue.analysis.simulate.spelling import BODY_VARIANTS
from segue.errors import ConfigurationError
from segue.testing import Story, story
from segue.testing.stories import SentEvent


def test_a_label_is_the_delivery_that_says_it() -> None:
    assert story("COLD exit by a-1") == [
        {
            "conversationId": "c-1",
            "botId": "st-1",
            "events": [
                {
                    "name": "INTERNAL_TRANSFER_EVENT",
                    "transfertype": "COLD",
                    "transition": "exit",
                    "isExtAD": False,
                    "language": "en",
                    "experience": "chat",
                    "participant": {"identity": "a-1", "name": "Agent a-1", "type": "agent"},
                }
            ],
        }
    ]


def test_an_action_comes_in_the_envelope_of_its_endpoint() -> None:
    assert story("pause handover=true by a-1", conversation_id="c-7", bot_id="st-2") == [
        {
            "endpoint": "transcription",
            "conversation_id": "c-7",
            "bot_id": "st-2",
            "body": {"action": "pause", "agentId": "a-1", "handover": True},
        }
    ]


@pytest.mark.parametrize(
    "label",
    [
        "NA entry by a-1",
        "redial exit by a-2 in de",
        "user message by a-1",
        "agent message by a-1",
        "TRIGGER_SUMMARY_EVENT",
        "TRIGGER_SUMMARY_EVENT in de",
        "END_OF_CONVERSATION by a-1",
        "start by a-1",
        "pause handover=false by a-1",
        "end by a-1",
    ],
)
def test_what_is_told_is_shown_as_it_was_told(label: str) -> None:
    assert repr(story(label)) == f"story({label!r})"


@pytest.mark.parametrize(
    "given",
    [
        {"conversationId": "c-1", "botId": "st-1"},
        {"conversationId": "c-1", "botId": "st-1", "events": []},
        {"conversationId": "c-1", "botId": "st-1", "events": [{"name": "X"}]},
        delivery(StoryEvent("NA entry", "a-1"), "c-2"),
        delivery(StoryEvent("NA entry", "a-1")) | {"more": 1},
        '{"broken',
        [1],
        None,
    ],
)
def test_what_no_label_says_is_shown_as_it_is(given: Any) -> None:
    assert repr(Story([given])) == f"story({given!r})"


def test_a_shown_story_can_be_pasted() -> None:
    mixed = story("NA entry by a-1", {"conversationId": "c-1", "events": []}, '{"cut')

    assert eval(repr(mixed), {"story": story}) == mixed  # noqa: S307 - that is the point


def test_what_is_expected_can_be_typed() -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(*story("NA entry by a-1"))

    conversation.feed(*story(conversation.expected()[0]))

    assert conversation.phase == "released"


@pytest.mark.parametrize(
    ("label", "hint"),
    [("NA by a-1", "NA entry"), ("NA entry", "by a-1"), ("start", "by a-1"), ("", "use one of")],
)
def test_a_label_that_says_nothing_is_refused(label: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        story(label)


def test_a_label_may_say_how_it_is_spelled() -> None:
    (plain,), (spelled,) = (
        story("NA entry by a-1"),
        story("NA entry by a-1 (everything in capitals)"),
    )

    event = plain["events"][0]
    shouted = {
        "experience": "CHAT",
        "transition": "ENTRY",
        "participant": event["participant"] | {"type": "AGENT"},
    }
    assert spelled == plain | {"events": [event | shouted]}


def test_a_spelling_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"unknown spelling 'all caps': use one of tran"):
        story("NA entry by a-1 (all caps)")


def test_several_events_in_one_body_are_no_beat() -> None:
    (one,), (other,) = story("NA entry by a-1"), story("NA exit by a-1")

    assert read_delivery(one | {"events": [*one["events"], *other["events"]]}) is None


@pytest.mark.parametrize("title", BODY_VARIANTS)
def test_a_spelling_is_read_as_a_failure_of_the_machine_shows_it(title: str) -> None:
    sent = SentEvent(StoryEvent("WARM entry", "a-2", "de"), title)

    assert story(str(sent)) == [sent.body()]


def test_a_spelling_is_that_of_the_body() -> None:
    (given,) = story("redial entry by a-1 (everything in capitals)")

    assert given["events"][0]["transition"] == "ENTRY"
    assert given["events"][0]["participant"]["identity"] == "a-1"


@pytest.mark.parametrize(
    "text", ["NA entry by a-1 (all caps)", "NA entry by a-1 (all", "NA entry (x)"]
)
def test_a_spelling_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"unknown spelling '.*': use one of tran"):
        story(text)


@pytest.mark.parametrize("agent", ["a (b)", "a in de", "", "a (booleans as strings)"])
def test_what_a_label_would_say_otherwise_is_shown_as_it_is(agent: str) -> None:
    given = delivery(StoryEvent("NA entry", agent))

    assert repr(Story([given])) == f"story({given!r})"
