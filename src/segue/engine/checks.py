"""Rules that are not in a table: what must stay the same, or go on, from one event to the next.

A new rule of this kind is one more entry of `CHECKS`; it then works for every kind of input, in a
log, live and on a cluster, and what it remembers is saved with the state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from segue.engine.state import State
from segue.engine.truncation import short
from segue.events import Delivery, Event, Json
from segue.findings import Finding, Place, find

__all__ = ["CHECKS", "Check", "Facts", "check_delivery", "check_event", "reader_of"]


class Facts(NamedTuple):
    """What a check may look at. It must change nothing."""

    state: State
    """The conversation before the event."""
    delivery: Delivery
    event: Event | None
    """None for a check that reads the delivery only."""
    agent: str
    """The agent meant by the event, in the spelling the conversation knows."""
    position: int | None
    """Position of the event; None for an action."""
    action: int | None = None
    """Position of the action."""

    def violation(
        self, code: str, values: Mapping[str, str], *, pointer: str | None = None
    ) -> Finding:
        """Return the finding of a rule; `pointer` is a JSON Pointer if it is not the event's."""
        if pointer is None:
            pointer = "" if self.event is None else self.event.pointer
        place = Place(self.position, self.action, pointer, self.delivery.line)
        return find(code, place, values)


CheckFn: TypeAlias = Callable[[Json, Facts], tuple[Json, Finding | None]]


@dataclass(frozen=True, slots=True)
class Check:
    """One rule: `fn(kept, facts)` returns what to keep for the next call, and a finding or None.

    `kept` is one JSON value, None at first. `fn` need not be called when all fields in `reads`
    have the values of the last call and that call found nothing.
    `reads` takes `botId`, `received_at` and `delivery_id` of the delivery, or fields of the event
    as the specification names them (`experience`, `participant.name`).
    """

    code: str
    reads: tuple[str, ...]
    fn: CheckFn
    machines: tuple[str, ...] = ("lifecycle",)
    """Machines whose events it looks at."""

    @property
    def is_of_delivery(self) -> bool:
        """Whether it looks at the delivery rather than at each of its events."""
        return all(field in _DELIVERY_FIELDS for field in self.reads)


