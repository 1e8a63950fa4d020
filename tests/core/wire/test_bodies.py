from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.core.wire.samples import (
    BODIES,
    body,
    delivery_flaws,
    end,
    flaws,
    message,
    participant,
    read_hook,
    summary,
    text,
    transfer,
    without,
)
from tests.families import family

from segue.core.events import HOOKS, Delivery, EventKind, Flaw

T = transfer()
FLAGS = ("SG209", "/sendAgentMessage")
AGENT = {"type": " agent"}
SILENT = message(author=None, sendUserMessage=False, sendAgentMessage=False)
E0 = "/events/0"


def read(value: Any) -> Delivery:
    """Read a body as text, and make sure that the mapping gives the same."""
    delivery = read_hook(text(value))
    assert read_hook(value) == delivery
    return delivery


def odd(*path: str, value: Any, base: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a body of one event one of whose members has another value."""
    event = T if base is None else base
    for key in reversed(path[1:]):
        value = {key: value}
    old = event.get(path[0])
    if isinstance(old, dict) and isinstance(value, dict):
        value = old | value
    return body(event | {path[0]: value})


@pytest.mark.parametrize("value", BODIES)
def test_a_flawless_body_has_no_flaw(value: dict[str, Any]) -> None:
    delivery = read(value)

    assert flaws(delivery) == []
    assert delivery.body == value
    assert (delivery.conversation_id, delivery.bot_id) == ("c-1", "st-1")


# Each row: what is wrong, and the codes and pointers that must come of it, in this order.
ODD: list[tuple[str, Any, list[tuple[str, str]]]] = [
    # Delivery.
    ("no conversation", without(body(T), "conversationId"), [("SG502", "/conversationId")]),
    ("null conversation", body(T, conversationId=None), [("SG502", "/conversationId")]),
    ("empty conversation", body(T, conversationId=""), [("SG502", "/conversationId")]),
    ("number as conversation", body(T, conversationId=5), [("SG503", "/conversationId")]),
    ("no bot", without(body(T), "botId"), [("SG502", "/botId")]),
    ("object as bot", body(T, botId={}), [("SG503", "/botId")]),
    ("undefined bot", body(T, botId="undefined"), [("SG507", "/botId")]),
    ("placeholder conversation", body(T, conversationId="<id>"), [("SG512", "/conversationId")]),
    ("nothing", {}, [("SG502", "/conversationId"), ("SG502", "/botId"), ("SG508", "")]),
    ("no events", body(), [("SG508", "")]),
    ("null events", body(events=None), [("SG508", "")]),
    ("empty events", body(events=[]), [("SG508", "")]),
    ("object as events", body(events=T), [("SG503", "/events")]),
    ("string as events", body(events=""), [("SG503", "/events")]),
    ("message and no events", message(events=[]), []),
    ("message and wrong events", message(events=0), [("SG503", "/events")]),
    ("nulls for a message", body(query=None, author=None), [("SG508", "")]),
    ("a message without its marks", without(message(), "query"), [("SG502", "/query")]),
    (
        "fields of a message without query and author",
        without(without(message(), "query"), "author"),
        [("SG508", "")],
    ),
    # Elements of events.
    ("string as event", body("x"), [("SG503", E0)]),
    ("null as event", body(None), [("SG503", E0)]),
    ("array as event", body(T, [T], T), [("SG503", "/events/1")]),
    ("no name", body(without(T, "name")), [("SG502", E0 + "/name")]),
    ("null name", odd("name", value=None), [("SG502", E0 + "/name")]),
    ("number as name", odd("name", value=1), [("SG503", E0 + "/name")]),
    ("unhashable name", odd("name", value=[]), [("SG503", E0 + "/name")]),
    ("unknown name", odd("name", value="MESSAGE"), [("SG504", E0 + "/name")]),
    ("empty name", odd("name", value=""), [("SG504", E0 + "/name")]),
    (
        "name in lower case",
        odd("name", value="internal_transfer_event"),
        [("SG504", E0 + "/name")],
    ),
    ("empty event", body({}), [("SG502", E0 + "/name")]),
    # Transfers.
    ("no transfertype", body(without(T, "transfertype")), [("SG502", E0 + "/transfertype")]),
    ("unknown transfertype", odd("transfertype", value="HOT"), [("SG505", E0 + "/transfertype")]),
    ("empty transfertype", odd("transfertype", value=""), [("SG505", E0 + "/transfertype")]),
    ("padded transfertype", odd("transfertype", value="\t NA \r\n"), []),
    ("no-break space", odd("transfertype", value="NA\u00a0"), [("SG505", E0 + "/transfertype")]),
    ("blank transfertype", odd("transfertype", value=" "), [("SG505", E0 + "/transfertype")]),
    ("padded words", body(T | {"transition": " Entry", "experience": "VOICE "}), []),
    ("list as transfertype", odd("transfertype", value=["NA"]), [("SG503", E0 + "/transfertype")]),
    ("no transition", body(without(T, "transition")), [("SG502", E0 + "/transition")]),
    ("unknown transition", odd("transition", value="leave"), [("SG505", E0 + "/transition")]),
    ("true as transition", odd("transition", value=True), [("SG503", E0 + "/transition")]),
    ("no isExtAD", body(without(T, "isExtAD")), [("SG502", E0 + "/isExtAD")]),
    ("null isExtAD", odd("isExtAD", value=None), [("SG502", E0 + "/isExtAD")]),
    ("yes as isExtAD", odd("isExtAD", value="yes"), [("SG503", E0 + "/isExtAD")]),
    ("True as isExtAD", odd("isExtAD", value="True"), []),
    ("FALSE as isExtAD", odd("isExtAD", value="FALSE"), []),
    ("padded isExtAD", odd("isExtAD", value="true "), [("SG503", E0 + "/isExtAD")]),
    ("one as isExtAD", odd("isExtAD", value=1), [("SG503", E0 + "/isExtAD")]),
    ("zero as isExtAD", odd("isExtAD", value=0.0), [("SG503", E0 + "/isExtAD")]),
    ("list as isExtAD", odd("isExtAD", value=[]), [("SG503", E0 + "/isExtAD")]),
    (
        "redial, no isExtAD",
        body(without(transfer("ReDial"), "isExtAD")),
        [("SG502", E0 + "/isExtAD")],
    ),
    ("redial, wrong isExtAD", body(transfer("redial", isExtAD="")), [("SG503", E0 + "/isExtAD")]),
    ("no experience", body(without(T, "experience")), [("SG502", E0 + "/experience")]),
    ("unknown experience", odd("experience", value="email"), [("SG505", E0 + "/experience")]),
    ("number as experience", odd("experience", value=0), [("SG503", E0 + "/experience")]),
    ("number as language", odd("language", value=1), [("SG503", E0 + "/language")]),
    ("null language", odd("language", value=None), []),
    ("empty language", odd("language", value=""), []),
    ("object as reason", odd("reason", value={}), [("SG503", E0 + "/reason")]),
    # Participants.
    ("no participant", body(without(T, "participant")), [("SG502", E0 + "/participant")]),
    ("null participant", odd("participant", value=None), [("SG502", E0 + "/participant")]),
    ("string as participant", odd("participant", value="a-1"), [("SG503", E0 + "/participant")]),
    ("list as participant", odd("participant", value=[]), [("SG503", E0 + "/participant")]),
    (
        "empty participant",
        body(T | {"participant": {}}),
        [
            ("SG502", E0 + "/participant/identity"),
            ("SG502", E0 + "/participant/name"),
            ("SG502", E0 + "/participant/type"),
        ],
    ),
    (
        "empty identity",
        odd("participant", "identity", value=""),
        [("SG502", E0 + "/participant/identity")],
    ),
    (
        "number as identity",
        odd("participant", "identity", value=7),
        [("SG503", E0 + "/participant/identity")],
    ),
    (
        "placeholder identity",
        odd("participant", "identity", value="<agent_id>"),
        [("SG507", E0 + "/participant/identity")],
    ),
    ("bracketed on one side", odd("participant", "identity", value="<agent"), []),
    (
        "null in another case",
        odd("participant", "identity", value="NULL"),
        [("SG507", E0 + "/participant/identity")],
    ),
    ("empty participant name", odd("participant", "name", value=""), []),
    (
        "null participant name",
        odd("participant", "name", value=None),
        [("SG502", E0 + "/participant/name")],
    ),
    ("type in upper case", odd("participant", "type", value=" AGENT"), []),
    (
        "other type",
        odd("participant", "type", value="bot"),
        [("SG505", E0 + "/participant/type")],
    ),
    ("number as type", odd("participant", "type", value=1), [("SG503", E0 + "/participant/type")]),
    (
        "string as customFields",
        odd("participant", "customFields", value="x"),
        [("SG503", E0 + "/participant/customFields")],
    ),
    (
        "wrong customFields",
        body(
            transfer(
                participant=participant(
                    customFields={"agentEmail": 1, "queueId": [], "queueName": None}
                )
            )
        ),
        [
            ("SG503", E0 + "/participant/customFields/agentEmail"),
            ("SG503", E0 + "/participant/customFields/queueId"),
        ],
    ),
    (
        "wrong queueName",
        body(transfer(participant=participant(customFields={"agentEmail": None, "queueName": {}}))),
        [
            ("SG503", E0 + "/participant/customFields/queueName"),
        ],
    ),
    # Summaries.
    ("no data", body(without(summary(), "data")), [("SG502", E0 + "/data")]),
    ("array as data", odd("data", value=[], base=summary()), [("SG503", E0 + "/data")]),
    (
        "empty data",
        body(summary() | {"data": {}}),
        [
            ("SG502", E0 + "/data/language"),
            ("SG502", E0 + "/data/locale"),
            ("SG502", E0 + "/data/type"),
        ],
    ),
    (
        "null in data",
        odd("data", "locale", value=None, base=summary()),
        [("SG502", E0 + "/data/locale")],
    ),
    (
        "number in data",
        odd("data", "type", value=1, base=summary()),
        [("SG503", E0 + "/data/type")],
    ),
    (
        "summary with a wrong experience",
        body(summary(experience="x")),
        [("SG505", E0 + "/experience")],
    ),
    ("summary with an empty participant", body(summary(participant={})), []),
    ("summary of nobody", body(summary(participant={"identity": ""})), []),
    ("summary, wrong participant", body(summary(participant=1)), [("SG503", E0 + "/participant")]),
    (
        "summary of a placeholder",
        body(summary(participant={"identity": "None", "type": "bot"})),
        [("SG507", E0 + "/participant/identity"), ("SG505", E0 + "/participant/type")],
    ),
    # Ends.
    (
        "bare end",
        body({"name": "END_OF_CONVERSATION"}),
        [
            ("SG502", E0 + "/reason"),
            ("SG502", E0 + "/language"),
            ("SG502", E0 + "/experience"),
            ("SG502", E0 + "/participant"),
        ],
    ),
    ("empty reason and language", body(end(reason="", language="")), []),
    # Messages.
    ("null query", message(query=None), [("SG502", "/query")]),
    ("empty query", message(query=""), []),
    ("number as query", message(query=5), [("SG503", "/query")]),
    ("no agentId", without(message(), "agentId"), [("SG502", "/agentId")]),
    ("empty agentId", message(agentId=""), [("SG502", "/agentId")]),
    ("placeholder agentId", message(agentId="NaN"), [("SG507", "/agentId")]),
    ("no author", without(message(), "author"), [("SG502", "/author")]),
    ("string as author", message(author="USER"), [("SG503", "/author")]),
    ("empty author", message(author={}), [("SG502", "/author/type")]),
    ("unknown author", message(author={"type": "BOT"}), [("SG505", "/author/type")]),
    ("null as author type", message(author={"type": None}), [("SG502", "/author/type")]),
    ("no source", without(message(), "source"), [("SG502", "/source")]),
    (
        "wrong flags",
        message(sendUserMessage="1", sendAgentMessage=0),
        [("SG503", "/sendUserMessage"), ("SG503", "/sendAgentMessage")],
    ),
    ("flags as strings and null", message(sendUserMessage="true", sendAgentMessage=None), []),
    ("both flags false", message(sendUserMessage=False, sendAgentMessage="FALSE"), [FLAGS]),
    ("both flags false, no author", SILENT, [("SG502", "/author"), FLAGS]),
    ("a user with the agents' flag", message(sendUserMessage=False), [FLAGS]),
    ("a user with the agents' flag alone", message(sendUserMessage=None), [FLAGS]),
    ("an agent with the users' flag", message(author=AGENT, sendAgentMessage="False"), [FLAGS]),
    ("an agent with the users' flag alone", message(author=AGENT, sendAgentMessage=None), [FLAGS]),
    ("an agent with the agents' flag", message(author=AGENT, sendUserMessage=None), []),
    ("a user with one flag false", message(sendUserMessage=False, sendAgentMessage=None), []),
    ("no flags", message(sendUserMessage=None, sendAgentMessage=None), []),
    (
        "any author with the agents' flag",
        message(author={"type": "BOT"}, sendUserMessage=False),
        [("SG505", "/author/type")],
    ),
    (
        "a flag that cannot be read",
        message(sendUserMessage="no"),
        [("SG503", "/sendUserMessage"), FLAGS],
    ),
    ("number as language of a message", message(language=1), [("SG503", "/language")]),
    ("no experience of a message", message(experience=None), [("SG502", "/experience")]),
    # More than one.
    (
        "flaws in two events and the delivery",
        body(T | {"isExtAD": 0, "experience": "x"}, "x", end(reason=1), botId=""),
        [
            ("SG502", "/botId"),
            ("SG503", E0 + "/isExtAD"),
            ("SG505", E0 + "/experience"),
            ("SG503", "/events/1"),
            ("SG503", "/events/2/reason"),
        ],
    ),
]


@family(("value", "expected"), [row[1:] for row in ODD], ids=[row[0] for row in ODD])
def test_an_odd_body_gives_these_flaws(value: Any, expected: list[tuple[str, str]]) -> None:
    assert flaws(read(value)) == expected


# What findings show.

UNKNOWN = "a name the specification does not have"


def absent(field: str, of: str) -> dict[str, str]:
    advice = f"send {field} with every {of}"
    return {"field": field, "of": of, "how": "was absent or null", "advice": advice}


def facts(value: Any) -> dict[str, str]:
    delivery = read(value)
    found = [*delivery.flaws, *(flaw for event in delivery.events for flaw in event.flaws)]
    assert len(found) == 1
    return dict(found[0].facts)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            body(without(T, "participant")),
            absent("participant", "INTERNAL_TRANSFER_EVENT"),
        ),
        (
            odd("participant", "name", value=None, base=end()),
            absent("participant.name", "END_OF_CONVERSATION"),
        ),
        (message(author={}), absent("author.type", "message")),
        (body(T, botId=None), absent("botId", "delivery")),
        (body({}), absent("name", "event")),
        (
            odd("isExtAD", value="no"),
            {
                "field": "isExtAD",
                "of": "INTERNAL_TRANSFER_EVENT",
                "found": "string",
                "wanted": "boolean",
            },
        ),
        (
            body(T, None),
            {"field": "events[1]", "of": "delivery", "found": "null", "wanted": "object"},
        ),
        (
            body(events=True),
            {"field": "events", "of": "delivery", "found": "boolean", "wanted": "array"},
        ),
        (
            odd("data", value=1.5, base=summary()),
            {
                "field": "data",
                "of": "TRIGGER_SUMMARY_EVENT",
                "found": "number",
                "wanted": "object",
            },
        ),
        (
            body(T, conversationId={}),
            {"field": "conversationId", "of": "delivery", "found": "object", "wanted": "string"},
        ),
        (
            message(query=[]),
            {"field": "query", "of": "message", "found": "array", "wanted": "string"},
        ),
        (odd("name", value="X"), {"value": "X", "how": UNKNOWN}),
        (odd("name", value="X" * 41), {"value": "X" * 39 + "…", "how": UNKNOWN}),
        (odd("name", value="X" * 40), {"value": "X" * 40, "how": UNKNOWN}),
        (
            odd("name", value=" internal_Transfer_event "),
            {
                "value": " internal_Transfer_event ",
                "how": "which was read as INTERNAL_TRANSFER_EVENT",
            },
        ),
        (
            body(without(T, "isExtAD") | {"ISEXTAD": True}),
            {
                "field": "isExtAD",
                "of": "INTERNAL_TRANSFER_EVENT",
                "how": "was spelled ISEXTAD",
                "advice": "spell the key isExtAD: letter case counts",
            },
        ),
        (
            body(T | {"participant": without(participant(), "name") | {"Name": "A"}}),
            {
                "field": "participant.name",
                "of": "INTERNAL_TRANSFER_EVENT",
                "how": "was spelled Name",
                "advice": "spell the key name: letter case counts",
            },
        ),
        (
            odd("transfertype", value="hot"),
            {
                "field": "transfertype",
                "of": "INTERNAL_TRANSFER_EVENT",
                "value": "hot",
                "allowed": "NA, COLD, WARM, redial",
            },
        ),
        (
            message(author={"type": "b" * 99}),
            {
                "field": "author.type",
                "of": "message",
                "value": "b" * 39 + "…",
                "allowed": "USER, AGENT",
            },
        ),
        (body(T, botId="<" + "b" * 60 + ">"), {"field": "botId", "value": "<" + "b" * 38 + "…"}),
        (message(agentId="undefined"), {"field": "agentId", "value": "undefined"}),
        (
            body(),
            {
                "how": "neither a message nor events",
                "advice": "send the message fields or events; send nothing when there is nothing "
                "to say",
            },
        ),
    ],
)
def test_a_flaw_carries_these_facts(value: Any, expected: dict[str, str]) -> None:
    assert facts(value) == expected


def test_an_absent_is_ext_ad_of_a_redial_is_a_warning() -> None:
    (redial,) = read(body(without(transfer("redial"), "isExtAD"))).events
    (other,) = read(body(without(transfer("NA"), "isExtAD"))).events

    assert [flaw.is_warning for flaw in redial.flaws] == [True]
    assert [flaw.is_warning for flaw in other.flaws] == [False]


def test_customer_text_never_enters_a_flaw() -> None:
    custom = participant(customFields={"agentEmail": ["secret"], "queueId": {"secret": 1}})
    delivery = read(
        body(
            transfer("COLD", participant=custom),
            query=["secret"],
            author={"type": "USER", "secret": 1},
        )
    )

    assert len(flaws(delivery)) == 6
    assert all("secret" not in str(event.flaws) for event in delivery.events)


# What events become.


@family(
    "transfer_type",
    [
        "NA",
        "na",
        "Na",
        "nA",
        "COLD",
        "cold",
        "Cold",
        "cOlD",
        "WARM",
        "warm",
        "REDIAL",
        "redial",
        "Redial",
        "rEdIaL",
    ],
)
@family("transition", ["entry", "ENTRY", "Entry", "eNtry", "exit", "EXIT", "Exit", "exiT"])
def test_letter_case_of_a_transfer_does_not_matter(transfer_type: str, transition: str) -> None:
    (event,) = read(body(transfer(transfer_type, transition))).events
    known = {"na": "NA", "cold": "COLD", "warm": "WARM", "redial": "redial"}

    assert event.kind.value == f"{known[transfer_type.lower()]} {transition.lower()}"
    assert event.flaws == ()
    assert event.value["transfertype"] == transfer_type


@pytest.mark.parametrize(
    "experience", ["chat", "CHAT", "Chat", "cHaT", "voice", "VOICE", "Voice", "voicE"]
)
def test_letter_case_of_an_experience_does_not_matter(experience: str) -> None:
    delivery = read(
        message(
            experience=experience,
            events=[
                transfer(experience=experience),
                end(experience=experience),
                summary(experience=experience),
            ],
        )
    )

    assert {event.experience for event in delivery.events} == {experience.lower()}
    assert flaws(delivery) == []


@pytest.mark.parametrize(
    ("author", "kind"),
    [
        ({"type": "USER"}, EventKind.USER_MESSAGE),
        ({"type": "uSeR"}, EventKind.USER_MESSAGE),
        ({"type": "Agent"}, EventKind.AGENT_MESSAGE),
        ({"type": "BOT"}, EventKind.MESSAGE),
        ({"type": 1}, EventKind.MESSAGE),
        ({}, EventKind.MESSAGE),
        ("USER", EventKind.MESSAGE),
        (None, EventKind.MESSAGE),
    ],
)
def test_the_author_tells_what_a_message_is(author: Any, kind: EventKind) -> None:
    (event,) = read(message(author=author)).events

    assert event.kind is kind
    assert event.agent == "a-1"
    assert event.pointer == ""
    assert event.value == message(author=author)


def placed(value: Any) -> list[tuple[str, str]]:
    return [(event.kind.value, event.pointer) for event in read(value).events]


def test_a_message_comes_before_the_events_beside_it() -> None:
    assert placed(message(events=[transfer("NA", "exit"), summary(), end()])) == [
        ("user message", ""),
        ("NA exit", E0),
        ("TRIGGER_SUMMARY_EVENT", "/events/1"),
        ("END_OF_CONVERSATION", "/events/2"),
    ]


def test_a_message_stands_behind_the_entries_that_events_begin_with() -> None:
    entries = [transfer(), transfer("warm", " ENTRY")]

    assert placed(message(events=[*entries, transfer("WARM", "exit"), transfer("redial")])) == [
        ("NA entry", E0),
        ("WARM entry", "/events/1"),
        ("user message", ""),
        ("WARM exit", "/events/2"),
        ("redial entry", "/events/3"),
    ]
    assert placed(message(events=entries)) == [
        ("NA entry", E0),
        ("WARM entry", "/events/1"),
        ("user message", ""),
    ]


def test_an_entry_that_cannot_be_read_is_no_entry_to_stand_behind() -> None:
    unreadable = transfer(participant=participant(identity=None))

    assert placed(message(events=[unreadable, transfer()])) == [
        ("user message", ""),
        ("unprocessable event", E0),
        ("NA entry", "/events/1"),
    ]


def test_an_event_is_what_was_sent() -> None:
    sent = transfer("cold", "Exit", isExtAD="true", extra={"x": [1]}, experience="VOICE")
    (event,) = read(body(sent)).events

    assert event.value == sent
    assert (event.agent, event.experience, event.pointer) == ("a-1", "voice", E0)


@pytest.mark.parametrize(
    "event",
    [
        without(T, "name"),
        T | {"name": "X"},
        without(T, "transfertype"),
        T | {"transfertype": "HOT"},
        T | {"transfertype": 1},
        without(T, "transition"),
        T | {"transition": "up"},
        without(T, "participant"),
        T | {"participant": {"identity": ""}},
        T | {"participant": {"identity": 1.0}},
        T | {"participant": {"identity": True}},
    ],
)
def test_too_little_to_place_an_event_keeps_its_position(event: dict[str, Any]) -> None:
    delivery = read(body(event, end()))
    first, second = delivery.events

    assert (first.kind, first.agent, first.experience) == (EventKind.UNPROCESSABLE, "", "")
    assert first.value == event
    assert (second.kind, second.pointer) == (EventKind.END, "/events/1")


def test_an_element_that_is_no_object_has_an_empty_value() -> None:
    (event,) = read(body(5)).events

    assert event.kind is EventKind.UNPROCESSABLE
    assert event.value == {}


@pytest.mark.parametrize(
    "event",
    [
        {"name": "END_OF_CONVERSATION"},
        {"name": "TRIGGER_SUMMARY_EVENT"},
        T | {"experience": "x", "isExtAD": None, "participant": {"identity": "a-1"}},
    ],
)
def test_an_event_with_flaws_is_processed_when_it_can_be_placed(event: dict[str, Any]) -> None:
    (read_event,) = read(body(event)).events

    assert read_event.kind is not EventKind.UNPROCESSABLE
    assert read_event.flaws != ()
    assert read_event.experience == ""


def test_more_events_than_anybody_sends_are_read() -> None:
    delivery = read(body(*[transfer()] * 250))

    assert delivery.events[-1].pointer == "/events/249"
    assert flaws(delivery) == []


def test_a_thousand_events_and_more_keep_their_pointers() -> None:
    delivery = read_hook(text(body(*[{"name": "END_OF_CONVERSATION"}] * 1_500)))
    flawless = read_hook(text(body(*[summary()] * 1_500)))

    assert [event.pointer for event in delivery.events[998:1002]] == [
        "/events/998",
        "/events/999",
        "/events/1000",
        "/events/1001",
    ]
    assert [event.pointer for event in flawless.events] == [
        event.pointer for event in delivery.events
    ]


# Ids and what comes with a body.


def test_given_ids_fill_in() -> None:
    delivery = read_hook(text({"events": [T]}), conversation_id="c-7", bot_id="st-7")

    assert (delivery.conversation_id, delivery.bot_id) == ("c-7", "st-7")
    assert flaws(delivery) == []


@pytest.mark.parametrize("own", [None, ""])
def test_given_ids_fill_in_for_nothing(own: str | None) -> None:
    value = body(T, conversationId=own, botId=own)
    delivery = read_hook(text(value), conversation_id="c-7", bot_id="st-7")

    assert (delivery.conversation_id, delivery.bot_id) == ("c-7", "st-7")
    assert flaws(delivery) == []


def test_given_ids_fill_in_for_those_of_a_wrong_type() -> None:
    delivery = read_hook(text(body(T, conversationId=1.5, botId=[])), conversation_id="c-7")

    assert (delivery.conversation_id, delivery.bot_id) == ("c-7", None)
    assert flaws(delivery) == [("SG503", "/conversationId"), ("SG503", "/botId")]


def test_empty_given_ids_are_none() -> None:
    delivery = read_hook(text({"events": [T]}), conversation_id="", bot_id="")

    assert (delivery.conversation_id, delivery.bot_id) == (None, None)
    assert flaws(delivery) == [("SG502", "/conversationId"), ("SG502", "/botId")]


def test_the_conversation_of_the_body_and_the_bot_of_the_path_are_taken() -> None:
    delivery = read_hook(text(body(T)), conversation_id="c-7", bot_id="st-7")

    assert (delivery.conversation_id, delivery.bot_id) == ("c-1", "st-7")
    assert delivery.flaws == (Flaw("SG506", "/botId", {"bot": "st-1", "other": "st-7"}),)


def test_the_same_bot_id_twice_is_no_mismatch() -> None:
    assert flaws(read_hook(text(body(T)), bot_id="st-1")) == []


@pytest.mark.parametrize("given", ["undefined", "null", "None", "NaN", "<bot_id>", "<>"])
def test_a_given_placeholder_is_one_too(given: str) -> None:
    delivery = read_hook(text({"events": [T]}), conversation_id=given, bot_id=given)

    assert (delivery.conversation_id, delivery.bot_id) == (given, given)
    assert delivery_flaws(delivery) == [("SG512", "/conversationId"), ("SG507", "/botId")]


def test_what_comes_with_a_body_is_kept() -> None:
    when = datetime(2026, 3, 2, tzinfo=UTC)
    for value in (body(T), body("flawed")):
        delivery = read_hook(text(value), delivery_id="d-1", received_at=when, line=3)

        assert (delivery.delivery_id, delivery.received_at, delivery.line) == ("d-1", when, 3)
        assert delivery.intake is HOOKS
