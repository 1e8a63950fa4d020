"""Hypothesis strategies for conversations in which exactly one thing is wrong.

The target is drawn first, and a way to it then; so each rule is offended in each situation the
table knows, not only where a random walk happens to lead.  House rule: whatever is drawn has been
given to the check, which found that rule and nothing else.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st

from segue.conversation import check
from segue.findings import BY_CODE, codes
from segue.lifecycle import Roster
from segue.testing.fault import FAULTS, faulty
from segue.testing.legal_moves import legal, take, way, way_out
from segue.testing.offence_space import AGENTS, Target, ending, is_at, offence, targets
from segue.testing.stories import Beat, Story, told
from segue.testing.streams import courses, recorded

__all__ = ["Violation", "invalid_streams"]

_TRANSCRIPTION: Final = 4
_TRANSFER: Final = (Beat("NA entry", "a-1"), Beat("COLD exit", "a-1"), Beat("COLD entry", "a-2"))


class Violation(NamedTuple):
    """A conversation with one offence."""

    stream: Story
    """Bodies of E21; envelopes and broken text where the rule is about these."""
    rule: str
    """The code of the only finding."""
    position: int | None
    """Of the event, or the transcription action, it is about; None: it shows at the close."""


def invalid_streams(*, rule: str | None = None, max_size: int = 6) -> st.SearchStrategy[Violation]:
    """Conversations with exactly one finding, of any rule or of this one.

    `rule` is a code, a code prefix or a name. At most `max_size` legal events come before the way
    to the offence. An unknown rule is reported when a value is drawn.
    """
    return _violations(rule, max_size)


@st.composite
def _violations(draw: st.DrawFn, rule: str | None, max_size: int) -> Violation:
    wanted = sorted(BY_CODE) if rule is None else sorted(codes((rule,)))
    code = draw(st.sampled_from(wanted))
    if code in targets():
        stream = told(draw(_offended(code, max_size)))
    else:
        stream = draw(_faulty(code, max_size))
    findings = check(stream).findings
    if [finding.code for finding in findings] != [code]:
        reject()
    place = findings[0].place
    return Violation(stream, code, place.event if place.action is None else place.action)


@st.composite
def _offended(draw: st.DrawFn, code: str, max_size: int) -> list[Beat]:
    """A course that hits a target of the rule, goes on for a while, and ends."""
    target = draw(st.sampled_from(targets()[code]))
    taken, roster = draw(courses(max_size=max_size, agents=AGENTS, notes=False))
    there = _way(roster, target)
    if there is None:  # nothing leads there from here any more
        taken, roster = [], Roster()
        there = _way(roster, target)
    assert there is not None, "a target can be hit"  # noqa: S101
    for beat in there:
        taken.append(beat)
        take(roster, beat)
    if not target.label:
        return taken
    offending = offence(roster, target)
    assert offending is not None, "the way leads to the target"  # noqa: S101
    taken.append(offending)
    take(roster, offending)
    for _ in range(draw(st.integers(0, max_size // 2))):
        silent = [beat for beat in legal(roster, AGENTS, notes=False) if beat.actor]
        if silent:
            taken.append(draw(st.sampled_from(silent)))
            take(roster, taken[-1])
    return [*taken, *(ending(roster) or ())]


def _way(roster: Roster, target: Target) -> list[Beat] | None:
    found = way(roster, AGENTS, lambda here: is_at(target, here), beats=_silent)
    return None if found is None else list(found)


def _silent(roster: Roster, agents: int) -> Iterator[Beat]:
    return legal(roster, agents, notes=False)


@st.composite
def _faulty(draw: st.DrawFn, code: str, max_size: int) -> Story:
    """A clean conversation with one fault in one of its deliveries."""
    fault = draw(st.sampled_from([fault for fault in FAULTS if fault.code == code]))
    is_recorded = BY_CODE[code].family == _TRANSCRIPTION
    opening = _TRANSFER if is_recorded else (Beat("NA entry", "a-1"), Beat("user message", "a-1"))
    taken, roster = draw(courses(max_size=max_size, notes=False, opening=opening))
    course = [*taken, *way_out(roster)]
    clean = draw(recorded(course)) if is_recorded else told(course)
    edited = [
        story
        for story in faulty(clean, fault)
        if [finding.code for finding in check(story).findings] == [code]
    ]
    return draw(st.sampled_from(edited)) if edited else reject()
