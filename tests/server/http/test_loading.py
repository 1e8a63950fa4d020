"""What is loaded only when it is used, and how far an effect is from its driver."""

import subprocess
import sys
from inspect import CO_GENERATOR
from textwrap import dedent
from types import FrameType
from typing import Any

import pytest
from tests.server.http import world
from tests.server.http.table import E21, FINE, HEADERS
from tests.server.http.world import READS

from segue.server.http import Body, Headers, ReadBody, Request
from segue.server.processor import Effect, drive, perform


def loaded(script: str) -> set[str]:
    """The modules that a script of its own has loaded at its end."""
    code = dedent(script) + "\nimport sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_models_of_responses_are_built_when_the_interface_is_described() -> None:
    serving = """
        import segue
        app = segue.wsgi(segue.Processor(store=segue.MemoryStore()), auth=segue.NoAuth())
        def get(method, path, **more):
            status = []
            environ = {"REQUEST_METHOD": method, "PATH_INFO": path, **more}
            app(environ, lambda line, headers: status.append(line))
            assert status == ["200 OK"], status
    """
    posting = """
        import io
        body = b'{"conversationId": "c", "botId": "b", "query": "x", "source": "s"}'
        more = {"wsgi.input": io.BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        get("POST", "/agentdesk/api/v1/hooks/b", **more)
    """
    models = "segue.server.http.response_schemas"

    assert models not in loaded(dedent(serving) + dedent(posting))
    assert models in loaded(dedent(serving) + 'get("GET", "/openapi.json")')


def test_segue_http_loads_no_http_client_and_no_models() -> None:
    found = loaded("import segue.server.http")

    assert found.isdisjoint(
        {"http.client", "jwt", "segue.server.http.openapi", "segue.server.http.jwt"}
    )


def test_what_fetches_keys_is_loaded_when_keys_are_fetched() -> None:
    configured = 'import segue; auth = segue.JwtAuth(jwks_url="https://127.0.0.1:1/keys")'
    fetching = (
        "\nfrom segue.server.http.jwt.jwks import FetchKeys"
        "\nFetchKeys(auth.jwks_url).perform().result()"
    )

    assert "segue.server.http.jwt.fetch" not in loaded(configured)
    assert "segue.server.http.jwt.fetch" in loaded(configured + fetching)


class Surfacing:
    """Counts, while it is set as profiler, through which generators each effect surfaces."""

    def __init__(self) -> None:
        self.files: dict[int, list[str]] = {}

    def __call__(self, frame: FrameType, event: str, value: object) -> None:
        is_generator = frame.f_code.co_flags & CO_GENERATOR
        if event == "return" and is_generator and isinstance(value, Effect):
            self.files.setdefault(id(value), []).append(frame.f_code.co_filename)


def ways(request: Request) -> list[list[str]]:
    """The files of the generators that each effect of a request surfaces through."""
    surfacing, unit = Surfacing(), world.app(world.processor()).handle(request)
    effects = list[Effect[Any]]()  # alive, so that no two have the same id

    def performing(effect: Effect[Any]) -> Any:
        effects.append(effect)
        return Body(FINE) if isinstance(effect, ReadBody) else perform(effect)

    sys.setprofile(surfacing)
    try:
        response = drive(unit, performing)
    finally:
        sys.setprofile(None)
    assert response.status == 200
    return [surfacing.files[id(effect)] for effect in effects]


@pytest.mark.parametrize(
    "request_",
    [Request("POST", E21, Headers(HEADERS)), Request("GET", "/feed", Headers([("auth", READS)]))],
    ids=["POST", "GET"],
)
def test_an_effect_surfaces_through_four_generators_of_which_two_are_of_http(
    request_: Request,
) -> None:
    found = ways(request_)

    assert len(found) >= 1
    for files in found:
        assert len(files) <= 4
        assert len([file for file in files if "/segue/server/http/" in file]) == 2
