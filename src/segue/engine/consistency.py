"""Transcription held against the lifecycle, once both are complete: the findings on that."""

from functools import cached_property

from segue.engine.state import State
from segue.engine.truncation import short
from segue.events import EventKind
from segue.findings import Finding, Place, find
from segue.transcription import crosscheck as remarks_on

__all__ = ["crosscheck"]


def crosscheck(state: State, place: Place) -> list[Finding]:
    """Hold transcription against the lifecycle; `place`: of what belongs to no event or action."""
    if state.session is None:
        return []
    remarks = remarks_on(state.session, _Known(state), _Departed(state))
    if not remarks:
        return []
    lines: dict[int | None, int | None] = {
        moment.position: moment.line for moment in state.trail.moments(state.known)
    }
    return [
        find(
            remark.code,
            place
            if remark.event is None and remark.action is None
            else Place(remark.event, remark.action, line=lines.get(remark.event)),
            {key: short(value) for key, value in remark.facts.items()},
        )
        for remark in remarks
    ]


class _Known:
    """The agents of a conversation, in any letter case that means exactly one of them."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __contains__(self, agent: object) -> bool:
        return self._meant(str(agent)) in self._state.known

    def _meant(self, agent: str) -> str:
        if agent in self._state.known:
            return agent
        return self._state.roster.resolve(EventKind.MESSAGE, agent)


class _Departed(_Known):
    """Those of them who left by COLD exit."""

    def __contains__(self, agent: object) -> bool:
        return self._meant(str(agent)) in self._agents

    @cached_property
    def _agents(self) -> set[str]:
        return {
            moment.agent
            for moment in self._state.trail.moments(self._state.known)
            if moment.kind is EventKind.COLD_EXIT
        }
