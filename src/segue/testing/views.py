"""What a view may show of a conversation: the keys, their JSON and their meaning, once for all.

The machine, the sandbox, the conformance suite and `assert_linearizable` compare the same keys. A
function that is written to be a view shows nothing else, so that a misspelled key is noticed; a
page of a server, or a report, may show more.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from segue.core.errors import ConfigurationError
from segue.core.lifecycle import Phase
from segue.core.transcription import TranscriptionState

ACCEPTED: Final = range(200, 300)
"""Statuses of HTTP that accept a delivery."""


class ViewKey(NamedTuple):
    """One key of a view."""

    shape: str
    """Its JSON."""
    meaning: str
    """What it says of a conversation."""
    types: tuple[type, ...]
    """What it may be in Python."""


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
        "`consultant`, `connections` is a number (one, and one more for each redial) or a list",
        _LIST),
    "segment_agents": ViewKey('`["a-1", …]`', "the agent of each segment, in order", _LIST),
    "transcription": ViewKey(
        _one_of(TranscriptionState),
        "the state of the transcription", (str, Mapping)),
}  # fmt: skip
"""The keys that a view may have; `docs/how-to/test-your-backend.md` has them as a table."""
_ANSWERED: Final = ("status", "state", "changed", "duplicate")
"""What only answers have."""
COMPARED: Final = (*VIEW_KEYS, *_ANSWERED)
"""Every key that is compared, of answers and views."""
_LISTED: Final = ", ".join(VIEW_KEYS)

View = Callable[[str], Mapping[str, Any]]
"""Takes a conversation id; returns what the backend knows of it."""


def require_view(seen: object) -> None:
    """Raise `ConfigurationError` unless this may be what a view returns."""
    if not isinstance(seen, Mapping):
        raise ConfigurationError(f"a view is a mapping of any of {_LISTED}, not {seen!r}")
    if not seen:
        raise ConfigurationError(f"the view is empty: let it say any of {_LISTED}")
    for key, value in seen.items():
        if key not in VIEW_KEYS:
            raise ConfigurationError(f"a view has no {key!r}: it may say {_LISTED}")
        row = VIEW_KEYS[key]
        if not isinstance(value, row.types) or (isinstance(value, bool) and bool not in row.types):
            shape = row.shape.replace("`", "")
            raise ConfigurationError(f"the view's {key!r} is {shape}, not {value!r}")


def read_view(view: View, conversation_id: str) -> Mapping[str, Any]:
    """Return what a view shows, once it has been checked."""
    seen = view(conversation_id)
    require_view(seen)
    return seen


def of_page(status: int, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page of a server shows of a conversation, without its other fields.

    A page that is not there is an unknown phase. Raises `ConfigurationError` for a page with none
    of the keys.
    """
    if status not in ACCEPTED:
        return {"phase": f"unknown: {status}"}
    known = {key: value for key, value in fields.items() if key in VIEW_KEYS}
    if not known:
        shown = ", ".join(fields) or "nothing"
        msg = f"the view shows {shown}, neither phase nor findings: let it show any of {_LISTED}"
        raise ConfigurationError(msg)
    return known
