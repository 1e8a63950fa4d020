"""`SandboxState`, the objects of a sandbox with its clock and random generator."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

from segue.core.epoch import microseconds
from segue.core.events import Json
from segue.platform.sandbox.clock import DueTask, SandboxClock
from segue.platform.sandbox.faults import FAULTS, FaultPlace, FaultPlan, TruthLine
from segue.platform.sandbox.moves import KIND_OF, READ_KINDS, TIME, move_of
from segue.platform.sandbox.outgoing import PostSender
from segue.platform.sandbox.post_edits import PlannedPost
from segue.platform.sandbox.requests import RefusedRequest
from segue.server.processor import Processor

KINDS: Final = (
    "queues", "skill_groups", "agent_groups", "agents", "hours", "contact_lists", "campaigns",
    "roles", "users", "trainings", "bot_imports", "test_suites", "faq_trainings", "tasks", "calls",
    "transfers", "contacts", "languages",
)  # fmt: skip
"""The kinds of objects in a sandbox. The objects of each kind are stored by id."""

_ALPHABET: Final = "0123456789abcdef"
_HEX: Final = 24
"""The number of characters of an id without a prefix."""

Effect: TypeAlias = "Callable[[SandboxState, str], object]"
"""A function that is called with the state and an object's id.

The call happens after the object has entered another state.
"""
TaskEffect: TypeAlias = "Callable[..., object]"
"""A function that performs a task when it is due.

