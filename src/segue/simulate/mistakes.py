"""What senders get wrong: one mistake for every rule, read off the rule's page, and broken fields.

A page has a log that offends its rule, and the same log corrected. What differs between the two is
the mistake: deliveries lost, added, moved or changed. `places` finds where a conversation has the
deliveries of the corrected log, and `make` puts those of the example in their place. Whether the
conversation then gives exactly that finding is for the check to say.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from segue.events import HOOKS, INTAKES, TRANSCRIPTION, IdSource
from segue.events.fields import FIELDS
from segue.events.shapes import Field, Need, shape_of
from segue.simulate.bodies import Json, StoryEvent
from segue.simulate.script import SECOND, Script, ScriptItem

WIDTHS: Final = range(4)
"""The widths that `Mistake.places` takes."""


class LogPart(StrEnum):
    """What a log may be made without, and a mistake may need."""

    MESSAGES = "messages"
    TRANSCRIPTION = "transcription"
    ENVELOPES = "envelopes"


Place: TypeAlias = Any
"""What `Mistake.places` returns and `Mistake.make` takes."""


class Mistake(Protocol):
    """One way to offend a rule."""

    code: str
    needs: frozenset[LogPart]
    """What a log must have for it."""

    def places(self, script: Script, width: int, /) -> Sequence[Any]:
        """Return where it can be made; a greater width asks for more of the page's context."""

    def make(self, script: Script, place: Place, strangers: Iterator[str], /) -> None:
        """Make it at one of its places; `strangers` are agents who take no part."""


@cache
def mistakes_of(code: str) -> tuple[Mistake, ...]:
    """Return the mistakes that offend a rule: that of its page, and broken fields if it has any."""
    page = _PageMistake(code)
    return (page, _BrokenField(code)) if code in _BREAKS else (page,)


def page_log(
    code: str, script: Script, strangers: Iterator[str], *, corrected: bool
) -> list[ScriptItem]:
    """Return a log of a rule's page as deliveries of a conversation.

    Args:
        code: code of the rule.
        script: the conversation, for its ids, experience and participants.
        strangers: the agents who take part.
        corrected: whether to return the corrected log rather than the one that offends the rule.

    """
    page, translation = _page(code), _Translation(script, {}, strangers)
    lines = page.corrected if corrected else page.example
    begin = lines[0].item.at
    items = [translation.item(line.item) for line in lines]
    for item in items:
        item.at -= begin
    return items


# Reading a page.

_Path: TypeAlias = tuple[str | int, ...]

_BLOCK: Final = re.compile(r"```jsonl\n(.*?)```", re.DOTALL)
_APART: Final = 2 * SECOND
_GONE: Final = object()


class _Line(NamedTuple):
    """A line of a page's log."""

    text: str
    item: ScriptItem
    source: int | None = None
    """Of an example: index of the line of the corrected log that it comes from."""


class _Page(NamedTuple):
    example: list[_Line]
    corrected: list[_Line]


@cache
def _page(code: str) -> _Page:
    text = files("segue.findings").joinpath("pages", f"{code}.md").read_text("utf-8")
    example, corrected = (block.splitlines() for block in _BLOCK.findall(text))
    lines = [_Line(line, _item(line, number)) for number, line in enumerate(corrected)]
    found: list[_Line] = []
    for number, source in enumerate(_sources(example, corrected)):
        line = example[number]
        try:
            item = _item(line, number)
        except json.JSONDecodeError:  # a line that is cut off
            if source is None:
                item = ScriptItem(number * _APART, {}, arriving=0.5)
            else:
                item = lines[source].item.copy()
                item.arriving = len(line) / len(corrected[source])
        found.append(_Line(line, item, source))
    return _Page(found, lines)


def _sources(example: list[str], corrected: list[str]) -> list[int | None]:
    """Return for each line of the example the line of the corrected log that it comes from."""
    sources = [corrected.index(line) if line in corrected else None for line in example]
    matcher = SequenceMatcher(None, corrected, example, autojunk=False)
    for tag, begin, end, start, stop in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and end - begin == stop - start):
            for offset in range(end - begin):
                if sources[start + offset] is None or tag == "equal":
                    sources[start + offset] = begin + offset
    return sources


