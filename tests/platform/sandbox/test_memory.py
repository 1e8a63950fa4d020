"""The memory of a run does not grow with the conversations that were sent."""

import gc
import tracemalloc

import pytest

from segue.testing import Backend, TestSandbox, story
from segue.testing.backend import BackendAnswer, BackendDelivery
from segue.testing.conversation_run import ConversationOptions, ConversationRun

_SESSIONS = 2000
"""After so many the sandbox removes old ones from its list of sessions, again and again."""


def test_old_conversations_are_removed_though_the_clock_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("segue.platform.sandbox.app._SESSIONS", 3)
    with TestSandbox() as sandbox:
        for number in range(20):
            [body] = story("NA entry by a-1", conversation_id=f"c-{number}")
            sandbox.note_delivery("st-1", f"c-{number}", "hooks", body)
        page = sandbox.state.processor.conversations(limit=100)

    kept = {each.conversation_id for each in page.items}
    assert 3 <= len(kept) <= 6
    assert "c-19" in kept


@pytest.mark.slow
def test_two_thousand_more_conversations_need_no_more_memory() -> None:
    sizes: list[int] = []

    def is_at_a_multiple() -> bool:
        if run.verdict.conversations // _SESSIONS > len(sizes):
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
        return False

    def deliver(_: BackendDelivery) -> BackendAnswer:
        return BackendAnswer(200, {})

    with TestSandbox(faults=["all"]) as sandbox:
        run = ConversationRun(
            Backend(deliver),
            options=ConversationOptions(intakes=("hooks", "transcription", "notifications")),
            faults=sandbox.faults,
            on_meant=lambda sent: sandbox.note_delivery(
                sent.bot_id, sent.conversation_id, sent.endpoint, sent.body
            ),
        )
        tracemalloc.start()
        try:
            run.run(2 * _SESSIONS + 1, is_stopped=is_at_a_multiple)
        finally:
            tracemalloc.stop()

    first, second = sizes
    assert second < first + 1024 * 1024
