"""Events in the shapes that platforms document give the streams written down beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from segue.errors import ConfigurationError
from segue.logs import FieldMapping, replay
from segue.logs.conversion import NO_EFFECT
from segue.logs.sources import lines_of

GENESYS_CONVERSATION = "0b6a1c39-7f0f-4d6e-9a3e-2f1d6c0a1e55"
ANN, BEN = "a1111111-0000-4000-8000-000000000001", "b2222222-0000-4000-8000-000000000002"


def genesys(topic: str, second: int, **body: Any) -> dict[str, Any]:
    """A notification, by the names of the SDK's models of detail events."""
    return {
        "topicName": f"v2.detail.events.conversation.{GENESYS_CONVERSATION}.{topic}",
        "version": "2",
        "eventBody": {
            "eventTime": 1772438400000 + second * 1000,
            "conversationId": GENESYS_CONVERSATION,
            "participantId": "p",
            "sessionId": "s",
            "mediaType": "VOICE",
            "provider": "Edge",
            "direction": "INBOUND",
            **body,
        },
        "metadata": {"CorrelationId": "x"},
    }


def on_eventbridge(event: dict[str, Any]) -> dict[str, Any]:
    topic = event["topicName"].replace(GENESYS_CONVERSATION, "{id}")
    detail = {**event, "topicName": topic, "timestamp": "2026-03-02T08:00:00Z"}
    source = "aws.partner/genesys.com/cloud/org/x"
    return {"version": "0", "id": "e", "detail-type": topic, "source": source, "detail": detail}


GENESYS = [
    genesys("customer.start", 0),
    genesys("acd.start", 1, queueId="q-1"),
    genesys("user.start", 5, userId=ANN, queueId="q-1"),
    genesys("user.start", 30, userId=BEN),
    genesys("user.end", 40, userId=ANN, disconnectType="CONSULT_TRANSFER"),
    genesys("user.end", 60, userId=BEN, disconnectType="TRANSFER"),
    genesys("user.start", 70, userId=ANN),
    genesys("customer.end", 80, disconnectType="ENDPOINT"),
    genesys("user.end", 81, userId=ANN, disconnectType="PEER"),
    genesys("acw", 90, userId=ANN),
]
GENESYS_STREAM = [
    f"line 3 at 08:00:05: NA entry {ANN} (voice, q-1)",
    f"line 4 at 08:00:30: WARM entry {BEN} (voice)",
    f"line 5 at 08:00:40: WARM exit {ANN} (voice)",
    f"line 6 at 08:01:00: COLD exit {BEN} (voice)",
    f"line 7 at 08:01:10: COLD entry {ANN} (voice)",
    f"line 9 at 08:01:21: NA exit {ANN} (voice)",
    f"line 9 at 08:01:21: END {ANN} (voice) PEER",
]

INSTANCE = "arn:aws:connect:us-west-2:123456789012:instance/12345678-1234-1234-1234-123456789012"


def connect(kind: str, second: int, contact: str, agent: str = "", **detail: Any) -> dict[str, Any]:
    """A contact event, as the administrator guide shows it."""
    if agent:
        detail["agentInfo"] = {"agentArn": f"{INSTANCE}/agent/{agent}"}
    return {
        "version": "0",
        "id": f"event-{second}",
        "detail-type": "Amazon Connect Contact Event",
        "source": "aws.connect",
        "account": "111122223333",
        "time": f"2026-03-02T08:00:{second:02}Z",
        "region": "us-west-2",
        "resources": [],
        "detail": {
            "initiationTimestamp": "2026-03-02T07:59:00.000Z",
            "contactId": contact,
            "channel": "VOICE",
            "instanceArn": INSTANCE,
            "initiationMethod": "INBOUND",
            "eventType": kind,
            **detail,
        },
    }


