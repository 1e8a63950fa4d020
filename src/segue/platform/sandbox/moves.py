"""The moves of everything that has a state, as rows.

A move that the specification shows cites it; every other one is chosen, and says why.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

TIME: Final = "time"
"""The trigger of a move that happens by itself, after a while."""


KIND_OF: Final = {
    "campaign": "campaigns",
    "contact list": "contact_lists",
    "training": "trainings",
    "bot import": "bot_imports",
    "faq training": "faq_trainings",
    "call": "calls",
    "transfer": "transfers",
}
"""The kind of the objects of each subject."""


READ_KINDS: Final = frozenset({"campaigns", "trainings", "bot_imports", "faq_trainings"})
"""The kinds whose states an endpoint shows. Where moves wait for reads, those of others do not."""


@dataclass(frozen=True, slots=True)
class SandboxMove:
    """From a state to the next, by a trigger."""

    subject: str
    state: str
    trigger: str
    next: str
    origin: str
    """The words of the specification, or `chosen: ` and the reason."""
    after: timedelta | None = None
    """How long a move by `TIME` takes."""

    @property
    def is_chosen(self) -> bool:
        """Whether the specification does not show it."""
        return self.origin.startswith("chosen: ")


_STARTED: Final = "Campaign of type `voice` | `Active`"
_READY: Final = "Create contact list | Always | `Ready` (usually)"
_TRANSFERRED: Final = "Assign conversation | Transfer succeeds | status `transferred`"
_IMPORTED: Final = "Read import status | Import finished | `success`"
_CONTROL: Final = "chosen: the vocabulary has the state, no endpoint leads to it; /sandbox does"
_WORK: Final = "chosen: work takes time, and its end is what a caller waits for"
_FAILS: Final = "chosen: the vocabulary has the state, /sandbox leads to it"


def _seconds(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


MOVES: Final = (
    SandboxMove("campaign", "Preparing", TIME, "Ready", _WORK, _seconds(30)),
    SandboxMove("campaign", "Ready", "play", "Active", _STARTED),
    SandboxMove("campaign", "Active", TIME, "Completed", _WORK, _seconds(600)),
    SandboxMove("campaign", "Active", "pause", "Paused", _CONTROL),
    SandboxMove("campaign", "Paused", "resume", "Active", _CONTROL),
    SandboxMove("campaign", "Active", "stop", "Stopped", _CONTROL),
    SandboxMove("campaign", "Paused", "stop", "Stopped", _CONTROL),
    SandboxMove("campaign", "Ready", "schedule", "Scheduled", _CONTROL),
    SandboxMove("campaign", "Scheduled", "reschedule", "Rescheduled", _CONTROL),
    SandboxMove("campaign", "Scheduled", "release", "Ready", _CONTROL),
    SandboxMove("campaign", "Rescheduled", "release", "Ready", _CONTROL),
    SandboxMove("contact list", "", "create", "Ready", _READY),
    SandboxMove("training", "running", TIME, "in progress", _WORK, _seconds(5)),
    SandboxMove("training", "in progress", TIME, "success", _WORK, _seconds(25)),
    SandboxMove("training", "running", "fail", "failed", _FAILS),
    SandboxMove("training", "in progress", "fail", "failed", _FAILS),
    SandboxMove("bot import", "in progress", TIME, "success", _IMPORTED, _seconds(20)),
    SandboxMove("bot import", "in progress", "fail", "failed", _FAILS),
    SandboxMove("faq training", "in-progress", TIME, "success", _WORK, _seconds(15)),
    SandboxMove("faq training", "in-progress", "fail", "failure", _FAILS),
    SandboxMove("call", "dialling", TIME, "answered", _WORK, _seconds(5)),
    SandboxMove("call", "dialling", "fail", "failed", _FAILS),
    SandboxMove("call", "answered", TIME, "completed", _WORK, _seconds(60)),
    SandboxMove("transfer", "asked", TIME, "accepted", _WORK, _seconds(2)),
    SandboxMove("transfer", "asked", "decline", "declined", _FAILS),
    SandboxMove("transfer", "asked", "miss", "not answered", _FAILS),
    SandboxMove("transfer", "", "assign", "asked", _TRANSFERRED),
)

_BY_TRIGGER: Final = {(each.subject, each.state, each.trigger): each for each in MOVES}


def move_of(subject: str, state: str, trigger: str) -> SandboxMove | None:
    """Return the move, or None if the state does not allow it."""
    return _BY_TRIGGER.get((subject, state, trigger))
