"""The short way: an event that nothing is wrong with, at a fraction of the cost.

It decides only that nothing needs a second look; False means "judge it with care", never "wrong".
House rules: (1) whatever is taken here, the long way takes without a finding and with the same
state after it (a law of the tests); (2) what is rare is left to the long way; (3) nothing is
changed before all is known to be well.
"""

from typing import Final

from segue.events import Delivery, Event, EventKind
from segue.fold.state import State
from segue.fold.trail import REPEATED, SILENT
from segue.lifecycle import MESSAGES, Decision, Effect, Phase, proceed
from segue.transcription import Session, saw_cold_exit, saw_warm_entry

__all__ = ["NOBODYS", "count", "enter", "plainly"]

NOBODYS: Final = frozenset({EventKind.SUMMARY, EventKind.END})
"""Events that are no agent's: whose participant they tell along changes nothing."""

_USER_MESSAGE: Final = EventKind.USER_MESSAGE
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_UNPROCESSABLE: Final = EventKind.UNPROCESSABLE
_END: Final = EventKind.END
_WAITING: Final = Phase.WAITING
_ENDED: Final = Phase.ENDED


def plainly(state: State, delivery: Delivery, event: Event) -> bool:
    """Apply an event that is legal beyond doubt at the next position; False: nothing was done."""
    roster = state.roster
    kind, agent, experience = event.kind, event.agent, event.experience
    phase = roster.phase
    if (
        event.flaws
        or phase is _ENDED
        or (experience and experience != state.experience and state.experience)
    ):
        return False
    position = state.position
    if kind in MESSAGES:
        if not agent or (
            agent != roster.primary
            and agent not in roster.consultants
            and (kind is _AGENT_MESSAGE or (roster.known and agent not in roster.known))
        ):
            return False
        count(state, delivery, kind, agent)
    else:
        if kind is _UNPROCESSABLE or (kind is _END and state.session is not None):
            return False
        if kind in NOBODYS:
            agent = ""
        cell = proceed(roster, kind, agent, event.value)
        if cell is None:
            return False
        enter(state, delivery, event, position, cell.stamp, SILENT, agent)
    state.position = position + 1
    state.processable = True
    if not state.experience:
        state.experience = experience
    return True


def count(state: State, delivery: Delivery, kind: EventKind, agent: str) -> None:
    """Count a message for whoever it will be accounted to."""
    roster = state.roster
    if not state.messages and roster.phase is _WAITING:
        state.first_message_at = None if delivery.received_at is None else state.latest
    state.messages += 1
    trail = state.trail
    if not trail.rows:
        return
    if kind is _USER_MESSAGE:
        trail.rows[-2] += 1
    elif kind is _AGENT_MESSAGE:
        if agent == roster.primary:
            trail.rows[-1] += 1
        elif agent in roster.known:
            trail.aside(roster.known[agent])


def enter(  # noqa: PLR0913, PLR0917 - once an event
    state: State,
    delivery: Delivery,
    event: Event,
    position: int,
    stamp: int,
    verdict: int,
    agent: str,
) -> None:
    """Enter a judged lifecycle event into the trail, and tell transcription."""
    at = None if delivery.received_at is None else state.latest
    if agent:
        number = state.roster.known[agent]
        state.trail.append(position, delivery.line, at, stamp, verdict, number, event)
    else:
        state.trail.append(position, delivery.line, at, stamp, verdict, None, None)
    if state.session is not None and verdict != REPEATED:
        _tell(state, state.session, Decision.of(stamp), agent, position)


def _tell(state: State, session: Session, decision: Decision, agent: str, position: int) -> None:
    """Let transcription see who came and who went."""
    if decision.kind is EventKind.COLD_EXIT and decision.effect is not Effect.CONSUME:
        saw_cold_exit(session, agent, state.stays(agent), position)
    elif decision.kind is EventKind.WARM_ENTRY:
        saw_warm_entry(session, agent, position)