SECOND = {"initialContactId": "c-1", "previousContactId": "c-1", "initiationMethod": "TRANSFER"}
CONNECT = [
    connect("INITIATED", 0, "c-1"),
    connect("QUEUED", 1, "c-1", queueInfo={"queueArn": f"{INSTANCE}/queue/q-1"}),
    connect("CONNECTED_TO_AGENT", 5, "c-1", ANN, queueInfo={"queueArn": f"{INSTANCE}/queue/q-1"}),
    connect("CONTACT_DATA_UPDATED", 6, "c-1"),
    connect("INITIATED", 20, "c-2", **SECOND),
    connect("DISCONNECTED", 25, "c-1", ANN),
    connect("CONNECTED_TO_AGENT", 30, "c-2", BEN, **SECOND),
    connect("DISCONNECTED", 50, "c-2", BEN, **SECOND, disconnectReason="CUSTOMER_DISCONNECT"),
    connect("COMPLETED", 51, "c-2", BEN, **SECOND),
]
CONNECT_STREAM = [
    f"line 3 at 08:00:05: NA entry {ANN} (voice, q-1)",
    f"line 6 at 08:00:25: COLD exit {ANN} (voice)",
    f"line 7 at 08:00:30: COLD entry {BEN} (voice)",
    f"line 8 at 08:00:50: NA exit {BEN} (voice)",
    f"line 8 at 08:00:50: END {BEN} (voice) CUSTOMER_DISCONNECT",
]


def twilio(kind: str, second: int, worker: str = "", **fields: Any) -> dict[str, Any]:
    """The parameters of an event callback."""
    known = {"WorkerSid": worker, "WorkerName": f"name of {worker}"} if worker else {}
    return {
        "EventType": kind,
        "AccountSid": "AC1",
        "WorkspaceSid": "WS1",
        "ResourceType": "reservation" if worker else "task",
        "Timestamp": str(1772438400 + second),
        "TaskSid": "WT1",
        "TaskChannelUniqueName": "chat",
        "TaskQueueSid": "WQ1",
        **known,
        **fields,
    }


TWILIO = [
    twilio("task.created", 0),
    twilio("reservation.created", 2, "WK1"),
    twilio("reservation.accepted", 5, "WK1"),
    twilio("reservation.wrapup", 20, "WK1"),
    twilio("reservation.completed", 25, "WK1"),
    twilio("reservation.accepted", 30, "WK1"),
    twilio("task.transfer-initiated", 35),
    twilio("reservation.completed", 40, "WK1"),
    twilio("reservation.accepted", 45, "WK2"),
    twilio("reservation.completed", 50, "WK2"),
    twilio("task.completed", 51, TaskCompletedReason="done"),
]
TWILIO_STREAM = [
    "line 3 at 08:00:05: NA entry WK1 name of WK1 (chat, WQ1)",
    "line 4 at 08:00:20: NA exit WK1 name of WK1 (chat, WQ1)",
    "line 6 at 08:00:30: redial entry WK1 name of WK1 (chat, WQ1)",
    "line 8 at 08:00:40: COLD exit WK1 name of WK1 (chat, WQ1)",
    "line 9 at 08:00:45: COLD entry WK2 name of WK2 (chat, WQ1)",
    "line 10 at 08:00:50: NA exit WK2 name of WK2 (chat, WQ1)",
    "line 11 at 08:00:51: END WK2 (chat) done",
]


def streamed(event: dict[str, Any]) -> dict[str, Any]:
    """The same as Event Streams has it."""
    names = {
        "EventType": "eventtype",
        "TaskSid": "task_sid",
        "WorkerSid": "worker_sid",
        "WorkerName": "worker_name",
        "TaskQueueSid": "task_queue_sid",
        "TaskChannelUniqueName": "task_channel_unique_name",
        "TaskCompletedReason": "task_completed_reason",
    }
    payload = {theirs: event[name] for name, theirs in names.items() if name in event}
    at = f"2026-03-02T08:00:{int(event['Timestamp']) - 1772438400:02}.000Z"
    kind = f"com.twilio.taskrouter.{event['EventType']}"
    return {"specversion": "1.0", "type": kind, "data": {"payload": payload | {"timestamp": at}}}


