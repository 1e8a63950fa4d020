"""Commands on a store: tail, journal, quarantine, purge."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from tests.cli.command import Segue
from tests.cli.server import Serving, free_port, segue_in
from tests.families import family
from tests.patience import PATIENCE
from tests.server.http.world import BEN, END, ENTRY, EXIT, delivery, transfer

from segue import Processor, SqliteStore, replay
from segue.cli.client import ServerClient, ServerReply
from segue.cli.store_address import existing_processor, store_address, store_label
from segue.errors import ConfigurationError
from segue.server.stores.address import sqlite_path

NOW = datetime.now(tz=UTC)
LOST = b'{"botId": "st-1", "query": "\\u001b[2J", "conversationId": null}'


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A conversation of two days ago with a mistake, one of today, two bodies in quarantine."""
    path = tmp_path / "segue.db"
    now = NOW - timedelta(days=2)
    with Processor(store=SqliteStore(path), clock=lambda: now) as processor:
        processor.receive("st-1", delivery("c-old", ENTRY), delivery_id="d-1")
        processor.receive("st-1", delivery("c-old", transfer("COLD", "entry", BEN)))
        now = NOW
        processor.receive("st-1", delivery("c-new\u001b[2J", ENTRY))
        processor.receive("st-1", delivery("c-new\u001b[2J", EXIT, END))
        processor.receive("st-1", LOST)
        processor.receive("st-1", delivery("c-new", ENTRY)[:-1])
    return path


