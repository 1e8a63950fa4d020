"""Draw a conversation, plain or with a mistake planted in it, and say what must be found.

It decides what of a made-up log is true: every planted conversation is given to the check, in the
very lines of the log, and drawn again unless exactly the finding that was meant comes back.  Plain
conversations are not checked: the walk reads the same table, and has written down its notes.
It does not know who else is in the log.
"""

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Final, NamedTuple

from segue.conversation import Conversation
from segue.errors import ConfigurationError
from segue.findings import Finding
from segue.simulate.mistakes import NOTES, Mistake
from segue.simulate.random_walk import walk
from segue.simulate.script import Script, Sent
from segue.simulate.spelling import respell
from segue.wire import read_line

__all__ = ["Dials", "Planted", "Told", "plain", "plant"]

_TRIES: Final = 5_000
_RETRIES: Final = 0.1


class Planted(NamedTuple):
    """A finding that a log must give: a planted mistake, or a note that happened by itself."""

    conversation_id: str | None
    """None: the line is so broken that nobody can tell."""
    code: str
    event: int | None
    """As in `place.event` of the finding."""
    action: int | None
    """As in `place.action`."""
    line: int | None
    """1-based line at which it shows; None: only at the close of the log."""
    title: str
    """What happened, as a clause."""


class Told(NamedTuple):
    """A conversation in lines. The lines of `planted` are counted within the conversation."""

    conversation_id: str
    sent: list[Sent]
    planted: list[Planted]


class Dials(NamedTuple):
    """What conversations are like."""

    messages: float
    transcription: bool
    notes: bool
    spellings: bool
    envelopes: bool
    delivery_ids: bool


def plain(dials: Dials, seed: str, number: int, start: datetime) -> Told:
    """Tell a conversation without a mistake."""
    random = Random(seed)  # noqa: S311 - made-up logs, no secrets
    script = _draw(dials, random, number, notes=dials.notes)
    if dials.spellings:
        respell(random, script)
        if dials.delivery_ids and not script.notes:
            _send_again(random, script)
    sent = script.sent(start, _prefix(dials, number))
    return Told(script.conversation_id, sent, _noted(script, sent) if script.notes else [])


def plant(dials: Dials, mistake: Mistake, seed: str, number: int, start: datetime) -> Told:
    """Tell a conversation with this mistake, and no other finding than the mistake's.

    Raises `ConfigurationError` when the dials leave too little for the mistake to go wrong in.
    """
    for attempt in range(_TRIES):
        random = Random(f"{seed} {attempt}")  # noqa: S311
        script = _draw(dials, random, number, notes=False)
        if not mistake.edit(random, script):
            continue
        if dials.spellings:
            respell(random, script)
        sent = script.sent(start, _prefix(dials, number))
        planted = [Planted(*found, mistake.title) for found in _found(sent)]
        if [each.code for each in planted] == [mistake.code]:
            return Told(script.conversation_id, sent, planted)
    msg = f"no conversation suited {mistake.code} ({mistake.title}): allow more messages"
    raise ConfigurationError(msg)


def _draw(dials: Dials, random: Random, number: int, *, notes: bool) -> Script:
    script = walk(
        random, number, messages=dials.messages, transcription=dials.transcription, notes=notes
    )
    script.is_enveloped = dials.envelopes
    return script


def _prefix(dials: Dials, number: int) -> str:
    return f"d-{number:05d}-" if dials.delivery_ids else ""


def _send_again(random: Random, script: Script) -> None:
    """Retry a delivery under its id, as a sender may, so that nobody takes notice."""
    if random.random() < _RETRIES:
        index = random.randrange(len(script.items) - 1)
        item, following = script.items[index : index + 2]
        item.extra["delivery_id"] = f"d-{script.conversation_id}-again"
        script.items.insert(index + 1, item.copy(min(1_500, following.at - item.at)))


def _noted(script: Script, sent: Sequence[Sent]) -> list[Planted]:
    events, noted = 0, list[Planted]()
    titles = {id(note.item): note.code for note in script.notes}
    for line, delivery in enumerate(sent, start=1):
        for item in delivery.items:
            code = titles.get(id(item))
            if code is not None:
                noted.append(Planted(script.conversation_id, code, events, None, line, NOTES[code]))
            events += not item.is_action
    return noted


def _found(
    sent: Sequence[Sent],
) -> list[tuple[str | None, str, int | None, int | None, int | None]]:
    """Return what the check finds, each with the line of the conversation at which it shows."""
    conversation = Conversation()
    strays: list[int] = []
    counts = [(0, 0)]
    for line, delivery in enumerate(sent, start=1):
        read = read_line(delivery.text, line=line)
        if read.conversation_id is None:
            strays.append(line)
        conversation.feed(read)
        report = conversation.report()
        counts.append((report.events, report.transcription["actions"]))
    report = conversation.finish()
    return [
        (None, finding.code, None, None, finding.place.line)
        if finding.place.line in strays
        else (
            report.conversation_id,
            finding.code,
            finding.place.event,
            finding.place.action,
            _line(finding, counts),
        )
        for finding in report.findings
    ]


def _line(finding: Finding, counts: Sequence[tuple[int, int]]) -> int | None:
    """Return the line of a finding, or of the event or action that it is about."""
    place = finding.place
    if place.line is not None:
        return place.line
    for line, (events, actions) in enumerate(counts):
        if (place.event is not None and events > place.event) or (
            place.action is not None and actions > place.action
        ):
            return line
    return None
