"""Find logs and options that give another output when they are read in another way.

    python -m tests.fuzz.differential --minutes 10 --seed 1

A round makes a small log and options by its seed (`cases`) and reads them in all ways (`ways`):
by Python and by the accelerator, in one process and in chunks by workers, packed, from standard
input, as text and as mappings, sorted in memory and on disk, from saved conversations, and by the
command. Reports, findings with their logs and lines, rows, totals, exit codes and texts are
compared. A difference is made small, first by lines and then by options, and is printed with both
sides and the command that repeats it.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.fuzz.cases import Case, case_of
from tests.fuzz.ways import WAYS, Outcome, Way, difference, reference_of

__all__ = ["Difference", "Search", "search"]

_SHOWN: Final = 500
_COMMAND: Final = "python -m tests.fuzz.differential"


class Difference(NamedTuple):
    """A case that is read otherwise in one way than in the reference."""

    seed: int
    way: Way
    case: Case
    """The smallest case found."""
    wanted: str
    found: str

    def __str__(self) -> str:
        """Return the case, both sides, and a command that finds the difference again."""
        logs = [
            f"  log {number}: {line!r}" for number, log in enumerate(self.case.logs) for line in log
        ]
        before, wanted, found = _apart(self.wanted, self.found)
        again = f'{_COMMAND} --rounds 1 --seed {self.seed} --way "{self.way.name}"'
        return "\n".join(
            (
                f"{self.way.name} differs from {reference_of(self.way).name}, seed {self.seed}",
                f"  arguments: {' '.join(self.case.arguments)}; notes: {self.case.has_notes}",
                *logs,
                f"  both:   …{before}",
                f"  wanted: {wanted}",
                f"  found:  {found}",
                f"  again:  {again}",
            )
        )


def _apart(one: str, other: str) -> tuple[str, str, str]:
    """Return the last of what two texts have in common, and how each goes on."""
    pairs = zip(one, other, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return one[max(0, at - 80) : at], one[at : at + _SHOWN], other[at : at + _SHOWN]


class Search:
    """A search for differences, which counts what it compares."""

    def __init__(self, ways: Sequence[Way] = WAYS) -> None:
        self._ways = ways
        self.rounds = 0
        self.comparisons: Counter[str] = Counter()
        """The number of comparisons by way."""

    def differences(self, seeds: Iterator[int] | range) -> Iterator[Difference | None]:
        """Yield for each seed the first difference, made small, or None."""
        for seed in seeds:
            self.rounds += 1
            yield self._of(seed)

    def _of(self, seed: int) -> Difference | None:
        case = case_of(seed)
        with TemporaryDirectory(prefix="segue-fuzz-") as folder:
            wanted: dict[str, Outcome | None] = {}
            for number, way in enumerate(self._ways):
                reference = reference_of(way)
                if reference.name not in wanted:
                    wanted[reference.name] = _read(reference, case, Path(folder, "reference"))
                found = _read(way, case, Path(folder, str(number))) if way != reference else None
                expected = wanted[reference.name]
                self.comparisons[way.name] += found is not None
                if _crashed(expected) or _differ(way, found, expected):
                    small = _small(case, partial(_is_apart, way))
                    one, other = _sides(way, small) or ("", "")
                    return Difference(seed, way, small, one, other)
        return None


def _read(way: Way, case: Case, folder: Path) -> Outcome | None:
    """Read a case. An exception that no user should see is the outcome."""
    try:
        return way.read(case, folder)
    except Exception:  # noqa: BLE001 - a crash is a difference
        told = traceback.format_exc(limit=-4)
        return Outcome([told], [_CRASH])


_CRASH: Final = "an exception that is not for users"


def _crashed(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.exact == [_CRASH]


def _differ(way: Way, found: Outcome | None, wanted: Outcome | None) -> tuple[str, str] | None:
    if found is None or wanted is None:
        return None
    return difference(found, wanted, is_placed=way.is_placed)


def _sides(way: Way, case: Case) -> tuple[str, str] | None:
    """Return both sides of a difference, or None if the case is read as in the reference."""
    with TemporaryDirectory(prefix="segue-fuzz-") as folder:
        wanted = _read(reference_of(way), case, Path(folder, "reference"))
        if wanted is not None and _crashed(wanted):
            return "no exception", wanted.anywhere[0]
        return _differ(way, _read(way, case, Path(folder, "way")), wanted)


def _is_apart(way: Way, case: Case) -> bool:
    return _sides(way, case) is not None


def _small(case: Case, is_apart: Callable[[Case], bool]) -> Case:
    """Return a case from which nothing can be left out without losing the difference."""
    if not is_apart(case):
        return case
    lines = [(number, line) for number, log in enumerate(case.logs) for line in log]

    def of(some: Sequence[tuple[int, bytes]]) -> Case:
        logs = [tuple(line for at, line in some if at == n) for n in range(len(case.logs))]
        return case._replace(logs=tuple(logs))

    size = max(1, len(lines) // 2)
    while size:
        at = 0
        while at < len(lines):
            fewer = [*lines[:at], *lines[at + size :]]
            if is_apart(of(fewer)):
                lines = fewer
            else:
                at += size
        size //= 2
    case = of(lines)
    for each in case.options:
        fewer_options = case._replace(options=tuple(o for o in case.options if o != each))
        case = fewer_options if is_apart(fewer_options) else case
    bare = case._replace(has_notes=False)
    case = bare if bare != case and is_apart(bare) else case
    filled = tuple(log for log in case.logs if log)
    merged = case._replace(logs=filled)
    return merged if merged != case and is_apart(merged) else case


def search(seed: int, rounds: int, ways: Sequence[Way] = WAYS) -> Difference | None:
    """Return the first difference of some rounds, or None."""
    found = Search(ways).differences(range(seed, seed + rounds))
    return next((each for each in found if each is not None), None)


def main() -> int:
    """Search for some minutes or rounds. Return 1 if there is a difference."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--way", action="append", choices=[way.name for way in WAYS])
    parser.add_argument("--most", type=int, default=1, help="differences to show before the end")
    given = parser.parse_args()
    ways = [way for way in WAYS if given.way is None or way.name in given.way]
    end = time.monotonic() + 60 * given.minutes
    rounds = range(given.seed, given.seed + (given.rounds or sys.maxsize - given.seed))
    tried, count = Search(ways), 0
    for each in tried.differences(rounds):
        if each is not None:
            count += 1
            _show(f"{each}\n")
        if count >= given.most or (given.rounds is None and time.monotonic() > end):
            break
    compared = sum(tried.comparisons.values())
    _show(f"{tried.rounds} rounds, {compared} comparisons, {count} differences")
    for name, number in tried.comparisons.items():
        _show(f"  {name}: {number}")
    return int(count > 0)


def _show(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - the findings of the tool


if __name__ == "__main__":
    sys.exit(main())