def test_a_feed_that_is_read_once_is_not_waited_for(
    segue: Segue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.cli.tail._ONCE", 0.0)
    url = f"http://127.0.0.1:{free_port()}"

    assert segue("tail", url, "--no-follow") == (
        2,
        "",
        f"segue: {url} cannot be reached (Connection refused): is it running?\n",
    )


@family("since", ["--since=3d", "--after=0"])
def test_a_feed_that_never_pauses_is_read_to_where_it_ended(
    segue: Segue, monkeypatch: pytest.MonkeyPatch, store: Path, since: str
) -> None:
    """A delivery comes in before each answer, so that there is something new every time."""
    read = Processor.read_feed
    pages = 0

    def read_feed(self: Processor, *arguments: object, **options: object) -> object:
        nonlocal pages
        pages += 1
        assert pages < 20, "tail does not end"
        page = read(self, *arguments, **options | {"limit": 2})  # type: ignore[arg-type]
        self.receive("st-1", delivery(f"c-late-{since}-{pages}", ENTRY))
        return page

    monkeypatch.setattr(Processor, "read_feed", read_feed)
    before = segue("tail", f"--store=sqlite:{store}", "--no-follow", since).out

    assert "c-old" in before
    assert f"c-late-{since}" not in before


@family(
    "page",
    [
        {"items": [7], "next": "1"},
        {"items": [{"cursor": "1"}], "next": "1"},
        {"items": [{"cursor": "x", "received_at": "2026-03-02T09:00:00Z"}], "next": "1"},
        {"items": [], "next": "1²"},
        {"items": [], "next": "9" * 5000},
        {"items": [], "next": None},
    ],
)
def test_what_answers_otherwise_is_no_server_to_follow(
    segue: Segue, monkeypatch: pytest.MonkeyPatch, page: dict[str, object]
) -> None:
    replies = iter([ServerReply(200, page)] * 3)
    monkeypatch.setattr(ServerClient, "get", lambda _, __: next(replies))

    done = segue("tail", "http://127.0.0.1:9", "--no-follow", "--since=3d")

    assert (done.code, done.out) == (2, "")
    assert done.err == "segue: http://127.0.0.1:9 is not a Segue server: check the URL\n"


def test_what_is_new_is_shown_as_it_was_found(segue: Segue, store: Path) -> None:
    address = f"--store=sqlite:{store}"
    done = segue("tail", address, "--no-follow", "--since=3d")

    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith("  c-old  bot st-1  waiting → active")
    assert lines[1].endswith("  c-old  bot st-1  active")
    assert lines[2].startswith("  error[SG103] event 1: agent a-2 took over")
    assert lines[3].startswith("    help: ")
    assert lines[4].endswith("  c-new\\x1b[2J  bot st-1  waiting → active")
    assert lines[5].endswith("  c-new\\x1b[2J  bot st-1  active → ended")

    assert segue("tail", address, "--no-follow", "--since=1d").out.splitlines() == lines[4:]
    assert segue("tail", address, "--no-follow").out == ""
    assert segue("tail", "--no-follow", "--since=3d").out.splitlines() == lines
    coloured = segue("tail", address, "--no-follow", "--since=3d", "--color=always").out
    assert "\x1b[1;31merror[SG103]\x1b[0m" in coloured


def test_commands_on_a_store_apply_nothing_that_its_server_holds(tmp_path: Path) -> None:
    """They have no handlers: what they applied, the server would never call back about."""
    path = tmp_path / "segue.db"
    yesterday = NOW - timedelta(days=1)
    held = Processor(
        store=SqliteStore(path), patience=timedelta(seconds=1), clock=lambda: yesterday
    )
    with held as server:
        assert server.receive("st-1", delivery("c-1", ENTRY, EXIT, END)).held

    with existing_processor(f"sqlite:{path}") as processor:
        time.sleep(0.3)
        view = processor.conversation("c-1")
        assert view is not None
        assert [each["codes"] for each in view.to_dict()["held"]] == [[]]


def test_new_causes_of_a_feed_are_alerts(segue: Segue, tmp_path: Path) -> None:
    path = tmp_path / "segue.db"
    now = NOW - timedelta(minutes=30)
    with Processor(store=SqliteStore(path), clock=lambda: now) as processor:
        for number in range(40):
            taken = [transfer("COLD", "entry", BEN)] if number % 4 == 1 else []
            body = delivery(f"c-{number}", ENTRY, *taken)
            processor.receive(f"st-{number % 4}", body)
    # Two transfers of each agent of four, and one of all others: Ben has only these.
    sentence = "SG103: 10 of 10 findings where agent = a-2; 100 % of its transfers, 0 % elsewhere."
    tail = ("tail", f"--store=sqlite:{path}", "--alert", "--no-follow")
    into = f'{sys.executable} -c \'import sys; open("cause", "w").write(sys.stdin.read())\''
    fails = f"{sys.executable} -c 'raise SystemExit(3)'"

    found = segue(*tail, "--since=6h", "--run", into)
    assert (found.code, found.err) == (1, "")
    assert found.out.splitlines()[0] == sentence
    cause = json.loads((tmp_path / "cause").read_text())
    assert (cause["code"], cause["where"], cause["sentence"]) == (
        "SG103",
        {"agent": "a-2"},
        sentence,
    )
    assert json.loads(segue(*tail, "--since=6h", "--format=jsonl").out) == cause
    assert "the command of --run exited with 3" in segue(*tail, "--since=6h", "--run", fails).err
    assert segue(*tail, "--since=6h", "--window=1m").code == 0
    assert segue(*tail).code == 0
    assert segue(*tail, "--after=now").code == 0
    for options in (["--run", "no-such-command"], ["--window=long"], ["--run='"]):
        assert segue(*tail, "--since=6h", *options).code == 2
    assert segue("tail", f"--store=sqlite:{path}", "--run", into).code == 2


def test_a_place_in_the_feed_can_be_gone_on_from(segue: Segue, store: Path) -> None:
    address = f"--store=sqlite:{store}"
    found = segue("tail", address, "--no-follow", "--since=3d", "--format=jsonl").out.splitlines()
    cursor = json.loads(found[1])["cursor"]

    rest = segue("tail", address, "--no-follow", f"--after={cursor}", "--format=jsonl")
    assert rest.out.splitlines() == found[2:]


def test_a_server_and_a_store_cannot_both_be_followed(segue: Segue) -> None:
    done = segue("tail", "http://127.0.0.1:9", "--store=sqlite:none.db")
    assert (done.code, done.err) == (
        2,
        "segue: URL and --store contradict each other: leave one of them out\n",
    )


@pytest.mark.thorough
def test_a_server_is_followed_like_its_store(store: Path) -> None:
    options = ("--no-follow", "--since=3d")
    with Serving(store.parent, "--no-auth", "--prefix=/in") as server:
        over_http = segue_in(store.parent, "tail", server.url, *options)
        wrong = segue_in(store.parent, "tail", server.url.removesuffix("/in"), *options)

    assert over_http == segue_in(store.parent, "tail", f"--store=sqlite:{store}", *options)
    assert over_http.out.count("\n") == 6
    assert (wrong.code, wrong.out) == (2, "")
    assert "cannot be followed: reading is not enabled there" in wrong.err


@pytest.mark.thorough
@pytest.mark.parametrize("where", ["server", "store"])
def test_news_are_followed_as_they_come(tmp_path: Path, where: str) -> None:
    with Serving(tmp_path, "--no-auth") as server:
        source = server.url if where == "server" else "--store=sqlite:segue.db"
        command = [sys.executable, "-m", "segue", "tail", source, "--since=1h"]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as tail:
            assert tail.stdout is not None
            try:
                for phase, event in (("active", ENTRY), ("released", EXIT)):
                    (tmp_path / "log").write_bytes(delivery("c-1", event))
                    assert segue_in(tmp_path, "send", "log", server.url).code == 0
                    assert tail.stdout.readline().split()[-1] == phase
                tail.send_signal(signal.SIGINT)
                assert tail.wait(PATIENCE) == 130
            finally:
                tail.kill()


class InterruptedResponse(HTTPResponse):
    """The response of a server, with Ctrl-C while it is closed for the first time."""

    def close(self) -> None:
        """Close it."""
        was_open = not self.closed
        super().close()
        if was_open:
            raise KeyboardInterrupt


def test_ctrl_c_between_two_requests_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HTTPConnection, "response_class", InterruptedResponse)
    with Serving(tmp_path, "--no-auth") as server:
        client = ServerClient(server.url, lambda: None, timeout=5)
        with pytest.raises(KeyboardInterrupt):
            client.get("/feed")
        client.close()


