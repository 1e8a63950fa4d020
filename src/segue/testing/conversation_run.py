"""Sends whole conversations to a backend, with faults, and compares what it says with the truth.

Conversations overlap, each is drawn from the seed and its number, and only the open ones are in
memory. What a backend must answer and know comes from the reference, which gets the same
deliveries; one that puts deliveries in order may know what was meant instead.
"""

import heapq
import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count as numbers
from random import Random
from typing import Any, Final, TypeAlias
from uuid import uuid4

from segue.analysis.simulate.bodies import read_delivery
from segue.analysis.simulate.random_walk import walk
from segue.analysis.simulate.script import LogPart, Script
from segue.analysis.simulate.spelling import BODY_VARIANTS, spelled
from segue.core.conversation import Conversation
from segue.core.errors import ConfigurationError
from segue.core.events import CALL_NOTIFICATIONS, HOOKS, TRANSCRIPTION, Json
from segue.core.options import check_choice
from segue.platform.sandbox.faults import FaultPlace, FaultPlan, TruthLine
from segue.platform.sandbox.post_edits import PlannedPost
from segue.testing.backend import Backend, BackendDelivery
from segue.testing.compare import BackendCrash, discrepancies
from segue.testing.reference import answer, view
from segue.testing.run_verdict import RunVerdict
from segue.testing.views import View, read_view

_SERVER_ERROR: Final = 500
_OPEN: Final = 8
"""How many conversations are open at once."""
_HELD: Final = 5000
"""How many conversations that a backend puts in order are remembered."""
_PATIENCE: Final = 60.0
"""Seconds after its last delivery in which a backend puts a conversation in order."""
_LOOK: Final = 0.1
"""Seconds between two looks at what it knows meanwhile."""
_PARTS: Final = {
    LogPart.TRANSCRIPTION: TRANSCRIPTION.name,
    LogPart.CALLS: CALL_NOTIFICATIONS.name,
}
_ONCE: Final = ("findings", "changed")
"""What only the first answer to a delivery says."""
SPELLINGS: Final = ("mixed", "plain", *BODY_VARIANTS)

OnMeant = Callable[[BackendDelivery], object]


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """What the conversations are like.

    Args:
        seed: Of everything that is drawn but the ids of the run.
        intakes: Names of the intakes to send to: `hooks`, and any of `transcription` and
            `notifications`.
        spelling: `mixed`, `plain`, or the title of an accepted spelling.
        bot_id: The bot of all conversations; by default there are two.
        messages: How many messages there are on average between two events.
        run_id: What the conversation ids begin with; by default new in every run.

    """

    seed: int = 0
    intakes: tuple[str, ...] = (HOOKS.name,)
    spelling: str = "mixed"
    bot_id: str | None = None
    messages: float = 1.0
    run_id: str = field(default_factory=lambda: f"sb-{uuid4().hex[:8]}")

    def __post_init__(self) -> None:
        check_choice("spelling", self.spelling, SPELLINGS)
        known = (HOOKS.name, *_PARTS.values())
        if HOOKS.name not in self.intakes or not set(self.intakes).issubset(known):
            raise ConfigurationError(f"the intakes are hooks, and any of {', '.join(known)}")


@dataclass(slots=True)
class _OpenConversation:
    conversation_id: str
    bot_id: str
    meant: list[PlannedPost]
    """As the platform means them."""
    posts: list[PlannedPost]
    """As they are sent."""
    line: TruthLine
    reference: Conversation
    reported: int = 0
    waits: bool = False
    """Whether the backend held a delivery back, to put it in order."""
    until: float = 0
    """When it must have done so, by the clock of this machine."""
    failure: str = ""

    def delivery(self, post: PlannedPost) -> BackendDelivery:
        return BackendDelivery(
            post.body, self.conversation_id, self.bot_id, post.endpoint, post.delivery_id
        )


_Scheduled: TypeAlias = tuple[float, int, int, _OpenConversation]
"""When it is sent, in pauses between two conversations; of which conversation which post."""


