"""What the reference has said of where events lead: the same in every part of a log."""

from collections.abc import Hashable, Iterator
from typing import Final, NamedTuple, TypeVar

from segue.core.engine import CHECKS, Partial, apply, awaits_end, new
from segue.core.engine.judging_form import copy_of, form_of
from segue.core.events import HOOKS, INTAKES, Delivery, Event, EventKind
from segue.logs.native.description import EXPERIENCE_WORDS, KINDS

T = TypeVar("T")

_CHECKED: Final = frozenset(check.code for check in CHECKS)
_BOT: Final = "bot"
"""The bot of conversations that stand for others."""
_OF_FORMS, _OF_CHECKS = False, True
_REPORTED: Final = -1
_OF_CLOSE: Final = "SG407"


class Answer(NamedTuple):
    """Where an event leads, as the library takes it."""

    is_check: bool
    """Whether it is about what checks remember, not about forms."""
    origin: int
    event: int
    target: int
    """-1 if something is reported."""


class Learned:
    """What the reference has said; one accelerator after the other may add to it."""

    def __init__(self, cut: Partial) -> None:
        """Begin with the form that every conversation begins with if these ends are cut off."""
        self._cut = cut
        first = new("", partial=cut)
        first.bot_id = _BOT
        self.examples = [first]
        """A conversation of each form, by its number."""
        self._numbers: dict[Hashable, int] = {form_of(first): 0}
        self._remembered = [first.kept]
        """What checks may remember."""
        self._remembered_numbers: dict[Hashable, int] = {repr(first.kept): 0}
        self._answers: dict[Answer, None] = {}

    def __reduce__(self) -> tuple[type["Learned"], tuple[Partial]]:
        """Begin anew in another process, which can ask by itself."""
        return Learned, (self._cut,)

    def answers(self) -> Iterator[Answer]:
        """Return all that the reference has said."""
        return iter(self._answers)

    def ask(self, form: int, remembered: int, asked: int) -> list[Answer]:
        """Ask the reference where an event leads from a form, and whether it reports anything."""
        agent, number, experience = (asked >> 16) - 1, asked >> 8 & 255, asked & 255
        kind, name = KINDS[number], "" if agent < 0 else str(agent)
        word = EXPERIENCE_WORDS[experience - 1] if experience else ""
        event = Event(kind, name, word, {}, "")
        intake = HOOKS if isinstance(kind, EventKind) else INTAKES["transcription"]
        state = copy_of(self.examples[form])
        state.kept = self._remembered[remembered]
        apply(state, Delivery("", _BOT, (event,), intake=intake))
        reported = {finding.code for finding in state.findings}
        answers = []
        if awaits_end(state):  # findings of the close are due
            reported.add(_OF_CLOSE)
        if reported - _CHECKED:
            answers.append(Answer(_OF_FORMS, form, asked & ~255, _REPORTED))
        if reported & _CHECKED:
            answers.append(Answer(_OF_CHECKS, remembered, asked, _REPORTED))
        if not reported:
            kept = repr(state.kept)
            known = _number_of(kept, state.kept, self._remembered_numbers, self._remembered)
            target = _number_of(form_of(state), state, self._numbers, self.examples)
            answers.append(Answer(_OF_CHECKS, remembered, asked, known))
            answers.append(Answer(_OF_FORMS, form, asked & ~255, target))
        self._answers.update(dict.fromkeys(answers))
        return answers


def _number_of(key: Hashable, value: T, numbers: dict[Hashable, int], values: list[T]) -> int:
    """Return the number of a value; add it if there is none of its key."""
    number = numbers.setdefault(key, len(values))
    if number == len(values):
        values.append(value)
    return number
