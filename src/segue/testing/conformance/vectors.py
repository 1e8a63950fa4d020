"""Vectors: one conversation each, with what a backend must answer and know after every delivery.

A line of the suite is plain JSON, described by `suite.schema.json`. What is expected comes from the
reference, and a test checks that it has not drifted.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

from segue.core.errors import ConfigurationError
from segue.core.events import HOOKS, INTAKES
from segue.core.lifecycle import is_legal
from segue.testing.backend import BackendDelivery

GROUPS: Final = {
    "lifecycle": "order and presence: these conversations tell the table from every wrong one",
    "offence": "every rule that a sender can offend, in its shortest conversation",
    "spelling": "every accepted spelling",
    "transcription": "every action in every state, over the route of E1",
    "notification": "what call notifications can offend, over the route of their own",
    "refusal": "bodies that cannot be read or filed, and delivery ids",
}
"""What the vectors are about, by group."""
LEGAL: Final = "legal"
"""The vectors of any group in which nothing is found, or notes only."""
CHOSEN: Final = (*GROUPS, LEGAL)
"""What may be asked for."""
_OK: Final = 200


def conformance_suite(
    *, groups: Iterable[str] = (), intakes: Iterable[str] = tuple(INTAKES)
) -> Iterator[dict[str, Any]]:
    """Yield the vectors of the suite, of these groups only if any are named.

    A vector with a delivery to an intake that is not among `intakes` is left out: `("hooks",)` are
    those of a backend that takes nothing but E21.
    """
    wanted, taken = _words("group", groups, CHOSEN), _words("intake", intakes, INTAKES)
    suite = files("segue.testing.conformance").joinpath("suite.jsonl").read_text("utf-8")
    for line in suite.splitlines():
        found: dict[str, Any] = json.loads(line)
        is_wanted = not wanted or found["group"] in wanted
        if (is_wanted or (LEGAL in wanted and _is_legal(found))) and _intakes(found) <= taken:
            yield found


def _words(noun: str, given: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    if isinstance(given, str):
        raise ConfigurationError(f"{noun}s are a list: write [{given!r}]")
    words = frozenset(given)
    for word in sorted(words - {*known}):
        raise ConfigurationError(f"the suite has no {noun} {word!r}, only {', '.join(known)}")
    return words


def _intakes(vector: Mapping[str, Any]) -> set[str]:
    return {given.get("endpoint", HOOKS.name) for given in vector["deliveries"]}


def _is_legal(vector: Mapping[str, Any]) -> bool:
    """Whether no delivery of it is refused, or gives a finding that is more than a note."""
    return all(
        each["status"] == _OK and all(map(is_legal, each.get("findings", ())))
        for each in vector["expect"]
    )


def delivered(
    given: Mapping[str, Any], *, conversation_id: str = "c-1", bot_id: str = "st-1"
) -> BackendDelivery:
    """Return a delivery of a vector as it goes to a backend, for another conversation if wanted.

    Delivery ids are the conversation's own: a backend remembers those of other runs.
    """
    body: str | Mapping[str, Any] = given["text"] if "text" in given else given["body"]
    if isinstance(body, Mapping):
        renamed = {("conversationId", "c-1"): conversation_id, ("botId", "st-1"): bot_id}
        body = {
            key: renamed.get((key, value), value) if isinstance(value, str) else value
            for key, value in body.items()
        }
    elif isinstance(body, str):
        body = body.replace('"c-1"', json.dumps(conversation_id))
    delivery_id = f"{conversation_id}-{given['delivery_id']}" if "delivery_id" in given else None
    endpoint = given.get("endpoint", HOOKS.name)
    return BackendDelivery(body, conversation_id, bot_id, endpoint, delivery_id)
