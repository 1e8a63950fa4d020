"""The keys of a view: those of the reference, and what a page shows of them."""

from pathlib import Path

import pytest

from segue.core.conversation import Conversation
from segue.errors import ConfigurationError
from segue.testing import VIEW_KEYS, ConversationBackendMachine, story, view
from segue.testing.views import of_page, require_view


def test_the_keys_are_those_of_the_reference_and_it_has_their_types() -> None:
    conversation = Conversation()
    for body in story("NA entry by a-1", "WARM entry by a-2"):
        conversation.feed(body)

    assert set(view(conversation)) == set(VIEW_KEYS)
    require_view(view(conversation))
    require_view(of_page(200, conversation.report().to_dict()))


def test_every_phase_and_state_is_named() -> None:
    assert VIEW_KEYS["phase"].shape == (
        '`"waiting"`, `"active"`, `"consulting"`, `"transferring"`, `"released"`, '
        '`"summarized"` or `"ended"`'
    )
    assert VIEW_KEYS["transcription"].shape == (
        '`"idle"`, `"active"`, `"hold"`, `"handover"` or `"ended"`'
    )


def test_a_page_may_show_more_but_not_nothing() -> None:
    assert of_page(200, {"id": "c-1", "ended": True}) == {"ended": True}
    assert of_page(404, {"phase": "ended"}) == {"phase": "unknown: 404"}
    with pytest.raises(
        ConfigurationError, match="the view has id, name, but none of the keys phase, "
    ):
        of_page(200, {"id": "c-1", "name": "Ada"})
    with pytest.raises(ConfigurationError, match="the view has no members, but none"):
        of_page(200, {})


def test_the_machine_names_where_the_keys_are() -> None:
    assert "`VIEW_KEYS`" in (ConversationBackendMachine.__doc__ or "")


def test_the_table_of_the_page_is_that_of_the_keys() -> None:
    page = Path(__file__).parents[2] / "docs/how-to/test-your-backend.md"
    rows = [f"| `{key}` | {row.shape} | {row.meaning} |\n" for key, row in VIEW_KEYS.items()]

    assert "|---|---|---|\n" + "".join(rows) + "\n" in page.read_text("utf-8")
