"""Runs a program beside the sandbox, step by step, and says what it did wrong.

A step is something the program does or is sent, with at most one fault. Everything is the same for
the same steps, so a story that shows a failure can be shortened by leaving steps out.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from segue.core.conversation import Conversation
from segue.core.events import Json
from segue.platform.sandbox import FAULTS, Fault, FaultPlace, FaultPlan, TruthLine
from segue.platform.sandbox.post_edits import PlannedPost
from segue.testing.backend import BackendDelivery
from segue.testing.compare import discrepancies
from segue.testing.reference import answer, view
from segue.testing.sandbox_fixture import TestSandbox
from segue.testing.stories import story

T = TypeVar("T")

_BOT: Final = "st-1"
_NOTIFY, _TRANSFERRED = "http://localhost/notified", "http://localhost/transferred"
_ENOUGH: Final = "20m"
_ENDINGS: Final = {"answered": 0, "busy": 1, "ended by the bot": 5}
"""The last digit of the number that is called."""
_TALK: Final = ("NA entry by a-1", "agent message by a-1", "NA exit by a-1",
                "END_OF_CONVERSATION by a-1")  # fmt: skip
_TRANSFER: Final = ("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2",
                    "END_OF_CONVERSATION by a-2")  # fmt: skip
_STORIES: Final = {"of one agent": _TALK, "of two agents": _TRANSFER}
_REFUSED: Final = frozenset({"answer-lost", "answer-429", "answer-503"})
"""Faults after which a program may say that it could not start something."""
_UNDECIDED: Final = frozenset({"callback-never", "callback-unknown-value"})
"""Faults after which a program cannot know how something ended."""


class PlatformProgram:
    """The program under test. Override what it does; the rest is left out.

    What a method raises is a failure, except where the platform refused something for good.
    """

    def dial(self, target: str, notify_url: str) -> None:
        """Start a call (E2)."""
        raise NotImplementedError

    def notified(self, body: Json) -> None:
        """Take the notification of a call; what it raises is an answer of 500."""
        raise NotImplementedError

    def calls(self) -> Sequence[tuple[str, str]]:
        """Return id and status of each call that is over, once each."""
        raise NotImplementedError

    def assign(self, session: str, agent: str, callback_url: str) -> None:
        """Transfer a conversation (E9)."""
        raise NotImplementedError

    def transferred(self, body: Json) -> None:
        """Take the callback of a transfer; what it raises is an answer of 500."""
        raise NotImplementedError

    def transfers(self) -> Sequence[tuple[str, str]]:
        """Return session and status of each transfer that is over, once each."""
        raise NotImplementedError

    def agents(self) -> Sequence[str | None]:
        """Return the ids of all agents (E22)."""
        raise NotImplementedError

    def receive(self, delivered: BackendDelivery) -> int | None:
        """Take a delivery of events (E21); return the status of HTTP, None for 200."""
        raise NotImplementedError

    def conversation(self, conversation_id: str) -> Mapping[str, Any]:
        """Return what is known of a conversation: any of the keys of `segue.testing.view`."""
        raise NotImplementedError


class PlatformStep(NamedTuple):
    """One thing that happens."""

    action: str
    """A key of `ACTIONS`."""
    detail: str = ""
    """What it is done with, such as a number; empty if there is nothing to say."""
    fault: str = ""
    """The name of the fault that is made; empty for none."""

    def __str__(self) -> str:
        """Return the step as a line of a story."""
        return " ".join(filter(None, (self.action, self.detail, self.fault and f"[{self.fault}]")))


class PlatformFailure(Exception):
    """The program did something wrong. It never leaves `segue.testing`."""


class _ScriptedFaults(FaultPlan):
    """Makes one fault a step."""

    def __init__(self) -> None:
        super().__init__()
        self.next: Fault | None = None

    def draw(self, place: FaultPlace) -> Fault | None:
        """Return the fault of the step, if this is its place."""
        fault = self.next
        if fault is None or fault.place is not place:
            return None
        if place is not FaultPlace.ANSWER:  # an answer may have to wait for a later page
            self.next = None
        return fault

    def note(self, fault: Fault, where: str, what: str) -> TruthLine:
        """Make it once."""
        self.next = None
        return super().note(fault, where, what)


class PlatformRun:
    """A fresh sandbox with a fresh program."""

    def __init__(self, connect: Callable[[TestSandbox], PlatformProgram]) -> None:
        self._faults = _ScriptedFaults()
        self.sandbox = TestSandbox(faults=self._faults, post=self._post)
        self._program = connect(self.sandbox)
        self._raised = ""
        self._conversations = 0
        self._transfers: list[tuple[str, str, str]] = []
        """Session, status and fault of each."""

    def can(self, *names: str) -> bool:
        """Whether the program has these methods."""
        mine = type(self._program)
        return all(getattr(mine, name) is not getattr(PlatformProgram, name) for name in names)

    def close(self) -> None:
        """Close the sandbox."""
        self.sandbox.close()

    def do(self, step: PlatformStep) -> None:
        """Do a step.

        Raises:
            PlatformFailure: The program did something wrong.

        """
        self._faults.next = FAULTS[step.fault] if step.fault else None
        ACTIONS[step.action].do(self, step)
        self._faults.next = None
        self._require()

    def settle(self) -> None:
        """Let time pass until nothing is due, and compare what the program knows.

        Raises:
            PlatformFailure: The program did something wrong.

        """
        self.sandbox.advance(_ENOUGH)
        self._require()
        if self.can("calls"):
            made = self.sandbox.state.tables["calls"].items()
            calls = ((key, each["status"], each.get("fault", "")) for key, each in made)
            self._compare("calls", self._program.calls(), calls)
        if self.can("transfers"):
            self._compare("transfers", self._program.transfers(), self._transfers)

    def _require(self) -> None:
        """Raise what the sandbox noticed meanwhile."""
        if self._faults.failures:
            line = self._faults.failures[0]
            raise PlatformFailure(f"{line.failure} ({line.what}){self._raised}")

    def _post(self, url: str, _: Mapping[str, str], body: bytes) -> int:
        take = self._program.notified if url == _NOTIFY else self._program.transferred
        try:
            take(json.loads(body))
        except Exception as error:  # noqa: BLE001 - a server would answer 500
            self._raised = f": {type(error).__name__}: {error}"
            return 500
        return 200

    def dial(self, step: PlatformStep) -> None:
        """Let the program dial a number that ends in the outcome; it has to start one call."""
        before = len(self.sandbox.state.tables["calls"])
        target = f"tel:+4930{before:03d}{_ENDINGS[step.detail]}"
        self._try(step, lambda: self._program.dial(target, _NOTIFY))
        made = len(self.sandbox.state.tables["calls"]) - before
        if made > 1:
            raise PlatformFailure(f"{made} calls were started for one")
        if made < 1 and step.fault not in _REFUSED:
            raise PlatformFailure("no call was started")

    def assign(self, step: PlatformStep) -> None:
        """Let the program transfer a conversation to an agent, who accepts or declines."""
        session = f"c-{len(self._transfers) + 1}"
        self._try(step, lambda: self._program.assign(session, "a-2", _TRANSFERRED))
        for key, thing in self.sandbox.state.tables["transfers"].items():
            if thing["session"] == session and thing["status"] == "asked":
                if step.detail == "declined":
                    self.sandbox.state.move("transfer", key, "decline")
                status = "failure" if step.detail == "declined" else "success"
                self._transfers.append((session, status, step.fault))

    def list_agents(self, step: PlatformStep) -> None:
        """Let the program list the agents; each has to be there once."""
        known = [key for key in self.sandbox.state.tables["agents"] if key.startswith("a-")]
        found = self._try(step, lambda: list(self._program.agents()), may_fail=False) or []
        twice = [each for each, count in Counter(found).items() if count > 1]
        if twice:
            raise PlatformFailure(f"agents are listed twice: {', '.join(map(str, twice))}")
        lacking = [each for each in known if each not in found]
        if lacking:
            raise PlatformFailure(f"agents are missing in the list: {', '.join(lacking)}")

    def converse(self, step: PlatformStep) -> None:
        """Send the program a conversation, with the fault of the step, and compare its answers."""
        self._conversations += 1
        identity = f"c-{self._conversations:02d}"
        posts = [PlannedPost(body, f"{identity}-{at}") for at, body in
                 enumerate(story(*_STORIES[step.detail], conversation_id=identity))]  # fmt: skip
        fault = self._faults.next
        edited = fault and fault.posts and fault.posts(Random(0), posts)
        reference = Conversation(identity)
        for post in edited.posts if edited else posts:
            sent = BackendDelivery(post.body, identity, _BOT, post.endpoint, post.delivery_id)
            expected = answer(reference, sent)["status"]
            status = self._try(step, partial(self._program.receive, sent), may_fail=False) or 200
            if status // 100 != expected // 100:
                raise PlatformFailure(f"a delivery was answered {status}, not {expected}")
        if self.can("conversation"):
            self._require_known(reference, posts if edited else None)

    def _require_known(self, reference: Conversation, meant: list[PlannedPost] | None) -> None:
        identity = str(reference.conversation_id)
        seen = self._program.conversation(identity)
        differing = [*discrepancies(view(reference), seen)]
        if differing and meant:
            in_order = Conversation(identity)
            for post in meant:
                answer(in_order, BackendDelivery(post.body, identity, _BOT, post.endpoint))
            differing = [*discrepancies(view(in_order), seen)] and differing
        for key, expected, found in differing:
            raise PlatformFailure(f"{key} of the conversation: expected {expected}, found {found}")

    def _try(
        self, step: PlatformStep, action: Callable[[], T], *, may_fail: bool = True
    ) -> T | None:
        """Return what the program returns; None if it raised what it may raise."""
        try:
            return action()
        except Exception as error:
            if not may_fail or step.fault not in _REFUSED:
                raise PlatformFailure(f"it raised {type(error).__name__}: {error}") from error
            return None

    def _compare(
        self,
        what: str,
        found: Sequence[tuple[str, str]],
        expected: Iterable[tuple[str, str, str]],
    ) -> None:
        known = Counter(found)
        for key, status, fault in expected:
            count = sum(n for (each, _), n in known.items() if each == key)
            if count > 1:
                raise PlatformFailure(f"{what} has {key} {count} times")
            if fault not in _UNDECIDED and not known[key, status]:
                raise PlatformFailure(f"{what} does not say that {key} is {status}")


class PlatformAction(NamedTuple):
    """What can be done with a program."""

    do: Callable[[PlatformRun, PlatformStep], object]
    needs: tuple[str, ...] = ()
    """The methods that the program must have."""
    details: tuple[str, ...] = ("",)
    faults: tuple[str, ...] = ()


ACTIONS: Final[Mapping[str, PlatformAction]] = {
    "list agents": PlatformAction(
        PlatformRun.list_agents,
        ("agents",),
        ("",),
        ("answer-lost", "answer-429", "answer-503", "answer-unknown-value", "answer-added-member",
         "answer-respelled", "page-shifted"),
    ),
    "dial": PlatformAction(
        PlatformRun.dial,
        ("dial", "notified"),
        tuple(_ENDINGS),
        ("answer-lost", "answer-429", "answer-503", "answer-added-member", "callback-first",
         "callback-twice", "callback-never", "callback-late", "callback-unknown-value",
         "callback-added-member"),
    ),
    "assign": PlatformAction(
        PlatformRun.assign,
        ("assign", "transferred"),
        ("accepted", "declined"),
        ("answer-lost", "answer-429", "answer-503", "answer-unknown-value", "answer-added-member",
         "callback-twice", "callback-never", "callback-late", "callback-added-member"),
    ),
    "receive a conversation": PlatformAction(
        PlatformRun.converse,
        ("receive",),
        tuple(_STORIES),
        tuple(name for name, row in FAULTS.items() if row.place is FaultPlace.CONVERSATION),
    ),
    "let a minute pass": PlatformAction(lambda run, _: run.sandbox.advance("1m")),
}  # fmt: skip
"""Every action by its name."""


def steps_of(action: str) -> list[PlatformStep]:
    """Return every step of an action, the plain ones first."""
    row = ACTIONS[action]
    faults = ("", *row.faults)
    return [PlatformStep(action, detail, fault) for fault in faults for detail in row.details]


def failure_of(
    steps: Sequence[PlatformStep], connect: Callable[[TestSandbox], PlatformProgram]
) -> tuple[list[PlatformStep], str] | None:
    """Return the steps until something went wrong, and what; None if nothing did."""
    run, taken = PlatformRun(connect), list[PlatformStep]()
    try:
        for step in steps:
            taken.append(step)
            run.do(step)
        run.settle()
    except PlatformFailure as failure:
        return taken, str(failure)
    finally:
        run.close()
    return None


def shortened(
    steps: Sequence[PlatformStep],
    connect: Callable[[TestSandbox], PlatformProgram],
) -> tuple[list[PlatformStep], str] | None:
    """Return a shortest part of a story in which something goes wrong, and what.

    Returns None if nothing goes wrong when they are taken again.
    """
    best = failure_of(steps, connect)
    if best is None:
        return None
    while shorter := next(
        filter(None, (failure_of(part, connect) for part in _parts(best[0]))), None
    ):
        best = shorter
    return best


def _parts(steps: Sequence[PlatformStep]) -> Iterator[list[PlatformStep]]:
    """Yield shorter stories, single steps first; then those with one fault less."""
    if len(steps) > 1:
        yield from ([step] for step in dict.fromkeys(steps))
        for at in range(len(steps)):
            yield [*steps[:at], *steps[at + 1 :]]
    for at, step in enumerate(steps):
        first = steps_of(step.action)[0]
        for simpler in dict.fromkeys((first, step._replace(fault=""),
                                      step._replace(detail=first.detail))):  # fmt: skip
            if simpler != step:
                yield [*steps[:at], simpler, *steps[at + 1 :]]
