"""kill -9 of a program that places calls and is notified: requests, calls and callbacks survive.

Run as a program, it says `asked N` and `answered N CODES` for each call from a number on, until it
is killed; its finished calls go to a file.

    python -m tests.server.stores.test_call_kills STORE FINISHED FIRST
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from signal import SIGKILL
from threading import Event
from typing import Final

import pytest
from tests.patience import PATIENCE
from tests.server.stores.audit import journal
from tests.server.stores.conftest import StoreMaker
from tests.server.stores.mortal import QUICK, SOON, open_store, say

from segue import Processor
from segue.server import Callback

ROOT: Final = Path(__file__).parents[3]
BOT: Final = "st-1"
KILLS: Final = 4


def notification(number: int) -> dict[str, object]:
    return {"conversationId": f"c-{number}", "status": "failed", "reasonCode": "Busy Here"}


def live(address: str, finished: str, first: int) -> None:
    """Place calls, and notify of each, for ever."""

    def on_call_finished(callback: Callback) -> None:
        with Path(finished).open("ab", buffering=0) as file:
            file.write(f"{callback.conversation_id}\n".encode())

    with Processor(
        store=open_store(address),
        on_call_finished=on_call_finished,
        retry=QUICK,
        handler_timeout=SOON,
    ) as it:
        for number in range(first, 10_000):
            it.expect_call(BOT, request_id=f"r-{number}")
            say("asked", number)
            receipt = it.receive_notification(
                BOT, notification(number), request_id=f"r-{number}", delivery_id=f"d-{number}"
            )
            codes = [finding.code for finding in receipt.findings]
            say("answered", number, *codes)


@pytest.mark.thorough
def test_a_program_that_places_calls_is_killed(
    durable: str, open_shared: StoreMaker, tmp_path: Path
) -> None:
    open_shared()
    chance, finished = Random(7), tmp_path / "finished"
    asked, answered = set[int](), set[int]()
    for _ in range(KILLS):
        first, enough = len(answered), chance.randint(5, 25)
        program = [sys.executable, "-m", __name__, durable, str(finished), str(first)]
        with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                word, number, *codes = line.split()
                assert codes == []
                (asked if word == "asked" else answered).add(int(number))
                if len(asked) + len(answered) - 2 * first >= enough:
                    process.send_signal(SIGKILL)
        assert process.returncode == -SIGKILL

    kept = journal(open_shared())
    assert {f"c-{number}" for number in answered} <= kept.keys()
    assert [len(entries) for entries in kept.values()] == [1] * len(kept)
    assert all(entry.asked_at for entries in kept.values() for entry in entries)
    _check_what_goes_on(open_shared, finished, asked)


def _check_what_goes_on(open_shared: StoreMaker, finished: Path, asked: set[int]) -> None:
    """What was asked is still asked, and every call that was kept is called back."""
    done, missing = Event(), {f"c-{number}" for number in asked} - set(_lines(finished))

    def on_call_finished(callback: Callback) -> None:
        missing.discard(callback.conversation_id)
        if not missing:
            done.set()

    with Processor(
        store=open_shared(), on_call_finished=on_call_finished, retry=QUICK, handler_timeout=SOON
    ) as it:
        for number in sorted(asked):
            receipt = it.receive_notification(
                BOT, notification(number), request_id=f"r-{number}", delivery_id=f"d-{number}"
            )
            assert receipt.findings == ()
        assert not missing or done.wait(PATIENCE)
        for line in it.export():
            assert json.loads(line)["asked_at"]


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split() if path.exists() else []


if __name__ == "__main__":
    live(sys.argv[1], sys.argv[2], int(sys.argv[3]))
