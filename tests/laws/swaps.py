"""Generated clean conversations, and their logs with two neighbours swapped."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from segue.analysis.simulate import generate
from segue.core.findings import Severity
from segue.logs import replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from segue.core.conversation import Report

__all__ = ["NINE", "STEP", "Swap", "presences", "swaps"]

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
STEP = timedelta(milliseconds=200)
"""The time between two deliveries."""


@dataclass(frozen=True)
class Swap:
    """A log in which two neighbours changed places."""

    clean: list[dict[str, Any]]
    """The log before."""
    lines: list[dict[str, Any]]
    pair: str
    """The two deliveries in the order in which they belong."""


def swaps(seed: int, conversations: int, *, transcription: bool) -> Iterator[Swap]:
    """Yield every swap of two neighbours of E21 that gives an error or a warning.

    An agent's message that arrives after the exit of the agent is left out. The exit was legal when
    it arrived, so it has been applied and answered.
    """
    stories = defaultdict[str, list[dict[str, Any]]](list)
    for each in generate(
        seed,
        conversations=conversations,
        mistakes=0,
        notes=False,
        transcription=transcription,
        spellings=False,
        delivery_ids=True,
        messages=0.3,
    ):
        stories[each.conversation_id].append(json.loads(each.text))
    for lines in stories.values():
        clean = _timed(lines)
        labels = [_label(line["body"]) for line in lines]
        for index in range(len(lines) - 1):
            one, two = labels[index : index + 2]
            if not one or not two or (one == "AGENT message" and two.endswith("exit")):
                continue
            order = [*lines[:index], lines[index + 1], lines[index], *lines[index + 2 :]]
            swapped = _timed(order)
            if any(
                finding.severity is not Severity.NOTE
                for report in replay(swapped)
                for finding in report.findings
            ):
                yield Swap(clean, swapped, f"{one}, {two}")


def _timed(lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        line | {"received_at": (NINE + number * STEP).isoformat()}
        for number, line in enumerate(lines)
    ]


def _label(body: dict[str, Any]) -> str:
    """The label of the delivery, such as `COLD exit`. It is empty for a transcription action."""
    if "action" in body:
        return ""
    if "query" in body:
        return f"{body['author']['type'].upper()} message"
    (event,) = body["events"]
    return " ".join((event.get("transfertype", event["name"]), event.get("transition", ""))).strip()


def presences(report: Report) -> list[Any]:
    """Return the segments of a report as JSON without times, which a swap changes."""
    return [_without_times(segment) for segment in report.to_dict()["segments"]]


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_times(item)
            for key, item in value.items()
            if not key.endswith(("_at", "_time", "_times")) and key != "duration"
        }
    return [_without_times(item) for item in value] if isinstance(value, list) else value
