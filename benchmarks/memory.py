"""Measure the memory of a conversation, both ended and open.

    python benchmarks/memory.py [--conversations 200000] [--kinds ended …]

For each kind and engine, a new process replays a log of consecutive conversations from a pipe. The
script prints the resident memory of the process after a tenth, a half and all of them, and the
growth per conversation between the first and the last of these points, which excludes the initial
memory. This works only on Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from segue import replay
from segue.analysis.simulate.bodies import StoryEvent, delivery
from segue.logs.native import usable_library

ENTRY, WARM_ENTRY = StoryEvent("NA entry", "a-1"), StoryEvent("WARM entry", "a-2")
EXIT, END = StoryEvent("NA exit", "a-1"), StoryEvent("END_OF_CONVERSATION", "a-1")
KINDS: dict[str, tuple[list[list[StoryEvent]], bool]] = {
    "ended": ([[ENTRY], [EXIT, END]], False),
    "ended, with delivery ids": ([[ENTRY], [EXIT, END]], True),
    "open, of two agents": ([[ENTRY], [WARM_ENTRY]], False),
}
"""The kinds of conversations.

Each has the events of a conversation, one list per line, and whether deliveries have ids.
"""
NUMBER = b"00000000"
BLOCK = 1_000


def conversation(story: list[list[StoryEvent]], *, has_ids: bool) -> bytes:
    """Return the JSON lines of a conversation as a template.

    `NUMBER` in its ids must be replaced by the number of the conversation.
    """
    name, lines = NUMBER.decode(), []
    for at, events in enumerate(story):
        bodies = [delivery(event, f"conversation-{name}") for event in events]
        body = bodies[0] | {"events": [event for each in bodies for event in each["events"]]}
        envelope: dict[str, Any] = {"received_at": f"2026-03-02T09:00:0{at}Z", "body": body}
        lines.append(envelope | ({"delivery_id": f"delivery-{name}-{at}"} if has_ids else {}))
    return b"".join(json.dumps(each).encode() + b"\n" for each in lines)


def blocks(template: bytes, count: int) -> Iterator[bytes]:
    """Yield the lines of `count` conversations, a thousand conversations at a time."""
    for begin in range(0, count, BLOCK):
        numbers = range(begin, min(begin + BLOCK, count))
        yield b"".join(template.replace(NUMBER, b"%08d" % number) for number in numbers)


def read(sizes: list[int]) -> None:
    """Replay standard input, and print the resident memory several times.

    Memory is printed whenever the next number of bytes in `sizes` has been read.
    """
    marks = list(accumulate(sizes))

    def note(count: int) -> None:
        while marks and count >= marks[0]:
            del marks[0]
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            print(pages * resource.getpagesize(), flush=True)

    for _ in replay("-", progress=note):
        pass


def grown(template: bytes, parts: list[int], engine: str) -> list[int]:
    """Return the resident memory of a new process, in bytes, after each of several parts of a log.

    `parts` are the numbers of conversations in these parts. `engine` is `"0"` for the reference and
    `"1"` for the accelerator.
    """
    sizes = [str(count * len(template)) for count in parts]
    with subprocess.Popen(
        [sys.executable, __file__, "--read", *sizes],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"SEGUE_NATIVE": engine},
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for block in blocks(template, sum(parts)):
            reader.stdin.write(block)
        reader.stdin.close()
        return [int(line) for line in reader.stdout]


def main() -> None:
    """Print the memory for each kind of conversation and each engine."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--conversations", type=int, default=200_000, help="of each kind [200000]")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--read", type=int, nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.read:
        read(given.read)
        return
    count = given.conversations
    engines = {"reference": "0"} | ({"accelerator": "1"} if usable_library() else {})
    print(f"{count:,} conversations")
    print(f"{'':48}{'bytes each':>12}{'MiB after 10 %':>17}{'50 %':>7}{'100 %':>7}")
    for kind in given.kinds:
        story, has_ids = KINDS[kind]
        template = conversation(story, has_ids=has_ids)
        for name, engine in engines.items():
            few, half, all_ = grown(template, [count // 10, count * 4 // 10, count // 2], engine)
            each = (all_ - few) / (count * 9 / 10)
            shown = "".join(f"{size / 2**20:7.0f}" for size in (few, half, all_))
            print(f"  {kind + ', ' + name:46}{each:12.0f}{'':10}{shown}", flush=True)


if __name__ == "__main__":
    main()
