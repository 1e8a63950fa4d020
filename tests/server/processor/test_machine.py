"""Many processes on one store, a step at a time, against the core alone.

Units of work are generators, so the machine holds several of them, of several processes, and lets
any one go a step further; every interleaving and every crash between two steps is a run of it.
"""

import json
import os
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.server.processor.story import Clock, body, end, message, summary, transfer
from tests.server.stores.library import key
from tests.stored import stored_state

from segue.core.engine import TRANSCRIPTION_MACHINE, apply, new
from segue.core.engine.snapshot import dump, load_parts
from segue.core.events import HOOKS, TRANSCRIPTION
from segue.core.wire import read_line
from segue.server.processor import (
    Callback,
    Commit,
    ControlReceipt,
    DeliveryOutcome,
    OutboxMessage,
    Processor,
    Receipt,
    Retry,
    SubmissionContext,
)
from segue.server.processor.callback import HandlerCaller
from segue.server.processor.callback_payloads import CALLBACKS
from segue.server.processor.outbox import Outbox, OutboxOptions, Run
from segue.server.stores import MemoryStore

CONVERSATIONS = ("c-1", "c-2")
AGENTS = ("a-1", "a-2")
KINDS = ("NA entry", "NA exit", "COLD exit", "COLD entry", "WARM entry", "WARM exit")
IDS = st.none() | st.sampled_from(("d-1", "d-2", "d-3", "d-4"))
RETRY = Retry(tries=3, first=timedelta(seconds=1), lease=timedelta(seconds=30))
SECOND = timedelta(seconds=1)


@st.composite
def _events(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from((*KINDS, "summary", "end")))
    if kind == "summary":
        return summary()
    agent = draw(st.sampled_from(AGENTS))
    return end(agent) if kind == "end" else transfer(kind, agent)


@st.composite
def _bodies(draw: st.DrawFn) -> dict[str, Any]:
    conversation = draw(st.sampled_from(CONVERSATIONS))
    if draw(st.integers(0, 3)) == 3:
        return message("USER", draw(st.sampled_from(AGENTS)), conversationId=conversation)
    return body(*draw(st.lists(_events(), min_size=1, max_size=3)), conversation=conversation)


ACTIONS = st.sampled_from(
    [
        {"action": name, "agentId": agent, "handover": True}
        for name in ("start", "pause", "resume", "end")
        for agent in AGENTS
    ]
)