def _item(line: str, number: int) -> ScriptItem:
    """Return a line as a delivery; without a time that can be read it comes in its turn.

    Raises `json.JSONDecodeError` if the line is broken.
    """
    value = json.loads(line)
    extra = {key: value[key] for key in value if key != "body"} if "body" in value else {}
    intake = INTAKES[extra.get("endpoint", HOOKS.name)]
    item = ScriptItem(number * _APART, value.get("body", value), intake)
    if intake.ids is IdSource.BODY:
        item.extra = extra
        try:
            when = datetime.fromisoformat(str(extra.get("received_at")))
        except ValueError:
            return item
        item.at = int(when.timestamp() * SECOND)
        del extra["received_at"]
    return item


# The mistake of a page.

_AGENT: Final = re.compile(r"[aA]-\d+")
_CONTEXT: Final = ((0, 0), (1, 0), (0, 1), (1, 1))
"""How many lines before and after the difference have to fit, by width."""
_SHORTLY: Final = 50


class _Step(NamedTuple):
    """A delivery of the example."""

    item: ScriptItem
    source: int | None
    """Index, in the window, of the corrected delivery that it comes from."""
    changes: tuple[tuple[_Path, object], ...]
    """What of the body is set to another value, or `_GONE`."""
    delay: int
    """Milliseconds by which it comes later than the corrected delivery."""


class _Window(NamedTuple):
    """The part of the corrected log that differs, and what it is in the example."""

    before: tuple[StoryEvent, ...]
    after: tuple[_Step, ...]


class _Place(NamedTuple):
    positions: tuple[int, ...]
    agents: dict[str, str]
    """Agents of the page to those of the conversation."""
    after: tuple[_Step, ...]


class _PageMistake:
    """The difference between the two logs of a page."""

    def __init__(self, code: str) -> None:
        self.code = code
        page = _page(code)
        self._windows = [_window(page, *context) for context in _CONTEXT]
        texts = {line.text for line in page.example} ^ {line.text for line in page.corrected}
        events = [line.item.story_event for log in page for line in log if line.text in texts]
        is_needed = {
            LogPart.MESSAGES: any(event is not None and event.is_message for event in events),
            LogPart.TRANSCRIPTION: any(
                line.item.intake is TRANSCRIPTION for line in page.corrected
            ),
            LogPart.ENVELOPES: any('"received_at"' in line.text for line in page.corrected),
        }
        self.needs = frozenset(part for part in LogPart if is_needed[part])

    def places(self, script: Script, width: int) -> Sequence[_Place]:
        """Return where the conversation has the deliveries of the corrected log."""
        window = self._windows[width]
        if window is None:
            return []
        events = [item.story_event for item in script.items]
        matches = (_match(window.before, events, start) for start in range(len(events)))
        return [_Place(*match, window.after) for match in matches if match is not None]

    def make(self, script: Script, place: _Place, strangers: Iterator[str]) -> None:
        """Put the deliveries of the example in their place."""
        translation = _Translation(script, place.agents, strangers)
        items, positions = script.items, place.positions
        made: list[ScriptItem] = []
        now, latest = items[positions[0]].at - len(place.after) * _SHORTLY, -1
        for step in place.after:
            now += _SHORTLY
            if step.source is None:
                item = translation.item(step.item)
            else:
                item = translation.changed(items[positions[step.source]], step)
                if step.source > latest:
                    now, latest = max(now, item.at), step.source
            item.at = now
            made.append(item)
        begin, stop = positions[0], positions[-1] + 1
        others = [items[index] for index in range(begin, stop) if index not in positions]
        items[begin:stop] = sorted([*others, *made], key=lambda item: item.at)
        for item, step in zip(made, place.after, strict=True):
            item.at += step.delay


def _window(page: _Page, earlier: int, later: int) -> _Window | None:
    """Return the difference of the two logs, with some lines of context.

    Returns None if nothing in it could be looked for, or if it copies a line from outside.
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


def _step(line: _Line, corrected: Sequence[_Line], begin: int) -> _Step:
    if line.source is None:
        return _Step(line.item, None, (), 0)
    text, source, _ = corrected[line.source]
    is_timed = line.text != text and line.item.at > _APART * len(corrected)
    return _Step(
        line.item,
        line.source - begin,
        tuple(_changes(source.body, line.item.body)),
        line.item.at - source.at if is_timed else 0,
    )


def _changes(one: Json, other: Json, path: _Path = ()) -> Iterator[tuple[_Path, object]]:
    """Yield what has to be set for one JSON value to become the other."""
    if isinstance(one, dict) and isinstance(other, dict) and not _is_another_agent(one, other):
        for key in one.keys() | other.keys():
            yield from _changes(one.get(key, _GONE), other.get(key, _GONE), (*path, key))
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
    """Return where these events stand from `start` on, and who is who.

    Messages and actions may stand between them. Returns None if they do not fit.
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
        elif not positions or event is None or not (event.is_message or event.is_action):
            return None
    return None


