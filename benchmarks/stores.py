"""How much group commit gives: deliveries a second at 32 clients, many and one to a commit.

    python benchmarks/stores.py [DIRECTORY] [--seconds 2] [--rounds 5]

Both in one run, by turns, on the disk of DIRECTORY (this one, unless told); the ratio counts, the
figures are this machine's.  A client sends one delivery after the other and waits for each answer;
`store` is the store alone, `processor` the whole unit of work.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

from segue import Processor, SqliteStore
from segue.server.processor import Commit, ConversationRecord, ConversationSummary, JournalEntry

CLIENTS = 32
MANY = 256
DAY = datetime(2026, 3, 1, tzinfo=UTC)

Send = Callable[[str, int], Awaitable[object]]


def _commit(conversation: str, version: int) -> Commit:
    """Return a delivery as large as most are."""
    ids = conversation, "st-1"
    summary = ConversationSummary(*ids, "active", version + 1, 0, 0, DAY, DAY)
    record = ConversationRecord(summary, version + 1, b"x" * 1500)
    entry = JournalEntry(*ids, "st-1", "hooks", None, DAY, "y" * 400, "active", "active", "[]")
    return Commit(version, record, entry)


async def _rate(send: Send, seconds: float) -> float:
    """Let every client send until the time is up; return deliveries a second."""
    sent = 0
    end = perf_counter() + seconds

    async def client(number: int) -> None:
        nonlocal sent
        version = 0
        while perf_counter() < end:
            await send(f"c-{number}", version)
            version += 1
            sent += 1

    started = perf_counter()
    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    return sent / (perf_counter() - started)


def body(conversation: str, number: int) -> dict[str, object]:
    """Return what a client sends."""
    return {
        "conversationId": conversation,
        "botId": "st-1",
        "query": f"this is message number {number} of a customer",
        "agentId": "a-1",
        "experience": "chat",
        "author": {"type": "USER"},
        "source": "desk",
    }


def _store(path: Path, group: int, seconds: float) -> float:
    store = SqliteStore(path, group=group)
    store.migrate()
    try:
        return asyncio.run(
            _rate(
                lambda name, number: asyncio.wrap_future(store.save(_commit(name, number))), seconds
            )
        )
    finally:
        store.close()


def _processor(path: Path, group: int, seconds: float) -> float:
    async def run() -> float:
        async with Processor(store=SqliteStore(path, group=group)) as processor:
            return await _rate(
                lambda name, number: processor.areceive("st-1", body(name, number)), seconds
            )

    return asyncio.run(run())


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__, seconds=2.0)
    for name, measure in (("store", _store), ("processor", _processor)):
        rates: dict[int, list[float]] = {MANY: [], 1: []}
        with tempfile.TemporaryDirectory(dir=given.directory) as place:
            for turn in range(given.rounds):
                for group, found in rates.items():
                    found.append(measure(Path(place) / f"{turn}-{group}.db", group, given.seconds))
        many, one = median(rates[MANY]), median(rates[1])
        ratio = median(a / b for a, b in zip(rates[MANY], rates[1], strict=True))
        print(f"{name}: {many:.0f}/s in groups, {one:.0f}/s one by one: {ratio:.1f} times")


def arguments(title: str | None, *, seconds: float) -> argparse.Namespace:
    """Read what may be set of a measurement that clients take part in."""
    parser = argparse.ArgumentParser(description=(title or "").partition("\n")[0])
    parser.add_argument("directory", nargs="?", default=".", help="whose disk it is about")
    parser.add_argument("--seconds", type=float, default=seconds, help="of each round")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
