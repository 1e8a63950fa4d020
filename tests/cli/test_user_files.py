"""Whatever is at a path that a user gives: one line says what is wrong, at once."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.command import Done, Segue, Write
from tests.report.story import early

pytestmark = pytest.mark.usefixtures("ends_soon")

LOG = "shift.jsonl"
READ = {
    "baseline": ("check", LOG, "--baseline", "{}"),
    "config": ("check", LOG, "--config", "{}"),
    "token": ("send", LOG, "http://127.0.0.1:9", "--timeout", "0", "--token-file", "{}"),
    "secret": ("send", LOG, "http://127.0.0.1:9", "--timeout", "0", "--secret-file", "{}"),
    "faults": ("sandbox", "--to", "http://127.0.0.1:9", "--count", "0", "--faults", "{}"),
    "directory": ("check", LOG, "--directory", "{}"),
    "sessions": ("diff", LOG, "--sessions", "{}"),
    "hours": ("stats", LOG, "--hours", "{}"),
    "key": ("serve", "--store", "memory", "--jwt-key-file", "{}"),
}
WRITTEN = {
    "baseline": ("check", LOG, "--write-baseline", "{}"),
    "output": ("check", LOG, "--output", "html={}"),
    "repair": ("repair", LOG, "--write", "{}"),
    "export": ("export", LOG, "--to", "xes", "--output", "{}"),
    "generate": ("generate", "{}", "--conversations", "1"),
    "truth": ("generate", "log.jsonl", "--conversations", "1", "--truth", "{}"),
    "sandbox": ("sandbox", "--to", "http://127.0.0.1:9", "--count", "0", "--truth", "{}"),
}


def directory(path: Path) -> None:
    path.mkdir()


def deep(path: Path) -> None:
    path.write_text("a = " + "[" * 100_000)


def huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 40)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)))


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def looping(path: Path) -> None:
    path.symlink_to(path)


KINDS: tuple[Callable[[Path], None], ...] = (
    *(directory, os.mkfifo, endless, looping, huge, binary, deep, listening),
)
UNWRITABLE: tuple[Callable[[Path], None], ...] = (directory, os.mkfifo, looping, listening)


def refused(done: Done) -> None:
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("segue: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("what", READ)
def test_a_file_to_be_read_that_is_none_is_told(
    segue: Segue, write: Write, tmp_path: Path, what: str, kind: Callable[[Path], None]
) -> None:
    write(LOG, early())
    kind(tmp_path / "odd")

    if what in ("token", "secret") and kind is deep:
        return  # a text like any other
    refused(segue(*(each.format("odd") for each in READ[what])))


def test_files_may_begin_with_a_byte_order_mark(segue: Segue, write: Write, tmp_path: Path) -> None:
    write(LOG, early())
    (tmp_path / "agents.json").write_text('\ufeff{"results": []}', "utf-8")
    (tmp_path / "odd.toml").write_text('\ufeffignore = ["SG"]\n', "utf-8")

    assert segue("check", LOG, "--directory", "agents.json").code == 1
    assert segue("check", LOG, "--config", "odd.toml").code == 0


@pytest.mark.parametrize("kind", UNWRITABLE, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("what", WRITTEN)
def test_a_file_that_cannot_be_written_is_told(
    segue: Segue, write: Write, tmp_path: Path, what: str, kind: Callable[[Path], None]
) -> None:
    write(LOG, early())
    kind(tmp_path / "odd")

    done = segue(*(each.format("odd") for each in WRITTEN[what]))

    assert done.code == 2
    assert done.err.startswith("segue: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("log", ["/dev/zero", "folder", "loop"])
@pytest.mark.parametrize("command", ["check", "segments", "stats", "repair"])
def test_a_log_that_is_none_is_told(segue: Segue, tmp_path: Path, command: str, log: str) -> None:
    directory(tmp_path / "folder")
    looping(tmp_path / "loop")

    refused(segue(command, log))


def test_a_pipe_is_not_read_twice(segue: Segue, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    refused(segue("repair", "pipe"))


def test_a_page_with_texts_reads_a_pipe_once(segue: Segue, write: Write, tmp_path: Path) -> None:
    write(LOG, early())
    os.mkfifo(tmp_path / "pipe")
    script = f"cat {LOG} > pipe"
    with subprocess.Popen(["/bin/sh", "-c", script], cwd=tmp_path) as writer:
        done = segue("check", "--output", "html=page.html", "--include-text", "pipe")

    assert (done.code, writer.returncode) == (1, 0)
    assert (tmp_path / "page.html").stat().st_size


@pytest.mark.parametrize("name", ["baseline", "repair", "export", "truth"])
def test_standard_output_is_no_file(segue: Segue, write: Write, tmp_path: Path, name: str) -> None:
    write(LOG, early())
    before = sorted(tmp_path.iterdir())

    for arguments in (WRITTEN[name], ("keys", "--output", "{}")):
        done = segue(*(each.format("-") for each in arguments))

        assert (done.code, done.err) == (
            2,
            "segue: - is not a file, and standard output is not possible: give a file\n",
        )
    assert sorted(tmp_path.iterdir()) == before


def test_an_empty_device_is_an_empty_log(segue: Segue) -> None:
    assert segue("check", os.devnull).code == 2
    assert segue("check", os.devnull, "--allow-empty").code == 0


def test_a_device_is_written_to_and_not_replaced(segue: Segue, write: Write) -> None:
    write(LOG, early())

    assert segue("export", LOG, "--to", "csv", "--rows", "events", "--output", os.devnull).code == 0
    assert segue("check", LOG, "--output", f"json={os.devnull}").code == 1
    assert Path(os.devnull).is_char_device()


def test_a_pipe_that_is_read_is_written_to(segue: Segue, write: Write, tmp_path: Path) -> None:
    write(LOG, early())
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["/bin/cat", tmp_path / "pipe"], stdout=subprocess.PIPE)
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)  # waits for the reader

    done = segue("check", LOG, "--output", "concise=pipe")

    os.close(writer)
    assert done.code == 1
    assert b"SG103" in reader.communicate()[0]


@pytest.mark.parametrize("option", ["--output=json", "--write-baseline"])
@pytest.mark.parametrize("name", [LOG, "known.json", "segue.toml"])
def test_no_input_is_written_over(
    segue: Segue, write: Write, tmp_path: Path, option: str, name: str
) -> None:
    write(LOG, early())
    write("known.json", '{"version": 1, "findings": []}')
    write("segue.toml", "strict = true")
    before = (tmp_path / name).read_bytes()
    inputs = ("--baseline", "known.json", "--config", "segue.toml")
    if option == "--write-baseline" and name == "known.json":
        return  # a baseline is written anew

    done = segue("check", LOG, *inputs, f"{option}={name}")

    refused(done)
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("name", [LOG, "my.toml", "segue.toml"])
@pytest.mark.parametrize(
    "command",
    [
        "check --write-baseline={}",
        "segments --output=json={}",
        "repair --output=json={}",
        "repair --write={}",
        "export --to=csv --rows=events --output={}",
        "export --to=xes --output={}",
    ],
)
def test_no_command_writes_over_its_log_or_settings(
    segue: Segue, write: Write, tmp_path: Path, command: str, name: str
) -> None:
    write(LOG, early())
    if name != LOG:
        write(name, "")  # without any setting, it is read as well
    config = ("--config", name) if name == "my.toml" else ()
    before = (tmp_path / name).read_bytes()

    done = segue(*command.format(name).split(), LOG, *config)

    refused(done)
    assert f"{name} is read by this command" in done.err
    assert (tmp_path / name).read_bytes() == before


def test_a_baseline_is_written_over_a_baseline_or_an_empty_file(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    write(LOG, early())
    write("empty", "")
    write("text", "not empty")

    for name in ("empty", "empty", "new", "new"):
        assert segue("check", LOG, "--write-baseline", name).code == 0
    assert segue("check", LOG, "--write-baseline", "text").err == (
        "segue: text exists and is not a baseline: give --write-baseline another file\n"
    )
    assert (tmp_path / "text").read_text() == "not empty"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "new", LOG, "text"]


@pytest.mark.parametrize("text", ['tool = "x"', "tool = []", "[tool]\nsegue = 1", "a = 1"])
def test_a_project_file_of_another_program_is_read(segue: Segue, write: Write, text: str) -> None:
    write(LOG, early())
    write("pyproject.toml", text)

    assert segue("check", LOG).code == (2 if "segue = 1" in text else 1)


@pytest.mark.parametrize(
    "url",
    [
        *("http://[", "http://[::1", "http://a..b", f"http://{'a' * 70}", "http://h:99999"),
        *("http://", "http:///x", "http://h/a b", "http://h/\x7f", "http://\u2100", "http://h:x"),
    ],
)
def test_an_odd_address_is_told(segue: Segue, write: Write, url: str) -> None:
    write(LOG, early())

    for arguments in (("send", LOG, url), ("tail", url), ("conformance", url)):
        refused(segue(*arguments))


@pytest.mark.parametrize("address", ["postgresql://[", "postgresql://[::1", "x", "sqlite:"])
@pytest.mark.parametrize("command", ["journal", "serve"])
def test_an_odd_address_of_a_store_is_told(segue: Segue, command: str, address: str) -> None:
    refused(segue(command, "--store", address))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_quiet(write: Write, closed: str) -> None:
    log = write(LOG, early())

    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m segue check "$1" {closed}', sys.executable, log],
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr == b""


def test_an_interrupt_while_modules_are_imported_is_quiet(tmp_path: Path) -> None:
    """Python raises it in the middle of an import."""
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", "utf-8")
    path = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))

    done = subprocess.run(
        [sys.executable, "-m", "segue", "rules"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
