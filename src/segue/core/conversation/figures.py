"""The segments and metrics of one conversation: as told, as mended, and the best ones.

A check does not import this module. A report does when one of its figures is read.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from segue.core.engine import Entry
from segue.core.engine.entry_replay import Past, replay_told
from segue.core.explain import Explanation
from segue.core.explain.best import Best, as_told, best_of
from segue.core.explain.mended import Mended, Setting, mended
from segue.core.segments import (
    METRIC_NAMES,
    Drop,
    Metrics,
    Segment,
    Transfer,
    drops_of,
    implied_times,
    measure,
    rough_times,
    transfers_of,
    unknown_starts,
)
from segue.core.transcription import StateInterval

if TYPE_CHECKING:
    from segue.core.calls import CallSession


class Figures:
    """The segments and metrics of one conversation, computed when they are first read."""

    def __init__(
        self, past: Past, intervals: tuple[StateInterval, ...], call: "CallSession | None"
    ) -> None:
        """Create the figures of a conversation.

        Args:
            past: The conversation up to END.
            intervals: The periods that the transcription spent in its states.
            call: The outbound call, or None.

        """
        self._past, self._intervals, self._call = past, intervals, call
        self._builder = replay_told(past)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of all agents in order of entry."""
        return self._builder.segments(self._intervals)

    @cached_property
    def transfers(self) -> tuple[Transfer, ...]:
        """The transfers from one agent to another, in order."""
        return tuple(transfers_of(self._builder.handovers, self.segments))

    @cached_property
    def drops(self) -> tuple[Drop, ...]:
        """The dropped connections that a redial continued, in order of the redials."""
        return tuple(drops_of(self._builder.redials, self.segments))

    @cached_property
    def metrics(self) -> Metrics:
        """The durations and counts as told."""
        found = measure(self._builder, self._intervals)
        if self._call is None:
            return found
        ring_time, call_time = self._call.times
        return replace(found, ring_time=ring_time, call_time=call_time)

    def mended(self, told: Iterable[Entry], explanation: Explanation) -> Mended:
        """Return the segments and metrics after the edits of an explanation.

        `told` are the entries of which the explanation was made.
        """
        return mended(told, explanation, Setting(self._past, self._intervals))

    def best(self, found: Mended | None, explanation: Explanation) -> dict[str, Best | None]:
        """Return the best value of each metric by name, or None for a metric that is not known.

        `found` are the figures as mended, or None if the explanation has no edits.
        """
        if found is None:
            return {name: as_told(getattr(self.metrics, name)) for name in METRIC_NAMES}
        edits = (edit.kind for mistake in explanation.mistakes for edit in mistake.edits)
        return best_of(self.metrics, found, [*edits, *(None for _ in explanation.read)])

    def estimated(self, found: Mended | None, *, is_unexplained: bool) -> tuple[str, ...]:
        """Return the names of the metrics as told that are known, but only estimates.

        `found` are the figures as mended, or None. `is_unexplained` tells whether an error of order
        or presence is not explained.
        """
        names = rough_times(self._builder, self._intervals)
        if found is not None:
            names |= found.changed(self.metrics)
        elif is_unexplained:
            names |= {*METRIC_NAMES}
        else:
            names |= implied_times(self._builder, self._intervals)
        return self.metrics.known(names) if names else ()

    @property
    def unknown(self) -> set[str]:
        """The metrics as told that are unknown only because an agent was only seen leaving."""
        return unknown_starts(self._builder, self._intervals)
