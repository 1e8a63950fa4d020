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
_SEGMENT: Final = "(?:(?!%2[Ff])[^/])+"
"""Matches a part of a path. Some servers leave a percent-encoded slash in a decoded path."""
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_FEED_CURSOR: Final = re.compile(rf"{NOW}|{_NUMBER.pattern}")
_SECONDS: Final = re.compile(r"(-0(\.0)?|[0-9]{1,9}(\.[0-9]{1,40})?(e-[0-9]{1,3})?)")


def not_allowed(reason: str, name: str) -> Response:
    """Return a 403 response for a sender who lacks a permission, and log the reason.

    `name` is the missing scope or permission, or the id of the bot. It appears only in the log.
    """
    _LOG.info("a token does not allow this: %s %s", reason, json.dumps(short_id(name)))
    return problem_response(Problem.NOT_ALLOWED)


class BadParameter(Exception):
    """A parameter of the request is not valid. The text of the exception is its name.

    `HttpApp` converts the exception to a 400 response.
    """


@dataclass(frozen=True, slots=True)
class Params:
    """The argument of a route handler: the request, the variables of its path, and its sender.

    The methods return parsed parameters, and raise `BadParameter` for values that are not valid.
    """

    request: Request
    variables: Mapping[str, str]
    principal: Principal
    limits: RequestLimits
    processor: Processor

    def id(self, name: str) -> str:
        """Return the id in the path variable `name`."""
        return self.storable(self.variables[name], name)

    def number(self, name: str) -> int:
        """Return the number in the path variable `name`. It has at most 18 digits."""
        text = self.variables[name]
        if _NUMBER.fullmatch(text) is None:
            raise BadParameter(name)
        return int(text)

    def parameter(self, name: str) -> str | None:
        """Return the query parameter `name`, or None if it is missing or empty.

        Raises `BadParameter` if the parameter was sent more than once.
        """
        values = self.request.parameters().get(name, ())
        if len(values) > 1:
            raise BadParameter(name)
        return self.storable(values[0], name) if values and values[0] else None

    def cursor(self) -> str | None:
        """Return the query parameter `after`, such as `"120"`, or None for the first page."""
        return self._matching("after", _NUMBER)

    def feed_cursor(self) -> str | None:
        """Return the query parameter `after` of the feed, or None for the beginning of the feed.

        The value is a cursor such as `"120"`, or `now` for the current end of the feed.
        """
        return self._matching("after", _FEED_CURSOR)

    def limit(self, default: int) -> int:
        """Return the query parameter `limit`, the maximum number of items on a page.

        If the parameter is missing, return `default`, but at most the highest allowed limit.
        """
        text = self._matching("limit", _NUMBER)
        number = min(default, self.limits.page) if text is None else int(text)
        if not 1 <= number <= self.limits.page:
            raise BadParameter("limit")
        return number

    def one_of(self, name: str, known: Collection[str]) -> str | None:
        """Return the query parameter `name`, or None if it is missing.

        Raises `BadParameter` if the value is not in `known`.
        """
        text = self.parameter(name)
        if text is not None and text not in known:
            raise BadParameter(name)
        return text

    def wait(self) -> float:
        """Return the query parameter `wait`: the seconds to wait for new entries of the feed.

        A value above `RequestLimits.feed_seconds` is reduced to that limit.
        """
        return min(float(self._matching("wait", _SECONDS) or 0), self.limits.feed_seconds)

    def _matching(self, name: str, form: re.Pattern[str]) -> str | None:
        text = self.parameter(name)
        if text is not None and form.fullmatch(text) is None:
            raise BadParameter(name)
        return text

    def storable(self, value: T, name: str) -> T:
        """Return `value` unchanged if it is None or an id that can be stored.

        Raises `BadParameter` if the id is too long, or contains a character that stores cannot
        keep, such as NUL.
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
    """A path, the methods that it accepts, and the handler that answers its requests.

    Every route answers OPTIONS, and a route with GET also answers HEAD.
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
        """The summary in OpenAPI, which is the docstring of the handler without its full stop."""
        handler = self.respond.func if isinstance(self.respond, partial) else self.respond
        return (handler.__doc__ or "").removesuffix(".")

    def pattern(self, prefix: str) -> re.Pattern[str]:
        """Return a regular expression that matches the paths of the route below `prefix`.

        It has a named group for each path variable. Only a conversation id may contain slashes. The
        path of an intake may have more slashes between its parts and at its end, as senders that
        join a base URL and a path often send it.
        """
        path = re.escape(prefix + self.path)
        if self.intake is not None:
            path = path.replace("/", "/+") + "/*"
        path = path.replace(r"\{conversationId\}", "(?P<conversationId>.+)")
        return re.compile(re.sub(r"\\{(\w+)\\}", rf"(?P<\1>{_SEGMENT})", path), re.DOTALL)
