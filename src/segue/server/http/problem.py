"""The problems that requests are refused with (RFC 9457), and the responses for them.

The type of a problem is public and never reused. Its texts contain no text from the sender.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final

from segue.server.http.request import Response

_PROBLEM_JSON: Final = "application/problem+json"
_RETRY_SECONDS: Final = "2"
_TITLES: Final = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    411: "Length Required",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    421: "Misdirected Request",
    422: "Unprocessable Content",
    503: "Service Unavailable",
}
"""The reason phrases of RFC 9110, by status."""


class Problem(Enum):
    """The reasons for refusing a request, each with an HTTP status and a text for the sender.

    The `type` in the response is derived from the name: `BAD_TOKEN` has the type
    `urn:segue:problem:bad-token`.
    """

    BAD_PARAMETER = (
        400,
        (
            "A parameter in the path, the query or the headers is missing, repeated, too long, "
            "of the wrong type, contradicts another one, or contains a NUL character. Send it "
            "as openapi.json describes it."
        ),
    )
    BAD_LENGTH = (
        400,
        (
            "The length of the body cannot be read. Send one Content-Length in digits, or a "
            "Transfer-Encoding, or neither."
        ),
    )
    CUT_OFF_BODY = (
        400,
        "The body is shorter than its Content-Length. Send the delivery again.",
    )
    UNREADABLE_BODY = (
        400,
        (
            "The body cannot be read. Nothing was applied, and the body is in the quarantine. "
            "Correct what the findings name, and send it again."
        ),
    )
    UNUSABLE_ID = (
        400,
        (
            "The id of a conversation or of an agent is too long, or the conversation id cannot "
            "be part of an address. Nothing was applied, and the body is in the quarantine. "
            "Send a shorter id without control characters."
        ),
    )
    NO_TOKEN = (
        401,
        (
            "The request has no token. Send a JWT in the header auth, in token, or as "
            "Authorization: Bearer."
        ),
    )
    BAD_TOKEN = (
        401,
        (
            "The token is malformed, expired, signed by an unknown key, or contradicts another "
            "header. Send a new token."
        ),
    )
    BAD_ADDRESS = (
        401,
        (
            "The address is not signed, has expired, or was signed for another path or other "
            "ids. Send to an address made by segue.server.callback_url."
        ),
    )
    NOT_ALLOWED = (
        403,
        "The token lacks a scope, or may not act for this bot. Send a token that has both.",
    )
    NO_ROUTE = (
        404,
        (
            "No route has this path. Post deliveries to …/agentdesk/api/v1/hooks/{botId}. See "
            "openapi.json for all routes."
        ),
    )
    NO_CONVERSATION = (
        404,
        (
            "No conversation with this id is visible to the reader with this token. Check the "
            "id and the bot."
        ),
    )
    WRONG_METHOD = (
        405,
        "The route does not have this method. Use one of the methods in the header Allow.",
    )
    SLOW_BODY = (
        408,
        "The body took too long, and nothing was applied. Send the whole body at once.",
    )
    ACTION_NOT_ALLOWED = (
        409,
        (
            "The state of the transcription does not allow this action, and nothing has "
            "changed. Send one of the allowed actions in the answer."
        ),
    )
    SEVERAL_CONVERSATIONS = (
        409,
        (
            "Several bots have a conversation with this id. Name one of the listed bots in the "
            "parameter botId."
        ),
    )
    NOT_REPLAYABLE = (
        409,
        (
            "The body was replayed, dropped or purged in the meantime, or it was not stored "
            "completely. Ask its sender to send it again."
        ),
    )
    NO_LENGTH = (
        411,
        (
            "The server does not say where a body without Content-Length ends, so the body was "
            "not read. Send a Content-Length and no Transfer-Encoding."
        ),
    )
    LARGE_BODY = (
        413,
        (
            "The body is too large or has too many events, and nothing was applied. Send fewer "
            "events in one delivery."
        ),
    )
    NOT_JSON = (
        415,
        (
            "The body is not declared as JSON. Send Content-Type: application/json in UTF-8, "
            "without a Content-Encoding."
        ),
    )
    WRONG_HOST = (
        421,
        (
            "The request is for another host, or comes from a page of another host. Without "
            "authentication only the names of this machine and those of allow_hosts (--allow-"
            "host) are served, and only to pages of the same host."
        ),
    )
    UNFILED_DELIVERY = (
        422,
        (
            "The delivery names no conversation, or it is empty. Send a conversationId and a "
            "message or events. The body is in the quarantine."
        ),
    )
    REJECTED_DELIVERY = (
        422,
        (
            "The delivery breaks a rule that is enforced here. Nothing was applied, and the "
            "body is in the quarantine. Correct what the findings name, and send it again."
        ),
    )
    DELIVERY_ID_REUSED = (
        422,
        (
            "The delivery id was used before with another body. Nothing was applied, and the "
            "body is in the quarantine. Give every delivery its own id."
        ),
    )
    KEYS_UNAVAILABLE = (
        503,
        (
            "The keys that verify tokens cannot be fetched. Send the same request again a "
            "little later."
        ),
    )
    CALLBACKS_STALLED = (
        503,
        (
            "Too many calls of handlers do not return, so callbacks are not delivered any more. "
            "Restart the process. Deliveries are still applied."
        ),
    )
    STORE_UNAVAILABLE = (
        503,
        (
            "The store does not answer, and nothing was applied. Send the same request again a "
            "little later."
        ),
    )

    def __init__(self, status: int, detail: str) -> None:
        self.status, self.title, self.detail = status, _TITLES[status], detail
        self.type = f"urn:segue:problem:{self.name.lower().replace('_', '-')}"


_HEADERS: Final[Mapping[Problem, tuple[tuple[str, str], ...]]] = {
    Problem.NO_TOKEN: (("www-authenticate", "Bearer"),),
    Problem.BAD_TOKEN: (("www-authenticate", 'Bearer error="invalid_token"'),),
    Problem.BAD_ADDRESS: (("www-authenticate", "Bearer"),),
    Problem.NOT_ALLOWED: (("www-authenticate", 'Bearer error="insufficient_scope"'),),
    Problem.KEYS_UNAVAILABLE: (("retry-after", _RETRY_SECONDS),),
    Problem.CALLBACKS_STALLED: (("retry-after", _RETRY_SECONDS),),
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
    """Return the response for a problem, as `application/problem+json` (RFC 9457).

    Args:
        problem: The reason for refusing the request.
        findings: The findings that caused the problem, as JSON values.
        more: Further members of the JSON object.
        headers: Headers in addition to those of the problem, such as `retry-after`.
        parameter: The name of an invalid parameter, which the detail text then begins with.

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
