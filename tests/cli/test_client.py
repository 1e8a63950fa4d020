"""The client of the commands that talk to a running server."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler

import pytest
from tests.platform.client.recording import bad_answer, serving

from segue.cli.client import ServerClient, ServerUnreachableError


def test_an_answer_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        bad_answer(handler, "5 MB")

    with serving(answer) as (url, received):
        assert ServerClient(url, lambda: None, timeout=60).get("/feed").is_success
        monkeypatch.setattr("segue.cli.client._ANSWER_LIMIT", 1_000_000)
        with pytest.raises(ServerUnreachableError, match="sends more than 1000000 bytes"):
            ServerClient(url, lambda: None, timeout=60).get("/feed")
    assert len(received) == 2
