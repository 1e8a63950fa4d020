"""How much code a delivery passes on its way from the ASGI server to its receipt."""

import asyncio
import gc
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import jwt
import pytest
from tests.builders import body, transfer

import segue

ROOT = str(Path(segue.__file__).parent)
SECRET = "correct-horse-battery-staple-0123456789"  # noqa: S105 - of this test
COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>", "<lambda>")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[segue.server.AsgiApp]:
    with segue.Processor(store=segue.SqliteStore(tmp_path / "segue.db")) as processor:
        yield segue.asgi(processor, auth=segue.JwtAuth(secret=SECRET))


async def _post(app: segue.server.AsgiApp, sent: dict[str, Any]) -> int:
    raw, answered = json.dumps(sent).encode(), []
    headers = {
        "host": "localhost",
        "content-type": "application/json",
        "content-length": str(len(raw)),
        "authorization": "Bearer " + jwt.encode({"sub": "s"}, SECRET, algorithm="HS256"),
    }

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: Any) -> None:
        answered.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": "/agentdesk/api/v1/hooks/st-1",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    await app(scope, receive, send)
    return int(answered[0]["status"])


def test_a_warm_delivery_passes_few_functions_and_modules(app: segue.server.AsgiApp) -> None:
    passed = set[CodeType]()

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            passed.add(frame.f_code)

    async def send() -> list[int]:
        kinds = ["NA entry", "WARM entry", "WARM exit", "WARM entry", "WARM exit"]
        agents = ["a-0", "a-1", "a-1", "a-1", "a-1"]
        *before, last = [body(transfer(*each)) for each in zip(kinds, agents, strict=True)]
        statuses = [await _post(app, sent) for sent in before]
        gc.collect()  # finalizers are not of the path
        sys.setprofile(record)
        try:
            return [*statuses, await _post(app, last)]
        finally:
            sys.setprofile(None)

    assert asyncio.run(send()) == [200] * 5
    functions = {code for code in passed if code.co_name not in COMPREHENSIONS}
    # 10 of them take the fingerprint of the event, 8 make the rows of its entry and of its agent,
    # 2 look for blanks around ids, one spells ids, and one compares clocks.
    assert 20 < len(functions) <= 92
    assert len({code.co_filename for code in functions}) <= 27
