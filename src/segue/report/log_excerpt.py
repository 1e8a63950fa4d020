"""Abbreviate the logs of a rule's page, and mark the lines in which two logs differ.

Lines that cannot be decoded are abbreviated too, because some pages are about such lines.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import takewhile
from operator import eq
from typing import Any, Final

from segue.core.events import Delivery, Event, EventKind, quoted
from segue.core.wire import read_line

_TIME: Final = slice(len("2026-03-02T"), len("2026-03-02T09:00:00"))
_LONGEST: Final = 40


@dataclass(slots=True)
class ExcerptLine:
    """The abbreviation of one line of a log."""

    label: str
    agent: str = ""
    notes: list[str] = field(default_factory=list)
    """Fields of the envelope, and values that differ from the matching line of the other log."""
    is_other: bool = False
    """Whether the other log lacks this line."""


def excerpt(log: str) -> list[ExcerptLine]:
    """Return an abbreviation of each line of a log."""
    read = [(line, read_line(line)) for line in log.splitlines()]
    is_mixed = len({delivery.conversation_id for _, delivery in read} - {None}) > 1
    return [_entry(line, delivery, is_mixed=is_mixed) for line, delivery in read]


def compare_logs(example: str, corrected: str) -> tuple[list[ExcerptLine], list[ExcerptLine]]:
    """Return the abbreviated lines of two logs.

    In each result, `is_other` marks the lines that the other log lacks.
    """
    ours, theirs = example.splitlines(), corrected.splitlines()
    before, after = excerpt(example), excerpt(corrected)
    # Skip the common prefix, so that the second of two equal lines is the superfluous one.
    start = len(list(takewhile(bool, map(eq, ours, theirs))))
    matcher = SequenceMatcher(None, ours[start:], theirs[start:], autojunk=False)
    for tag, low, high, other_low, other_high in matcher.get_opcodes():
        if tag == "equal":
            continue
        here, there = slice(start + low, start + high), slice(start + other_low, start + other_high)
        for entry in (*before[here], *after[there]):
            entry.is_other = True
        if high - low == other_high - other_low:
            for pair in zip(before[here], after[there], ours[here], theirs[there], strict=True):
                _note_differences(*pair)
    return before, after


def _note_differences(entry: ExcerptLine, other: ExcerptLine, line: str, counterpart: str) -> None:
    """Add the values that differ to the notes of two abbreviations that would look the same.

    `line` and `counterpart` are the complete lines.
    """
    if (entry.label, entry.agent, entry.notes) == (other.label, other.agent, other.notes):
        for before, after in _differences(_decoded(line), _decoded(counterpart)):
            entry.notes.append(before)
            other.notes.append(after)


def _decoded(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _entry(line: str, delivery: Delivery, *, is_mixed: bool) -> ExcerptLine:
    value = _decoded(line)
    if not isinstance(value, dict):
        return ExcerptLine(line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…")
    notes = [f"and {_label(event)}" for event in delivery.events[1:]]
    label, agent = "nothing", ""
    if delivery.events:
        first = delivery.events[0]
        label, agent = _label(first), quoted(first.agent)
        if not isinstance(first.kind, EventKind):  # it came to another intake
            name, _, detail = label.partition(" ")
            label = f"{delivery.intake.name} {name}"
            notes += [detail.replace("=", " ")] if detail else []
    if is_mixed and delivery.conversation_id is not None:
        notes.append(delivery.conversation_id)
    at = value.get("received_at")
    if isinstance(at, str):
        notes.append(f"at {at[_TIME] if at[10:11] == 'T' else at}")
    if delivery.delivery_id is not None:
        notes.append(f"delivery {delivery.delivery_id}")
    return ExcerptLine(label, agent, notes)


def _label(event: Event) -> str:
    """Return the label of an event, such as `COLD exit`.

    An unknown event is labelled with the name that its sender gave it.
    """
    if event.kind is EventKind.UNPROCESSABLE:
        return str(event.value.get("name") or "event")
    author = event.value.get("author")
    if event.kind is EventKind.MESSAGE and isinstance(author, dict):
        return f"{author.get('type', '')} message".lower().strip()
    return event.kind.value


def _differences(ours: object, theirs: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield pairs of texts, one for each part in which two decoded JSON values differ.

    `name` is the key under which the two values are stored.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in dict.fromkeys((*ours, *theirs)):
            if key in ours and key in theirs:
                yield from _differences(ours[key], theirs[key], key)
            else:
                yield _side(key, ours), _side(key, theirs)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for one, two in zip(ours, theirs, strict=True):
            yield from _differences(one, two, name)
    elif ours != theirs or type(ours) is not type(theirs):
        yield _value(name, ours), _value(name, theirs)


def _side(key: str, fields: Mapping[str, Any]) -> str:
    return _value(key, fields[key]) if key in fields else f"no {key}"


def _value(name: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"{name} {text}" if len(text) <= _LONGEST else f"another {name}"
