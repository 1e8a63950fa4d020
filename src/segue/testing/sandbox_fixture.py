"""The simulated platform that the pytest fixture `segue_sandbox` returns."""

from collections.abc import Iterable
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

from segue.platform.client import Client, SentRequest, TransportFailed
from segue.platform.sandbox import FaultPlan, PostSender, Sandbox, post_to_loopback
from segue.platform.sandbox.faults import read_shares
from segue.platform.sandbox.outgoing import Post
from segue.testing.backend import Backend
from segue.testing.conversation_run import ConversationOptions, ConversationRun
from segue.testing.run_verdict import RunVerdict

_AUTH: Final = "sandbox-token"
"""The token that tests use, although the sandbox accepts any token."""


class TestSandbox(Sandbox):
    """A simulated platform for one test, with a URL and a clock that only moves on `advance`.

    It posts callbacks only to URLs on this machine.

    Args:
        faults: The faults to make, as names, `NAME=SHARE` or `"all"`, or a `FaultPlan`.
        seed: The seed for all random choices.
        pace: The number of reads after which an object, such as a call, changes its status, as in
            `Sandbox`. By default objects only change on `advance`.
        post: A function that posts callbacks.

    """

    __test__ = False

    def __init__(
        self,
        *,
        faults: str | Iterable[str] | FaultPlan = (),
        seed: int = 0,
        pace: int | None = None,
        post: Post = post_to_loopback,
    ) -> None:
        names = (faults,) if isinstance(faults, str) else faults
        plan = names if isinstance(names, FaultPlan) else FaultPlan(read_shares(names), seed)
        super().__init__(seed=seed, faults=plan, pace=pace, outgoing=PostSender(post))

    @property
    def token(self) -> str:
        """A token to send in requests to the sandbox. Any other token is accepted as well."""
        return _AUTH

    @property
    def url(self) -> str:
        """The base URL of the simulated platform. The first access starts an HTTP server."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def client(self, **options: Any) -> Client:
        """Return a client that calls the sandbox in this process, without a network.

        Args:
            options: Keyword arguments of `segue.platform.client.Client`.

        """
        return Client("https://sandbox.example", token=_AUTH, transport=self.transport, **options)

    def send_conversations(
        self, backend: Backend, *, count: int = 20, **options: Any
    ) -> RunVerdict:
        """Send generated conversations to a backend, with the sandbox's faults.

        Args:
            backend: The backend, made by `in_process` or `over_http`.
            count: The number of conversations.
            options: Keyword arguments of `ConversationOptions`.

        Returns:
            The verdict, whose `survived` tells whether the backend made no mistake.

        """
        return ConversationRun(
            backend,
            options=ConversationOptions(**options),
            faults=self.faults,
            on_meant=lambda sent: self.note_delivery(
                sent.bot_id, sent.conversation_id, sent.endpoint, sent.body
            ),
        ).run(count)

    def close(self) -> None:
        """Stop the server, and close the sandbox."""
        server = self.__dict__.pop("_server", None)
        if server is not None:
            server.shutdown()
            server.server_close()
        super().close()

    @cached_property
    def _server(self) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        Thread(target=server.serve_forever, daemon=True).start()
        return server


def _handler(sandbox: Sandbox) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Passes HTTP requests to the sandbox.

        If the sandbox loses the answer as a fault, the connection is closed without one.
        """

        def _answer(self) -> None:
            length = self.headers.get("content-length", "0")
            body = self.rfile.read(int(length) if length.isascii() and length.isdigit() else 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.close_connection = True
            try:
                answer = sandbox.answer(SentRequest(self.command, self.path, headers, body))
            except TransportFailed:
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _answer  # noqa: N815 - names that http.server calls

        def log_message(self, *_: object) -> None:
            """Do nothing, so that requests are not logged on stderr."""

    return Handler
