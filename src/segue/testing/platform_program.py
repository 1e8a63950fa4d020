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
    """The interface of a program under test.

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
        """Handle the notification of a call. An exception is answered with status 500."""
        raise NotImplementedError

    def calls(self) -> Sequence[tuple[str, str]]:
        """Return a pair `(id, status)` for each ended call, once each."""
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
        """Handle the callback of a transfer. An exception is answered with status 500."""
        raise NotImplementedError

    def transfers(self) -> Sequence[tuple[str, str]]:
        """Return a pair `(session, status)` for each ended transfer, once each.

        The status is `success` or `failure`.
        """
        raise NotImplementedError

    def agents(self) -> Sequence[str | None]:
        """Return the ids of all agents that the platform lists (E22), once each."""
        raise NotImplementedError

    def receive(self, delivered: BackendDelivery) -> int | None:
        """Handle a delivery of events (E21), and return the HTTP status of the answer.

        None means 200.
        """
        raise NotImplementedError

    def conversation(self, conversation_id: str) -> Mapping[str, Any]:
        """Return the state of a conversation as a mapping with any of the keys in `VIEW_KEYS`."""
        raise NotImplementedError


class PlatformStep(NamedTuple):
    """A step of a test: an action with its variant, and the fault made in it, if any."""

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
    """Raised if the program under test fails.

    `PlatformMachine` turns it into an `AssertionError`.
    """


class _ScriptedFaults(FaultPlan):
    """A plan that makes only the fault of the current step, and only once."""

    def __init__(self) -> None:
        super().__init__()
        self.next: Fault | None = None

    def draw(self, place: FaultPlace) -> Fault | None:
        """Return the fault of the current step if it affects this kind of message, else None."""
        fault = self.next
        if fault is None or fault.place is not place:
            return None
        if place is not FaultPlace.ANSWER:  # the fault may only apply to a later page
            self.next = None
        return fault

    def note(self, fault: Fault, where: str, what: str) -> TruthLine:
        """Record that the fault was made, so that it is not made again, and return the record."""
        self.next = None
        return super().note(fault, where, what)


class PlatformRun:
    """A new sandbox, and a new program that uses it."""

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
        """Close the sandbox."""
        self.sandbox.close()

    def do(self, step: PlatformStep) -> None:
        """Perform a step of the test.

        Raises:
            PlatformFailure: The program failed.

        """
        self._faults.next = FAULTS[step.fault] if step.fault else None
        ACTIONS[step.action].do(self, step)
        self._faults.next = None
        self._require()

    def settle(self) -> None:
        """Let 20 minutes pass, and compare the program's calls and transfers with the sandbox.

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
        """Let the program start a call that ends as the step says, such as `busy`.

        Raise `PlatformFailure` unless it starts exactly one.
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
        """Let the program transfer a conversation to an agent, who accepts or declines it."""
        session = f"c-{len(self._transfers) + 1}"
        self._try(step, lambda: self._program.assign(session, "a-2", _TRANSFERRED))
        for key, thing in self.sandbox.state.tables["transfers"].items():
            if thing["session"] == session and thing["status"] == "asked":
                if step.detail == "declined":
                    self.sandbox.state.move("transfer", key, "decline")
                status = "failure" if step.detail == "declined" else "success"
                self._transfers.append((session, status, step.fault))

    def list_agents(self, step: PlatformStep) -> None:
        """Let the program list the agents. Raise `PlatformFailure` unless each is listed once."""
        known = [key for key in self.sandbox.state.tables["agents"] if key.startswith("a-")]
        found = self._try(step, lambda: list(self._program.agents()), may_fail=False) or []
        twice = [each for each, count in Counter(found).items() if count > 1]
        if twice:
            raise PlatformFailure(f"agents are listed twice: {', '.join(map(str, twice))}")
        lacking = [each for each in known if each not in found]
        if lacking:
            raise PlatformFailure(f"agents are missing from the list: {', '.join(lacking)}")

    def converse(self, step: PlatformStep) -> None:
        """Send a conversation with the step's fault to the program.

        Raise `PlatformFailure` if an answer or the program's view differs from the reference.
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
        """Call `action` and return its result, or None if it raised an allowed exception.

        Raise `PlatformFailure` for any other exception.
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
    """A kind of step, such as `dial`."""

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
    """Return a step for each variant and each fault of an action, those without a fault first."""
    row = ACTIONS[action]
    faults = ("", *row.faults)
    return [PlatformStep(action, detail, fault) for fault in faults for detail in row.details]


def failure_of(
    steps: Sequence[PlatformStep], connect: Callable[[TestSandbox], PlatformProgram]
) -> tuple[list[PlatformStep], str] | None:
    """Run the steps, and return those up to the first failure together with its text.

    Return None if all steps succeed.
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
    """Return a short list of steps that still fails, and the text of its failure.

    Return None if the given steps do not fail again.
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
    """Yield simpler lists of steps.

    First come the single steps, then the list without one of the steps, and then the list with one
    of the steps simplified.
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
