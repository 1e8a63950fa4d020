"""The export format `trace`: Chrome trace events, for Perfetto and chrome://tracing.

A conversation is a process with a thread for each agent. Connections are slices, events and
findings are instants, and transfers are arrows. Times are microseconds since 1970, so that all
conversations share one time axis.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import count
from typing import Any, Final

from segue.core.segments import Transfer
from segue.report.export.conversation_view import ExportView, finding_to_dict
from segue.report.export.identifiers import micros
from segue.report.export.role_intervals import intervals_of
from segue.report.json_list import json_list

_HEAD: Final = '{"displayTimeUnit": "ms", "traceEvents": ['
_CONVERSATION: Final = 1
_TRANSCRIPTION: Final = 2
_FIRST_AGENT: Final = 3
_CALL: Final = 1 << 20
"""The number of the outbound call's thread, which is above those of all agents."""


def trace_pieces(views: Iterable[ExportView]) -> Iterator[str]:
    """Yield one JSON document in pieces, with the trace events of all conversations."""
    return json_list(_HEAD, _events(views), lambda _: "]}\n")


def _events(views: Iterable[ExportView]) -> Iterator[dict[str, Any]]:
    arrows = count(1)
    for number, view in enumerate(views, 1):
        for event in _Process(view, arrows).events():
            yield {**event, "pid": number}


class _Process:
    """The trace events of one conversation, which is a process in the trace."""

    def __init__(self, view: ExportView, arrows: Iterator[int]) -> None:
        self._view = view
        self._arrows = arrows
        self._threads = {agent: number for number, agent in enumerate(view.agents, _FIRST_AGENT)}

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the trace events of the conversation as dicts for JSON.

        The names of the process and its threads come first. Viewers attach an arrow to the latest
        slice, so arrows come before instants.
        """
        view = self._view
        yield _named("process_name", _CONVERSATION, view.conversation_id)
        if view.bot_id:
            args = {"labels": view.bot_id}
            yield {"ph": "M", "name": "process_labels", "tid": _CONVERSATION, "args": args}
        yield _named("thread_name", _CONVERSATION, "conversation")
        if view.transcription:
            yield _named("thread_name", _TRANSCRIPTION, "transcription")
        if view.call_times:
            yield _named("thread_name", _CALL, "call")
        for agent, name in view.agents.items():
            title = f"{name} ({agent})" if name else agent
            yield _named("thread_name", self._threads[agent], title)
        yield from self._slices()
        for transfer in view.transfers:
            yield from self._arrow(transfer)
        yield from self._instants()

    def _slices(self) -> Iterator[dict[str, Any]]:
        view = self._view
        for segment in view.segments:
            for interval in intervals_of(view, segment):
                args = {
                    "segment": segment.index,
                    "opened_by": interval.connection.opened_kind,
                    "closed_by": interval.connection.closed_kind,
                    "outcome": segment.outcome,
                }
                if segment.queue_name or segment.queue_id:
                    args["queue"] = segment.queue_name or segment.queue_id
                thread = self._threads[segment.agent]
                times = interval.known_from, interval.end or view.end
                yield _slice(interval.role, "connection", thread, times, args)
        for state, start, end in view.transcription:
            times = start, end or view.end
            yield _slice(state.value, "transcription", _TRANSCRIPTION, times, {})
        if view.call_times:
            yield _slice(view.call_state, "call", _CALL, view.call_times, {})

    def _arrow(self, transfer: Transfer) -> Iterator[dict[str, Any]]:
        """Yield the two trace events that draw an arrow for a transfer.

        The first is at the start of the giver's last slice, since viewers draw the arrow from the
        end of that slice. The second is in the thread of the agent who took over, at the exit if
        the agent was only seen leaving. An agent whom no event names has the thread of the
        conversation.
        """
        giver = self._threads.get(transfer.from_agent or "", _CONVERSATION)
        taker = self._threads.get(transfer.to_agent or "", _CONVERSATION)
        shared = {"name": f"{transfer.kind} transfer", "cat": "transfer", "id": next(self._arrows)}
        yield {"ph": "s", **shared, "tid": giver, "ts": micros(self._start_of(transfer))}
        taken_at = transfer.taken_at
        if transfer.taken_by is None and transfer.to_segment is not None:
            taken_at = self._view.segments[transfer.to_segment].connections[0].ended_at
        yield {"ph": "f", "bp": "e", **shared, "tid": taker, "ts": micros(taken_at)}

    def _start_of(self, transfer: Transfer) -> datetime | None:
        """Return the start of the last slice of the agent who hands over."""
        left = transfer.taken_by if transfer.left_by is None else transfer.left_by
        if transfer.from_segment is None or left is None:
            return transfer.left_at or transfer.taken_at
        intervals = intervals_of(self._view, self._view.segments[transfer.from_segment])
        return [each.known_from for each in intervals if each.opened_by < left][-1]

    def _instants(self) -> Iterator[dict[str, Any]]:
        for item in self._view.timeline:
            thread = self._threads.get(item.agent, _CONVERSATION)
            kind = "message" if item.is_message else "action" if item.is_action else "lifecycle"
            text = {} if item.text is None else {"text": item.text}
            instant = _event("i", item.label, kind, thread, item.at)
            yield instant | {"args": {"position": item.position, **text}}
        for finding in self._view.report.findings:
            at, name = self._view.found_at(finding), f"{finding.code} {finding.name}"
            instant = _event("i", name, "finding", _CONVERSATION, at)
            yield instant | {"args": finding_to_dict(finding)}


def _named(what: str, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "tid": thread, "args": {"name": name}}


def _event(
    phase: str, name: str, category: str, thread: int, at: datetime | None
) -> dict[str, Any]:
    scope = {"s": "t"} if phase == "i" else {}
    shared = {"name": name, "cat": category, "tid": thread, "ts": micros(at)}
    return {"ph": phase, **scope, **shared}


def _slice(
    name: str,
    category: str,
    thread: int,
    times: tuple[datetime | None, datetime | None],
    args: dict[str, Any],
) -> dict[str, Any]:
    start, end = times
    length = {"dur": micros(end) - micros(start)}
    return _event("X", name, category, thread, start) | length | {"args": args}
