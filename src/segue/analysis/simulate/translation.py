"""Replaces the agents, ids and experience in a page's log by those of a conversation."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from segue.analysis.simulate.page_logs import logs_of
from segue.analysis.simulate.script import Script, ScriptItem
from segue.core.events import Json

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value in a body, such as `("events", 0, "name")`."""
Changes: TypeAlias = tuple[tuple[Path, object], ...]
"""Pairs of a path in a body and the value to set there. The value `GONE` removes the key."""

GONE: Final = object()
_AGENT: Final = re.compile(r"[aA]-\d+")
_DELIVERY: Final = re.compile(r"^d-(\d+)$")


@dataclass(slots=True)
class Translation:
    """Adapts the deliveries on the documentation page of a rule to a generated conversation.

    The agents, the ids and the experience on the page are replaced by those of the conversation.
    """

    script: Script
    """The conversation."""
    agents: dict[str, str]
    """The agent ids of the conversation, by the agent ids on the page."""
    strangers: Iterator[str]
    """Agents for ids on the page that are not in `agents` yet."""
    words: dict[str, str] = field(init=False)
    """Other values of the conversation, by the values on the page."""

    def __post_init__(self) -> None:
        self.words = {
            "c-1": self.script.conversation_id,
            "st-1": self.script.bot_id,
            "chat": self.script.experience,
            "voice": "voice" if self.script.experience == "chat" else "chat",
        }

    def item(self, item: ScriptItem) -> ScriptItem:
        """Return a copy of a delivery from the page, adapted to the conversation."""
        made = item.copy()
        made.body, made.extra = self.value(item.body), self.value(item.extra)
        return made

    def changed(self, item: ScriptItem, example: ScriptItem, changes: Changes) -> ScriptItem:
        """Return a copy of a delivery of the conversation, with the mistake of `example`.

        Args:
            item: A delivery of the conversation, which is not modified.
            example: The delivery on the page that contains the mistake.
            changes: The values of `example` to set in the copy, after adapting them.

        """
        made = item.copy()
        for path, value in changes:
            put(made.body, path, self.value(value))
        made.extra |= self.value(example.extra)
        made.arriving = example.arriving
        return made

    def value(self, value: Json) -> Json:
        """Return a copy of a JSON value from the page, adapted to the conversation."""
        match value:
            case {"identity": str(identity), "name": str()} if _AGENT.fullmatch(identity.strip()):
                known = self.script.participant(self._agent(identity.strip().lower()))
                return known | {"identity": self.value(identity)}
            case dict():
                return {key: self.value(each) for key, each in value.items()}
            case list():
                return [self.value(each) for each in value]
            case str() if text := value.strip():
                return value.replace(text, self._text(text))
            case _:
                return value

    def _text(self, text: str) -> str:
        if _AGENT.fullmatch(text):
            return self._agent(text)
        return self.words.get(text) or _DELIVERY.sub(self._own, text)

    def _own(self, delivery: re.Match[str]) -> str:
        """Return the delivery id that replaces a matched id such as `d-3`."""
        return f"d-{self.script.conversation_id}-{delivery[1]}"

    def _agent(self, identity: str) -> str:
        known = identity.lower()
        if known not in self.agents:
            self.agents[known] = next(self.strangers)
        return self.agents[known] if identity == known else self.agents[known].upper()


def put(body: Json, path: Path, value: object) -> None:
    """Set the value at a path in a body, in place. If `value` is `GONE`, remove the key."""
    *parents, last = path
    for parent in parents:
        body = body[parent]
    if value is GONE:
        body.pop(last, None)
    else:
        body[last] = value


def page_log(
    code: str, script: Script, strangers: Iterator[str], *, corrected: bool
) -> list[ScriptItem]:
    """Return the log on the documentation page of a rule, adapted to a generated conversation.

    The first delivery has the time 0.

    Args:
        code: The code of the rule, such as `SG103`.
        script: The conversation, which provides the ids, the experience and the participants.
        strangers: The agents who take the places of the agents on the page.
        corrected: Whether to return the corrected log rather than the example.

    """
    page, translation = logs_of(code), Translation(script, {}, strangers)
    lines = page.corrected if corrected else page.example
    begin = lines[0].item.at
    items = [translation.item(line.item) for line in lines]
    for item in items:
        item.at -= begin
    return items
