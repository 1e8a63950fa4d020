"""Groups differences by what was to be found, and by the cell of the lifecycle that was asked.

A backend that is wrong in one cell of the table differs in each conversation that goes through it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.lifecycle import AgentRole, Situation
from segue.simulate.bodies import StoryEvent, read_delivery
from segue.simulate.legal_moves import LifecycleState
from segue.testing.conformance.runner import ConformanceDifference

__all__ = ["DifferenceGroup", "grouped"]

_ROLES: Final = {
    AgentRole.PRIMARY: "the primary",
    AgentRole.RELIEVER: "the primary",
    AgentRole.CONSULTANT: "a consultant",
    AgentRole.ABSENT: "an agent who is not present",
    AgentRole.LAST: "the agent who left last",
    AgentRole.EXCUSED: "an agent whose exit may still come",
    AgentRole.OWED: "an agent whose exit may still come",
    AgentRole.CONSULTED: "an agent who was consulting",
}


class DifferenceGroup(NamedTuple):
    """Differences in the same key, at the same rules and the same cell."""

    rules: tuple[str, ...]
    """What had to be found at the delivery."""
    cell: str
    """Phase, event and role of its agent; for a delivery without an event, what it is about."""
    key: str
    differences: tuple[ConformanceDifference, ...]
    """Of the shortest conversation first."""

    def to_dict(self) -> dict[str, object]:
        """Return the group as JSON, with the ids of its vectors."""
        ids = [each.vector["id"] for each in self.differences]
        return {"rules": list(self.rules), "cell": self.cell, "key": self.key, "vectors": ids}


def grouped(differences: Iterable[ConformanceDifference]) -> list[DifferenceGroup]:
    """Return the groups, the largest first."""
    found: dict[tuple[tuple[str, ...], str, str], list[ConformanceDifference]] = {}
    for each in differences:
        expected = each.vector["expect"][each.delivery]
        rules = tuple(expected.get("findings", ()))
        found.setdefault((rules, _cell(each.vector, each.delivery), each.key), []).append(each)
    groups = [
        DifferenceGroup(*key, tuple(sorted(members, key=lambda each: each.delivery)))
        for key, members in found.items()
    ]
    return sorted(groups, key=lambda group: -len(group.differences))


def _cell(vector: Mapping[str, Any], delivery: int) -> str:
    """Return which cell the delivery asks: `active, COLD entry by the primary`."""
    *before, last = [
        read_delivery(given.get("body")) for given in vector["deliveries"][: delivery + 1]
    ]
    if last is None:
        return f"the group {vector['group']}"
    if not _is_judged(last):
        return last.label
    state = LifecycleState().after(*(each for each in before if each and _is_judged(each)))
    by = f" by {_ROLES[Situation.of(state.situation(last)).role]}" if last.actor else ""
    return f"{state.phase.value}, {last.label}{by}"


def _is_judged(event: StoryEvent) -> bool:
    """Whether the lifecycle has cells for it."""
    return not (event.is_action or event.is_call)
