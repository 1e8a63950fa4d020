"""The exceptions that a call of the platform can raise. Their messages never contain a token."""

from segue.core.errors import SegueError


class RequestRefused(SegueError):
    """The platform answered a request with an error.

    A strict client also raises this for an answer that violates the specification.

    Attributes:
        status: The HTTP status of the answer.
        problem: The reason in the answer, shortened.
        endpoint: The number of the endpoint, such as `E4`.
        request_id: The request id in the headers of the answer, or None.

    """

    def __init__(self, status: int, problem: str, endpoint: str, request_id: str | None) -> None:
        super().__init__(f"{endpoint} was refused with {status}: {problem or 'no reason given'}")
        self.status = status
        self.problem = problem
        self.endpoint = endpoint
        self.request_id = request_id


class PlatformUnreachable(SegueError):
    """The platform sent no complete answer within the time limit of the call.

    The request may have taken effect nevertheless.
    """


class CannotPage(SegueError):
    """A list has more items, but the endpoint offers no way to request them.

    It is raised at the end of an iteration, after all items that could be requested.
    """
