"""How senders spell: everything here is accepted, and none of it may change a verdict.

The table has one row for each manner.  House rules: only canonical values are respelt, so that a
mistake stays one; all items of a conversation are respelt alike, so that a repeat stays one.  It
decides nothing about what happens.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from segue.simulate.script import Form, Script

__all__ = ["MANNERS", "Manner", "respell"]

_SHARE: Final = 0.35


class Manner(NamedTuple):
    """One way to spell, or to wrap up."""

    title: str
    on_body: Callable[[dict[str, Any]], None] | None = None
    on_event: Callable[[dict[str, Any]], None] | None = None
    form: Form = Form.PLAIN


def respell(random: Random, script: Script) -> None:
    """Let some senders have a manner of their own."""
    if random.random() < _SHARE:
        apply(random.choice(MANNERS), script)


def apply(manner: Manner, script: Script) -> None:
    """Spell a whole conversation in one manner."""
    script.form = manner.form
    for item in script.items:
        if manner.on_body is not None:
            manner.on_body(item.body)
        if manner.on_event is not None:
            for event in item.body.get("events", ()):
                manner.on_event(event)


def _values(field: str, spellings: Mapping[object, object]) -> Callable[[dict[str, Any]], None]:
    """Spell the values of one field."""

    def on(holder: dict[str, Any]) -> None:
        value = holder.get(field)
        if isinstance(value, str | bool) and value in spellings:
            holder[field] = spellings[value]

    return on


def _both(*changes: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    def on(holder: dict[str, Any]) -> None:
        for change in changes:
            change(holder)

    return on


def _author(body: dict[str, Any]) -> None:
    if "author" in body:
        _values("type", {"USER": "user", "AGENT": "agent"})(body["author"])


def _talkative(event: dict[str, Any]) -> None:
    event["platformVersion"] = "7.2"
    if "participant" in event:
        event["participant"]["team"] = {"id": "t-4", "site": None}


def _terse(event: dict[str, Any]) -> None:
    if event.get("name") == "INTERNAL_TRANSFER_EVENT":
        event.pop("language", None)
    event.get("participant", {}).pop("customFields", None)


_LOUD: Final = _values("experience", {"chat": "CHAT", "voice": "VOICE"})
_STRINGS: Final[Mapping[object, object]] = {True: "true", False: "false"}

MANNERS: Final = (
    Manner(
        "transfer types in lower case",
        on_event=_values("transfertype", {"NA": "na", "COLD": "cold", "WARM": "warm"}),
    ),
    Manner(
        "transfer types in mixed case",
        on_event=_values("transfertype", {"COLD": "Cold", "WARM": "Warm", "redial": "REDIAL"}),
    ),
    Manner(
        "everything in capitals",
        on_body=_LOUD,
        on_event=_both(_LOUD, _values("transition", {"entry": "ENTRY", "exit": "EXIT"})),
    ),
    Manner(
        "booleans as strings",
        on_body=_both(
            _values("handover", _STRINGS),
            _values("sendUserMessage", _STRINGS),
            _values("sendAgentMessage", _STRINGS),
        ),
        on_event=_values("isExtAD", _STRINGS),
    ),
    Manner("authors in lower case", on_body=_author),
    Manner("fields nobody asked for", on_event=_talkative),
    Manner("no more than required", on_event=_terse),
    Manner("several events in one delivery", form=Form.BATCHED),
    Manner("bodies as text", form=Form.TEXT),
    Manner("ids in the envelope", form=Form.OUTER_IDS),
)
"""Every accepted manner."""
