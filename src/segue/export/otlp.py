"""`otlp`: OpenTelemetry traces in the JSON mapping of OTLP, a trace a conversation, one a line.

It decides what a span is: the conversation is the root, each segment a span below it, each
connection one below that, each state of the transcription one below the root; messages, lifecycle
events and findings are events of the root; a transfer is a link.  A conversation that is not valid
has the status error.

House rules: ids are made from those of the conversation, so that sending it twice is sending it
once; ids are hexadecimal and 64-bit numbers are strings, as the mapping asks.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from segue.export.conversation_view import Episode, Needs
from segue.export.identifiers import digest, micros
from segue.findings import Finding
from segue.segments import Segment

__all__ = ["Otlp"]

_INTERNAL: Final = 1
_ERROR: Final = 2
_NANOS: Final = 1_000


class Otlp:
    """Writes a request for each conversation."""

    needs: Final[Needs] = "everything"

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def show(self, episode: Episode) -> None:
        """Write the trace of a conversation."""
        named = {"service.name": episode.bot_id or "unknown_service"}
        scope = {"scope": {"name": "segue"}, "spans": list(_Spans(episode))}
        spans = {"resource": {"attributes": _attributes(named)}, "scopeSpans": [scope]}
        self._write(f"{json.dumps({'resourceSpans': [spans]})}\n")

    def finish(self) -> None:
        """Write nothing: every line is a request."""


class _Spans:
    """The spans of one conversation."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._key = (episode.bot_id, episode.conversation_id)
        self._trace = digest("trace", *self._key)[:16].hex()
        self._links = {each.taker.index: each for each in episode.handovers()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield them, each after the one above it."""
        yield self._root()
        for segment in self._episode.segments:
            yield from self._segment(segment)
        for index, spell in enumerate(self._episode.spells):
            name = ("spell", index)
            facts = {"segue.state": spell.state.value}
            end = spell.end or self._episode.end
            yield self._span(name, ("root",), "transcription", (spell.start, end), facts)

    def _root(self) -> dict[str, Any]:
        episode, report = self._episode, self._episode.report
        facts = {
            "segue.conversation.id": episode.conversation_id,
            "segue.bot.id": episode.bot_id,
            "segue.phase": report.phase.value,
            "segue.valid": report.valid,
            "segue.findings": len(report.findings),
        }
        span = self._span(("root",), None, "conversation", (episode.start, episode.end), facts)
        errors = [finding.code for finding in report.findings if finding.severity == "error"]
        status = {"message": ", ".join(dict.fromkeys(errors)), "code": _ERROR} if errors else {}
        return {**span, "events": sorted(self._events(), key=_when), "status": status}

    def _segment(self, segment: Segment) -> Iterator[dict[str, Any]]:
        name, stays = ("segment", segment.index), segment.connections
        facts = {
            "segue.agent.id": segment.agent,
            "segue.agent.name": segment.name,
            "segue.role": segment.role,
            "segue.kind": segment.kind,
            "segue.outcome": segment.outcome,
            "segue.queue.id": segment.queue_id,
            "segue.queue.name": segment.queue_name,
        }
        lasts = stays[0].started_at, self._episode.closing(stays[-1])
        span = self._span(name, ("root",), f"{segment.role} segment", lasts, facts)
        handover = self._links.get(segment.index)
        if handover is not None:
            giver = self._id("segment", handover.giver.index)
            kind = _attributes({"segue.transfer": handover.kind})
            span["links"] = [{"traceId": self._trace, "spanId": giver, "attributes": kind}]
        yield span
        for index, stay in enumerate(stays):
            opened = {
                "segue.opened_by": stay.opened_kind,
                "segue.closed_by": stay.closed_kind or "",
            }
            times = stay.started_at, self._episode.closing(stay)
            yield self._span(("stay", segment.index, index), name, "connection", times, opened)

    def _events(self) -> Iterator[dict[str, Any]]:
        for each in self._episode.happenings:
            facts: dict[str, Any] = {"segue.position": each.position, "segue.agent.id": each.agent}
            if each.text is not None:
                facts["segue.text"] = each.text
            yield _event(each.at, each.label, facts)
        for finding in self._episode.report.findings:
            yield _event(self._episode.found_at(finding), finding.code, _told(finding))

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


def _told(finding: Finding) -> dict[str, object]:
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
    """Return what is known as attributes; nothing is told as an empty text."""
    return [{"key": key, "value": _value(value)} for key, value in facts.items() if value != ""]


def _value(value: object) -> dict[str, object]:
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def _nanos(at: datetime | None) -> str:
    assert at is not None  # noqa: S101 - a conversation without times is not told
    return str(micros(at) * _NANOS)
