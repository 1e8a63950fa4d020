"""Transcription held against the lifecycle, once both are complete: the findings on that."""

from collections.abc import Container

from segue.events import EventKind
from segue.findings import Finding, Place, find
from segue.fold.state import State
from segue.fold.wording import short
from segue.lifecycle import Roster
from segue.transcription import crosscheck as remarks

__all__ = ["crosscheck"]


def crosscheck(state: State, place: Place) -> list[Finding]:
    """Hold transcription against the lifecycle, once both are complete."""
    if state.session is None:
        return []
    departed = {
        moment.agent
        for moment in state.trail.moments(state.known)
        if moment.kind is EventKind.COLD_EXIT
    }
    roster = state.roster
    return [
        find(
            remark.code,
            place
            if remark.event is None and remark.action is None
            else Place(event=remark.event, action=remark.action),
            {key: short(value) for key, value in remark.facts.items()},
        )
        for remark in remarks(state.session, _Among(roster, roster.known), _Among(roster, departed))
    ]


class _Among:
    """Some agents of a conversation, in any letter case that means exactly one of its agents."""

    def __init__(self, roster: Roster, agents: Container[str]) -> None:
        self._roster = roster
        self._agents = agents

    def __contains__(self, agent: object) -> bool:
        return self._roster.resolve(EventKind.MESSAGE, str(agent)) in self._agents
