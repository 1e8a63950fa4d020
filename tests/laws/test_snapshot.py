"""Law 4: a conversation can be put away and taken up again at any moment."""

from typing import Any

from hypothesis import given, strategies as st
from tests.strategies import logs, streams

from segue import Conversation


@given(logs(streams()), st.sampled_from((None, "start", "end", "both")))
def test_saving_and_restoring_between_any_two_events_changes_nothing(
    lines: list[dict[str, Any]], partial: Any
) -> None:
    """Snapshot: save and restore after each delivery; steps, report and bytes are the same."""
    kept, restored = Conversation(partial=partial), Conversation(partial=partial)
    for line in lines:
        assert restored.feed(line) == kept.feed(line)
        assert restored.expected() == kept.expected()
        saved = restored.snapshot()
        restored = Conversation.restore(saved)
        assert restored.snapshot() == saved == kept.snapshot()

    assert restored.finish().to_dict() == kept.finish().to_dict()
    assert Conversation.restore(restored.snapshot()).report().to_dict() == kept.report().to_dict()
