"""Attacks a server and says what held: `python -m tests.attacks [--write] [NAME...]`.

It starts `segue serve` with 256 descriptors, and the other servers with the application, and holds
1,000 connections to each. With `--write` the table in docs/explanation/security.md is replaced.
"""

import os
import resource
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import IO, Final

from tests.adapters.holders import HOLDERS, Held, hold
from tests.adapters.servers import ROOT, SERVERS, free_port

_PAGE: Final = ROOT / "docs/explanation/security.md"
_BEGIN, _END = "<!-- attacks -->\n", "<!-- end of attacks -->\n"
_SEGUE: Final = ["segue", "serve", "--no-auth", "--store=memory", "--quiet", "--port={port}"]
_SOME: Final = ("silence", "a head, a byte a second", "after an answer, a byte a second")
"""What the other servers are tried with."""
_COUNT: Final = 1000
_PATIENCE: Final = 20.0
_DESCRIPTORS: Final = 256


@contextmanager
def _running(command: Sequence[str]) -> Iterator[tuple[int, IO[bytes]]]:
    """Start a server with few descriptors; yield its port and its log."""
    port = free_port()
    words = [word.format(port=port) for word in command]
    limited = ["sh", "-c", f'ulimit -n {_DESCRIPTORS}; exec "$@"', "sh", sys.executable]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": path}
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            [*limited, "-m", *words], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
        try:
            for _ in range(300):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                sleep(0.1)
            yield port, log
        finally:
            server.kill()
            server.wait()


def _row(name: str, kind: str, held: Held, lines: int) -> str:
    closed = "never" if held.left == _COUNT else f"{held.seconds:.1f} s"
    left = f", {held.left} never" if 0 < held.left < _COUNT else ""
    served = f"{held.served} of {held.served + held.failed}, {held.worst:.1f} s at most"
    return f"| {name} | {kind} | {closed}{left} | {served} | {lines:,} |\n"


def table(names: Sequence[str]) -> Iterator[str]:
    """Yield the rows of the table, one for each server and way to hold connections."""
    yield "| server | 1,000 connections with | closed after | others served | log lines |\n"
    yield "|---|---|---|---|---|\n"
    for name in names:
        is_ours = name == "segue serve"
        for kind in HOLDERS if is_ours else _SOME:
            with _running(_SEGUE if is_ours else SERVERS[name]) as (port, log):
                held = hold(port, HOLDERS[kind], _COUNT, _PATIENCE)
                log.seek(0)
                yield _row(name, kind, held, sum(1 for _ in log))


def main(arguments: Sequence[str]) -> int:
    """Print the table, and write it into the page if asked to."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    names = [word for word in arguments if word != "--write"] or ["segue serve", *SERVERS]
    rows = []
    for row in table(names):
        sys.stdout.write(row)
        sys.stdout.flush()
        rows.append(row)
    if "--write" in arguments:
        _write(_PAGE, "".join(rows))
    return 0


def _write(page: Path, rows: str) -> None:
    before, _, rest = page.read_text("utf-8").partition(_BEGIN)
    page.write_text(f"{before}{_BEGIN}{rows}{_END}{rest.partition(_END)[2]}", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
