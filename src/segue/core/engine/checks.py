"""Rules about facts that must stay the same, or advance, from one event to the next.

To add such a rule, write a function and add a `Check` to `CHECKS`. The rule then applies to every
kind of input, in a log, live and on a cluster, and the value that it remembers is saved with the
state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from segue.core.engine.state import Facts, State
from segue.core.events import EXPERIENCES, INTAKES, Json
from segue.core.events.ids import one_spelling, short
from segue.core.findings import Finding

CheckFn: TypeAlias = Callable[[Json, Facts], tuple[Json, Finding | None]]
"""A function that takes the value that a check remembers, and the event. It returns the next value
to remember, and a finding or None.
"""


@dataclass(frozen=True, slots=True)
class Check:
    """A rule that compares an event or delivery with a value remembered from earlier ones.

    `fn(kept, facts)` returns the value to remember for the next call, and a finding or None. `kept`
    is the JSON value that the previous call returned, at first None. `reads` names the fields that
    `fn` depends on: `botId`, `received_at` and `delivery_id` of the delivery, or fields of the
    event as the specification names them (`experience`, `participant.name`). While these fields
    stay the same and the last call found no offence, `fn` need not be called.
    """

    code: str
    """The code of the rule, such as `SG206`."""
    reads: tuple[str, ...]
    """The names of the fields that the function depends on."""
    fn: CheckFn
    """The function that checks an event or a delivery."""
    machines: tuple[str, ...] = ("lifecycle",)
    """The names of the machines whose events are checked."""
    part: str = ""
    """What the check looks at if the rule has several checks, such as `botId`."""

    @property
    def key(self) -> str:
        """The name under which the remembered value is stored, such as `SG510 botId`."""
        return f"{self.code} {self.part}" if self.part else self.code

    @property
    def is_of_delivery(self) -> bool:
        """Whether the function checks a delivery as a whole rather than each of its events."""
        return all(field in _DELIVERY_FIELDS for field in self.reads)


REMEMBERED: Final = 64
"""The maximum number of spellings (SG206) and of absent agents (SG205) that a state remembers.
Further ones are not reported.
"""


def _identity_case(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    """Report an identity that differs from that of a known agent in letter case only (SG206).

    The remembered value is the list of spellings that have been reported.
    """
    spelling = "" if facts.event is None else facts.event.agent
    spellings: list[str] = kept or []
    known = spelling == facts.agent or spelling in spellings or len(spellings) >= REMEMBERED
    known = known or one_spelling(spelling) == one_spelling(facts.agent)
    if not facts.agent or known:
        return kept, None
    values = {"spelling": short(spelling), "agent": short(facts.agent)}
    return sorted([*spellings, spelling]), facts.violation("SG206", values)


def _experience_changed(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    """Report the first event with another `experience` than the events before (SG301).

    The remembered value is the first experience, and True after the report.
    """
    event = facts.event
    if event is None or not event.experience or kept is True:
        return kept, None
    if kept is None or kept == event.experience:
        return event.experience, None
    values = {"first": kept, "experience": event.experience}
    return True, facts.violation("SG301", values, pointer=f"{event.pointer}/experience")


def experience_of(state: State) -> str:
    """Return the experience of a conversation, or an empty string if it is unknown or changed."""
    kept = state.kept[_EXPERIENCE] if state.kept else None
    return kept if isinstance(kept, str) else ""


def _bot_changed(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    """Report each bot that differs from the first bot of the conversation (SG302).

    The remembered value is the list of bots that have been reported.
    """
    bot, first = facts.delivery.bot_id, facts.state.bot_id
    others: list[str] = kept or []
    if bot is None or first is None or bot == first or bot in others:
        return kept, None
    if one_spelling(bot) == one_spelling(first):
        return kept, None
    if any(flaw.code == "SG506" for flaw in facts.delivery.flaws):
        return kept, None  # SG506 has already reported the wrong bot
    values = {"first": short(first), "bot": short(bot)}
    pointer = "/botId" if facts.action is None else ""
    return sorted([*others, bot]), facts.violation("SG302", values, pointer=pointer)


def _blanks_around(field: str, kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    """Report each spelling of an id with blanks around it (SG510), in any field if none is named.

    The remembered value is the list of spellings that have been reported.
    """
    flaws = facts.delivery.flaws if facts.event is None else facts.event.flaws
    for flaw in flaws:
        if flaw.code == "SG510" and flaw.facts["field"].endswith(field):
            spelling, spellings = flaw.facts["value"], kept or []
            if spelling in spellings or len(spellings) >= REMEMBERED:
                return kept, None
            return sorted([*spellings, spelling]), flaw.finding(facts.place)
    return kept, None


def _time_runs_backwards(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
    """Report a delivery that was received before the latest of the earlier deliveries (SG602).

    The advice differs if only the time of the delivery before is ahead.
    """
    at, latest = facts.delivery.received_at, facts.state.latest
    if at is None or latest is None or at >= latest:
        return kept, None
    values = {"received_at": at.isoformat(), "latest": latest.isoformat()}
    if facts.state.is_ahead(at):
        values["situations"] = "ahead"
    return kept, facts.violation("SG602", values)


_EVERYWHERE: Final = ("lifecycle", "transcription")
_OF_ALL: Final = tuple(intake.machine for intake in INTAKES.values())
CHECKS: Final = (
    Check("SG206", ("participant.identity",), _identity_case, _EVERYWHERE),
    Check("SG301", ("experience",), _experience_changed),
    Check("SG302", ("botId",), _bot_changed, _OF_ALL),
    Check(
        "SG510",
        ("botId",),
        partial(_blanks_around, "conversationId"),
        _OF_ALL,
        part="conversationId",
    ),
    Check("SG510", ("botId",), partial(_blanks_around, "botId"), _OF_ALL, part="botId"),
    Check("SG510", ("participant.identity",), partial(_blanks_around, ""), _EVERYWHERE),
    Check("SG602", ("received_at",), _time_runs_backwards),
)
"""The checks in the order of their codes. `State.kept` has their remembered values in this order.
"""

_EXPERIENCE: Final = [check.fn for check in CHECKS].index(_experience_changed)
"""The index of the check of the experience."""

_DELIVERY_FIELDS: Final = frozenset({"botId", "received_at", "delivery_id"})
_NOTHING_KEPT: Final = (None,) * len(CHECKS)
_USUALLY_KEPT: Final = [
    tuple([word if check.fn is _experience_changed else None for check in CHECKS])
    for word in EXPERIENCES
]
"""The usual remembered values, which contain only an experience. States share these tuples."""

_Numbered: TypeAlias = tuple[tuple[int, CheckFn], ...]


def _by_machine(*, is_of_delivery: bool) -> dict[str, _Numbered]:
    """Return the indices and functions of checks by the name of the machine."""
    return {
        machine: tuple(
            (index, check.fn)
            for index, check in enumerate(CHECKS)
            if machine in check.machines and check.is_of_delivery is is_of_delivery
        )
        for machine in {name for check in CHECKS for name in check.machines}
    }


DELIVERY_CHECKS: Final = _by_machine(is_of_delivery=True)
"""The checks of a delivery as a whole, by the name of the machine. Each is an index and a function.
"""
EVENT_CHECKS: Final = _by_machine(is_of_delivery=False)
"""The checks of each event, by the name of the machine. Each is an index in `CHECKS` and a
function.
"""


def run_checks(facts: Facts, checks: _Numbered, found: list[Finding]) -> None:
    """Run checks on a delivery or event that is about to be applied, and append to `found`."""
    state = facts.state
    kept = state.kept or _NOTHING_KEPT
    for index, fn in checks:
        now, finding = fn(kept[index], facts)
        if now is not kept[index]:
            kept = (*kept[:index], now, *kept[index + 1 :])
            kept = state.kept = next(filter(kept.__eq__, _USUALLY_KEPT), kept)
        if finding is not None:
            found.append(finding)
