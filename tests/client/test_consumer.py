"""The program that type checkers read uses every endpoint; the client is quick to import."""

import asyncio
import json
import statistics
import subprocess
import sys

from tests.client.calling import TOKEN
from tests.client.consumer import use_awaited_methods, use_every_method

from segue.client import AsyncClient, Client, MemoryTransport, ReceivedAnswer, SentRequest
from segue.platform import ENDPOINTS

BUDGET = 0.040
ROUNDS = 5


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


def seconds(modules: str) -> float:
    """The processor time of an import in a new interpreter."""
    script = f"import time; s = time.process_time(); import {modules}; print(time.process_time()-s)"
    return float(subprocess.check_output([sys.executable, "-c", script], text=True))


def test_the_client_costs_little_more_than_pydantic() -> None:
    pairs = [
        (seconds("pydantic.main"), seconds("pydantic.main, segue.client")) for _ in range(ROUNDS)
    ]

    assert statistics.median(both - alone for alone, both in pairs) < BUDGET
