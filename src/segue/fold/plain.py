"""The short way: an event that nothing is wrong with, at a fraction of the cost.

It decides only that nothing needs a second look; False means "judge it with care", never "wrong".
House rules: (1) whatever is taken here, the long way takes without a finding of its own and with
the same state after it (a law of the tests); (2) what is rare is left to the long way; (3) nothing
is changed before all is known to be well.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from segue.events import EventKind
from segue.findings import Place
from segue.fold.crosscheck import crosscheck
from segue.fold.state import State
from segue.fold.trail import REPEATED, SILENT
from segue.lifecycle import MESSAGES, NAMING, NOBODYS, Decision, Effect, Phase
from segue.transcription import saw_cold_exit, saw_warm_entry

__all__ = ["count", "enter", "plainly"]

_USER_MESSAGE: Final = EventKind.USER_MESSAGE
_AGENT_MESSAGE: Final = EventKind.AGENT_MESSAGE
_WAITING: Final = Phase.WAITING


def plainly(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0917 - most events of most logs, and calls cost
    state: State,
    kind: EventKind,
    agent: str,
    experience: str,
    value: Mapping[str, Any],
    bot_id: str | None,
    at: datetime | None,
    line: int | None,
) -> bool:
    """Apply an event that is legal beyond doubt at the next position; False: nothing was done."""
    standing, known = state.standing, state.known
    if standing is None:
        return False
    number = known.get(agent)
    if number is None:
        if kind in NAMING:
            number = len(known)
        elif (known or not agent) and kind not in NOBODYS:
            return False
    link = standing.links[kind, number]
    if link is None:
        return False
    if at is not None and state.latest is not None and at < state.latest:
        return False
    if experience != state.experience and experience and state.experience:
        return False
    if bot_id != state.bot_id:
        if state.bot_id is not None:
            return False
        state.bot_id = bot_id
    # From here on all is known to be well.
    if at is not None:
        state.latest = at
    if experience:
        state.experience = experience
    position = state.position
    state.position = position + 1
    state.processable = True
    if kind in MESSAGES:
        count(state, kind, number, at, is_primary=number == standing.primary)
    else:
        if kind in NOBODYS:
            number = None
        elif number == len(known):
            known[agent] = number
        state.standing = link.to
        state.previous = value
        enter(state, position, line, at, link.stamp, SILENT, number, agent, value, experience)
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


def enter(  # noqa: PLR0913, PLR0917 - once an event
    state: State,
    position: int,
    line: int | None,
    at: datetime | None,
    stamp: int,
    verdict: int,
    number: int | None,
    agent: str,
    value: Mapping[str, Any],
    experience: str,
) -> None:
    """Enter a judged lifecycle event into the trail, and let transcription see it."""
    state.trail.append(position, line, at, stamp, verdict, number)
    if number is not None:
        state.trail.learn(number, value.get("participant"), value.get("language"), experience)
    if state.session is not None and verdict != REPEATED:
        decision = Decision.of(stamp)
        if decision.kind is EventKind.COLD_EXIT and decision.effect is not Effect.CONSUME:
            saw_cold_exit(state.session, agent, state.stays(agent), position)
        elif decision.kind is EventKind.WARM_ENTRY:
            saw_warm_entry(state.session, agent, position)
        elif decision.kind is EventKind.END:
            state.findings += crosscheck(state, Place(event=position, line=line))