class Recording(MemoryStore):
    """Remembers everything that was committed."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[OutboxMessage] = []
        self.stood = {name: [("waiting", "idle")] for name in CONVERSATIONS}
        """Phase and state of the transcription, by version."""

    def save(self, commit: Commit) -> None:
        super().save(commit)
        self.messages += commit.outbox
        session = TRANSCRIPTION_MACHINE.session(
            load_parts(commit.conversation.snapshot, (), commit.conversation.version)
        )
        summary = commit.conversation.summary
        stands = summary.phase, session.state.value
        self.stood[summary.conversation_id].append(stands)


@dataclass
class Work:
    """A unit of work under way: the answer it waits for is what `waits` says."""

    process: int
    unit: Any
    identity: tuple[str, str] | None
    conversation: str
    since: int
    """The version of the conversation when it began."""
    effect: Any = None
    waits: Future[Any] | None = None
    receipt: Receipt | ControlReceipt | None = None

    def begin(self) -> None:
        self._go(lambda: next(self.unit))

    def advance(self) -> None:
        """Perform the next effect, or take its result if that has come meanwhile."""
        if self.waits is not None:
            if self.waits.done():
                self.waits = None
                self._go(lambda: self.unit.send(None))
            return
        try:
            answer = self.effect.perform()
        except Exception as error:  # noqa: BLE001 - the unit's to judge
            thrown = error
            self._go(lambda: self.unit.throw(thrown))
            return
        if isinstance(answer, Future):
            self.waits = answer
        else:
            self._go(lambda: self.unit.send(answer))

    def _go(self, on: Callable[[], Any]) -> None:
        try:
            self.effect = on()
        except StopIteration as stop:
            self.receipt = stop.value


@dataclass
class Told:
    """What handlers were told, and whether they are to fail."""

    fails: bool = False
    succeeded: list[str] = field(default_factory=list)

    def __call__(self, callback: Callback) -> None:
        if self.fails:
            raise ValueError(callback.id)
        self.succeeded.append(callback.id)


class Processes(RuleBasedStateMachine):
    """Two processes that crash, one store that does not."""

    @initialize()
    def start(self) -> None:
        self.clock = Clock()
        self.store = Recording()
        self.told = Told()
        self.processes = [self._process() for _ in range(2)]
        self.works: list[Work] = []
        self.runs: list[tuple[Outbox, Run]] = []
        self.applied: list[tuple[str, str]] = []

    def _process(self) -> Processor:
        handlers: dict[str, Any] = {f"on_{kind}": print for kind in CALLBACKS}
        it = Processor(store=self.store, clock=self.clock, **handlers)
        it._runtime._process = os.getpid()  # noqa: SLF001 - the machine works the outbox off itself
        return it

    # Deliveries.

    @rule(process=st.integers(0, 1), sent=_bodies(), delivery_id=IDS)
    def send(self, process: int, sent: dict[str, Any], delivery_id: str | None) -> None:
        context = SubmissionContext("st-1", delivery_id=delivery_id)
        unit = self.processes[process].ingest.submit(HOOKS, sent, context, Receipt.of)
        self._begin(process, unit, sent["conversationId"], delivery_id and ("hooks", delivery_id))

    @rule(
        process=st.integers(0, 1),
        conversation=st.sampled_from(CONVERSATIONS),
        action=ACTIONS,
        delivery_id=IDS,
    )
    def control(
        self, process: int, conversation: str, action: dict[str, Any], delivery_id: str | None
    ) -> None:
        context = SubmissionContext("st-1", conversation, delivery_id=delivery_id)
        ingest = self.processes[process].ingest
        unit = ingest.submit(TRANSCRIPTION, action, context, ControlReceipt.of)
        identity = delivery_id and ("transcription", delivery_id)
        self._begin(process, unit, conversation, identity)

    def _begin(self, process: int, unit: Any, conversation: str, identity: Any) -> None:
        since = len(self.store.stood[conversation]) - 1
        work = Work(process, unit, identity or None, conversation, since)
        work.begin()
        self.works.append(work)

    @precondition(lambda self: self.works)
    @rule(data=st.data(), steps=st.integers(1, 6))
    def advance(self, data: st.DataObject, steps: int) -> None:
        work = data.draw(st.sampled_from(self.works))
        for _ in range(steps):
            if work.receipt is None:
                work.advance()
        self._settle()

    @precondition(lambda self: self.works)
    @rule(data=st.data())
    def hang_up(self, data: st.DataObject) -> None:
        """The sender is gone; the unit of work is thrown away where it stands."""
        work = data.draw(st.sampled_from(self.works))
        work.unit.close()
        self.works.remove(work)

    @rule(process=st.integers(0, 1))
    def crash(self, process: int) -> None:
        """A process is gone with all it had in memory; nothing of it is run any more."""
        self.works = [work for work in self.works if work.process != process]
        self.processes[process] = self._process()

    def _settle(self) -> None:
        for work in [work for work in self.works if work.receipt is not None]:
            self.works.remove(work)
            self._judge(work)

    def _judge(self, work: Work) -> None:
        receipt, identity = work.receipt, work.identity
        assert receipt is not None
        meanwhile = self.store.stood[work.conversation][work.since :]
        if isinstance(receipt, Receipt):
            assert receipt.phase in [phase for phase, _ in meanwhile]
        else:
            assert receipt.state in [state for _, state in meanwhile]
        if identity is None:
            assert receipt.outcome in (DeliveryOutcome.APPLIED, DeliveryOutcome.REFUSED)
        elif receipt.outcome is DeliveryOutcome.APPLIED:
            assert identity not in self.applied
            self.applied.append(identity)
        if receipt.outcome is DeliveryOutcome.APPLIED:
            told = [finding.to_dict() for finding in receipt.findings]
            assert told in [json.loads(entry.findings) for entry in self._journal()]

    # The outbox.

    @rule()
    def claim(self) -> None:
        handlers = dict.fromkeys(CALLBACKS, self.told)
        options = OutboxOptions(handlers, RETRY, self.clock, lambda: 0.5, SECOND)
        outbox = Outbox(self.store, HandlerCaller(), options)
        self.runs += [(outbox, run) for run in outbox.claim()]

    @precondition(lambda self: self.runs)
    @rule(data=st.data(), fate=st.sampled_from(("succeed", "fail", "die before", "die after")))
    def work_off(self, data: st.DataObject, fate: str) -> None:
        taken = data.draw(st.sampled_from(self.runs))
        self.runs.remove(taken)
        outbox, run = taken
        self.told.fails = fate == "fail"
        if fate == "die after" and self.clock() < run.until:  # called, but not acknowledged
            self.told(Callback.of(run.messages[0]))
        elif fate in ("succeed", "fail"):
            outbox.deliver(run)
        self.told.fails = False

    @rule(seconds=st.sampled_from((1, 5, 31)))
    def wait(self, seconds: int) -> None:
        self.clock.move(seconds)

    # What holds after every step.

    def _journal(self) -> list[Any]:
        return list(self.store.journal(0, 10_000, None))

    @invariant()
    def the_store_holds_what_the_core_makes_of_the_journal(self) -> None:
        if not hasattr(self, "store"):
            return
        for name in CONVERSATIONS:
            state = new(name)
            lines = list(self.processes[0].export(name))
            for line in lines:
                delivery = read_line(line)
                delivery.delivery_id = None
                apply(state, delivery)
            kept = self.store.load(key(name)).conversation
            assert (kept is None) == (not lines)
            if kept is not None:
                whole = stored_state(self.store, key(name))
                assert whole is not None
                assert dump(whole) == dump(state)
                assert (kept.version, kept.summary.phase) == (
                    len(lines),
                    state.presence.phase.value,
                )

    @invariant()
    def no_delivery_id_is_applied_twice(self) -> None:
        if not hasattr(self, "store"):
            return
        ids = [(entry.endpoint, entry.delivery_id) for entry in self._journal()]
        known = [identity for identity in ids if identity[1] is not None]
        assert len(known) == len(set(known))
        assert set(self.applied) <= set(known)

    # What holds at the end.

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        for _ in range(10_000):
            if not self.works:
                break
            for work in list(self.works):
                work.advance()
            self._settle()
        assert self.works == []
        self._work_everything_off()
        dead = {message.id for message in self.store.dead(0, 10_000)}
        committed = [message.id for message in self.store.messages]
        assert len(committed) == len(set(committed))
        first = list(dict.fromkeys(self.told.succeeded))
        for name in CONVERSATIONS:
            due = [each for each in committed if each.startswith(f"{name}:") and each not in dead]
            assert [each for each in first if each in due] == due

    def _work_everything_off(self) -> None:
        self.runs.clear()
        self.told.fails = False
        for _ in range(1000):
            self.clock.move(700)
            self.claim()
            if not self.runs:
                break
            while self.runs:
                outbox, run = self.runs.pop(0)
                outbox.deliver(run)
        assert self.store.claim("x", self.clock(), self.clock(), 1) == []


TestProcesses = Processes.TestCase
TestProcesses.settings = settings(stateful_step_count=40)