QUEUE_LOG = """\
1772438399|NONE|NONE|NONE|QUEUESTART|
1772438400|1772438400.7|sales|NONE|ENTERQUEUE||+49301234567|1

1772438404|1772438400.7|sales|SIP/ann|RINGNOANSWER|4000
1772438409|1772438400.7|sales|SIP/ben|CONNECT|9|1772438405.9|3
1772438430|1772438400.7|sales|SIP/ben|BLINDTRANSFER|700|queues|9|21|1
1772438430|1772438400.7|support|NONE|ENTERQUEUE||+49301234567|1
1772438440|1772438400.7|support|NONE|EXITWITHTIMEOUT|1|1|10
1772438441|1772438400.7|last|NONE|ENTERQUEUE||+49301234567|1
1772438445|1772438400.7|last|SIP/ann|CONNECT|4|1772438442.3|2
1772438459|1772438400.7|last|SIP/ann|COMPLETECALLER|4|14|1
"""
QUEUE_LOG_STREAM = [
    "line 5 at 08:00:09: NA entry SIP/ben (voice, sales)",
    "line 6 at 08:00:30: COLD exit SIP/ben (voice, sales)",
    "line 10 at 08:00:45: COLD entry SIP/ann (voice, last)",
    "line 11 at 08:00:59: NA exit SIP/ann (voice, last)",
    "line 11 at 08:00:59: END SIP/ann (voice) COMPLETECALLER",
]


def as_row(line: str) -> dict[str, str] | str:
    """The same as the table of the realtime engine has it."""
    if not line:
        return ""
    names = ["time", "callid", "queuename", "agent", "event"]
    row = dict(zip(names, line.split("|"), strict=False))
    return row | {"time": f"{datetime.fromtimestamp(int(row['time']), UTC):%F %T}.000000"}


CASES = [
    pytest.param("genesys", GENESYS, GENESYS_STREAM, id="genesys"),
    pytest.param("genesys", [*map(on_eventbridge, GENESYS)], GENESYS_STREAM, id="eventbridge"),
    pytest.param("connect", CONNECT, CONNECT_STREAM, id="connect"),
    pytest.param("twilio", TWILIO, TWILIO_STREAM, id="twilio"),
    pytest.param("twilio", [*map(streamed, TWILIO)], TWILIO_STREAM, id="streams"),
    pytest.param("queue_log", QUEUE_LOG.splitlines(), QUEUE_LOG_STREAM, id="queue_log"),
    pytest.param(
        "queue_log", [*map(as_row, QUEUE_LOG.splitlines())], QUEUE_LOG_STREAM, id="realtime"
    ),
]


def stream(path: Path, platform: str) -> list[str]:
    """What comes of a log, in words."""
    found: list[str] = []

    def add(delivery: Any, _: int) -> None:
        for event in delivery.events:
            value, person = event.value, event.value.get("participant", {})
            what = f"{value.get('transfertype', '')} {value.get('transition', '')}".strip() or "END"
            who = f"{person.get('identity', 'nobody')} {person.get('name', '')}".rstrip()
            custom = person.get("customFields", {})
            where = ", ".join(filter(None, [value.get("experience"), custom.get("queueId")]))
            at = f"{delivery.received_at:%H:%M:%S}"
            line = f"line {delivery.line} at {at}: {what} {who} ({where}) {value.get('reason', '')}"
            found.append(line.rstrip())

    list(replay(path, field_mapping=FieldMapping(platform=platform), on_delivery=add))
    return found


def line_of(event: object) -> str:
    return event if isinstance(event, str) else json.dumps(event)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[list[Any]], Path]:
    def to(events: list[Any]) -> Path:
        path = tmp_path / "x.log"
        path.write_text("".join(f"{line_of(each)}\n" for each in events))
        return path

    return to


Write = Callable[[list[Any]], Path]


@pytest.mark.parametrize(("platform", "events", "expected"), CASES)
def test_documented_events_give_the_stream_written_beside_them(
    platform: str, events: list[Any], expected: list[str], write: Write
) -> None:
    assert stream(write(events), platform) == expected


@pytest.mark.parametrize(("platform", "events", "expected"), CASES)
def test_nothing_is_wrong_but_what_the_platform_does_not_say(
    platform: str, events: list[Any], expected: list[str], write: Write
) -> None:
    mapping = FieldMapping(platform=platform)
    for report in replay(write(events), field_mapping=mapping):
        codes = {finding.code for finding in report.findings}
        assert codes - {"SG502", "SG116", "SG119"} <= ({"SG112", "SG118"} if expected else set())


