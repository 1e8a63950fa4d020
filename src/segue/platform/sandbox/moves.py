"""The moves from one state to another, for all objects of the sandbox that have a state.

Each move cites the specification or gives the reason why the sandbox allows it.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

TIME: Final = "time"
"""The trigger of a move that the clock makes after some time, without a request."""


KIND_OF: Final = {
    "campaign": "campaigns",
    "contact list": "contact_lists",
    "training": "trainings",
    "bot import": "bot_imports",
    "faq training": "faq_trainings",
    "call": "calls",
    "transfer": "transfers",
}
"""The kinds of objects by the subject of their moves, such as "trainings" for "training"."""


READ_KINDS: Final = frozenset({"campaigns", "trainings", "bot_imports", "faq_trainings"})
"""The kinds of objects whose state an endpoint shows.

If the sandbox has a pace, only these objects wait for reads before they move.
"""


@dataclass(frozen=True, slots=True)
class SandboxMove:
    """A move of an object from one state to the next, such as from "Ready" to "Active"."""

    subject: str
    state: str
    trigger: str
    next: str
    origin: str
    """A quotation from the specification, or a reason that begins with `chosen: `."""
    after: timedelta | None = None
    """The delay of a move that is triggered by `TIME`, otherwise None."""

    @property
    def is_chosen(self) -> bool:
        """Whether the sandbox decides that the move exists, rather than the specification."""
        return self.origin.startswith("chosen: ")


_STARTED: Final = "Campaign of type `voice` | `Active`"
_READY: Final = "Create contact list | Always | `Ready` (usually)"
_TRANSFERRED: Final = "Assign conversation | Transfer succeeds | status `transferred`"
_IMPORTED: Final = "Read import status | Import finished | `success`"
_CONTROL: Final = "chosen: no endpoint leads to this state of the vocabulary, so /sandbox does"
_WORK: Final = "chosen: work takes time, and callers wait for its end"
_FAILS: Final = "chosen: the state is in the vocabulary, and /sandbox leads to it"


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
    """Return the move that a trigger causes in a state, or None if the state does not allow it.

    An example is `move_of("campaign", "Ready", "play")`, which leads to "Active".
    """
    return _BY_TRIGGER.get((subject, state, trigger))
