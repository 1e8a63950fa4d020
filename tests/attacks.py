"""Attack the application and report the results: `python -m tests.attacks [--write] [NAME...]`.

The name `tests` runs the tests of each attack and counts them. Other names are servers: `segue
serve` or another server with the application is started with 256 file descriptors, and 1,000
connections to it are held open. With `--write`, the new rows replace those in
docs/explanation/security.md.
"""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import sleep
from typing import IO, Final

from tests.server.adapters.holders import HOLDERS, Held, hold
from tests.server.adapters.servers import ROOT, SERVERS, free_port

_PAGE: Final = ROOT / "docs/explanation/security.md"
_MARKS: Final = "<!-- {} -->\n", "<!-- end of {} -->\n"
_TESTS: Final = "tests"
_TRIED: Final = {
    "a line that stops everything: nested deep, unreadable, endless": ("tests/fuzz/test_lines.py",),
    "odd requests, through the core and both adapters": ("tests/server/adapters/test_fuzz.py",),
    "raw requests to uvicorn, granian, hypercorn, gunicorn, waitress": (
        "tests/server/adapters/test_servers.py",
    ),
    "a small request with a large answer, row or log": (
        "tests/server/stores/test_amplification.py",
    ),
    "conversations and delivery ids of other bots": (
        "tests/server/processor/test_outcomes.py",
        "tests/server/http/test_app.py",
    ),
    "forged and odd tokens": (
        "tests/server/http/test_tokens.py",
        "tests/server/http/test_credential.py",
    ),
    "key sets that drip, lie or move": (
        "tests/server/http/test_keys.py",
        "tests/server/http/test_fetch.py",
    ),
    "slow and broken connections to `segue serve`": ("tests/cli/test_connections.py",),
    "pages of other sites": ("tests/server/http/test_host.py",),
    "snapshots that are damaged or forged": ("tests/core/engine/test_odd_snapshots.py",),
    "stores of which every column is damaged": (
        "tests/server/stores/test_damaged_columns.py",
        "tests/server/stores/test_damage.py",
    ),
    "disks that are full, locked or read-only": ("tests/server/stores/test_sqlite_faults.py",),
    "PostgreSQL that is gone, slow or silent": ("tests/server/stores/test_postgres_faults.py",),
    "kill -9 of hosts that share a store": (
        "tests/server/stores/test_kills.py",
        "tests/server/stores/test_patience_kills.py",
        "tests/cli/test_serve_kills.py",
    ),
    "handlers that raise, exit or hang": ("tests/server/processor/test_outbox.py",),
    "files that a user names by mistake": (
        "tests/cli/test_user_files.py",
        "tests/cli/test_other_files.py",
    ),
}
"""The test files of each attack."""
_SEGUE: Final = ["segue", "serve", "--no-auth", "--store=memory", "--quiet", "--port={port}"]
_SOME: Final = ("silence", "a head, a byte a second", "after an answer, a byte a second")
"""The ways of holding connections that the other servers are attacked with."""
_COUNT: Final = 1000
_PATIENCE: Final = 20.0
_DESCRIPTORS: Final = 256


@contextmanager
def _running(command: Sequence[str]) -> Iterator[tuple[int, IO[bytes]]]:
    """Run a server with few file descriptors. Yield its port and its log."""
    port = free_port()
    words = [word.format(port=port) for word in command]
    limited = ["sh", "-c", f'ulimit -n {_DESCRIPTORS}; exec "$@"', "sh", sys.executable]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    environment = os.environ | {"PYTHONPATH": path}
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(
            [*limited, "-m", *words],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            for _ in range(300):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                sleep(0.1)
            yield port, log
        finally:
            os.killpg(server.pid, signal.SIGKILL)  # includes its workers
            server.wait()


def _row(name: str, kind: str, held: Held, lines: int) -> str:
    closed = "never" if held.left == _COUNT else f"{held.seconds:.1f} s"
    left = f", {held.left} never" if 0 < held.left < _COUNT else ""
    served = f"{held.served} of {held.served + held.failed}, {held.worst:.1f} s at most"
    return f"| {name} | {kind} | {closed}{left} | {served} | {lines:,} |\n"


def connections(name: str) -> Iterator[str]:
    """Yield the rows of a server, one for each way of holding connections."""
    is_ours = name == "segue serve"
    for kind in HOLDERS if is_ours else _SOME:
        with _running(_SEGUE if is_ours else SERVERS[name]) as (port, log):
            held = hold(port, HOLDERS[kind], _COUNT, _PATIENCE)
            log.seek(0)
            yield _row(name, kind, held, sum(1 for _ in log))


def tests() -> Iterator[str]:
    """Yield a row for each attack that has tests."""
    for attack, paths in _TRIED.items():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        *_, last = done.stdout.splitlines() or ["nothing ran"]
        counts = ", ".join(re.findall(r"\d+ (?:passed|failed|error|skipped)", last))
        yield f"| {attack} | {', '.join(f'`{path}`' for path in paths)} | {counts or last} |\n"


def main(arguments: Sequence[str]) -> int:
    """Print the rows, and write them to the page with `--write`."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    names = [word for word in arguments if word != "--write"]
    for name in names or [_TESTS, "segue serve", *SERVERS]:
        rows = []
        for row in tests() if name == _TESTS else connections(name):
            sys.stdout.write(row)
            sys.stdout.flush()
            rows.append(row)
        if "--write" in arguments:
            _PAGE.write_text(replaced(_PAGE.read_text("utf-8"), name, rows), "utf-8")
    return 0


def replaced(page: str, name: str, rows: Sequence[str]) -> str:
    """Return the page with the rows of a server or of the tests replaced."""
    begin, end = (mark.format("tried" if name == _TESTS else "attacks") for mark in _MARKS)
    before, _, rest = page.partition(begin)
    table, _, after = rest.partition(end)
    head, *lines = table.partition("|---")
    known = "".join(lines).splitlines(keepends=True)
    own = "" if name == _TESTS else f"| {name} |"
    first = next((at for at, line in enumerate(known) if at and line.startswith(own)), len(known))
    kept = [line for at, line in enumerate(known) if not at or (own and not line.startswith(own))]
    kept[first:first] = rows
    return f"{before}{begin}{head}{''.join(kept)}{end}{after}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
