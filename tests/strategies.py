"""Hypothesis strategies for streams of the oracle's events and for logs of them.

They draw from the strategies of the testing kit. The kit supplies only the inputs of the oracle and
the laws, not their expectations.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st
from tests.oracle.oracle import Ev
from tests.streams import LABELS, body

from segue.analysis.simulate.bodies import ACTIONS, action, read_delivery
from segue.testing import Story, any_streams, valid_streams

__all__ = ["json_values", "legal_streams", "logs", "streams"]

NINE: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
_KINDS: Final = {label: kind for kind, label in LABELS.items()}
_AGENTS: Final = ("a-1", "a-2", "a-3")


def legal_streams(*, max_size: int = 12) -> st.SearchStrategy[list[Ev]]:
    """Return a strategy for complete conversations without errors or warnings."""
    return valid_streams(max_size=max_size).map(_events)


def streams(*, max_size: int = 12) -> st.SearchStrategy[list[Ev]]:
    """Return a strategy for events in any order, with at most two ENDs and events after them."""
    return any_streams(max_size=max_size).map(_events)


def _events(stream: Story) -> list[Ev]:
    """Convert a story to the oracle's events, in which a summary and an end have no agent."""
    events = [event for event in map(read_delivery, stream) if event is not None]
    return [
        Ev(_KINDS.get(event.label, event.label), event.actor, event.language) for event in events
    ]


ALWAYS: Final[st.SearchStrategy[bool]] = st.just(value=True)


def _actions() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(action, st.sampled_from(ACTIONS), st.sampled_from(_AGENTS))


def _callbacks() -> st.SearchStrategy[dict[str, Any]]:
    statuses = st.sampled_from(("answered", "completed", "failed", "ringing"))
    optional = {
        "reasonCode": st.sampled_from(("Busy Here", "caller-disconnected")),
        "callconnecttime": st.just("3/2/2026, 09:00:10 AM"),
        "callDisconnectTime": st.sampled_from(("3/2/2026, 09:01:10 AM", "3/2/2026, 08:01:10 AM")),
        "duration": st.sampled_from((60, "60", -1)),
        "machinedetection": st.sampled_from(("disabled", "amd_human_detected", "x")),
    }
    bodies = st.fixed_dictionaries({"status": statuses}, optional=optional)
    asked = st.fixed_dictionaries(
        {}, optional={"asked_at": st.sampled_from(("", NINE.isoformat()))}
    )
    notifications = st.builds(
        lambda body, more: {"endpoint": "notifications", "body": body, **more}, bodies, asked
    )
    answers = st.builds(
        lambda agent: {"status": "transferred", "agentId": agent}, st.sampled_from(_AGENTS)
    )
    transfers = st.just(["anything"]) | answers
    return notifications | st.builds(
        lambda body: {"endpoint": "transfers", "body": body}, transfers
    )


@st.composite
def logs(
    draw: st.DrawFn,
    told: st.SearchStrategy[list[Ev]],
    *,
    conversation: str = "c-1",
    timed: st.SearchStrategy[bool] = ALWAYS,
) -> list[dict[str, Any]]:
    """Draw the log lines of a stream, with times and some actions and notifications."""
    at = NINE
    lines: list[dict[str, Any]] = []
    for event in draw(told):
        at += timedelta(seconds=draw(st.integers(0, 90)))
        time = {"received_at": at.isoformat()} if draw(timed) else {}
        if draw(st.integers(0, 4)) == 4:
            action = {"endpoint": "transcription", "body": draw(_actions())}
            lines.append({"conversation_id": conversation, **time, **action})
        if draw(st.integers(0, 5)) == 5:
            callback = {"conversation_id": conversation, **time, **draw(_callbacks())}
            lines.append(callback)
        lines.append({**time, "body": body(event, conversation)})
    return lines


def json_values() -> st.SearchStrategy[Any]:
    """Return a strategy for small JSON values of any type."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
        ),
        max_leaves=8,
    )
