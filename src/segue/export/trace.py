"""`trace`: the Chrome trace event format, for Perfetto, chrome://tracing and other viewers.

It decides how a conversation is laid out: a process for each, with a thread for each agent, a slice
for each connection, instants for messages, lifecycle events and findings, a thread for the state of
the transcription, and an arrow for each transfer.  House rules: times are microseconds since 1970,
so that conversations of a day lie beside each other; one event a line, written as it comes; an
arrow stands before the instants of its time, for it is tied to what began last.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from segue.export.conversation_view import Episode, Handover, Needs, told
from segue.export.identifiers import micros
from segue.export.role_intervals import stays_of

__all__ = ["Trace"]

_CONVERSATION: Final = 1
_TRANSCRIPTION: Final = 2
_FIRST_AGENT: Final = 3


class Trace:
    """Writes one document: the events of all conversations."""

    needs: Final[Needs] = "everything"

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._before = '{"displayTimeUnit": "ms", "traceEvents": [\n'
        self._processes = 0
        self._arrows = 0

    def show(self, episode: Episode) -> None:
        """Write the events of a conversation."""
        self._processes += 1
        for event in _Process(episode, self._arrows + 1).events():
            self._arrows += event["ph"] == "s"
            self._write(f"{self._before}{json.dumps({**event, 'pid': self._processes})}")
            self._before = ",\n"

    def finish(self) -> None:
        """Close the list."""
        self._write(f"{self._before}]}}\n" if not self._processes else "\n]}\n")


class _Process:
    """One conversation."""

    def __init__(self, episode: Episode, arrow: int) -> None:
        self._episode = episode
        self._arrow = arrow
        self._threads = {agent: number for number, agent in enumerate(episode.agents, _FIRST_AGENT)}

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield its events, the names of process and threads first."""
        episode = self._episode
        yield _named("process_name", _CONVERSATION, episode.conversation_id)
        if episode.bot_id:
            args = {"labels": episode.bot_id}
            yield {"ph": "M", "name": "process_labels", "tid": _CONVERSATION, "args": args}
        yield _named("thread_name", _CONVERSATION, "conversation")
        if episode.spells:
            yield _named("thread_name", _TRANSCRIPTION, "transcription")
        for agent, name in episode.agents.items():
            title = f"{name} ({agent})" if name else agent
            yield _named("thread_name", self._threads[agent], title)
        yield from self._stays()
        yield from self._spells()
        for arrow, handover in enumerate(episode.handovers(), self._arrow):
            yield from self._arrow_of(handover, arrow)
        yield from self._instants()

    def _stays(self) -> Iterator[dict[str, Any]]:
        for segment in self._episode.segments:
            for role, stay, start, end in stays_of(self._episode, segment):
                args = {
                    "segment": segment.index,
                    "opened_by": stay.opened_kind,
                    "closed_by": stay.closed_kind,
                    "outcome": segment.outcome,
                }
                if segment.queue_name or segment.queue_id:
                    args["queue"] = segment.queue_name or segment.queue_id
                tid = self._threads[segment.agent]
                yield _slice(role, "connection", tid, start, end or self._episode.end, args)

    def _spells(self) -> Iterator[dict[str, Any]]:
        for spell in self._episode.spells:
            end = spell.end or self._episode.end
            yield _slice(spell.state.value, "transcription", _TRANSCRIPTION, spell.start, end, {})

    def _instants(self) -> Iterator[dict[str, Any]]:
        for each in self._episode.happenings:
            tid = self._threads.get(each.agent, _CONVERSATION)
            kind = "message" if each.is_message else "lifecycle"
            args: dict[str, Any] = {"position": each.position}
            if each.text is not None:
                args["text"] = each.text
            yield _instant(each.label, "action" if each.is_action else kind, tid, each.at, args)
        for finding in self._episode.report.findings:
            at, name = self._episode.found_at(finding), f"{finding.code} {finding.name}"
            yield _instant(name, "finding", _CONVERSATION, at, told(finding))

    def _arrow_of(self, handover: Handover, number: int) -> Iterator[dict[str, Any]]:
        """Yield both ends of an arrow; viewers draw it from the end of the slice it begins in."""
        giver, taker = self._threads[handover.giver.agent], self._threads[handover.taker.agent]
        stays = stays_of(self._episode, handover.giver)
        starts = [stay.start for stay in stays if stay.connection is handover.left]
        shared = {"name": f"{handover.kind} transfer", "cat": "transfer", "id": number}
        yield {"ph": "s", **shared, "tid": giver, "ts": _ts(starts[-1])}
        yield {"ph": "f", "bp": "e", **shared, "tid": taker, "ts": _ts(handover.taken_at)}


def _named(what: str, tid: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "tid": tid, "args": {"name": name}}


def _slice(  # noqa: PLR0913, PLR0917 - what a slice has
    name: str,
    category: str,
    tid: int,
    start: datetime | None,
    end: datetime | None,
    args: dict[str, Any],
) -> dict[str, Any]:
    ts = _ts(start)
    shared = {"ph": "X", "name": name, "cat": category, "tid": tid}
    return {**shared, "ts": ts, "dur": _ts(end) - ts, "args": args}


def _instant(
    name: str, category: str, tid: int, at: datetime | None, args: dict[str, Any]
) -> dict[str, Any]:
    shared = {"ph": "i", "s": "t", "name": name, "cat": category, "tid": tid}
    return {**shared, "ts": _ts(at), "args": args}


def _ts(at: datetime | None) -> int:
    assert at is not None  # noqa: S101 - a conversation without times is not told
    return micros(at)
