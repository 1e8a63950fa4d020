"""Shuffled logs, put in order in memory and on disk: one digest."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.scale.corpus import TIE, write
from tests.scale.digest import digest

from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.logs.sorting import Sorter, sort_in_memory, sorter_on_disk
from segue.logs.sources import lines_of

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, list[bytes]]]:
    """The files of the corpus, the lines of each shuffled."""
    paths: list[Path] = write(tmp_path_factory.mktemp("corpus"))
    logs = [(path.name, list(lines_of(path))) for path in paths]
    for _, lines in logs:
        Random(3).shuffle(lines)
    return logs


def sorted_digest(logs: list[tuple[str, list[bytes]]], order: Sorter) -> str:
    replayer = Replayer(ReplayOptions())
    return digest([*replayer.feed_sorted(logs, order), *replayer.close()])


def test_logs_out_of_order_come_to_the_same_in_memory_and_on_disk(
    logs: list[tuple[str, list[bytes]]],
) -> None:
    assert sorted_digest(logs, sorter_on_disk("256MB")) == sorted_digest(logs, sort_in_memory)


def test_a_tie_that_is_swapped_is_in_the_digest(logs: list[tuple[str, list[bytes]]]) -> None:
    (name, lines), *others = logs
    ties = [index for index, line in enumerate(lines) if f'"{TIE}"'.encode() in line]
    swapped = list(lines)
    for index, line in zip(ties, [lines[index] for index in reversed(ties)], strict=True):
        swapped[index] = line
    planted = [(name, swapped), *others]
    assert sorted_digest(planted, sorter_on_disk("256MB")) != sorted_digest(logs, sort_in_memory)
