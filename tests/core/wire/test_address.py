from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from segue.core.events import HOOKS, INTAKES, TRANSCRIPTION
from segue.core.wire.address import address_in, address_of


def test_the_path_names_the_bot() -> None:
    assert address_of(HOOKS, "st-1", "c-1") == "/agentdesk/api/v1/hooks/st-1"
    assert address_of(HOOKS, "st/é", "c-1") == "/agentdesk/api/v1/hooks/st%2F%C3%A9"


def test_the_query_names_the_conversation_where_the_intake_wants_it() -> None:
    assert address_of(TRANSCRIPTION, "st-1", "c 1/\ud800") == (
        "/api/1.1/public/bot/st-1/control/transcription?conversationId=c+1%2F%ED%A0%80"
    )


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("/agentdesk/api/v1/hooks/b-1", (HOOKS, "b-1", None)),
        ("https://host//agentdesk/api//v1/hooks//b-1//", (HOOKS, "b-1", None)),
        ("https://host/segue/agentdesk/api/v1/hooks/b%2F1?x=1#y", (HOOKS, "b/1", None)),
        ('10.0.0.1 "POST /agentdesk/api/v1/hooks/b-1 HTTP/1.1" 200', (HOOKS, "b-1", None)),
        (
            "/api/1.1/public/bot/b-1/control/transcription?a=b&conversationId=c+1%2F",
            (TRANSCRIPTION, "b-1", "c 1/"),
        ),
        ("/api/1.1/public/bot/b-1/control/transcription/", (TRANSCRIPTION, "b-1", None)),
        (
            '"GET /notifications/b-1 HTTP/1.1" 200 "https://host/agentdesk/api/v1/hooks/b-2"',
            (INTAKES["notifications"], "b-1", None),
        ),
        ("2026-03-02|/agentdesk/api/v1/hooks/b-1|{}", (HOOKS, "b-1", None)),
        ("url='/agentdesk/api/v1/hooks/b-1' body=", (HOOKS, "b-1", None)),
        ("(/agentdesk/api/v1/hooks/b-1), then", (HOOKS, "b-1", None)),
        ("\x1b[1m/agentdesk/api/v1/hooks/b-1\x1b[0m", (HOOKS, "b-1", None)),
        (
            "['/api/1.1/public/bot/b-1/control/transcription?conversationId=c-1']",
            (TRANSCRIPTION, "b-1", "c-1"),
        ),
        ("/agentdesk/api/v1/hooks/{botId}", (HOOKS, "", None)),
        ("/agentdesk/api/v1/hooks/:bot_id", (HOOKS, "", None)),
        (
            "/api/1.1/public/bot/<bot>/control/transcription?conversationId={id}",
            (TRANSCRIPTION, "", None),
        ),
        ("/agentdesk/api/v1/hooks/", None),
        ("/agentdesk/api/v1/hooks/b-1/more", None),
        ("/health", None),
        ("", None),
    ],
)
def test_an_address_is_read_back_wherever_it_stands(text: str, route: object) -> None:
    assert address_in(text) == route


@given(bot=st.text(min_size=1), conversation=st.text(min_size=1))
def test_what_an_address_was_made_of_is_read_back(bot: str, conversation: str) -> None:
    for intake in INTAKES.values():
        route = address_in(f"https://host{address_of(intake, bot, conversation)}")

        assert route == (intake, bot, conversation if intake.query else None)
