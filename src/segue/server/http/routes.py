"""Routes: a path, the permission to use it, its handler, and the parameters of the request."""

import json
import logging
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias, TypeVar

from segue.core.events import Intake
from segue.server.http.auth import Principal
from segue.server.http.problem import Problem, problem_response
from segue.server.http.request import UNSTORABLE, Request, RequestLimits, Response, short_id
from segue.server.processor import NOW, Processor, Unit

T = TypeVar("T", bound=str | None)

_LOG: Final = logging.getLogger("segue.http")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_FEED_CURSOR: Final = re.compile(rf"{NOW}|{_NUMBER.pattern}")
_SECONDS: Final = re.compile(r"(-0(\.0)?|[0-9]{1,9}(\.[0-9]{1,40})?(e-[0-9]{1,3})?)")


def not_allowed(reason: str, name: str) -> Response:
    """Return the 403 response for a token that lacks a permission, and log the reason.

    `name` is the missing scope or permission, or the bot, for the log. The sender does not learn
    it.
    """
    _LOG.info("a token does not allow this: %s %s", reason, json.dumps(short_id(name)))
    return problem_response(Problem.NOT_ALLOWED)


class BadParameter(Exception):
    """A parameter of the request is unusable. The text of the exception is its name.

    The exception never leaves `segue.server.http`.
    """


@dataclass(frozen=True, slots=True)
class Params:
    """The argument of a route handler: a request, its path variables, and its sender.

    The methods read parameters, and raise `BadParameter` for values that are not valid.
    """

    request: Request
    variables: Mapping[str, str]
    principal: Principal
    limits: RequestLimits
    processor: Processor

    def id(self, name: str) -> str:
        """Return the id in a path variable."""
        return self.storable(self.variables[name], name)

    def number(self, name: str) -> int:
        """Return the number in a path variable, which has at most 18 digits."""
        text = self.variables[name]
        if _NUMBER.fullmatch(text) is None:
            raise BadParameter(name)
        return int(text)

    def parameter(self, name: str) -> str | None:
        """Return a query parameter, or None if it was not sent or is empty.

        Raises `BadParameter` if the parameter was sent twice.
        """
        values = self.request.parameters().get(name, ())
        if len(values) > 1:
            raise BadParameter(name)
        return self.storable(values[0], name) if values and values[0] else None

    def cursor(self) -> str | None:
        """Return the parameter `after`, such as `"120"`, or None for the first page."""
        return self._matching("after", _NUMBER)

    def feed_cursor(self) -> str | None:
        """Return the parameter `after` of the feed, or None for its beginning.

        The value is a cursor such as `"120"`, or `now` for the current end of the feed.
        """
        return self._matching("after", _FEED_CURSOR)

    def limit(self, default: int) -> int:
        """Return the parameter `limit`, the maximum number of items on a page.

        If it was not sent, return `default`, or the highest allowed limit if that is smaller.
        """
        text = self._matching("limit", _NUMBER)
        number = min(default, self.limits.page) if text is None else int(text)
        if not 1 <= number <= self.limits.page:
            raise BadParameter("limit")
        return number

    def one_of(self, name: str, known: Collection[str]) -> str | None:
        """Return a query parameter, or None if it was not sent.

        Raises `BadParameter` if the value is not one of the known words.
        """
        text = self.parameter(name)
        if text is not None and text not in known:
            raise BadParameter(name)
        return text

    def wait(self) -> float:
        """Return the parameter `wait`, the maximum number of seconds to wait for news."""
        return min(float(self._matching("wait", _SECONDS) or 0), self.limits.feed_seconds)

    def _matching(self, name: str, form: re.Pattern[str]) -> str | None:
        text = self.parameter(name)
        if text is not None and form.fullmatch(text) is None:
            raise BadParameter(name)
        return text

    def storable(self, value: T, name: str) -> T:
        """Return an id or None unchanged.

        Raises `BadParameter` if the id is too long, or contains a character of `UNSTORABLE`.
        """
        if value is not None and (
            len(value) > self.limits.max_id_length or UNSTORABLE.search(value)
        ):
            raise BadParameter(name)
        return value


RouteHandler: TypeAlias = Callable[[Params], Unit[Response]]
"""A generator function that answers a request. It yields effects and returns the response."""


@dataclass(frozen=True, slots=True)
class Route:
    """One path with its methods and the handler that answers them.

    GET includes HEAD, and OPTIONS is always answered.
    """

    name: str
    path: str
    permission: str | None
    """The permission that the sender needs, such as `read`, or None if no token is needed."""
    respond: RouteHandler
    model: str
    """The name of the OpenAPI component that describes a response with status 200."""
    query: tuple[str, ...] = ()
    """The names of the query parameters, as `openapi` describes them."""
    problems: tuple[Problem, ...] = ()
    """Problems that the handler may answer with, in addition to those that follow from the other
    fields."""
    intake: Intake | None = None
    """The intake (a row of `INTAKES`) whose bodies the route accepts, or None if it accepts no
    body."""
    is_action: bool = False
    """Whether the route changes data although it accepts no body."""

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods that the route answers, such as `("OPTIONS", "POST")`."""
        return ("GET", "HEAD", "OPTIONS") if self.method == "GET" else ("OPTIONS", "POST")

    @property
    def method(self) -> str:
        """The main method of the route, `GET` or `POST`."""
        return "GET" if self.intake is None and not self.is_action else "POST"

    @property
    def variables(self) -> list[str]:
        """The names of the variables in the path, such as `botId`."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def summary(self) -> str:
        """The docstring of the handler without its full stop, as the summary in OpenAPI."""
        handler = self.respond.func if isinstance(self.respond, partial) else self.respond
        return (handler.__doc__ or "").removesuffix(".")

    def pattern(self, prefix: str) -> re.Pattern[str]:
        """Return a regular expression that matches the paths of the route.

        It has a named group for each variable. Only a conversation id may contain slashes.
        """
        path = re.escape(prefix + self.path).replace(
            r"\{conversationId\}", "(?P<conversationId>.+)"
        )
        return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", path), re.DOTALL)
