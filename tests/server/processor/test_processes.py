"""A processor in a process of its own: one that just exits, and one that is forked."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from tests.patience import PATIENCE

BEGIN = """
    import os, sys, threading
    import segue

    ada = {"identity": "a-1", "name": "Ada", "type": "agent"}
    event = {
        "name": "INTERNAL_TRANSFER_EVENT", "transfertype": "NA", "transition": "exit",
        "experience": "chat", "participant": ada, "isExtAD": False,
    }

    def body(name):
        return {"conversationId": name, "botId": "st-1", "events": [event]}
"""


def _run(code: str, folder: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", dedent(BEGIN) + dedent(code)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_program_that_just_exits_loses_no_callback_and_says_nothing(tmp_path: Path) -> None:
    leaves = """
        it = segue.Processor(store=segue.SqliteStore("s.db"), on_finding=lambda _: 1 / 0)
        for number in range(20):
            it.receive("st-1", body(f"c-{number}"))
        os.write(1, b"kept")
    """
    comes_back = """
        from datetime import UTC, datetime, timedelta
        told, all_told = set(), threading.Event()

        def handle(callback):
            told.add(callback.id)
            if len(told) == 20:
                all_told.set()

        store = segue.SqliteStore("s.db")
        later = datetime.now(tz=UTC) + timedelta(hours=1)
        with segue.Processor(store=store, on_finding=handle, clock=lambda: later):
            assert all_told.wait(600), told
        print(len(told), end="")
    """

    status, out, err = _run(leaves, tmp_path)
    assert (status, out) == (0, "kept")
    assert "Traceback" not in err
    assert _run(comes_back, tmp_path) == (0, "20", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_a_worker_of_its_own(tmp_path: Path) -> None:
    code = """
        told = threading.Event()
        it = segue.Processor(store=segue.MemoryStore(), on_finding=lambda callback: told.set())
        with it:
            it.receive("st-1", body("c-1"))
            assert told.wait(600)
            told.clear()
            child = os.fork()
            if child == 0:
                it.receive("st-1", body("c-2"))
                os._exit(0 if told.wait(600) else 1)
            _, status = os.waitpid(child, 0)
        sys.exit(os.waitstatus_to_exitcode(status))
    """

    assert _run(code, tmp_path)[0] == 0
