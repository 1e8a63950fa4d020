"""What a server answers that the sandbox can only stop at, said once."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from segue import ConfigurationError
from segue.cli.client import ServerClient, ServerReply
from segue.cli.hook_backend import hook_backend, url_view
from segue.testing.backend import BackendDelivery


def server(status: int, problem: str = "") -> ServerClient:
    """A server that answers everything alike."""
    reply = ServerReply(status, {"type": f"urn:segue:problem:{problem}", "phase": "ended"})
    return cast(
        "ServerClient",
        SimpleNamespace(url="http://desk.example", get=lambda *_: reply, post=lambda *_: reply),
    )


@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "put another one into SEGUE_TOKEN"), (403, "lacks the scope of readers, so add it to")],
)
def test_a_token_that_may_not_read_ends_the_run(status: int, reason: str) -> None:
    view = url_view("/conversations/{conversationId}", server(status, "not-allowed"))

    with pytest.raises(
        ConfigurationError, match=rf"^/conversations/.* answers {status}: .*{reason}"
    ):
        view("c-1")


@pytest.mark.parametrize(("status", "phase"), [(200, "ended"), (404, "unknown: 404")])
def test_what_a_server_shows_is_returned(status: int, phase: str) -> None:
    view = url_view("/conversations/{conversationId}", server(status))

    assert view("c-1")["phase"] == phase


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (
            "bad-address",
            "signed addresses only, .*: start the server without SEGUE_CALLBACK_SECRET",
        ),
        ("bad-token", "the server refuses the token, or got no token"),
    ],
)
def test_a_server_that_wants_signed_addresses_is_told_from_one_that_wants_a_token(
    problem: str, reason: str
) -> None:
    body: dict[str, Any] = {"status": "failed"}
    deliver = hook_backend(server(401, problem), None).deliver

    with pytest.raises(ConfigurationError, match=reason):
        deliver(BackendDelivery(body, "c-1", endpoint="notifications"))
