"""The transcription actions of a simulated call.

An agent announces a COLD exit by a handover, and the next agent resumes transcription. A private
consultation puts the caller on hold. Before an NA exit, the agent ends the transcription. The
actions allowed in each state are looked up in the table that the check uses.
"""

from random import Random
from typing import TypeAlias

from segue.analysis.simulate.bodies import StoryEvent
from segue.core.events import ActionKind, EventKind
from segue.core.transcription import TABLE, TranscriptionState, allowed_labels

_Actions: TypeAlias = list[StoryEvent]
_HOLD, _HANDOVER = ActionKind.PAUSE.value, ActionKind.HANDOVER.value

_PRIVATE, _RESUMES, _PAUSES = 0.5, 0.3, 0.04


class TranscriptionDrawer:
    """Generates random transcription actions for the transfers of one call."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._state = TranscriptionState.IDLE
        self._controller = ""

    def before(self, kind: EventKind, agent: str, primary: str) -> _Actions:
        """Return the actions to send just before a transfer by `agent`, often an empty list."""
        match kind, self._state:
            case (EventKind.COLD_EXIT, TranscriptionState.ACTIVE):
                self._state = TranscriptionState.HANDOVER
                return [StoryEvent(_HANDOVER, agent)]
            case (EventKind.WARM_ENTRY, TranscriptionState.ACTIVE) if (
                self._random.random() < _PRIVATE
            ):
                self._state = TranscriptionState.HOLD  # otherwise it is a conference
                return [StoryEvent(_HOLD, primary)]
            case (EventKind.NA_EXIT, TranscriptionState.ACTIVE):
                self._state = TranscriptionState.ENDED
                return [StoryEvent("end", agent)]
            case _:
                return []

    def after(self, kind: EventKind, primary: str, *, alone: bool) -> _Actions:
        """Return the actions to send just after a transfer, often an empty list.

        Args:
            kind: The kind of the transfer.
            primary: The primary agent after the transfer.
            alone: Whether there is no consultant after the transfer.

        """
        match kind, self._state:
            case (
                EventKind.NA_ENTRY | EventKind.COLD_ENTRY | EventKind.REDIAL_ENTRY,
                TranscriptionState.IDLE | TranscriptionState.HANDOVER | TranscriptionState.ENDED,
            ):
                return [self._begin(primary)]
            case (EventKind.WARM_EXIT, TranscriptionState.HOLD) if alone:
                return [self._resume(primary)]
            case _:
                return []

    def pause(self, primary: str) -> _Actions:
        """Return a hold and a resumption with a probability of 4 %, otherwise an empty list."""
        if self._state is not TranscriptionState.ACTIVE or self._random.random() >= _PAUSES:
            return []
        return [StoryEvent(_HOLD, primary), self._resume(primary)]

    def _begin(self, agent: str) -> StoryEvent:
        may = allowed_labels(TABLE[self._state], agent, self._controller)
        if "start" in may and ("resume" not in may or self._random.random() >= _RESUMES):
            self._state, self._controller = TranscriptionState.ACTIVE, agent
            return StoryEvent("start", agent)
        return self._resume(agent)

    def _resume(self, agent: str) -> StoryEvent:
        self._state, self._controller = TranscriptionState.ACTIVE, agent
        return StoryEvent("resume", agent)
