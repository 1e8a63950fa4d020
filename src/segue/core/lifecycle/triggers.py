"""Names of triggers for the state machine.

A trigger is an event in a situation. Its name contains only the parts of the situation that matter
for this kind of event. For example, `warm_entry__absent` leaves out the number of consultants, and
`end__doubted__alone` leaves out the role of the sender.
"""

from functools import cache
from typing import Final

from segue.core.events import EventKind
from segue.core.lifecycle.phase import Phase, Uncertainty
from segue.core.lifecycle.table import TABLE, Situation, situations

_UNCERTAINTIES: Final = {
    Uncertainty.NONE: "certain",
    Uncertainty.UNNAMED: "unnamed",
    Uncertainty.DOUBTED: "doubted",
    Uncertainty.UNNAMED | Uncertainty.DOUBTED: "unnamed_doubted",
}
_BESIDE: Final = ("alone", "beside_one", "beside_more")


def trigger_name(kind: EventKind, situation: Situation) -> str:
    """Return the name of the state machine's trigger for an event of this kind in this situation.

    For example, `warm_exit__consultant__beside_one` is a WARM exit of a consultant while one other
    consultant is present. Facts that make no difference for this kind of event are left out.
    """
    words = (
        situation.role.name.lower(),
        _UNCERTAINTIES[situation.uncertainty],
        _BESIDE[situation.beside],
    )
    return "__".join((kind.name.lower(), *(words[part] for part in _parts(kind))))


@cache
def _parts(kind: EventKind) -> tuple[int, ...]:
    """Return the indices of those fields of `Situation` that make a difference for this kind."""
    return tuple(
        part
        for part in range(len(Situation._fields))
        if any(len(cells) > 1 for phase in Phase for cells in _alike(phase, kind, part).values())
    )


def _alike(phase: Phase, kind: EventKind, part: int) -> dict[tuple[object, ...], set[object]]:
    """Group the table's cells for this phase and kind by all but one field of their situation.

    `part` is the index of the field to ignore in `Situation`. The keys are tuples of the other
    fields, and the values are the sets of distinct cells.
    """
    found: dict[tuple[object, ...], set[object]] = {}
    for situation in situations(phase):
        others = tuple(value for place, value in enumerate(situation) if place != part)
        found.setdefault(others, set()).add(TABLE[phase][kind][situation.number])
    return found
