"""A host that dies: processors on one store, each in a process of its own, killed where told.

Run as a program, it reads one order a line, lives one life for each, in a forked process, and says
what happened: `born PID`, `answered CONVERSATION DELIVERY OUTCOME` for each answer its sender got,
and `died STATUS`.  Callbacks go to a file.

    python -m tests.server.stores.mortal STORE CALLBACKS

An order is a JSON object: `send`, a list of [conversation, first delivery, last delivery] that are
sent side by side, those below zero without an id; `lives`, how many processes do that; `point` and
`nth`, where they end before that.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from signal import SIGKILL
from threading import Lock
from typing import Any, Final

from tests.builders import body, message, transfer

from segue import PostgresStore, Processor, SqliteStore
from segue.errors import StoreUnavailable
from segue.server import Callback, Receipt, Retry
from segue.server.processor import Store
from segue.server.stores import conversation_rows, outbox_rows

POINTS: Final = (
    "within the transaction",
    "before the commit",
    "before the answer",
    "after the answer",
    "before the callback",
    "after the callback",
    "within the acknowledgement",
    "after the acknowledgement",
)

QUICK: Final = Retry(lease=timedelta(seconds=0.5))
"""Leases of killed processes end soon."""
SOON: Final = QUICK.lease / 2


def open_store(address: str) -> Store:
    if "://" in address:
        return PostgresStore(address, connections=6, timeout=30)
    return SqliteStore(address, timeout=30)


def delivery(conversation: str, number: int) -> dict[str, Any]:
    """Return the n-th body of a conversation: an agent enters, then the user talks."""
    if not number:
        return body(transfer("NA entry", "a-1"), conversation=conversation)
    talk = message("USER", "a-1", query=f"{conversation} {number}")
    return talk | {"conversationId": conversation}


def say(*words: object) -> None:
    """Tell the parent, in one piece."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class Reaper:
    """Kills this process when a point was passed so often."""

    def __init__(self, point: str, nth: int) -> None:
        self._point = point
        self._nth = nth
        self._passed = 0
        self._lock = Lock()

    def __call__(self, point: str) -> None:
        if point == self._point:
            with self._lock:
                self._passed += 1
                if self._passed >= self._nth:
                    os.kill(os.getpid(), SIGKILL)

    def behind(self, point: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Make a call that passes a point when it is over."""

        def called(*args: Any, **options: Any) -> Any:
            answer = call(*args, **options)
            if isinstance(answer, Future):
                answer.add_done_callback(lambda _: self(point))
            else:
                self(point)
            return answer

        return called


def live(address: str, callbacks: Path, order: dict[str, Any]) -> None:
    """Send and call back until it is done, or over."""
    reaper = Reaper(order.get("point", ""), order.get("nth", 1))
    store: Any = open_store(address)
    conversation_rows.swap = reaper.behind(POINTS[0], conversation_rows.swap)
    conversation_rows.save = reaper.behind(POINTS[1], conversation_rows.save)
    outbox_rows.acknowledge = reaper.behind(POINTS[6], outbox_rows.acknowledge)
    store.save = reaper.behind(POINTS[2], store.save)
    store.acknowledge = reaper.behind(POINTS[7], store.acknowledge)

    def on_message(callback: Callback) -> None:
        reaper("before the callback")
        note(callbacks, callback)
        reaper("after the callback")

    with Processor(
        store=store, on_message=on_message, retry=QUICK, handler_timeout=SOON
    ) as processor:

        def send(conversation: str, first: int, last: int) -> None:
            for number in range(first, last):
                receipt = _receive(processor, conversation, number)
                say("answered", conversation, number, receipt.outcome.value)
                reaper("after the answer")

        with ThreadPoolExecutor(8) as pool:
            for sent in [pool.submit(send, *each) for each in order["send"]]:
                sent.result()


def note(callbacks: Path, callback: Callback) -> None:
    """Write down that a callback came, so that it survives us."""
    with callbacks.open("ab", buffering=0) as file:
        file.write(f"{callback.conversation_id} {callback.data['event']} {callback.id}\n".encode())


def _receive(processor: Processor, conversation: str, number: int) -> Receipt:
    """Send until there is an answer, as senders do."""
    for _ in range(1000):
        with suppress(StoreUnavailable):
            return processor.receive(
                "st-1",
                delivery(conversation, number),
                delivery_id=f"{conversation}-{number}" if number >= 0 else None,
            )
    raise AssertionError("the store never answered")


def _bear(address: str, callbacks: Path, order: dict[str, Any]) -> int:
    """Fork, and return the process that lives this life."""
    pid = os.fork()
    if pid == 0:
        try:
            live(address, callbacks, order)
        except BaseException:  # noqa: BLE001 - nothing may return to the parent's loop
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    say("born", pid)
    return pid


def main() -> None:
    """Take orders until there are no more."""
    address, callbacks = sys.argv[1:]
    for line in sys.stdin:
        order = json.loads(line)
        lives = [_bear(address, Path(callbacks), order) for _ in range(order.get("lives", 1))]
        say("died", *(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in lives))


if __name__ == "__main__":
    main()
