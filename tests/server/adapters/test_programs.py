"""The programs of the samples do what they say: each is run as a user would run it."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Sender
from tests.server.adapters.servers import ROOT, running, send
from tests.server.http.tokens import SECRET, Kit
from tests.server.http.world import ENTRY, delivery

import segue

E21 = "/segue/agentdesk/api/v1/hooks/st-1"
TOKEN = Kit("HS256").token({"appId": "cs-1"})
CALL = ("NA entry a-1", "COLD exit a-1", "COLD entry a-2", "NA exit a-2", "END a-2")


def ask(port: int, method: str, target: str, body: bytes = b"") -> tuple[int, Any]:
    lines = [f"{method} {target} HTTP/1.1", "Host: x", "Connection: close", f"auth: {TOKEN}"]
    lines += [f"Content-Length: {len(body)}"] if body else []
    heard = send(port, "\r\n".join([*lines, "", ""]).encode() + body)
    assert heard is not None
    text = heard.body.decode()
    return heard.status, json.loads(text) if text[:1] in ("{", "[") else text


def python(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path[1:2]])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.thorough
def test_the_fastapi_backend_keeps_a_record_of_each_call(tmp_path: Path) -> None:
    command = ["uvicorn", "samples.programs.call_records:app", "--log-level", "critical"]
    stores = {"SEGUE_STORE": str(tmp_path / "s.db"), "RECORDS": str(tmp_path / "r.db")}
    with running([*command, "--port", "{port}"], SEGUE_SECRET=SECRET, **stores) as (port, _):
        assert ask(port, "GET", "/calls/c-1")[0] == 404
        for label in CALL:
            status, _ = ask(port, "POST", E21, json.dumps(Sender().body(label)).encode())
            assert status == 200
        answer = ask(port, "GET", "/calls/c-1")
        while answer[0] == 404:  # the callback comes after the answer
            answer = ask(port, "GET", "/calls/c-1")

    status, record = answer
    assert status == 200
    assert (record["agents"], record["mistakes"]) == ("a-1, a-2", 0)
    assert record["talk"] >= 0


@pytest.mark.thorough
def test_the_django_view_passes_requests_to_the_hook(tmp_path: Path) -> None:
    command = ["waitress", "--listen=127.0.0.1:{port}", "samples.programs.django_urls:application"]
    store = str(tmp_path / "segue.db")
    with running(command, SEGUE_SECRET=SECRET, SEGUE_STORE=store) as (port, _):
        assert ask(port, "GET", "/") == (200, "the project's own page")
        status, answer = ask(port, "POST", E21, delivery("c-1", ENTRY))
        assert (status, answer["phase"]) == (200, "active")
        assert ask(port, "GET", "/segue/x")[0] == 404


def test_the_nightly_program_writes_a_vcon_of_each_conversation_of_the_day(tmp_path: Path) -> None:
    store, folder = f"sqlite:{tmp_path / 'segue.db'}", tmp_path / "vcons"
    ended = datetime(2026, 3, 2, 23, 59, tzinfo=UTC)
    with segue.Processor(store=segue.open_store(store)) as processor:
        for label in CALL:
            processor.receive("st-1", Sender().body(label), received_at=ended)
        late = Sender().body("NA entry a-1", conversation="c-2")
        processor.receive("st-1", late, received_at=ended)

    for _ in range(2):
        done = python(
            "-m", "samples.programs.nightly_vcon", store, str(folder), "2026-03-02"
        )  # fmt: skip
        assert (done.stdout, done.stderr) == ("1 conversations\n", "")
    (path,) = folder.iterdir()
    assert path.name == "st-1-c-1.vcon"
    assert json.loads(path.read_text("utf-8"))["vcon"]
    other = python("-m", "samples.programs.nightly_vcon", store, str(folder), "2026-03-03")
    assert other.stdout == "0 conversations\n"


@pytest.mark.thorough
def test_the_property_tests_pass_without_mistakes_and_find_one(tmp_path: Path) -> None:
    program = ROOT / "samples" / "programs" / "test_call_registry.py"
    wrong = tmp_path / "test_wrong.py"
    text = program.read_text("utf-8")
    wrong.write_text(
        text.replace("return connect()", 'return connect("redial-is-a-stay")'), "utf-8"
    )
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly"]

    passed = python("-m", "pytest", *options, str(program))
    failed = python("-m", "pytest", *options, "--rootdir", str(tmp_path), str(wrong))

    assert passed.returncode == 0, passed.stdout
    assert failed.returncode == 1
    assert "redial entry by a-1" in failed.stdout


def test_the_notebook_runs_from_top_to_bottom(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars")
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / "samples/programs/day.ipynb").read_text("utf-8"))
    names: dict[str, Any] = {}

    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # noqa: S102 - our own file

    assert len(names["reports"]) > 60
    assert names["by_rule"]["len"].sum() == names["findings"].height
    assert names["talk"]["segments"].sum() == names["segments"].height
    assert names["waits"].shape == (1, 3)
