"""Variants of spelling that a check accepts without a finding.

A variant changes only correct values, so planted mistakes remain. It changes all deliveries of a
conversation in the same way, so repeated deliveries remain equal.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from segue.analysis.simulate.script import Script, Wrapping
from segue.core.events import (
    AUTHORS,
    EXPERIENCES,
    PARTICIPANT_TYPES,
    TRANSFER_TYPES,
    TRANSITIONS,
    Json,
)

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "transfertype": TRANSFER_TYPES,
    "transition": TRANSITIONS,
    "experience": EXPERIENCES,
    "type": (*AUTHORS, *PARTICIPANT_TYPES),
}
"""For each field, the values that may be in any letter case and surrounded by spaces."""
_FLAGS: Final = ("handover", "sendUserMessage", "sendAgentMessage", "isExtAD")
_SHARE: Final = 0.35

_Values: TypeAlias = Mapping[object, object]


class SpellingVariant(NamedTuple):
    """An accepted way to spell or wrap the bodies of a conversation."""

    title: str
    values: Mapping[str, _Values] = {}
    """For each field, a dictionary from values to other spellings. It applies at any depth."""
    on_event: Callable[[dict[str, Any]], object] | None = None
    """A function that adds fields to an event or removes fields, or None."""
    form: Wrapping = Wrapping.PLAIN
    """The way in which the sender wraps bodies."""


def respell(random: Random, script: Script) -> None:
    """Apply a random variant to a conversation, with a probability of 35 %."""
    if random.random() < _SHARE:
        apply(random.choice(VARIANTS), script)


def apply(variant: SpellingVariant, script: Script) -> None:
    """Apply a variant to all deliveries of a conversation, in place."""
    script.form = variant.form
    for item in script.items:
        item.body = spelled(variant, item.body)


def spelled(variant: SpellingVariant, body: Mapping[str, Json]) -> dict[str, Json]:
    """Return a copy of a body in a variant of spelling."""
    found: dict[str, Json] = _respelled(dict(body), variant.values)
    if variant.on_event is not None:
        for event in found.get("events", ()):
            variant.on_event(event)
    return found


def _respelled(value: Json, values: Mapping[str, _Values]) -> Json:
    if isinstance(value, list):
        return [_respelled(each, values) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: values[key].get(each, each)
        if key in values and isinstance(each, str | bool)
        else _respelled(each, values)
        for key, each in value.items()
    }


def _add_fields(event: dict[str, Any]) -> None:
    event["platformVersion"] = "7.2"
    if isinstance(event.get("participant"), dict):
        event["participant"]["team"] = {"id": "t-4", "site": None}


def _drop_optional(event: dict[str, Any]) -> None:
    if event.get("name") == "INTERNAL_TRANSFER_EVENT":
        event.pop("language", None)
    if isinstance(event.get("participant"), dict):
        event["participant"].pop("customFields", None)


def _words(how: Callable[[str], str]) -> dict[str, _Values]:
    return {field: {word: how(word) for word in words} for field, words in WORDS.items()}


_LOWER: Final[_Values] = {word: word.lower() for word in TRANSFER_TYPES}
_MIXED: Final[_Values] = {"COLD": "Cold", "WARM": "Warm", "redial": "REDIAL"}
_STRINGS: Final[_Values] = {True: "true", False: "false"}
_CAPITALS: Final[_Values] = {True: "TRUE", False: "FALSE"}

VARIANTS: Final = (
    SpellingVariant("transfer types in lower case", {"transfertype": _LOWER}),
    SpellingVariant("transfer types in mixed case", {"transfertype": _MIXED}),
    SpellingVariant("everything in capitals", _words(str.upper)),
    SpellingVariant("booleans as strings", dict.fromkeys(_FLAGS, _STRINGS)),
    SpellingVariant("authors in lower case", {"type": {word: word.lower() for word in AUTHORS}}),
    SpellingVariant("additional fields", on_event=_add_fields),
    SpellingVariant("required fields only", on_event=_drop_optional),
    SpellingVariant("several events in one delivery", form=Wrapping.BATCHED),
    SpellingVariant("bodies as text", form=Wrapping.TEXT),
    SpellingVariant("ids in the envelope", form=Wrapping.OUTER_IDS),
    SpellingVariant("blanks around words", _words(lambda word: f" {word}\t")),
    SpellingVariant("booleans as strings in capitals", dict.fromkeys(_FLAGS, _CAPITALS)),
)
"""All variants of spelling and wrapping."""

BODY_VARIANTS: Final = {each.title: each for each in VARIANTS if each.form is Wrapping.PLAIN}
"""The variants that change only bodies, not their wrapping, by title."""
