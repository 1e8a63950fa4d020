"""The test cases of the conformance suite, called vectors.

Each vector is a conversation with the expected answer and state after every delivery. It is a JSON
object, which `suite.schema.json` describes. The expected values come from the reference
implementation, and a test checks that they are up to date.
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
    "lifecycle": "order and presence, with conversations that detect every change to the table",
    "offence": "every rule that a sender can violate, in a shortest conversation",
    "spelling": "every accepted spelling",
    "transcription": "every action in every state, sent to the route of E1",
    "notification": "the rules that call notifications can violate, sent to a route of their own",
    "refusal": "bodies that cannot be read or assigned to a conversation, and delivery ids",
}
"""The description of each group of vectors, by name."""
LEGAL: Final = "legal"
"""The name that selects the vectors of all groups whose findings are at most notes."""
CHOSEN: Final = (*GROUPS, LEGAL)
"""The names that `conformance_suite` accepts as groups."""
_OK: Final = 200


def conformance_suite(
    *, groups: Iterable[str] = (), intakes: Iterable[str] = tuple(INTAKES)
) -> Iterator[dict[str, Any]]:
    """Yield the vectors of the conformance suite as JSON objects.

    Args:
        groups: The groups to yield: `lifecycle`, `offence`, `spelling`, `transcription`,
            `notification`, `refusal`, or `legal` for the vectors of any group without errors and
            warnings. By default all groups are yielded.
        intakes: The intakes that the backend has. Vectors with a delivery to any other intake are
            skipped. Use `("hooks",)` for a backend that receives only E21.

    Raises:
        ConfigurationError: A group or an intake is unknown.

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
        raise ConfigurationError(f"`{noun}s` must be a list, for example [{given!r}]")
    words = frozenset(given)
    for word in sorted(words - {*known}):
        raise ConfigurationError(f"unknown {noun} {word!r}: use any of {', '.join(known)}")
    return words


def _intakes(vector: Mapping[str, Any]) -> set[str]:
    return {given.get("endpoint", HOOKS.name) for given in vector["deliveries"]}


def _is_legal(vector: Mapping[str, Any]) -> bool:
    """Return whether all deliveries of a vector are accepted, without errors and warnings."""
    return all(
        each["status"] == _OK and all(map(is_legal, each.get("findings", ())))
        for each in vector["expect"]
    )


def delivered(
    given: Mapping[str, Any], *, conversation_id: str = "c-1", bot_id: str = "st-1"
) -> BackendDelivery:
    """Return a delivery of a vector with its conversation id and bot id replaced.

    The conversation id becomes part of the delivery id, because a backend may remember the delivery
    ids of earlier runs.
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