def _fits(event: StoryEvent, wanted: StoryEvent, agents: Mapping[str, str]) -> bool:
    if event.label != wanted.label:
        return False
    if wanted.agent in agents or not wanted.agent:
        return agents.get(wanted.agent, event.agent) == event.agent
    return event.agent not in agents.values()


@dataclass(slots=True)
class _Translation:
    """What a page says, in the words of a conversation."""

    script: Script
    agents: dict[str, str]
    strangers: Iterator[str]
    words: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.words = {
            "c-1": self.script.conversation_id,
            "st-1": self.script.bot_id,
            "chat": self.script.experience,
            "voice": "voice" if self.script.experience == "chat" else "chat",
        }

    def item(self, item: ScriptItem) -> ScriptItem:
        """Return a delivery of the page as one of the conversation."""
        made = item.copy()
        made.body, made.extra = self.value(item.body), self.value(item.extra)
        return made

    def changed(self, item: ScriptItem, step: _Step) -> ScriptItem:
        """Return a delivery of the conversation, changed as that of the page is."""
        made = item.copy()
        for path, value in step.changes:
            _put(made.body, path, self.value(value))
        made.extra |= self.value(step.item.extra)
        made.arriving = step.item.arriving
        return made

    def value(self, value: Json) -> Json:
        """Return a JSON value with the agents, ids and experience of the conversation."""
        match value:
            case {"identity": str(identity), "name": str()} if _AGENT.fullmatch(identity):
                known = self.script.participant(self._agent(identity.lower()))
                return known | {"identity": self._agent(identity)}
            case dict():
                return {key: self.value(each) for key, each in value.items()}
            case list():
                return [self.value(each) for each in value]
            case str() if _AGENT.fullmatch(value):
                return self._agent(value)
            case str():
                return self.words.get(value, value)
            case _:
                return value

    def _agent(self, identity: str) -> str:
        known = identity.lower()
        if known not in self.agents:
            self.agents[known] = next(self.strangers)
        return self.agents[known] if identity == known else self.agents[known].upper()


def _put(body: Json, path: _Path, value: object) -> None:
    *parents, last = path
    for parent in parents:
        body = body[parent]
    if value is _GONE:
        body.pop(last, None)
    else:
        body[last] = value


# A field that is missing, or holds what it must not.

_BREAKS: Final[dict[str, Callable[[Field], object]]] = {
    "SG502": lambda row: None if row.need is Need.OPTIONAL else _GONE,
    "SG503": lambda _: 7,
    "SG505": lambda row: "unknown" if row.words and row.unknown == "SG505" else None,
    "SG507": lambda row: "undefined" if row.is_id else None,
}
"""What a field must hold to offend a rule; None if no value of this field does."""


class _BrokenField:
    """A field of a body that is broken in the way of one rule."""

    needs: frozenset[LogPart] = frozenset()

    def __init__(self, code: str) -> None:
        self.code = code

    def places(self, script: Script, _width: int) -> Sequence[tuple[int, _Path, object]]:
        """Return every field of every delivery that can be broken like this."""
        return [
            (index, path, value)
            for index, item in enumerate(script.items)
            for path, row in _fields(item)
            if (value := _BREAKS[self.code](row)) is not None
        ]

    def make(
        self, script: Script, place: tuple[int, _Path, object], _strangers: Iterator[str]
    ) -> None:
        """Break the field."""
        index, path, value = place
        _put(script.items[index].body, path, value)


def _fields(item: ScriptItem) -> Iterator[tuple[_Path, Field]]:
    """Yield the fields that a delivery has."""
    fields = FIELDS[item.intake.name]
    path: _Path = ()
    shape = shape_of(fields.whole, item.body)
    if item.event and fields.listed is not None:
        path, shape = ("events", 0), shape_of(fields.listed, item.event)
    for row in shape.every_row():
        holder: Any = item.event or item.body
        for parent in row.path[:-1]:
            holder = holder.get(parent, {})
        if row.path[-1] in holder:
            yield (*path, *row.path), row.field