class ConversationRun:
    """Sends conversations to a backend and judges it.

    Args:
        backend: Where they are sent; with a view, what it knows afterwards is compared, too. A
            function in this process is given no delivery id: none is used twice.
        options: What the conversations are like.
        faults: Which mistakes are made; none by default.
        on_meant: Takes each delivery as it was meant, for a sandbox that lists them as sessions.

    """

    def __init__(
        self,
        backend: Backend,
        *,
        options: ConversationOptions | None = None,
        faults: FaultPlan | None = None,
        on_meant: OnMeant | None = None,
    ) -> None:
        self._backend = backend
        self._options = options or ConversationOptions()
        self._faults = faults or FaultPlan()
        self._on_meant = on_meant
        self._held: deque[_OpenConversation] = deque()
        """The last that have ended and that the backend puts in order: it has time for that."""
        self.verdict = RunVerdict(self._faults)
        """What was sent, and what became of it, so far."""

    def run(
        self,
        count: int | None = None,
        *,
        pause: float = 0,
        sleep: Callable[[float], object] = time.sleep,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> RunVerdict:
        """Send conversations and return the verdict.

        A conversation of which the backend holds a delivery back has a minute after its last one to
        become what is expected; after a stop it is not waited for, and not judged before.

        Args:
            count: How many; None sends until it is stopped.
            pause: Seconds between the beginnings of two conversations.
            sleep: Waits for so many seconds.
            is_stopped: Whether to send nothing more.

        """

        def may_look_again() -> bool:
            if is_stopped():
                return False
            sleep(_LOOK)
            return True

        begin = time.monotonic()
        for due, _, at, conversation in self._schedule(count):
            wait = begin + due * pause - time.monotonic() if pause else 0
            if wait > 0:
                sleep(wait)
            if is_stopped():
                break
            self._send(conversation, at)
            if at + 1 >= len(conversation.posts):
                self._close(conversation, may_look_again)
        self._judge_held(0, may_look_again)
        return self.verdict

    def _schedule(self, count: int | None) -> Iterator[_Scheduled]:
        """Yield what is sent next."""
        queue: list[_Scheduled] = []
        for number in numbers() if count is None else range(count):
            while queue and queue[0][0] < number:
                yield heapq.heappop(queue)
            due, conversation = float(number), self._open(number + 1)
            for at in range(len(conversation.posts)):
                heapq.heappush(queue, (due, number, at, conversation))
                due += _OPEN / len(conversation.posts)
        while queue:
            yield heapq.heappop(queue)

    def _open(self, number: int) -> _OpenConversation:
        options = self._options
        identity = f"{options.run_id}-{number:06d}"
        script, meant = planned(options, identity, number)
        bot = options.bot_id or script.bot_id
        line, posts = TruthLine("", identity, "sent as it was meant"), meant
        fault = self._faults.draw(FaultPlace.CONVERSATION)
        if fault and fault.needs_id and not self._backend.takes_ids:
            self._faults.counts[fault.name] += 0  # the verdict shows that it was never made
            fault = None
        edited = fault and fault.posts and fault.posts(self._faults.random, meant)
        if fault and edited and edited.posts:  # of which nothing is sent, nothing is known
            line, posts = self._faults.note(fault, identity, edited.what), edited.posts
        self.verdict.conversations += 1
        return _OpenConversation(identity, bot, meant, posts, line, Conversation(identity))

    def _send(self, conversation: _OpenConversation, at: int) -> None:
        post = conversation.posts[at]
        delivered = conversation.delivery(post)
        expected = answer(conversation.reference, delivered)
        expected["phase"] = conversation.reference.phase.value
        self.verdict.deliveries += 1
        try:
            found = self._backend.deliver(delivered).shown
        except ConnectionError as error:  # it has answered before
            conversation.failure = (
                conversation.failure or f"after delivery {at}: {BackendCrash(error)}"
            )
            return
        self._report_until(conversation, at + 1)
        conversation.waits |= found.get("held") is True
        if found.get("duplicate") is True:  # it was sent again, since no answer had come
            for name in _ONCE:
                expected.pop(name, None)
        if _class(found["status"]) == _class(expected["status"]):
            expected["status"] = found["status"]
        if not conversation.failure:
            conversation.failure = _text(f"after delivery {at}", expected, found)

    def _report_until(self, conversation: _OpenConversation, sent: int) -> None:
        if self._on_meant is None:
            return
        until = len(conversation.meant) * sent // len(conversation.posts)
        for post in conversation.meant[conversation.reported : until]:
            self._on_meant(conversation.delivery(post))
        conversation.reported = max(until, conversation.reported)

    def _close(self, conversation: _OpenConversation, may_look_again: Callable[[], bool]) -> None:
        if conversation.waits:
            conversation.until = time.monotonic() + _PATIENCE
            self._held.append(conversation)
            self._judge_held(_HELD, may_look_again)
        else:
            self._judge(conversation, may_look_again)

    def _judge_held(self, most: int, may_look_again: Callable[[], bool]) -> None:
        """Judge what the backend has put in order, the first of what ended, until few are left."""
        while len(self._held) > most:
            self._judge(self._held.popleft(), may_look_again)

    def _judge(self, conversation: _OpenConversation, may_look_again: Callable[[], bool]) -> None:
        """Note what the backend did wrong, if anything, once it has had the time for it."""
        failure = "" if conversation.waits else conversation.failure
        if self._backend.view is not None and not failure:
            failure, seen = self._look(conversation, self._backend.view)
            while failure and time.monotonic() < conversation.until:
                if not may_look_again():
                    return
                failure, seen = self._look(conversation, self._backend.view)
            self.verdict.compared.update(seen.keys())
        if failure:
            conversation.line.story = tuple(map(_shown, conversation.posts))
            self._faults.fail(conversation.line, failure)

    def _look(self, conversation: _OpenConversation, known: View) -> tuple[str, Mapping[str, Any]]:
        """Return how what the backend knows differs from what it was sent or meant, and all."""
        try:
            seen = read_view(known, conversation.conversation_id)
        except ConnectionError as error:  # it has answered before
            return f"after the conversation: {BackendCrash(error)}", {}
        failure = _known(conversation.reference, seen)
        if failure and _known(self._meant(conversation), seen) == "":
            failure = ""  # it put the deliveries in order
        return failure, seen

    def _meant(self, conversation: _OpenConversation) -> Conversation:
        reference = Conversation(conversation.conversation_id)
        for post in conversation.meant:
            answer(reference, conversation.delivery(post))
        return reference


def planned(
    options: ConversationOptions, identity: str, number: int
) -> tuple[Script, list[PlannedPost]]:
    """Return a conversation without a mistake, and its deliveries under their ids."""
    random = Random(f"{options.seed} {number}")
    parts = [part for part, intake in _PARTS.items() if intake in options.intakes]
    script = walk(random, identity, messages=options.messages, parts=parts)
    spelling = options.spelling
    if spelling == "mixed":
        spelling = random.choice(("plain", *BODY_VARIANTS))
    values = script.deliveries(datetime.now(UTC))
    posts = []
    for at, (item, value) in enumerate(zip(script.items, values, strict=True)):
        body = value["body"]
        if options.bot_id is not None and "botId" in body:
            body = {**body, "botId": options.bot_id}
        if item.intake is HOOKS and spelling in BODY_VARIANTS:
            body = spelled(BODY_VARIANTS[spelling], body)
        posts.append(PlannedPost(body, f"{identity}-{at:03d}", item.intake.name))
    return script, posts


def _known(reference: Conversation, seen: Mapping[str, Any]) -> str:
    return _text("after the conversation", view(reference), seen)


def _shown(post: PlannedPost) -> str:
    """Return the label of a delivery, or the body if it is not spelled as its label says."""
    event = read_delivery(post.body)
    if event is not None:
        return str(event)
    return post.body if isinstance(post.body, str) else json.dumps(post.body)


def _text(when: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    differing = "; ".join(map(str, discrepancies(expected, found)))
    return f"{when}: {differing}" if differing else ""


def _class(status: Json) -> Json:
    """Return the status that stands for all of its hundred, but every 5xx is one of its own."""
    return status // 100 * 100 if isinstance(status, int) and status < _SERVER_ERROR else status
