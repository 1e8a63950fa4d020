"""Linearizability tests for concurrent deliveries of one conversation.

A backend must process a conversation serially. There must therefore be an order of the deliveries
in which the reference implementation gives the same answers and ends in the same state. A delivery
that was answered before another one was sent must also precede it in this order. A shared counter
records the times of sending and answering, so no clock is needed.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import read_delivery
from segue.core.conversation import Conversation
from segue.core.errors import ConfigurationError
from segue.core.options import Bounds, check_option
from segue.testing.backend import Backend, BackendAnswer, BackendDelivery
from segue.testing.compare import discrepancies
from segue.testing.reference import answer, view
from segue.testing.views import require_view

_TICKS: Final = count()
"""The counter that numbers the times of all calls."""


class TimedCall(NamedTuple):
    """A delivery with its answer and the times when it was sent and answered.

    Times are values of a counter that all calls share.
    """

    delivered: BackendDelivery
    """The delivery that the call sent."""
    answer: BackendAnswer | None
    """The answer of the backend, or None if no answer came.

    Without an answer, the delivery may or may not have been applied.
    """
    began: int
    """The value of the counter when the delivery was sent."""
    ended: int
    """The value of the counter when the answer was received."""


def deliver_together(
    backend: Backend, deliveries: Sequence[BackendDelivery], *, at_once: int = 4
) -> list[TimedCall]:
    """Send deliveries concurrently from several threads, and return their answers and times.

    Args:
        backend: The backend under test.
        deliveries: The deliveries to send.
        at_once: The number of threads.

    Returns:
        The calls, ordered by the time they were sent. They come after all calls of earlier
        invocations of this function.

    Raises:
        ConfigurationError: `at_once` is less than 1, or an item is not a `BackendDelivery`.

    """
    _require_deliveries(deliveries)
    check_option("at_once", at_once, int, bounds=Bounds(least=1))
    waiting = Barrier(min(at_once, len(deliveries)) or 1)

    def send(share: Sequence[BackendDelivery]) -> list[TimedCall]:
        waiting.wait()
        calls = []
        for delivered in share:
            began = next(_TICKS)
            said = backend.deliver(delivered)
            calls.append(TimedCall(delivered, said, began, next(_TICKS)))
        return calls

    shares = [deliveries[first::at_once] for first in range(min(at_once, len(deliveries)))]
    with ThreadPoolExecutor(max_workers=len(shares) or 1) as senders:
        calls = [call for done in senders.map(send, shares) for call in done]
    return sorted(calls, key=lambda call: call.began)


def _require_deliveries(given: Sequence[object]) -> None:
    for each in given:
        if not isinstance(each, BackendDelivery):
            msg = f"a delivery must be a BackendDelivery(body, conversation_id), got {each!r}"
            raise ConfigurationError(msg)


def linearization(
    calls: Sequence[TimedCall], *, known: Mapping[str, Any] | None = None
) -> list[TimedCall] | None:
    """Return the calls in a serial order that explains all answers and the final state.

    Return None if no order does.

    Args:
        calls: The calls, as returned by `deliver_together`.
        known: The backend's view of the conversation after all calls. Without it, only the answers
            are explained.

    Raises:
        ConfigurationError: `known` is not a valid view.

    """
    if known is not None:
        require_view(known)
    start = Conversation().snapshot()
    return next(_orders(list(calls), start, known or {}, set()), None)


def assert_linearizable(
    calls: Sequence[TimedCall], *, known: Mapping[str, Any] | None = None
) -> None:
    """Assert that some serial order of the calls explains all answers and the final state.

    Args:
        calls: The calls, as returned by `deliver_together`.
        known: The backend's view of the conversation after all calls. Without it, only the answers
            are explained.

    Raises:
        AssertionError: There is no such order.
        ConfigurationError: `known` is not a valid view.

    """
    __tracebackhide__ = True
    if linearization(calls, known=known) is None:
        shown = "\n".join(f"  {call.began:>3} to {call.ended:>3}  {_text(call)}" for call in calls)
        seen = "" if known is None else f"\n\n  view: {known}"
        msg = f"no order of these deliveries explains the answers of the backend\n{shown}{seen}"
        raise AssertionError(msg)


def _orders(
    left: list[TimedCall], snapshot: bytes, known: Mapping[str, Any], seen: set[object]
) -> Iterator[list[TimedCall]]:
    if not left:
        final = view(Conversation.restore(snapshot))
        if not any(discrepancies(final, known)):
            yield []
        return
    key = (frozenset(map(id, left)), snapshot)
    if key in seen:
        return
    seen.add(key)
    first_answered = min(call.ended for call in left)
    for call in left:
        if call.began > first_answered:
            continue  # another call was answered before this one was sent
        rest = [each for each in left if each is not call]
        for go_on in _taken(call, snapshot):
            for order in _orders(rest, go_on, known, seen):
                yield [call, *order]


def _taken(call: TimedCall, snapshot: bytes) -> Iterator[bytes]:
    """Yield the possible states after a call, as snapshots, if its answer is correct in this state.

    Without an answer both states are possible: with the delivery, and without.
    """
    conversation = Conversation.restore(snapshot)
    said = answer(conversation, call.delivered)
    if call.answer is None:
        yield snapshot
    else:
        expected = {**view(conversation), **said}
        if any(discrepancies(expected, call.answer.shown)):
            return
    yield conversation.snapshot()


def _text(call: TimedCall) -> str:
    body = call.delivered.body
    said = (
        "no answer" if call.answer is None else f"{call.answer.status} {dict(call.answer.fields)}"
    )
    return f"{read_delivery(body) or 'another delivery'}: {said}"
