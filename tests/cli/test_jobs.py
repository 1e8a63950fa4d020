"""Several processes, as processes: interrupts, kills, pipes, and what is left behind."""

from __future__ import annotations

import array
import fcntl
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest
from tests.cli.command import Segue, Write, hang_up
from tests.logs.together import alone
from tests.patience import PATIENCE
from tests.report.story import early, log

from segue import replay
from segue.errors import ConfigurationError
from segue.logs import plan
from segue.logs.parallel.chunks import Chunk
from segue.logs.parallel.coordinator import ParallelRun, Results
from segue.logs.plan import ChunkSizes, Replay, ReplayOptions
from segue.logs.replaying import start_replay

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are another matter there")

TINY = ChunkSizes(per_process=1_000, largest=100_000)
COMMAND = (
    "from segue.cli import main; from segue.logs import plan;"
    f"plan.DEFAULT_CHUNK_SIZES = plan.ChunkSizes{tuple(TINY)}; main()"
)
THREAD = "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start();"
WAYS = pytest.mark.parametrize(
    "way", [pytest.param("", id="fork"), pytest.param(THREAD, id="spawn")]
)


REPEATED = (
    "NA entry a-1",
    "user message",
    "agent message a-1",
    "COLD exit a-1",
    "COLD entry a-2",
    "NA exit a-2",
    "NA exit a-2",
    "END",
)


def conversation(number: int) -> list[str]:
    """One in ten has an error, which takes long to explain, and the others have a warning."""
    name = f"c-{number}"
    return log(*REPEATED, conversation=name) if number % 10 else early(name)


@pytest.fixture
def shift(write: Write) -> Path:
    """A log of two thousand conversations, one after the other, each with a finding."""
    return write("shift.jsonl", [line for n in range(2000) for line in conversation(n)])


