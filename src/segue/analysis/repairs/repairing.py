"""The repair of one conversation: its edits, and the repaired events.

The order of events and the presence of agents are repaired (families 1 and 2 of the rules). Errors
in the shape of a delivery, its envelope or the transcription stay as they are. They are still
reported afterwards.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from segue.analysis.repairs.editable import EditableStream
from segue.analysis.repairs.edited import EditedEvent, edited_events
from segue.analysis.repairs.repack import RepackedDelivery, repack
from segue.analysis.repairs.serialize import serialize_deliveries
from segue.analysis.repairs.synthesis import Synthesizer
from segue.core.conversation import Input, Report, check, explanation_of, refuse_single
from segue.core.conversation.html_table import html_table
from segue.core.engine import Partial
from segue.core.events import Delivery
from segue.core.explain import Edit, Mistake
from segue.core.findings import Finding
from segue.core.reprs import shows


@dataclass(frozen=True, slots=True)
class Repair:
    """What has to change in one conversation, and the result."""

    before: Report = field(hash=False)
    """The report of the events as they were given."""
    after: Report = field(hash=False)
    """The report of the repaired events. It may still have findings that a repair leaves alone."""
    mistakes: tuple[Mistake, ...]
    """The mistakes about order and presence, in the order of events, each with its edits."""
    is_complete: bool
    """Whether the edits explain every error of order and presence."""
    events: tuple[Input, ...] = field(hash=False)
    """The repaired events, as they were given where nothing changed."""
    edited: tuple[EditedEvent, ...]
    """All events in the repaired order. Those that were left out are at their old places."""
    repacked: tuple[RepackedDelivery, ...]
    """The deliveries that have them."""
    deliveries: tuple[Delivery, ...] = field(hash=False)
    """What was read from the given events."""

    __repr__ = shows("before", "after", "mistakes", "is_complete")

    def _repr_html_(self) -> str:
        """Return an HTML table of the mistakes, which notebooks show."""
        names = ("number", "sentence", "fix")
        rows = ([each.number, each.sentence, each.fix] for each in self.mistakes)
        name = self.before.conversation_id or "no conversation"
        edits = "1 edit" if len(self.edits) == 1 else f"{len(self.edits)} edits"
        return html_table(f"{name}: {edits}", names, rows)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, mistake by mistake."""
        return tuple(edit for mistake in self.mistakes for edit in mistake.edits)

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
            "explanation": "complete" if self.is_complete else "untraced",
            "valid": self.after.valid,
            "settled": [finding.to_dict() for finding in self.settled],
            "mistakes": [mistake.to_dict() for mistake in self.mistakes],
            "left": [finding.to_dict() for finding in self.after.findings],
        }


def repair(events: Iterable[Input], *, partial: Partial = None) -> Repair:
    """Correct one conversation by the edits of its explanation.

    Args:
        events: What `check` takes: mappings, JSON texts (`str` or `bytes`), `Event` or `Delivery`
            values of one conversation, in order.
        partial: Where the log is cut: `"start"`, `"end"`, `"both"` or `None`.

    Raises:
        ConfigurationError: `events` is a single item or a file name instead of a list of items, or
            the items belong to several conversations.

    """
    refuse_single(events, "repair")
    stream = EditableStream(events, partial)
    before, deliveries = stream.report, tuple(stream.deliveries)
    found = explanation_of(before)
    mistakes = tuple(mistake for mistake in found.mistakes if mistake.edits)
    edits = [edit for mistake in mistakes for edit in mistake.edits]
    edited = edited_events(stream.events, [*edits, *found.free])
    synthesizer = Synthesizer(stream.events, stream.agents)
    repacked = tuple(repack(stream, synthesizer, edited))
    repaired = tuple(serialize_deliveries(repacked, stream.given, deliveries))
    return Repair(
        before=before,
        after=check(repaired, partial=partial) if edits else before,
        mistakes=mistakes,
        is_complete=found.completeness == "complete",
        events=repaired,
        edited=tuple(edited),
        repacked=repacked,
        deliveries=deliveries,
    )


def is_repairable(report: Report) -> bool:
    """Return whether a report has a mistake that edits correct, whatever its policy."""
    return any(mistake.edits for mistake in explanation_of(report).mistakes)
