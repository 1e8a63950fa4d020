"""Hypothesis strategies for call notifications and transfer callbacks."""

from typing import Any

from hypothesis import strategies as st

from segue.core.events import CALL_NOTIFICATIONS, TRANSFER_CALLBACKS

_STATUSES = ("completed", "failed", "answered")
_OPTIONAL = {
    "reasonCode": st.sampled_from(("caller-disconnected", "bot-disconnected", "Busy Here")),
    "reason": st.just("200 OK"),
    "callconnecttime": st.just("3/2/2026, 09:00:10 AM"),
    "callDisconnectTime": st.sampled_from(("3/2/2026, 09:01:10 AM", "3/2/2026, 08:01:10 AM")),
    "duration": st.sampled_from((60, "60", -1)),
    "machinedetection": st.sampled_from(("amd_human_detected", "disabled", "odd")),
}
_ASKED = st.fixed_dictionaries(
    {}, optional={"asked_at": st.sampled_from(("2026-03-02T09:00:00+00:00", ""))}
)


def callbacks(conversation_id: str = "c-1") -> st.SearchStrategy[dict[str, Any]]:
    """Generate call notifications and transfer callbacks, some of which are invalid.

    Each value is a dictionary with the keys `endpoint`, `conversation_id`, `bot_id` and `body`, and
    sometimes `asked_at`.
    """
    bodies = st.fixed_dictionaries({"status": st.sampled_from(_STATUSES)}, optional=_OPTIONAL)
    anything = st.sampled_from(({"status": "success"}, ["anything"], "text"))
    notifications = st.tuples(st.just(CALL_NOTIFICATIONS.name), bodies)
    transfers = st.tuples(st.just(TRANSFER_CALLBACKS.name), anything)
    return st.builds(
        lambda sent, asked: {
            "endpoint": sent[0],
            "conversation_id": conversation_id,
            "bot_id": "st-1",
            **asked,
            "body": sent[1],
        },
        notifications | notifications | transfers,
        _ASKED,
    )