@pytest.fixture
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks are small."""
    monkeypatch.setattr(plan, "DEFAULT_CHUNK_SIZES", TINY)


def workers(of: int) -> set[int]:
    """The workers of a process that are alive: forks of it, or spawned."""
    done = subprocess.run(
        ["ps", "-ww", "-eo", "pid=,ppid=,stat=,args="],  # noqa: S607 - where it is differs
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split(maxsplit=3) for line in done.stdout.splitlines()]
    return {
        int(pid)
        for pid, parent, state, program in rows
        if int(parent) == of
        and ("segue" in program or "spawn_main" in program or "pytest" in program)
        and not state.startswith("Z")
        and "/java" not in program
    }


def check(path: Path, *arguments: str, way: str = "") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", way + COMMAND, "check", str(path), "--no-config", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def wait_until_full(command: subprocess.Popen[bytes]) -> None:
    """Wait until nothing more goes into standard output, because nobody reads it."""
    assert command.stdout is not None
    size, before = array.array("i", [0]), -1
    while size[0] < 30_000 or size[0] != before:
        before = size[0]
        time.sleep(0.1)
        fcntl.ioctl(command.stdout.fileno(), termios.FIONREAD, size)
        assert command.poll() is None


@pytest.mark.thorough
@WAYS
@pytest.mark.parametrize(("style", "jobs"), [("jsonl", "2"), ("concise", "7")])
def test_an_interrupt_shows_what_there_is_so_far_and_leaves_no_process_behind(
    shift: Path, segue: Segue, style: str, jobs: str, way: str
) -> None:
    options = ("-q", "--format", style, "--window", "100")
    whole = segue("check", str(shift), "--no-config", *options).out.splitlines()
    command = check(shift, *options, "--jobs", jobs, way=way)
    wait_until_full(command)
    assert len(workers(command.pid)) <= int(jobs)

    os.killpg(command.pid, signal.SIGINT)  # as a terminal does: workers get it as well
    out, err = command.communicate(timeout=PATIENCE)

    lines = out.decode().splitlines()
    assert err.decode() == (
        "segue: interrupted: open conversations are shown as far as they were read\n"
    )
    assert command.returncode == 130
    assert 10 < len(lines) < len(whole)
    assert lines[:-1] == whole[: len(lines) - 1]
    assert workers(command.pid) == set()


@pytest.mark.thorough
def test_a_worker_that_is_killed_is_no_loss(shift: Path) -> None:
    run = start_replay(Replay(logs=(shift,), jobs=3, chunk_sizes=TINY))
    reports = run.reports()
    first = next(reports)
    os.kill(max(workers(os.getpid())), signal.SIGKILL)

    assert [each.to_json() for each in (first, *reports)] == [
        each.to_json() for each in alone([shift], ReplayOptions())
    ]
    assert run.chunks_reread
    assert workers(os.getpid()) == set()


@pytest.mark.thorough
@pytest.mark.usefixtures("_tiny")
def test_a_check_says_that_it_had_to_read_alone(
    shift: Path, segue: Segue, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = segue("check", str(shift), "--no-config", "--format", "jsonl")
    monkeypatch.setattr("segue.logs.parallel.ParallelRun", partial(ParallelRun, results=no_results))
    done = segue("check", str(shift), "--no-config", "--format", "jsonl", "--jobs", "3")

    assert (done.code, done.out) == (one.code, one.out)
    assert done.err == (
        "segue: workers exited unexpectedly: 36 parts of the log read by this process\n"
    )


def no_results(_: object, tasks: Iterable[Chunk], __: int) -> Results:
    """What a pool yields whose workers all end at once."""
    for task in tasks:
        yield task, None


@pytest.mark.usefixtures("_tiny")
def test_a_reading_that_is_given_up_leaves_no_process_behind(shift: Path) -> None:
    reports = replay(shift, jobs=4)
    assert isinstance(reports, Iterator)
    next(reports)
    assert workers(os.getpid())
    reports.close()  # type: ignore[attr-defined]  # it is a generator

    assert workers(os.getpid()) == set()


@pytest.mark.usefixtures("_tiny")
def test_a_replay_that_is_not_read_starts_no_process(shift: Path) -> None:
    replay(shift, jobs=4)

    assert workers(os.getpid()) == set()


@pytest.mark.thorough
@WAYS
def test_a_program_without_a_guard_is_not_started_again(
    shift: Path, tmp_path: Path, way: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        dedent(f"""
        import sys
        import segue
        from segue.logs import plan
        {way}
        plan.DEFAULT_CHUNK_SIZES = plan.ChunkSizes{tuple(TINY)}
        print("started", file=sys.stderr)
        print(sum(1 for _ in segue.replay({str(shift)!r}, jobs=3)))
        """)
    )
    done = subprocess.run([sys.executable, program], capture_output=True, check=True)

    assert (done.stdout.decode(), done.stderr.decode()) == ("2000\n", "started\n")


@pytest.mark.thorough
def test_a_file_called_like_a_module_is_not_imported(
    shift: Path, segue: Segue, write: Write
) -> None:
    """The command is in the folder of the log, which may have any files."""
    write("json.py", "raise SystemExit(5)")
    write("segue.py", "raise SystemExit(5)")
    command = subprocess.run(
        [sys.executable, "-P", "-c", COMMAND, "check", str(shift), "-q", "-j2", "--format=concise"],
        capture_output=True,
        check=False,
    )

    assert (command.returncode, command.stderr) == (1, b"")
    assert len(command.stdout.splitlines()) == 2000
    assert segue("check", str(shift), "-q", "--format=concise").out.encode() == command.stdout


@pytest.mark.thorough
@WAYS
@pytest.mark.parametrize("style", ["jsonl", "full"])
def test_a_closed_pipe_is_quiet(shift: Path, style: str, way: str) -> None:
    command = check(shift, "--all", "--format", style, "--jobs", "3", way=way)
    assert hang_up(command) == 1
    assert workers(command.pid) == set()


@pytest.mark.thorough
@pytest.mark.usefixtures("_tiny")
def test_progress_is_told_over_all_processes(shift: Path) -> None:
    told: list[int] = []
    for _ in replay(shift, jobs=3, progress=told.append):
        pass

    assert told == sorted(told)
    assert told[-1] == shift.stat().st_size


@pytest.mark.usefixtures("_tiny")
def test_options_that_cannot_be_sent_are_a_mistake(shift: Path) -> None:
    class Mine:
        def __contains__(self, each: object) -> bool:
            return each == "c-1"

    with pytest.raises(ConfigurationError, match="options cannot be sent to other processes"):
        replay(shift, jobs=2, conversations=Mine())


@pytest.mark.parametrize("jobs", ["-1", "x"])
def test_what_is_no_number_of_jobs_is_said(segue: Segue, jobs: str) -> None:
    assert segue("check", "-", "--jobs", jobs).code == 2


@pytest.mark.thorough
@pytest.mark.usefixtures("_tiny")
def test_how_many_may_be_set(shift: Path, segue: Segue, write: Write) -> None:
    one = segue("check", str(shift), "-q")
    write("segue.toml", "jobs = 2")
    assert segue("check", str(shift), "-q") == one
    write("segue.toml", "jobs = -2")
    assert "`jobs` must be at least 0, got -2" in segue("check", str(shift)).err
    write("segue.toml", "jobs = 'all'")
    assert "jobs must be a whole number, got 'all'" in segue("check", str(shift)).err


@pytest.mark.slow
def test_two_processes_show_the_same_as_one(write: Write, segue: Segue) -> None:
    """However large the chunks are: this log is large enough for two."""
    lines = [*log("NA entry a-1", "NA exit a-1", "END", conversation="c-1"), *early("c-2")]
    path = write("log.jsonl", "".join(f"{line}\n" for line in lines) * 40_000)
    assert path.stat().st_size > 2 * plan.DEFAULT_CHUNK_SIZES.per_process

    done = segue("check", str(path), "--no-config", "--format", "json", "--jobs", "2")
    assert done == segue("check", str(path), "--no-config", "--format", "json")
