"""A backend that gets everything right: in this process, and over HTTP behind the two routes."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import segue
from segue.testing import Backend, BackendDelivery, in_process, view
from segue.testing.reference import answer

__all__ = ["failing", "listening", "reference"]


class Handler(BaseHTTPRequestHandler):
    """Answers as delivery.md of the design says, and shows all it knows."""

    conversations: ClassVar[dict[str, segue.Conversation]]
    seen: ClassVar[list[dict[str, str]]]
    is_mute: ClassVar[bool]
    is_wrong: ClassVar[bool]

    def do_POST(self) -> None:
        self.seen.append({name.lower(): value for name, value in self.headers.items()})
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        url = urlsplit(self.path)
        identity = parse_qs(url.query).get("conversationId", [_conversation_of(text)])[0]
        conversation = self.conversations.setdefault(identity, segue.Conversation())
        endpoint = "transcription" if "transcription" in url.path else "hooks"
        bot_id = url.path.split("/")[5]
        body = json.loads(text) if endpoint == "transcription" else text
        delivered = BackendDelivery(
            body, identity, bot_id, endpoint, self.headers["Idempotency-Key"]
        )
        said = answer(conversation, delivered)
        if "findings" in said:
            said["phase"] = "waiting" if self.is_wrong else conversation.phase.value
        self._answer(said["status"], {} if self.is_mute else said)

    def do_GET(self) -> None:
        self._answer(200, view(self.conversations[self.path.rpartition("/")[2]]))

    def _answer(self, status: int, body: Any) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""


def _conversation_of(text: str) -> str:
    try:
        return str(json.loads(text)["conversationId"])
    except (ValueError, KeyError, TypeError):
        return ""


@contextmanager
def listening(
    *, is_mute: bool = False, is_wrong: bool = False
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield the address of a backend without faults, and the headers of what it was sent.

    A mute one answers with a status and shows the rest at `/known/<conversation id>` only; a wrong
    one never gets beyond waiting.
    """
    seen: list[dict[str, str]] = []
    own = {"conversations": {}, "seen": seen, "is_mute": is_mute, "is_wrong": is_wrong}
    handler = type("Bound", (Handler,), own)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", seen
        finally:
            server.shutdown()
            thread.join()


def reference() -> Backend:
    """Return a backend that is the reference itself."""
    conversations: dict[str, segue.Conversation] = {}

    def receive(body: Any) -> dict[str, Any]:
        identity = body["conversationId"]
        conversation = conversations.setdefault(identity, segue.Conversation(identity))
        step = conversation.feed(body)
        return {"phase": step.phase.value, "findings": [each.to_dict() for each in step.findings]}

    return in_process(receive, view=lambda identity: view(conversations[identity]))


@contextmanager
def failing(at: Callable[[str], bool], *, hangs: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Yield the address of the reference over HTTP, and what it was sent.

    A delivery whose body is one of these gets no answer: the connection is dropped, or hangs.
    """
    backend = reference()
    sent: list[str] = []
    over = Event()

    class Failing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            if at(sent[-1]):
                if hangs:
                    over.wait()
                self.close_connection = True
                return
            body = json.loads(sent[-1])
            told = backend.deliver(BackendDelivery(body, body["conversationId"])).fields
            text = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", sent
        finally:
            over.set()
            server.shutdown()
            thread.join()
