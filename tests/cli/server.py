"""`segue serve` in a process of its own, and other commands beside it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from tests.cli.command import Done
from tests.patience import PATIENCE
from tests.server.adapters.servers import free_port

__all__ = ["SECRET", "Serving", "free_port", "segue_in"]

SECRET = "correct-horse-battery-staple-0123456789"  # noqa: S105 - of these tests
_HERE = {"COLUMNS": "100", "NO_COLOR": "1"}


def segue_in(folder: Path, *arguments: str, **environment: str) -> Done:
    """Run a command in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "segue", *arguments],
        cwd=folder,
        env=os.environ | _HERE | environment,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


class Serving:
    """A server, from the moment it says that it listens."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        port: int = 0,
        descriptors: int = 0,
    ) -> None:
        command = [sys.executable, "-m", "segue", "serve", f"--port={port}", *arguments]
        if descriptors:
            command = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | _HERE | dict(environment or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.out, self.err = self.process.stdout, self.process.stderr
        self.first = self.out.readline()
        """The line with the address; empty: it did not start."""
        found = re.match(r"segue listens on (\S+) and stores conversations in (.+)\n", self.first)
        self.url = found[1] if found else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def paste(self, beginning: str) -> str:
        """Read on to a line that begins so; return it."""
        return next(line for line in self.out if line.lstrip().startswith(beginning)).strip()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and return how it ended."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end, and return the exit code."""
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def kill(self, victims: Iterable[int] | None = None) -> str:
        """Kill all of its processes, or some; return what it has written to standard error."""
        with suppress(ProcessLookupError):
            if victims is None:
                os.killpg(self.process.pid, signal.SIGKILL)
            for victim in victims or ():
                os.kill(victim, signal.SIGKILL)
        return self.process.communicate()[1] if victims is None else ""

    def workers(self) -> list[int]:
        """Return the processes that answer."""
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = [int(pid) for pid in path.read_text().split()]
        return [pid for pid in children if b"spawn_main" in _command(pid)]


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""
