"""Generates conversations, plain or with one mistake, with the findings that a check must give.

Every conversation with a mistake is checked as the lines of the log, and drawn again unless the
intended finding is the only one. If no drawn conversation suits a mistake, the example of the
rule's page is used. A plain conversation is checked only if its walk recorded a note. The walk and
the check use the same table.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from random import Random
from typing import Final, NamedTuple

from segue.analysis.simulate.mistakes import Mistake
from segue.analysis.simulate.random_walk import strangers, walk
from segue.analysis.simulate.script import LogPart, Script, SentLine
from segue.analysis.simulate.spelling import respell
from segue.analysis.simulate.translation import page_log
from segue.core.conversation import Conversation
from segue.core.findings import BY_CODE
from segue.core.wire import read_line

_TRIES: Final = 48
"""The number of conversations drawn to find one that suits a mistake."""
_RETRIES: Final = 0.1


class ExpectedFinding(NamedTuple):
    """A finding that a check of the log must give: for a planted mistake, or a note of a walk."""

    conversation_id: str | None
    """Missing if the line is too broken to identify its conversation."""
    code: str
    event: int | None
    """The `place.event` of the finding."""
    action: int | None
    """The `place.action` of the finding."""
    line: int | None
    """The 1-based line of the finding. None if it is found at the close of the log."""
    title: str
    """The summary of the rule."""


class ScriptedConversation(NamedTuple):
    """A conversation as lines. `expected` counts lines within the conversation."""

    conversation_id: str
    sent: list[SentLine]
    expected: list[ExpectedFinding]


class GeneratorOptions(NamedTuple):
    """Options of generated conversations, with the names and meanings of `generate`."""

    messages: float
    transcription: bool
    notes: bool
    spellings: bool
    envelopes: bool
    delivery_ids: bool
    calls: bool


def plain(options: GeneratorOptions, seed: str, name: str, start: datetime) -> ScriptedConversation:
    """Return a conversation without a mistake.

    Args:
        options: The options of the conversation.
        seed: The seed of all random choices.
        name: The end of its ids.
        start: The time at which it begins.

    """
    random, script = _draw(options, seed, name, notes=options.notes)
    if options.spellings:
        respell(random, script)
        if options.delivery_ids and not script.notes:
            _send_again(random, script)
    return _written(script, start, is_clean=not script.notes)


def inject(
    options: GeneratorOptions, mistake: Mistake, seed: str, name: str, start: datetime
) -> ScriptedConversation:
    """Return a conversation with a mistake and no finding other than the mistake's.

    Args:
        options: The options of the conversation.
        mistake: The mistake to make.
        seed: The seed of all random choices.
        name: The end of its ids.
        start: The time at which it begins.

    """
    for attempt in range(_TRIES):
        random, script = _draw(options, f"{seed} {attempt}", name, notes=False)
        places = mistake.places(script, mistake.widths[attempt % len(mistake.widths)])
        if not places:
            continue
        mistake.make(script, random.choice(places), strangers(random, script))
        if options.spellings:
            respell(random, script)
        found = _written(script, start)
        if [each.code for each in found.expected] == [mistake.code]:
            return found
    random, script = _draw(options, seed, name, notes=False)
    script.items = page_log(mistake.code, script, strangers(random, script), corrected=False)
    return _written(script, start)


def _draw(options: GeneratorOptions, seed: str, name: str, *, notes: bool) -> tuple[Random, Script]:
    random = Random(seed)
    script = walk(
        random,
        f"c-{name}",
        messages=options.messages,
        notes=notes,
        parts=[part for part in LogPart if getattr(options, part)],
    )
    script.is_enveloped = options.envelopes
    script.delivery_ids = f"d-{name}-" if options.delivery_ids else ""
    return random, script


def _written(script: Script, start: datetime, *, is_clean: bool = False) -> ScriptedConversation:
    sent = script.sent(start)
    return ScriptedConversation(script.conversation_id, sent, [] if is_clean else [*_found(sent)])


def _send_again(random: Random, script: Script) -> None:
    """Repeat a delivery with its id, which a sender may do without a finding."""
    if random.random() < _RETRIES:
        index = random.randrange(len(script.items) - 1)
        item, following = script.items[index : index + 2]
        item.extra["delivery_id"] = f"d-{script.conversation_id}-again"
        script.items.insert(index + 1, item.copy(min(1_500, following.at - item.at)))


def _found(sent: Sequence[SentLine]) -> Iterator[ExpectedFinding]:
    """Yield the findings of the check, with their lines counted within the conversation."""
    conversation, strays = Conversation(), list[int]()
    for line, delivery in enumerate(sent, start=1):
        read = read_line(delivery.text, line=line)
        if read.conversation_id is None:
            strays.append(line)
        conversation.feed(read)
    report = conversation.finish()
    for code, place in ((finding.code, finding.place) for finding in report.findings):
        known = (report.conversation_id, place.event, place.action)
        whose, event, action = (None, None, None) if place.line in strays else known
        yield ExpectedFinding(whose, code, event, action, place.line, BY_CODE[code].summary)
