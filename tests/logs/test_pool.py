"""The pool of workers: forked or spawned, they do the same and leave alone what is not theirs.

They are started by programs, for this process has threads.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from textwrap import dedent

import pytest
from tests.patience import PATIENCE

from segue.logs.parallel.pool import can_fork

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are another matter there")

THREAD = "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
WAYS = pytest.mark.parametrize(
    "way",
    [
        pytest.param(
            "",
            id="fork",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux only"),
        ),
        pytest.param(THREAD, id="spawn", marks=pytest.mark.thorough),
    ],
)
ROOT = Path(__file__).parents[2]
HEAD = f"""
import os, signal, sys, time
sys.path.insert(0, {str(ROOT)!r})
from segue.logs.parallel.pool import can_fork, results_in_order
from tests.logs.pool_work import *
"""


def program(text: str, way: str = "") -> subprocess.Popen[bytes]:
    """Start a program."""
    return subprocess.Popen(
        [sys.executable, "-c", way + HEAD + dedent(text)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def said(text: str, way: str = "") -> str:
    """What a program says, which ends well and complains of nothing."""
    started = program(text, way)
    out, err = started.communicate(timeout=PATIENCE)
    assert (err.decode(), started.returncode) == ("", 0)
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


@pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux only")
def test_a_process_of_one_thread_is_forked() -> None:
    assert said("print(can_fork())") == "True\n"


@WAYS
def test_results_come_in_the_order_of_the_tasks(way: str) -> None:
    text = "print(list(results_in_order(end_at_three, [9, 1, 5], 2)))"
    assert said(text, way) == "[(9, 90), (1, 10), (5, 50)]\n"


@WAYS
def test_the_work_is_done_in_other_processes(way: str) -> None:
    text = """
        pids = {pid for _, pid in results_in_order(work_in, range(9), 2)}
        print(0 < len(pids) <= 2, os.getpid() in pids)
    """
    assert said(text, way) == "True False\n"


@WAYS
def test_no_more_tasks_are_taken_than_the_window_holds(way: str) -> None:
    text = """
        taken = 0

        def tasks():
            global taken
            for taken in range(1, 101):
                yield taken

        done = 0
        for _ in results_in_order(work_in, tasks(), 3):
            assert taken - done <= 3 + 1, (taken, done)
            done += 1
        print(done)
    """
    assert said(text, way) == "100\n"


@WAYS
def test_a_worker_ignores_an_interrupt(way: str) -> None:
    text = "print([number for _, number in results_in_order(interrupt_itself, range(4), 2)])"
    assert said(text, way) == "[0, 1, 2, 3]\n"


@WAYS
def test_a_worker_that_ends_loses_no_task(way: str) -> None:
    """What it would have done next has no result: the caller has to do it."""
    text = "print([result for _, result in results_in_order(end_at_three, range(9), 2)])"
    assert said(text, way) == "[0, 10, 20, None, 40, None, 60, None, 80]\n"


@WAYS
def test_a_worker_that_is_killed_while_it_sends_a_result_loses_no_task(
    way: str, tmp_path: Path
) -> None:
    """Half of a result is in its pipe, which holds less than all of it."""
    text = f"""
        os.environ["MADE"] = {str(tmp_path)!r}
        results = results_in_order(large_result, range(6), 2)
        _, (pid, _) = next(results)
        while not os.path.exists({str(tmp_path / "2")!r}):  # its second task
            time.sleep(0.01)
        time.sleep(0.1)
        os.kill(pid, signal.SIGKILL)
        print([result is not None for _, result in results])
    """
    assert said(text, way) == "[True, False, True, False, True]\n"


@WAYS
def test_work_that_cannot_be_done_has_no_result_and_is_quiet(way: str) -> None:
    text = "print([result for _, result in results_in_order(fail_at_three, range(5), 2)])"
    assert said(text, way) == "[0, 10, 20, None, 40]\n"


@WAYS
def test_closing_ends_the_workers_at_once(way: str) -> None:
    text = """
        results = results_in_order(sleep, [0, 3600, 3600, 3600, 3600], 2)
        _, pid = next(results)
        results.close()
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            print("gone")
    """
    assert said(text, way) == "gone\n"


@WAYS
def test_a_worker_ends_with_its_parent(way: str) -> None:
    """A process that is left would hold standard output open."""
    started = program(
        """
        for _ in results_in_order(sleep, [0, 3600, 3600], 2):
            os.kill(os.getpid(), signal.SIGKILL)
        """,
        way,
    )
    out, _ = started.communicate(timeout=PATIENCE)  # of semaphores, the library may complain
    assert (out, started.returncode) == (b"", -9)


@WAYS
def test_a_program_without_a_guard_is_not_started_again(tmp_path: Path, way: str) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        f"{way}{HEAD}print('started')\n"
        "print(list(results_in_order(name_of_main, range(2), 2)), __file__, __spec__)\n"
    )
    done = subprocess.run([sys.executable, path], capture_output=True, check=True)

    main = None  # a spawned process has none, a fork is begun while it is hidden
    assert done.stdout.decode() == f"started\n[(0, {main}), (1, {main})] {path} None\n"


@WAYS
def test_modules_of_the_present_folder_are_not_imported(tmp_path: Path, way: str) -> None:
    for name in ("pickle", "socket", "segue", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(5)")
    text = "print([result for _, result in results_in_order(sleep, [0], 1)] != [None])"
    done = subprocess.run(
        [sys.executable, "-P", "-c", way + HEAD + text],
        capture_output=True,
        check=True,
        cwd=tmp_path,
    )

    assert done.stdout == b"True\n"


def test_what_was_not_written_yet_is_written_once() -> None:
    text = """
        print("before", end="")
        list(results_in_order(work_in, [1], 1))
        print(" and after")
    """
    assert said(text) == "before and after\n"


def test_what_a_fork_inherits_is_not_finalized() -> None:
    text = """
        import gc

        class Open:
            def __del__(self):
                os.write(1, f"closed by {os.getpid() == parent}\\n".encode())

        def collect(_):
            gc.collect()

        parent = os.getpid()
        gc.disable()
        left = Open()
        left.itself = left
        del left
        list(results_in_order(collect, [1], 1))
        gc.collect()
    """
    assert said(text) == "closed by True\n"


def test_where_processes_cannot_be_started_there_are_no_results() -> None:
    text = """
        def refuse(*_):
            raise BlockingIOError(11, "Resource temporarily unavailable")

        os.fork = refuse
        print(list(results_in_order(work_in, [1, 2], 2)))
    """
    assert said(text) == "[(1, None), (2, None)]\n"