def test_what_is_not_said_is_left_out(write: Write) -> None:
    event = genesys("user.start", 0, userId=ANN, mediaType="EMAIL")
    [line] = lines_of(write([event]), None, FieldMapping(platform="genesys"))
    envelope = json.loads(line)
    assert len(envelope.pop("delivery_id")) == 24  # a digest, because the platform sends no id
    assert envelope == {
        "received_at": "2026-03-02T08:00:00+00:00",
        "body": {
            "conversationId": GENESYS_CONVERSATION,
            "events": [
                {
                    "name": "INTERNAL_TRANSFER_EVENT",
                    "transfertype": "NA",
                    "transition": "entry",
                    "participant": {"identity": ANN, "type": "agent"},
                }
            ],
        },
    }


def test_a_conversation_without_agents_ends_at_once(write: Write) -> None:
    abandoned = [connect("INITIATED", 0, "c-1"), connect("DISCONNECTED", 9, "c-1")]
    assert stream(write(abandoned), "connect") == ["line 2 at 08:00:09: END nobody (voice)"]
    canceled = [twilio("task.canceled", 3, TaskCanceledReason="hangup")]
    assert stream(write(canceled), "twilio") == ["line 1 at 08:00:03: END nobody (chat) hangup"]


def test_a_consultation_on_connect(write: Write) -> None:
    events = [
        connect("CONNECTED_TO_AGENT", 1, "c-1", ANN),
        connect("CONNECTED_TO_AGENT", 2, "c-2", BEN, **SECOND),
        connect("DISCONNECTED", 3, "c-2", **SECOND),
        connect("DISCONNECTED", 4, "c-1"),
    ]
    assert stream(write(events), "connect") == [
        f"line 1 at 08:00:01: NA entry {ANN} (voice)",
        f"line 2 at 08:00:02: WARM entry {BEN} (voice)",
        f"line 3 at 08:00:03: WARM exit {BEN} (voice)",
        f"line 4 at 08:00:04: NA exit {ANN} (voice)",
        f"line 4 at 08:00:04: END {ANN} (voice)",
    ]


def test_an_agent_who_was_only_offered_the_conversation_was_never_in_it(write: Write) -> None:
    """Ann declines after 7 s. Ben's telephone rings for 4 s before he talks for 56 s."""
    declined = {"disconnectType": "CLIENT", "alertingDurationMs": 7000, "interactingDurationMs": 0}
    talked = {"disconnectType": "PEER", "alertingDurationMs": 4000, "interactingDurationMs": 56000}
    events = [
        genesys("user.start", 5, userId=ANN, sessionId="s-a"),
        genesys("user.end", 12, userId=ANN, sessionId="s-a", **declined),
        genesys("user.start", 20, userId=BEN, sessionId="s-b"),
        genesys("user.end", 80, userId=BEN, sessionId="s-b", **talked),
        genesys("customer.end", 81, disconnectType="ENDPOINT"),
    ]
    assert stream(write(events), "genesys") == [
        f"line 3 at 08:00:24: NA entry {BEN} (voice)",
        f"line 4 at 08:01:20: NA exit {BEN} (voice)",
        f"line 5 at 08:01:21: END {BEN} (voice) ENDPOINT",
    ]


@pytest.mark.parametrize("talked", [None, False, "0", 1])
def test_only_a_zero_says_that_an_agent_did_not_talk(talked: object, write: Write) -> None:
    told = {"interactingDurationMs": talked, "alertingDurationMs": 10**400}
    events = [genesys("user.start", 5, userId=ANN), genesys("user.end", 9, userId=ANN, **told)]
    assert len(stream(write(events), "genesys")) == 2


def test_an_agent_on_hold_all_the_time_was_in_the_conversation(write: Write) -> None:
    told = {"interactingDurationMs": 0, "heldDurationMs": 4000}
    events = [genesys("user.start", 5, userId=ANN), genesys("user.end", 9, userId=ANN, **told)]
    assert len(stream(write(events), "genesys")) == 2


def test_a_user_leaves_with_the_last_session(write: Write) -> None:
    events = [
        genesys("user.start", 5, userId=ANN, sessionId="s1"),
        genesys("user.start", 20, userId=ANN, sessionId="s2"),
        genesys("user.end", 21, userId=ANN, sessionId="s1", disconnectType="TRANSFER"),
        genesys("user.end", 50, userId=ANN, sessionId="s2", disconnectType="CLIENT"),
        genesys("customer.end", 50, disconnectType="CLIENT"),
    ]
    assert stream(write(events), "genesys") == [
        f"line 1 at 08:00:05: NA entry {ANN} (voice)",
        f"line 4 at 08:00:50: NA exit {ANN} (voice)",
        f"line 5 at 08:00:50: END {ANN} (voice) CLIENT",
    ]


