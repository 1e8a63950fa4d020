"""Draws a conversation, plain or with one mistake in it, and lists what a check must find.

Every conversation with a mistake is given to the check in the very lines of the log, and drawn
again unless exactly the finding that was meant comes back. If no drawn conversation suits a
mistake, the example log of the rule's page is the conversation. Of the plain
conversations only those are checked whose walk, which reads the same table, gave a note.
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
"""How many conversations are drawn to find one that suits a mistake."""
_RETRIES: Final = 0.1


class ExpectedFinding(NamedTuple):
    """A finding that a check of the log must give: a planted mistake, or a note of a walk."""

    conversation_id: str | None
    """None if the line is too broken to name its conversation."""
    code: str
    event: int | None
    """As in `place.event` of the finding."""
    action: int | None
    """As in `place.action`."""
    line: int | None
    """1-based line at which it is found; None if only the close of the log shows it."""
    title: str
    """What happened: the summary of the rule."""


class ScriptedConversation(NamedTuple):
    """A conversation in lines; the lines of `expected` are counted within the conversation."""

    conversation_id: str
    sent: list[SentLine]
    expected: list[ExpectedFinding]


class GeneratorOptions(NamedTuple):
    """What conversations are like; the fields are the parameters of `generate`."""

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
        options: what it is like.
        seed: decides everything that is drawn.
        name: what its ids end with.
        start: when it begins.

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
    """Return a conversation with this mistake, and no other finding than the mistake's.

    Args:
        options: what it is like.
        mistake: what goes wrong.
        seed: decides everything that is drawn.
        name: what its ids end with.
        start: when it begins.

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
    """Retry a delivery under its id, as a sender may without a finding."""
    if random.random() < _RETRIES:
        index = random.randrange(len(script.items) - 1)
        item, following = script.items[index : index + 2]
        item.extra["delivery_id"] = f"d-{script.conversation_id}-again"
        script.items.insert(index + 1, item.copy(min(1_500, following.at - item.at)))


def _found(sent: Sequence[SentLine]) -> Iterator[ExpectedFinding]:
    """Yield what the check finds, with the line of the conversation at which it shows."""
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
