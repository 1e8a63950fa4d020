"""Hypothesis strategies: what the kit draws, as the oracle takes it, and logs of it.

The oracle and the laws do not judge by the kit; only what they are given comes from there.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st
from tests.oracle.oracle import Ev
from tests.streams import LABELS, body

from segue.simulate.bodies import ACTIONS, action, read_delivery
from segue.testing import Story, any_streams, valid_streams

__all__ = ["json_values", "legal_streams", "logs", "streams"]

NINE: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
_KINDS: Final = {label: kind for kind, label in LABELS.items()}
_AGENTS: Final = ("a-1", "a-2", "a-3")


def legal_streams(*, max_size: int = 12) -> st.SearchStrategy[list[Ev]]:
    """Complete conversations without an error or a warning."""
    return valid_streams(max_size=max_size).map(_events)


def streams(*, max_size: int = 12) -> st.SearchStrategy[list[Ev]]:
    """Any order of events, with at most two ENDs and what comes after them."""
    return any_streams(max_size=max_size).map(_events)


def _events(stream: Story) -> list[Ev]:
    """Return a story as the oracle takes it: a summary and an end have no agent."""
    events = [event for event in map(read_delivery, stream) if event is not None]
    return [
        Ev(_KINDS.get(event.label, event.label), event.actor, event.language) for event in events
    ]


ALWAYS: Final[st.SearchStrategy[bool]] = st.just(value=True)


def _actions() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(action, st.sampled_from(ACTIONS), st.sampled_from(_AGENTS))


@st.composite
def logs(
    draw: st.DrawFn,
    told: st.SearchStrategy[list[Ev]],
    *,
    conversation: str = "c-1",
    timed: st.SearchStrategy[bool] = ALWAYS,
) -> list[dict[str, Any]]:
    """Lines of a log that tell a stream: envelopes with times, and some transcription actions."""
    at = NINE
    lines: list[dict[str, Any]] = []
    for event in draw(told):
        at += timedelta(seconds=draw(st.integers(0, 90)))
        time = {"received_at": at.isoformat()} if draw(timed) else {}
        if draw(st.integers(0, 4)) == 4:
            action = {"endpoint": "transcription", "body": draw(_actions())}
            lines.append({"conversation_id": conversation, **time, **action})
        lines.append({**time, "body": body(event, conversation)})
    return lines


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, shallow."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
        ),
        max_leaves=8,
    )
