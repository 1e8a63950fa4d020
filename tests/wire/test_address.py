from __future__ import annotations

from segue.events import HOOKS, TRANSCRIPTION
from segue.wire import address_of


def test_the_path_names_the_bot() -> None:
    assert address_of(HOOKS, "st-1", "c-1") == "/agentdesk/api/v1/hooks/st-1"
    assert address_of(HOOKS, "st/é", "c-1") == "/agentdesk/api/v1/hooks/st%2F%C3%A9"


def test_the_query_names_the_conversation_where_the_intake_wants_it() -> None:
    assert address_of(TRANSCRIPTION, "st-1", "c 1/\ud800") == (
        "/api/1.1/public/bot/st-1/control/transcription?conversationId=c+1%2F%ED%A0%80"
    )
