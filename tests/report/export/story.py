"""Three small conversations in short notation, and the export of a log."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.report.story import line

import segue

__all__ = [
    "COLD",
    "DATA",
    "DAY",
    "REDIAL",
    "SAMPLE",
    "WARM",
    "converted",
    "objects",
    "schema",
    "timed",
]

DAY = "2026-03-02T"
DATA = Path(__file__).with_name("data")
SAMPLE = Path(__file__).parents[3] / "samples" / "shift.jsonl"


def timed(*events: str, conversation: str = "c-1") -> list[str]:
    """Lines of a conversation, each written as `09:00:10 NA entry a-1`."""
    pairs = (each.partition(" ") for each in events)
    return [line(text, conversation, at) for at, _, text in pairs]


COLD = timed(
    "09:00:00 user message",
    "09:00:10 NA entry a-1",
    "09:00:20 agent message a-1",
    "09:01:00 COLD exit a-1",
    "09:01:05 COLD entry a-2",
    "09:02:00 NA exit a-2",
    "09:02:10 END",
)
"""Ada hands over to Ben."""

WARM = timed(
    "09:00:00 NA entry a-1",
    "09:00:05 start a-1",
    "09:00:30 pause false a-1",
    "09:00:40 WARM entry a-2",
    "09:01:00 resume a-1",
    "09:01:20 WARM exit a-1",
    "09:01:50 end a-2",
    "09:02:00 NA exit a-2",
    "09:02:10 END",
)
"""Ada puts the customer on hold, consults Ben, and leaves the conversation to him."""

REDIAL = timed(
    "09:00:00 NA entry a-1",
    "09:04:00 NA exit a-1",
    "09:05:00 redial entry a-1",
    "09:08:00 NA exit a-1",
    "09:08:30 END",
)
"""The line drops, and Ada calls back."""


def converted(lines: Iterable[Any], to: str, **given: Any) -> str:
    """Return the export of a log without the conversations that cannot be written."""
    return "".join(segue.convert(lines, to, left_out=lambda *_: None, **given))


def schema(name: str) -> Any:
    """A JSON Schema of another project."""
    return json.loads(DATA.joinpath(name).read_text("utf-8"))


def objects(text: str) -> Iterator[Any]:
    """The JSON values of lines."""
    return map(json.loads, text.splitlines())
