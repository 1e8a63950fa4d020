"""kill -9 through the real command: what a sender was told is kept is in the journal, once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cli.server import Serving, free_port, segue_in
from tests.patience import PATIENCE

import segue
from segue.analysis.simulate import generate

SENDERS = 2


def _log(path: Path, seed: int, lines: int) -> list[str]:
    """Write a log without a mistake; return its delivery ids. Conversations are its own."""
    story = generate(
        seed, lines=lines, mistakes=0, open_at_once=5, delivery_ids=True, transcription=False
    )
    texts = [line.text.replace('"c-', f'"s{seed}-') for line in story]
    for number, text in enumerate(texts):
        texts[number] = re.sub('"delivery_id": ?"', f'"delivery_id": "s{seed}-{number}-', text)
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return [json.loads(text)["delivery_id"] for text in texts]


def _start(folder: Path, port: int, *more: str) -> Serving:
    """Start a server, as often as it takes: what was killed may still be about to let go."""
    for _ in range(200):
        server = Serving(folder, "--no-auth", "--workers=2", *more, port=port)
        if server.url:
            return server
        server.kill()
    raise AssertionError("it never started again")


def _live(folder: Path, port: int, chance: Random, senders: list[subprocess.Popen[bytes]]) -> str:
    """Let a server answer a while, then kill something; return what."""
    with _start(folder, port) as server:
        for _ in range(chance.randint(5, 40)):
            if not server.err.readline() or all(each.poll() is not None for each in senders):
                return "nothing"
        what = chance.choice(["a worker", "all workers", "the first", "everything"])
        if what == "a worker":
            server.kill(chance.sample(server.workers(), 1))
            for _ in range(chance.randint(5, 20)):
                server.err.readline()
        elif what == "all workers":
            server.kill(server.workers())
            server.err.readline()
        elif what == "the first":
            server.kill([server.process.pid])
            server.err.read()  # its workers notice, finish and end
        return what


def _without_lines(report: segue.Report) -> dict[str, Any]:
    told = report.to_dict()
    for finding in told["findings"]:
        finding["line"] = None
        for cause in finding["because"]:
            cause["line"] = None
    return told


def _survive(folder: Path, kills: int, lines: int) -> None:
    port, chance = free_port(), Random(kills)
    ids = [_log(folder / f"{seed}.jsonl", seed, lines) for seed in range(SENDERS)]
    command = [sys.executable, "-m", "segue", "send"]
    senders = [
        subprocess.Popen(
            [*command, f"{seed}.jsonl", f"http://127.0.0.1:{port}", f"--rate={40 + seed}"],
            cwd=folder,
            env=os.environ | {"NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seed in range(SENDERS)
    ]
    deaths: Counter[str] = Counter()
    while deaths.total() < kills:
        what = _live(folder, port, chance, senders)
        assert what != "nothing", f"only {deaths}: the logs were too short"
        deaths[what] += 1
    with _start(folder, port, "--quiet"):  # nobody reads what it would log
        for sender in senders:
            out, err = sender.communicate(timeout=PATIENCE)
            assert (sender.returncode, out) == (0, b""), err
    journal = segue_in(folder, "journal")
    kept = [json.loads(line)["delivery_id"] for line in journal.out.splitlines()]
    print(f"killed {dict(deaths)}; {len(kept)} deliveries")  # noqa: T201 - a figure

    assert Counter(kept) == Counter(each for found in ids for each in found)
    with segue.Processor(store=segue.SqliteStore(folder / "segue.db")) as processor:
        replayed = list(segue.replay(journal.out.splitlines()))
        assert replayed
        for report in replayed:
            known = processor.conversation(report.conversation_id or "")
            assert known is not None
            assert _without_lines(known.report) == _without_lines(report)


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="workers are found in /proc")
def test_what_was_acknowledged_survives_kills(tmp_path: Path) -> None:
    _survive(tmp_path, kills=3, lines=150)


@pytest.mark.slow
def test_what_was_acknowledged_survives_kills_over_and_over(tmp_path: Path) -> None:
    _survive(tmp_path, kills=40, lines=1600)
