"""The events, messages and actions of a conversation as rows of the HTML page.

Rows are in the order in which deliveries were applied, with their times and lines. The report page
and the inspector build them from notes, each of which summarizes a delivery. Bodies are included
only if the notes contain them.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from segue.core.conversation import Report, state_of
from segue.core.engine.entry_replay import judged_events
from segue.core.epoch import microseconds
from segue.core.events import HOOKS, INTAKES, Delivery, EventKind
from segue.core.findings import Finding, Place
from segue.core.lifecycle import AGENTLESS_KINDS, UNNAMED, Presence, expected
from segue.report.escape import visible

PageNote: TypeAlias = tuple[
    int | None, int | None, str, str | None, tuple[tuple[str, str], ...], Any
]
"""A note of a delivery: its line, time, endpoint, delivery id, events and body.

The time is in milliseconds since 1970. Each event is a pair of its kind and agent. The body is None
if it was not requested.
"""

_EXPECTED: Final = 8
"""The maximum number of legal next events that a situation lists."""
_WITHOUT_AGENT: Final = AGENTLESS_KINDS | {EventKind.USER_MESSAGE, EventKind.MESSAGE}
_END: Final = EventKind.END.value


def since_epoch(at: datetime) -> int:
    """Convert a time to whole milliseconds since the Unix epoch."""
    return microseconds(at) // 1000


def page_note(
    delivery: Delivery, _: Sequence[Finding] = (), *, include_text: bool = False
) -> PageNote:
    """Summarize a delivery as a note for the page.

    The note contains the body of the delivery only if `include_text` is true.
    """
    at = delivery.received_at
    return (
        delivery.line,
        None if at is None else since_epoch(at),
        delivery.intake.name,
        delivery.delivery_id,
        tuple([(event.kind.value, event.agent) for event in delivery.events]),
        delivery.body if include_text else None,
    )


class Situations:
    """Numbers the situations of conversations, so that a page contains each only once.

    A situation consists of the phase, the agents present and the legal next events. Agents are
    represented by numbers, so that different conversations can share a situation.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}

    def number(self, presence: Presence) -> int:
        """Return the number by which rows of the page refer to a situation.

        `presence` gives the phase and the agents present, from which the legal next events follow.
        Equal situations have the same number. A new situation gets the next number, starting at 0.
        """
        names = [f"{{{number}}}" for number in range(presence.agents)]
        legal = expected(presence, names, most=_EXPECTED)
        primary = None if presence.primary == UNNAMED else presence.primary
        situation = presence.phase.value, primary, presence.consultants, legal
        return self._numbers.setdefault(situation, len(self._numbers))

    def to_list(self) -> list[Any]:
        """Return all situations as a list for JSON. The number of a situation is its index."""
        return list(self._numbers)


class _Sent(NamedTuple):
    """A delivery of the conversation, with the position of its first event."""

    position: int | None
    source: str
    note: PageNote
    state: str = ""
    """`late`, `held`, `dropped` or `broken`, or an empty string for a delivery applied in time."""


