"""Merge the lifecycle events, messages and actions of a conversation into one timeline.

Times are in UTC and never decrease. A message stays between the lifecycle events around it, as in
the check. Actions are sorted in by time. If any time is missing, the order of arrival is kept.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from operator import attrgetter
from typing import Final

from segue.core.conversation import Report, state_of
from segue.core.engine import Entry
from segue.core.epoch import utc
from segue.core.events import EventKind
from segue.core.lifecycle import MESSAGES, Phase
from segue.report.export.recorder import TimelineItem

_TICK: Final = timedelta(microseconds=1)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)
_AGENTLESS: Final = frozenset({EventKind.USER_MESSAGE, EventKind.MESSAGE})


def timeline_of(
    report: Report, recorded: Sequence[TimelineItem], *, has_unprocessable: bool = False
) -> tuple[TimelineItem, ...]:
    """Merge the lifecycle events of a report and the recorded items into one timeline.

    The recorded messages and actions are added to the events of the report. Recorded events that
    could not be processed are added only if `has_unprocessable` is true.
    """
    others = MESSAGES | {EventKind.UNPROCESSABLE} if has_unprocessable else MESSAGES
    lifecycle = {
        each.position: TimelineItem(each.position, each.kind, each.agent, each.received_at)
        for each in report.timeline
    }
    known = dict.fromkeys(each.agent for each in report.timeline if each.agent)
    end = max(lifecycle, default=0) if report.phase is Phase.ENDED else report.events
    entries = [each for each in state_of(report).entries if each.received_at is not None]
    items = [
        each if each.is_action else lifecycle.get(each.position) or _taken_back(each, entries)
        for each in _resolved(recorded, known)
        if each.is_action
        or each.position in lifecycle
        or (each.kind in others and each.position < end)
    ]
    return _ordered(items or list(lifecycle.values()))


def _taken_back(item: TimelineItem, entries: Sequence[Entry]) -> TimelineItem:
    """Return a message with its time, which is taken back if it was ahead of the times around it.

    `entries` are those of the conversation that have a time.
    """
    index = bisect_right(entries, item.position, key=attrgetter("position")) - 1
    if index < 0 or item.at is None or item.position >= entries[index].end:
        return item
    latest = entries[index].last_at or entries[index].received_at
    return item if latest is None else item._replace(at=min(utc(item.at), latest))


def clamped(times: Iterable[datetime | None]) -> Iterator[datetime | None]:
    """Convert times to UTC, and change them so that they never decrease.

    A time earlier than a previous one is replaced by the latest previous one. Unknown times remain
    None.
    """
    latest: datetime | None = None
    for time in times:
        if time is None:
            yield None
        else:
            latest = utc(time) if latest is None else max(utc(time), latest)
            yield latest


def ascending(items: Iterable[TimelineItem]) -> Iterator[TimelineItem]:
    """Yield the items of a timeline with times of which each is later than the one before.

    The events of one delivery have the same time. A tool for process mining that sorts events by
    their times would change their order. An item that is not later gets the time of the item before
    it plus one microsecond. Unknown times remain None.
    """
    latest: datetime | None = None
    for item in items:
        if item.at is None:
            yield item
        else:
            latest = item.at if latest is None else max(item.at, latest + _TICK)
            yield item._replace(at=latest)


def _resolved(items: Iterable[TimelineItem], known: Iterable[str]) -> Iterator[TimelineItem]:
    """Yield the items with each agent id spelled as in `known`, the ids in the lifecycle events.

    Letter case is ignored. An id that matches several known ids is kept unchanged.
    """
    alike: dict[str, list[str]] = {}
    for agent in known:
        alike.setdefault(agent.casefold(), []).append(agent)
    for item in items:
        agent = "" if item.kind in _AGENTLESS else item.agent
        same = alike.get(agent.casefold(), [])
        yield item._replace(agent=same[0] if len(same) == 1 else agent)


def _ordered(items: Sequence[TimelineItem]) -> tuple[TimelineItem, ...]:
    """Merge events and actions by time, or by arrival if any time is unknown.

    Items of the same type keep their order.
    """
    sorts = dict.fromkeys((EventKind, *(type(each.kind) for each in items)))
    timed = {
        sort: _timed(_before_next([each for each in items if type(each.kind) is sort]))
        for sort in sorts
    }
    if all(each.at is not None for each in items):
        return tuple(sorted(chain(*timed.values()), key=lambda each: each.at or _NEVER))
    rest = {sort: iter(found) for sort, found in timed.items()}
    return tuple(next(rest[type(each.kind)]) for each in items)


def _timed(items: Sequence[TimelineItem]) -> list[TimelineItem]:
    times = clamped(each.at for each in items)
    return [each._replace(at=at) for each, at in zip(items, times, strict=True)]


def _before_next(events: Sequence[TimelineItem]) -> list[TimelineItem]:
    """Return the events with message times that are not later than the next lifecycle event.

    A message that was later gets the time of that event.
    """
    done: list[TimelineItem] = []
    following: datetime | None = None
    for each in reversed(events):
        if each.is_message and each.at is not None and following is not None:
            done.append(each._replace(at=min(utc(each.at), following)))
        else:
            done.append(each)
            following = following if each.is_message else each.at or following
    return done[::-1]
