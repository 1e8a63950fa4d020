"""The command, as tests run it: in this process, or in one of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from tests.patience import PATIENCE

__all__ = ["Done", "Segue", "WaitsForEver", "Write", "hang_up", "start"]


class WaitsForEver(BaseException):
    """A command did not end; not an `Exception`, which commands take for something else."""


class Done(NamedTuple):
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


class Segue(Protocol):
    """Runs the command with arguments."""

    def __call__(self, *arguments: str) -> Done: ...


class Write(Protocol):
    """Writes a file and returns its path."""

    def __call__(self, name: str, content: str | list[str]) -> Path: ...


def start(
    *arguments: str,
    stdin: str = "",
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Done:
    """Run `python -m segue` in a process of its own."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in {"COLUMNS", "NO_COLOR", "FORCE_COLOR"}
    }
    done = subprocess.run(
        [sys.executable, "-m", "segue", *arguments],
        input=stdin.encode(),
        capture_output=True,
        env={**inherited, **environment},
        timeout=PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def hang_up(command: "subprocess.Popen[bytes]") -> int:
    """Read one line of what a command says and no more; it is to end without a word."""
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.readline()
    command.stdout.close()
    assert command.stderr.read() == b""
    command.stderr.close()
    return command.wait(timeout=PATIENCE)
