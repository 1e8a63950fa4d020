"""A sandbox that is kept in a file goes on where it was."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Sender
from tests.platform.sandbox.test_endpoints import BOT, CALLS, connect, one

import segue
from segue.errors import ConfigurationError
from segue.platform.client import SentRequest
from segue.platform.sandbox import Sandbox


def shown(sandbox: Sandbox, path: str) -> Any:
    return json.loads(sandbox.answer(SentRequest("GET", path, {"auth": "x"}, None)).body)


def everything(sandbox: Sandbox) -> list[Any]:
    overview = shown(sandbox, "/sandbox")
    kinds = [shown(sandbox, f"/sandbox/{kind}") for kind in overview["objects"]]
    sessions = connect(sandbox).sessions.list(bot=BOT)
    return [overview, *kinds, shown(sandbox, "/sandbox/sent"), [each.raw for each in sessions]]


def test_every_endpoint_leaves_a_state_that_is_the_same_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.db"
    with Sandbox(keep=file) as sandbox:
        client = connect(sandbox)
        for number, call in CALLS.items():
            if number != "E10":  # E11 makes the list of this name
                call(client, sandbox)
        client.conversations.send(bot=BOT, extra=Sender().body("NA exit a-1"))
        sandbox.advance("3s")
        before = everything(sandbox)
    with Sandbox(keep=file) as sandbox:
        assert everything(sandbox) == before
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_is_due_happens_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.db"
    with Sandbox(keep=file) as sandbox:
        client = connect(sandbox)
        job = client.training.start(bot=BOT)
        client.calls.start(bot=BOT, target="tel:+490", caller="1", notify_url="http://127.0.0.1:9/")
        sandbox.advance("5s")
    with Sandbox(keep=file) as sandbox:
        client = connect(sandbox)
        assert client.training.get(bot=BOT, job=job.id).status == "in progress"
        sandbox.advance("10m")
        assert client.training.get(bot=BOT, job=job.id).status == "success"
        assert [sent.body["status"] for sent in sandbox.sent] == ["completed"]


def test_ids_go_on_as_if_there_had_been_no_restart(tmp_path: Path) -> None:
    def created(sandbox: Sandbox, name: str) -> str:
        hours = one(sandbox, "hours")
        queue = connect(sandbox).queues.create(stream=BOT, name=name, hours=hours)
        return str(queue.id)

    with Sandbox(seed=5) as sandbox:
        whole = [created(sandbox, "One"), created(sandbox, "Two")]
    parts = []
    for name in ("One", "Two"):
        with Sandbox(seed=5, keep=tmp_path / "sandbox.db") as sandbox:
            parts.append(created(sandbox, name))

    assert parts == whole


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "later.db"
    text.write_text("Remember the milk. " * 100, "utf-8")
    Sandbox(keep=other).close()
    with sqlite3.connect(other) as database:
        database.execute("UPDATE sandbox_state SET value = ?", ('{"version": 99}',))
    database.close()
    for file in (text, other, tmp_path / "nowhere" / "x.db"):
        with pytest.raises(ConfigurationError, match="cannot keep a sandbox"):
            Sandbox(keep=file)


def test_a_store_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "segue.db"
    with segue.Processor(store=segue.SqliteStore(file)) as processor:
        processor.receive("st-1", Sender().body("NA entry a-1"))
    mode = file.stat().st_mode

    with pytest.raises(ConfigurationError, match="it is a database of another program"):
        Sandbox(keep=file)

    with sqlite3.connect(file) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    database.close()
    assert not any(name.startswith("sandbox") for name in tables)
    assert file.stat().st_mode == mode


@pytest.mark.parametrize("value", ["{}", "", 5, None, b"x", '{"version": 2, "tables": []}'])
def test_a_state_that_was_changed_is_refused(tmp_path: Path, value: object) -> None:
    file = tmp_path / "sandbox.db"
    Sandbox(keep=file).close()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE sandbox_state SET value = ?", (value,))
    database.close()

    with pytest.raises(ConfigurationError, match="cannot keep a sandbox"):
        Sandbox(keep=file)
