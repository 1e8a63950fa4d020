"""`segue serve` as a process: it says when it listens, answers, and stops as it should."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing import Pipe
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock
from urllib.request import Request, urlopen

import jwt
import pytest
from tests.cli.command import Segue
from tests.cli.server import SECRET, Serving, free_port, segue_in
from tests.patience import PATIENCE
from tests.server.http.world import END, ENTRY, EXIT, delivery

from segue import Processor, SqliteStore
from segue.cli import supervisor
from segue.cli.server import STOPPED
from segue.cli.supervisor import RestartDelay, Supervisor, wait_until_over
from segue.server import Callback, callback_url

ROOT = Path(__file__).parents[2]
OPEN = ("--no-auth", "--store=memory")


def ask(url: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, Any]]:
    """Ask a server; status and JSON."""
    request = Request(url, body, {"Content-Type": "application/json", **headers})  # noqa: S310
    with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        return answer.status, json.loads(answer.read())


def is_closed(host: str, port: int) -> bool:
    """Wait until nothing new is accepted."""
    while True:
        try:
            socket.create_connection((host, port), 30).close()
        except OSError:
            return True


def test_the_samples_run_the_flows_of_the_specification_against_it(tmp_path: Path) -> None:
    with Serving(tmp_path, "--dev") as server:
        token = server.paste("export SEGUE_TOKEN=").partition("=")[2]
        done = subprocess.run(
            [sys.executable, str(ROOT / "samples/flows.py"), server.url],
            env=os.environ | {"SEGUE_TOKEN": token},
            capture_output=True,
            text=True,
            check=False,
        )

        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.count(": as expected\n") == len(done.stdout.splitlines()) == 9
        assert server.stop() == 0


@pytest.mark.skipif(shutil.which("curl") is None, reason="it says to use curl")
def test_what_it_says_to_paste_works_and_its_finding_is_shown(tmp_path: Path) -> None:
    with Serving(tmp_path, "--dev") as server:
        assert f"stores conversations in {tmp_path / 'segue.db'}\n" in server.first
        curl = server.paste("curl ") + "\n" + "".join(server.out.readline() for _ in range(3))
        for _ in range(2):
            done = subprocess.run(curl, shell=True, capture_output=True, check=False)  # noqa: S602
            assert json.loads(done.stdout)["phase"] == "active"

        token = server.paste("export SEGUE_TOKEN=").partition("=")[2]
        assert server.paste(server.url) == f"{server.url}/inspect#token={token}"
        assert server.paste("warning[SG601]").endswith("and was counted once")
        assert server.stop() == 0


def test_a_refusal_is_shown_as_well(tmp_path: Path) -> None:
    with Serving(tmp_path, "--dev", "--store=memory", "--reject=SG103") as server:
        token = server.paste("export SEGUE_TOKEN=").partition("=")[2]
        log = tmp_path / "log.jsonl"
        lost = b'{"botId": "st-1", "query": "\\u001b[31m secret words"}'
        log.write_bytes(delivery("c-1", ENTRY) + b"\n" + lost + b"\n")
        sent = segue_in(tmp_path, "send", str(log), server.url, SEGUE_TOKEN=token)

        assert sent.code == 1
        assert server.paste("422").split()[:4] == ["422", "hooks", "unfiled", "SG502"]


def test_a_program_on_the_same_store_is_called_back_for_what_the_server_receives(
    tmp_path: Path,
) -> None:
    called: SimpleQueue[Callback] = SimpleQueue()
    store = SqliteStore(tmp_path / "segue.db")
    kinds = "--callbacks=conversation_ended,finding"
    with (
        Serving(tmp_path, "--no-auth", kinds) as server,
        Processor(store=store, on_conversation_ended=called.put, on_finding=print),
    ):
        ask(f"{server.url}/agentdesk/api/v1/hooks/st-1", delivery("c-1", ENTRY, EXIT, END))
        callback = called.get(timeout=PATIENCE)

    assert (callback.kind, callback.conversation_id) == ("conversation_ended", "c-1")


def test_without_authentication_other_hosts_and_pages_are_refused(tmp_path: Path) -> None:
    with Serving(tmp_path, *OPEN, "--allow-host=desk.example") as server:
        for headers in ({"Host": "desk.example"}, {"Origin": server.url}):
            assert ask(f"{server.url}/conversations", None, **headers)[0] == 200
        for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            with pytest.raises(OSError, match="421"):
                ask(f"{server.url}/conversations", None, **headers)


def test_a_token_of_the_secret_is_let_in_and_nobody_else(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET + "\n", "utf-8")
    with Serving(tmp_path, "--jwt-secret-file=secret", "--store=memory", "--prefix=/in") as server:
        assert server.url.endswith("/in")
        hook = f"{server.url}/agentdesk/api/v1/hooks/st-1"
        token = jwt.encode({"appId": "cs-1"}, SECRET, algorithm="HS256")

        assert ask(hook, delivery("c-1", ENTRY), auth=token)[1]["phase"] == "active"
        for headers in ({}, {"auth": jwt.encode({}, "x" * 40, algorithm="HS256")}):
            with pytest.raises(OSError, match="401"):
                ask(hook, delivery("c-1", ENTRY), **headers)
        with pytest.raises(OSError, match="404"):
            ask(f"{server.url}/conversations", auth=token)


def test_readers_need_the_scope_of_read(tmp_path: Path) -> None:
    options = ("--store=memory", "--read=Conversations", "--scope=transcription=Transcription")
    with Serving(tmp_path, *options, environment={"SEGUE_SECRET": SECRET}) as server:
        reader = jwt.encode({"scope": "Conversations"}, SECRET, algorithm="HS256")
        sender = jwt.encode({"scope": "Transcription"}, SECRET, algorithm="HS256")

        assert ask(f"{server.url}/conversations", auth=reader)[1] == {"items": [], "next": None}
        with pytest.raises(OSError, match="403"):
            ask(f"{server.url}/conversations", auth=sender)


def test_what_the_platform_calls_back_comes_to_signed_addresses(tmp_path: Path) -> None:
    (tmp_path / "callbacks").write_text(SECRET[::-1], "utf-8")
    options = ("--store=sqlite:segue.db", "--callback-secret-file=callbacks", "--prefix=/in")
    with Serving(tmp_path, *options, environment={"SEGUE_SECRET": SECRET}) as server:
        until = datetime(2096, 1, 1, tzinfo=UTC)
        url = callback_url(server.url, "st-1", SECRET[::-1], until, request_id="r-1")
        with Processor(store=SqliteStore(tmp_path / "segue.db")) as beside:
            beside.expect_call("st-1", request_id="r-2")
        body = b'{"conversationId": "c-1", "status": "failed"}'

        found = ask(url, body)[1]["findings"]
        assert [finding["code"] for finding in found] == ["SG710"]
        with pytest.raises(OSError, match="401"):
            ask(url.replace("r-1", "r-2"), body)


@contextmanager
def half_sent(host: str, port: str) -> Iterator[tuple[socket.socket, bytes]]:
    """A request whose application waits for the body, and that body."""
    body = delivery("c-1", ENTRY)
    head = (
        "POST /agentdesk/api/v1/hooks/st-1 HTTP/1.1\r\nHost: localhost\r\n"
        f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), 30) as sender:
        sender.sendall(head.encode())
        assert b"100 Continue" in sender.recv(100)
        yield sender, body


@pytest.mark.thorough
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_stopping_finishes_what_runs(
    tmp_path: Path, workers: str, number: signal.Signals, code: int
) -> None:
    with Serving(tmp_path, "--no-auth", f"--workers={workers}") as server:
        host, port = server.url.removeprefix("http://").split(":")
        with half_sent(host, port) as (sender, rest):
            server.process.send_signal(number)
            assert is_closed(host, int(port))
            sender.sendall(rest)
            answer = sender.recv(10_000)

        assert answer.startswith(b"HTTP/1.1 200 ")
        assert server.wait() == code
    journal = segue_in(tmp_path, "journal")
    assert json.loads(journal.out)["body"]["conversationId"] == "c-1"


@pytest.mark.thorough
def test_an_interrupt_from_the_terminal_which_all_workers_get_finishes_what_runs(
    tmp_path: Path,
) -> None:
    """A worker may be told to stop by the first process before the signal reaches it."""
    with Serving(tmp_path, "--no-auth", "--workers=2") as server:
        host, port = server.url.removeprefix("http://").split(":")
        with half_sent(host, port) as (sender, rest):
            server.process.send_signal(signal.SIGINT)
            assert is_closed(host, int(port))
            for worker in server.workers():
                os.kill(worker, signal.SIGINT)
            time.sleep(0.5)
            sender.sendall(rest)
            answer = sender.recv(10_000)

        assert answer.startswith(b"HTTP/1.1 200 ")
        _, err = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 130
        assert "ERROR" not in err


@pytest.mark.thorough
def test_a_worker_that_was_killed_is_replaced_and_none_outlives_the_first_process(
    tmp_path: Path,
) -> None:
    with Serving(tmp_path, "--no-auth", "--workers=2") as server:
        before = server.workers()
        server.kill(before)
        said = [server.err.readline() for _ in before]

        assert sorted(said) == sorted(
            f"segue: worker {pid} exited unexpectedly; starting a replacement\n" for pid in before
        )
        assert ask(f"{server.url}/readyz") == (200, {"status": "ready"})
        after = server.workers()
        assert not set(after) & set(before)
        server.kill([server.process.pid])
        assert server.err.read() is not None  # until all who hold it have ended
        with pytest.raises(OSError, match="refused"):
            ask(f"{server.url}/healthz")


def test_workers_that_exit_soon_are_replaced_later_and_later() -> None:
    delay = RestartDelay(2)

    assert [delay.after(seconds) for seconds in (0.5, 0.5)] == [0, 0]  # each of both may once
    assert [delay.after(0.5) for _ in range(6)] == [1, 2, 4, 8, 16, 30]
    assert delay.after(3600) == 0
    assert [delay.after(0.5) for _ in range(3)] == [0, 0, 1]


def test_a_worker_whose_handlers_hang_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_STALL_LOOK", 0.01)
    looks = iter([False, False, True])

    class Hanging:
        @property
        def is_stalled(self) -> bool:
            return next(looks)

    reader, writer = Pipe(duplex=False)
    wait_until_over(reader, cast("Any", Hanging()))
    assert list(looks) == []

    writer.close()
    wait_until_over(reader, cast("Any", SimpleNamespace(is_stalled=False)))


@pytest.mark.parametrize(
    ("exitcode", "said"),
    [
        (-9, "segue: worker 7 was killed while it started: start again\n"),
        (2, ""),  # the worker has said why
    ],
)
def test_a_worker_that_is_killed_while_it_starts_is_named(
    capsys: pytest.CaptureFixture[str], exitcode: int, said: str
) -> None:
    with socket.socket() as sock:
        config: Any = SimpleNamespace(workers=0)
        supervising = Supervisor(config, sock, lambda: None)
        worker: Any = Mock(pid=7, exitcode=exitcode)
        worker.is_alive.return_value = False
        supervising._workers = {worker: 0.0}  # noqa: SLF001 - a worker that has exited

        supervising._remove_exited()  # noqa: SLF001

    assert capsys.readouterr().err == said
    assert supervising._code == 2  # noqa: SLF001


def test_a_signal_while_a_replacement_is_started_ends_the_supervisor() -> None:
    class Due(list[float]):
        """A signal comes when it has been looked through."""

        def __iter__(self) -> Iterator[float]:
            yield from super().__iter__()
            signal.raise_signal(signal.SIGTERM)

    with socket.socket() as sock:
        config: Any = SimpleNamespace(workers=0)
        supervising = Supervisor(config, sock, lambda: None)
        supervising._due = Due([0.0])  # noqa: SLF001 - a signal comes while it is read
        handlers = [signal.getsignal(number) for number in STOPPED]
        try:
            assert supervising.run() == 0
        finally:
            for number, handler in zip(STOPPED, handlers, strict=True):
                signal.signal(number, handler)


@pytest.mark.parametrize(
    ("arguments", "environment", "complaint"),
    [
        ([], {}, "no client could send: put a secret of 32 bytes or more into SEGUE_SECRET"),
        ([], {"SEGUE_SECRET": "short"}, "`secret` must have at least 32 bytes, got 5"),
        (["--jwt-secret-env=NO"], {}, "the environment variable NO is empty or not set: set it"),
        (
            ["--jwt-key-file=k=old.pem", "--jwt-key-file=k=new.pem"],
            {},
            "two --jwt-key-file have the id 'k': give each key its own id",
        ),
        (["--jwt-secret-file=no"], {}, "no cannot be read: No such file or directory"),
        (
            ["--no-auth"],
            {"SEGUE_CALLBACK_SECRET": "short"},
            "`callback_secret` must have at least 32 bytes",
        ),
        (["--callback-secret-env=A", "--callback-secret-file=b", "--no-auth"], {}, "given twice"),
        (["--dev", "--allow-host=x"], {}, "--allow-host is for --no-auth"),
        (["--no-auth", "--host=0.0.0.0"], {}, "every client that reaches 0.0.0.0 could send"),
        (["--no-auth", "--read=x"], {}, "--no-auth contradicts options for tokens"),
        (["--no-auth", "--dev"], {}, "--dev and --no-auth contradict each other"),
        (["--dev", "--host=example.org"], {}, "--dev is for this machine only"),
        (["--dev", "--workers=2"], {}, "--dev runs in one process"),
        ([*OPEN, "--workers=2"], {}, "several workers cannot share a store in memory"),
        (["--no-auth", "--store=sqlite:no/x.db"], {}, "let its directory exist"),
        (["--no-auth", "--store=segue.db"], {}, "is not a store address"),
        (["--no-auth", "--store=sqlite:"], {}, "names no file"),
        (["--no-auth", "--store=postgresql://u:p@h/d"], {}, "a password on the command line"),
        (["--no-auth", "--store=postgresql://u:#p@h/d"], {}, "a password on the command line"),
        (["--no-auth", "--store=postgresql://h/?password=p"], {}, "a password on the command line"),
        ([*OPEN, "--prefix=/a{botId}"], {}, "`prefix` must be a path of letters"),
        ([*OPEN, "--retention=90"], {}, "--retention takes a duration such as 90d"),
        ([*OPEN, "--patience=5"], {}, "--patience takes a duration such as 90d"),
        ([*OPEN, "--patience=0s"], {}, "`patience` must be positive, got 0:00:00"),
        ([*OPEN, "--callbacks=on_message"], {}, "`callbacks` must only contain call_"),
        (
            [*OPEN, "--prefix=segue"],
            {},
            "`prefix` must begin with / and not end with it, got 'segue'",
        ),
        ([*OPEN, "--reject=SG999"], {}, "no rule has the code, prefix or name 'SG999'"),
        (["--scope=read=x"], {"SEGUE_SECRET": SECRET}, "--scope takes hooks=SCOPE"),
        (["--jwks-url=http://x.example/"], {}, "https"),
        (["--jwt-key-file=a=no", "--no-config"], {}, "no cannot be read"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_meant_is_said_before_anything_listens(
    segue: Segue,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environment: dict[str, str],
    complaint: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    done = segue("serve", *arguments)

    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_a_port_that_is_taken_is_said(segue: Segue) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = segue("serve", *OPEN, f"--port={port}")

    assert (done.code, done.out) == (2, "")
    assert f"cannot listen on 127.0.0.1:{port} (Address already in use)" in done.err


@pytest.mark.parametrize(("missing", "extra"), [("uvicorn", "serve"), ("jwt", "jwt")])
def test_a_missing_extra_is_named(tmp_path: Path, missing: str, extra: str) -> None:
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from segue.cli.app import run; run(['serve', '--store=memory'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=os.environ | {"SEGUE_SECRET": SECRET},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert f"segue[{extra}]" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_database_server_that_is_away_is_waited_for(tmp_path: Path) -> None:
    away = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    with Serving(tmp_path, "--no-auth", f"--store={away}") as server:
        assert "PostgreSQL on 127.0.0.1, database none" in server.first
        assert server.err.readline().startswith("segue: deliveries are answered with 503 for now: ")
        assert ask(f"{server.url}/healthz") == (200, {"status": "ok"})


@pytest.mark.parametrize("form", ["text", "json"])
def test_answers_are_logged_without_texts_and_tokens(tmp_path: Path, form: str) -> None:
    token = jwt.encode({"appId": "cs-1"}, SECRET, algorithm="HS256")
    options = ("--store=memory", f"--log-format={form}")
    with Serving(tmp_path, *options, environment={"SEGUE_SECRET": SECRET}) as server:
        body = delivery("c-\u001b[31m", ENTRY, query="a secret word")
        ask(f"{server.url}/agentdesk/api/v1/hooks/st-1", body, auth=token)
        line = server.err.readline()

        assert "hooks" in line
        assert "\x1b" not in line
        for hidden in (token, SECRET, "secret word"):
            assert hidden not in line
        if form == "json":
            assert json.loads(line)["findings"] is not None
