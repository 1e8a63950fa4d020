"""The steps of one client call, as a generator that performs no I/O itself.

The generator yields a request to send or a pause to make. The client performs it and sends the
result back, so that both clients share the same code.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from segue.core.errors import ConfigurationError
from segue.platform.client.errors import PlatformUnreachable, RequestRefused
from segue.platform.client.transport import (
    LATE,
    AnswerTooLong,
    TransportFailed,
    check_length,
)
from segue.platform.messages import ReceivedAnswer, SentRequest
from segue.platform.requests import Dialects, build_request, spoken
from segue.platform.rows import Endpoint, VariantKind

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel

_TRIES: Final = 6
_PROBLEM_LENGTH: Final = 500
_SUCCESS: Final = range(200, 300)
_REDIRECTION: Final = range(300, 400)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that all calls of a client share.

    `account` and `app` are default ids, and `token` is a JWT or a function that returns one.
    """

    token: str | Callable[[], str] = field(repr=False)
    account: str | None = None
    app: str | None = None
    timeout: float = 30.0
    """The time limit of one call in seconds, from the first connection to the checked answer."""
    is_strict: bool = False
    """Whether answers that violate the specification raise `RequestRefused`."""
    repeats_posts: bool = False
    """Whether a POST is retried like a GET or PUT."""
    dialects: Dialects = ""

    def current_token(self) -> str:
        """Return the current token, calling `token` if it is a function.

        Raises:
            ConfigurationError: The token has characters that a header cannot contain. The message
                does not quote it.

        """
        token = self.token if isinstance(self.token, str) else self.token()
        if not token or not all("!" <= character <= "~" for character in token):
            raise ConfigurationError("the token must be visible ASCII text without spaces")
        return token


@dataclass(frozen=True, slots=True)
class SendNow:
    """An effect that `exchange` yields to have the client send a request.

    The client sends a `ReceivedAnswer` back to the generator, or a `TransportFailed` if there is no
    answer.
    """

    request: SentRequest
    timeout: float
    """The time limit of the request in seconds."""


@dataclass(frozen=True, slots=True)
class PauseFor:
    """An effect that `exchange` yields to have the client wait for some seconds.

    The client sends None back to the generator.
    """

    seconds: float


Reply = ReceivedAnswer | TransportFailed | None
Exchange = Generator[SendNow | PauseFor, Reply, "PlatformModel"]


def exchange(
    settings: Settings,
    row: Endpoint,
    arguments: Mapping[str, Any],
    extra: Mapping[str, Any] | None,
    clock: Callable[[], float],
) -> Exchange:
    """Return a generator that performs one call of an endpoint.

    It yields effects (`SendNow`, `PauseFor`) for the client to perform, and returns the answer as
    an instance of the endpoint's model. The call is retried after a 429, a 503 or a failed
    transport, up to 6 requests in all, if its method is GET or PUT or if the settings allow to
    repeat a POST.

    Raises:
        ConfigurationError: The arguments or the token are invalid.
        PlatformUnreachable: No complete answer came in time.
        RequestRefused: The answer is an error, or violates the specification in strict mode.

    """
    given = {"account": settings.account, "app": settings.app}
    given |= {name: value for name, value in arguments.items() if value is not None}
    built = build_request(row, given, extra, settings.dialects)
    token = settings.current_token()
    request = _with_token(row, built, token, settings.dialects)
    may_repeat = built.method in {"GET", "PUT"} or settings.repeats_posts
    deadline = clock() + settings.timeout
    reply: Reply = None
    for tries in range(_TRIES):
        reply = yield SendNow(request, max(deadline - clock(), 0.001))
        reply = _bounded(reply)
        if not _is_passing(reply):
            break
        delay = _delay(reply, tries)
        if not may_repeat or tries == _TRIES - 1 or clock() + delay >= deadline:
            break
        yield PauseFor(delay)
    if not isinstance(reply, ReceivedAnswer):
        raise _unreachable(row, reply)

    def check_time() -> None:
        if clock() >= deadline:
            raise _unreachable(row, LATE)

    return _result(settings, row, reply, arguments, token, check_time)


