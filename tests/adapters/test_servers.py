"""The conformance table over sockets, through the servers people use."""

import json
from pathlib import Path

import pytest
from tests.adapters.servers import SERVERS, running, send, wire
from tests.adapters.transports import core
from tests.hook.table import CASES, E21, HEADERS, Case
from tests.hook.world import ENTRY, delivery

SOME = CASES[::9]
"""Every ninth row, of each part of the table."""


def differences(port: int, cases: tuple[Case, ...]) -> tuple[list[object], dict[str, int]]:
    """What was answered otherwise than by the core, and what the server refused itself."""
    wrong: list[object] = []
    refused: dict[str, int] = {}
    for case in cases:
        heard = send(port, wire(case), case.method, half=case.lacking)
        if heard is None and case.lacking:
            continue  # the sender is gone: there is nobody to answer
        if heard is None:
            wrong.append((case.name, "no answer"))
        elif not heard.handed_over:
            refused[case.name] = heard.status
        else:
            expected = core(case)
            told = {name: heard.headers.get(name) for name in expected.headers}
            found = (heard.status, told, heard.body)
            if found != expected:
                wrong.append((case.name, found, expected))
    return wrong, refused


@pytest.mark.parametrize("server", SERVERS)
def test_some_requests_are_answered_alike_over_a_socket(server: str) -> None:
    with running(server) as (port, _):
        wrong, refused = differences(port, SOME)

    assert wrong == []
    assert {status // 100 for status in refused.values()} <= {4}
    assert len(refused) <= len(SOME) // 10


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
def test_all_requests_are_answered_alike_over_a_socket(
    server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(server) as (port, _):
        wrong, refused = differences(port, CASES)

    with capsys.disabled():
        print(f"\n{server} refuses itself: {json.dumps(refused, ensure_ascii=False)}")
    assert wrong == []
    assert {status // 100 for status in refused.values()} <= {4}
    assert len(refused) <= len(CASES) // 10


def _peak(process: int) -> int:
    """The most memory a process ever had, in KiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


@pytest.mark.parametrize("token", [False, True], ids=["without a token", "with a token"])
@pytest.mark.parametrize("announced", [False, True], ids=["chunked", "announced"])
def test_a_huge_body_costs_no_memory(*, token: bool, announced: bool) -> None:
    headers = HEADERS if token else HEADERS[1:]
    head = [f"POST {E21} HTTP/1.1", "Host: x", *(f"{name}: {value}" for name, value in headers)]
    size = 64 * 1024 * 1024
    head.append(f"Content-Length: {size}" if announced else "Transfer-Encoding: chunked")
    begun = "\r\n".join([*head, "", ""]).encode()
    part = b"[" * 65536
    body = part * 1024 if announced else (b"10000\r\n" + part + b"\r\n") * 1024
    small = Case("", 200, None, "POST", E21, HEADERS, delivery("c-new", ENTRY))
    with running("uvicorn") as (port, process):
        for _ in range(20):
            send(port, wire(small))
        before = _peak(process)
        heard = send(port, begun + body)
        after = _peak(process)
        assert send(port, wire(small)) is not None

    assert heard is None or heard.status == (413 if token else 401)
    assert after - before < 2048
