"""The export format `otlp`: OpenTelemetry traces as OTLP in JSON, one request per line.

A conversation is a trace. Its root span has a child span for each segment and for each interval of
the transcription. The span of a segment has a child span for each connection. Events and findings
are span events of the root, and transfers are links. Ids are derived from the conversation, so that
sending it twice creates no duplicates.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from segue.core.findings import Finding
from segue.core.segments import Connection, Segment
from segue.core.version import __version__
from segue.report.export.conversation_view import ExportView
from segue.report.export.identifiers import digest, micros
from segue.report.export.role_intervals import UNKNOWN

_INTERNAL: Final = 1
_ERROR: Final = 2
_NANOS: Final = 1_000


def otlp_pieces(views: Iterable[ExportView]) -> Iterator[str]:
    """Yield one line of JSON for each conversation: a request that contains its spans."""
    for view in views:
        named = {"service.name": view.bot_id or "unknown_service"}
        scope = {"scope": {"name": "segue", "version": __version__}, "spans": list(_Spans(view))}
        spans = {"resource": {"attributes": _attributes(named)}, "scopeSpans": [scope]}
        yield f"{json.dumps({'resourceSpans': [spans]})}\n"


class _Spans:
    """The spans of one conversation, as an iterable of dicts for JSON."""

    def __init__(self, view: ExportView) -> None:
        self._view = view
        self._key = (view.bot_id, view.conversation_id)
        self._trace = digest("trace", *self._key)[:16].hex()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the spans as dicts, each parent before its children."""
        yield self._root()
        for segment in self._view.segments:
            yield from self._segment(segment)
        for index, each in enumerate(self._view.transcription):
            name = ("spell", index)
            facts, title = {"segue.state": each.state.value}, f"transcription {each.state.value}"
            end = each.end or self._view.end
            yield self._span(name, ("root",), title, (each.start, end), facts)
        if times := self._view.call_times:
            state = {"segue.state": self._view.call_state}
            yield self._span(("call",), ("root",), "call", times, state)

    def _root(self) -> dict[str, Any]:
        view, report = self._view, self._view.report
        facts = {
            "segue.conversation.id": view.conversation_id,
            "segue.bot.id": view.bot_id,
            "segue.phase": report.phase.value,
            "segue.valid": report.valid,
            "segue.findings": len(report.findings),
            "segue.call": view.call_state,
        }
        span = self._span(("root",), None, "conversation", (view.start, view.end), facts)
        errors = [finding.code for finding in report.findings if finding.severity == "error"]
        status = {"message": ", ".join(dict.fromkeys(errors)), "code": _ERROR} if errors else {}
        events = sorted(self._events(), key=_when)
        return {**span, "events": events, "status": status, **self._links(None)}

    def _links(self, segment: int | None) -> dict[str, Any]:
        """Return a link for each transfer to a segment, or to an agent who has none.

        A link leads to the segment of the agent who handed over, or else to the conversation.
        """
        links = []
        for each in self._view.transfers_to.get(segment, ()):
            name = ("root",) if each.from_segment is None else ("segment", each.from_segment)
            kind = _attributes({"segue.transfer": each.kind})
            link = {"traceId": self._trace, "spanId": self._id(*name), "attributes": kind}
            links.append(link)
        return {"links": links} if links else {}

    def _segment(self, segment: Segment) -> Iterator[dict[str, Any]]:
        name, connections = ("segment", segment.index), segment.connections
        role = segment.role or UNKNOWN
        facts = {
            "segue.agent.id": segment.agent,
            "segue.agent.name": segment.name,
            "segue.role": role,
            "segue.kind": segment.kind or UNKNOWN,
            "segue.outcome": segment.outcome or UNKNOWN,
            "segue.queue.id": segment.queue_id,
            "segue.queue.name": segment.queue_name,
        }
        times = _known_from(connections[0]), connections[-1].ended_at or self._view.end
        span = self._span(name, ("root",), f"{role} segment", times, facts)
        yield span | self._links(segment.index)
        for index, connection in enumerate(connections):
            kind = connection.opened_kind or UNKNOWN
            opened = {
                "segue.opened_by": kind,
                "segue.closed_by": connection.closed_kind or "",
            }
            times = _known_from(connection), connection.ended_at or self._view.end
            title = f"{kind} connection"
            yield self._span(("stay", segment.index, index), name, title, times, opened)

    def _events(self) -> Iterator[dict[str, Any]]:
        for each in self._view.timeline:
            facts: dict[str, Any] = {"segue.position": each.position, "segue.agent.id": each.agent}
            if each.text is not None:
                facts["segue.text"] = each.text
            yield _event(each.at, each.label, facts)
        for finding in self._view.report.findings:
            yield _event(self._view.found_at(finding), finding.code, _finding_attributes(finding))

    def _span(
        self,
        name: tuple[object, ...],
        above: tuple[object, ...] | None,
        title: str,
        times: tuple[datetime | None, datetime | None],
        facts: Mapping[str, object],
    ) -> dict[str, Any]:
        start, end = times
        return {
            "traceId": self._trace,
            "spanId": self._id(*name),
            **({} if above is None else {"parentSpanId": self._id(*above)}),
            "name": title,
            "kind": _INTERNAL,
            "startTimeUnixNano": _nanos(start),
            "endTimeUnixNano": _nanos(end),
            "attributes": _attributes(facts),
        }

    def _id(self, *name: object) -> str:
        return digest("span", *self._key, *name)[:8].hex()


def _known_from(connection: Connection) -> datetime | None:
    """Return the start of a connection, or its end if the agent was only seen leaving."""
    return connection.started_at or connection.ended_at


def _finding_attributes(finding: Finding) -> dict[str, object]:
    place = finding.place
    return {
        "segue.rule": finding.name,
        "segue.severity": finding.severity.value,
        **({} if place.event is None else {"segue.position": place.event}),
        "segue.message": finding.message,
        "segue.expected": ", ".join(finding.expected),
        "segue.help": finding.help,
    }


def _when(event: Mapping[str, Any]) -> int:
    return int(event["timeUnixNano"])


def _event(at: datetime | None, name: str, facts: Mapping[str, object]) -> dict[str, Any]:
    return {"timeUnixNano": _nanos(at), "name": name, "attributes": _attributes(facts)}


def _attributes(facts: Mapping[str, object]) -> list[dict[str, Any]]:
    """Return the values as a list of OTLP attributes. Empty strings are left out.

    Each attribute is a dict with the keys `key` and `value`.
    """
    return [{"key": key, "value": _value(value)} for key, value in facts.items() if value != ""]


def _value(value: object) -> dict[str, object]:
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def _nanos(at: datetime | None) -> str:
    return str(micros(at) * _NANOS)
