"""A small contact center backend to try tests on: `python samples/backend.py [PORT]`.

It receives deliveries at the route of the webhook and answers all of them with 200 and an empty
body. It shows the state of a call at `/calls/<conversation id>`, in its own terms, and shares no
code with Segue. It has three deliberate bugs that hand-written tests rarely find. `BUGS` lists
them, and `CallRegistry(bugs=())` has none of them.
"""  # noqa: INP001 - a script

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

BUGS = {
    "latest-consultant": "when the owner leaves a consultation, the latest helper takes over",
    "redial-is-a-stay": "an agent who dials in again gets a new stay",
    "shouted-warm": "only capitals are understood as a WARM transfer",
}


class Call:
    """The state of one conversation."""

    def __init__(self) -> None:
        self.owner: str | None = None
        self.helpers: list[str] = []
        self.heirs: list[str] = []
        """The helpers one of whom has taken over, if it is not known which."""
        self.stays: list[str] = []
        self.is_over = False


class CallRegistry:
    """All calls, updated by the events it receives."""

    def __init__(self, bugs: Iterable[str] = tuple(BUGS)) -> None:
        self._bugs = frozenset(bugs)
        self._calls: dict[str, Call] = {}
        self._lock = Lock()

    def receive(self, body: dict[str, Any]) -> None:
        """Apply a delivery."""
        with self._lock, suppress(KeyError, TypeError, AttributeError):
            call = self._calls.setdefault(body["conversationId"], Call())
            for event in body.get("events", []):
                self._apply(call, event)

    def look(self, conversation_id: str) -> dict[str, Any]:
        """Return the state of a call."""
        with self._lock:
            call = self._calls.get(conversation_id, Call())
            return {
                "owner": call.owner,
                "helpers": list(call.helpers),
                "stays": list(call.stays),
                "over": call.is_over,
            }

    def _apply(self, call: Call, event: dict[str, Any]) -> None:
        if call.is_over:
            return
        if event["name"] == "END_OF_CONVERSATION":
            call.is_over = True
        elif event["name"] == "INTERNAL_TRANSFER_EVENT":
            kind = self._kind(event["transfertype"])
            agent = event["participant"]["identity"]
            if event["transition"].strip().lower() == "entry":
                self._enter(call, kind, agent)
            else:
                self._leave(call, kind, agent)

    def _kind(self, transfer_type: str) -> str:
        word = transfer_type.strip()
        kind = word.lower()
        if "shouted-warm" in self._bugs and kind == "warm" and word != "WARM":
            return "unknown"
        return kind

    def _enter(self, call: Call, kind: str, agent: str) -> None:
        if agent == call.owner:
            return
        if agent in call.helpers:
            if kind == "cold":
                self._own(call, agent)
            return
        if kind == "warm" or (kind == "redial" and call.owner is not None):
            call.helpers.append(agent)
        elif kind == "unknown":
            return
        else:
            self._own(call, agent)
        if kind != "redial" or agent not in call.stays or "redial-is-a-stay" in self._bugs:
            call.stays.append(agent)

    def _leave(self, call: Call, kind: str, agent: str) -> None:
        if agent in call.helpers and (kind == "warm" or call.owner is None):
            call.helpers.remove(agent)
            call.heirs = [heir for heir in call.heirs if heir != agent and kind == "warm"]
            self._hand_over(call)
        elif agent == call.owner and kind == "warm" and call.helpers:
            latest = "latest-consultant" in self._bugs
            call.owner, call.heirs = None, call.helpers[-1:] if latest else [*call.helpers]
            self._hand_over(call)
        elif agent == call.owner and kind in {"na", "cold"}:
            call.owner = None

    def _hand_over(self, call: Call) -> None:
        if len(call.heirs) == 1:
            self._own(call, call.heirs[0])

    def _own(self, call: Call, agent: str) -> None:
        call.owner, call.heirs = agent, []
        call.helpers = [helper for helper in call.helpers if helper != agent]


class Handler(BaseHTTPRequestHandler):
    """The HTTP routes."""

    calls = CallRegistry()

    def do_POST(self) -> None:
        """Apply a delivery and answer 200."""
        text = self.rfile.read(int(self.headers["Content-Length"]))
        self.calls.receive(json.loads(text))
        self._answer(b"")

    def do_GET(self) -> None:
        """Answer with the state of a call."""
        self._answer(json.dumps(self.calls.look(self.path.rpartition("/")[2])).encode())

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Suppress the log."""


def serve(port: int = 0, calls: CallRegistry | None = None) -> ThreadingHTTPServer:
    """Return a server that listens on localhost, on any free port if `port` is 0."""
    handler = type("Handler", (Handler,), {"calls": calls or CallRegistry()})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


if __name__ == "__main__":
    with serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8000) as server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
        sys.stdout.flush()
        server.serve_forever()
