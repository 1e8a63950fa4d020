"""The command as a process: streams, colours, pipes, interrupts, and what it loads."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest
from tests.cli.command import Write, hang_up, start
from tests.patience import PATIENCE
from tests.report.story import early, line, log
from tests.report.test_html import parts

from segue import __version__

CLEAN = log("NA entry a-1", "NA exit a-1", "END", conversation="c-2")


def test_a_log_comes_from_standard_input() -> None:
    done = start("check", "-", "--format", "concise", "-q", stdin="\n".join(early()))

    assert done.code == 1
    assert done.out.startswith("<stdin>:4: error SG103 c-1 ")


@pytest.mark.parametrize(
    ("option", "environment", "is_coloured"),
    [
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_those_who_want_it(
    option: str,
    environment: dict[str, str],
    *,
    is_coloured: bool,
) -> None:
    for command in (["check", "-", "--no-config"], ["segments", "-"]):
        done = start(*command, "--color", option, stdin="\n".join(early()), environment=environment)

        assert ("\x1b[" in done.out) is is_coloured
    for command in (["rules"], ["explain", "SG103"]):
        assert (
            "\x1b[" in start(*command, "--color", option, environment=environment).out
        ) is is_coloured


def test_where_only_ascii_can_be_shown_ascii_is_shown() -> None:
    lines = "\n".join(early("c-\N{SNOWMAN}"))
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}

    done = start("check", "-", stdin=lines, environment=ascii_only)

    assert done.out.isascii()
    assert "-- c-\\u2603 ----" in done.out
    assert "  3 | COLD entry  a-2  line 4" in done.out


def test_the_width_of_the_terminal_counts() -> None:
    done = start("check", "-", stdin="\n".join(early()), environment={"COLUMNS": "50"})

    assert max(len(line) for line in done.out.splitlines()) == 50


@pytest.mark.thorough
def test_a_closed_pipe_is_quiet(write: Write) -> None:
    path = write("shift.jsonl", [each for n in range(3000) for each in early(f"c-{n}")])
    for arguments, code in (
        (["check", str(path), "--all"], 1),
        (["segments", str(path)], 0),
        (["export", str(path), "--to", "csv", "--rows", "events"], 0),
        (["convert", str(path)], 0),
        (["generate"], 0),
    ):
        command = subprocess.Popen(
            [sys.executable, "-m", "segue", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert hang_up(command) == code, arguments


@pytest.mark.thorough
def test_files_are_written_even_when_nobody_listens(write: Write, tmp_path: Path) -> None:
    path = write("shift.jsonl", [each for n in range(2000) for each in early(f"c-{n}")])
    output = tmp_path / "all.jsonl"
    command = subprocess.Popen(
        [sys.executable, "-m", "segue", "check", str(path), "--all", f"--output=jsonl={output}"],
        stdout=subprocess.PIPE,
    )
    assert command.stdout is not None
    command.stdout.readline()
    command.stdout.close()

    assert command.wait(timeout=PATIENCE) == 1
    assert len(output.read_text("utf-8").splitlines()) == 2000


@pytest.mark.skipif(os.name == "nt", reason="pipes are another matter there")
def test_a_file_whose_reader_has_gone_is_an_error(write: Write, tmp_path: Path) -> None:
    """What was not written is missed, and how the log is must not be lost with it."""
    path = write("shift.jsonl", [each for n in range(2000) for each in early(f"c-{n}")])
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    command = subprocess.Popen(
        [sys.executable, "-m", "segue", "check", str(path), f"--output=json={pipe}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    select.select([reader], [], [], 60)
    os.close(reader)
    _, err = command.communicate(timeout=PATIENCE)

    assert err.decode() == f"segue: {pipe} cannot be written: Broken pipe\n"
    assert command.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")
def test_an_interrupt_shows_what_there_is_so_far() -> None:
    command = subprocess.Popen(
        [sys.executable, "-m", "segue", "check", "-", "--format", "jsonl", "--no-config"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdin is not None
    assert command.stdout is not None
    opened = log("NA entry a-1", "COLD entry a-2", conversation="c-9")
    command.stdin.write("".join(f"{each}\n" for each in [*opened, *early()]).encode())
    command.stdin.flush()
    first = command.stdout.readline()
    time.sleep(0.2)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=PATIENCE)

    assert json.loads(first)["conversation_id"] == "c-1"
    [rest] = [json.loads(each) for each in out.splitlines()]
    assert (rest["conversation_id"], rest["phase"]) == ("c-9", "active")
    assert [finding["code"] for finding in rest["findings"]] == ["SG103"]
    assert err.decode() == (
        "segue: interrupted: open conversations are shown as far as they were read\n"
    )
    assert command.returncode == 130


@pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")
def test_an_interrupt_before_all_conversations_leaves_whole_files(tmp_path: Path) -> None:
    page, sarif = tmp_path / "page.html", tmp_path / "found.sarif"
    command = subprocess.Popen(
        [
            *(sys.executable, "-m", "segue", "check", "-", "--format", "json", "--no-config"),
            *("--since", "2100-01-01", f"--output=html={page}", f"--output=sarif={sarif}"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert command.stdin is not None
    command.stdin.write("\n".join([*log("NA entry a-1"), ""]).encode())
    command.stdin.flush()
    while not sarif.exists():
        time.sleep(0.01)
    time.sleep(0.2)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=PATIENCE)

    found = json.loads(out)
    assert (found["reports"], found["summary"]["conversations"]) == ([], 0)
    assert found["summary"]["incomplete"] is True
    assert page.read_text().endswith("</html>\n")
    assert dict(parts(page.read_text()))["run"]["more"] == ["not read to the end"]
    [run] = json.loads(sarif.read_text())["runs"]
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert err.decode() == "segue: interrupted: no conversation was read completely\n"
    assert command.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [
        (["--help"], []),
        (["rules"], []),
        (["explain", "SG103"], ["segue.core.wire"]),  # it shows the events of the example log
        (["graph"], []),
    ],
)
def test_what_needs_no_log_loads_nothing_that_reads_logs(
    arguments: list[str], loaded: list[str]
) -> None:
    script = dedent(f"""
        import sys
        from segue.cli.app import run
        try:
            run({arguments!r})
        except SystemExit:
            heavy = {{"pydantic", "transitions", "dateutil", "segue.core.wire", "segue.logs"}}
            sys.exit(str(sorted(heavy & sys.modules.keys())))
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert done.stderr.decode() == f"{loaded}\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_without_its_extra_the_command_says_which_one_to_install(missing: str) -> None:
    script = dedent(f"""
        import sys
        sys.modules[{missing!r}] = None
        sys.argv = ["segue", "rules"]
        from segue.cli import main
        main()
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        'segue: the command needs an extra: python -m pip install "segue[cli]"\n'
    )


def test_the_command_tells_its_version_and_its_engine() -> None:
    done = start("--version", environment={"SEGUE_NATIVE": "0"})

    assert done.code == 0
    assert done.out == f"segue {__version__} (engine: reference)\n"
    assert done.err == ""


@pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")
def test_somebody_who_watches_is_told_how_long_it_took(write: Write) -> None:
    import pty  # noqa: PLC0415 - not everywhere

    path = write("shift.jsonl", CLEAN)
    screen, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "segue", "check", str(path), "--no-config"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm"},
        check=False,
    )
    os.close(terminal)
    told = os.read(screen, 1000).decode()
    os.close(screen)

    assert done.stdout.decode().endswith("no findings\n")
    assert told.startswith("segue: 3 lines in 0.")
    assert told.endswith(" a second\r\n")


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("segue che", ["check"]),
        ("segue check --form", ["--format"]),
        ("segue check --format ju", ["junit"]),
    ],
)
def test_a_shell_completes_commands_options_and_values(words: str, completed: list[str]) -> None:
    environment = {
        "_SEGUE_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }

    done = start(environment=environment)

    assert done.out.splitlines() == [f"plain,{each}" for each in completed]


def test_nothing_is_said_at_the_end_of_a_command_that_used_duckdb(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")

    done = start("check", "-", "-q", "--output", f"parquet={tmp_path / 'out'}", stdin=early()[0])

    assert (done.code, done.err) == (1, "")


@pytest.mark.parametrize(
    ("columns", "width"), [("0", 80), ("-1", 80), ("1²", 80), ("120", 120), ("9" * 20, 1000)]
)
def test_lines_are_as_wide_as_a_terminal_can_be(tmp_path: Path, columns: str, width: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(line("NA entry a-1"))

    done = start("show", str(path), "c-1", environment={"COLUMNS": columns})

    assert done.err == ""
    assert len(done.out.splitlines()[0]) == width