def test_an_exit_is_decided_by_who_enters_next(write: Write) -> None:
    """The system puts Ann's call back into the queue, and Ben takes it."""
    events = [
        genesys("user.start", 5, userId=ANN),
        genesys("user.end", 40, userId=ANN, disconnectType="SYSTEM"),
        genesys("acd.start", 41, queueId="q-2"),
        genesys("user.start", 60, userId=BEN),
        genesys("user.end", 80, userId=BEN, disconnectType="TRANSFER"),
        genesys("customer.end", 81, disconnectType="ENDPOINT"),
    ]
    assert stream(write(events), "genesys") == [
        f"line 1 at 08:00:05: NA entry {ANN} (voice)",
        f"line 2 at 08:00:40: COLD exit {ANN} (voice)",
        f"line 4 at 08:01:00: COLD entry {BEN} (voice)",
        f"line 5 at 08:01:20: NA exit {BEN} (voice)",
        f"line 6 at 08:01:21: END {BEN} (voice) ENDPOINT",
    ]


@pytest.mark.parametrize(
    ("revoked", "kinds"),
    [
        ("task.updated", ["NA entry", "COLD exit", "COLD entry"]),
        ("task.transfer-canceled", ["NA entry", "NA exit", "redial entry"]),
        ("task.transfer-failed", ["NA entry", "NA exit", "redial entry"]),
    ],
)
def test_a_canceled_transfer_takes_its_announcement_back(
    revoked: str, kinds: list[str], write: Write
) -> None:
    events = [
        twilio("reservation.accepted", 5, "WK1"),
        twilio("task.transfer-initiated", 20, TransferMode="WARM"),
        twilio(revoked, 30),
        twilio("reservation.wrapup", 40, "WK1"),
        twilio("reservation.accepted", 50, "WK1"),
    ]
    found = stream(write(events), "twilio")
    assert [kind for kind, line in zip(kinds, found, strict=True) if kind in line] == kinds


@pytest.mark.parametrize("ending", ["task.deleted", "task.system-deleted", "task.canceled"])
@pytest.mark.parametrize("is_told", [True, False])
def test_a_deleted_task_ends(ending: str, is_told: bool, write: Write) -> None:  # noqa: FBT001
    """Worker 1 leaves by an event of the reservation, or else with the task."""
    events = [
        twilio("reservation.accepted", 5, "WK1"),
        twilio("reservation.canceled" if is_told else "reservation.created", 30, "WK1"),
        twilio(ending, 31),
    ]
    left = "line 2 at 08:00:30" if is_told else "line 3 at 08:00:31"
    name = " name of WK1" if is_told else ""
    queue = "chat, WQ1"
    assert stream(write(events), "twilio") == [
        f"line 1 at 08:00:05: NA entry WK1 name of WK1 ({queue})",
        f"{left}: NA exit WK1{name} ({queue})",
        "line 3 at 08:00:31: END WK1 (chat)",
    ]


def test_late_and_repeated_events_are_told_in_the_order_of_their_times(write: Write) -> None:
    """The end of Ann's leg comes after Ben's entry and once more after the end."""
    late = connect("DISCONNECTED", 25, "c-1", ANN)
    events = [
        connect("INITIATED", 0, "c-1"),
        connect("CONNECTED_TO_AGENT", 5, "c-1", ANN),
        connect("INITIATED", 20, "c-2", **SECOND),
        connect("CONNECTED_TO_AGENT", 30, "c-2", BEN, **SECOND),
        late,
        connect("DISCONNECTED", 50, "c-2", BEN, **SECOND),
        late,
    ]
    path = write(events)
    assert stream(path, "connect") == [
        f"line 2 at 08:00:05: NA entry {ANN} (voice)",
        f"line 5 at 08:00:25: COLD exit {ANN} (voice)",
        f"line 4 at 08:00:30: COLD entry {BEN} (voice)",
        f"line 6 at 08:00:50: NA exit {BEN} (voice)",
        f"line 6 at 08:00:50: END {BEN} (voice)",
    ]
    lines = list(lines_of(path, None, FieldMapping(platform="connect")))
    assert lines[4] == lines[6]
    assert json.loads(lines[4])["delivery_id"] == "event-25"


