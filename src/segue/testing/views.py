"""The keys that a view of a conversation may have.

A view is a backend's state of one conversation, as a mapping. `ConversationBackendMachine`, the
sandbox, the conformance suite and `assert_linearizable` compare the same keys. A view function must
not return other keys, so that a misspelled key is noticed. The JSON object at a view's URL may have
other members.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.core.errors import ConfigurationError
from segue.core.lifecycle import Phase
from segue.core.transcription import TranscriptionState

ACCEPTED: Final = range(200, 300)
"""The range of HTTP statuses that mean that a delivery was accepted."""


class ViewKey(NamedTuple):
    """The documentation and the type of a key that a backend's view of a conversation may have."""

    shape: str
    """One or more examples of the value as JSON, in Markdown."""
    meaning: str
    """The meaning of the value, in Markdown."""
    types: tuple[type, ...]
    """The Python types that the value may have."""


def _one_of(words: Iterable[str]) -> str:
    *others, last = (f'`"{word}"`' for word in words)
    return f"{', '.join(others)} or {last}"


_LIST, _ANY_ORDER = (list, tuple), (list, tuple, set, frozenset)

VIEW_KEYS: Final[Mapping[str, ViewKey]] = {
    "phase": ViewKey(
        _one_of(Phase),
        "where the conversation is in [the lifecycle](../reference/lifecycle.md)", (str,)),
    "findings": ViewKey(
        '`["SG103", …]`, or objects with a `code`',
        "the code of each finding so far, in any order", _ANY_ORDER),
    "primary": ViewKey(
        '`"a-1"` or `null`',
        "the agent in charge; null if there is none or no event named one", (str, type(None))),
    "consultants": ViewKey('`["a-2", …]`', "the other agents present, in any order", _ANY_ORDER),
    "present": ViewKey('`["a-1", …]`', "all agents present, in any order", _ANY_ORDER),
    "ended": ViewKey("`true` or `false`", "whether the conversation is over", (bool,)),
    "events": ViewKey("`3`", "how many events there were, messages and repeats included", (int,)),
    "segments": ViewKey(
        '`[{"agent": "a-1", "kind": "NA", "role": "primary", "connections": 1}, …]`',
        "each stay of an agent, in order of entry: all four fields, `role` is `primary` or "
        "`consultant`, `connections` is a number (one, and one more for each redial) or a list. "
        "`kind` is null for an agent who was only seen leaving",
        _LIST),
    "segment_agents": ViewKey('`["a-1", …]`', "the agent of each segment, in order", _LIST),
    "transcription": ViewKey(
        _one_of(TranscriptionState),
        "the state of the transcription", (str, Mapping)),
}  # fmt: skip
"""The keys that a view may have, with their descriptions."""
_ANSWERED: Final = ("status", "state", "changed", "duplicate")
"""The keys of answers that views do not have."""
COMPARED: Final = (*VIEW_KEYS, *_ANSWERED)
"""All keys of answers and views that are compared."""
_LISTED: Final = ", ".join(VIEW_KEYS)

View = Callable[[str], Mapping[str, Any]]
"""A function that takes a conversation id and returns the backend's state of the conversation."""


def require_view(seen: object) -> None:
    """Check that the result of a view function is a valid view of a conversation.

    A valid view is a mapping with keys in `VIEW_KEYS` and values of the right types.

    Raises:
        ConfigurationError: The value is not a mapping, is empty, has an unknown key, or has a value
            of the wrong type.

    """
    if not isinstance(seen, Mapping):
        raise ConfigurationError(
            f"a view must return a mapping with any of {_LISTED}, got {seen!r}"
        )
    if not seen:
        raise ConfigurationError(f"the view is empty: return any of {_LISTED}")
    for key, value in seen.items():
        if key not in VIEW_KEYS:
            raise ConfigurationError(f"unknown key {key!r} in a view: use any of {_LISTED}")
        row = VIEW_KEYS[key]
        if not isinstance(value, row.types) or (isinstance(value, bool) and bool not in row.types):
            shape = row.shape.replace("`", "")
            raise ConfigurationError(f"the view's {key!r} must be such as {shape}, got {value!r}")


def read_view(view: View, conversation_id: str) -> Mapping[str, Any]:
    """Call a view function with a conversation id, and return its result after checking it.

    Raises:
        ConfigurationError: The view returned an invalid value.

    """
    seen = view(conversation_id)
    require_view(seen)
    return seen


def of_page(status: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert an HTTP answer with a JSON object to the view of a conversation.

    The view consists of the members whose names are in `VIEW_KEYS`. If the status is not 2xx, the
    view has a `phase` that never equals an expected one, such as `unknown: 404`.

    Raises:
        ConfigurationError: The object has none of the keys.

    """
    if status not in ACCEPTED:
        return {"phase": f"unknown: {status}"}
    known = {key: value for key, value in fields.items() if key in VIEW_KEYS}
    if not known:
        shown = ", ".join(fields) or "no members"
        msg = f"the view has {shown}, but none of the keys {_LISTED}"
        raise ConfigurationError(msg)
    return known
