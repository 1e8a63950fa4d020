"""The repair of one conversation: from its events to the smallest edit, and what it makes of them.

It decides what is repaired: the order of events and who is present (families 1 and 2 of the rules,
and SG601).  What is wrong with the shape of a delivery, its envelope or the transcription is the
sender's to mend, stays as it is, and is still reported afterwards.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from segue.conversation import Report, check
from segue.engine import Partial
from segue.events import Delivery
from segue.findings import Finding
from segue.repairs.costs import PRICES, REPEATED, Change
from segue.repairs.editable import Stream, is_repairable
from segue.repairs.repack import Sheet, sheets
from segue.repairs.search import Part, search, told
from segue.repairs.serialize import written
from segue.repairs.synthesis import Draft

__all__ = ["Edit", "Repair", "repair"]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to one event."""

    change: Change
    cost: int
    event: int | None
    """Position of the event in the stream; None: it was not sent."""
    to: int | None
    """Its position in the repaired stream; None: it has been left out."""
    before: str
    """The event as it was sent: `COLD entry by a-2`; empty: it was not."""
    after: str
    """The event as it is now; empty: it has been left out."""
    settles: Finding | None
    """The finding that it is about, or that is nearest to it."""

    def to_dict(self) -> dict[str, object]:
        """Return the edit as a JSON object."""
        return {
            "change": self.change.value,
            "cost": self.cost,
            "event": self.event,
            "to": self.to,
            "before": self.before,
            "after": self.after,
            "settles": None if self.settles is None else self.settles.code,
        }


@dataclass(frozen=True, slots=True)
class Repair:
    """What has to change in one conversation, and what it is then."""

    before: Report
    after: Report
    """What the check says of the repaired events. It may still name what a repair leaves alone."""
    edits: tuple[Edit, ...]
    """In the order of the repaired stream; none: there is nothing to repair."""
    is_least: bool
    """Whether no other edits cost less; False: the search was cut short."""
    events: tuple[object, ...]
    """The repaired events, as they were given where nothing changed."""
    parts: tuple[Part, ...] = field(repr=False)
    """Every event in the order of the repaired stream; those left out stand where they were."""
    sheets: tuple[Sheet, ...] = field(repr=False)
    """The deliveries that carry them."""
    deliveries: tuple[Delivery, ...] = field(repr=False)
    """What was given, as it was read."""

    @property
    def cost(self) -> int:
        """The sum of what the edits cost."""
        return sum(edit.cost for edit in self.edits)

    @property
    def settled(self) -> tuple[Finding, ...]:
        """The findings that are gone."""
        left = Counter(finding.message for finding in self.after.findings)
        gone = []
        for finding in self.before.findings:
            left[finding.message] -= 1
            if left[finding.message] < 0:
                gone.append(finding)
        return tuple(gone)

    def to_dict(self) -> dict[str, Any]:
        """Return the repair as a JSON object; keys and their order are stable."""
        return {
            "conversation_id": self.before.conversation_id,
            "cost": self.cost,
            "is_least": self.is_least,
            "valid": self.after.valid,
            "settled": [finding.to_dict() for finding in self.settled],
            "edits": [edit.to_dict() for edit in self.edits],
            "left": [finding.to_dict() for finding in self.after.findings],
        }


def repair(
    events: Iterable[object],
    *,
    partial: Partial = None,
    strict: bool = False,
) -> Repair:
    """Find the smallest edit that makes one conversation valid, and make it.

    `events` are what `check` takes: events, deliveries or E21 bodies of one conversation, in order.
    `strict` settles warnings and notes, too. Raises `ConfigurationError` when they belong to
    several conversations.
    """
    stream = Stream(events, partial)
    before, deliveries = stream.report, tuple(stream.deliveries)
    if not any(is_repairable(finding, strict=strict) for finding in before.findings):
        parts = tuple(Part(at, item.kind, item.agent) for at, item in enumerate(stream.items))
        same = tuple(Sheet(number) for number in range(len(deliveries)))
        given = tuple(stream.given)
        return Repair(before, before, (), True, given, parts, same, deliveries)  # noqa: FBT003
    draft = Draft(stream.items, stream.agents)
    course = search(stream, draft, strict=strict)
    order = tuple(sheets(stream, draft, course.parts))
    repaired = tuple(written(order, stream.given, deliveries))
    after = check(repaired, partial=partial)
    edits = tuple(_edits(stream, course.parts, strict=strict))
    assert course.cost == sum(edit.cost for edit in edits)  # noqa: S101 - what was searched for
    return Repair(before, after, edits, course.is_least, repaired, course.parts, order, deliveries)


def _edits(stream: Stream, parts: Sequence[Part], *, strict: bool) -> Iterable[Edit]:
    wanted = [f for f in stream.report.findings if is_repairable(f, strict=strict)]
    position = 0
    for part in parts:
        item = None if part.origin is None else stream.items[part.origin]
        is_gone = Change.DELETE in part.changes
        for change in part.changes:
            cost = PRICES[change]
            if is_gone and item is not None and item.is_repeat:
                cost = REPEATED
            yield Edit(
                change,
                cost,
                part.origin,
                None if is_gone else position,
                "" if item is None else told(item.kind, item.agent),
                "" if is_gone else part.label,
                _nearest(wanted, part, len(stream.items)),
            )
        position += not is_gone


def _nearest(findings: Sequence[Finding], part: Part, end: int) -> Finding | None:
    """Return the finding whose event is nearest; that of the close stands after the last."""
    place = part.at if part.origin is None else part.origin

    def distance(finding: Finding) -> int:
        event = finding.place.event
        return abs((end if event is None else event) - place)

    return min(findings, key=distance, default=None)