def test_a_supervisor_who_listens_is_no_agent(write: Write) -> None:
    listens = {"initialContactId": "c-1", "initiationMethod": "MONITOR"}
    events = [
        connect("CONNECTED_TO_AGENT", 5, "c-1", ANN),
        connect("INITIATED", 20, "c-9", **listens),
        connect("CONNECTED_TO_AGENT", 21, "c-9", BEN, **listens),
        connect("DISCONNECTED", 50, "c-1", ANN),
        connect("DISCONNECTED", 52, "c-9", BEN, **listens),
    ]
    assert stream(write(events), "connect") == [
        f"line 1 at 08:00:05: NA entry {ANN} (voice)",
        f"line 4 at 08:00:50: NA exit {ANN} (voice)",
        f"line 4 at 08:00:50: END {ANN} (voice)",
    ]


@pytest.mark.parametrize("link", ["initialContactId", "previousContactId", "relatedContactId"])
def test_a_conversation_ends_with_its_last_contact(link: str, write: Write) -> None:
    """The customer hangs up in the queue and is called back. A third contact follows the second."""
    chain = {"initiationMethod": "CALLBACK", link: "c-1"}
    follows = {link: "c-1" if link == "initialContactId" else "c-2"}
    events = [
        connect("INITIATED", 0, "c-1"),
        connect("DISCONNECTED", 10, "c-1"),
        connect("INITIATED", 20, "c-2", **chain),
        connect("CONNECTED_TO_AGENT", 30, "c-2", ANN, **chain),
        connect("DISCONNECTED", 40, "c-2", ANN, **chain),
        connect("CONNECTED_TO_AGENT", 45, "c-3", ANN, **follows),
        connect("DISCONNECTED", 50, "c-3", ANN, **follows),
    ]
    assert stream(write(events), "connect") == [
        f"line 4 at 08:00:30: NA entry {ANN} (voice)",
        f"line 5 at 08:00:40: NA exit {ANN} (voice)",
        f"line 6 at 08:00:45: redial entry {ANN} (voice)",
        f"line 7 at 08:00:50: NA exit {ANN} (voice)",
        f"line 7 at 08:00:50: END {ANN} (voice)",
    ]


def test_keys_are_read_in_any_letter_case(write: Write) -> None:
    event = connect("CONNECTED_TO_AGENT", 5, "c-1", ANN)
    event["detail"]["AgentInfo"] = {"AgentArn": event["detail"].pop("agentInfo")["agentArn"]}
    assert stream(write([event]), "connect") == [f"line 1 at 08:00:05: NA entry {ANN} (voice)"]


def test_two_tasks_of_one_conversation_are_joined_by_a_pointer(write: Write) -> None:
    """Flex creates a second task with the same `conversationSid`."""
    attributes = json.dumps({"conversationSid": "CH1"})
    first, second = {"TaskSid": "WT1"}, {"TaskSid": "WT2"}
    events = [
        twilio("task.created", 0, **first),
        twilio("reservation.accepted", 5, "WK1", **first),
        twilio("task.created", 9, **second),
        twilio("reservation.completed", 10, "WK1", **first),
        twilio("task.completed", 11, **first),
        twilio("reservation.accepted", 20, "WK2", **second),
        twilio("task.completed", 30, **second),
    ]
    path = write([event | {"TaskAttributes": attributes} for event in events])
    mapping = FieldMapping(platform="twilio", conversation_at="/TaskAttributes/conversationSid")
    [report] = replay(path, field_mapping=mapping)
    kinds = [(each.agent, each.kind) for each in report.segments]
    assert (report.conversation_id, kinds) == ("CH1", [("WK1", "NA"), ("WK2", "COLD")])
    assert report.phase == "ended"


def queue_log(*lines: str) -> list[str]:
    """Lines of a call from second 0, after their times in seconds."""
    split = (line.split("|", 1) for line in lines)
    return [f"{1772438400 + int(second)}|c-1|{rest}" for second, rest in split]


