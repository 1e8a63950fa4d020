"""Compare `segue serve` with the same server and an empty application.

    python benchmarks/serve.py [DIRECTORY] [--seconds 3] [--rounds 5]

The servers take turns in one run, each in its own process, with the store in DIRECTORY (default:
the current one). Compare ratios, because the rates depend on the machine. A client sends one
delivery after another over a persistent connection and waits for each response. The empty
application reads the body and answers 200.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from stores import CLIENTS, arguments, body

from segue.cli.server import Server, listening_socket, url_of

EMPTY = "--empty"


class Empty:
    """An ASGI application that answers every request immediately."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        """Answer one request with status 200 after reading its body."""
        if scope["type"] == "lifespan":
            for what in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{what}.complete"})
            return
        while (await receive()).get("more_body"):
            pass
        head = [(b"content-type", b"application/json"), (b"content-length", b"15")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b'{"status":"ok"}'})


def empty() -> None:
    """Serve the empty application with the same server that `segue serve` uses."""
    sock = listening_socket("127.0.0.1", 0)
    app: Any = Empty()
    announce = partial(print, f"segue listens on {url_of(sock)} ", flush=True)
    Server(app, announce).serve_on(sock)


async def rate(port: int, seconds: float) -> float:
    """Send requests with all clients for some seconds, and return the requests per second."""
    sent = 0
    end = perf_counter() + seconds

    async def client(number: int) -> None:
        nonlocal sent
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        count = 0
        while perf_counter() < end:
            content = json.dumps(body(f"c-{number}-{count // 20}", count)).encode()
            writer.write(
                b"POST /agentdesk/api/v1/hooks/st-1 HTTP/1.1\r\nHost: localhost\r\n"
                b"Idempotency-Key: d-%d-%d\r\n"
                b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
                % (number, count, len(content), content)
            )
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(head.decode())
            length = next(
                int(line[15:])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            )
            await reader.readexactly(length)
            count += 1
        sent += count
        writer.close()

    started = perf_counter()
    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    return sent / (perf_counter() - started)


def measure(command: list[str], folder: str, seconds: float) -> float:
    """Start a server in a new process, send requests to it, and return the requests per second."""
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[3].rpartition(":")[2])
        try:
            return asyncio.run(rate(port, seconds))
        finally:
            server.terminate()


def main() -> None:
    """Print the rates of both servers and their ratio."""
    given = arguments(__doc__, seconds=3.0)
    serve = ["-m", "segue", "serve", "--no-auth", "--port=0"]
    commands = {
        "empty": [str(Path(__file__).resolve()), EMPTY],
        "kept": [*serve, "--quiet"],
        "kept and logged": serve,
    }
    rates: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(given.rounds):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory(dir=given.directory) as folder:
                rates[name].append(measure(command, folder, given.seconds))
    for name, found in rates.items():
        ratio = median(a / b for a, b in zip(found, rates["empty"], strict=True))
        print(f"{name}: {median(found):.0f}/s, {ratio:.2f} times the empty one")


if __name__ == "__main__":
    empty() if EMPTY in sys.argv else main()
