"""The segments and metrics of a conversation after the edits of its explanation.

An event that was put in or moved happened at some time between its neighbours, and sometimes its
place among them is open too. So segments and metrics are computed several times: with each such
event at the earliest and at the latest time of every place where the conversation has no more
offences than at the place of the explanation. A figure is the range of the results.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice, pairwise, product
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.engine.entries import Entry
from segue.core.engine.entry_replay import Past, judged_entries, replay
from segue.core.explain.edited import NOBODY, EditedEntry, edited_entries
from segue.core.explain.edits import Edit, Explanation, Mistake
from segue.core.explain.told import ERRORS
from segue.core.reprs import shows
from segue.core.segments import METRIC_NAMES, Metrics, Segment, SegmentBuilder, measure
from segue.core.segments.segment import plain
from segue.core.segments.stretch import Intervals

MOST_UNTIMED: Final = 4
"""The maximum number of events of unknown time. With more of them, nothing is known."""
_MOST_PLACES: Final = 32
"""The maximum number of events that an event may pass to another place."""
_MOST_JUDGED: Final = 20_000
"""The maximum number of entries that are judged to find places."""
_MOST_CASES: Final = 64
"""The number of combinations above which only the first and the last place of events count."""

Figure: TypeAlias = timedelta | float | int


class Range(NamedTuple):
    """The bounds of a figure, which are equal if it is exact."""

    at_least: Any
    at_most: Any

    @property
    def is_exact(self) -> bool:
        """Whether the figure is known exactly."""
        return bool(self.at_least == self.at_most)

    def to_dict(self) -> dict[str, object]:
        """Return the range as a JSON object. Durations are numbers of seconds."""
        return {"at_least": plain(self.at_least), "at_most": plain(self.at_most)}


@dataclass(frozen=True, slots=True)
class MendedSegment:
    """The presence of one agent after the edits."""

    segment: Segment
    """The segment. Positions are those of the conversation as told. The position of an event that
    was put in is None, and so is a time that is not known.
    """
    connected_time: Range | None
    hold_time: Range | None
    talk_time: Range | None

    __repr__ = shows()

    def to_dict(self, *, include_custom_fields: bool = False) -> dict[str, object]:
        """Return the segment as a JSON object with the keys of the report schema."""
        found = self.segment.to_dict(include_custom_fields=include_custom_fields)
        return found | {name: _plain(getattr(self, name)) for name in _Times._fields}


@dataclass(frozen=True, slots=True)
class Mended:
    """What segments and metrics are after the edits of the explanation."""

    segments: tuple[MendedSegment, ...]
    """The segments in order of entry."""
    metrics: Mapping[str, Range | None] = field(hash=False)
    """The metrics by name, see `Metrics`. None for a metric that is not known."""

    __repr__ = shows()

    def changed(self, told: Metrics) -> set[str]:
        """Return the names of the metrics that are not the same as told, or not exactly known."""
        found = ((name, getattr(told, name), each) for name, each in self.metrics.items())
        return {
            name
            for name, value, each in found
            if each != (None if value is None else (value, value))
        }

    def to_dict(self) -> dict[str, object]:
        """Return the segments and metrics as a JSON object with the keys of the report schema."""
        return {
            "segments": [segment.to_dict() for segment in self.segments],
            "metrics": {name: _plain(each) for name, each in self.metrics.items()},
        }


def _plain(found: Range | None) -> dict[str, object] | None:
    return None if found is None else found.to_dict()


METRICS: Final = tuple(name for name in METRIC_NAMES if name not in {"ring_time", "call_time"})
"""The metrics that depend on the events of agents and messages."""


class Setting(NamedTuple):
    """What figures depend on apart from the entries."""

    past: Past
    """The conversation as told."""
    transcription: Intervals


def mended(entries: Iterable[Entry], explanation: Explanation, setting: Setting) -> Mended:
    """Return the segments and metrics of a conversation after the edits of its explanation."""
    told = list(entries)

    def made(edits: Iterable[Edit]) -> _Variant:
        edits = [*edits, *explanation.free]
        return _Variant(edited_entries(told, edits, explanation.read), setting)

    variants = [made(each) for each in _scripts(explanation)]
    of_other_kinds = map(made, _scripts_of_other_kinds(explanation))
    variants += [each for each in of_other_kinds if each.errors <= variants[0].errors]
    metrics = [each for variant in variants for each in variant.metrics()]
    segments = [_by_agent(each) for variant in variants for each in variant.segments()]
    return Mended(
        tuple(variants[0].mended(segments)),
        {name: _over(metrics, name) for name in METRICS},
    )


def _scripts(explanation: Explanation) -> Iterator[list[Edit]]:
    """Yield the edits of the explanation, and those with an alternative in the place of one."""
    yield [edit for mistake in explanation.mistakes for edit in mistake.edits]
    for mistake, others in _mistakes(explanation):
        for alternative in mistake.others:
            yield [*others, *alternative.edits]


def _scripts_of_other_kinds(explanation: Explanation) -> Iterator[list[Edit]]:
    """Yield the edits of the explanation with another kind of a lost exit."""
    for mistake, others in _mistakes(explanation):
        for edits in mistake.variants:
            yield [*others, *edits]


def _mistakes(explanation: Explanation) -> Iterator[tuple[Mistake, list[Edit]]]:
    """Yield each mistake that has edits, and the edits of the others."""
    for mistake in explanation.mistakes:
        others = (each for each in explanation.mistakes if each is not mistake)
        if mistake.edits:
            yield mistake, [edit for each in others for edit in each.edits]


def _over(values: Sequence[Any], name: str) -> Range | None:
    """Return the range of an attribute over some values, or None if one is unknown."""
    found = [getattr(each, name) for each in values]
    if not found or None in found:
        return None
    return Range(min(found), max(found))


_Stay: TypeAlias = tuple[str, int]
"""The identity of an agent, and the number of the agent's segment from 0."""


