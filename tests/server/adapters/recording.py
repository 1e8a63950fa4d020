"""A core that only writes down what an adapter passes it, and asks for what it is told to."""

from typing import cast

from segue.server.http import Body, HttpApp, ReadBody, Request, Response
from segue.server.processor import Unit


class Recorder:
    """Answers everything with 200, after reading the body if it is given a limit."""

    def __init__(self, limit: int | None = None, seconds: float = 10.0) -> None:
        self.limit, self.seconds = limit, seconds
        self.requests: list[Request] = []
        self.bodies: list[Body] = []
        self.closed = False
        self.closes = False
        """Whether its answers end the connection."""

    def handle(self, request: Request) -> Unit[Response]:
        self.requests.append(request)
        try:
            if self.limit is not None:
                self.bodies.append((yield ReadBody(self.limit, self.seconds)))
        finally:
            self.closed = True
        headers = ("content-length", "2"), ("x-one", "é")
        return Response(200, headers, b"ok", closes=self.closes)

    @property
    def hook(self) -> HttpApp:
        return cast("HttpApp", self)

    @property
    def request(self) -> Request:
        [request] = self.requests
        return request

    @property
    def body(self) -> Body:
        [body] = self.bodies
        return body
