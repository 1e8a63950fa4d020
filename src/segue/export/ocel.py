"""`ocel`: OCEL 2.0 as JSON, for object-centric process mining.

It decides what is an object (conversation, segment, agent, queue) and how events and objects are
related.  House rules: the type stands before the id, so that an agent and a conversation of one
name stay two; the types are always the same; events are written as they come, while objects, of
which agents and queues are shared, wait in a temporary file and not in memory.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Final
from weakref import finalize

from segue.events import ACTIONS, EventKind
from segue.export.conversation_view import Episode, Needs
from segue.export.identifiers import iso
from segue.export.role_intervals import segments_at
from segue.export.timeline import Happening
from segue.segments import Segment

__all__ = ["Ocel"]

_IN_MEMORY: Final = 1 << 20
_PIECE: Final = 1 << 16
_ALWAYS: Final = "1970-01-01T00:00:00Z"
"""The time of attributes that do not change."""
_TOLD: Final = (
    *(kind.value for kind in EventKind if kind not in (EventKind.CLOSE, EventKind.UNPROCESSABLE)),
    *(f"transcription {action}" for action in ACTIONS),
)
_OF_EVENTS: Final = ("position", "findings", "text")
_OF_OBJECTS: Final = {
    "conversation": ("bot", "phase", "valid", "findings"),
    "segment": ("role", "kind", "outcome", "experience", "language"),
    "agent": ("name",),
    "queue": ("name",),
}


class Ocel:
    """Writes one document: types, the events of all conversations, their objects."""

    needs: Final[Needs] = "everything"

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._before = ""
        self._between = ""
        self._shared: set[str] = set()
        self._objects = SpooledTemporaryFile(  # noqa: SIM115 - closed by finish, or with the rest
            _IN_MEMORY, "w+", encoding="utf-8", newline="\n"
        )
        finalize(self, self._objects.close)

    def show(self, episode: Episode) -> None:
        """Write the events of a conversation, and keep its objects."""
        held = segments_at(episode)
        for happening in episode.happenings:
            segment = None if happening.is_action else held.get(happening.position)
            self._write(
                f"{self._before or _head()}{json.dumps(_event(episode, happening, segment))}"
            )
            self._before = ",\n"
        for each in _objects(episode):
            if each["id"] in self._shared:
                continue
            if each["type"] in {"agent", "queue"}:
                self._shared.add(each["id"])
            self._objects.write(f"{self._between}{json.dumps(each)}")
            self._between = ",\n"

    def finish(self) -> None:
        """Write the objects and close the document."""
        self._write('\n],\n"objects": [\n' if self._before else f'{_head()}],\n"objects": [\n')
        with self._objects as objects:
            objects.seek(0)
            while piece := objects.read(_PIECE):
                self._write(piece)
        self._write("\n]}\n" if self._between else "]}\n")


def _head() -> str:
    events = [_type(name, _OF_EVENTS) for name in _TOLD]
    objects = [_type(name, attributes) for name, attributes in _OF_OBJECTS.items()]
    types = f'"eventTypes": {json.dumps(events)},\n"objectTypes": {json.dumps(objects)}'
    return f'{{{types},\n"events": [\n'


def _type(name: str, attributes: Iterable[str]) -> dict[str, Any]:
    return {"name": name, "attributes": [{"name": each, "type": "string"} for each in attributes]}


def _event(episode: Episode, happening: Happening, segment: Segment | None) -> dict[str, Any]:
    assert happening.at is not None  # noqa: S101 - a conversation without times is not told
    kind, name = "event", happening.label
    if happening.is_action:
        kind, name = "action", f"transcription {happening.label.split()[0]}"
    facts = {"position": str(happening.position), "findings": episode.codes_at(happening)}
    related = {"of": f"conversation/{episode.conversation_id}"}
    if happening.agent:
        related["by"] = f"agent/{happening.agent}"
    if segment is not None:
        related["in"] = _segment_id(episode, segment.index)
        if segment.connections[0].opened_by == happening.position and segment.queue_id:
            related["from"] = f"queue/{segment.queue_id}"
    return {
        "id": f"{kind}/{episode.conversation_id}/{happening.position}",
        "type": name,
        "time": iso(happening.at),
        "attributes": _named({**facts, "text": happening.text or ""}),
        "relationships": _related(related.items()),
    }


def _objects(episode: Episode) -> Iterator[dict[str, Any]]:
    """Yield the objects of a conversation; agents and queues may have been seen before."""
    report = episode.report
    facts = {
        "bot": episode.bot_id,
        "phase": report.phase.value,
        "valid": str(report.valid).lower(),
        "findings": episode.codes,
    }
    yield _object("conversation", episode.conversation_id, facts, ())
    for segment in episode.segments:
        facts = {name: getattr(segment, name) for name in _OF_OBJECTS["segment"]}
        related = list(_relations(episode, segment))
        yield _object("segment", f"{episode.conversation_id}/{segment.index}", facts, related)
    for agent, name in episode.agents.items():
        yield _object("agent", agent, {"name": name}, ())
    for segment in episode.segments:
        if segment.queue_id:
            yield _object("queue", segment.queue_id, {"name": segment.queue_name}, ())


def _relations(episode: Episode, segment: Segment) -> Iterator[tuple[str, str]]:
    yield "part of", f"conversation/{episode.conversation_id}"
    yield "held by", f"agent/{segment.agent}"
    if segment.queue_id:
        yield "from", f"queue/{segment.queue_id}"
    others = {
        "follows": segment.previous,
        "consults": segment.consult_of,
        "resumes": segment.resumes,
    }
    for qualifier, index in others.items():
        if index is not None:
            yield qualifier, _segment_id(episode, index)


def _segment_id(episode: Episode, index: int) -> str:
    return f"segment/{episode.conversation_id}/{index}"


def _object(
    kind: str, name: str, facts: dict[str, str], related: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    return {
        "id": f"{kind}/{name}",
        "type": kind,
        "attributes": [{**each, "time": _ALWAYS} for each in _named(facts)],
        "relationships": _related(related),
    }


def _named(facts: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in facts.items() if value]


def _related(objects: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"objectId": identity, "qualifier": qualifier} for qualifier, identity in objects]
