"""Replays a log by the reference and by the accelerator, and compares all that can be seen."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from segue.analysis.causes import MOST_ROWS, Counts, cause_notes
from segue.core.conversation import Note, Report, state_of
from segue.core.engine.snapshot import dump
from segue.logs.accelerated import AcceleratedReplayer, can_accelerate
from segue.logs.keying import KEYS
from segue.logs.native import usable_library
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.replayer import Replayer
from segue.logs.sorting import Sorter, sort_in_memory


def is_installed() -> bool:
    return find_spec("segue_native") is not None and usable_library() is not None


Seen: TypeAlias = tuple[str, object, bytes | None, list[Note]]
"""A report as JSON, its findings with their logs, the bytes of its state, and its notes."""


class Outcome(NamedTuple):
    """All that a replayer makes of logs."""

    reports: list[Seen]
    tombstones: dict[str, bytes | None]
    counts: list[object]


def counted(reports: Iterable[Report], most_rows: int) -> object:
    """Return what is counted for causes, in order."""
    counts = Counts(most_rows)
    for report in reports:
        counts.add(report)
    opportunities = sorted((of, sorted(at)) for of, at in counts.opportunities() if at)
    found = sorted((code, of, sorted(at)) for code, of, at in counts.found() if at)
    squares = [counts.squares(code) for code in sorted({code for code, *_ in found})]
    return counts.share, squares, opportunities, found


def seen(report: Report) -> Seen:
    state = state_of(report)
    packed = None if report.conversation_id is None else dump(state)
    return report.to_json(), report.findings, packed, list(report.notes)


Logs: TypeAlias = Iterable[tuple[str, Iterable[bytes]]]


def outcome(
    replayer: Replayer, logs: Logs, *, is_sorted: bool, sorter: Sorter = sort_in_memory
) -> Outcome:
    reports: list[Report] = []
    if is_sorted:
        reports += list(replayer.feed_sorted(logs, sorter))
    else:
        for name, lines in logs:
            replayer.change_source(name)
            reports += list(replayer.feed_all(lines, batch_size=64))
    reports += list(replayer.close())
    counts = [counted(reports, most_rows) for most_rows in (MOST_ROWS, 100)]
    keys = {KEYS[report.keyed_by](report) for report in reports}
    ended = replayer._ended  # noqa: SLF001 - no report shows tombstones
    tombstones = {key: ended.get(key) for key in keys if key is not None}
    return Outcome([seen(report) for report in reports], tombstones, counts)


def same(
    *logs: Iterable[bytes],
    is_sorted: bool = False,
    sorter: Sorter = sort_in_memory,
    **options: Any,
) -> AcceleratedReplayer:
    """Check that both say the same of these logs; return the accelerated replayer."""
    named = [(f"log-{index}", list(lines)) for index, lines in enumerate(logs)]
    plan = ReplayOptions(note=cause_notes(), **options)
    assert can_accelerate(Replay(options=plan))
    accelerated = AcceleratedReplayer(plan)
    found = outcome(accelerated, named, is_sorted=is_sorted, sorter=sorter)
    wanted = outcome(Replayer(plan), named, is_sorted=is_sorted)
    assert found.reports == wanted.reports
    assert found.tombstones == wanted.tombstones
    assert found.counts == wanted.counts
    return accelerated


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)
