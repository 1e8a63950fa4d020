"""The interface of programs that are tested against the sandbox, and a runner for them.

A test is a list of steps, called a story. A step is an action of the program or of the platform,
with at most one fault. Runs are deterministic, so a failing story can be shortened by removing
steps.
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
"""The last digit of the phone number that leads to each outcome of a call."""
_TALK: Final = ("NA entry by a-1", "agent message by a-1", "NA exit by a-1",
                "END_OF_CONVERSATION by a-1")  # fmt: skip
_TRANSFER: Final = ("NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2",
                    "END_OF_CONVERSATION by a-2")  # fmt: skip
_STORIES: Final = {"of one agent": _TALK, "of two agents": _TRANSFER}
_REFUSED: Final = frozenset({"answer-lost", "answer-429", "answer-503"})
"""The faults after which a program may raise instead of starting a call or transfer."""
_UNDECIDED: Final = frozenset({"callback-never", "callback-unknown-value"})
"""The faults after which a program cannot know the outcome of a call or transfer."""


class PlatformProgram:
    """The interface through which `PlatformMachine` uses a program under test.

    Override the methods for the features of your program. `PlatformMachine` skips the steps for
    methods that are not overridden. An exception in a method is a failure, except in `dial` and
    `assign`, which may raise if the platform refused their request or did not answer.
    """

    def dial(self, target: str, notify_url: str) -> None:
        """Start a call through the platform (E2).

        Args:
            target: The number to call.
            notify_url: The URL for the notification.

        """
        raise NotImplementedError

    def notified(self, body: Json) -> None:
        """Handle the notification about a call. If the method raises, the answer has status 500."""
        raise NotImplementedError

    def calls(self) -> Sequence[tuple[str, str]]:
        """Return a pair `(id, status)` for each call that the program knows to have ended.

        Each call must be listed once.
        """
        raise NotImplementedError

    def assign(self, session: str, agent: str, callback_url: str) -> None:
        """Transfer a conversation to an agent through the platform (E9).

        Args:
            session: The id of the conversation.
            agent: The id of the agent.
            callback_url: The URL for the outcome of the transfer.

        """
        raise NotImplementedError

    def transferred(self, body: Json) -> None:
        """Handle the callback of a transfer. If the method raises, the answer has status 500."""
        raise NotImplementedError

    def transfers(self) -> Sequence[tuple[str, str]]:
        """Return a pair `(session, status)` for each transfer that the program knows to have ended.

        `session` is the id of the conversation, and the status is `success` or `failure`. Each
        transfer must be listed once.
        """
        raise NotImplementedError

    def agents(self) -> Sequence[str | None]:
        """Return the ids of all agents in the platform's list of agents (E22), each once."""
        raise NotImplementedError

    def receive(self, delivered: BackendDelivery) -> int | None:
        """Handle a delivery of events (E21), and return the HTTP status of the answer.

        Return None for status 200.
        """
        raise NotImplementedError

    def conversation(self, conversation_id: str) -> Mapping[str, Any]:
        """Return the program's state of a conversation, for comparison with the expected state.

        The result is a mapping with any of the keys in `VIEW_KEYS`. Keys that it omits are not
        compared.
        """
        raise NotImplementedError


class PlatformStep(NamedTuple):
    """A step of a test: an action such as `dial`, its variant, and the fault to make, if any."""

    action: str
    """The name of the action, such as `dial`, which is a key of `ACTIONS`."""
    detail: str = ""
    """The variant of the action, such as `busy`, or an empty string."""
    fault: str = ""
    """The name of the fault to make, such as `callback-twice`, or an empty string."""

    def __str__(self) -> str:
        """Return the step as a line such as `dial busy [callback-twice]`."""
        return " ".join(filter(None, (self.action, self.detail, self.fault and f"[{self.fault}]")))


class PlatformFailure(Exception):
    """Raised if the program under test has failed.

    `PlatformMachine` turns it into an `AssertionError`.
    """


class _ScriptedFaults(FaultPlan):
    """A fault plan that makes the fault of the current step once, and no other fault."""

    def __init__(self) -> None:
        super().__init__()
        self.next: Fault | None = None

    def draw(self, place: FaultPlace) -> Fault | None:
        """Return the fault of the current step, or None.

        `place` is the kind of message to which the fault would be applied. The result is None if
        the fault affects other messages.
        """
        fault = self.next
        if fault is None or fault.place is not place:
            return None
        if place is not FaultPlace.ANSWER:  # the fault may only apply to a later page
            self.next = None
        return fault

    def note(self, fault: Fault, where: str, what: str) -> TruthLine:
        """Record a fault that was made, and return the record. The fault is not made again."""
        self.next = None
        return super().note(fault, where, what)


