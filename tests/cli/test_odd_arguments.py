"""Whatever is given to an option, and whatever a log is: a command ends well or says why not."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
import pytest
from tests.report.story import early

from segue.cli.app import COMMANDS, run as run_command, segue

pytestmark = pytest.mark.usefixtures("ends_soon")

BEGIN = {
    "check": ("good",),
    "sniff": ("good",),
    "convert": ("good",),
    "segments": ("good",),
    "repair": ("good",),
    "diff": ("good", "good"),
    "causes": ("good",),
    "dialect": ("good",),
    "stats": ("good",),
    "export": ("good", "--to", "xes"),
    "explain": ("SG101",),
    "rules": (),
    "graph": (),
    "generate": ("--conversations", "1"),
    "conformance": ("http://127.0.0.1:9",),
    "send": ("good", "http://127.0.0.1:9", "--timeout", "0"),
    "tail": ("--store", "sqlite:none.db", "--no-follow"),
    "journal": ("--store", "sqlite:none.db"),
    "purge": ("--store", "sqlite:none.db", "--before", "1d"),
    "doctor": ("--store", "sqlite:none.db"),
    "show": ("good", "c-1"),
    "keys": (),
    "token": ("--secret-file", "good"),
    "playground": ("--output", "out", "--assets", "none"),
}
"""Arguments with which each command ends at once; servers and call have tests of their own."""
VALUES = (
    *("", "x", "-1", "0", "1e400", "nan", "inf", "-inf", "\udcff", "%", "%s", "{x}", "../x", "\n"),
    *("[", "*", "a" * 5_000, "\u0663", "0x10", "-5s", "99999999d", "0001-01-01", "SG", "sg1,", "="),
    *("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", ",", "SG1=", "x=y", "/", "~"),
)
LOGS = {
    "empty": b"",
    "binary": bytes(range(256)) * 50,
    "nul": bytes(1_000),
    "cut": gzip.compress(b"x" * 10_000)[:40],
    "gzip": b"\x1f\x8b",
    "zstd": b"\x28\xb5\x2f\xfdxxxx",
    "parquet": b"PAR1xxxxPAR1",
    "array": b"[1]\n[2]\n",
    "utf-16": "{}\n".encode("utf-16"),
    "one": b"{",
}
READERS = (
    *(("check", "{}"), ("check", "{}", "--format", "html"), ("check", "{}", "--format", "sarif")),
    *(("check", "{}", "--sort", "received_at"), ("check", "{}", "{}", "--jobs", "2")),
    *(
        ("sniff", "{}"),
        ("convert", "{}"),
        ("segments", "{}"),
        ("stats", "{}"),
        ("causes", "{}"),
        ("dialect", "{}"),
        ("repair", "{}", "--write", "w"),
        ("diff", "{}", "good"),
    ),
    *(
        ("diff", "good", "{}"),
        ("export", "{}", "--to", "ocel"),
        ("tail", "--store", "sqlite:{}", "--no-follow"),
    ),
    *(("export", "{}", "--to", "vcon", "--output", "d/"), ("journal", "--store", "sqlite:{}")),
    ("send", "{}", "http://127.0.0.1:9", "--timeout", "0"),
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder with a good log."""
    monkeypatch.chdir(tmp_path)
    Path("good").write_text("\n".join(early()), "utf-8")


def ends(*arguments: str) -> None:
    errors, output = io.StringIO(), io.TextIOWrapper(io.BytesIO())  # convert writes bytes to it
    with redirect_stdout(output), redirect_stderr(errors), pytest.raises(SystemExit) as end:
        run_command(arguments)

    code = int(str(end.value.code))
    assert code in (0, 1, 2), arguments
    assert code != 2 or errors.getvalue().count("\n") == 1, (arguments, errors.getvalue())


def options(name: str) -> Iterator[str]:
    command = segue.get_command(click.Context(segue), name)
    assert command is not None
    for each in command.params:
        if isinstance(each, click.Option) and not each.is_flag and name not in ("journal", "purge"):
            yield each.opts[0]


def test_every_command_is_tried() -> None:
    assert {*BEGIN, "serve", "sandbox", "quarantine", "call"} >= COMMANDS.keys()


@pytest.mark.parametrize("name", BEGIN)
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.thorough)])
def test_no_value_of_an_option_is_a_traceback(name: str, step: int) -> None:
    for number, option in enumerate(options(name)):
        for value in VALUES[number % step :: step]:
            ends(name, *BEGIN[name], f"{option}={value}")


@pytest.mark.parametrize("name", [name for name in BEGIN if name != "send"])
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.thorough)])
def test_no_argument_is_a_traceback(name: str, step: int) -> None:
    for value in VALUES[len(name) % step :: step]:
        ends(name, "--", value)


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.thorough)])
def test_no_log_is_a_traceback(log: str, step: int) -> None:
    for arguments in READERS[len(log) % step :: step]:
        Path(log).write_bytes(LOGS[log])
        ends(*(each.format(log) for each in arguments))


def test_nothing_was_written_over() -> None:
    """The values above are files for the options that write."""
    ends("check", "good", "--output=json=good")
    assert Path("good").read_text("utf-8") == "\n".join(early())
    assert os.listdir() == ["good"]  # noqa: PTH208 - names


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("explain", ""), "give the code, prefix or name of a rule: see segue rules"),
        (
            ("generate", "--start", "9999-12-31"),
            "start must be in the years 2 to 8999, not in 9999",
        ),
        (("send", "good", "http://h", "--secret-file", "nothing"), "nothing is empty: put the"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("nothing").write_text("\n", "utf-8")
    with pytest.raises(SystemExit):
        run_command(arguments)

    assert capsys.readouterr().err.startswith(f"segue: {error}")
