"""`segue send`: what goes out, what comes of it, and how it goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import jwt
import pytest
from tests.cli.command import Segue, Write
from tests.cli.server import SECRET, free_port
from tests.report.story import line, log

from segue.cli.credentials import TokenSigner


class Heard(NamedTuple):
    """One request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


class Peer:
    """A server that answers what it is told to, and remembers what came."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.answers: list[tuple[int, dict[str, Any], dict[str, str]]] = []
        """Answered first, one after the other; then 200."""
        peer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                peer.heard.append(Heard(self.path, headers, body))
                status, value, more = peer.answers.pop(0) if peer.answers else (200, {}, {})
                data = json.dumps(value).encode()
                self.send_response(status)
                for name, text in {**more, "Content-Length": str(len(data))}.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def peer() -> Iterator[Peer]:
    found = Peer()
    yield found
    found.server.shutdown()
    found.server.server_close()


STORY = log("NA entry a-1", "user message", "NA exit a-1", "END")


def test_every_line_is_sent_as_it_stands_to_the_hook_of_its_bot(
    segue: Segue, write: Write, peer: Peer
) -> None:
    done = segue("send", str(write("log.jsonl", STORY)), peer.url)

    assert done == (0, "", "segue: 4 lines sent: 4 applied, 0 duplicates\n")
    assert [each.body.decode() for each in peer.heard] == STORY
    assert {each.path for each in peer.heard} == {"/agentdesk/api/v1/hooks/st-1"}
    assert {each.headers["content-type"] for each in peer.heard} == {"application/json"}
    assert all("auth" not in each.headers for each in peer.heard)


def test_what_is_sent_again_has_the_same_ids_and_different_lines_have_others(
    segue: Segue, write: Write, peer: Peer
) -> None:
    path = str(write("log.jsonl", [*STORY, STORY[1]]))
    for _ in range(2):
        segue("send", path, peer.url)
    ids = [each.headers["idempotency-key"] for each in peer.heard]

    assert ids[:5] == ids[5:]
    assert len(set(ids)) == 5


def test_an_envelope_says_bot_conversation_endpoint_and_id(
    segue: Segue, write: Write, peer: Peer
) -> None:
    body = {"conversationId": "c-1", "botId": "st-1", "query": "\u00e4"}
    action = {"action": "start", "agentId": "a-1"}
    here = {"endpoint": "transcription", "conversation_id": "c/1 ?"}
    lines = [
        json.dumps({"delivery_id": "d-1", "body": body}),
        json.dumps({"bot_id": "st/2", "body": json.dumps(body)}),
        json.dumps({**here, "bot_id": "st-1", "body": action}),
        json.dumps({**here, "conversation_id": "c-1", "body": action}),
        json.dumps({"delivery_id": "d\u00e4", "body": body}),
        json.dumps({"endpoint": "transcription", "body": action}),
    ]
    assert segue("send", str(write("log.jsonl", lines)), f"{peer.url}/in/").code == 1
    e1 = "/in/api/1.1/public/bot/st-1/control/transcription?conversationId="

    assert [each.path for each in peer.heard] == [
        "/in/agentdesk/api/v1/hooks/st-1",
        "/in/agentdesk/api/v1/hooks/st%2F2",
        f"{e1}c%2F1+%3F",
        f"{e1}c-1",
        "/in/agentdesk/api/v1/hooks/st-1",
    ]
    assert [json.loads(each.body) for each in peer.heard] == [body, body, action, action, body]
    assert peer.heard[0].headers["idempotency-key"] == "d-1"
    assert peer.heard[4].headers["idempotency-key"].isascii()


def test_the_ids_of_an_envelope_fill_in_for_those_a_body_lacks(
    segue: Segue, write: Write, peer: Peer
) -> None:
    ids = {"conversation_id": "c-1", "bot_id": "st-1"}
    whole = {"conversationId": None, "botId": "st-2", "query": "Hi"}
    lines = [{**ids, "body": {"query": "Hi"}}, {**ids, "body": whole}, {"body": whole}]
    lines.append({**ids, "body": json.dumps({"query": "Hi"})})
    path = write("log.jsonl", [json.dumps(each) for each in lines])

    assert segue("send", str(path), peer.url).code == 0
    filled = {"conversationId": "c-1", "botId": "st-1", "query": "Hi"}
    assert [json.loads(each.body) for each in peer.heard] == [filled, whole, whole, filled]


def test_other_peoples_lines_are_found_by_pointers(segue: Segue, write: Write, peer: Peer) -> None:
    path = write("log.jsonl", [json.dumps({"id": "x-1", "payload": json.loads(STORY[0])})])

    assert segue("send", str(path), peer.url, "--body-at=/payload", "--delivery-at=/id").code == 0
    assert json.loads(peer.heard[0].body) == json.loads(STORY[0])
    assert peer.heard[0].headers["idempotency-key"] == "x-1"


def test_broken_lines_go_out_when_it_is_known_to_whom(
    segue: Segue, write: Write, peer: Peer
) -> None:
    path = str(
        write(
            "log.jsonl",
            ['{"a": 1, "a": 2}', '{"botId": "st-1', "", "[]", '{"conversationId": "c"}'],
        )
    )

    done = segue("send", path, peer.url)
    assert (done.code, peer.heard) == (1, [])
    assert done.out.count("not sent: the bot is unknown: give --bot\n") == 4

    assert segue("send", path, peer.url, "--bot=st-7").code == 0
    assert [each.body for each in peer.heard][:3] == [
        b'{"a": 1, "a": 2}',
        b'{"botId": "st-1',
        b"[]",
    ]
    assert {each.path for each in peer.heard} == {"/agentdesk/api/v1/hooks/st-7"}


def test_refusals_are_shown_with_their_findings_and_made_safe(
    segue: Segue, write: Write, peer: Peer
) -> None:
    finding = {
        "code": "SG503",
        "severity": "error",
        "event": 1,
        "message": "a\x1b[2Jb",
        "help": "h",
    }
    problem = {"type": "urn:segue:problem:rejected-delivery", "title": "no", "findings": [finding]}
    peer.answers = [(200, {"duplicate": True}, {}), (422, problem, {}), (418, {}, {})]

    done = segue("send", str(write("log.jsonl", STORY)), peer.url)

    assert done.code == 1
    assert done.out.splitlines() == [
        f"{Path.cwd() / 'log.jsonl'}:2: 422 rejected-delivery: no",
        "  error[SG503] event 1: a\\x1b[2Jb",
        "    help: h",
        f"{Path.cwd() / 'log.jsonl'}:3: 418",
    ]
    assert done.err == "segue: 4 lines sent: 1 applied, 1 duplicate, 2 refused\n"


def test_a_server_that_is_busy_is_asked_again(segue: Segue, write: Write, peer: Peer) -> None:
    peer.answers = [(503, {}, {}), (429, {}, {}), (408, {}, {})]

    done = segue("send", str(write("log.jsonl", STORY)), peer.url)

    assert (done.code, len(peer.heard)) == (0, 7)
    assert len({each.headers["idempotency-key"] for each in peer.heard[:4]}) == 1


def test_a_server_that_stays_away_ends_it_and_it_goes_on_from_there(
    segue: Segue, write: Write, peer: Peer
) -> None:
    path = str(write("log.jsonl", STORY))
    peer.answers = [(200, {}, {}), (200, {}, {}), (503, {}, {})]

    done = segue("send", path, peer.url, "--timeout=0")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"segue: {peer.url} cannot be reached (it answers with 503): is it running? "
        "(continue with --from 3)\n"
    )
    peer.heard.clear()
    assert segue("send", path, peer.url, "--from=3").code == 0
    assert [each.body.decode() for each in peer.heard] == STORY[2:]


@pytest.mark.parametrize(
    ("status", "complaint"), [(401, "the token"), (404, "the server has no webhook")]
)
def test_what_would_be_answered_to_all_ends_it(
    segue: Segue, write: Write, peer: Peer, status: int, complaint: str
) -> None:
    peer.answers = [(status, {}, {})]

    done = segue("send", str(write("log.jsonl", STORY)), peer.url)

    assert (done.code, len(peer.heard)) == (2, 1)
    assert complaint in done.err
    assert done.err.endswith(" (continue with --from 1)\n")


def test_a_token_comes_from_the_environment_or_a_file(
    segue: Segue, write: Write, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(write("log.jsonl", STORY[:1]))
    monkeypatch.setenv("SEGUE_TOKEN", "t-1")
    monkeypatch.setenv("SEGUE_SECRET", SECRET)
    monkeypatch.setenv("OTHER", "t-2")
    for more in ((), ("--token-env=OTHER",), (f"--token-file={write('token', 't-3' + chr(10))}",)):
        assert segue("send", path, peer.url, *more).code == 0
    assert [each.headers["auth"] for each in peer.heard] == ["t-1", "t-2", "t-3"]

    segue("send", path, peer.url, "--secret-env=SEGUE_SECRET", "--scope=A B")
    claims = jwt.decode(peer.heard[3].headers["auth"], SECRET, algorithms=["HS256"])
    assert (claims["scope"], claims["exp"] - claims["iat"]) == ("A B", 600)


def test_a_signed_token_is_renewed_in_time() -> None:
    now = [1_000_000.0]
    give = TokenSigner(SECRET, "Transcription", clock=lambda: now[0])
    first = give()
    now[0] += 200
    assert give() == first
    now[0] += 200
    claims = jwt.decode(give(), SECRET, algorithms=["HS256"], options={"verify_exp": False})

    assert (claims["iat"], claims["exp"]) == (1_000_400, 1_001_000)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["ftp://x"], "the address of a server must be http://host:port"),
        (["http://u:p@x/"], "the address of a server must be http://host:port"),
        (["http://x:y/"], "the address of a server must be http://host:port"),
        (["http://x/", "--token-env=NONE"], "the environment variable NONE is empty or not set"),
        (["http://x/", "--token-env=BAD"], "the token contains characters that are not allowed"),
        (
            ["http://x/", "--token-env=BAD", "--secret-env=BAD"],
            "several tokens or secrets are given",
        ),
        (["http://x/", "--token-file=no"], "no cannot be read"),
        (["http://x/", "--body-at=x"], "--body-at must be a JSON Pointer"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_is_sent(
    segue: Segue,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.setenv("BAD", "a\nb")
    done = segue("send", str(write("log.jsonl", STORY)), *arguments)

    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert "a\\nb" not in done.err


def test_a_server_that_is_waited_for_is_named_once(
    segue: Segue, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.cli.client._PAUSES", (0.01, 0.02))
    monkeypatch.setattr("segue.cli.client._QUIET", 0.1)
    path = write("log.jsonl", [line("NA entry a-1")])
    url = f"http://127.0.0.1:{free_port()}"
    done = segue("send", str(path), url, "--timeout=0.5")

    assert done.code == 2
    assert done.err == (
        f"segue: {url} cannot be reached (Connection refused): trying again for 0.5 seconds\n"
        f"segue: {url} cannot be reached (Connection refused): is it running? "
        "(continue with --from 1)\n"
    )


def test_nobody_there_is_said(segue: Segue, write: Write) -> None:
    path = write("log.jsonl", [line("NA entry a-1")])
    done = segue("send", str(path), f"http://127.0.0.1:{free_port()}", "--timeout=0")

    assert done.code == 2
    assert (
        "cannot be reached (Connection refused): is it running? (continue with --from 1)"
        in done.err
    )