@pytest.mark.parametrize("event", ["ABANDON", "EXITEMPTY", "EXITWITHKEY", "EXITWITHTIMEOUT"])
def test_a_call_that_no_member_answers_ends_without_agents(event: str, write: Write) -> None:
    lines = queue_log("0|q|NONE|ENTERQUEUE", "5|q|SIP/a|RINGNOANSWER|5000", f"9|q|NONE|{event}|1")
    expected = [f"line 3 at 08:00:09: END nobody (voice) {event}"]
    assert stream(write(lines), "queue_log") == expected


@pytest.mark.parametrize("event", ["ATTENDEDTRANSFER", "BLINDTRANSFER", "TRANSFER"])
def test_a_call_that_is_transferred_out_of_the_queues_ends(event: str, write: Write) -> None:
    lines = queue_log("0|q|NONE|ENTERQUEUE", "5|q|SIP/a|CONNECT|5", f"9|q|SIP/a|{event}|7|x|5|4")
    assert stream(write(lines), "queue_log") == [
        "line 2 at 08:00:05: NA entry SIP/a (voice, q)",
        "line 3 at 08:00:09: NA exit SIP/a (voice, q)",
        f"line 3 at 08:00:09: END SIP/a (voice) {event}",
    ]


def test_a_call_that_waits_in_another_queue_is_not_over(write: Write) -> None:
    lines = queue_log(
        *("0|q|NONE|ENTERQUEUE", "5|q|SIP/a|CONNECT|5", "9|q|SIP/a|COMPLETEAGENT|5|4|1"),
        "9|p|NONE|ENTERQUEUE",
    )
    assert stream(write(lines), "queue_log") == [
        "line 2 at 08:00:05: NA entry SIP/a (voice, q)",
        "line 3 at 08:00:09: NA exit SIP/a (voice, q)",
    ]


def test_an_event_of_ones_own_in_a_queue_log_has_no_effect(write: Write) -> None:
    lines = queue_log("0|q|NONE|ENTERQUEUE", "5|q|SIP/a|RECONNECT", "5|q|SIP/a|connect")
    assert stream(write(lines), "queue_log") == []


@pytest.mark.parametrize(
    "line",
    [
        "oops",
        "1772438400|c-1|q|ENTERQUEUE",
        "1772438400||q|NONE|ABANDON",
        "1772438400|c|q||CONNECT",
    ],
)
def test_a_line_of_a_queue_log_without_its_facts_is_a_finding(line: str, write: Write) -> None:
    path = write([line, *queue_log("0|q|NONE|ENTERQUEUE", "9|q|NONE|ABANDON")])
    lost, report = replay(path, field_mapping=FieldMapping(platform="queue_log"))
    assert [(each.code, each.place.line) for each in lost.findings] == [("SG501", 1)]
    assert report.conversation_id == "c-1"


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"detail": None},
        {"detail": {"eventType": 5}},
        {"detail": {"eventType": "NEW", "contactId": "c-9"}},
    ],
)
def test_an_event_without_a_meaning_is_a_blank_line(odd: object, write: Write) -> None:
    assert list(lines_of(write([odd]), None, FieldMapping(platform="connect"))) == [NO_EFFECT]


@pytest.mark.parametrize(
    "detail",
    [
        {"eventType": "CONNECTED_TO_AGENT", "agentInfo": {"agentArn": "ada"}},
        {"eventType": "CONNECTED_TO_AGENT", "contactId": "c-9", "agentInfo": [1]},
        {"eventType": "DISCONNECTED", "contactId": ""},
    ],
)
def test_an_event_without_its_contact_or_agent_is_a_finding(detail: object, write: Write) -> None:
    path = write([{"detail": detail}, *CONNECT])

    lost, *rest = replay(path, field_mapping=FieldMapping(platform="connect"))

    assert {each.place.line for each in lost.findings} == {1}
    assert not lost.valid
    assert [each.conversation_id for each in rest] == ["c-1"]


def test_a_line_that_is_not_json_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_text(f"{json.dumps(CONNECT[0])}\noops\n")
    [report] = replay(path, field_mapping=FieldMapping(platform="connect"))
    assert [(each.code, each.place.line) for each in report.findings] == [("SG501", 2)]


@pytest.mark.parametrize("platform", ["other", ["connect"], 5])
def test_an_unknown_platform_is_refused(platform: Any) -> None:
    with pytest.raises(
        ConfigurationError, match="`platform` must be one of genesys, connect, twilio, queue_log"
    ):
        FieldMapping(platform=platform)
