"""Holds the accelerator against what the reference said of some logs, in a second or two.

    python -m tests.native.quick_law WANTED

writes what the reference says to a file that is not there, and what the accelerator leaves to it;
and otherwise exits with 1 if the accelerator says anything else, or leaves more or less to it.
`native/mutants.py` runs it on libraries that are wrong on purpose.
"""

from __future__ import annotations

import os
import pickle
import sys
from array import array
from collections.abc import Iterator, Sequence
from datetime import timedelta
from operator import ne
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from tests.native.both import lines_of, outcome
from tests.native.hostile_files import HOSTILE_FILES, line
from tests.native.odd_lines import (
    at_all_times,
    crafted,
    mutated,
    of_bots_with_the_same_ids,
    of_many,
    restructured,
)

from segue.logs.accelerated import AcceleratedReplayer
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer, TimedKey
from segue.native import usable_library
from segue.native.description import description
from segue.simulate import generate, write
from segue.wire import read_line

_KINDS: tuple[dict[str, Any], ...] = (
    {"spellings": False, "notes": False},
    {"delivery_ids": True},
)


def logs() -> Iterator[tuple[list[bytes], dict[str, Any], bool]]:
    """Yield logs, with the options they are read by and whether they are sorted."""
    chance = Random(3)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        good = b""
        for kind in _KINDS:
            write(path, generate(11, lines=350, open_at_once=20, messages=2.0, **kind))
            lines = lines_of(path)
            good = good or b"".join(lines[:40])
            yield lines, {}, False
            yield lines, {"partial": "both"}, True
            yield list(of_bots_with_the_same_ids(lines[:90])), {"key": "bot"}, False
            yield list(of_bots_with_the_same_ids(lines[:30])), {"key": "bot"}, True
            deliveries = [read_line(each) for each in lines]
            ids = sorted({each.conversation_id or "" for each in deliveries})
            times = sorted(each.received_at for each in deliveries if each.received_at)
            yield lines, {"conversations": tuple(ids[::2]), "since": times[60]}, False
            yield lines, {"until": times[-60].astimezone() + timedelta(microseconds=1)}, False
            yield list(mutated(lines, chance, 250)), {}, False
            events = [each for each in lines if b'"entry"' in each][:2]
            messages = [each for each in lines if b'"query"' in each][:2]
            actions = [each for each in lines if b'"endpoint"' in each][:1]
            yield list(crafted([*events, *messages, *actions])), {}, False
            for begin in range(0, 120, 20):
                some = lines[begin : begin + 20]
                yield [*some, *mutated(some, chance, 3), *some], {}, False
    yield list(restructured()), {}, False
    for is_sorted in (False, True):
        yield [*at_all_times(), *of_many()], {}, is_sorted
    yield [line(number) + b"\n" for number in (b"A", b"\xc3\xa9", rb"\u00e9", b"\xff")], {}, False
    for name, hostile in HOSTILE_FILES.items():
        if name not in {"junk", "an endless line", "blanks", "deep"}:
            yield hostile(good, chance).splitlines(keepends=True), {}, False


def outcomes(replayer_type: type[Replayer]) -> Iterator[object]:
    """Yield what a replayer makes of each log."""
    for number, (lines, options, is_sorted) in enumerate(logs()):
        named = [(f"log-{number}", lines[:50]), ("more", lines[50:])]
        yield outcome(replayer_type(ReplayOptions(**options)), named, is_sorted=is_sorted)


class Observed(AcceleratedReplayer):
    """Notes what is left to the reference, and whose each line is."""

    made: ClassVar[list[Observed]] = []

    def __init__(self, options: ReplayOptions) -> None:
        super().__init__(options)
        self.made.append(self)
        self._owners: list[int] = []
        self._looked_at: list[TimedKey | None] = []

    def _note_owners(self, owners: array[int]) -> None:
        self._owners += owners

    def _note_last_owner(self, owner: int) -> None:
        self._owners.append(-owner)

    def _look(self, lines: Sequence[object]) -> list[TimedKey | None]:
        found = super()._look(lines)
        self._looked_at += found
        return found

    def noted(self) -> object:
        """Return it; None if nothing was accelerated."""
        accelerator = self._accelerator
        if accelerator is None:
            return None
        effort = accelerator._effort  # noqa: SLF001 - nobody else asks
        return effort, self._owners, self._looked_at, accelerator.conversations()


def observed() -> Iterator[tuple[object, object]]:
    """Yield what the accelerator makes of each log, and what is noted of that."""
    for found in outcomes(Observed):
        yield found, Observed.made.pop().noted()


def refuses_what_is_no_description() -> bool:
    """Whether the library takes the whole description, and neither less of it nor more."""
    library, whole = usable_library(), description()
    assert library is not None

    def is_taken(described: bytes) -> bool:
        core = library.segue_new(described, len(described), 0, 0, 1)
        if core:
            library.segue_free(core)
        return bool(core)

    parts = (whole[:end] for end in range(len(whole)))
    return is_taken(whole) and not any(map(is_taken, (*parts, whole + b"\0\0", whole + b"x")))


def main() -> int:
    """Return 0 if both engines say the same."""
    path = Path(sys.argv[1])
    if not path.exists():
        os.environ["SEGUE_NATIVE"] = "0"
        said = list(outcomes(Replayer))
        os.environ["SEGUE_NATIVE"] = "1"
        notes = [noted for _, noted in observed()]
        path.write_bytes(pickle.dumps(list(zip(said, notes, strict=True))))
        return 0
    wanted = pickle.loads(path.read_bytes())  # noqa: S301 - written above
    is_strict = refuses_what_is_no_description()
    return int(not is_strict or any(map(ne, observed(), wanted)))


if __name__ == "__main__":
    sys.exit(main())
