"""What a sandbox knows: plain JSON objects by kind and id, a clock, and ids of the right shapes."""

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
"""What there is, each as a table of objects by id."""

_ALPHABET: Final = "0123456789abcdef"
_HEX: Final = 24
"""Characters of an id that has no prefix."""

Effect: TypeAlias = "Callable[[SandboxState, str], object]"
"""What an object, by its id, does when it has entered a state."""
TaskEffect: TypeAlias = "Callable[..., object]"
"""Does a task that is due: takes the state, the id of the object, and what else the task has."""


@dataclass(slots=True)
class SandboxState:
    """Everything that calls read and change."""

    clock: SandboxClock
    random: Random
    processor: Processor
    """Where transcription actions and events go, and sessions are read from."""
    outgoing: PostSender
    effects: Mapping[str, Effect]
    """By subject, as in the table of moves."""
    tasks: Mapping[str, TaskEffect]
    """By the name of the task."""
    faults: FaultPlan
    """Which mistakes are made."""
    pace: int | None = None
    """After how many reads of an object its next move happens; None leaves it to the clock."""
    reads: Counter[str] = field(default_factory=Counter)
    """How often an object was read since it last moved, by id."""
    truth: dict[str, TruthLine] = field(default_factory=dict)
    """The lines of callbacks with a fault, by the id of their object."""
    tables: dict[str, dict[str, dict[str, Any]]] = field(
        default_factory=lambda: {kind: {} for kind in KINDS}
    )

    def __post_init__(self) -> None:
        self.clock.perform = self.perform

    def new_id(self, prefix: str = "") -> str:
        """Return an id such as `qu-…`, or 24 hexadecimal digits without a prefix."""
        if not prefix:
            return "".join(self.random.choices(_ALPHABET, k=_HEX))
        groups = ("".join(self.random.choices(_ALPHABET, k=size)) for size in (8, 4, 4, 4, 12))
        return f"{prefix}-{'-'.join(groups)}"

    def add(self, kind: str, identity: str, value: dict[str, Any]) -> dict[str, Any]:
        """Keep an object under its id, and return it."""
        self.tables[kind][identity] = value
        return value

    def get(self, kind: str, identity: str) -> dict[str, Any]:
        """Return an object.

        Raises:
            RefusedRequest: There is none of this id (404).

        """
        found = self.tables[kind].get(identity)
        if found is None:
            raise RefusedRequest(404, "There is no such object", f"nothing in {kind} has this id")
        return found

    def require_org(self, org: str) -> None:
        """Raise `RefusedRequest` (404) unless an agent or a queue is of this organization."""
        if all(each["orgId"] != org for kind in ("agents", "queues") for each in self.all(kind)):
            raise RefusedRequest(
                404, "There is no such organization", "no agent and no queue is of it"
            )

    def read(self, kind: str, identity: str) -> dict[str, Any]:
        """Return an object that a caller asks for, which may move after so many reads."""
        if self.pace:
            if self.reads[identity] >= self.pace and self.clock.hasten(kind, identity):
                self.reads[identity] = 0
            self.reads[identity] += 1
        return self.get(kind, identity)

    def catch_up(self) -> None:
        """Do what is due: by the clock, and with a pace what waits for no read."""
        self.clock.follow()
        if self.pace == 0:
            self.clock.finish()
        elif self.pace is not None:
            while unread := [task for _, task in self.clock.due if task[1] not in READ_KINDS]:
                _, kind, key, *_ = unread[0]
                self.clock.hasten(kind, key)

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Return all objects of a kind, in order of creation."""
        return list(self.tables[kind].values())

    def move(self, subject: str, key: str, trigger: str) -> None:
        """Move an object to the next state, and have the moves happen that time brings.

        Raises:
            RefusedRequest: Its state does not allow this (409).

        """
        state = self.get(KIND_OF[subject], key).get("status", "")
        move = move_of(subject, state, trigger)
        if move is None:
            detail = f"a {subject} that is {state or 'new'} does not take {trigger}"
            raise RefusedRequest(409, "The state does not allow this", detail)
        self._enter(subject, key, move.next)

    def start(self, subject: str, key: str) -> None:
        """Have the move happen that time brings in the state of an object, and those after it."""
        state = self.get(KIND_OF[subject], key)["status"]
        move = move_of(subject, state, TIME)
        if move is not None and move.after is not None:
            self.clock.after(move.after, subject, KIND_OF[subject], key, state)

    def expect_callback(self, kind: str, key: str) -> None:
        """Decide on the fault of the callback of a new object, if there is one; it may be first."""
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
        """Post what became of an object to the URL that its caller gave, with its fault."""
        fault, url, posts = FAULTS.get(thing.get("fault", "")), thing["url"], [PlannedPost(body)]
        edited = fault and fault.posts and fault.posts(self.faults.random, posts)
        late: tuple[str, ...] = ()
        if fault and edited:
            posts = edited.posts
            if any(post.later for post in posts):
                late = fault.name, edited.what
                self.faults.counts[fault.name] += 0  # it is made when it is posted
            else:
                self.truth[key] = self.faults.note(fault, key, edited.what)
        for post in posts:
            given = key, intake, url, json.dumps(post.body), *late
            if post.later:
                self.clock.after(timedelta(seconds=post.later), "post", "", *given)
            else:
                self.post(*given)

    def post(self, key: str, intake: str, url: str, body: str, *late: str) -> None:
        """Post a callback now; one that is late has the name of its fault, and what it changed."""
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
            self.faults.fail(line, f"the callback was answered {status or 'by nobody'}")

    def perform(self, task: DueTask) -> None:
        """Do what is due: a move, unless another one came first, or a task of another name."""
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
    """Return a time in milliseconds since 1970."""
    return microseconds(moment) // 1000