def test_the_journal_is_a_log_that_tells_the_same(segue: Segue, store: Path) -> None:
    done = segue("journal", f"--store=sqlite:{store}")
    reports = {report.conversation_id: report for report in replay(done.out.splitlines())}

    assert set(reports) == {"c-old", "c-new\u001b[2J"}
    assert next(finding.code for finding in reports["c-old"].findings) == "SG103"
    only = segue("journal", f"--store=sqlite:{store}", "--conversation=c-old").out.splitlines()
    assert [json.loads(line)["body"]["conversationId"] for line in only] == ["c-old"] * 2


def test_the_journal_of_one_store_fills_another(segue: Segue, store: Path, tmp_path: Path) -> None:
    log, new = tmp_path / "journal.jsonl", f"--store=sqlite:{tmp_path}/new.db"
    written = segue("journal", f"--store=sqlite:{store}").out
    log.write_text(written, "utf-8")

    done = segue("journal", new, f"--load={log}")
    assert (done.code, done.out, done.err) == (0, "", "segue: 4 lines loaded\n")
    again = segue("journal", new).out
    assert [*map(json.loads, again.splitlines())] == [*map(json.loads, written.splitlines())]
    assert segue("journal", new, f"--load={log}").code == 2
    assert segue("journal", new, f"--load={log}", "--conversation=c-old").code == 2


def test_quarantined_bodies_are_listed_and_shown_safely(
    segue: Segue, store: Path, tmp_path: Path
) -> None:
    address = f"--store=sqlite:{store}"
    rows = [line.split() for line in segue("quarantine", "list", address).out.splitlines()]
    assert [(row[0], *row[2:4]) for row in rows] == [
        ("1", "unfiled", "SG502"),
        ("2", "unreadable", "SG501"),
    ]
    facts = segue("quarantine", "list", address, "--format=jsonl").out.splitlines()
    assert json.loads(facts[1])["bytes"] == len(delivery("c-new", ENTRY)) - 1

    out = tmp_path / "body"
    shown_ = segue("quarantine", "show", address, "1").out
    assert "reason: unfiled\n" in shown_
    assert shown_.endswith(f"\n\n{LOST.decode()}\n")
    assert segue("quarantine", "show", address, "1", f"--output={out}").code == 0
    assert out.read_bytes() == LOST


def test_quarantined_bodies_are_tried_again_or_dropped(segue: Segue, store: Path) -> None:
    address = f"--store=sqlite:{store}"
    again = segue("quarantine", "replay", address, "1")
    assert (again.code, again.out.splitlines()[0]) == (1, "1  unfiled  -")
    assert "  error[SG502] " in again.out

    gone = segue("quarantine", "drop", address, "2", "9")
    assert (gone.code, gone.out) == (2, "")
    assert gone.err == "segue: there is no quarantined body 9: see segue quarantine list\n"
    far = segue("quarantine", "show", address, str(2**63))
    assert (far.code, "is not in the range" in far.err) == (2, True)
    assert segue("quarantine", "drop", address, "2").out == "2 dropped\n"
    assert segue("quarantine", "drop", address, "--all").out == "3 dropped\n"
    assert segue("quarantine", "list", address).out == ""
    for words in (["drop"], ["replay", "--all", "1"]):
        assert "give either the numbers of bodies" in segue("quarantine", *words, address).err


