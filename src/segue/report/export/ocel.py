"""The export format `ocel`: OCEL 2.0 as JSON, for object-centric process mining.

Objects are conversations, segments, agents and queues. Ids begin with the type, so that an agent
and a conversation with the same name are different objects. Events are written as they arrive.
Objects follow all events in the document, so they are kept in a temporary file.
"""

import json
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Any, Final

from segue.core.events import ACTIONS, CALL_NOTIFICATIONS, TRANSFER_CALLBACKS, CallKind, EventKind
from segue.core.segments import Segment
from segue.report.export.conversation_view import ExportView
from segue.report.export.identifiers import iso
from segue.report.export.recorder import TimelineItem, resource_of
from segue.report.export.role_intervals import UNKNOWN, items_with_segments
from segue.report.json_list import json_list

_IN_MEMORY: Final = 1 << 20
_ALWAYS: Final = "1970-01-01T00:00:00Z"
"""The time written for the attributes of objects, which do not change."""
_EVENT_TYPES: Final = (
    *(kind.value for kind in EventKind if kind not in (EventKind.CLOSE, EventKind.UNPROCESSABLE)),
    *(f"transcription {action}" for action in ACTIONS),
    *(f"call {kind.value}" for kind in CallKind if kind is not CallKind.UNPROCESSABLE),
    TRANSFER_CALLBACKS.noun,
)
_ID_OF_NOUN: Final = {CALL_NOTIFICATIONS.noun: "call", TRANSFER_CALLBACKS.noun: "transfer"}
_EVENT_ATTRIBUTES: Final = ("position", "resource", "findings", "text")
_OBJECT_ATTRIBUTES: Final = {
    "conversation": ("bot", "phase", "valid", "findings", "call"),
    "segment": ("role", "kind", "outcome", "experience", "language"),
    "agent": ("name",),
    "queue": ("name",),
}


def ocel_pieces(views: Iterable[ExportView]) -> Iterator[str]:
    """Yield the pieces of one JSON document: the types, then all events, then all objects."""
    with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as objects:
        seen: set[str] = set()
        between = ""

        def events() -> Iterator[dict[str, Any]]:
            nonlocal between
            for view in views:
                for item, segment in items_with_segments(view):
                    yield _event(view, item, segment)
                for each in _objects(view):
                    if each["id"] not in seen:
                        objects.write(f"{between}{json.dumps(each)}")
                        between = ",\n"
                    if each["type"] in {"agent", "queue"}:
                        seen.add(each["id"])

        yield from json_list(_head(), events(), lambda _: '],\n"objects": [\n')
        objects.seek(0)
        yield from objects
        yield "\n]}\n" if between else "]}\n"


def _head() -> str:
    events = [_type(name, _EVENT_ATTRIBUTES) for name in _EVENT_TYPES]
    objects = [_type(name, attributes) for name, attributes in _OBJECT_ATTRIBUTES.items()]
    types = f'"eventTypes": {json.dumps(events)},\n"objectTypes": {json.dumps(objects)}'
    return f'{{{types},\n"events": ['


def _type(name: str, attributes: Iterable[str]) -> dict[str, Any]:
    return {"name": name, "attributes": [{"name": each, "type": "string"} for each in attributes]}


def _event(view: ExportView, item: TimelineItem, segment: Segment | None) -> dict[str, Any]:
    kind, name = "event", item.label
    if item.is_transcription:
        kind, name = "action", f"transcription {item.label.split()[0]}"
    elif item.is_action:
        kind = _ID_OF_NOUN[item.noun]
    facts = {"position": str(item.position), "resource": resource_of(item)}
    facts["findings"] = view.codes_at(item)
    related = {"of": f"conversation/{view.name}"}
    if item.agent:
        related["by"] = f"agent/{item.agent}"
    if segment is not None:
        related["in"] = _segment_id(view, segment.index)
        if segment.connections[0].opened_by == item.position and segment.queue_id:
            related["from"] = f"queue/{segment.queue_id}"
    return {
        "id": f"{kind}/{view.name}/{item.position}",
        "type": name,
        "time": iso(item.at),
        "attributes": _named({**facts, "text": item.text or ""}),
        "relationships": _related(related.items()),
    }


def _objects(view: ExportView) -> Iterator[dict[str, Any]]:
    """Yield the conversation and its segments, agents and queues as OCEL objects.

    Conversations can share agents and queues, so these objects can repeat.
    """
    report = view.report
    facts = {
        "bot": view.bot_id,
        "phase": report.phase.value,
        "valid": str(report.valid).lower(),
        "findings": view.codes,
        "call": view.call_state,
    }
    yield _object("conversation", view.name, facts, ())
    for segment in view.segments:
        facts = {name: getattr(segment, name) for name in _OBJECT_ATTRIBUTES["segment"]}
        facts |= {name: facts[name] or UNKNOWN for name in ("role", "kind", "outcome")}
        related = list(_relations(view, segment))
        yield _object("segment", f"{view.name}/{segment.index}", facts, related)
    for agent, name in view.agents.items():
        yield _object("agent", agent, {"name": name}, ())
    for segment in view.segments:
        if segment.queue_id:
            yield _object("queue", segment.queue_id, {"name": segment.queue_name}, ())


def _relations(view: ExportView, segment: Segment) -> Iterator[tuple[str, str]]:
    yield "part of", f"conversation/{view.name}"
    yield "held by", f"agent/{segment.agent}"
    if segment.queue_id:
        yield "from", f"queue/{segment.queue_id}"
    others = [("follows", each.from_segment) for each in view.transfers_to.get(segment.index, ())]
    others += [("consults", segment.consult_of), ("resumes", segment.resumes)]
    for qualifier, index in others:
        if index is not None:
            yield qualifier, _segment_id(view, index)


def _segment_id(view: ExportView, index: int) -> str:
    return f"segment/{view.name}/{index}"


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
