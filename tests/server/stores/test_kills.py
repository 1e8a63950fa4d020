"""kill -9: what was answered is kept, what is due is called back, nothing is there by half."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from random import Random
from signal import SIGKILL

import pytest
from tests.server.stores.audit import check_callbacks, check_deliveries, check_outbox_is_empty
from tests.server.stores.conftest import StoreMaker
from tests.server.stores.host import Host
from tests.server.stores.mortal import POINTS

CONVERSATIONS = [f"c-{number}" for number in range(6)]
ANYWHERE = "anywhere"
"""Wherever it happens to be when the sender, after some answers, kills it."""


def _strike(address: str, callbacks: Path, kills: int, seed: int) -> Host:
    """Send, as one sender, to one host after the other, until so many were killed."""
    chance = Random(seed)
    points = cycle(chance.sample([*POINTS, ANYWHERE, ANYWHERE], len(POINTS) + 2))
    with Host(address, callbacks) as host:
        for point in islice(points, 10 * kills):
            send = [(name, host.next_of(name), host.next_of(name) + 20) for name in CONVERSATIONS]
            nth = chance.randint(1, 12)
            if point == ANYWHERE:
                ends = host.live(send, point=point, kill_after=5 * nth)
            else:
                ends = host.live(send, point=point, nth=nth)
            assert set(ends) <= {0, -SIGKILL}
            if host.deaths.total() >= kills:
                return host
    raise AssertionError(f"only {host.deaths} in {10 * kills} lives")


def _survive(durable: str, open_shared: StoreMaker, callbacks: Path, kills: int) -> None:
    open_shared()
    with ThreadPoolExecutor(2) as pool:
        hosts = list(pool.map(lambda seed: _strike(durable, callbacks, kills // 2, seed), range(2)))

    deaths = hosts[0].deaths + hosts[1].deaths
    print(f"killed {deaths.total()} times: {dict(deaths)}; ", end="")  # noqa: T201 - a figure
    print(f"{sum(len(host.answers) for host in hosts)} answers")  # noqa: T201
    check_deliveries(open_shared(), [answer for host in hosts for answer in host.answers])
    check_callbacks(open_shared(), callbacks)
    check_outbox_is_empty(open_shared())


@pytest.mark.thorough
def test_two_hosts_on_one_store_are_killed(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    _survive(durable, open_shared, tmp_path / "callbacks", kills=20)


@pytest.mark.slow
def test_two_hosts_on_one_store_are_killed_over_and_over(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    _survive(durable, open_shared, tmp_path / "callbacks", kills=240)
