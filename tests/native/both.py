"""Replays a log by the reference and by the accelerator, and compares all that can be seen."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from segue.conversation import Report
from segue.engine import dump
from segue.logs.accelerated import AcceleratedReplayer, can_accelerate
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.replayer import Replayer
from segue.native import usable_library


def is_installed() -> bool:
    return find_spec("segue_native") is not None and usable_library() is not None


class Outcome(NamedTuple):
    """All that a replayer makes of logs."""

    reports: list[tuple[str, bytes | None]]
    """As JSON, and the bytes of the state."""
    tombstones: dict[str, bytes]


def seen(report: Report) -> tuple[str, bytes | None]:
    state = report._state  # noqa: SLF001 - its bytes are what is compared
    return report.to_json(), None if report.conversation_id is None else dump(state)


def outcome(replayer: Replayer, logs: Iterable[tuple[str, Iterable[bytes]]]) -> Outcome:
    reports = []
    for name, lines in logs:
        replayer.change_source(name)
        reports += list(replayer.feed_all(lines, batch_size=64))
    reports += list(replayer.close())
    return Outcome([seen(report) for report in reports], replayer._ended)  # noqa: SLF001 - as above


def same(*logs: Iterable[bytes], **options: Any) -> AcceleratedReplayer:
    """Check that both say the same of these logs; return the accelerated replayer."""
    named = [(f"log-{index}", list(lines)) for index, lines in enumerate(logs)]
    plan = ReplayOptions(**options)
    assert can_accelerate(Replay(options=plan))
    accelerated = AcceleratedReplayer(plan)
    found, wanted = outcome(accelerated, named), outcome(Replayer(plan), named)
    assert found.reports == wanted.reports
    assert found.tombstones == wanted.tombstones
    return accelerated


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)