def _unreachable(row: Endpoint, problem: object) -> PlatformUnreachable:
    return PlatformUnreachable(f"{row.name} ({row.number}): {problem}")


def _with_token(row: Endpoint, built: SentRequest, token: str, dialects: Dialects) -> SentRequest:
    headers = {"Accept": "application/json", **built.headers}
    if built.body is not None:
        headers["Content-Type"] = "application/json"
    elif built.method != "GET":
        headers["Content-Length"] = "0"
    headers[spoken(row, VariantKind.AUTHENTICATION, dialects) or "auth"] = token
    return replace(built, headers=headers)


def _bounded(reply: Reply) -> Reply:
    """Return the reply, or an error for an answer that is too long, whichever transport it used."""
    try:
        check_length(len(reply.body) if isinstance(reply, ReceivedAnswer) else 0)
    except AnswerTooLong as error:
        return error
    return reply


def _is_passing(reply: Reply) -> bool:
    """Return whether the same request may succeed later, as after a 429, a 503 or a timeout."""
    if isinstance(reply, ReceivedAnswer):
        return reply.status in {429, 503}
    return not isinstance(reply, AnswerTooLong)


def _delay(reply: Reply, tries: int) -> float:
    """Return the number of seconds to wait before the next request.

    It is taken from the `Retry-After` header. Without one, it is 0.25 for the first retry and
    doubles with each further retry.
    """
    headers = reply.headers if isinstance(reply, ReceivedAnswer) else {}
    after = headers.get("retry-after", "")
    if after.isascii() and after.isdigit():
        return float(after)
    until = _seconds_until(after, headers.get("date", "")) if after else None
    return 0.25 * 2.0**tries if until is None else max(until, 0.0)


def _seconds_until(at: str, now: str) -> float | None:
    """Return the number of seconds until an HTTP date, or None if `at` cannot be parsed.

    `now` is the `Date` header of the answer. If `now` cannot be parsed, the local clock is used.
    """
    until, since = _date(at), _date(now) or datetime.now(UTC)
    return None if until is None else (until - since).total_seconds()


def _date(text: str) -> datetime | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - seldom needed

    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _result(  # noqa: PLR0917 - the parts of one call
    settings: Settings,
    row: Endpoint,
    answer: ReceivedAnswer,
    arguments: Mapping[str, Any],
    token: str,
    check_time: Callable[[], None],
) -> "PlatformModel":
    from segue.platform.answers import read_answer  # noqa: PLC0415 - pydantic on first use

    result = read_answer(row, answer, arguments, check_time)
    has_failures = bool(row.failures and getattr(result, "failed", None))
    if not has_failures and answer.status not in _SUCCESS:
        raise _refused(row, answer, _problem(answer, token), token)
    if settings.is_strict and result.flaws:
        flaws = "; ".join(map(str, result.flaws[:3])).replace(token, "***")
        raise _refused(row, answer, flaws, token)
    return result


def _problem(answer: ReceivedAnswer, token: str) -> str:
    if answer.status in _REDIRECTION:
        return "redirects are not followed: check the base URL"
    text = answer.body.decode("utf-8", "replace").replace(token, "***")
    shown = "".join(each if each.isprintable() else " " for each in text[: 4 * _PROBLEM_LENGTH])
    return " ".join(shown.split())[:_PROBLEM_LENGTH]


def _refused(row: Endpoint, answer: ReceivedAnswer, problem: str, token: str) -> RequestRefused:
    request_id = answer.headers.get("x-request-id") or answer.headers.get("x-correlation-id")
    shown = request_id and request_id.replace(token, "***")
    return RequestRefused(answer.status, problem, row.number, shown)
