"""The table of problems (RFC 9457), and the responses made from them.

The type of a problem is public and never reused. Its texts contain no text from the sender.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final

from segue.server.http.request import Response

_PROBLEM_JSON: Final = "application/problem+json"
_RETRY_SECONDS: Final = "2"


class Problem(Enum):
    """All problems, each with its status and detail. The type comes from the name."""

    BAD_PARAMETER = (
        400,
        "A parameter of the request cannot be used",
        (
            "a parameter in path, query or headers is missing, given twice, too long, not of its "
            "type, contradicts another one, or has a NUL character in it; the description of the "
            "interface says what it should be"
        ),
    )
    BAD_LENGTH = (
        400,
        "The length of the body cannot be read",
        "send one Content-Length, a number in digits, or a Transfer-Encoding, or neither",
    )
    CUT_OFF_BODY = (
        400,
        "The body ended early",
        "fewer bytes came than Content-Length announced; send the delivery again",
    )
    UNREADABLE_BODY = (
        400,
        "The body cannot be used",
        "the findings say what is wrong with it; nothing was applied, the body is kept",
    )
    UNUSABLE_ID = (
        400,
        "An id in the body cannot be used",
        (
            "the id of a conversation or of an agent is too long, or no address could name the "
            "conversation; nothing was applied, the body is kept"
        ),
    )
    NO_TOKEN = (
        401,
        "A token is needed",
        "send a JWT in the header auth, in token, or as Authorization: Bearer",
    )
    BAD_TOKEN = (
        401,
        "The token is not accepted",
        "it is malformed, expired, signed by an unknown key, or contradicts another header",
    )
    BAD_ADDRESS = (
        401,
        "The address is not accepted",
        "it is not signed, has expired, or was signed for another path or other ids",
    )
    NOT_ALLOWED = (
        403,
        "The token does not allow this",
        "it lacks a scope, or may not act for this bot",
    )
    NO_ROUTE = (
        404,
        "There is nothing here",
        (
            "deliveries are posted to …/agentdesk/api/v1/hooks/{botId}; the description of the "
            "interface, openapi.json, has every route"
        ),
    )
    NO_CONVERSATION = (
        404,
        "There is no such conversation",
        "no delivery of a conversation with this id is known to a reader with this token",
    )
    WRONG_METHOD = (
        405,
        "This is not the way to ask",
        "the header Allow has the methods of this route",
    )
    SLOW_BODY = (
        408,
        "The body took too long",
        "send the whole body at once; nothing was applied",
    )
    ACTION_NOT_ALLOWED = (
        409,
        "The transcription does not allow this action now",
        "the answer has its state and the actions that are allowed; nothing has changed",
    )
    SEVERAL_CONVERSATIONS = (
        409,
        "Several bots have a conversation of this id",
        "name one of the bots by the parameter botId; the answer lists them",
    )
    NOT_REPLAYABLE = (
        409,
        "The body cannot be replayed",
        "it was replayed, dropped or purged meanwhile, or it was not stored whole",
    )
    LARGE_BODY = (
        413,
        "The body is too large, or has too many events",
        "send fewer events in one delivery; nothing was applied",
    )
    NOT_JSON = (
        415,
        "The body is declared to be something else than JSON",
        "send Content-Type: application/json in UTF-8, without a Content-Encoding",
    )
    WRONG_HOST = (
        421,
        "The request is for another host, or comes from a page of another one",
        (
            "without authentication only names of this machine and those of allow_hosts (--allow-"
            "host) are served, and no pages of other sites"
        ),
    )
    UNFILED_DELIVERY = (
        422,
        "There is nothing to file, or nothing to file it under",
        "a delivery needs a conversationId and a message or events; the body is kept",
    )
    REJECTED_DELIVERY = (
        422,
        "The delivery breaks a rule that is enforced here",
        "the findings say which; nothing of the delivery was applied, the body is kept",
    )
    DELIVERY_ID_REUSED = (
        422,
        "This delivery id came before with another body",
        "give every delivery an id of its own; nothing was applied, the body is kept",
    )
    KEYS_UNAVAILABLE = (
        503,
        "Tokens cannot be verified now",
        "the keys cannot be fetched; send the same request again a little later",
    )
    STORE_UNAVAILABLE = (
        503,
        "The store does not answer now",
        "nothing was applied; send the same request again a little later",
    )

    def __init__(self, status: int, title: str, detail: str) -> None:
        self.status, self.title, self.detail = status, title, detail
        self.type = f"urn:segue:problem:{self.name.lower().replace('_', '-')}"


_HEADERS: Final[Mapping[Problem, tuple[tuple[str, str], ...]]] = {
    Problem.NO_TOKEN: (("www-authenticate", "Bearer"),),
    Problem.BAD_TOKEN: (("www-authenticate", 'Bearer error="invalid_token"'),),
    Problem.BAD_ADDRESS: (("www-authenticate", "Bearer"),),
    Problem.NOT_ALLOWED: (("www-authenticate", 'Bearer error="insufficient_scope"'),),
    Problem.KEYS_UNAVAILABLE: (("retry-after", _RETRY_SECONDS),),
    Problem.STORE_UNAVAILABLE: (("retry-after", _RETRY_SECONDS),),
}


def problem_response(
    problem: Problem,
    *,
    findings: Iterable[Mapping[str, Any]] = (),
    more: Mapping[str, Any] | None = None,
    headers: Iterable[tuple[str, str]] = (),
    parameter: str = "",
) -> Response:
    """Return a response with a problem, the findings that led to it as JSON, and `more` members.

    The parameter is our name of the one that it is about.
    """
    value = {
        "type": problem.type,
        "title": problem.title,
        "status": problem.status,
        "detail": f"{parameter}: {problem.detail}" if parameter else problem.detail,
        "findings": list(findings),
        **(more or {}),
    }
    headers = (*_HEADERS.get(problem, ()), *headers)
    return Response.of(problem.status, value, _PROBLEM_JSON, headers)
