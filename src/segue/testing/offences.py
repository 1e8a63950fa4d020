"""Hypothesis strategies for conversations in which exactly one thing is wrong.

For a rule of the table the target is drawn first, and then a way to it; so each rule is offended in
each situation the table knows, not only where a random walk happens to lead. For the other rules a
mistake is made in a drawn conversation. Everything drawn has been checked.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from hypothesis import assume, strategies as st

from segue.analysis.simulate.bodies import StoryEvent
from segue.analysis.simulate.legal_moves import LifecycleState, way_out
from segue.analysis.simulate.mistakes import mistakes_of
from segue.analysis.simulate.script import LogPart
from segue.core.conversation import check
from segue.core.findings import BY_CODE, codes
from segue.testing.mistaken_stories import is_only, mistaken, page_story, places_of, scripted
from segue.testing.offence_space import AGENTS, ending, offence, silent, targets, way_to
from segue.testing.stories import Story, story_of
from segue.testing.streams import WalkOptions, transcribed, walks

_TALK: Final = (StoryEvent("NA entry", "a-1"), StoryEvent("user message", "a-1"))
_TRANSFER: Final = (
    StoryEvent("NA entry", "a-1"),
    StoryEvent("COLD exit", "a-1"),
    StoryEvent("COLD entry", "a-2"),
)


class Violation(NamedTuple):
    """A conversation with one offence."""

    stream: Story
    """Bodies of E21; envelopes and broken text only if such a rule was asked for."""
    rule: str
    """The code of the only finding."""
    position: int | None
    """Of the event, or the transcription action, it is about; None if it shows at the close."""


@cache
def offended_by_bodies() -> list[str]:
    """Return the codes of the rules whose offence takes nothing but bodies of E21."""
    return [code for code in sorted(BY_CODE) if all(map(_is_body, page_story(code)))]


def _is_body(given: object) -> bool:
    return isinstance(given, Mapping) and "body" not in given


@st.composite
def invalid_streams(draw: st.DrawFn, *, rule: str | None = None, max_size: int = 6) -> Violation:
    """Conversations with exactly one finding, of this rule or of any that E21 bodies can offend.

    `rule` is a code, a code prefix or a name; `"SG"` stands for all rules, those included that need
    an envelope: of transcription, times, delivery ids, calls and broken text. At most `max_size`
    legal events come before the way to the offence. An unknown rule is reported when a value is
    drawn.
    """
    wanted = offended_by_bodies() if rule is None else sorted(codes((rule,)))
    code = draw(st.sampled_from(wanted))
    if code in targets():
        stream = story_of(draw(_offended(code, max_size)))
    else:
        stream = draw(_mistaken(code, max_size))
    findings = check(stream).findings
    assume([finding.code for finding in findings] == [code])
    place = findings[0].place
    return Violation(stream, code, place.event if place.action is None else place.action)


@st.composite
def _offended(draw: st.DrawFn, code: str, max_size: int) -> list[StoryEvent]:
    """Events that hit a target of the rule, go on for a while, and end."""
    target = draw(st.sampled_from(targets()[code]))
    taken, state = draw(walks(WalkOptions(max_size=max_size, agents=AGENTS, notes=False)))
    there = way_to(state, target)
    if there is None:  # nothing leads there from here any more
        taken, state = [], LifecycleState()
        there = way_to(state, target)
    assert there is not None, "a target can be hit"
    state = state.after(*there)
    taken += there
    if not target.label:
        return taken
    offending = offence(state, target)
    assert offending is not None, "the way leads to the target"
    state = state.after(offending)
    taken.append(offending)
    for _ in range(draw(st.integers(0, max_size // 2))):
        options = [event for event in silent(state) if event.actor]
        if options:
            taken.append(draw(st.sampled_from(options)))
            state = state.after(taken[-1])
    return [*taken, *(ending(state) or ())]


@st.composite
def _mistaken(draw: st.DrawFn, code: str, max_size: int) -> Story:
    """A clean conversation with one mistake in it, or the example of the rule's page."""
    mistake = draw(st.sampled_from(mistakes_of(code)))
    is_recorded = LogPart.TRANSCRIPTION in mistake.needs
    opening = _TRANSFER if is_recorded else _TALK
    taken, state = draw(walks(WalkOptions(max_size=max_size, notes=False), opening))
    events = [*taken, *way_out(state)]
    if is_recorded:
        events = draw(transcribed(events))
    script = scripted(events)
    places = places_of(mistake, script)
    first = draw(st.sampled_from(range(len(places) or 1)))
    stories = mistaken(mistake, script, [*places[first:], *places[:first]])
    return next((each for each in stories if is_only(code, each)), None) or page_story(code)
