"""The logs of a rule's page in short: what each line says, and in which lines two logs differ.

Any text has an excerpt, because some pages are about lines that cannot be read.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import takewhile
from operator import eq
from typing import Any, Final

from segue.events import TRANSFERS

__all__ = ["ExcerptLine", "compare_logs", "excerpt"]

_TIME: Final = slice(len("2026-03-02T"), len("2026-03-02T09:00:00"))
_LONGEST: Final = 40


@dataclass(slots=True)
class ExcerptLine:
    """One line of a log."""

    label: str
    agent: str = ""
    notes: list[str] = field(default_factory=list)
    """What the envelope adds, and in what the line differs from its counterpart."""
    is_other: bool = False
    """The other log does not have this line."""


def excerpt(log: str) -> list[ExcerptLine]:
    """Return what each line says."""
    lines = log.splitlines()
    ids = {_conversation(_decoded(line)) for line in lines} - {""}
    return [_entry(line, is_mixed=len(ids) > 1) for line in lines]


def compare_logs(example: str, corrected: str) -> tuple[list[ExcerptLine], list[ExcerptLine]]:
    """Return the excerpts of two logs, each with what the other does not have."""
    ours, theirs = example.splitlines(), corrected.splitlines()
    before, after = excerpt(example), excerpt(corrected)
    # What both begin with is set aside, so that of two equal lines the second is one too many.
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
                _tell_apart(*pair)
    return before, after


def _tell_apart(entry: ExcerptLine, other: ExcerptLine, line: str, counterpart: str) -> None:
    """Note in what two lines differ, when what they say is the same."""
    if (entry.label, entry.agent, entry.notes) == (other.label, other.agent, other.notes):
        for before, after in _differences(_decoded(line), _decoded(counterpart)):
            entry.notes.append(before)
            other.notes.append(after)


def _decoded(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _conversation(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    body = value.get("body")
    inner = body.get("conversationId") if isinstance(body, dict) else None
    return str(value.get("conversationId") or value.get("conversation_id") or inner or "")


def _entry(line: str, *, is_mixed: bool) -> ExcerptLine:
    value = _decoded(line)
    if not isinstance(value, dict):
        return ExcerptLine(line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…")
    body: object = value
    notes: list[str] = []
    if "body" in value and not {"conversationId", "events"} & value.keys():
        body = value["body"] if isinstance(value["body"], dict) else _decoded(str(value["body"]))
        notes = list(_envelope(value))
    if is_mixed and _conversation(value):
        notes.insert(0, _conversation(value))
    label, agent, more = _said(body if isinstance(body, dict) else {})
    return ExcerptLine(label, agent, [*more, *notes])


def _envelope(value: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(value.get("received_at"), str):
        at = value["received_at"]
        yield f"at {at[_TIME] if at[10:11] == 'T' else at}"
    if "delivery_id" in value:
        yield f"delivery {value['delivery_id']}"


def _said(body: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    """Return what a body says, the agent it names, and notes."""
    if "action" in body:
        handover = body.get("handover")
        more = [] if handover is None else [f"handover {json.dumps(handover)}"]
        return f"transcription {body['action']}", str(body.get("agentId") or ""), more
    events = body.get("events")
    if isinstance(events, list) and events:
        label, agent = _event(events[0])
        return label, agent, [f"and {_event(event)[0]}" for event in events[1:]]
    author = body.get("author")
    if isinstance(author, dict):
        label = f"{author.get('type', '')} message".lower().strip()
        return label, str(body.get("agentId") or ""), []
    return "message" if "query" in body else "nothing", "", []


def _event(event: object) -> tuple[str, str]:
    if not isinstance(event, dict):
        return "event", ""
    key = (str(event.get("transfertype")).lower(), str(event.get("transition")).lower())
    participant = event.get("participant")
    agent = participant.get("identity") if isinstance(participant, dict) else None
    name = TRANSFERS[key].value if key in TRANSFERS else event.get("name") or "event"
    return str(name), str(agent or "")


def _differences(ours: object, theirs: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield what each of two values has where they differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in dict.fromkeys((*ours, *theirs)):
            inner = f"{path}.{key}" if path else key
            if key not in ours:
                yield f"no {_last(inner)}", _value(inner, theirs[key])
            elif key not in theirs:
                yield _value(inner, ours[key]), f"no {_last(inner)}"
            else:
                yield from _differences(ours[key], theirs[key], inner)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for one, two in zip(ours, theirs, strict=True):
            yield from _differences(one, two, path)
    elif ours != theirs or type(ours) is not type(theirs):
        yield _value(path, ours), _value(path, theirs)


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _value(path: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"{_last(path)} {text}" if len(text) <= _LONGEST else f"another {_last(path)}"
