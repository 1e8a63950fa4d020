"""The hosts of the samples: each is started and called, and goes on with its own pages."""

import json
from pathlib import Path

import pytest
from tests.server.adapters.servers import ROOT, running, send
from tests.server.http.tokens import SECRET, Kit
from tests.server.http.world import ENTRY, action, delivery

QUIET = ["--log-level", "critical", "--port", "{port}"]
HOSTS: dict[str, list[str]] = {
    "starlette": ["uvicorn", "samples.hosts.starlette_app:app", *QUIET],
    "fastapi": ["uvicorn", "samples.hosts.fastapi_app:app", *QUIET],
    "django": ["uvicorn", "samples.hosts.django_app:application", *QUIET],
    "flask": ["waitress", "--listen=127.0.0.1:{port}", "samples.hosts.flask_app:app"],
    "aiohttp": ["samples.hosts.aiohttp_app", "{port}"],
}
TOKEN = Kit("HS256").token({"appId": "cs-1"})
E21 = "/segue/agentdesk/api/v1/hooks/st-1"
E1 = "/segue/api/1.1/public/bot/st-1/control/transcription?conversationId=c-1"


def test_every_host_of_the_samples_is_tried() -> None:
    found = {path.stem.removesuffix("_app") for path in (ROOT / "samples/hosts").glob("*.py")}

    assert found == set(HOSTS)


@pytest.mark.parametrize(
    "host",
    [
        pytest.param(each, marks=pytest.mark.thorough if number else ())
        for number, each in enumerate(HOSTS)
    ],
)
def test_a_host_receives_deliveries_beside_its_own_pages(host: str, tmp_path: Path) -> None:
    store = tmp_path / "segue.db"

    def ask(method: str, target: str, body: bytes = b"", token: str = "") -> tuple[int, bytes]:
        lines = [f"{method} {target} HTTP/1.1", "Host: x", "Connection: close"]
        lines += [f"auth: {token}"] if token else []
        lines += [f"Content-Length: {len(body)}"] if body else []
        heard = send(port, "\r\n".join([*lines, "", ""]).encode() + body)
        assert heard is not None
        return heard.status, heard.body

    with running(HOSTS[host], SEGUE_SECRET=SECRET, SEGUE_STORE=str(store)) as (port, _):
        status, page = ask("GET", "/")
        assert (status, b"the host's own page" in page) == (200, True)
        assert ask("POST", E21, delivery("c-1", ENTRY))[0] == 401
        status, answer = ask("POST", E21, delivery("c-1", ENTRY), TOKEN)
        assert (status, json.loads(answer)["phase"]) == (200, "active")
        status, answer = ask("POST", E1, action("start"), TOKEN)
        assert (status, json.loads(answer)["state"]) == (200, "active")
        status, answer = ask("GET", "/segue/openapi.json")
        assert (status, json.loads(answer)["servers"]) == (200, [{"url": "/segue"}])
        assert ask("GET", "/segue/readyz")[0] == 200
        assert ask("GET", "/segue/x")[0] == 404
    assert store.stat().st_size > 0
