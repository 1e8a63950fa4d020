"""Witnesses: for each rule a shortest story whose whole report is exactly that rule.

They are computed, the shortest story first: of what the table judges every course there is, of the
shapes every fault in every clean course, of transcription every part of one recorded conversation.
It does not know why a rule is offended; it asks the check.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, count
from typing import Final

from segue.conversation import check
from segue.errors import UnknownRule
from segue.findings import BY_CODE
from segue.lifecycle import Phase, Roster
from segue.testing.fault import FAULTS, faulty
from segue.testing.legal_moves import Codes, close, legal, state, take, tempting, twin
from segue.testing.offence_space import targets
from segue.testing.stories import Beat, Story, told

__all__ = ["clean_courses", "shortest_witness"]

_AGENTS: Final = 2
_TRANSCRIPTION: Final = 4
"""The family of rules that need actions."""

_RECORDED: Final = (
    Beat("NA entry", "a-1"),
    Beat("start", "a-1"),
    Beat("pause handover=false", "a-1"),
    Beat("pause handover=true", "a-1"),
    Beat("end", "a-1"),
    Beat("end", "a-9"),
    Beat("NA exit", "a-1"),
    Beat("COLD exit", "a-1"),
    Beat("COLD entry", "a-2"),
    Beat("end", "a-2"),
    Beat("NA exit", "a-2"),
    Beat("END_OF_CONVERSATION", "a-2"),
    Beat("start", "a-1"),
)
"""Whatever can go wrong with transcription goes wrong in a part of this."""


def shortest_witness(code: str) -> Story:
    """Return a shortest story whose report is one finding, and that of this rule.

    Its length counts deliveries, each of which tells one thing. Raises `UnknownRule` for a code
    that is none.
    """
    if code not in BY_CODE:
        msg = f"no rule has the code {code!r}: segue rules lists them"
        raise UnknownRule(msg)
    if code in targets():
        return Story(_offended(code))
    return Story(_recorded(code) if BY_CODE[code].family == _TRANSCRIPTION else _faulty(code))


@cache
def clean_courses(length: int, agents: int = _AGENTS) -> tuple[tuple[Beat, ...], ...]:
    """Return every course of so many lifecycle events that ends and gives no finding."""
    return tuple(_clean(Roster(), (), length, agents))


def _clean(
    roster: Roster, taken: tuple[Beat, ...], length: int, agents: int
) -> Iterator[tuple[Beat, ...]]:
    if roster.phase is Phase.ENDED:
        if len(taken) == length:
            yield taken
    elif len(taken) < length:
        for beat in legal(roster, agents, notes=False):
            there = twin(roster)
            take(there, beat)
            yield from _clean(there, (*taken, beat), length, agents)


@cache
def _offended(code: str) -> Story:
    """Search the courses that the table judges, the shortest first."""
    queue: deque[tuple[Roster, tuple[Beat, ...], Codes]] = deque([(Roster(), (), ())])
    seen: set[object] = set()
    while True:
        roster, taken, codes = queue.popleft()
        if taken and (*codes, *close(roster)) == (code,):
            return told(taken)
        for beat in tempting(roster, _AGENTS):
            there = twin(roster)
            now = (*codes, *take(there, beat))
            if now in ((), (code,)) and (key := (now, state(there))) not in seen:
                seen.add(key)
                queue.append((there, (*taken, beat), now))


@cache
def _faulty(code: str) -> Story:
    """Search the clean stories with one fault, the shortest first."""
    faults = [fault for fault in FAULTS if fault.code == code]
    best: Story | None = None
    for length in count():
        if best is not None and len(best) <= length:
            return best
        for clean in map(told, clean_courses(length) if length else ((),)):
            for fault in faults:
                for edited in faulty(clean, fault):
                    if (best is None or len(edited) < len(best)) and _is_only(code, edited):
                        best = edited
    raise AssertionError(code)  # pragma: no cover - count() does not end


@cache
def _recorded(code: str) -> Story:
    """Search the parts of one recorded conversation, the shortest first."""
    for length in range(1, len(_RECORDED) + 1):
        for beats in combinations(_RECORDED, length):
            if _is_clean(beats) and _is_only(code, edited := told(beats)):
                return edited
    raise AssertionError(code)


def _is_clean(beats: Sequence[Beat]) -> bool:
    """Whether the lifecycle of the beats is without fault, and complete if there is any."""
    roster = Roster()
    events = [beat for beat in beats if not beat.is_action]
    return not any(take(roster, beat) for beat in events) and (
        not events or roster.phase is Phase.ENDED
    )


def _is_only(code: str, edited: Story) -> bool:
    return [finding.code for finding in check(edited).findings] == [code]
