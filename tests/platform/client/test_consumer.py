"""The program that type checkers read uses every endpoint; importing the client loads little."""

import asyncio
import json
import subprocess
import sys

from tests.platform.client.calling import TOKEN
from tests.platform.client.consumer import use_awaited_methods, use_every_method

from segue.platform.client import AsyncClient, Client, MemoryTransport, ReceivedAnswer, SentRequest
from segue.platform.table import ENDPOINTS

LOADED_WHEN_USED = ("http", "ssl", "asyncio", "httpx", "segue.platform.models")


def answer(request: SentRequest) -> ReceivedAnswer:
    """Success, and nothing more."""
    is_list = request.target.endswith("/language")
    body = {"_id": "x", "status": "success", "results": [], "data": {"results": []}}
    return ReceivedAnswer(200, {}, json.dumps([] if is_list else body).encode())


def test_a_program_uses_every_method() -> None:
    asked: list[str] = []

    def count(request: SentRequest) -> ReceivedAnswer:
        asked.append(f"{request.method} {request.target.partition('?')[0]}")
        return answer(request)

    client = Client(
        "https://h", token=TOKEN, account="a-1", app="st-1", transport=MemoryTransport(count)
    )
    found = use_every_method(client)

    assert found.count("success") == 5  # of what has a status at its top
    assert len(set(asked)) == len(ENDPOINTS)


def test_a_program_awaits_the_same_methods() -> None:
    client = AsyncClient("https://h", token=TOKEN, transport=MemoryTransport(answer))

    assert asyncio.run(use_awaited_methods(client)) == ["success"]


def test_what_a_call_needs_is_not_imported_with_the_client() -> None:
    script = (
        "import sys, pydantic.main; before = set(sys.modules); import segue.platform.client; "
        "print(*sorted(sys.modules.keys() - before))"
    )
    loaded = set(subprocess.check_output([sys.executable, "-c", script], text=True).split())

    assert not {each for each in loaded if each.startswith(LOADED_WHEN_USED)}
