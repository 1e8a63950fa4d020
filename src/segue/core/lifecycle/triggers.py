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
    """Return the name of an event in a situation, such as `warm_exit__consultant__beside_one`."""
    words = (
        situation.role.name.lower(),
        _UNCERTAINTIES[situation.uncertainty],
        _BESIDE[situation.beside],
    )
    return "__".join((kind.name.lower(), *(words[part] for part in _parts(kind))))


@cache
def _parts(kind: EventKind) -> tuple[int, ...]:
    """Return the indices of the fields of `Situation` that matter for this kind of event."""
    return tuple(
        part
        for part in range(len(Situation._fields))
        if any(len(cells) > 1 for phase in Phase for cells in _alike(phase, kind, part).values())
    )


def _alike(phase: Phase, kind: EventKind, part: int) -> dict[tuple[object, ...], set[object]]:
    """Group the cells of situations that differ only in the field with the index `part`.

    The keys are the values of the other fields.
    """
    found: dict[tuple[object, ...], set[object]] = {}
    for situation in situations(phase):
        others = tuple(value for place, value in enumerate(situation) if place != part)
        found.setdefault(others, set()).add(TABLE[phase][kind][situation.number])
    return found
