"""What a call of the platform can end with instead of a result. No message holds a token."""

from segue.core.errors import SegueError


class RequestRefused(SegueError):
    """The platform answered, and the answer is not a result.

    Attributes:
        status: The status of the answer.
        problem: What the answer says, shortened.
        endpoint: The number of the endpoint, such as `E4`.
        request_id: The id that the answer gives to the request; None if it gives none.

    """

    def __init__(self, status: int, problem: str, endpoint: str, request_id: str | None) -> None:
        super().__init__(f"{endpoint} was refused with {status}: {problem or 'no reason given'}")
        self.status = status
        self.problem = problem
        self.endpoint = endpoint
        self.request_id = request_id


class PlatformUnreachable(SegueError):
    """No complete answer came within the time of the call; it may have had its effect."""


class CannotPage(SegueError):
    """There is more, and no way to ask for it: what was there has been returned before."""
