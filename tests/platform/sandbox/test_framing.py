"""The sandbox keeps or closes a connection as `HttpApp` does, and takes a whole URL."""

from typing import Any

import pytest

from segue.platform.sandbox import Sandbox
from segue.server.http import Body, BodyError, Headers, ReadBody, Request
from segue.server.processor import Effect, drive, perform

PATH = "/agentdesk/api/v1/public/st-1/campaign/getAllCampaignDetails"
CUT_OFF = Body(b"", BodyError.CUT_OFF)


@pytest.mark.parametrize(
    ("path", "auth", "body", "status", "closes"),
    [
        (PATH, "x", Body(b"{"), 400, False),
        (f"http://127.0.0.1{PATH}", "x", Body(b"{"), 400, False),
        (PATH, "", Body(b"x"), 401, False),
        (PATH, "", CUT_OFF, 401, True),
        (PATH, "x", CUT_OFF, 400, True),
    ],
)
def test_a_body_is_read_to_its_end_or_the_connection_ends(
    path: str, auth: str, body: Body, status: int, *, closes: bool
) -> None:
    def performing(effect: Effect[Any]) -> Any:
        return body if isinstance(effect, ReadBody) else perform(effect)

    pairs = [("host", "127.0.0.1"), ("content-length", "1"), *([("auth", auth)] if auth else [])]
    with Sandbox() as sandbox:
        response = drive(sandbox.handle(Request("POST", path, Headers(pairs))), performing)

    assert (response.status, response.closes) == (status, closes)
