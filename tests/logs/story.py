"""Logs of conversations with Ann, and what a replay finds in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.builders import Sender, jsonl

from segue.core.conversation import Report
from segue.logs import replay

__all__ = [
    "CLEAN",
    "action",
    "all_told",
    "body",
    "enveloped",
    "event",
    "jsonl",
    "lines",
    "mixed",
    "told",
]

CLEAN = ("NA entry a-1", "NA exit a-1", "summary", "END")

ANN = Sender(bot="b-1", names=("Ann", "Ann", "Ann"), text="hello")
event = ANN.event
body = ANN.body


def action(text: str, conversation: str = "c-1", **envelope: Any) -> dict[str, Any]:
    """One line of the transcription endpoint: `start a-1`, `pause handover=true a-1`."""
    return ANN.delivery(text, conversation) | envelope


def enveloped(*texts: str, conversation: str = "c-1", **envelope: Any) -> dict[str, Any]:
    """One line with an envelope."""
    return {**envelope, "body": body(*texts, conversation=conversation)}


def lines(*texts: str, conversation: str = "c-1") -> list[dict[str, Any]]:
    """One line for each text."""
    return [body(text, conversation=conversation) for text in texts]


def mixed(*logs: list[Any]) -> Iterator[Any]:
    """The lines of several logs in turns."""
    for index in range(max(map(len, logs))):
        yield from (log[index] for log in logs if index < len(log))


def told(report: Report) -> list[str]:
    """What a report finds: `SG103 event 1`, `SG408 action 0`, `SG108`."""
    return [
        finding.code
        + ("" if finding.place.event is None else f" event {finding.place.event}")
        + ("" if finding.place.action is None else f" action {finding.place.action}")
        for finding in report.findings
    ]


def all_told(source: Any, **options: Any) -> list[tuple[str | None, bool, list[str]]]:
    """Of each report: conversation, whether late, what it finds."""
    return [
        (report.conversation_id, report.late, told(report)) for report in replay(source, **options)
    ]
