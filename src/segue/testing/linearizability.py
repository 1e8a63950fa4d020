"""Concurrent deliveries of one conversation, and an order that explains everything seen.

A conversation is processed serially. So there must be an order of the deliveries, true to which was
answered before another was sent, in which the reference answers as the backend did and in the end
knows what the backend knows. It needs a counter, not a clock.
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
"""One counter for all calls, so that they can be ordered."""


class TimedCall(NamedTuple):
    """One delivery, and when it was under way on a count that all calls share."""

    delivered: BackendDelivery
    """What was sent."""
    answer: BackendAnswer | None
    """None if it never came; the delivery may have been applied or not."""
    began: int
    """The count when it was sent."""
    ended: int
    """The count when it was answered."""


def deliver_together(
    backend: Backend, deliveries: Sequence[BackendDelivery], *, at_once: int = 4
) -> list[TimedCall]:
    """Deliver everything with `at_once` concurrent senders; return the calls.

    What one call of this function delivers comes after all that an earlier one did.
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
            msg = f"a delivery is a BackendDelivery(body, conversation_id), not {each!r}"
            raise ConfigurationError(msg)


def linearization(
    calls: Sequence[TimedCall], *, known: Mapping[str, Any] | None = None
) -> list[TimedCall] | None:
    """Return an order of the calls that explains the answers and what is `known` in the end.

    Returns None if there is no such order.
    """
    if known is not None:
        require_view(known)
    start = Conversation().snapshot()
    return next(_orders(list(calls), start, known or {}, set()), None)


def assert_linearizable(
    calls: Sequence[TimedCall], *, known: Mapping[str, Any] | None = None
) -> None:
    """Assert that some order of the calls explains the answers and what is `known` in the end.

    `known` is the backend's view after all calls.
    """
    __tracebackhide__ = True
    if linearization(calls, known=known) is None:
        shown = "\n".join(f"  {call.began:>3} to {call.ended:>3}  {_text(call)}" for call in calls)
        msg = f"no order of these deliveries explains what the backend says\n{shown}\n\n  {known}"
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
            continue  # another was answered before this one was sent
        rest = [each for each in left if each is not call]
        for go_on in _taken(call, snapshot):
            for order in _orders(rest, go_on, known, seen):
                yield [call, *order]


def _taken(call: TimedCall, snapshot: bytes) -> Iterator[bytes]:
    """Yield the states the conversation may have after a call that was answered like this."""
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
