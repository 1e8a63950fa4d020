"""The short way: an event that nothing is wrong with, at a fraction of the cost.

It decides only that nothing needs a second look; False means "judge it with care", never "wrong".
House rules: (1) whatever is taken here, the long way takes without a finding of its own and with
the same state after it (a law of the tests); (2) what is rare is left to the long way; (3) nothing
is changed before all is known to be well.
"""

from datetime import datetime
from typing import Final

from segue.engine.consistency import crosscheck
from segue.engine.history import SILENT
from segue.engine.state import State
from segue.events import HOOKS, TRANSCRIPTION, ActionKind, EventKind, Facts, Intake
from segue.findings import Place
from segue.lifecycle import AGENTLESS_KINDS, INTRODUCING_KINDS, MESSAGES, Decision, Effect, Phase
from segue.transcription import Session, follow, saw_cold_exit, saw_warm_entry

__all__ = ["count", "plainly", "scoped", "show"]

_USER_MESSAGE: Final = EventKind.USER_MESSAGE
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_COLD_EXIT: Final = EventKind.COLD_EXIT
_WARM_ENTRY: Final = EventKind.WARM_ENTRY
_END: Final = EventKind.END
_ACTIONS: Final = {(kind.action, kind.handover): kind for kind in ActionKind}
_WAITING: Final = Phase.WAITING


def plainly(state: State, facts: Facts, line: int | None) -> bool:  # noqa: C901, PLR0911, PLR0912 - most events of most logs, and calls cost
    """Apply what is legal beyond doubt at the next position; False: nothing was done."""
    _, kind, agent, experience, value, bot_id, at, delivery_id, mark, _ = facts
    if kind is None:
        return _follow(state, facts)
    standing, known = state.standing, state.known
    if standing is None:
        return False
    number = known.get(agent)
    if number is None:
        if kind in INTRODUCING_KINDS:
            number = len(known)
        elif (known or not agent) and kind not in AGENTLESS_KINDS:
            return False
    link = standing.links[kind, number]
    if link is None:
        return False
    if at is not None and state.latest is not None and at < state.latest:
        return False
    if experience != state.experience and experience and state.experience:
        return False
    if bot_id != state.bot_id and state.bot_id is not None:
        return False
    if delivery_id is not None and not _remember(state, scoped(delivery_id, HOOKS), mark):
        return False
    # From here on all is known to be well.
    state.bot_id = bot_id
    if at is not None:
        state.latest = at
    if experience:
        state.experience = experience
    position = state.position
    state.position = position + 1
    state.processable = True
    if kind in MESSAGES:
        count(state, kind, number, at, is_primary=number == standing.primary)
        return True
    if kind in AGENTLESS_KINDS:
        number = None
    elif number == len(known):
        known[agent] = number
    state.standing = link.to
    state.previous = value
    state.trail.enter(position, line, at, link.stamp, SILENT, number, value, experience)
    if state.session is not None:
        show(state, state.session, link.stamp, kind, agent, position, line)
    return True


def _follow(state: State, facts: Facts) -> bool:
    """Apply an action that is allowed beyond doubt, by an agent as the transfers called it."""
    _, _, agent, name, value, _, at, delivery_id, mark, _ = facts
    if agent not in state.known or state.ended:
        return False
    delivered = None if delivery_id is None else scoped(delivery_id, TRANSCRIPTION)
    if delivered is not None and state.delivered is not None and delivered in state.delivered:
        return False
    session = state.session or Session()
    action = _ACTIONS[name, value.get("handover")]
    if not follow(session, action, agent, at=at, stay=state.stays(agent)):
        return False
    state.session = session
    if delivered is not None:
        _remember(state, delivered, mark)
    return True


def scoped(delivery_id: str, intake: Intake) -> str:
    """Return the id among all of a conversation: each intake has its own."""
    return f"{intake.name} {delivery_id}"


def _remember(state: State, identity: str, mark: str) -> bool:
    """Remember a delivery by the fingerprint of its body; False: it was here before."""
    delivered = state.delivered
    if delivered is None:
        state.delivered = {identity: mark}
    elif identity in delivered:
        return False
    else:
        delivered[identity] = mark
    return True


def count(
    state: State, kind: EventKind, agent: int | None, at: datetime | None, *, is_primary: bool
) -> None:
    """Count a message for whoever it will be accounted to."""
    if not state.messages and state.phase is _WAITING:
        state.first_message_at = at
    state.messages += 1
    if kind is _USER_MESSAGE:
        state.trail.user_messages += 1
    elif kind is _AGENT_MESSAGE:
        if is_primary:
            state.trail.agent_messages += 1
        elif agent is not None:
            state.trail.aside(agent)


def show(  # noqa: PLR0913, PLR0917 - once an event
    state: State,
    session: Session,
    stamp: int,
    kind: EventKind,
    agent: str,
    position: int,
    line: int | None,
) -> None:
    """Let transcription see an event that has been judged."""
    if kind is _COLD_EXIT:
        if Decision.of(stamp).effect is not Effect.CONSUME:
            saw_cold_exit(session, agent, state.stays(agent), position)
    elif kind is _WARM_ENTRY:
        saw_warm_entry(session, agent, position)
    elif kind is _END:
        state.findings += crosscheck(state, Place(event=position, line=line))
