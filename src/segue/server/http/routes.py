"""Routes: a path, the permission to use it, its handler, and the parameters of the handler."""

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
    """Answer that a token lacks a permission, and log the reason for the operator.

    The sender does not learn the reason.
    """
    _LOG.info("a token does not allow this: %s %s", reason, json.dumps(short_id(name)))
    return problem_response(Problem.NOT_ALLOWED)


class BadParameter(Exception):
    """The parameter with this name is unusable. The error never leaves `segue.server.http`."""


@dataclass(frozen=True, slots=True)
class Params:
    """A request, the variables of its path, its sender, and the objects needed to answer it."""

    request: Request
    variables: Mapping[str, str]
    principal: Principal
    limits: RequestLimits
    processor: Processor

    def id(self, name: str) -> str:
        """Return an id from the path."""
        return self.storable(self.variables[name], name)

    def number(self, name: str) -> int:
        """Return a number from the path."""
        text = self.variables[name]
        if _NUMBER.fullmatch(text) is None:
            raise BadParameter(name)
        return int(text)

    def parameter(self, name: str) -> str | None:
        """Return a query parameter, or None if it was not sent or is empty."""
        values = self.request.parameters().get(name, ())
        if len(values) > 1:
            raise BadParameter(name)
        return self.storable(values[0], name) if values and values[0] else None

    def cursor(self) -> str | None:
        """Return the cursor of the page, or None for the first page."""
        return self._matching("after", _NUMBER)

    def feed_cursor(self) -> str | None:
        """Return the cursor in the feed, `now` for its end, or None for its beginning."""
        return self._matching("after", _FEED_CURSOR)

    def limit(self, default: int) -> int:
        """Return the maximum number of items on a page."""
        text = self._matching("limit", _NUMBER)
        number = min(default, self.limits.page) if text is None else int(text)
        if not 1 <= number <= self.limits.page:
            raise BadParameter("limit")
        return number

    def one_of(self, name: str, known: Collection[str]) -> str | None:
        """Return a query parameter that must be one of these words, or None if it was not sent."""
        text = self.parameter(name)
        if text is not None and text not in known:
            raise BadParameter(name)
        return text

    def wait(self) -> float:
        """Return the maximum number of seconds to wait for news."""
        return min(float(self._matching("wait", _SECONDS) or 0), self.limits.feed_seconds)

    def _matching(self, name: str, form: re.Pattern[str]) -> str | None:
        text = self.parameter(name)
        if text is not None and form.fullmatch(text) is None:
            raise BadParameter(name)
        return text

    def storable(self, value: T, name: str) -> T:
        """Return an id or None unchanged. Raise `BadParameter` if the id cannot be stored."""
        if value is not None and (
            len(value) > self.limits.max_id_length or UNSTORABLE.search(value)
        ):
            raise BadParameter(name)
        return value


RouteHandler: TypeAlias = Callable[[Params], Unit[Response]]
"""A generator function that answers requests. It yields effects and returns the response."""


@dataclass(frozen=True, slots=True)
class Route:
    """One path with its methods. GET includes HEAD, and OPTIONS is always answered."""

    name: str
    path: str
    permission: str | None
    """The permission that the user needs, or None if no token is needed."""
    respond: RouteHandler
    model: str
    """The name of the OpenAPI component that describes a response with status 200."""
    query: tuple[str, ...] = ()
    """The names of the query parameters, as described by `openapi`."""
    problems: tuple[Problem, ...] = ()
    """Problems in addition to those of its permission, its variables and its intake."""
    intake: Intake | None = None
    """The intake whose bodies the route accepts, or None if it accepts no body."""
    is_action: bool = False
    """Whether the route changes data although it accepts no body."""

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods that the route answers."""
        return ("GET", "HEAD", "OPTIONS") if self.method == "GET" else ("OPTIONS", "POST")

    @property
    def method(self) -> str:
        """The main method of the route."""
        return "GET" if self.intake is None and not self.is_action else "POST"

    @property
    def variables(self) -> list[str]:
        """The names of the variables in the path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def summary(self) -> str:
        """The docstring of the handler."""
        handler = self.respond.func if isinstance(self.respond, partial) else self.respond
        return (handler.__doc__ or "").removesuffix(".")

    def pattern(self, prefix: str) -> re.Pattern[str]:
        """Return the pattern of its paths, with variables as groups. Ids may contain slashes."""
        path = re.escape(prefix + self.path).replace(
            r"\{conversationId\}", "(?P<conversationId>.+)"
        )
        return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", path), re.DOTALL)
