"""An episode: one conversation as every export tells it.

It decides what all exports agree on: what happened when, who handed over to whom, when something
was found, and whether times are missing.  House rules: an episode says nothing of the log it came
from, so that it is the same in every log; what is not known is None.  It refuses to know any
format.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from segue.conversation import Report
from segue.events import EventKind
from segue.export.recorder import Sighting
from segue.export.timeline import Happening, clamped, happenings_of
from segue.findings import Finding
from segue.segments import Connection, Segment
from segue.transcription import Spell

__all__ = ["Episode", "Handover", "Needs", "told"]

Needs = Literal["nothing", "lifecycle", "everything"]
"""What must have a time: nothing, lifecycle events, or messages and actions as well."""

_TAKINGS: Final = {EventKind.COLD_ENTRY: "COLD", EventKind.WARM_EXIT: "WARM"}


class Handover(NamedTuple):
    """The primary place going from one segment to another, by COLD or WARM transfer."""

    kind: str
    giver: Segment
    taker: Segment
    left: Connection
    """Of the giver, the last before the place was taken."""
    taken_at: datetime | None


class Episode:
    """What there is to tell of one conversation."""

    def __init__(self, report: Report, sightings: Sequence[Sighting] = ()) -> None:
        """Take a report, and what a witness saw of its conversation."""
        self.report = report
        self.conversation_id = report.conversation_id or ""
        self.bot_id = report.bot_id or ""
        self.happenings: tuple[Happening, ...] = happenings_of(report, sightings)
        """In order of time, and as they came in where that is equal or unknown."""
        self.spells: tuple[Spell, ...] = tuple(_spells(report.spells))
        seen = [*clamped(each.at for each in sightings), *(each.at for each in self.happenings)]
        times = sorted(at for at in (*seen, *(spell.start for spell in self.spells)) if at)
        self.start: datetime | None = times[0] if times else None
        """The first and the last time that is known."""
        self.end: datetime | None = times[-1] if times else None
        self._events = [each for each in self.happenings if not each.is_action]
        self._actions = [each for each in self.happenings if each.is_action]
        self._codes: dict[tuple[bool, int | None], list[str]] = {}
        for finding in report.findings:
            place = finding.place
            key = place.action is not None, place.event if place.action is None else place.action
            self._codes.setdefault(key, []).append(finding.code)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Who held the conversation, in order of entry."""
        return self.report.segments

    @property
    def codes(self) -> str:
        """The codes of all findings, each once."""
        return " ".join(dict.fromkeys(finding.code for finding in self.report.findings))

    @property
    def agents(self) -> dict[str, str]:
        """The names of all agents by identity, in order of appearance."""
        names = {each.agent: "" for each in self.happenings if each.agent}
        return names | {segment.agent: segment.name for segment in self.segments}

    def at(self, position: int | None) -> datetime | None:
        """Return when the event at a position came; None: there is none, or no time."""
        index = _index(self._events, position) if position is not None else -1
        is_there = index >= 0 and self._events[index].position == position
        return self._events[index].at if is_there else None

    def found_at(self, finding: Finding) -> datetime | None:
        """Return when something was found: at its event or action, or when all was over."""
        place = finding.place
        line, position = self._events, place.event
        if place.action is not None:
            line, position = self._actions, place.action
        if position is None:
            return self.end
        index = _index(line, position)
        return line[index].at if index >= 0 else self.start

    def codes_at(self, happening: Happening) -> str:
        """Return the codes of what was found at an event or action, each once."""
        key = happening.is_action, happening.position
        return " ".join(dict.fromkeys(self._codes.get(key, ())))

    def closing(self, connection: Connection) -> datetime | None:
        """Return when a connection ended, or where what is known of it ends."""
        return connection.ended_at or self.end

    def handovers(self) -> Iterator[Handover]:
        """Yield every transfer that somebody took."""
        kinds = {moment.position: moment.kind for moment in self.report.timeline}
        for taker in self.segments:
            if taker.previous is None:
                continue
            position = taker.promoted_at
            if position is None:
                position = taker.connections[0].opened_by
            giver = self.segments[taker.previous]
            before = [stay for stay in giver.connections if stay.opened_by < position]
            kind = _TAKINGS.get(kinds[position])
            if kind is not None and before:
                yield Handover(kind, giver, taker, before[-1], self.at(position))

    def lacks(self, needs: Needs) -> Happening | None:
        """Return the first thing without a time that needs one."""
        for each in self.happenings:
            is_needed = needs == "everything" or not (each.is_message or each.is_action)
            if needs != "nothing" and is_needed and each.at is None:
                return each
        return None


def told(finding: Finding) -> dict[str, Any]:
    """Return a finding as the documented JSON object, but for the lines of the log."""
    found = finding.to_dict()
    del found["line"]
    found["because"] = [
        {"event": cause.place.event, "text": cause.text} for cause in finding.because
    ]
    return found


def _index(line: Sequence[Happening], position: int) -> int:
    """Return where the last of these up to a position stands; -1: there is none."""
    return bisect_right(line, position, key=lambda each: each.position) - 1


def _spells(spells: Sequence[Spell]) -> Iterator[Spell]:
    """Yield spells with times that never run backwards."""
    starts = list(clamped(spell.start for spell in spells))
    for spell, start, end in zip(spells, starts, [*starts[1:], None], strict=False):
        yield Spell(spell.state, start, end)