It is called with the state, an object's id and further strings.
"""


@dataclass(slots=True)
class SandboxState:
    """The data of a sandbox, which requests read and change."""

    clock: SandboxClock
    random: Random
    processor: Processor
    """The processor of events and transcription actions, which also provides the sessions."""
    outgoing: PostSender
    effects: Mapping[str, Effect]
    """The functions to call after a move, by the subject of the move, such as "training"."""
    tasks: Mapping[str, TaskEffect]
    """The functions that perform tasks, by the name of the task, such as "hang up"."""
    faults: FaultPlan
    """The plan that decides which faults to make."""
    pace: int | None = None
    """The number of reads after which an object moves to its next state.

    With None, the clock decides.
    """
    reads: Counter[str] = field(default_factory=Counter)
    """The number of reads of each object since its last move, by id."""
    truth: dict[str, TruthLine] = field(default_factory=dict)
    """The records of faults in callbacks, by the id of the call or transfer."""
    tables: dict[str, dict[str, dict[str, Any]]] = field(
        default_factory=lambda: {kind: {} for kind in KINDS}
    )
    """The objects by kind and then by id, as JSON objects."""

    def __post_init__(self) -> None:
        self.clock.perform = self.perform

    def new_id(self, prefix: str = "") -> str:
        """Return a new random id.

        With the prefix `qu`, the id is `qu-` and a UUID-like text. Without a prefix, it has 24
        hexadecimal digits.
        """
        if not prefix:
            return "".join(self.random.choices(_ALPHABET, k=_HEX))
        groups = ("".join(self.random.choices(_ALPHABET, k=size)) for size in (8, 4, 4, 4, 12))
        return f"{prefix}-{'-'.join(groups)}"

    def add(self, kind: str, identity: str, value: dict[str, Any]) -> dict[str, Any]:
        """Store an object of a kind, such as `queues`, under its id, and return the object."""
        self.tables[kind][identity] = value
        return value

    def get(self, kind: str, identity: str) -> dict[str, Any]:
        """Return the object of a kind with this id.

        Raises:
            RefusedRequest: No object has this id (404).

        """
        found = self.tables[kind].get(identity)
        if found is None:
            raise RefusedRequest(404, f"no object in {kind} has this id")
        return found

    def require_org(self, org: str) -> None:
        """Check that an organization exists, that is, has at least one agent or queue.

        Raises:
            RefusedRequest: No agent and no queue belongs to the organization (404).

        """
        if all(each["orgId"] != org for kind in ("agents", "queues") for each in self.all(kind)):
            raise RefusedRequest(404, "no agent and no queue belongs to this organization")

    def read(self, kind: str, identity: str) -> dict[str, Any]:
        """Return an object for a request that reads it, and count the read.

        If the object was read `pace` times since its last move, it first moves to its next state.

        Raises:
            RefusedRequest: No object has this id (404).

        """
        if self.pace:
            if self.reads[identity] >= self.pace and self.clock.hasten(kind, identity):
                self.reads[identity] = 0
            self.reads[identity] += 1
        return self.get(kind, identity)

    def catch_up(self) -> None:
        """Perform the tasks that are due by the real time, if the clock follows it.

        With a pace, also make all scheduled moves of objects that no endpoint reads, such as calls.
        A pace of 0 makes all moves.
        """
        self.clock.follow()
        if self.pace == 0:
            self.clock.finish()
        elif self.pace is not None:
            while unread := [task for _, task in self.clock.due if task[1] not in READ_KINDS]:
                _, kind, key, *_ = unread[0]
                self.clock.hasten(kind, key)

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Return a list of all objects of a kind in the order of creation."""
        return list(self.tables[kind].values())

    def move(self, subject: str, key: str, trigger: str) -> None:
        """Move an object to its next state, and schedule the timed move from there, if any.

        Args:
            subject: The subject of the move, such as "campaign".
            key: The id of the object.
            trigger: The trigger of the move, such as "play".

        Raises:
            RefusedRequest: The object does not exist (404), or its state does not allow the move
                (409).

        """
        state = self.get(KIND_OF[subject], key).get("status", "")
        move = move_of(subject, state, trigger)
        if move is None:
            detail = f"a {subject} in the state {state or 'new'!r} does not allow {trigger!r}"
            raise RefusedRequest(409, detail)
        self._enter(subject, key, move.next)

    def start(self, subject: str, key: str) -> None:
        """Schedule the timed move from the current state of an object, if there is such a move."""
        state = self.get(KIND_OF[subject], key)["status"]
        move = move_of(subject, state, TIME)
        if move is not None and move.after is not None:
            self.clock.after(move.after, subject, KIND_OF[subject], key, state)

    def expect_callback(self, kind: str, key: str) -> None:
        """Draw a fault for the callback about a new call or transfer.

        If the fault sends the callback before the answer, all moves of the object are made at once.
        """
        thing = self.get(kind, key)
        if not self.outgoing.reaches(thing["url"]):
            return
        fault = self.faults.draw(FaultPlace.CALLBACK)
        if fault is None:
            return
        thing["fault"] = fault.name
        if fault.is_first:
            self.truth[key] = self.faults.note(
                fault, key, "the callback was sent before the answer"
            )
            while self.clock.hasten(kind, key):
                pass

    def call_back(self, intake: str, thing: Mapping[str, Any], key: str, body: Json) -> None:
        """Post the outcome of a call or transfer to its callback URL, with the fault drawn for it.

        Args:
            intake: The kind of the callback, `notification` or `transfer`.
            thing: The call or transfer.
            key: The id of the call or transfer.
            body: The JSON object to post.

        """
        fault, url, posts = FAULTS.get(thing.get("fault", "")), thing["url"], [PlannedPost(body)]
        edited = fault and fault.posts and fault.posts(self.faults.random, posts)
        late: tuple[str, ...] = ()
        if fault and edited:
            posts = edited.posts
            if any(post.later for post in posts):
                late = fault.name, edited.what
                self.faults.counts[fault.name] += 0  # counted when the callback is posted
            else:
                self.truth[key] = self.faults.note(fault, key, edited.what)
        for post in posts:
            given = key, intake, url, json.dumps(post.body), *late
            if post.later:
                self.clock.after(timedelta(seconds=post.later), "post", "", *given)
            else:
                self.post(*given)

    def post(self, key: str, intake: str, url: str, body: str, *late: str) -> None:
        """Post a callback now.

        Args:
            key: The id of the call or transfer.
            intake: The kind of the callback, `notification` or `transfer`.
            url: The callback URL.
            body: The body as JSON text.
            late: The name and description of the fault that delayed the callback, if any.

        """
        if late:
            name, what = late
            self.truth[key] = self.faults.note(FAULTS[name], key, what)
        line = self.truth.get(key) or TruthLine("", key, "nothing was changed")
        fault = FAULTS.get(line.fault)
        self.outgoing.call_back(
            self.clock.now,
            intake,
            url,
            json.loads(body),
            partial(self._judge_callback, line),
            is_first=fault is not None and fault.is_first,
        )

    def _judge_callback(self, line: TruthLine, status: int) -> None:
        if status not in range(200, 300):
            answered = f"was answered with {status}" if status else "got no answer"
            self.faults.fail(line, f"the callback {answered}")

    def perform(self, task: DueTask) -> None:
        """Perform a task that is due.

        A move is skipped if the object is no longer in the state for which it was scheduled.
        """
        name, kind, key, *more = task
        if name not in KIND_OF:
            self.tasks[name](self, key, *more)
        elif [self.get(kind, key)["status"]] == more:
            move = move_of(name, more[0], TIME)
            assert move is not None
            self._enter(name, key, move.next)

    def _enter(self, subject: str, key: str, state: str) -> None:
        self.get(KIND_OF[subject], key)["status"] = state
        effect = self.effects.get(subject)
        if effect is not None:
            effect(self, key)
        self.start(subject, key)


def milliseconds(moment: datetime) -> int:
    """Return an aware datetime as the number of milliseconds since the Unix epoch."""
    return microseconds(moment) // 1000
