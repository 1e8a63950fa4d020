"""The sender `mortal` hosts work for: starts them, kills them, knows what it was told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any, Self

ROOT = Path(__file__).parents[3]


class Host:
    """Runs `mortal` on one store, one order at a time."""

    def __init__(self, address: str, callbacks: Path) -> None:
        self.answers: list[tuple[str, int, str]] = []
        """Conversation, number of the delivery, outcome: as the sender was told."""
        self.deaths: Counter[str] = Counter()
        """By the point of the order."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.stores.mortal", address, str(callbacks)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def live(
        self,
        send: Iterable[tuple[str, int, int]],
        *,
        point: str = "",
        nth: int = 1,
        lives: int = 1,
        kill_after: int | None = None,
    ) -> list[int]:
        """Give one order and return how its processes ended; kill them after so many answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order: dict[str, Any] = {"send": list(send), "point": point, "nth": nth, "lives": lives}
        print(json.dumps(order), file=self._process.stdin, flush=True)
        pids = []
        heard = 0
        for line in self._process.stdout:
            match line.split():
                case ["born", pid]:
                    pids.append(int(pid))
                case ["answered", conversation, number, outcome]:
                    self.answers.append((conversation, int(number), outcome))
                    heard += 1
                    if heard == kill_after:
                        _kill(pids)
                case ["died", *statuses]:
                    ends = [int(status) for status in statuses]
                    self.deaths[point] += ends.count(-SIGKILL)
                    return ends
                case other:
                    raise AssertionError(other)
        raise AssertionError("the program that forks is gone")

    def next_of(self, conversation: str) -> int:
        """Return the first delivery of a conversation that was not answered."""
        told = (number for name, number, _ in self.answers if name == conversation)
        return max(told, default=-1) + 1


def _kill(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, SIGKILL)
