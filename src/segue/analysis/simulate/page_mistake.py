"""The mistake on the documentation page of a rule, which can be repeated in any conversation.

A page has two logs: an example that breaks the rule, and the same log corrected. Their difference
is the mistake: deliveries are lost, added, moved or changed. `places` finds sequences of deliveries
in a conversation that match the corrected log. `make` replaces such a sequence by the example.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.page_logs import APART, PageLine, RuleLogs, logs_of
from segue.analysis.simulate.script import LogPart, Script, ScriptItem
from segue.analysis.simulate.translation import GONE, Changes, Path, Translation
from segue.core.events import TRANSCRIPTION, Json

_CONTEXT: Final = ((0, 0), (1, 0), (0, 1), (1, 1))
"""For each width, the number of lines that must match before and after the difference."""
_SHORTLY: Final = 50


class _Step(NamedTuple):
    """The instructions for making a delivery of the example from one of the corrected log."""

    item: ScriptItem
    source: int | None
    """The index of that corrected delivery in the window, or None for an added delivery."""
    changes: Changes
    delay: int
    """The milliseconds between the corrected delivery and this one."""


class _Window(NamedTuple):
    """A sequence of events to search for in a conversation, and the steps that replace it."""

    before: tuple[StoryEvent, ...]
    after: tuple[_Step, ...]


class _Place(NamedTuple):
    positions: tuple[int, ...]
    """The indices of the matching deliveries in the conversation."""
    agents: dict[str, str]
    """The agent ids of the conversation, by the agent ids on the page."""
    after: tuple[_Step, ...]


class PageMistake:
    """The mistake shown on the documentation page of a rule, such as `SG103`.

    It is the difference between the two logs on the page. It implements `MistakeMaker`.
    """

    widths = range(len(_CONTEXT))

    def __init__(self, code: str) -> None:
        self.code = code
        page = logs_of(code)
        self._windows = [_window(page, *context) for context in _CONTEXT]
        texts = {line.text for line in page.example} ^ {line.text for line in page.corrected}
        events = [line.item.story_event for log in page for line in log if line.text in texts]
        is_needed = {
            LogPart.MESSAGES: any(event is not None and event.is_message for event in events),
            LogPart.TRANSCRIPTION: any(
                line.item.intake is TRANSCRIPTION for line in page.corrected
            ),
            LogPart.CALLS: any(line.item.intake.is_callback for line in page.corrected),
            LogPart.ENVELOPES: any('"received_at"' in line.text for line in page.corrected),
        }
        self.needs = frozenset(part for part in LogPart if is_needed[part])

    def places(self, script: Script, width: int) -> Sequence[_Place]:
        """Return the places in a conversation whose events match those of the corrected log.

        A greater width requires that more lines before and after the mistake match.
        """
        window = self._windows[width]
        if window is None:
            return []
        events = [item.story_event for item in script.items]
        matches = (_match(window.before, events, start) for start in range(len(events)))
        return [_Place(*match, window.after) for match in matches if match is not None]

    def make(self, script: Script, place: _Place, strangers: Iterator[str]) -> None:
        """Replace the deliveries at a place by deliveries that make the mistake.

        `strangers` yields agents for agents on the page that have no match in the conversation.
        """
        translation = Translation(script, place.agents, strangers)
        items, positions = script.items, place.positions
        made: list[ScriptItem] = []
        now, latest = items[positions[0]].at - len(place.after) * _SHORTLY, -1
        for step in place.after:
            now += _SHORTLY
            if step.source is None:
                item = translation.item(step.item)
            else:
                item = translation.changed(items[positions[step.source]], step.item, step.changes)
                if step.source > latest:
                    now, latest = max(now, item.at), step.source
            item.at = now
            made.append(item)
        begin, stop = positions[0], positions[-1] + 1
        others = [items[index] for index in range(begin, stop) if index not in positions]
        items[begin:stop] = sorted([*others, *made], key=lambda item: item.at)
        for item, step in zip(made, place.after, strict=True):
            item.at += step.delay


def _window(page: RuleLogs, earlier: int, later: int) -> _Window | None:
    """Return the lines in which the two logs on a page differ, with lines of context.

    `earlier` and `later` are the numbers of context lines before and after. Return None if these
    lines of the corrected log contain no event, or an unreadable one, or if the example copies a
    line from outside of them.
    """
    example, corrected = ([line.text for line in log] for log in page)
    shorter = min(len(example), len(corrected))
    first = next((n for n in range(shorter) if example[n] != corrected[n]), shorter)
    rest = shorter - first
    last = next((n for n in range(rest) if example[-1 - n] != corrected[-1 - n]), rest)
    begin, tail = max(0, first - earlier), max(0, last - later)
    before = [line.item.story_event for line in page.corrected[begin : len(corrected) - tail]]
    lines = page.example[begin : len(example) - tail]
    sources = range(begin, len(corrected) - tail)
    if not before or any(line.source is not None and line.source not in sources for line in lines):
        return None
    steps = [_step(line, page.corrected, begin) for line in lines]
    events = tuple(event for event in before if event is not None)
    return _Window(events, tuple(steps)) if len(events) == len(before) else None


def _step(line: PageLine, corrected: Sequence[PageLine], begin: int) -> _Step:
    if line.source is None:
        return _Step(line.item, None, (), 0)
    text, source, _ = corrected[line.source]
    is_timed = line.text != text and line.item.at > APART * len(corrected)
    return _Step(
        line.item,
        line.source - begin,
        tuple(_changes(source.body, line.item.body)),
        line.item.at - source.at if is_timed else 0,
    )


def _changes(one: Json, other: Json, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield `(path, value)` for each value to set to turn the JSON value `one` into `other`."""
    if isinstance(one, dict) and isinstance(other, dict) and not _is_another_agent(one, other):
        for key in one.keys() | other.keys():
            yield from _changes(one.get(key, GONE), other.get(key, GONE), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other, strict=True)):
            yield from _changes(*pair, (*path, index))
    elif one != other:
        yield path, other


def _is_another_agent(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return "identity" in one and all(one[key] != other.get(key) for key in ("identity", "name"))


def _match(
    before: Sequence[StoryEvent], events: Sequence[StoryEvent | None], start: int
) -> tuple[tuple[int, ...], dict[str, str]] | None:
    """Match the events `before` with events of a conversation, beginning at the index `start`.

    Messages, actions and notifications may come in between. Return the indices of the matching
    events, and a dictionary from agent ids on the page to agent ids in the conversation. Return
    None if the events do not match.
    """
    positions: list[int] = []
    agents: dict[str, str] = {}
    for index in range(start, len(events)):
        event, wanted = events[index], before[len(positions)]
        if event is not None and _fits(event, wanted, agents):
            positions.append(index)
            if wanted.agent:
                agents[wanted.agent] = event.agent
            if len(positions) == len(before):
                return tuple(positions), agents
        elif not positions or event is None or not _is_aside(event):
            return None
    return None


def _is_aside(event: StoryEvent) -> bool:
    return event.is_message or event.is_action or event.is_call


def _fits(event: StoryEvent, wanted: StoryEvent, agents: Mapping[str, str]) -> bool:
    if event.label != wanted.label:
        return False
    if wanted.agent in agents or not wanted.agent:
        return agents.get(wanted.agent, event.agent) == event.agent
    return event.agent not in agents.values()
