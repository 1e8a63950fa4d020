"""`segue sandbox`: a server that the client calls, and that calls back."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.builders import Sender
from tests.cli.command import Segue
from tests.patience import PATIENCE

from segue.platform import Client

Seen = list[tuple[str, str | None, dict[str, Any]]]


def read(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def receiver_of(seen: Seen, status: int = 200) -> type[BaseHTTPRequestHandler]:
    class Receiver(BaseHTTPRequestHandler):
        """Keeps what is posted to it, with its path and token."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            seen.append((self.path, self.headers.get("auth"), read(body)))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    return Receiver


def receive(receiver: HTTPServer, requests: int) -> None:
    for _ in range(requests):
        receiver.handle_request()


@contextmanager
def sandbox_of(*options: str) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """Yield a sandbox that runs, with a client of it; both are ended."""
    server = subprocess.Popen(
        [sys.executable, "-m", "segue", "sandbox", "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    with server.stdout:
        try:
            base = server.stdout.readline().rpartition(" ")[2].strip()
            token = ""
            while not token:
                found = re.search("SEGUE_PLATFORM_TOKEN=(.*)", server.stdout.readline())
                token = found[1] if found else ""
            with Client(base, token=token) as platform:
                yield server, platform
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(PATIENCE)


def test_the_sandbox_is_called_and_calls_back(tmp_path: Path) -> None:
    seen: Seen = []
    receiver = HTTPServer(("127.0.0.1", 0), receiver_of(seen))
    url = f"http://127.0.0.1:{receiver.server_port}"
    token_file = tmp_path / "token"
    token_file.write_text("hook-token", "utf-8")
    options = ["--to", url, "--token-file", str(token_file)]
    thread = Thread(target=receive, args=(receiver, 3), daemon=True)
    thread.start()
    with sandbox_of(*options) as (server, platform):
        assert [queue.name for queue in platform.queues.list(stream="st-1")] == [
            "Billing", "Support", "Sales"
        ]  # fmt: skip
        platform.conversations.send(bot="st-1", extra=Sender().body("NA entry a-1"))
        answer = platform.conversations.assign(
            stream="st-1", org="o-1", session="c-1", agent="a-2", callback_url=f"{url}/done"
        )
        assert answer.status == "transferred"
        thread.join(60)
    receiver.server_close()

    assert server.returncode == 0
    hook = "/agentdesk/api/v1/hooks/st-1"
    assert [(path, auth) for path, auth, _ in seen] == [
        (hook, "hook-token"), (hook, "hook-token"), ("/done", None)
    ]  # fmt: skip
    kinds = [body["events"][0]["transition"] for _, _, body in seen[:2]]
    assert kinds == ["exit", "entry"]
    assert seen[2][2] == {"sessionId": "c-1", "status": "success"}


@contextmanager
def receiving(seen: Seen, status: int = 200) -> Iterator[str]:
    receiver = ThreadingHTTPServer(("127.0.0.1", 0), receiver_of(seen, status))
    thread = Thread(target=receiver.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{receiver.server_port}"
    finally:
        receiver.shutdown()
        receiver.server_close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "    the callback was answered with 500\n1 failed without a fault\n"),
        (["--fault", "callback-first=1"], "survived 0 of 1 fault\n"),
    ],
)
def test_a_callback_that_is_not_accepted_is_shown(options: list[str], said: str) -> None:
    seen: Seen = []
    with receiving(seen, 500) as url, sandbox_of("--pace", "0", *options) as (server, platform):
        call = platform.calls.start(bot="st-1", target="tel:+490", caller="1", notify_url=url)
        assert seen or not options  # the one that comes first has come
        list(platform.queues.list(stream="st-1"))  # nothing reads a call: it goes on at once
        server.send_signal(signal.SIGTERM)
        assert server.stdout is not None
        out = server.stdout.read()
        assert server.wait(PATIENCE) == 1

    assert f", {call.call_id}: " in out
    assert out.endswith(said)
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        ("delivery-repeated", 0, "survived 3 of 3 faults"),
        ("delivery-cut-off", 1, "survived 0 of 3 faults"),
    ],
)
def test_conversations_are_sent_and_judged(
    fault: str, code: int, said: str, tmp_path: Path
) -> None:
    """This server answers 200 to everything, also to a body that is cut off."""
    seen: Seen = []
    truth, table = tmp_path / "truth.jsonl", tmp_path / "faults.toml"
    table.write_text(f"{fault} = 1.0\n", "utf-8")
    with receiving(seen) as url:
        options = ["--to", url, "--count", "3", "--faults", str(table), "--truth", str(truth)]
        done = subprocess.run(
            [sys.executable, "-m", "segue", "sandbox", "--port", "0", *options],
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    assert done.returncode == code, done.stderr
    assert said in done.stdout
    assert done.stderr == ""
    assert f"3 conversations in {len(seen)} deliveries" in done.stdout
    lines = [json.loads(line) for line in truth.read_text("utf-8").splitlines()]
    assert {line["fault"] for line in lines} == {fault}
    assert len(lines) == (3 if code == 0 else 6)  # those not survived are there twice


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--count", "1"], "give its URL as --to"),
        (["--to", "http://h", "--conversations", "often"], "a rate such as 50/min"),
        (["--to", "http://h", "--conversations", "0/min"], "a rate such as 50/min"),
        (["--fault", "gremlins"], "got 'gremlins'"),
        (["--faults", "missing.toml"], "missing.toml"),
        (["--faults", "bad.toml"], "bad.toml is not TOML"),
        (["--to", "http://h", "--count", "1", "--view", "/x"], "{conversationId}"),
        (
            ["--to", "http://h", "--count", "1", "--store", "sqlite:none.db"],
            "the store none.db does not exist",
        ),
        (["--to", "http://h", "--count", "1", "--spelling", "odd"], "`spelling` must be one of"),
        (["--truth", "/nowhere/x"], "/nowhere/x cannot be written"),
    ],
)
def test_options_that_cannot_work_are_refused(
    options: list[str], said: str, segue: Segue, write: Callable[[str, str], Path]
) -> None:
    write("bad.toml", "= 1")
    done = segue("sandbox", "--port", "0", *options)

    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--faults", "f.toml"),
        ("--keep", "state"),
        ("--keep", "new"),
        ("--token-file", "token"),
        ("--secret-file", "token"),
        ("--store", "state"),
    ],
)
def test_the_truth_is_not_written_over_what_is_read(
    option: str, name: str, segue: Segue, write: Callable[[str, str], Path], tmp_path: Path
) -> None:
    write("f.toml", "delivery-repeated = 1.0\n")
    write("state", "what was kept")
    write("token", "x.y.z")
    before = {path: path.read_text("utf-8") for path in tmp_path.iterdir()}
    value = f"sqlite:{name}" if option == "--store" else name

    done = segue("sandbox", "--port", "0", option, value, "--truth", name)

    said = f"segue: {name} is read by this command: give --truth another file\n"
    assert (done.code, done.out, done.err) == (2, "", said)
    assert {path: path.read_text("utf-8") for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("status", "said"), [(401, "SEGUE_TOKEN"), (404, "the server has no webhook")]
)
def test_a_server_that_takes_no_delivery_ends_the_run(status: int, said: str) -> None:
    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    receiver = HTTPServer(("127.0.0.1", 0), Refusing)
    Thread(target=receiver.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{receiver.server_port}"
    done = subprocess.run(
        [sys.executable, "-m", "segue", "sandbox", "--port", "0", "--to", url, "--count", "1"],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    receiver.shutdown()
    receiver.server_close()

    assert done.returncode == 2
    assert said in done.stderr
