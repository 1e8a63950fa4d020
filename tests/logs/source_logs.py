"""Made-up logs of other platforms, with the presence of agents that they tell.

A story is a list of sessions with a begin and an end in seconds. It is drawn first, and a writer
for each platform says it in the events of that platform. So the truth does not depend on the
converter. All times within a story differ.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from random import Random

BEGIN: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
_AGENTS: Final = ("a1", "a2", "a3")
_ARN: Final = "arn:aws:connect:us-west-2:123456789012:instance/12345678"


@dataclass(frozen=True)
class Session:
    """A session of an agent: present from `begin` to `end`, unless it was only offered."""

    agent: str
    begin: int
    end: int
    ringing: int = 0
    """The seconds of ringing before `begin`."""
    is_offer: bool = False


@dataclass(frozen=True)
class Story:
    """A conversation."""

    name: str
    sessions: tuple[Session, ...]
    begin: int
    end: int

    def kinds(self) -> dict[str, str]:
        """Return the kind of the first entry of each agent: NA, COLD or WARM."""
        found: dict[str, str] = {}
        present = sorted((begin, end, agent) for agent, begin, end in self.connections())
        for begin, _, agent in present:
            others = any(start < begin < end for start, end, _ in present)
            found.setdefault(agent, "WARM" if others else "COLD" if found else "NA")
        return found

    def connections(self) -> list[tuple[str, datetime, datetime]]:
        """Return when each agent was present, with overlapping sessions joined."""
        found: list[tuple[str, int, int]] = []
        for session in sorted(self.sessions, key=lambda each: (each.agent, each.begin)):
            if session.is_offer:
                continue
            if found and found[-1][0] == session.agent and session.begin < found[-1][2]:
                agent, begin, end = found.pop()
                found.append((agent, begin, max(end, session.end)))
            else:
                found.append((session.agent, session.begin, session.end))
        return sorted((agent, _time(begin), _time(end)) for agent, begin, end in found)


def draw_story(random: Random, name: str, platform: str) -> Story:
    """Return a conversation of up to five sessions, of which up to one in four is an offer.

    Sessions overlap, unless the platform connects a call to one agent at a time.
    """
    count = random.randint(0, 5)
    times = sorted(random.sample(range(1, 600), 3 * count + 2))
    begin, *inner, end = times
    if platform != "queue_log":
        random.shuffle(inner)
    sessions = []
    for _ in range(count):
        rings, joins, leaves = sorted(inner.pop(0) for _ in range(3))
        is_offer = random.random() < 1 / 4
        start = rings if is_offer else joins
        ringing = 0 if is_offer else joins - rings
        agent = random.choice(_AGENTS)
        sessions.append(Session(agent, start, leaves, ringing, is_offer))
    return Story(name, tuple(sessions), begin, end)


def _time(second: int) -> datetime:
    return BEGIN + timedelta(seconds=second)


Event = tuple[int, str]
"""When an event happened, and its line."""


def _genesys(story: Story, random: Random) -> Iterator[Event]:
    def event(topic: str, second: int, session: str, **body: object) -> Event:
        at = round(_time(second).timestamp() * 1000)
        said = {"eventTime": at, "conversationId": story.name, "sessionId": session} | body
        said["mediaType"] = "VOICE"
        name = f"v2.detail.events.conversation.{story.name}.{topic}"
        return second, json.dumps({"topicName": name, "eventBody": said})

    yield event("customer.start", story.begin, "customer")
    yield event("customer.end", story.end, "customer", disconnectType="ENDPOINT")
    for index, each in enumerate(story.sessions):
        name, user = f"s{index}", {"userId": each.agent}
        yield event("user.start", each.begin - each.ringing, name, **user)
        length = (each.end - each.begin) * 1000
        told = (
            {"alertingDurationMs": length, "interactingDurationMs": 0}
            if each.is_offer
            else {"alertingDurationMs": each.ringing * 1000, "interactingDurationMs": length}
        )
        how = random.choice(["CLIENT", "PEER", "SYSTEM", "TRANSFER", "CONSULT_TRANSFER"])
        yield event("user.end", each.end, name, **user, **told, disconnectType=how)


def _connect(story: Story, _: Random) -> Iterator[Event]:
    def event(kind: str, second: int, contact: str, agent: str = "", **more: object) -> Event:
        detail = {"contactId": contact, "channel": "VOICE", "eventType": kind, **more}
        if contact != story.name:
            detail["initialContactId"] = story.name
        if agent:
            detail["agentInfo"] = {"agentArn": f"{_ARN}/agent/{agent}"}
        at = _time(second).isoformat()
        return second, json.dumps({"id": f"{contact}-{kind}", "time": at, "detail": detail})

    yield event("INITIATED", story.begin, story.name)
    yield event("DISCONNECTED", story.end, story.name)
    for index, each in enumerate(story.sessions):
        method = {"initiationMethod": "MONITOR" if each.is_offer else "TRANSFER"}
        name = f"{story.name}-{index}"
        yield event("INITIATED", each.begin - each.ringing, name, **method)
        yield event("CONNECTED_TO_AGENT", each.begin, name, each.agent, **method)
        yield event("DISCONNECTED", each.end, name, each.agent, **method)


def _twilio(story: Story, random: Random) -> Iterator[Event]:
    def event(kind: str, second: int, **more: str) -> Event:
        said = {"EventType": kind, "TaskSid": story.name, "TaskChannelUniqueName": "chat", **more}
        at = str(round(_time(second).timestamp()))
        sid = f"EV{story.name}{kind}{second}{more.get('ReservationSid', '')}"
        return second, json.dumps({"Sid": sid, "Timestamp": at, **said})

    yield event("task.created", story.begin)
    last = random.choice(["task.completed", "task.canceled", "task.deleted"])
    yield event(last, story.end)
    for index, each in enumerate(story.sessions):
        reservation = {"ReservationSid": f"WR{index}", "WorkerSid": each.agent}
        yield event("reservation.created", each.begin - each.ringing, **reservation)
        if each.is_offer:
            refused = random.choice(["rejected", "timeout", "canceled", "rescinded"])
            yield event(f"reservation.{refused}", each.end, **reservation)
            continue
        yield event("reservation.accepted", each.begin, **reservation)
        if random.random() < 1 / 2:
            yield event("reservation.wrapup", each.end, **reservation)
            yield event("reservation.completed", story.end, **reservation)
        else:
            how = random.choice(["completed", "canceled"])
            yield event(f"reservation.{how}", each.end, **reservation)
        if random.random() < 1 / 4:
            kinds = ["initiated", "canceled", "failed"]
            yield event(f"task.transfer-{random.choice(kinds)}", each.end, TransferMode="WARM")


def _queue_log(story: Story, random: Random) -> Iterator[Event]:
    queue = f"q{random.randint(1, 3)}"

    def event(kind: str, second: int, agent: str = "NONE") -> Event:
        at = round(_time(second).timestamp())
        return second, f"{at}|{story.name}|{queue}|{agent}|{kind}|1|2|3"

    yield event("ENTERQUEUE", story.begin)
    is_waiting = True
    for each in sorted(story.sessions, key=lambda each: each.begin):
        if not is_waiting or random.random() < 1 / 4:
            if is_waiting:
                out = random.choice(["EXITWITHKEY", "EXITWITHTIMEOUT", "EXITEMPTY"])
                yield event(out, each.begin - each.ringing)
            queue = f"q{random.randint(1, 3)}"
            yield event("ENTERQUEUE", each.begin - each.ringing)
        is_waiting = each.is_offer
        if each.is_offer:
            yield event("RINGNOANSWER", each.end, each.agent)
            continue
        yield event("CONNECT", each.begin, each.agent)
        ends = ["COMPLETEAGENT", "COMPLETECALLER", "BLINDTRANSFER", "ATTENDEDTRANSFER", "TRANSFER"]
        yield event(random.choice(ends), each.end, each.agent)
    if is_waiting:
        yield event("ABANDON", story.end)


WRITERS: Final[Mapping[str, Callable[[Story, Random], Iterator[Event]]]] = {
    "genesys": _genesys,
    "connect": _connect,
    "twilio": _twilio,
    "queue_log": _queue_log,
}


def write_log(stories: list[Story], platform: str, random: Random) -> str:
    """Return the log of the stories: interleaved, with repeated and late events."""
    events = [each for story in stories for each in WRITERS[platform](story, random)]
    delayed = sorted(
        (second + random.choice([0, 0, 0, 0, random.randint(1, 900)]), index)
        for index, (second, _) in enumerate(events)
    )
    lines = [events[index][1] for _, index in delayed]
    for _ in range(random.randint(0, 4)):
        at = random.randrange(len(lines))
        lines.insert(random.randint(at, len(lines)), lines[at])
    return "".join(f"{line}\n" for line in lines)
