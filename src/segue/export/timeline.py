"""What happened in a conversation, in one order: lifecycle events, messages, actions.

It decides where each stands in time: in UTC, and never before what came before it.  A message stays
between the lifecycle events around it, since that is what the check went by; an action is put among
them by its time, since nothing else says how the two endpoints belong together.  House rule: as
long as a time is missing, what came in first stands first.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from segue.conversation import Report
from segue.events import EventKind
from segue.export.recorder import Sighting
from segue.lifecycle import MESSAGES, Phase
from segue.segments import utc

__all__ = ["Happening", "clamped", "happenings_of"]

_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_OF_NOBODY: Final = frozenset({EventKind.USER_MESSAGE, EventKind.MESSAGE})


class Happening(NamedTuple):
    """One lifecycle event, message or transcription action."""

    position: int
    """Among the events; of an action among the actions."""
    kind: EventKind | None
    """None: an action."""
    label: str
    agent: str
    """Identity; empty: a user, or nobody."""
    at: datetime | None
    text: str | None = None

    @property
    def is_message(self) -> bool:
        """Whether somebody said something."""
        return self.kind in MESSAGES

    @property
    def is_action(self) -> bool:
        """Whether it is about the transcription."""
        return self.kind is None


def happenings_of(report: Report, sightings: Sequence[Sighting]) -> tuple[Happening, ...]:
    """Return all that happened; without sightings lifecycle events are all there is to tell."""
    moments = {
        moment.position: Happening(
            moment.position, moment.kind, moment.kind.value, moment.agent, at
        )
        for moment, at in zip(report.timeline, clamped(report.times), strict=True)
    }
    known = dict.fromkeys(moment.agent for moment in report.timeline if moment.agent)
    last = max(moments, default=0) if report.phase is Phase.ENDED else report.events
    told = [
        moments.get(each.position, each) if each.kind is not None else each
        for each in _resolved(sightings, known)
        if each.is_action or each.position in moments or (each.is_message and each.position < last)
    ]
    return _ordered(told or list(moments.values()))


def clamped(times: Iterable[datetime | None]) -> Iterator[datetime | None]:
    """Yield times in UTC, none of them before the one before it."""
    latest: datetime | None = None
    for time in times:
        if time is None:
            yield None
        else:
            latest = utc(time) if latest is None else max(utc(time), latest)
            yield latest


def _resolved(sightings: Iterable[Sighting], known: Iterable[str]) -> Iterator[Happening]:
    """Yield happenings, each by the agent that the check took the spelling for."""
    alike: dict[str, list[str]] = {}
    for agent in known:
        alike.setdefault(agent.casefold(), []).append(agent)
    for seen in sightings:
        agent = "" if seen.kind in _OF_NOBODY else seen.agent
        same = alike.get(agent.casefold(), [])
        if len(same) == 1:
            agent = same[0]
        yield Happening(seen.position, seen.kind, seen.label, agent, seen.at, seen.text)


def _ordered(told: Sequence[Happening]) -> tuple[Happening, ...]:
    actions = _timed([each for each in told if each.is_action])
    events = _timed(_held([each for each in told if not each.is_action]))
    if all(each.at is not None for each in told):
        return tuple(sorted((*events, *actions), key=lambda each: each.at or _NEVER))
    rest = {True: iter(actions), False: iter(events)}
    return tuple(next(rest[each.is_action]) for each in told)


def _timed(told: Sequence[Happening]) -> list[Happening]:
    times = clamped(each.at for each in told)
    return [each._replace(at=at) for each, at in zip(told, times, strict=True)]


def _held(events: Sequence[Happening]) -> list[Happening]:
    """Keep messages from standing after the next lifecycle event."""
    held: list[Happening] = []
    following: datetime | None = None
    for each in reversed(events):
        if each.is_message and each.at is not None and following is not None:
            held.append(each._replace(at=min(utc(each.at), following)))
        else:
            held.append(each)
            following = following if each.is_message else each.at or following
    return held[::-1]
