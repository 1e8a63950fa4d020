"""The differential fuzzer finds planted faults of several kinds, and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pytest
from tests.fuzz.cases import case_of
from tests.fuzz.differential import Search, search
from tests.fuzz.ways import WAYS, iterable
from tests.logs.native.both import is_installed

from segue.core.engine import State, snapshot
from segue.logs import sorting
from segue.logs.accelerated import AcceleratedReplayer
from segue.logs.sorting import TimedLine

ROUNDS = 15
"""The number of rounds of each of four tests: about ten seconds of CPU time."""
MOST = 400
"""The number of rounds in which a planted fault must be found."""


def of(*names: str) -> list[Any]:
    """Return the ways of these names."""
    return [way for way in WAYS if way.name in names]


def test_a_seed_makes_the_same_case_again() -> None:
    first, *others = [case_of(seed)._replace(options=()) for seed in (7, 7, 8)]

    assert first == others[0] != others[1]


def test_a_few_rounds_find_no_difference() -> None:
    assert search(1, 3) is None


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100, 100 + 4 * ROUNDS, ROUNDS))
def test_many_rounds_find_no_difference(seed: int) -> None:
    tried = Search()

    found = [each for each in tried.differences(range(seed, seed + ROUNDS)) if each is not None]

    assert not found, "\n\n".join(map(str, found))
    assert all(
        tried.comparisons[name] for name in ("chunks", "bytes", "restored", "command in chunks")
    )


@pytest.mark.thorough
def test_a_snapshot_that_forgets_the_delivery_ids_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order of the ids, which a snapshot once lost, tells nothing within the window."""
    whole = snapshot._judging_to_json  # noqa: SLF001 - the fault is planted there

    def forgetful(state: State, *indices: Any) -> dict[str, Any]:
        return whole(state, *indices) | {"delivered": None}

    monkeypatch.setattr(snapshot, "_judging_to_json", forgetful)

    found = search(0, MOST, of("chunks", "restored"))

    assert found is not None
    assert "delivery_id" in str(found)


@pytest.mark.thorough
@pytest.mark.skipif(not is_installed(), reason="segue-native is not installed")
def test_an_accelerator_that_loses_the_lines_of_findings_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AcceleratedReplayer, "_located", lambda *_: (None, None))

    found = search(0, MOST, of("accelerator"))

    assert found is not None
    assert found.wanted != found.found


@pytest.mark.thorough
def test_a_sorter_that_names_another_log_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    in_order = sorting._sorted  # noqa: SLF001 - what is planted

    def wrong(rows: Iterable[TimedLine], memory: str, sort: sorting.Sort) -> Iterator[TimedLine]:
        return ((at, 0, *rest) for at, _, *rest in in_order(rows, memory, sort))  # type: ignore[misc]

    monkeypatch.setattr(sorting, "_sorted", wrong)

    found = search(0, MOST, of("sorted in memory"))

    assert found is not None
    assert len(found.case.logs) > 1
    assert "--sort received_at" in str(found)


@pytest.mark.thorough
def test_a_difference_is_made_small_and_can_be_repeated() -> None:
    def lossy(line: bytes) -> object:
        return line.replace(b"WARM", b"COLD")

    [text] = of("text")

    found = search(0, MOST, [text._replace(read=partial(iterable, given=lossy))])

    assert found is not None
    assert sum(map(len, found.case.logs)) == 1
    assert found.case.options == ()
    assert f'--rounds 1 --seed {found.seed} --way "text"' in str(found)
