"""Runs of random conversations against a backend, with faults such as repeated deliveries.

The reference implementation receives the same deliveries as the backend, and the two are compared.
A backend that reorders deliveries may match the conversation as it was before the fault instead.
Conversations overlap, and each depends only on the seed and its number. Only open conversations are
kept in memory.
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
"""The number of conversations that are open at the same time."""
_HELD: Final = 5000
"""The maximum number of ended conversations that wait until the backend has reordered them."""
_PATIENCE: Final = 60.0
"""The seconds that a backend has for reordering after the last delivery of a conversation."""
_LOOK: Final = 0.1
"""The seconds between two requests for the view of a waiting conversation."""
_PARTS: Final = {
    LogPart.TRANSCRIPTION: TRANSCRIPTION.name,
    LogPart.CALLS: CALL_NOTIFICATIONS.name,
}
_ONCE: Final = ("findings", "changed")
"""The keys that may be missing in the answer to a duplicate delivery."""
SPELLINGS: Final = ("mixed", "plain", *BODY_VARIANTS)

OnMeant = Callable[[BackendDelivery], object]


@dataclass(frozen=True, slots=True)
class ConversationOptions:
    """The options of a `ConversationRun` for the conversations that it sends.

    Args:
        seed: The seed for all random choices except `run_id`.
        intakes: The names of the intakes to send to: `hooks`, and optionally `transcription` and
            `notifications`.
        spelling: `mixed`, `plain`, or the title of an accepted spelling.
        bot_id: The bot id of all conversations. By default there are two bots.
        messages: The average number of messages between two events.
        run_id: The prefix of all conversation ids. By default it is random.

    Raises:
        ConfigurationError: `spelling` or `intakes` is invalid.

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
            raise ConfigurationError(
                f"`intakes` must contain 'hooks', and otherwise any of {', '.join(known[1:])}, "
                f"got {self.intakes!r}"
            )


@dataclass(slots=True)
class _OpenConversation:
    conversation_id: str
    bot_id: str
    meant: list[PlannedPost]
    """The deliveries as they were before the fault."""
    posts: list[PlannedPost]
    """The deliveries to send, which include the fault."""
    line: TruthLine
    reference: Conversation
    reported: int = 0
    """The number of deliveries in `meant` that were passed to `on_meant`."""
    waits: bool = False
    """Whether the backend held back a delivery of the conversation to reorder it."""
    until: float = 0
    """The value of `time.monotonic` by which the backend must have reordered the deliveries."""
    failure: str = ""
    """A description of the first failure, or an empty string."""

    def delivery(self, post: PlannedPost) -> BackendDelivery:
        return BackendDelivery(
            post.body, self.conversation_id, self.bot_id, post.endpoint, post.delivery_id
        )


_Scheduled: TypeAlias = tuple[float, int, int, _OpenConversation]
"""A delivery in the queue: `(time, number, index, conversation)`.

The time is in units of the pause between two conversations. `number` is the number of the
conversation, and `index` is that of the delivery in its `posts`.
"""


class ConversationRun:
    """A run that sends conversations to a backend and judges its answers and its final views.

    Args:
        backend: The backend under test. With a view, its state after each conversation is compared
            as well. Faults that reuse delivery ids are skipped for a backend without ids.
        options: The options of the conversations.
        faults: The faults to make. By default there are no faults.
        on_meant: A function that is called with each delivery as it was before the fault. A sandbox
            uses it to list the conversations as sessions.

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
        """The ended conversations whose deliveries the backend may still reorder, oldest first."""
        self.verdict = RunVerdict(self._faults)
        """The verdict on the conversations judged so far."""

    def run(
        self,
        count: int | None = None,
        *,
        pause: float = 0,
        sleep: Callable[[float], object] = time.sleep,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> RunVerdict:
        """Send conversations and return the verdict.

        If the backend holds back a delivery of a conversation (`"held": true`), its view may take a
        minute after the last delivery to match. Conversations that still differ when the run is
        stopped are not judged.

        Args:
            count: The number of conversations. By default the run continues until it is stopped.
            pause: The seconds between the starts of two conversations.
            sleep: A function that waits for a number of seconds.
            is_stopped: A function that returns whether to stop.

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
        """Yield the deliveries of all conversations in the order in which they are sent."""
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
        line, posts = TruthLine("", identity, "sent without a change"), meant
        fault = self._faults.draw(FaultPlace.CONVERSATION)
        if fault and fault.needs_id and not self._backend.takes_ids:
            self._faults.counts[fault.name] += 0  # list the fault in the verdict as never made
            fault = None
        edited = fault and fault.posts and fault.posts(self._faults.random, meant)
        if fault and edited and edited.posts:  # the backend would not know an empty conversation
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
        except ConnectionError as error:  # the backend has answered before
            conversation.failure = (
                conversation.failure or f"after delivery {at}: {BackendCrash(error)}"
            )
            return
        self._report_until(conversation, at + 1)
        conversation.waits |= found.get("held") is True
        if found.get("duplicate") is True:  # the transport repeated it after a lost answer
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
        """Judge waiting conversations, the oldest first, until no more than `most` are left."""
        while len(self._held) > most:
            self._judge(self._held.popleft(), may_look_again)

    def _judge(self, conversation: _OpenConversation, may_look_again: Callable[[], bool]) -> None:
        """Record a failure of a conversation, if any.

        If the backend holds a delivery back, its view has a minute to become correct.
        """
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
        """Return `(failure, view)` for the backend's current view of a conversation.

        The failure is a description of the differences, or an empty string if the view is correct.
        """
        try:
            seen = read_view(known, conversation.conversation_id)
        except ConnectionError as error:  # the backend has answered before
            return f"after the conversation: {BackendCrash(error)}", {}
        failure = _known(conversation.reference, seen)
        if failure and _known(self._meant(conversation), seen) == "":
            failure = ""  # the backend reordered the deliveries
        return failure, seen

    def _meant(self, conversation: _OpenConversation) -> Conversation:
        reference = Conversation(conversation.conversation_id)
        for post in conversation.meant:
            answer(reference, conversation.delivery(post))
        return reference


def planned(
    options: ConversationOptions, identity: str, number: int
) -> tuple[Script, list[PlannedPost]]:
    """Return the script of a random valid conversation, and its deliveries with their ids.

    Equal seeds and numbers give equal conversations. `identity` is the id of the conversation.
    """
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
    """Return a delivery as a label such as `NA entry by a-1`, or its body if no label fits."""
    event = read_delivery(post.body)
    if event is not None:
        return str(event)
    return post.body if isinstance(post.body, str) else json.dumps(post.body)


def _text(when: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    differing = "; ".join(map(str, discrepancies(expected, found)))
    return f"{when}: {differing}" if differing else ""


def _class(status: Json) -> Json:
    """Return 200 for every status 2xx, 400 for 4xx and so on, but a status 5xx unchanged."""
    return status // 100 * 100 if isinstance(status, int) and status < _SERVER_ERROR else status
