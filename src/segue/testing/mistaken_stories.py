"""Conversations with one mistake, made from clean conversations or from the page of a rule."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from segue.analysis.simulate.bodies import StoryEvent, delivery
from segue.analysis.simulate.mistakes import MistakeMaker, Place, mistakes_of
from segue.analysis.simulate.script import SECOND, LogPart, Script, ScriptItem
from segue.analysis.simulate.translation import page_log
from segue.core.conversation import check
from segue.testing.stories import Story

_NINE: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)


def is_only(code: str, stream: Sequence[Any]) -> bool:
    """Return whether checking a stream gives exactly one finding, with this code."""
    return [finding.code for finding in check(stream).findings] == [code]


def scripted(events: Sequence[StoryEvent]) -> Script:
    """Create the script of a conversation with these events, which are one second apart."""
    items = [
        ScriptItem(SECOND * number, given.get("body", given), event.intake)
        for number, event in enumerate(events)
        for given in (delivery(event),)
    ]
    return Script("c-1", "st-1", "chat", items=items)


def places_of(mistake: MistakeMaker, script: Script) -> list[Place]:
    """Return all positions in a script at which this kind of mistake can be made."""
    return [place for width in mistake.widths for place in mistake.places(script, width)]


def mistaken(mistake: MistakeMaker, script: Script, places: Iterable[Place]) -> Iterator[Story]:
    """Yield a conversation for each place: a copy of the script with the mistake at that place."""
    for place in places:
        edited = replace(script, items=[item.copy() for item in script.items])
        mistake.make(edited, place, iter(("a-9", "a-8")))
        yield _story(edited, mistake)


def page_story(code: str) -> Story:
    """Return the example log on the documentation page of a rule.

    The agents are renamed to a-1, a-2 and so on.
    """
    return _story(_page_script(code, corrected=False), mistakes_of(code)[0])


def mistaken_pages(code: str) -> Iterator[Story]:
    """Yield conversations that may violate a rule, made from the rule's documentation page.

    First comes the example log on the page. Each other kind of mistake that violates the rule is
    then made in the corrected example, at every possible place.
    """
    yield page_story(code)
    for mistake in mistakes_of(code)[1:]:
        script = _page_script(code, corrected=True)
        yield from mistaken(mistake, script, places_of(mistake, script))


def _page_script(code: str, *, corrected: bool) -> Script:
    script = Script("c-1", "st-1", "chat")
    names = (f"a-{number}" for number in count(1))
    script.items = page_log(code, script, names, corrected=corrected)
    return script


def _story(script: Script, mistake: MistakeMaker) -> Story:
    script.is_enveloped = LogPart.ENVELOPES in mistake.needs
    return Story(script.deliveries(_NINE))
