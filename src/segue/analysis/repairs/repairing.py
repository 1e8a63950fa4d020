"""The repair of one conversation: its edits, and the repaired events.

Repaired are the order of events and who is present (families 1 and 2 of the rules, and SG601).
What is wrong with the shape of a delivery, its envelope or the transcription stays as it is and is
still reported afterwards.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from segue.analysis.repairs.editable import EditableStream, is_repairable
from segue.analysis.repairs.repack import RepackedDelivery, repack
from segue.analysis.repairs.serialize import serialize_deliveries
from segue.analysis.repairs.synthesis import Synthesizer
from segue.core.conversation import Input, Report, check, refuse_single
from segue.core.conversation.html_table import html_table
from segue.core.edits import (
    PRICES,
    REPEATED,
    EditedEvent,
    EditKind,
    Solution,
    event_label,
    late_delivery,
    search,
)
from segue.core.engine import Partial
from segue.core.events import Delivery
from segue.core.findings import Finding


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to one event."""

    change: EditKind
    """What was done to the event."""
    cost: int
    """The price of the edit; a repair has the least sum."""
    event: int | None
    """Position of the event in the conversation, or `None` if it was not sent."""
    to: int | None
    """Its position in the repaired conversation, or `None` if it has been left out."""
    before: str
    """The event as it was sent, such as `COLD entry by a-2`; empty if it was not."""
    after: str
    """The event as it is now; empty if it has been left out."""
    settles: Finding
    """The finding that it is about, or that is nearest to it."""

    def to_dict(self) -> dict[str, object]:
        """Return the edit as a JSON object."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return values | {"change": self.change.value, "settles": self.settles.code}


@dataclass(frozen=True, slots=True)
class Repair:
    """What has to change in one conversation, and the result."""

    before: Report
    """The report of the events as they were given."""
    after: Report
    """The report of the repaired events. It may still have findings that a repair leaves alone."""
    edits: tuple[Edit, ...]
    """In the order of the repaired conversation; empty if there is nothing to repair."""
    is_least: bool
    """Whether it is certain that no other edits cost less: the search was not cut short."""
    events: tuple[Input, ...]
    """The repaired events, as they were given where nothing changed."""
    edited: tuple[EditedEvent, ...] = field(repr=False)
    """Every event in the repaired order; those left out stand where they were."""
    repacked: tuple[RepackedDelivery, ...] = field(repr=False)
    """The deliveries that have them."""
    deliveries: tuple[Delivery, ...] = field(repr=False)
    """What was read from the given events."""

    def _repr_html_(self) -> str:
        """Show the edits as a table, in a notebook."""
        names = ("change", "event", "to", "before", "after", "settles")
        edits = [edit.to_dict() for edit in self.edits]
        caption = f"{self.before.conversation_id or 'no conversation'}: cost {self.cost}"
        return html_table(caption, names, ([edit[name] for name in names] for edit in edits))

    @property
    def cost(self) -> int:
        """The sum of what the edits cost."""
        return sum(edit.cost for edit in self.edits)

    @property
    def settled(self) -> tuple[Finding, ...]:
        """The findings that the repair settles."""
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
            "bot_id": self.before.bot_id,
            "cost": self.cost,
            "is_least": self.is_least,
            "valid": self.after.valid,
            "settled": [finding.to_dict() for finding in self.settled],
            "edits": [edit.to_dict() for edit in self.edits],
            "left": [finding.to_dict() for finding in self.after.findings],
        }


def repair(events: Iterable[Input], *, partial: Partial = None, strict: bool = False) -> Repair:
    """Find the smallest edit that makes one conversation valid, and make it.

    Args:
        events: What `check` takes: mappings, JSON texts (`str` or `bytes`), `Event` or `Delivery`
            values of one conversation, in order.
        partial: Where the log is cut: `"start"`, `"end"`, `"both"` or `None`.
        strict: Whether warnings and notes are settled, too.

    Raises:
        ConfigurationError: `events` is a single item or a file name instead of a list of items, or
            the items belong to several conversations.

    """
    refuse_single(events, "repair")
    stream = EditableStream(events, partial)
    before, deliveries = stream.report, tuple(stream.deliveries)
    wanted = [f for f in before.findings if is_repairable(f, strict=strict)]
    synthesizer = Synthesizer(stream.events, stream.agents)
    if wanted:
        solution = search(stream, synthesizer.value, strict=strict)
        if not strict and sum(len(each.edits) for each in solution.events) > 1:
            solution = late_delivery(stream, synthesizer.value) or solution
    else:
        same = [EditedEvent(at, each.kind, each.agent) for at, each in enumerate(stream.events)]
        solution = Solution(tuple(same), is_least=True)
    repacked = tuple(repack(stream, synthesizer, solution.events))
    repaired = tuple(serialize_deliveries(repacked, stream.given, deliveries))
    return Repair(
        before=before, after=check(repaired, partial=partial) if wanted else before,
        edits=tuple(_edits(stream, solution.events, wanted)), is_least=solution.is_least,
        events=repaired, edited=solution.events, repacked=repacked, deliveries=deliveries,
    )  # fmt: skip


def _edits(
    stream: EditableStream, edited: Iterable[EditedEvent], wanted: list[Finding]
) -> Iterator[Edit]:
    position = 0
    for event in edited:
        sent = None if event.origin is None else stream.events[event.origin]
        is_gone = EditKind.DELETE in event.edits
        for kind in event.edits:
            is_repeat = is_gone and sent is not None and sent.is_repeat
            yield Edit(
                change=kind,
                cost=0 if event.is_along else REPEATED if is_repeat else PRICES[kind],
                event=event.origin,
                to=None if is_gone else position,
                before="" if sent is None else event_label(sent.kind, sent.agent),
                after="" if is_gone else event.label,
                settles=_nearest(wanted, event, len(stream.events)),
            )
        position += not is_gone


def _nearest(findings: list[Finding], edited: EditedEvent, end: int) -> Finding:
    """Return the finding whose event is nearest; that of the close stands after the last."""
    place = edited.at if edited.origin is None else edited.origin

    def distance(finding: Finding) -> int:
        event = finding.place.event
        return abs((end if event is None else event) - place)

    return min(findings, key=distance)
