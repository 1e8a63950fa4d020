"""Measure the most expensive events in random streams, in milliseconds of processor time.

    python benchmarks/hostile.py [EVENTS]

Each event is one delivery of a live conversation that never ends. The garbage collector is
disabled, because its pauses depend on the other objects of the process.
"""

import gc
import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import segue
from segue.analysis.simulate.bodies import StoryEvent, delivery

KINDS = [f"{kind} {way}" for kind in ("NA", "COLD", "WARM", "redial") for way in ("entry", "exit")]
CROWD = ["WARM entry"] * 5 + ["WARM exit", "COLD entry", "COLD exit", "NA exit"]
STREAMS: dict[str, tuple[list[str], int, float]] = {
    "two agents": (KINDS, 2, 0.0),
    "three agents": (KINDS, 3, 0.0),
    "ten agents": (KINDS, 10, 0.0),
    "sixty agents": (KINDS, 60, 0.0),
    "sixty consultants": (CROWD, 60, 0.0),
    "ever new agents": (KINDS, 1 << 40, 0.0),
    "three agents, 40 % unreadable": (KINDS, 3, 0.4),
    "ten agents, 40 % unreadable": (KINDS, 10, 0.4),
}
"""The event kinds, the number of agents, and the fraction of events without an agent."""


def bodies(events: int, kinds: list[str], agents: int, unreadable: float) -> Iterator[str]:
    """Yield random JSON bodies of one conversation, with one event each.

    `unreadable` is the probability that an event has no agent.
    """
    chance = random.Random(1)
    for number in range(events):
        agent = f"a-{chance.randrange(agents)}"
        body: Any = delivery(StoryEvent(chance.choice(kinds), agent, str(number)), "c-1")
        if chance.random() < unreadable:
            del body["events"][0]["participant"]["identity"]
        yield json.dumps(body)


def main() -> None:
    """Print the times of the most expensive events of each stream."""
    gc.disable()
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{'milliseconds an event':32}{'mean':>8}{'99 %':>8}{'99.9 %':>8}{'most':>8}")
    for name, stream in STREAMS.items():
        conversation, taken = segue.Conversation("c-1"), []
        for body in bodies(events, *stream):
            begun = time.process_time()
            conversation.feed(body)
            taken.append((time.process_time() - begun) * 1_000)
        taken.sort()
        shown = (sum(taken) / events, taken[events * 99 // 100], taken[events * 999 // 1000])
        print(f"{name:32}" + "".join(f"{each:8.2f}" for each in (*shown, taken[-1])), flush=True)


if __name__ == "__main__":
    main()
