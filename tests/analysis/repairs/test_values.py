"""What changed and new events look like."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

import segue
from segue.core.explain import EditKind
from segue.core.wire import read_body
from segue.testing import story


def participant(agent: str, **fields: object) -> dict[str, Any]:
    return {"identity": agent, "name": f"Agent {agent}", "type": "agent", **fields}


def test_a_retyped_transfer_keeps_all_else_and_the_letter_case_of_its_sender() -> None:
    events = story("NA entry by a-1", "WARM exit by a-1", "END_OF_CONVERSATION by a-1")
    sent = events[1]["events"][0]
    sent |= {"transfertype": "warm", "x-extra": [1], "isExtAD": "false"}

    done = segue.repair(events)

    changed: Any = done.events[1]
    assert changed == {**events[1], "events": [{**sent, "transfertype": "na"}]}
    assert list(changed["events"][0]) == list(sent)


def test_another_agent_comes_with_name_and_address() -> None:
    events = story("NA entry by a-1", "NA exit by a-2", "END_OF_CONVERSATION by a-2")
    ours = {"agentEmail": "ada@example.org", "queueId": "qu-1"}
    theirs = {"agentEmail": "bob@example.org", "queueId": "qu-1"}
    for event, fields in zip(events, (ours, theirs, theirs), strict=True):
        event["events"][0]["participant"]["customFields"] = fields

    done = segue.repair(events)

    changed: Any = done.events[1]
    assert changed["events"][0]["participant"] == participant("a-1", customFields=ours)


def test_an_address_nobody_knows_is_left_out() -> None:
    events = story("NA entry by a-1", "NA exit by a-2", "END_OF_CONVERSATION by a-2")
    theirs = {"agentEmail": "bob@example.org", "queueId": "qu-1"}
    events[1]["events"][0]["participant"]["customFields"] = theirs

    changed: Any = segue.repair(events).events[1]

    sent = participant("a-1", customFields={"queueId": "qu-1"})
    assert changed["events"][0]["participant"] == sent


def test_a_new_transfer_says_what_the_conversation_says() -> None:
    events = story("NA entry by a-1", "WARM entry by a-2", "NA exit by a-1")
    for event in events:
        event["events"][0] |= {"experience": "voice", "language": "de", "isExtAD": True}
    events[1]["events"][0]["participant"]["customFields"] = {"queueId": "qu-1"}

    done = segue.repair(events)

    exits, ends = done.events[2], done.events[4]
    ids = {"conversationId": "c-1", "botId": "st-1"}
    said = {"language": "de", "experience": "voice"}
    assert exits == {
        **ids,
        "events": [
            {
                "name": "INTERNAL_TRANSFER_EVENT",
                "transfertype": "WARM",
                "transition": "exit",
                "isExtAD": True,
                **said,
                "participant": participant("a-2"),
            }
        ],
    }
    assert ends == {
        **ids,
        "events": [
            {
                "name": "END_OF_CONVERSATION",
                "reason": "unknown",
                **said,
                "participant": participant("a-1"),
            }
        ],
    }
    assert done.after.clean


def test_bare_events_stay_bare() -> None:
    events = [body["events"][0] for body in story("NA entry by a-1", "END_OF_CONVERSATION by a-1")]

    done = segue.repair(events)

    assert done.events[0] is events[0]
    assert done.events[2] is events[1]
    new: Any = done.events[1]
    assert (new["transfertype"], new["transition"]) == ("NA", "exit")


def test_bare_events_stay_bare_as_text() -> None:
    events = [
        json.dumps(body["events"][0])
        for body in story("NA entry by a-1", "END_OF_CONVERSATION by a-1")
    ]

    done = segue.repair(events)

    assert done.events[0] is events[0]
    assert done.events[2] is events[1]
    new: Any = json.loads(str(done.events[1]))
    assert (new["transfertype"], new["transition"]) == ("NA", "exit")
    assert "events" not in new


@pytest.mark.parametrize("is_text", [False, True], ids=["object", "text"])
@pytest.mark.parametrize(
    "envelope", [None, {"received_at": "2026-03-02T12:00:00Z"}, {"bot_id": ""}]
)
@pytest.mark.parametrize("ids", [{}, {"conversationId": "c-1"}, {"botId": "st-1"}, {"botId": None}])
def test_a_bare_event_that_lacks_an_id_stays_bare(
    ids: dict[str, Any], envelope: dict[str, Any] | None, *, is_text: bool
) -> None:
    """Whether an event was lost, has changed or has moved."""
    entry, leave, end = (
        body["events"][0]
        for body in story("NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")
    )

    def form(event: dict[str, Any]) -> Any:
        body: Any = json.dumps(ids | event) if is_text else ids | event
        return body if envelope is None else envelope | {"body": body}

    def event_of(sent: Any) -> Any:
        body = sent if envelope is None else sent["body"]
        event = json.loads(body) if is_text else body
        return event["transition"] if "transition" in event else event["name"]

    for events in (
        (entry, end),
        (entry, leave | {"transfertype": "WARM"}, end),
        (entry, end, leave),
    ):
        given = [form(event) for event in events]
        done = segue.repair(given)

        assert [event_of(sent) for sent in done.events] == ["entry", "exit", "END_OF_CONVERSATION"]
        assert done.after.clean
        assert segue.check(done.events).clean


def test_events_posted_bare_or_under_another_key_are_repaired() -> None:
    ids = {"conversationId": "c-1", "botId": "st-1"}
    first, last = (
        body["events"] for body in story("WARM entry by a-1", "END_OF_CONVERSATION by a-1")
    )
    left = story("NA exit by a-1")[0]

    done = segue.repair([ids | first[0], left, ids | {"Events": last}])

    assert done.events == (
        ids | {"events": [first[0] | {"transfertype": "NA"}]},
        left,
        ids | {"Events": last},
    )


def test_an_id_under_another_key_stays_where_it_is() -> None:
    """Whether an event posted bare is changed, moved, or stands beside one that was lost."""
    ids = {"ConversationId": "c-1", "BotID": "st-1"}
    entry, leave, end = (
        body["events"][0]
        for body in story("NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")
    )
    early = entry | {"transfertype": "WARM"}

    def repaired(*events: dict[str, Any]) -> list[Any]:
        given = [{"body": ids | event} for event in events]
        return [each["body"] for each in segue.repair(given).events if isinstance(each, dict)]

    assert repaired(early, leave, end) == [ids | {"events": [entry]}, ids | leave, ids | end]
    assert repaired(entry, end) == [ids | entry, ids | {"events": [leave]}, ids | end]
    assert repaired(entry, end, leave) == [ids | entry, ids | leave, ids | {"events": [end]}]


def test_text_stays_text() -> None:
    text = (
        '{"conversationId":"c-1","botId":"st-1","events":[{"name":"INTERNAL_TRANSFER_EVENT",'
        '"transfertype":"WARM","transition":"entry","isExtAD":false,"experience":"chat",'
        '"participant":{"identity":"a-1","name":"Ada","type":"agent"}}]}'
    )

    done = segue.repair([text], partial="end")

    assert done.events == (text.replace("WARM", "NA"),)


def test_a_changed_body_keeps_the_order_of_its_keys() -> None:
    """Also where `events` are not its last key, as an object, in an envelope, or as text."""
    leave = story("WARM exit by a-1")[0]
    first = {"events": leave["events"], "botId": "st-1", "x": 1, "conversationId": "c-1"}
    given: list[Any] = [first, {"body": first, "x": 1}, {"body": json.dumps(first)}]
    enter, end = story("NA entry by a-1", "END_OF_CONVERSATION by a-1")

    done = [segue.repair([enter, each, end]).events[1] for each in given]

    wanted = json.dumps(first).replace("WARM", "NA")
    assert [json.dumps(each) for each in done] == [
        wanted,
        f'{{"body": {wanted}, "x": 1}}',
        json.dumps({"body": wanted}),
    ]


@pytest.mark.parametrize(("before", "after"), [("", "\n"), ("", "\r\n"), ("  ", " ")])
def test_text_keeps_its_style_beside_blanks(before: str, after: str) -> None:
    """As lines of a file have them, as text or as bytes."""
    enter, leave, end = (
        f"{before}{json.dumps(body, separators=(',', ':'))}{after}"
        for body in story("NA entry by a-1", "WARM exit by a-1", "END_OF_CONVERSATION by a-1")
    )
    wanted = (enter, leave.replace("WARM", "NA"), end)

    assert segue.repair([enter, leave, end]).events == wanted
    assert segue.repair([enter.encode(), leave.encode(), end.encode()]).events == tuple(
        each.encode() for each in wanted
    )
    assert segue.repair([{"body": enter}, {"body": leave}, {"body": end}]).events == tuple(
        {"body": each} for each in wanted
    )


def test_a_changed_text_behind_a_byte_order_mark_keeps_its_style() -> None:
    enter, leave, end = (
        json.dumps(body, separators=(",", ":"))
        for body in story("WARM entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")
    )

    done = segue.repair([f"\ufeff{enter}", leave, end])

    assert done.events == (enter.replace("WARM", "NA"), leave, end)


@pytest.mark.parametrize("one", ["shift.jsonl", b"{}", {"events": []}])
def test_one_item_is_refused_with_advice(one: Any) -> None:
    with pytest.raises(segue.ConfigurationError, match=r"repair takes the events.*segue\.replay"):
        segue.repair(one)


def test_a_notebook_shows_the_mistakes_as_a_table() -> None:
    found = segue.repair(story("NA entry by a-1", "END_OF_CONVERSATION by a-1"))

    assert found._repr_html_() == (
        "<table><caption>c-1: 1 edit</caption><tr><th>number</th><th>sentence</th><th>fix</th>"
        "</tr><tr><td>1</td><td>the NA exit of a-1 is missing (at the latest before event 1)</td>"
        "<td>Send an NA exit of a-1 before the END_OF_CONVERSATION.</td></tr></table>"
    )


def labels(events: Iterable[Any]) -> list[str]:
    """Return the events of deliveries in order, such as `WARM entry by a-2`."""
    sent = [event for delivery in map(read_body, events) for event in delivery.events]
    return [f"{event.kind} by {event.agent}" if event.agent else str(event.kind) for event in sent]


def together(*names: str) -> dict[str, Any]:
    """Return one delivery of several events."""
    bodies = story(*names)
    return {**bodies[0], "events": [body["events"][0] for body in bodies]}


def test_a_late_delivery_of_several_events_is_moved_by_one_edit() -> None:
    late = together("WARM entry by a-2", "WARM exit by a-2")
    early = story("NA entry by a-1", "NA exit by a-1", "TRIGGER_SUMMARY_EVENT by a-1")

    done = segue.repair([*early, late, *story("END_OF_CONVERSATION by a-1")])

    [edit] = done.edits
    assert (edit.kind, edit.event, edit.size, edit.before) == ("moved", 3, 2, 1)
    assert labels(done.events) == [
        *("NA entry by a-1", "WARM entry by a-2", "WARM exit by a-2", "NA exit by a-1"),
        *("TRIGGER_SUMMARY_EVENT", "END_OF_CONVERSATION by a-1"),
    ]
    assert done.after.clean


def test_an_early_delivery_of_several_events_is_moved_behind_later_ones() -> None:
    early = together("NA exit by a-2", "TRIGGER_SUMMARY_EVENT by a-2")
    begin = story("NA entry by a-1")
    end = story("COLD exit by a-1", "COLD entry by a-2", "END_OF_CONVERSATION by a-2")

    done = segue.repair([*begin, early, *end])

    [edit] = done.edits
    assert (edit.kind, edit.event, edit.size, edit.before) == ("moved", 1, 2, 5)
    assert labels(done.events) == [
        *("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2"),
        *("TRIGGER_SUMMARY_EVENT", "END_OF_CONVERSATION by a-2"),
    ]
    assert done.after.clean


END = "END_OF_CONVERSATION by a-1"
WRITTEN = {
    "lost": (
        ("NA entry by a-1", "COLD entry by a-2", "NA exit by a-2", END),
        ("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2", END),
    ),
    "surplus": (
        ("NA entry by a-1", "NA exit by a-1", END, "END_OF_CONVERSATION by a-1 in de"),
        ("NA entry by a-1", "NA exit by a-1", END),
    ),
    "moved": (
        ("NA entry by a-1", END, "NA exit by a-1"),
        ("NA entry by a-1", "NA exit by a-1", END),
    ),
    "retyped": (
        ("WARM entry by a-1", "NA exit by a-1", END),
        ("NA entry by a-1", "NA exit by a-1", END),
    ),
    "renamed": (
        ("NA entry by a-1", "NA exit by a-2", END),
        ("NA entry by a-1", "NA exit by a-1", END),
    ),
    "took-over": (
        ("NA entry by a-1", "NA entry by a-2", "NA exit by a-2", END),
        ("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2", END),
    ),
    "stay-renamed": (
        ("NA entry by a-1", "WARM entry by a-1", "WARM exit by a-1", "NA exit by a-1", END),
        (
            *("NA entry by a-1", "WARM entry by unknown", "WARM exit by unknown"),
            *("NA exit by a-1", END),
        ),
    ),
    "id-used-again": (
        ("NA entry by a-1", "NA exit by a-1", END, "NA entry by a-2", "NA exit by a-2", END),
        ("NA entry by a-1", "NA exit by a-1", END),
    ),
}
"""An example of each kind of edit: the events as told, and as they are written."""


@pytest.mark.parametrize("kind", EditKind)
def test_each_kind_of_edit_is_written(kind: EditKind) -> None:
    told, wanted = WRITTEN[kind]

    done = segue.repair(story(*told))

    assert [edit.kind for edit in done.edits] == [kind]
    assert labels(done.events) == list(wanted)
    assert done.after.clean


def test_messages_after_the_end_are_moved_as_they_are() -> None:
    events = story(
        *("NA entry by a-1", "NA exit by a-1", END, "agent message by a-1", "user message by a-1")
    )

    done = segue.repair(events)

    assert [(edit.kind, edit.event, edit.size) for edit in done.edits] == [("moved", 3, 2)]
    assert list(done.events) == [*events[:2], *events[3:], events[2]]


def test_a_message_that_belongs_between_two_events_of_a_delivery_divides_it() -> None:
    last = together("NA exit by a-1", END)
    message = story("user message by a-1")[0]

    done = segue.repair([*story("NA entry by a-1"), last, message])

    assert labels(done.events) == ["NA entry by a-1", "NA exit by a-1", "user message by a-1", END]
    assert done.events[2] == message
    assert done.after.clean


def test_an_event_moves_out_of_a_delivery_with_a_message() -> None:
    mixed = {**story("user message by a-1")[0], "events": story(END)[0]["events"]}

    done = segue.repair([*story("NA entry by a-1"), mixed, *story("NA exit by a-1")])

    assert labels(done.events) == ["NA entry by a-1", "user message by a-1", "NA exit by a-1", END]
    assert done.events[1] == story("user message by a-1")[0]
    assert done.after.clean


def test_a_message_moves_out_of_a_delivery_with_an_event() -> None:
    """The second END of the conversation is left out, together with its place."""
    mixed = {
        **story("user message by a-1")[0],
        "events": story("END_OF_CONVERSATION by a-1 in de")[0]["events"],
    }

    done = segue.repair([*story("NA entry by a-1", "NA exit by a-1", END), mixed])

    assert labels(done.events) == ["NA entry by a-1", "NA exit by a-1", "user message by a-1", END]
    assert done.after.clean


def test_the_events_of_one_place_are_put_in_in_the_order_of_the_explanation() -> None:
    """The consultant's lost exit comes before the exit that came early, at the same place."""
    told = [
        *("NA entry by a-1", "WARM entry by a-3", "agent message by a-1", "NA exit by a-1"),
        *("agent message by a-3", "agent message by a-1", "TRIGGER_SUMMARY_EVENT", END),
    ]

    done = segue.repair(story(*told))

    assert [(edit.kind, edit.before) for edit in done.edits] == [("moved", 6), ("lost", 6)]
    assert labels(done.events)[5:7] == ["WARM exit by a-3", "NA exit by a-1"]
    assert done.after.clean