class PlatformRun:
    """One run of a test: a new sandbox of the platform, and a new program that uses it."""

    def __init__(self, connect: Callable[[TestSandbox], PlatformProgram]) -> None:
        self._faults = _ScriptedFaults()
        self.sandbox = TestSandbox(faults=self._faults, post=self._post)
        self._program = connect(self.sandbox)
        self._raised = ""
        self._conversations = 0
        self._transfers: list[tuple[str, str, str]] = []
        """A triple `(session, expected status, fault)` for each transfer."""

    def can(self, *names: str) -> bool:
        """Return whether the program overrides all methods with these names."""
        mine = type(self._program)
        return all(getattr(mine, name) is not getattr(PlatformProgram, name) for name in names)

    def close(self) -> None:
        """Close the sandbox, which stops its server."""
        self.sandbox.close()

    def do(self, step: PlatformStep) -> None:
        """Perform a step with the program.

        Raises:
            PlatformFailure: The program failed.

        """
        self._faults.next = FAULTS[step.fault] if step.fault else None
        ACTIONS[step.action].do(self, step)
        self._faults.next = None
        self._require()

    def settle(self) -> None:
        """Let 20 simulated minutes pass, so that calls and transfers end, and check the program.

        The program must list them as the sandbox does.

        Raises:
            PlatformFailure: The program failed.

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
        """Raise `PlatformFailure` if the sandbox has recorded a failure."""
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
        """Make the program start a call that ends in the way `step.detail` names, such as `busy`.

        Raise `PlatformFailure` unless the program starts exactly one call. It may start none if the
        fault of the step is a refused request or a lost answer.
        """
        before = len(self.sandbox.state.tables["calls"])
        target = f"tel:+4930{before:03d}{_ENDINGS[step.detail]}"
        self._try(step, lambda: self._program.dial(target, _NOTIFY))
        made = len(self.sandbox.state.tables["calls"]) - before
        if made > 1:
            raise PlatformFailure(f"{made} calls were started instead of one")
        if made < 1 and step.fault not in _REFUSED:
            raise PlatformFailure("no call was started")

    def assign(self, step: PlatformStep) -> None:
        """Make the program transfer a conversation to an agent, who accepts or declines it."""
        session = f"c-{len(self._transfers) + 1}"
        self._try(step, lambda: self._program.assign(session, "a-2", _TRANSFERRED))
        for key, thing in self.sandbox.state.tables["transfers"].items():
            if thing["session"] == session and thing["status"] == "asked":
                if step.detail == "declined":
                    self.sandbox.state.move("transfer", key, "decline")
                status = "failure" if step.detail == "declined" else "success"
                self._transfers.append((session, status, step.fault))

    def list_agents(self, step: PlatformStep) -> None:
        """Make the program list the agents. Raise `PlatformFailure` unless each is listed once."""
        known = [key for key in self.sandbox.state.tables["agents"] if key.startswith("a-")]
        found = self._try(step, lambda: list(self._program.agents()), may_fail=False) or []
        twice = [each for each, count in Counter(found).items() if count > 1]
        if twice:
            raise PlatformFailure(f"agents are listed twice: {', '.join(map(str, twice))}")
        lacking = [each for each in known if each not in found]
        if lacking:
            raise PlatformFailure(f"agents are missing from the list: {', '.join(lacking)}")

    def converse(self, step: PlatformStep) -> None:
        """Send a conversation to the program, with the fault of `step` if it has one.

        Raise `PlatformFailure` if an answer or the program's state differs from the expected one.
        """
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
                raise PlatformFailure(
                    f"a delivery was answered with {status} instead of {expected}"
                )
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
        """Call `action`, a call of the program, and return its result.

        Return None if it raised an exception and may fail in this step. Raise `PlatformFailure` for
        any other exception.
        """
        try:
            return action()
        except Exception as error:
            if not may_fail or step.fault not in _REFUSED:
                text = f"the program raised {type(error).__name__}: {error}"
                raise PlatformFailure(text) from error
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
                raise PlatformFailure(f"{what}() lists {key} {count} times")
            if fault not in _UNDECIDED and not known[key, status]:
                raise PlatformFailure(f"{what}() does not list {key} as {status}")


class PlatformAction(NamedTuple):
    """A kind of step, such as `dial`, with its variants and faults."""

    do: Callable[[PlatformRun, PlatformStep], object]
    """The function that performs a step in a run."""
    needs: tuple[str, ...] = ()
    """The names of the methods that the program must override."""
    details: tuple[str, ...] = ("",)
    """The variants of the action, such as `busy`."""
    faults: tuple[str, ...] = ()
    """The names of the faults that can be made during the action."""


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
"""All actions by name, such as `dial`."""


def steps_of(action: str) -> list[PlatformStep]:
    """Return a step for each combination of a variant and a fault of an action.

    The steps without a fault come first.
    """
    row = ACTIONS[action]
    faults = ("", *row.faults)
    return [PlatformStep(action, detail, fault) for fault in faults for detail in row.details]


def failure_of(
    steps: Sequence[PlatformStep], connect: Callable[[TestSandbox], PlatformProgram]
) -> tuple[list[PlatformStep], str] | None:
    """Run steps with a new program, and return `(steps, text)` for the first failure.

    `steps` are the steps up to the failure, and `text` describes it. Return None if all succeed.
    """
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
    """Find a shorter and simpler list of steps that still fails.

    Return the steps and the text of the failure, or None if the given steps do not fail again.
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
    """Yield shorter or simpler lists of steps.

    Each step alone comes first, then the list without one of its steps, and then the list with one
    of its steps simplified.
    """
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
