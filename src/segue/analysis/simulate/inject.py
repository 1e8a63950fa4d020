"""Generates conversations, with or without a mistake, and the findings that a check must report.

Every conversation with a mistake is checked. It is generated again unless the intended finding is
the only one. If no generated conversation is suitable for the mistake, the example on the rule's
page is used. A conversation without a mistake is checked only if it contains events that are
reported as notes.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from random import Random
from typing import Final, NamedTuple

from segue.analysis.simulate.mistakes import MistakeMaker
from segue.analysis.simulate.random_walk import strangers, walk
from segue.analysis.simulate.script import LogPart, Script, SentLine
from segue.analysis.simulate.spelling import respell
from segue.analysis.simulate.translation import page_log
from segue.core.conversation import Conversation
from segue.core.findings import BY_CODE
from segue.core.wire import read_line

_TRIES: Final = 48
"""The maximum number of conversations generated to find a suitable one for a mistake."""
_RETRIES: Final = 0.1


class ExpectedFinding(NamedTuple):
    """A finding that a check of a generated log must report."""

    conversation_id: str | None
    """The id of the conversation, or None if the line is too damaged to contain it."""
    code: str
    """The code of the rule, such as `SG103`."""
    event: int | None
    """The `place.event` of the finding."""
    action: int | None
    """The `place.action` of the finding."""
    line: int | None
    """The line of the finding, from 1, or None if it is reported at the end of the log."""
    title: str
    """The summary of the rule."""


class ScriptedConversation(NamedTuple):
    """The lines of a generated conversation, and the findings expected of them."""

    conversation_id: str
    sent: list[SentLine]
    expected: list[ExpectedFinding]
    """The findings. Their lines are counted within the conversation."""


class GeneratorOptions(NamedTuple):
    """Options of generated conversations. They have the same meanings as in `generate`."""

    messages: float
    transcription: bool
    notes: bool
    spellings: bool
    envelopes: bool
    delivery_ids: bool
    calls: bool


def plain(options: GeneratorOptions, seed: str, name: str, start: datetime) -> ScriptedConversation:
    """Generate a conversation without a mistake.

    Args:
        options: The options of the conversation.
        seed: The seed of all random choices.
        name: The last part of the conversation id and the delivery ids, such as `00001`.
        start: The time at which the conversation begins.

    """
    random, script = _draw(options, seed, name, notes=options.notes)
    if options.spellings:
        respell(random, script)
        if options.delivery_ids and not script.notes:
            _send_again(random, script)
    return _written(script, start, is_clean=not script.notes)


def inject(
    options: GeneratorOptions, mistake: MistakeMaker, seed: str, name: str, start: datetime
) -> ScriptedConversation:
    """Generate a conversation with one mistake, which a check reports as exactly one finding.

    If no random conversation works, the example on the documentation page of the rule is used.

    Args:
        options: The options of the conversation.
        mistake: The mistake to make.
        seed: The seed of all random choices.
        name: The last part of the conversation id and the delivery ids, such as `00001`.
        start: The time at which the conversation begins.

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
    """Repeat a random delivery with the same delivery id, with a probability of 10 %.

    Such a repetition is legal, because senders repeat a delivery if they receive no response.
    """
    if random.random() < _RETRIES:
        index = random.randrange(len(script.items) - 1)
        item, following = script.items[index : index + 2]
        item.extra["delivery_id"] = f"d-{script.conversation_id}-again"
        script.items.insert(index + 1, item.copy(min(1_500, following.at - item.at)))


def _found(sent: Sequence[SentLine]) -> Iterator[ExpectedFinding]:
    """Check the lines of a conversation, and yield the resulting findings."""
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