def test_bodies_are_replayed_once_each_and_one_that_was_cut_stops_no_other(
    segue: Segue, tmp_path: Path
) -> None:
    path = tmp_path / "segue.db"
    with Processor(store=SqliteStore(path), store_text=False) as processor:
        processor.receive("st-1", b"{")  # only its size is stored
        processor.receive("st-1", LOST)
    address = f"--store=sqlite:{path}"

    done = segue("quarantine", "replay", address, "--all")
    assert (done.code, done.out.splitlines()[0]) == (1, "2  unfiled  -")
    assert done.err.startswith("segue: quarantined body 1 was not stored completely (0 of 1 bytes)")

    twice = segue("quarantine", "drop", address, "3", "3")
    assert (twice.code, twice.out) == (0, "3 dropped\n")


def test_a_body_that_was_rejected_is_applied_when_the_rule_is_no_longer_enforced(
    segue: Segue, tmp_path: Path
) -> None:
    (tmp_path / "segue.toml").write_text('reject = ["SG103"]', "utf-8")
    late = delivery("c-1", transfer("COLD", "entry", BEN))
    with Serving(tmp_path, "--no-auth") as server:
        (tmp_path / "log").write_bytes(delivery("c-1", ENTRY) + b"\n" + late + b"\n")
        sent = segue_in(tmp_path, "send", "log", server.url)
    assert (sent.code, "422 rejected-delivery" in sent.out) == (1, True)

    assert segue("quarantine", "replay", "--all").code == 1
    (tmp_path / "segue.toml").write_text("", "utf-8")
    done = segue("quarantine", "replay", "--all")
    assert (done.code, done.out.splitlines()[0]) == (0, "2  applied  c-1")


def test_what_is_old_is_removed(segue: Segue, store: Path) -> None:
    address = f"--store=sqlite:{store}"
    assert segue("purge", address, "--before=1d").out == "1 conversation removed\n"
    assert "c-old" not in segue("journal", address).out
    assert segue("purge", address, "--before=1d").out == "0 conversations removed\n"
    assert segue("purge", address, "--before=2999-01-01").out == "1 conversation removed\n"
    assert segue("quarantine", "list", address).out == ""
    assert segue("purge", address, "--before=soon").err == (
        "segue: --before takes an age such as 12h, or ISO 8601, such as 2026-03-02T08:00:00Z, "
        "not 'soon'\n"
    )
    done = segue("purge", address, "--before=0001-01-01T00:00+05:00")
    assert done.err == "segue: 0001-01-01T00:00:00+05:00 is not a time from year 1 to 9999 in UTC\n"


@pytest.mark.parametrize(
    "command", ["tail", "journal", "quarantine list", "purge --before 1d", "doctor"]
)
def test_no_command_but_serve_makes_a_store(segue: Segue, tmp_path: Path, command: str) -> None:
    words = command.split()
    done = segue(*words, "--store=sqlite:no.db")

    assert (done.code, done.out) == (2, "")
    assert done.err == "segue: the store no.db does not exist: give its address as --store\n"
    assert list(tmp_path.iterdir()) == []
    done = segue(*words, "--store=memory")
    assert "a store in memory can be read by its own process only" in done.err


def test_a_store_is_found_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sqlite_path("sqlite:a/b.db") == sqlite_path("sqlite:///a/b.db") == Path("a/b.db")
    assert sqlite_path("sqlite:////a/b.db") == sqlite_path("sqlite:/a/b.db") == Path("/a/b.db")
    assert sqlite_path("memory") is None
    for wrong in ("sqlite:", "sqlite://b.db", "sqlite:///"):
        with pytest.raises(ConfigurationError, match=r"names no file: use sqlite:segue\.db"):
            sqlite_path(wrong)
    monkeypatch.setenv("SEGUE_STORE", "postgresql://u:hidden@db.example/talks")
    assert store_label(store_address(None)) == "PostgreSQL on db.example, database talks"
    for url, label in (
        ("postgresql:///talks", "this machine, database talks"),
        ("postgres://u@[::1]:5433", "::1, database of its user"),
        (
            "postgresql://u:a#?hidden@a:1,b:2/talks?sslmode=x&application_name=a@b",
            "a,b, database talks",
        ),
    ):
        monkeypatch.setenv("SEGUE_STORE", url)
        assert store_label(store_address(None)) == f"PostgreSQL on {label}"
    assert store_address("memory") == "memory"
    assert store_label("memory") == "memory, until the server stops"