class PageRows:
    """The rows of one conversation on the page, and the row that each finding is about."""

    def __init__(
        self, report: Report, situations: Situations, held: Iterable[PageNote] = ()
    ) -> None:
        self._report = report
        self._agents = list(dict.fromkeys(each.agent for each in report.timeline if each.agent))
        is_part = report.late and not report.replaces
        self._sent = list(_marked(self._arrived(), is_late=is_part))
        if report.is_excerpt:
            last = max((each.position for each in report.timeline), default=0)
            self._sent = [each for each in self._sent if (each.position or 0) <= last]
        self._sent += [_Sent(None, "", note, "held") for note in held]
        state = state_of(report)
        self._situation = situations.number(state.first_presence)
        self._history = {
            judged.entry.position: (judged.entry, situations.number(judged.after))
            for judged in judged_events(state)
        }
        self.rows = [row for index, sent in enumerate(self._sent) for row in self._of(index, sent)]
        self._indices: dict[str, list[int]] = {}
        self._of_line: dict[int, int] = {}
        for index, (delivery, position, *_) in enumerate(self.rows):
            note = self._sent[delivery].note
            if position is not None:
                self._indices.setdefault(_position_text(note[2], position), []).append(index)
            if note[0] is not None:
                self._of_line.setdefault(note[0], index)

    @property
    def times(self) -> Iterator[int]:
        """The known times of all deliveries, in milliseconds since the Unix epoch."""
        return (sent.note[1] for sent in self._sent if sent.note[1] is not None)

    def to_dict(self, start: int | None) -> dict[str, Any]:
        """Return the agents, deliveries and rows of the conversation as a dict for JSON.

        `start` is in milliseconds since the Unix epoch. The times in the result are in milliseconds
        since `start`.
        """
        found: dict[str, Any] = {
            "agents": [visible(agent) for agent in self._agents],
            "deliveries": [self._delivery(sent, start) for sent in self._sent],
            "rows": [
                [delivery, place, kind, visible(agent), situation]
                for (delivery, place, kind, agent, situation) in self.rows
            ],
        }
        if any(sent.note[5] is not None for sent in self._sent):
            found["bodies"] = [visible_json(sent.note[5]) for sent in self._sent]
        return found

    def row_of(self, finding: Finding) -> int | None:
        """Return the index of the row that a finding is about, or None for the end of the log."""
        place = finding.place
        for index in self._indices.get(place.position, ()):
            if place.line in {None, self._sent[self.rows[index][0]].note[0]}:
                return index
        return None if place.line is None else self._of_line.get(place.line)

    def _arrived(self) -> list[_Sent]:
        """Return all deliveries of the conversation in order, including those that were dropped."""
        report = self._report
        sent = [_Sent(position, source, note) for position, source, note in report.notes]
        if report.conversation_id is None:
            sent = [each._replace(position=None, state="broken") for each in sent]
        covered = max((_last_event(each) for each in sent), default=-1)
        sent += [
            _Sent(
                each.position,
                "",
                _note_of(each.kind.value, each.agent, each.line, each.received_at),
            )
            for each in report.timeline
            if each.position > covered
        ]
        lines = {(each.source, each.note[0]) for each in sent}
        is_whole = bool(report.notes) or report.conversation_id is None
        for finding in report.findings if is_whole else ():
            line, source = finding.place.line, finding.place.source
            if line is not None and not {(source, line), ("", line)} & lines:
                lines.add((source, line))
                state = "broken" if report.conversation_id is None else "dropped"
                note = _note_of(f"{state} delivery", "", line, None)
                before = (index for index, each in enumerate(sent) if (each.note[0] or 0) > line)
                sent.insert(next(before, len(sent)), _Sent(None, source, note, state))
        return sent

    def _of(self, index: int, sent: _Sent) -> Iterator[tuple[int, int | None, str, str, int]]:
        events = sent.note[4] or ((f"{sent.state or 'broken'} delivery", ""),)
        for place, (kind, sender) in enumerate(events):
            position, agent = None if sent.position is None else sent.position + place, sender
            if sent.note[2] == HOOKS.name:
                known = self._history.get(-1 if position is None else position)
                if known is not None and known[0].kind.value == kind:
                    agent, self._situation = known[0].agent, known[1]
                elif kind in _WITHOUT_AGENT:
                    agent = ""
            yield index, position, kind, agent, self._situation

    def _delivery(self, sent: _Sent, start: int | None) -> list[Any]:
        line, at, endpoint, delivery_id, *_ = sent.note
        time = None if at is None or start is None else at - start
        shown_id = delivery_id if delivery_id is not None and self._report.findings else ""
        return [line, time, endpoint, sent.state, visible(sent.source), visible(shown_id)]


def _note_of(kind: str, agent: str, line: int | None, at: datetime | None) -> PageNote:
    time = None if at is None else since_epoch(at)
    return line, time, HOOKS.name, None, ((kind, agent),), None


def _position_text(intake: str, position: int) -> str:
    """Return the position of an event or action in words, such as `event 3`.

    `intake` is the name of the endpoint that receives the event or action.
    """
    if intake == HOOKS.name:
        return Place(event=position).position
    return Place(action=position, noun=INTAKES[intake].noun).position


def _last_event(sent: _Sent) -> int:
    """Return the position of the last event of a delivery, or -1 if it has no events."""
    is_event = sent.note[2] == HOOKS.name and sent.position is not None
    return (sent.position or 0) + len(sent.note[4]) - 1 if is_event else -1


def _marked(sent: Iterable[_Sent], *, is_late: bool) -> Iterator[_Sent]:
    """Yield the deliveries in order, with the state `late` for those after the END event.

    If `is_late` is true, END came before the first of them. A delivery that already has a state,
    such as `dropped`, keeps it.
    """
    for each in sent:
        yield each._replace(state="late") if is_late and not each.state else each
        is_late = is_late or any(kind == _END for kind, _ in each.note[4])


def visible_json(value: object) -> object:
    """Return a JSON value in which all texts are escaped, except for their line ends."""
    if isinstance(value, dict):
        return {visible(key): visible_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [visible_json(item) for item in value]
    return "\n".join(map(visible, value.splitlines())) if isinstance(value, str) else value
