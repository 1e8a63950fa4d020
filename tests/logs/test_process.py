"""The process of a helper: a fork and a command do the same, and leave alone what is not theirs.

They are started by programs, for this process has threads.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest

from segue.logs.parallel.process import can_fork

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="forks are for Linux only"
)

KINDS = pytest.mark.parametrize("kind", ["Fork", "Command"])
HEAD = """
import os, signal, sys, time
from functools import partial
from tempfile import TemporaryFile
from segue.logs.parallel.process import Command, Fork, can_fork, start
from segue.logs.parallel.result_file import tell
out = TemporaryFile()
"""


def program(text: str) -> subprocess.Popen[bytes]:
    """Start a program."""
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + dedent(text)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(text: str) -> str:
    """What a program says, which ends well and complains of nothing."""
    started = program(text)
    out, err = started.communicate(timeout=60)
    assert (err, started.returncode) == (b"", 0)
    return out.decode()


def test_a_process_of_several_threads_is_not_forked() -> None:
    gate = threading.Event()
    thread = threading.Thread(target=gate.wait)
    thread.start()
    try:
        assert not can_fork()
    finally:
        gate.set()
        thread.join()


def test_a_process_of_one_thread_is_forked() -> None:
    assert said("print(can_fork(), type(start(time.sleep, out)).__name__)") == "True Fork\n"


def test_a_daemon_is_not_forked() -> None:
    text = """
        from multiprocessing import get_context

        def tell():
            os.write(1, str(can_fork()).encode())

        daemon = get_context("fork").Process(target=tell, daemon=True)
        daemon.start()
        daemon.join()
    """
    assert said(text) == "False"


@KINDS
def test_the_work_is_done_and_then_nobody_is_at_work(kind: str) -> None:
    text = f"""
        process = {kind}(partial(tell, read=513), out)
        print(process.wait(None), process.is_at_work, os.pread(out.fileno(), 8, 0).hex())
    """
    assert said(text) == "True False 0102000000000000\n"


@KINDS
def test_one_is_waited_for_and_stopped(kind: str) -> None:
    text = f"""
        process = {kind}(time.sleep, out)  # for as many seconds as the number of the file
        print(process.wait(0.01), process.is_at_work)
        process.stop()
        print(process.is_at_work, process.wait(0))
    """
    assert said(text) == "False True\nFalse True\n"


@KINDS
def test_work_that_fails_is_quiet(kind: str) -> None:
    text = f"""
        process = {kind}(os.closerange, out)  # it asks for more than a file
        print(process.wait(None))
    """
    assert said(text) == "True\n"


def test_what_was_not_written_yet_is_written_once() -> None:
    text = """
        print("before", end="")
        Fork(partial(tell, read=1), out).wait(None)
        print(" and after")
    """
    assert said(text) == "before and after\n"


def test_what_a_fork_inherits_is_not_finalized() -> None:
    text = """
        import gc

        class Open:
            def __del__(self):
                os.write(1, f"closed by {os.getpid() == parent}\\n".encode())

        parent = os.getpid()
        gc.disable()
        left = Open()
        left.itself = left
        del left
        Fork(lambda file: gc.collect(), out).wait(None)
        gc.collect()
    """
    assert said(text) == "closed by True\n"


def test_a_fork_nobody_waits_for_ends() -> None:
    """Whoever of the two is left holds standard output open."""
    started = program(
        """
        Fork(lambda file: time.sleep(3600), out)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert started.communicate(timeout=60) == (b"", b"")
