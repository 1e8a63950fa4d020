"""What an event costs as its conversation grows: time and memory, live, on a store.

    python benchmarks/growth.py [STORE] [--events 100000] [--agents 2500] [--stories events …]

One conversation is filled event by event; at 10, 100, 1,000 … events the next ones are measured.
CPU time of the process counts, because that of the disk is the same for all; `wall` has both.
Then one of agents who come one after another, one of agents who are all present, and one of
offences.  Each row says how many times the cost is of that at the beginning of the same kind.
"""

from __future__ import annotations

import argparse
import gc
import resource
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from segue import Processor, open_store

SAMPLE = 50
"""So many events are measured at each size."""


def body(conversation: str, *events: dict[str, object]) -> dict[str, object]:
    """Return a delivery of lifecycle events."""
    return {"conversationId": conversation, "botId": "st-1", "events": events}


def transfer(kind: str, agent: str) -> dict[str, object]:
    """Return an entry or exit, as `NA entry`."""
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
    """One agent who leaves and reconnects, for ever."""
    yield "NA entry", "a-1"
    while True:
        yield "NA exit", "a-1"
        yield "redial entry", "a-1"


def one_by_one() -> Iterator[tuple[str, str]]:
    """Agents who take over from each other."""
    yield "NA entry", "a-0"
    for number in count():
        yield "COLD exit", f"a-{number}"
        yield "COLD entry", f"a-{number + 1}"


def consultants() -> Iterator[tuple[str, str]]:
    """Agents who join the first one, each after the one before has left."""
    yield "NA entry", "a-0"
    for number in count(1):
        yield "WARM entry", f"a-{number}"
        yield "WARM exit", f"a-{number}"


def together() -> Iterator[tuple[str, str]]:
    """Agents who join and stay."""
    yield "NA entry", "a-0"
    for number in count(1):
        yield "WARM entry", f"a-{number}"


def offences() -> Iterator[tuple[str, str]]:
    """Errors only, after the first event."""
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


def sizes(last: int) -> list[int]:
    """Return 10, 100, 1,000 … up to a size."""
    found = [10]
    while found[-1] * 10 <= last:
        found.append(found[-1] * 10)
    return [*found, last] if found[-1] != last else found


def measure(processor: Processor, name: str, last: int) -> None:
    """Fill a conversation and print a row at each size."""
    story = STORIES[name]()
    sent, first = 0, (0.0, 0.0)
    for size in sizes(last):
        while sent < size:
            _send(processor, name, story)
            sent += 1
        cpu, wall = [], []
        gc.collect()
        for _ in range(SAMPLE):
            began = process_time(), perf_counter()
            _send(processor, name, story)
            cpu.append(process_time() - began[0])
            wall.append(perf_counter() - began[1])
        sent += SAMPLE
        here = median(cpu), median(wall)
        first = first if all(first) else here
        times = [now / then for now, then in zip(here, first, strict=True)]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{name:>24} {size:>9,}: {here[0] * 1000:7.3f} ms cpu ({times[0]:.2f} times),"
            f" {here[1] * 1000:7.3f} ms wall ({times[1]:.2f} times), {memory:.0f} MiB"
        )


def _send(processor: Processor, name: str, story: Iterator[tuple[str, str]]) -> None:
    processor.receive("st-1", body(name, transfer(*next(story))))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("store", nargs="?", help="its address; a new SQLite file if left out")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--agents", type=int, default=2_500)
    parser.add_argument("--stories", nargs="+", choices=STORIES, default=list(STORIES))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        store = open_store(given.store or f"sqlite:{Path(place) / 'growth.db'}")
        with Processor(store=store) as processor:
            for name in given.stories:
                measure(processor, name, given.events if name == "events" else given.agents)


if __name__ == "__main__":
    main()
