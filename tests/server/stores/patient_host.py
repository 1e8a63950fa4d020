"""A host with patience that dies: sends swapped deliveries to one store until it is killed.

Run as a program, it takes one order a line: how many seconds the process it forks may live. Each
process sends what was not answered in an earlier life, with ids, and `send` of all that follow.
What was answered goes to a file, a line each: conversation and delivery. So do callbacks:
conversation, id, and the connection that closed, by segment and index.

    python -m tests.server.stores.patient_host STORE ANSWERS CALLBACKS CONVERSATIONS PATIENCE
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from signal import SIGKILL
from threading import Timer
from typing import Any, Final

from tests.builders import body, end, summary, transfer
from tests.server.stores.mortal import QUICK, SOON, open_store

from segue import Processor
from segue.errors import StoreUnavailable
from segue.server import Callback
from segue.server.processor import Store


def stream(conversation: str) -> list[dict[str, Any]]:
    """Return a clean conversation of two agents, in the order in which it happened."""
    parts = (
        transfer("NA entry", "a-1"),
        transfer("WARM entry", "a-2"),
        transfer("WARM exit", "a-2"),
        transfer("COLD exit", "a-1"),
        transfer("COLD entry", "a-2"),
        transfer("NA exit", "a-2"),
        transfer("redial entry", "a-2"),
        transfer("NA exit", "a-2", language="de"),
        summary(),
        end(),
    )
    return [body(part, conversation=conversation) for part in parts]


ORDER: Final = (1, 0, 2, 4, 3, 5, 9, 6, 8, 7)
"""The order in which its deliveries are sent: neighbours overtook each other, and END three."""


CLOSED: Final = ("1.0", "0.0", "2.0", "2.1")
"""The connections that are called back when they close, by segment and index, in order."""


def calling_back(store: Store, callbacks: Path, patience: timedelta) -> Processor:
    """Return a processor that writes callbacks down."""

    def note(callback: Callback) -> None:
        place = f"{callback.data['segment']['index']}.{callback.data['connection']}"
        with callbacks.open("ab", buffering=0) as file:
            file.write(f"{callback.conversation_id} {callback.id} {place}\n".encode())

    return Processor(
        store=store, patience=patience, on_segment_closed=note, retry=QUICK, handler_timeout=SOON
    )


def _send(processor: Processor, conversation: str, answered: set[str], answers: int) -> None:
    deliveries = stream(conversation)
    for number in ORDER:
        name = f"{conversation} {number}"
        while name not in answered:
            try:
                processor.receive("st-1", deliveries[number], delivery_id=name)
            except StoreUnavailable:
                continue
            os.write(answers, f"{name}\n".encode())
            break


def _live(store: str, path: Path, callbacks: Path, names: list[str], patience: timedelta) -> None:
    answered = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()
    answers = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with (
        calling_back(open_store(store), callbacks, patience) as processor,
        ThreadPoolExecutor(4) as pool,
    ):
        list(pool.map(lambda name: _send(processor, name, answered, answers), names))


def main(store: str, answers: str, callbacks: str, names: str, patience: str) -> None:
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            Timer(float(line), os.kill, (os.getpid(), SIGKILL)).start()
            seconds = timedelta(seconds=float(patience))
            _live(store, Path(answers), Path(callbacks), names.split(","), seconds)
            os._exit(0)
        print(os.waitpid(pid, 0)[1], flush=True)  # noqa: T201 - the answer to the order


if __name__ == "__main__":
    main(*sys.argv[1:])
