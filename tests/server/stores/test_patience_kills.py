"""kill -9 while deliveries wait for each other: none is lost, and the histories are clean ones.

Two hosts share the store, and are sent the same.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from signal import SIGKILL
from typing import TYPE_CHECKING

import pytest
from tests.server.stores.audit import journal
from tests.server.stores.host import ROOT
from tests.server.stores.patient_host import CLOSED, ORDER, calling_back, stream

import segue
from segue import Processor

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.stores.conftest import StoreMaker

    from segue.server.processor import Store


def _strike(arguments: list[str], kills: int, seed: int) -> int:
    """Let hosts live for a while, one after the other; return how many were killed."""
    chance, killed = Random(seed), 0
    with subprocess.Popen(
        [sys.executable, "-m", "tests.server.stores.patient_host", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for _ in range(kills):
            print(chance.uniform(0.05, 0.6), file=program.stdin, flush=True)
            killed += int(program.stdout.readline()) == SIGKILL
        print(600, file=program.stdin, flush=True)
        assert int(program.stdout.readline()) == 0
        program.stdin.close()
    return killed


def _wait(store: Store, callbacks: Path, patience: timedelta) -> None:
    """Wait until nothing is held and every callback was called."""
    with calling_back(store, callbacks, patience):
        until = time.monotonic() + 60
        while (store.deadlines(1) or store.stats().waiting) and time.monotonic() < until:
            time.sleep(0.05)
        assert (store.stats().held, store.stats().waiting) == (0, 0)


def _survive(
    durable: str, open_shared: StoreMaker, tmp_path: Path, kills: int, seconds: int
) -> None:
    """Kill hosts; the patience is longer than it takes to start again, so that swaps heal.

    While all hosts are dead nobody receives what a held delivery waits for: behind its deadline it
    is judged as it stands, and rightly so.
    """
    patience = timedelta(seconds=seconds)
    open_shared()
    names = [f"c-{number}" for number in range(5 * kills)]
    with ThreadPoolExecutor(2) as pool:
        told = str(tmp_path / "callbacks"), ",".join(names), str(seconds)
        hosts = [[durable, str(tmp_path / f"answers-{number}"), *told] for number in range(2)]
        killed = sum(pool.map(_strike, hosts, (kills // 2, kills // 2), (5, 6)))
    print(f"killed {killed} times")  # noqa: T201 - a figure
    assert killed
    _wait(open_shared(), tmp_path / "callbacks", patience)
    _check_callbacks(tmp_path / "callbacks", names)
    found = journal(open_shared())
    reports = {report.conversation_id: report for report in segue.replay(_exported(open_shared()))}
    for name in names:
        assert sorted(entry.delivery_id or "" for entry in found[name]) == [
            f"{name} {number}" for number in range(len(ORDER))
        ], "each once"
        report, clean = reports[name], segue.check(stream(name))
        assert (report.phase, report.findings) == (clean.phase, ())
        assert [(each.agent, each.kind, each.outcome) for each in report.segments] == [
            (each.agent, each.kind, each.outcome) for each in clean.segments
        ]
        assert {entry.findings for entry in found[name]} == {"[]"}, "live as in the journal"


def _check_callbacks(callbacks: Path, names: list[str]) -> None:
    """Each is called at least once, and in order; an id is of one callback."""
    found: dict[str, dict[str, str]] = {name: {} for name in names}
    for line in callbacks.read_text(encoding="utf-8").splitlines():
        name, callback_id, place = line.split()
        assert found[name].setdefault(callback_id, place) == place
    assert {name: tuple(each.values()) for name, each in found.items()} == dict.fromkeys(
        names, CLOSED
    )


def _exported(store: Store) -> list[str]:
    with Processor(store=store) as processor:
        return list(processor.export())


@pytest.mark.thorough
def test_a_host_with_patience_is_killed(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    _survive(durable, open_shared, tmp_path, kills=8, seconds=6)


@pytest.mark.slow
def test_a_host_with_patience_is_killed_over_and_over(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    _survive(durable, open_shared, tmp_path, kills=200, seconds=30)
