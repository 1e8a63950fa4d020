"""The conformance table over sockets, through the servers people use."""

import json
import sys
from pathlib import Path

import pytest
from tests.server.adapters.servers import SERVERS, Heard, running, send, skip_missing, wire
from tests.server.adapters.transports import core, headers
from tests.server.http.table import CASES, E21, HEADERS, Case
from tests.server.http.world import ENTRY, delivery

SOME = CASES[::9]
"""Every ninth row, of each part of the table."""
OWN = {
    "cheroot": ("auth twice",),
    "eventlet": ("two content types",),
    "twisted": ("bot at http:", "bot at a URL"),
}
"""Rows that a server spoils.

cheroot and eventlet pass on one of repeated headers, and Twisted the path of a URL as `/ttp://…`.
"""


def differences(
    server: str, port: int, cases: tuple[Case, ...]
) -> tuple[list[object], dict[str, int]]:
    """What was answered otherwise than by the core, and what the server refused itself."""
    wrong: list[object] = []
    refused: dict[str, int] = {}
    for case in cases:
        if case.name.startswith(OWN.get(server, ())):
            continue
        heard = send(port, wire(case), case.method, half=lacking(case))
        if heard is None:
            if not lacking(case):  # otherwise the sender is gone, and nobody to answer
                wrong.append((case.name, "no answer"))
        elif not heard.handed_over:
            refused[case.name] = heard.status
        else:
            wrong += difference(case, heard)
    return wrong, refused


def difference(case: Case, heard: Heard) -> list[object]:
    expected = core(case)
    if case.problem == "bad-length":  # the server made a length of it: only the status is ours
        expected = expected._replace(headers={}, body=heard.body)
    told = {name: heard.headers.get(name) for name in expected.headers}
    found = (heard.status, told, heard.body)
    return [] if found == expected else [(case.name, found, expected)]


def lacking(case: Case) -> bool:
    """Whether a server may wait for more than is sent."""
    said = dict(headers(case))["content-length"]
    return said.isdecimal() and said.isascii() and int(said) > len(case.body)


@pytest.mark.parametrize(
    "server",
    [
        pytest.param(each, marks=pytest.mark.thorough if number else ())
        for number, each in enumerate(SERVERS)
    ],
)
def test_some_requests_are_answered_alike_over_a_socket(server: str) -> None:
    skip_missing(server)
    with running(SERVERS[server]) as (port, _):
        wrong, refused = differences(server, port, SOME)

    assert wrong == []
    assert {status // 100 for status in refused.values()} <= {4}
    assert len(refused) <= len(SOME) // 10


@pytest.mark.slow
@pytest.mark.parametrize("server", SERVERS)
def test_all_requests_are_answered_alike_over_a_socket(
    server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    skip_missing(server)
    with running(SERVERS[server]) as (port, _):
        wrong, refused = differences(server, port, CASES)

    with capsys.disabled():
        sys.stdout.write(f"\n{server} refuses itself: {json.dumps(refused)}\n")
    assert wrong == []
    assert {status // 100 for status in refused.values()} <= {4}
    assert len(refused) <= len(CASES) // 10


def _peak(process: int) -> int:
    """The most memory a process ever had, in KiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def _huge(*, token: bool, announced: bool) -> bytes:
    """A request with a body of 64 MiB."""
    pairs = HEADERS if token else HEADERS[1:]
    head = [f"POST {E21} HTTP/1.1", "Host: x", *(f"{name}: {value}" for name, value in pairs)]
    head.append("Content-Length: 67108864" if announced else "Transfer-Encoding: chunked")
    part = b"[" * 65536
    body = part * 1024 if announced else (b"10000\r\n" + part + b"\r\n") * 1024
    return "\r\n".join([*head, "", ""]).encode() + body


@pytest.mark.thorough
def test_a_huge_body_costs_no_memory() -> None:
    small = wire(Case("", 200, None, "POST", E21, HEADERS, delivery("c-new", ENTRY)))
    with running(SERVERS["uvicorn"]) as (port, process):
        for _ in range(20):
            send(port, small)
        for token in (False, True):
            for announced in (False, True):
                before = _peak(process)
                heard = send(port, _huge(token=token, announced=announced))

                assert heard is None or heard.status == (413 if token else 401)
                assert _peak(process) - before < 2048
                again = send(port, small)
                assert again is not None
                assert again.status == 200