def _by_agent(segments: Iterable[Segment]) -> dict[_Stay, Segment]:
    """Return segments in order, by agent."""
    stays: Counter[str] = Counter()
    found = {}
    for each in segments:
        found[each.agent, stays[each.agent]] = each
        stays[each.agent] += 1
    return found


class _Times(NamedTuple):
    """The times of a segment."""

    connected_time: timedelta
    hold_time: timedelta
    talk_time: timedelta


_ABSENT: Final = _Times(timedelta(0), timedelta(0), timedelta(0))

Case: TypeAlias = tuple[int, datetime | None]
"""A place in the list of the other entries, and a time."""


class _Variant:
    """A conversation after some edits, with every possible time of its untimed events."""

    def __init__(self, edited: Sequence[EditedEntry], setting: Setting) -> None:
        self._edited, self._setting = edited, setting
        self._untimed = [at for at, each in enumerate(edited) if not each.is_timed]
        self._budget = _MOST_JUDGED
        self._most = self._offences(edited)

    @property
    def errors(self) -> int:
        """The number of errors after the edits."""
        return self._most[0]

    def metrics(self) -> list[Metrics]:
        """Return the metrics of each case. One without known values if there are too many."""
        if len(self._untimed) > MOST_UNTIMED:
            return [self._measured(self._edited)]
        return [self._measured(each) for each in self._cases]

    def segments(self) -> list[Sequence[Segment]]:
        """Return the segments of each case. Some times are unknown if there are too many."""
        cases = [self._edited] if len(self._untimed) > MOST_UNTIMED else self._cases
        return [self._built(each).segments(self._setting.transcription) for each in cases]

    def mended(self, cases: Sequence[Mapping[_Stay, Segment]]) -> Iterator[MendedSegment]:
        """Yield the segments with the ranges of their times in all cases.

        A segment has no time in a case in which its agent did not stay so often.
        """
        base = self._built(self._edited).segments(self._setting.transcription)
        for stay, segment in _by_agent(base).items():
            same = [case.get(stay, _ABSENT) for case in cases]
            yield MendedSegment(
                self._as_told(segment), *(_over(same, name) for name in _Times._fields)
            )

    def _as_told(self, segment: Segment) -> Segment:
        """Return a segment with the positions of the conversation as told."""
        connections = tuple(
            replace(
                each,
                opened_by=self._told(each.opened_by),
                closed_by=self._told(each.closed_by),
            )
            for each in segment.connections
        )
        promoted_at = self._told(segment.promoted_at)
        agent = "" if segment.agent == NOBODY else segment.agent
        return replace(segment, agent=agent, connections=connections, promoted_at=promoted_at)

    def _told(self, position: int | None) -> Any:  # noqa: ANN401 - None for an event put in
        return None if position is None or position < 0 else self._edited[position].origin

    @cached_property
    def _cases(self) -> list[list[EditedEntry]]:
        """The entries with all untimed events at each of their possible places and times."""
        fixed = [each for each in self._edited if each.is_timed]
        options = [self._options(at, fixed) for at in self._untimed]
        if prod(map(len, options)) > _MOST_CASES:
            options = [[each[0], each[-1]] for each in options]
        untimed = [self._edited[at] for at in self._untimed]
        cases = (_merged(fixed, untimed, choice) for choice in product(*options))
        possible = [case for case in cases if self._is_possible(case)]
        return possible or [[*self._edited]]

    def _is_possible(self, case: Sequence[EditedEntry]) -> bool:
        times = [each.entry.received_at for each in case]
        known = [at for at in times if at is not None]
        is_ordered = all(one <= other for one, other in pairwise(known))
        return is_ordered and self._offences(case) <= self._most

    def _options(self, index: int, fixed: Sequence[EditedEntry]) -> list[Case]:
        """Return the possible places and times of an untimed event among the others, in order."""
        places = self._places(index)
        times = [each.entry.received_at for each in fixed]
        ends = [each.entry.last_at or each.entry.received_at for each in fixed]
        found: dict[Case, None] = {}
        for place in places:
            passed = ends if place == places[0] else times  # it may be within a run of messages
            before = next((at for at in reversed(passed[:place]) if at is not None), None)
            after = next((at for at in times[place:] if at is not None), None)
            found |= dict.fromkeys(
                (place, at) for at in (before, *self._turns(before, after), after)
            )
        return list(found)

    def _turns(self, before: datetime | None, after: datetime | None) -> Iterator[datetime]:
        """Yield the times between two others at which the transcription changes its state.

        Only there or at the ends can the share of a state in the connected time be extreme.
        """
        if before is not None and after is not None:
            for _, start, _ in self._setting.transcription:
                if start is not None and before < start < after:
                    yield start

    def _places(self, index: int) -> list[int]:
        """Return the places among the timed entries where an untimed one may be, in order."""
        here = sum(each.is_timed for each in self._edited[:index])
        if self._edited[index].is_placed is False:
            below = self._legal(index, range(index - 1, max(index - _MOST_PLACES, 0) - 1, -1))
            last = min(index + _MOST_PLACES, len(self._edited) - 1)
            above = self._legal(index, range(index + 1, last + 1))
            passed = [at for at in (*below, *above) if self._edited[at].is_timed]
            down = sum(at < index for at in passed)
            return [*range(here - down, here + len(passed) - down + 1)]
        return [here]

    def _legal(self, index: int, others: Iterable[int]) -> Iterator[int]:
        """Yield the events that an event may pass, as far as each place has no more offences."""
        rest = [*self._edited[:index], *self._edited[index + 1 :]]
        for other in others:
            moved = [*rest[:other], self._edited[index], *rest[other:]]
            self._budget -= len(moved)
            if self._budget < 0 or self._offences(moved) > self._most:
                return
            yield other

    def _offences(self, edited: Iterable[EditedEntry]) -> tuple[int, int]:
        """Return the number of errors, and of other findings about order and presence."""
        entries = (each.entry for each in edited)
        codes = [each.code for each in judged_entries(entries, self._setting.past.start)]
        errors = sum(code in ERRORS for code in codes)
        return errors, len(codes) - codes.count(None) - errors

    def _built(self, edited: Iterable[EditedEntry]) -> SegmentBuilder:
        past = self._setting.past
        entries = [each.entry._replace(position=at) for at, each in enumerate(edited)]
        builder = replay(past._replace(entries=entries, respelled=frozenset()))
        builder.dialogue.is_whole = not any(entry.is_counted for entry in past.entries)
        return builder

    def _measured(self, edited: Iterable[EditedEntry]) -> Metrics:
        return measure(self._built(edited), self._setting.transcription)


def _merged(
    fixed: Sequence[EditedEntry], untimed: Sequence[EditedEntry], choice: Sequence[Case]
) -> list[EditedEntry]:
    """Return all entries in order, with the untimed ones at the chosen places and times."""
    found: list[EditedEntry] = []
    chosen = [*zip(choice, untimed, strict=True)]
    for place in range(len(fixed) + 1):
        for (there, at), each in chosen:
            if there == place:
                found.append(each._replace(entry=each.entry._replace(received_at=at)))
        found += islice(fixed, place, place + 1)
    return found