def _identity_case(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    spelling = "" if facts.event is None else facts.event.agent
    spellings: list[str] = kept or []
    if not facts.agent or spelling == facts.agent or spelling in spellings:
        return kept, None
    values = {"spelling": short(spelling), "agent": short(facts.agent)}
    return sorted([*spellings, spelling]), facts.violation("SG206", values)


def _experience_changed(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    """Keep the first experience until a different one was reported; then keep True."""
    event = facts.event
    if event is None or not event.experience or kept is True:
        return kept, None
    if kept is None or kept == event.experience:
        return event.experience, None
    values = {"first": kept, "experience": event.experience}
    return True, facts.violation("SG301", values, pointer=f"{event.pointer}/experience")


def _bot_changed(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    bot, first = facts.delivery.bot_id, facts.state.bot_id
    others: list[str] = kept or []
    if bot is None or first is None or bot == first or bot in others:
        return kept, None
    values = {"first": short(first), "bot": short(bot)}
    return sorted([*others, bot]), facts.violation("SG302", values, pointer="/botId")


def _time_runs_backwards(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    at, latest = facts.delivery.received_at, facts.state.latest
    if at is None or latest is None or at >= latest:
        return kept, None
    values = {"received_at": at.isoformat(), "latest": latest.isoformat()}
    return kept, facts.violation("SG602", values)


CHECKS: Final = (
    Check("SG206", ("participant.identity",), _identity_case, ("lifecycle", "transcription")),
    Check("SG301", ("experience",), _experience_changed),
    Check("SG302", ("botId",), _bot_changed),
    Check("SG602", ("received_at",), _time_runs_backwards),
)
"""In the order of their codes, which is also the order of what they keep."""

_NOTHING_KEPT: Final = (None,) * len(CHECKS)


class _Stage:
    """The checks of one machine that look at deliveries, or at events, ready to run."""

    def __init__(self, machine: str, *, is_of_delivery: bool) -> None:
        checks = [each for each in enumerate(CHECKS) if each[1].is_of_delivery == is_of_delivery]
        # The fields of all machines, for they share the last values of a conversation.
        fields = list(dict.fromkeys(field for _, check in checks for field in check.reads))
        self.read = reader_of(fields)
        """Returns the values of the fields that its checks read."""
        self._checks = tuple(
            (index, check, tuple(fields.index(field) for field in check.reads))
            for index, check in checks
            if machine in check.machines
        )

    def run(
        self, facts: Facts, values: tuple[object, ...], last: tuple[object, ...]
    ) -> tuple[Finding, ...]:
        """Run the checks of which a field differs from its last value."""
        found: tuple[Finding, ...] = ()
        for index, check, places in self._checks:
            if last and not _differ(values, last, places):
                continue
            before = facts.state.kept or _NOTHING_KEPT
            kept, finding = check.fn(before[index], facts)
            if kept is not before[index]:
                facts.state.kept = (*before[:index], kept, *before[index + 1 :])
            if finding is not None:
                found = (*found, finding)
        return found


def _differ(values: tuple[object, ...], last: tuple[object, ...], places: tuple[int, ...]) -> bool:
    for place in places:  # noqa: SIM110 - called for every event, and a generator costs more
        if values[place] != last[place]:
            return True
    return False


@lru_cache(maxsize=64)
def _stages(machine: str) -> tuple[_Stage, _Stage]:
    """Return the checks of a machine that look at deliveries, and those that look at events."""
    return _Stage(machine, is_of_delivery=True), _Stage(machine, is_of_delivery=False)


def check_delivery(state: State, delivery: Delivery) -> tuple[Finding, ...]:
    """Run the checks that look at a delivery as a whole."""
    stage, _ = _stages(delivery.intake.machine)
    values = stage.read(delivery)
    last = state.read_of_delivery
    if values == last:
        return ()
    found = stage.run(Facts(state, delivery, None, "", state.position), values, last)
    state.read_of_delivery = () if found else values
    return found


def check_event(
    state: State, delivery: Delivery, event: Event, agent: str, place: tuple[int | None, int | None]
) -> tuple[Finding, ...]:
    """Run the checks that look at one event.

    Args:
        state: The conversation before the event.
        delivery: The delivery of the event.
        event: The event.
        agent: The agent meant by it, in the spelling the conversation knows.
        place: Positions of the event and of the action; one of them is None.

    """
    _, stage = _stages(delivery.intake.machine)
    values = stage.read(event)
    last = state.read_of_event
    if values == last:
        return ()
    found = stage.run(Facts(state, delivery, event, agent, *place), values, last)
    state.read_of_event = () if found else values
    return found


_DELIVERY_FIELDS: Final = {
    "botId": "bot_id",
    "received_at": "received_at",
    "delivery_id": "delivery_id",
}
_EVENT_FIELDS: Final = {"participant.identity": "agent", "experience": "experience"}
"""Fields that the reader has already brought into one spelling; others are read as sent."""

_ReadFields: TypeAlias = Callable[[Any], tuple[object, ...]]


def reader_of(fields: Sequence[str]) -> _ReadFields:
    """Return a function from a delivery or an event to the values of these fields."""
    known = _DELIVERY_FIELDS | _EVENT_FIELDS
    if len(fields) > 1 and all(field in known for field in fields):
        return attrgetter(*(known[field] for field in fields))
    getters = [_getter(field, known) for field in fields]
    return lambda subject: tuple([get(subject) for get in getters])


def _getter(field: str, known: Mapping[str, str]) -> Callable[[Any], object]:
    if field in known:
        return attrgetter(known[field])
    return partial(_value_at, tuple(field.split(".")))


def _value_at(path: tuple[str, ...], event: Event) -> object:
    found: object = event.value
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found
