"""Logs with a million mutated lines among others, in 100 parts."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.logs.native.both import lines_of, outcome
from tests.logs.native.odd_lines import mutated, mutation

from segue.analysis.simulate import generate, write
from segue.logs.accelerated import AcceleratedReplayer
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer

KINDS: tuple[dict[str, Any], ...] = (
    {"spellings": False, "notes": False},
    {"delivery_ids": True},
    {"messages": 2.0},
    {"mistakes": 0.3},
)
OPTIONS: tuple[dict[str, Any], ...] = ({}, {}, {"key": "bot"}, {"partial": "both"}, {})
"""The last one is sorted."""


class Persistent(AcceleratedReplayer):
    """Is not left, however much the accelerator returns."""

    def _leave_if_slow(self) -> None:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("part", range(100))
def test_ten_thousand_mutated_lines(part: int, tmp_path: Path) -> None:
    """Most are of conversations of their own, so that others are still read natively."""
    chance = Random(part)
    made = generate(part, lines=4_000, open_at_once=200, **KINDS[part % len(KINDS)])
    write(tmp_path / "log", made)
    lines = lines_of(tmp_path / "log")
    alone = list(mutated(lines, chance, 9_500))
    for at in chance.sample(range(len(lines)), 500):
        lines[at] = mutation(lines[at], chance)
    for each in alone:
        lines.insert(chance.randrange(len(lines)), each)
    options = ReplayOptions(**OPTIONS[part % len(OPTIONS)])
    is_sorted = part % len(OPTIONS) == len(OPTIONS) - 1
    accelerated = Persistent(options)

    found = outcome(accelerated, [("log", lines)], is_sorted=is_sorted)

    assert accelerated.is_accelerated
    assert found == outcome(Replayer(options), [("log", lines)], is_sorted=is_sorted)