def test_the_message_of_one_agent_is_found_among_those_of_others() -> None:
    """A conversation counts the messages of a gap, so the explanation does not know their order."""
    second = ["agent message by a-2", "user message by a-1", "agent message by a-1"]
    told = ["NA entry by a-1", "COLD entry by a-2", *second, "NA exit by a-2", END]

    done = segue.repair(story(*told))

    assert ("surplus", "agent message by a-1") in [
        (event.edit.kind, event.sent) for event in done.edited if event.edit is not None
    ]
    assert labels(done.events) == [
        *("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "agent message by a-2"),
        *("user message by a-1", "NA exit by a-2", END),
    ]


def test_a_hand_over_names_the_agent_who_left_whatever_the_letter_case() -> None:
    told = ["NA entry by A-1", "agent message by a-1", "NA entry by a-2", "NA exit by a-2", END]

    done = segue.repair(story(*told))

    assert [edit.kind for edit in done.edits] == ["took-over"]
    assert labels(done.events)[2:4] == ["COLD exit by A-1", "COLD entry by a-2"]


def test_a_repeat_that_would_be_none_any_more_is_left_out_for_free() -> None:
    told = ["NA entry by a-1", "NA entry by a-2", "NA entry by a-2", "NA exit by a-2", END]

    done = segue.repair(story(*told))

    assert [edit.kind for edit in done.edits] == ["took-over"]
    assert labels(done.events) == list(WRITTEN["took-over"][1])
    assert done.after.clean
