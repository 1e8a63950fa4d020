"""`segue sandbox`: a server that the client calls, and that calls back."""

import json
import re
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.builders import Sender

from segue.client import Client

Seen = list[tuple[str, str | None, dict[str, Any]]]


def receiver_of(seen: Seen) -> type[BaseHTTPRequestHandler]:
    class Receiver(BaseHTTPRequestHandler):
        """Keeps what is posted to it, with its path and token."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            seen.append((self.path, self.headers.get("auth"), json.loads(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    return Receiver


def receive(receiver: HTTPServer, requests: int) -> None:
    for _ in range(requests):
        receiver.handle_request()


def test_the_sandbox_is_called_and_calls_back(tmp_path: Path) -> None:
    seen: Seen = []
    receiver = HTTPServer(("127.0.0.1", 0), receiver_of(seen))
    url = f"http://127.0.0.1:{receiver.server_port}"
    token_file = tmp_path / "token"
    token_file.write_text("hook-token", "utf-8")
    options = ["--to", url, "--token-file", str(token_file)]
    server = subprocess.Popen(
        [sys.executable, "-m", "segue", "sandbox", "--port", "0", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    thread = Thread(target=receive, args=(receiver, 3), daemon=True)
    thread.start()
    try:
        base = server.stdout.readline().rpartition(" ")[2].strip()
        token = ""
        while not token:
            found = re.search("SEGUE_TOKEN=(.*)", server.stdout.readline())
            token = found[1] if found else ""
        with Client(base, token=token) as platform:
            assert [queue.name for queue in platform.queues.list(stream="st-1")] == [
                "Billing", "Support", "Sales"
            ]  # fmt: skip
            platform.conversations.send(bot="st-1", extra=Sender().body("NA entry a-1"))
            answer = platform.conversations.assign(
                stream="st-1", org="o-1", session="c-1", agent="a-2", callback_url=f"{url}/done"
            )
            assert answer.status == "transferred"
        thread.join(60)
    finally:
        server.send_signal(signal.SIGTERM)
        code = server.wait(60)
        server.stdout.close()
        receiver.server_close()

    assert code == 0
    hook = "/agentdesk/api/v1/hooks/st-1"
    assert [(path, auth) for path, auth, _ in seen] == [
        (hook, "hook-token"), (hook, "hook-token"), ("/done", None)
    ]  # fmt: skip
    kinds = [body["events"][0]["transition"] for _, _, body in seen[:2]]
    assert kinds == ["exit", "entry"]
    assert seen[2][2] == {"sessionId": "c-1", "status": "success"}
