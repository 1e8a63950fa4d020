"""What changed and new events look like."""

import json
from typing import Any

import pytest

import segue
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


def test_the_agent_of_a_message_is_changed_under_the_key_it_has() -> None:
    enter, said, leave, end = story(
        "NA entry by a-1", "agent message by a-2", "NA exit by a-1", "END_OF_CONVERSATION by a-1"
    )
    said["AgentID"] = said.pop("agentId")

    done = segue.repair([enter, said, leave, end], strict=True)

    assert done.events[1] == {**said, "AgentID": "a-1"}


@pytest.mark.parametrize("one", ["shift.jsonl", b"{}", {"events": []}])
def test_one_item_is_refused_with_advice(one: Any) -> None:
    with pytest.raises(segue.ConfigurationError, match=r"repair takes the events.*segue\.replay"):
        segue.repair(one)


def test_a_notebook_shows_the_edits_as_a_table() -> None:
    found = segue.repair(story("NA entry by a-1", "END_OF_CONVERSATION by a-1"))

    assert found._repr_html_() == (
        "<table><caption>c-1: cost 4</caption><tr><th>change</th><th>event</th><th>to</th>"
        "<th>before</th><th>after</th><th>settles</th></tr><tr><td>insert</td><td></td><td>1</td>"
        "<td></td><td>NA exit by a-1</td><td>SG107</td></tr></table>"
    )


def test_a_late_delivery_of_several_events_is_moved_for_the_price_of_one() -> None:
    first, second = story("WARM entry by a-2", "WARM exit by a-2")
    late = {**first, "events": [*first["events"], *second["events"]]}
    early = story("NA entry by a-1", "NA exit by a-1", "TRIGGER_SUMMARY_EVENT by a-1")

    done = segue.repair([*early, late, *story("END_OF_CONVERSATION by a-1")])

    assert [(edit.change, edit.event, edit.to, edit.cost) for edit in done.edits] == [
        ("move", 3, 1, 5),
        ("move", 4, 2, 0),
    ]
    assert (done.cost, done.is_least, done.after.clean) == (5, True, True)


def test_an_early_delivery_of_several_events_is_moved_behind_later_ones() -> None:
    first, second = story("NA exit by a-2", "TRIGGER_SUMMARY_EVENT by a-2")
    early = {**first, "events": [*first["events"], *second["events"]]}
    begin = story("NA entry by a-1")
    end = story("COLD exit by a-1", "COLD entry by a-2", "END_OF_CONVERSATION by a-2")

    done = segue.repair([*begin, early, *end])

    assert [(edit.event, edit.to, edit.cost) for edit in done.edits] == [(1, 3, 5), (2, 4, 0)]
    assert done.after.clean
