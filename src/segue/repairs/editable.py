"""The stream: a conversation's events in order, with what the check said of each.

It decides what of a conversation can be edited at all.  Deliveries that the check did not apply
(retries of a delivery id, an id used twice) have no events here, and neither have transcription
actions; both stay where they are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from segue.conversation import Conversation, Report
from segue.conversation.conversation import read
from segue.engine import Partial, new
from segue.events import Delivery, EventKind, fingerprint
from segue.findings import Finding, Severity
from segue.lifecycle import AGENTLESS_KINDS, MESSAGES

__all__ = ["Item", "Stream", "concerns", "is_repairable"]

_REPEAT: Final = "SG601"
_RESPELT: Final = "SG206"
_REUSED: Final = "SG603"


@dataclass(frozen=True, slots=True)
class Item:
    """One event of the stream."""

    kind: EventKind
    agent: str
    """As sent; empty: nobody's."""
    delivery: int
    """Which delivery it came with."""
    slot: int | None
    """Which element of its `events` it is; None: the message."""
    value: Any
    warning: str | None = None
    """The warning that the lifecycle gives of it, which it may keep."""

    @property
    def is_repeat(self) -> bool:
        """Whether it came twice in a row, which is said of the second."""
        return self.warning == _REPEAT

    @property
    def is_fixed(self) -> bool:
        """Whether it stays where it is: a message, or what nobody can place."""
        return self.kind in MESSAGES or self.kind is EventKind.UNPROCESSABLE


class Stream:
    """All events of one conversation, numbered as findings number them."""

    def __init__(self, events: Iterable[object], partial: Partial = None) -> None:
        self.partial: Partial = partial
        self.given: list[object] = []
        self.deliveries: list[Delivery] = []
        conversation = Conversation(partial=partial)
        found: list[tuple[EventKind, str, int, int | None, Any]] = []
        applied: list[bool] = []
        for thing in events:
            delivery = read(thing, new(conversation.conversation_id))
            step = conversation.feed(delivery)
            is_applied = not (step.duplicate or any(f.code == _REUSED for f in step.findings))
            if is_applied:
                number = len(self.deliveries)
                found += [
                    (kind, agent, number, slot, value)
                    for kind, agent, slot, value in _events(delivery)
                ]
            self.given.append(thing)
            self.deliveries.append(delivery)
            applied.append(is_applied)
        self.report: Report = conversation.finish()
        warnings = {
            finding.place.event: finding.code
            for finding in self.report.findings
            if concerns(finding)
            and finding.severity is Severity.WARNING
            and finding.code != _RESPELT
        }
        self.applied = tuple(applied)
        self.items = tuple(Item(*each, warnings.get(index)) for index, each in enumerate(found))
        self.warned = frozenset(
            fingerprint(item.value) for item in self.items if item.warning is not None
        )
        """Fingerprints of the events with a warning: it depends on whether they repeat another."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Everyone the stream names, those with a transfer or a message first."""
        acting = [item.agent for item in self.items if item.agent]
        others = [
            name
            for item in self.items
            if item.kind in AGENTLESS_KINDS and (name := _identity(item.value))
        ]
        return tuple(dict.fromkeys([*acting, *others])) or (_NOBODY,)


_NOBODY: Final = "unknown"
"""Stands in where a stream names no agent at all."""


def concerns(finding: Finding) -> bool:
    """Whether a finding is about the order of events or about who is present."""
    place = finding.place
    return place.action is None and (finding.rule.family in (1, 2) or finding.code == _REPEAT)


def is_repairable(finding: Finding, *, strict: bool) -> bool:
    """Whether a repair settles such a finding."""
    return concerns(finding) and (strict or finding.severity is Severity.ERROR)


def _events(delivery: Delivery) -> Iterable[tuple[EventKind, str, int | None, Any]]:
    for event in delivery.events:
        kind = event.kind
        if not isinstance(kind, EventKind):
            continue
        agent = "" if kind in AGENTLESS_KINDS else event.agent
        if kind is EventKind.AGENT_MESSAGE and not agent:
            kind = EventKind.MESSAGE
        slot = int(event.pointer.rsplit("/", 1)[1]) if event.pointer else None
        yield kind, agent, slot, event.value


def _identity(value: Any) -> str:  # noqa: ANN401 - any JSON value
    participant = value.get("participant")
    identity = participant.get("identity") if isinstance(participant, dict) else None
    return identity if isinstance(identity, str) else ""
