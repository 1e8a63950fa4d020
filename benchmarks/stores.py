"""Compare group commit with one commit per delivery, in deliveries per second of 32 clients.

    python benchmarks/stores.py [DIRECTORY] [--seconds 2] [--rounds 5]

Both variants take turns in one run, with the store in DIRECTORY (default: the current one). Compare
ratios, because the rates depend on the machine. A client sends one delivery after another and waits
for each result. `store` measures the store alone, and `processor` the complete unit of work.
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
    """Return a commit with the size of a typical delivery.

    `version` is the number of earlier commits of the conversation.
    """
    ids = conversation, "st-1"
    summary = ConversationSummary(*ids, "active", version + 1, 0, 0, DAY, DAY)
    record = ConversationRecord(summary, version + 1, b"x" * 1500)
    entry = JournalEntry(*ids, "st-1", "hooks", None, DAY, "y" * 400, "active", "active", "[]")
    return Commit(version, record, entry)


async def _rate(send: Send, seconds: float) -> float:
    """Call `send` from all clients for some seconds, and return the deliveries per second."""
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
    """Return the JSON body of the message that a client sends."""
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
    """Print the rates with and without group commit, for the store and for the processor."""
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
    """Parse the command line of a benchmark with clients.

    The description is the first line of `title`. `seconds` is the default duration of a round.
    """
    parser = argparse.ArgumentParser(description=(title or "").partition("\n")[0])
    parser.add_argument("directory", nargs="?", default=".", help="the directory of the store")
    parser.add_argument("--seconds", type=float, default=seconds, help="of each round")
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
