"""The lifecycle table: the verdict on every event in every situation.

A `Row` reads: in PHASES, an event of KINDS by an agent with one of ROLES is reported as CODE (None:
it is legal), the next phase is TO (None: it stays), and the presence changes by EFFECT. Two more
columns restrict a row to some uncertainties, or to some numbers of other consultants. A row covers
all cells that these fields name. For example,

    Row(HELD, COLD_ENTRY, ABSENT, "SG103", None, _E.TAKE_OWING, CERTAIN)

reads: while an agent holds the conversation and nothing about the primary is uncertain, a COLD
entry of an absent agent is reported as SG103. The agent becomes the primary, and the replaced agent
owes an exit.

To add a rule, add or split rows. `compile_rows` requires that exactly one row names each cell, and
its error message shows a cell that is missing or named twice. Rows have no conditions. If a verdict
depends on a fact that the columns cannot express, add an `AgentRole` or an `Uncertainty` and let
`situation_of` resolve it. The check, the expected events, the diagrams, the state machine and the
generators of tests then agree, because all of them read these rows.

Only one thing about verdicts is decided elsewhere: `transition` does not report what an earlier
finding already said.

The specification (Events, ordering rules 1 to 4) decides the rows without a code and those with a
note. The other rows follow from two principles: one mistake gives one finding, and the check
believes the event.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from segue.core.events import EventKind
from segue.core.events.kind import JUDGED
from segue.core.lifecycle.phase import (
    PER_ROLE,
    PER_UNCERTAINTY,
    AgentRole,
    Phase,
    PresenceEffect,
    Uncertainty,
)


class Cell(NamedTuple):
    """An entry of the lifecycle table: the verdict on an event in a situation, and the effect."""

    to: Phase
    """The phase after the event."""
    code: str | None
    """The rule that the event breaks, or None if it is legal or an earlier finding covers it."""
    effect: PresenceEffect
    """The effect on the agents present."""
    doubts: bool
    """Whether the event suggests that every agent has left."""
    connects: bool
    """Whether the event begins a connection of its agent."""


class Situation(NamedTuple):
    """The facts about agents that, with the phase, decide whether an event is legal."""

    role: AgentRole
    """The role of the event's agent before the event."""
    uncertainty: Uncertainty
    """The uncertainty about the primary."""
    beside: int
    """The number of consultants other than the event's agent. 2 means two or more."""

    @property
    def number(self) -> int:
        """The index of this situation's cell in the lists `TABLE[phase][kind]`."""
        return self.role * PER_ROLE + self.uncertainty * PER_UNCERTAINTY + self.beside

    @classmethod
    def of(cls, number: int) -> "Situation":
        """Return the situation with this `number`, which is an index of the lists in `TABLE`."""
        role, rest = divmod(number, PER_ROLE)
        uncertainty, beside = divmod(rest, PER_UNCERTAINTY)
        return cls(AgentRole(role), Uncertainty(uncertainty), beside)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the lifecycle table, which defines the cells of many similar situations at once.

    It applies to every combination of its `phases`, `kinds` and `roles`, unless `uncertainties` or
    `beside` restrict it.
    """

    phases: tuple[Phase, ...]
    kinds: tuple[EventKind, ...]
    roles: tuple[AgentRole, ...]
    code: str | None
    """The rule that the event breaks, or None if it is legal."""
    to: Phase | None
    """The next phase. None keeps the phase, but `ACTIVE` and `CONSULTING` follow from the
    consultants.
    """
    effect: PresenceEffect
    """The effect on the agents present."""
    uncertainties: tuple[Uncertainty, ...] = tuple(map(Uncertainty, range(4)))
    beside: tuple[int, ...] = (0, 1, 2)
    """The numbers of other consultants for which the row applies, see `Situation.beside`."""


# Phases.
WAITING: Final = (Phase.WAITING,)
ACTIVE: Final = (Phase.ACTIVE,)
CONSULTING: Final = (Phase.CONSULTING,)
HELD: Final = (Phase.ACTIVE, Phase.CONSULTING)
TRANSFERRING: Final = (Phase.TRANSFERRING,)
OPEN: Final = (*HELD, *TRANSFERRING)
RELEASED: Final = (Phase.RELEASED,)
SUMMARIZED: Final = (Phase.SUMMARIZED,)
AFTERWARDS: Final = (*RELEASED, *SUMMARIZED)
ENDED: Final = (Phase.ENDED,)
BEFORE_END: Final = tuple(phase for phase in Phase if phase is not Phase.ENDED)

# Kinds.
NA_ENTRY, NA_EXIT = (EventKind.NA_ENTRY,), (EventKind.NA_EXIT,)
COLD_ENTRY, COLD_EXIT = (EventKind.COLD_ENTRY,), (EventKind.COLD_EXIT,)
WARM_ENTRY, WARM_EXIT = (EventKind.WARM_ENTRY,), (EventKind.WARM_EXIT,)
REDIAL_ENTRY, REDIAL_EXIT = (EventKind.REDIAL_ENTRY,), (EventKind.REDIAL_EXIT,)
SUMMARY, END, CLOSE = (EventKind.SUMMARY,), (EventKind.END,), (EventKind.CLOSE,)
AGENT_MESSAGE: Final = (EventKind.AGENT_MESSAGE,)
OTHER_MESSAGE: Final = (EventKind.USER_MESSAGE, EventKind.MESSAGE)
EXIT: Final = (*NA_EXIT, *COLD_EXIT, *WARM_EXIT)
BUT_END: Final = tuple(kind for kind in JUDGED if kind not in (EventKind.END, EventKind.CLOSE))

# Roles.
PRIMARY: Final = (AgentRole.PRIMARY, AgentRole.RELIEVER)
RELIEVER: Final = (AgentRole.RELIEVER,)
RIGHTFUL: Final = (AgentRole.PRIMARY,)
ONE_OF_TWO: Final = (AgentRole.ONE_OF_TWO,)
ADVISER: Final = (AgentRole.CONSULTANT,)
CONSULTANT: Final = (*ADVISER, *ONE_OF_TWO)
PRESENT: Final = (*PRIMARY, *CONSULTANT)
LAST: Final = (AgentRole.LAST,)
NEVER_PRESENT: Final = (AgentRole.ABSENT,)
UNSEEN: Final = (AgentRole.UNSEEN,)
STRANGER: Final = (*NEVER_PRESENT, *UNSEEN)
CONSULTED: Final = (AgentRole.CONSULTED,)
GONE: Final = (*STRANGER, *LAST, *CONSULTED)
"""The roles of absent agents whose exit is not awaited."""
EXCUSED, OWED = (AgentRole.EXCUSED,), (AgentRole.OWED,)
AWAITED: Final = (*EXCUSED, *OWED)
"""The roles of absent agents whose exit may still come."""
LEFT: Final = (*NEVER_PRESENT, *LAST, *CONSULTED)
"""The roles of absent agents who cannot be present, and whose exit is not awaited."""
NOT_CONSULTED: Final = (*NEVER_PRESENT, *LAST, *AWAITED)
OTHER: Final = (*STRANGER, *AWAITED)
"""The roles of absent agents except the last primary and former consultants."""
ABSENT: Final = (*GONE, *AWAITED)
ANYBODY: Final = (*PRESENT, *ABSENT)

# Uncertainties.
CERTAIN: Final = (Uncertainty.NONE,)
DOUBTED: Final = (Uncertainty.DOUBTED,)
NAMED: Final = (*CERTAIN, *DOUBTED)
UNNAMED: Final = (Uncertainty.UNNAMED, Uncertainty.UNNAMED | Uncertainty.DOUBTED)
MERELY_UNNAMED: Final = (Uncertainty.UNNAMED,)
ANY_DOUBT: Final = (*DOUBTED, Uncertainty.UNNAMED | Uncertainty.DOUBTED)

# Consultants other than the event's agent.
ALONE, ONE, MORE = (0,), (1,), (2,)
ACCOMPANIED: Final = (1, 2)

_P, _E = Phase, PresenceEffect

ROWS: Final[tuple[Row, ...]] = (
    # An exit that was still awaited. The finding that made it awaited has accounted for it.
    Row(BEFORE_END, EXIT, EXCUSED, None, None, _E.CONSUME),
    Row(BEFORE_END, COLD_EXIT, OWED, None, None, _E.CONSUME),
    Row(BEFORE_END, NA_EXIT, OWED, "SG202", None, _E.CONSUME),
    Row(BEFORE_END, WARM_EXIT, OWED, "SG202", None, _E.CONSUME),
    # Waiting: ordering rule 1 requires an NA entry first, and rule 4 allows a callback.
    Row(WAITING, NA_ENTRY, ABSENT, None, _P.ACTIVE, _E.TAKE),
    Row(WAITING, REDIAL_ENTRY, ABSENT, "SG118", _P.ACTIVE, _E.TAKE),
    Row(WAITING, COLD_ENTRY, ABSENT, "SG101", _P.ACTIVE, _E.TAKE),
    Row(WAITING, WARM_ENTRY, ABSENT, "SG101", _P.CONSULTING, _E.JOIN_UNNAMED),
    Row(WAITING, NA_EXIT, GONE, "SG101", _P.RELEASED, _E.RELEASE),
    Row(WAITING, COLD_EXIT, GONE, "SG101", _P.TRANSFERRING, _E.TRANSFER),
    Row(WAITING, WARM_EXIT, GONE, "SG101", None, _E.NONE),
    Row(WAITING, SUMMARY, ANYBODY, "SG106", None, _E.NONE),
    Row(WAITING, END, ANYBODY, "SG122", _P.ENDED, _E.FINISH),  # rule 1: only if an agent accepts
    Row(WAITING, CLOSE, ANYBODY, None, None, _E.NONE),
    # Active and consulting: entries.
    Row(HELD, NA_ENTRY, PRESENT, "SG203", None, _E.NONE),
    Row(HELD, NA_ENTRY, ABSENT, "SG102", None, _E.TAKE_EXCUSING, NAMED),
    Row(HELD, NA_ENTRY, ABSENT, None, None, _E.TAKE, UNNAMED),
    Row(HELD, COLD_ENTRY, PRIMARY, "SG203", None, _E.NONE),
    Row(HELD, COLD_ENTRY, CONSULTANT, "SG103", None, _E.TAKE_OWING, NAMED),
    Row(HELD, COLD_ENTRY, ABSENT, "SG103", None, _E.TAKE_OWING, CERTAIN),
    Row(HELD, COLD_ENTRY, ABSENT, None, None, _E.TAKE_EXCUSING, DOUBTED),
    Row(HELD, COLD_ENTRY, (*CONSULTANT, *ABSENT), None, None, _E.TAKE, UNNAMED),
    Row(HELD, WARM_ENTRY, PRESENT, "SG203", None, _E.NONE),
    Row(HELD, WARM_ENTRY, ABSENT, None, _P.CONSULTING, _E.JOIN),  # ordering rule 3
    Row(HELD, REDIAL_ENTRY, PRIMARY, "SG112", None, _E.RECONNECT, CERTAIN),
    Row(HELD, REDIAL_ENTRY, PRIMARY, None, None, _E.RECONNECT, DOUBTED),
    Row(HELD, REDIAL_ENTRY, CONSULTANT, "SG112", None, _E.RECONNECT),
    Row(HELD, REDIAL_ENTRY, CONSULTED, "SG123", _P.CONSULTING, _E.JOIN),  # ordering rule 4
    Row(HELD, REDIAL_ENTRY, UNSEEN, None, _P.CONSULTING, _E.JOIN, NAMED),
    Row(HELD, REDIAL_ENTRY, NOT_CONSULTED, "SG208", None, _E.TAKE_EXCUSING, NAMED),
    Row(ACTIVE, REDIAL_ENTRY, UNSEEN, None, None, _E.TAKE, UNNAMED),
    Row(CONSULTING, REDIAL_ENTRY, UNSEEN, None, None, _E.JOIN, UNNAMED),
    Row(HELD, REDIAL_ENTRY, NOT_CONSULTED, None, None, _E.TAKE, UNNAMED),
    # Active and consulting: NA exits.
    Row(ACTIVE, NA_EXIT, PRIMARY, None, _P.RELEASED, _E.RELEASE),  # ordering rule 1
    Row(CONSULTING, NA_EXIT, PRIMARY, "SG204", _P.RELEASED, _E.RELEASE),
    Row(HELD, NA_EXIT, CONSULTANT, "SG202", None, _E.LEAVE, NAMED),
    Row(HELD, NA_EXIT, CONSULTANT, None, _P.RELEASED, _E.RELEASE, UNNAMED, ALONE),
    Row(HELD, NA_EXIT, ADVISER, "SG202", None, _E.LEAVE, UNNAMED, ACCOMPANIED),
    Row(HELD, NA_EXIT, ONE_OF_TWO, "SG202", None, _E.SETTLE),
    Row(HELD, NA_EXIT, LEFT, "SG201", _P.RELEASED, _E.RELEASE, NAMED),
    Row(HELD, NA_EXIT, UNSEEN, None, _P.RELEASED, _E.RELEASE, NAMED),
    Row(ACTIVE, NA_EXIT, GONE, None, _P.RELEASED, _E.RELEASE, UNNAMED),
    Row(CONSULTING, NA_EXIT, GONE, "SG204", _P.RELEASED, _E.RELEASE, UNNAMED),
    # Active and consulting: COLD exits.
    Row(ACTIVE, COLD_EXIT, PRIMARY, None, _P.TRANSFERRING, _E.TRANSFER),  # ordering rule 2
    Row(CONSULTING, COLD_EXIT, PRIMARY, "SG116", _P.TRANSFERRING, _E.TRANSFER),
    Row(HELD, COLD_EXIT, CONSULTANT, "SG202", None, _E.LEAVE, NAMED),
    Row(HELD, COLD_EXIT, CONSULTANT, None, _P.TRANSFERRING, _E.TRANSFER, UNNAMED),
    Row(HELD, COLD_EXIT, LEFT, "SG201", _P.TRANSFERRING, _E.TRANSFER, NAMED),
    Row(HELD, COLD_EXIT, UNSEEN, None, _P.TRANSFERRING, _E.TRANSFER, NAMED),
    Row(ACTIVE, COLD_EXIT, GONE, None, _P.TRANSFERRING, _E.TRANSFER, UNNAMED),
    Row(CONSULTING, COLD_EXIT, GONE, "SG116", _P.TRANSFERRING, _E.TRANSFER, UNNAMED),
    # Active and consulting: WARM exits.
    Row(HELD, WARM_EXIT, RELIEVER, None, None, _E.RESTORE),
    Row(ACTIVE, WARM_EXIT, RIGHTFUL, "SG202", None, _E.UNNAME),
    Row(CONSULTING, WARM_EXIT, RIGHTFUL, "SG119", None, _E.PROMOTE, beside=ONE),  # unspecified
    Row(CONSULTING, WARM_EXIT, RIGHTFUL, "SG119", None, _E.UNNAME, beside=MORE),
    Row(HELD, WARM_EXIT, ADVISER, None, None, _E.LEAVE),  # ordering rule 3
    Row(HELD, WARM_EXIT, ONE_OF_TWO, None, None, _E.SETTLE),
    Row(HELD, WARM_EXIT, UNSEEN, None, None, _E.NONE),
    Row(HELD, WARM_EXIT, LEFT, "SG201", None, _E.NONE, NAMED, (*ALONE, *MORE)),
    Row(HELD, WARM_EXIT, LEFT, "SG201", None, _E.DISMISS, NAMED, ONE),
    Row(ACTIVE, WARM_EXIT, LEFT, None, None, _E.NONE, UNNAMED),
    Row(CONSULTING, WARM_EXIT, LEFT, None, None, _E.PROMOTE, UNNAMED, ONE),
    Row(CONSULTING, WARM_EXIT, LEFT, None, None, _E.NONE, UNNAMED, MORE),
    # Transferring: ordering rule 2 requires the COLD entry of the next agent.
    Row(TRANSFERRING, COLD_ENTRY, LAST, "SG120", _P.ACTIVE, _E.TAKE),
    Row(TRANSFERRING, COLD_ENTRY, (*CONSULTANT, *OTHER), None, _P.ACTIVE, _E.TAKE),
    Row(TRANSFERRING, NA_ENTRY, (*CONSULTANT, *ABSENT), "SG102", _P.ACTIVE, _E.TAKE),
    Row(TRANSFERRING, WARM_ENTRY, CONSULTANT, "SG203", None, _E.NONE),
    Row(TRANSFERRING, WARM_ENTRY, ABSENT, "SG117", _P.CONSULTING, _E.JOIN_UNNAMED),
    Row(TRANSFERRING, REDIAL_ENTRY, (*CONSULTANT, *ABSENT), "SG121", _P.ACTIVE, _E.TAKE),
    Row(TRANSFERRING, NA_EXIT, LAST, "SG105", _P.RELEASED, _E.RELEASE, beside=ALONE),
    Row(TRANSFERRING, NA_EXIT, LAST, "SG204", _P.RELEASED, _E.RELEASE, beside=ACCOMPANIED),
    Row(TRANSFERRING, NA_EXIT, CONSULTANT, None, _P.RELEASED, _E.RELEASE, beside=ALONE),
    Row(TRANSFERRING, NA_EXIT, CONSULTANT, "SG204", _P.RELEASED, _E.RELEASE, beside=ACCOMPANIED),
    Row(TRANSFERRING, NA_EXIT, NEVER_PRESENT, "SG201", _P.RELEASED, _E.RELEASE),
    Row(TRANSFERRING, NA_EXIT, UNSEEN, None, _P.RELEASED, _E.RELEASE, beside=ALONE),
    Row(TRANSFERRING, NA_EXIT, UNSEEN, "SG204", _P.RELEASED, _E.RELEASE, beside=ACCOMPANIED),
    Row(TRANSFERRING, COLD_EXIT, CONSULTANT, None, None, _E.TRANSFER, beside=ALONE),
    Row(TRANSFERRING, COLD_EXIT, CONSULTANT, "SG202", None, _E.LEAVE, beside=ACCOMPANIED),
    Row(TRANSFERRING, COLD_EXIT, LEFT, "SG201", None, _E.NONE),
    Row(TRANSFERRING, COLD_EXIT, UNSEEN, None, None, _E.TRANSFER, beside=ALONE),
    Row(TRANSFERRING, COLD_EXIT, UNSEEN, "SG202", None, _E.NONE, beside=ACCOMPANIED),
    Row(TRANSFERRING, WARM_EXIT, CONSULTANT, None, None, _E.LEAVE),
    Row(TRANSFERRING, WARM_EXIT, LEFT, "SG201", None, _E.NONE),
    Row(TRANSFERRING, WARM_EXIT, UNSEEN, None, None, _E.NONE),
    # An agent is present or about to enter: too early for a summary or an end (ordering rule 1).
    Row(OPEN, SUMMARY, ANYBODY, "SG106", None, _E.NONE, CERTAIN),
    Row(OPEN, END, ANYBODY, "SG107", _P.ENDED, _E.FINISH, CERTAIN),
    Row(OPEN, CLOSE, ANYBODY, "SG107", None, _E.NONE, CERTAIN),
    Row(OPEN, SUMMARY, ANYBODY, "SG106", None, _E.NONE, MERELY_UNNAMED, ACCOMPANIED),
    Row(OPEN, END, ANYBODY, "SG107", _P.ENDED, _E.FINISH, MERELY_UNNAMED, ACCOMPANIED),
    Row(OPEN, CLOSE, ANYBODY, "SG107", None, _E.NONE, MERELY_UNNAMED, ACCOMPANIED),
    # Every agent may have left already: go on as after the release.
    Row(OPEN, SUMMARY, ANYBODY, None, _P.SUMMARIZED, _E.DEPART, MERELY_UNNAMED, ALONE),
    Row(OPEN, END, ANYBODY, None, _P.ENDED, _E.FINISH, MERELY_UNNAMED, ALONE),
    Row(OPEN, CLOSE, ANYBODY, None, _P.RELEASED, _E.DEPART, MERELY_UNNAMED, ALONE),
    Row(OPEN, SUMMARY, ANYBODY, None, _P.SUMMARIZED, _E.DEPART, ANY_DOUBT),
    Row(OPEN, END, ANYBODY, None, _P.ENDED, _E.FINISH, ANY_DOUBT),
    Row(OPEN, CLOSE, ANYBODY, None, _P.RELEASED, _E.DEPART, ANY_DOUBT),
    # Released and summarized: ordering rule 4 lets the dropped agent reconnect.
    Row(RELEASED, REDIAL_ENTRY, LAST, None, _P.ACTIVE, _E.TAKE),
    Row(RELEASED, REDIAL_ENTRY, OTHER, "SG207", _P.ACTIVE, _E.TAKE),
    Row(SUMMARIZED, REDIAL_ENTRY, ABSENT, "SG114", _P.ACTIVE, _E.TAKE),
    Row(AFTERWARDS, NA_ENTRY, ABSENT, "SG102", _P.ACTIVE, _E.TAKE),
    Row(AFTERWARDS, COLD_ENTRY, ABSENT, "SG115", _P.ACTIVE, _E.TAKE),
    Row(AFTERWARDS, WARM_ENTRY, ABSENT, "SG115", _P.CONSULTING, _E.JOIN_UNNAMED),
    Row(AFTERWARDS, EXIT, GONE, "SG201", None, _E.NONE),
    Row(RELEASED, SUMMARY, ANYBODY, None, _P.SUMMARIZED, _E.NONE),  # ordering rule 1
    Row(SUMMARIZED, SUMMARY, ANYBODY, "SG111", None, _E.NONE),
    Row(AFTERWARDS, END, ANYBODY, None, _P.ENDED, _E.FINISH),
    Row(AFTERWARDS, CLOSE, ANYBODY, None, None, _E.NONE),
    # A redial has no exit.
    Row(BEFORE_END, REDIAL_EXIT, (*PRIMARY, *ABSENT), "SG113", None, _E.NONE),
    Row(BEFORE_END, REDIAL_EXIT, ADVISER, "SG113", None, _E.LEAVE),
    Row(BEFORE_END, REDIAL_EXIT, ONE_OF_TWO, "SG113", None, _E.SETTLE),
    # Messages do not change the phase or the presence.
    Row(BEFORE_END, OTHER_MESSAGE, ANYBODY, None, None, _E.NONE),
    Row(BEFORE_END, AGENT_MESSAGE, PRESENT, None, None, _E.NONE),
    Row(BEFORE_END, AGENT_MESSAGE, LEFT, "SG205", None, _E.NONE, NAMED),
    Row(BEFORE_END, AGENT_MESSAGE, LEFT, None, None, _E.NONE, UNNAMED),
    Row(OPEN, AGENT_MESSAGE, UNSEEN, None, None, _E.NONE),
    Row(AFTERWARDS, AGENT_MESSAGE, UNSEEN, "SG205", None, _E.NONE),
    Row(BEFORE_END, AGENT_MESSAGE, AWAITED, None, None, _E.NONE),
    # END "must be sent once only", and it is the last event.
    Row(ENDED, END, ANYBODY, "SG109", None, _E.NONE),
    Row(ENDED, BUT_END, ANYBODY, "SG110", None, _E.NONE),
    Row(ENDED, CLOSE, ANYBODY, None, None, _E.NONE),
)


def situations(phase: Phase) -> Iterator[Situation]:
    """Yield every situation that is possible in a phase."""
    for role in AgentRole:
        for uncertainty in map(Uncertainty, range(4)):
            for beside in range(3):
                situation = Situation(role, uncertainty, beside)
                if _possible(phase, situation):
                    yield situation


def _possible(phase: Phase, situation: Situation) -> bool:
    role, uncertainty, beside = situation
    is_unnamed = Uncertainty.UNNAMED in uncertainty
    consultants = beside + (role in CONSULTANT)
    if phase not in OPEN:  # without agents, and before the first of them while waiting
        absent = NEVER_PRESENT if phase is Phase.WAITING else (*OTHER, *LAST)
        return role in absent and uncertainty is Uncertainty.NONE and consultants == 0
    if not _fits(role, is_held=phase in HELD, is_unnamed=is_unnamed, beside=beside):
        return False
    match phase:
        case Phase.ACTIVE:
            return consultants == 0
        case Phase.CONSULTING:
            return consultants > 0
        case _:
            return not is_unnamed


def _fits(role: AgentRole, *, is_held: bool, is_unnamed: bool, beside: int) -> bool:
    """Return whether an agent may have this role in a phase in which agents are present."""
    match role:
        case AgentRole.PRIMARY | AgentRole.RELIEVER:
            return is_held and not is_unnamed
        case AgentRole.CONSULTED:
            return is_held
        case AgentRole.ONE_OF_TWO:
            return is_unnamed and beside > 0
        case _:
            return True


def compile_rows(rows: Iterable[Row]) -> dict[Phase, dict[EventKind, list[Cell | None]]]:
    """Return the lifecycle table as cells in the form `table[phase][kind][Situation.number]`.

    Situations that cannot occur in a phase have None instead of a cell. Raise `ValueError` if no
    row, or more than one row, applies to a situation that can occur.
    """
    table: dict[Phase, dict[EventKind, list[Cell | None]]] = {
        phase: {kind: [None] * (len(AgentRole) * PER_ROLE) for kind in JUDGED} for phase in Phase
    }
    possible = {phase: tuple(situations(phase)) for phase in Phase}
    for row in rows:
        for phase, kind, situation in _named(row, possible):
            if table[phase][kind][situation.number] is not None:
                raise ValueError(f"two rows for {phase.value}, {kind.value}, {situation}")
            table[phase][kind][situation.number] = _cell(row, phase, kind, situation)
    for phase, kind in product(Phase, JUDGED):
        for situation in possible[phase]:
            if table[phase][kind][situation.number] is None:
                raise ValueError(f"no row for {phase.value}, {kind.value}, {situation}")
    return table


def _named(
    row: Row, possible: Mapping[Phase, Iterable[Situation]]
) -> Iterator[tuple[Phase, EventKind, Situation]]:
    """Yield the phase, kind and situation of every cell that a row covers."""
    for phase in row.phases:
        for situation in possible[phase]:
            if (
                situation.role in row.roles
                and situation.uncertainty in row.uncertainties
                and situation.beside in row.beside
            ):
                for kind in row.kinds:
                    yield phase, kind, situation


def _cell(row: Row, phase: Phase, kind: EventKind, situation: Situation) -> Cell:
    """Return the cell that `row` gives to an event of this kind in this phase and situation."""
    to = phase if row.to is None else row.to
    if to in HELD:
        to = Phase.CONSULTING if _consultants_stay(row.effect, phase, situation) else Phase.ACTIVE
    doubts = phase in BEFORE_END and (
        (kind is EventKind.NA_EXIT and to is not Phase.RELEASED)
        or (kind is EventKind.REDIAL_EXIT and situation.role in PRIMARY)
    )
    is_present = situation.role in PRESENT
    connects = (
        kind.is_entry
        and row.effect is not PresenceEffect.NONE
        and (kind is EventKind.REDIAL_ENTRY or not is_present)
    )
    return Cell(to, row.code, row.effect, doubts, connects)


def _consultants_stay(effect: PresenceEffect, phase: Phase, situation: Situation) -> bool:
    """Return whether a consultant is present after an event with this effect."""
    match effect:
        case PresenceEffect.JOIN | PresenceEffect.JOIN_UNNAMED:
            return True
        case PresenceEffect.NONE | PresenceEffect.RECONNECT | PresenceEffect.CONSUME:
            return phase is Phase.CONSULTING
        case PresenceEffect.PROMOTE | PresenceEffect.DISMISS:
            return False  # of the only consultant
        case PresenceEffect.SETTLE:  # another one becomes the primary
            return situation.beside > 1
        case _:
            return situation.beside > 0


TABLE: Final = compile_rows(ROWS)
"""The cell for each event, as `TABLE[phase][kind][situation.number]`."""
