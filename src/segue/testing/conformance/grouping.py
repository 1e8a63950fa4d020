"""Groups of differences that probably have the same cause.

The lifecycle table has a cell for each combination of phase, event and role of the agent. A backend
that is wrong in one cell differs in every conversation that reaches it. Differences are therefore
grouped by cell and by the rules that are violated there.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.analysis.simulate.bodies import LABELS, StoryEvent, read_delivery
from segue.analysis.simulate.legal_moves import LifecycleState
from segue.core.events import INTAKES
from segue.core.lifecycle import AgentRole, Situation
from segue.core.wire import DeliveryContext, read_body
from segue.testing.conformance.runner import ConformanceDifference
from segue.testing.conformance.vectors import delivered

_ROLES: Final = {
    AgentRole.PRIMARY: "the primary",
    AgentRole.RELIEVER: "the primary",
    AgentRole.CONSULTANT: "a consultant",
    AgentRole.ONE_OF_TWO: "a consultant who may be the primary",
    AgentRole.ABSENT: "an agent who is not present",
    AgentRole.UNSEEN: "an agent who is not present",
    AgentRole.LAST: "the agent who left last",
    AgentRole.EXCUSED: "an agent whose exit may still come",
    AgentRole.OWED: "an agent whose exit may still come",
    AgentRole.CONSULTED: "an agent who was consulting",
}


class DifferenceGroup(NamedTuple):
    """Differences that probably have the same cause in a backend.

    They have the same key, the same cell of the lifecycle table, and the same expected findings.
    """

    rules: tuple[str, ...]
    """The codes of the findings that are expected for the delivery, such as `("SG103",)`."""
    cell: str
    """The cell as text, such as `active, COLD entry by the primary`.

    It is only the label for an event that is not in the table, such as a transcription action, and
    the group of the vector for a delivery without events, such as `the group refusal`.
    """
    key: str
    """The key whose values differ, such as `phase`."""
    differences: tuple[ConformanceDifference, ...]
    """The differences, beginning with the shortest conversation."""

    def to_dict(self) -> dict[str, object]:
        """Return the group as a JSON object, with the ids of its vectors under `vectors`."""
        ids = [each.vector["id"] for each in self.differences]
        return {"rules": list(self.rules), "cell": self.cell, "key": self.key, "vectors": ids}


def grouped(differences: Iterable[ConformanceDifference]) -> list[DifferenceGroup]:
    """Group differences that probably have the same cause. Return the largest group first."""
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
    """Return the cell of the lifecycle table that judges the delivery at index `delivery`.

    It is the text for `DifferenceGroup.cell`, such as `active, COLD entry by the primary`.
    """
    *before, last = [_events(given) for given in vector["deliveries"][: delivery + 1]]
    if not last:
        return f"the group {vector['group']}"
    *others, event = last
    if not _is_judged(event):
        return event.label
    taken = [each for events in (*before, others) for each in events if _is_judged(each)]
    state = LifecycleState().after(*taken)
    by = f" by {_ROLES[Situation.of(state.situation(event)).role]}" if event.actor else ""
    return f"{state.phase.value}, {event.label}{by}"


def _events(given: Mapping[str, Any]) -> list[StoryEvent]:
    """Return the events of a delivery, or an empty list if the delivery cannot be read.

    `given` is a delivery of a vector, as a JSON object.
    """
    event = read_delivery(given.get("body"))
    if event is not None:
        return [event]
    sent = delivered(given)
    body = sent.body.encode() if isinstance(sent.body, str) else sent.body
    found = read_body(body, INTAKES[sent.endpoint], DeliveryContext(bot_id=sent.bot_id)).events
    return [
        StoryEvent(each.kind.value, each.agent, "" if each.language == "en" else each.language)
        for each in found
        if each.kind.value in LABELS
    ]


def _is_judged(event: StoryEvent) -> bool:
    """Return whether the lifecycle table has a cell for an event.

    It has none for transcription actions and call notifications.
    """
    return not (event.is_action or event.is_call)
