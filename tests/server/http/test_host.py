"""Without authentication: whose requests are answered, by the host and page they name."""

import pytest
from tests.server.http import world
from tests.server.http.table import E21
from tests.server.http.tokens import authenticate

import segue
from segue import ConfigurationError
from segue.server.adapters.build import build
from segue.server.http import Headers, Principal, Problem, Request
from segue.server.processor import drive


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8080", "LOCALHOST", "127.0.0.1:8080", "[::1]:8080", "desk.example:1"],
)
def test_a_host_of_ours_is_answered(host: str) -> None:
    auth = segue.NoAuth(allow_hosts=["Desk.example"])

    assert isinstance(authenticate(auth, {"host": host}), Principal)
    assert isinstance(authenticate(auth, {"host": host, "origin": f"http://{host}"}), Principal)
    assert isinstance(authenticate(auth, {"host": host, "origin": f"https://{host}"}), Principal)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "localhost.evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost,evil.example",
        "[::1",
        "127.0.0.2",
        "0.0.0.0",  # noqa: S104 - a header
        "localhost@evil.example",
        "desk.example.",
    ],
)
def test_another_host_is_refused(host: str) -> None:
    auth = segue.NoAuth(allow_hosts=["desk.example"])

    assert authenticate(auth, {"host": host}) is Problem.WRONG_HOST


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://evil.example", "http://localhost", "http://localhost:8081", "file://"],
)
def test_a_page_of_another_host_is_refused(origin: str) -> None:
    for auth in (segue.NoAuth(), segue.NoAuth(allow_hosts=["*"])):
        answer = authenticate(auth, {"host": "localhost:8080", "origin": origin})
        assert answer is Problem.WRONG_HOST


def test_every_host_may_be_allowed_and_a_request_may_name_none() -> None:
    assert isinstance(authenticate(segue.NoAuth(["*"]), {"host": "evil.example"}), Principal)
    assert isinstance(authenticate(segue.NoAuth(), {}), Principal)


def test_one_name_is_no_list() -> None:
    with pytest.raises(ConfigurationError, match="`allow_hosts` must be a list"):
        segue.NoAuth(allow_hosts="desk.example")


@pytest.mark.parametrize(
    ("path", "status"), [(E21, 421), ("/conversations", 421), ("/healthz", 200)]
)
def test_routes_that_need_a_permission_are_for_our_hosts_only(path: str, status: int) -> None:
    found = build(world.processor(), segue.NoAuth(), read=True)
    method = "POST" if path == E21 else "GET"
    request = Request(method, path, Headers([("host", "evil.example")]))
    answer = drive(found.handle(request))

    assert answer.status == status


def test_with_authentication_a_token_decides_and_no_host() -> None:
    headers = Headers([("host", "evil.example"), ("origin", "null")])
    answer = drive(world.app(world.processor()).handle(Request("POST", E21, headers)))

    assert answer.status == 401
