"""A route: what exists under a path, who may use it, what answers it, and how it is described."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from segue.events import Intake
from segue.http.params import Params
from segue.http.problem import Problem
from segue.http.request import Response
from segue.processor import Unit

__all__ = ["Route", "RouteHandler"]

RouteHandler: TypeAlias = Callable[[Params], Unit[Response]]
"""Answers requests: a generator that yields effects and returns the response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One path with one method. HEAD comes with GET, and OPTIONS with both."""

    name: str
    method: str = "GET"
    path: str
    permission: str | None
    """What its user must be allowed to do; None if no token is needed."""
    respond: RouteHandler
    summary: str
    model: str
    """Name of the response model of a 200."""
    media: str = "application/json"
    query: tuple[str, ...] = ()
    """Names of its query parameters, as `openapi` describes them."""
    problems: tuple[Problem, ...] = ()
    """Beside those of its permission and its intake."""
    intake: Intake | None = None
    """Whose bodies it takes; None if it takes no body."""
    has_long_ids: bool = False
    """Whether its last variable takes the rest of the path: ids may have slashes in them."""

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods that are answered."""
        return ("GET", "HEAD", "OPTIONS") if self.method == "GET" else ("OPTIONS", self.method)

    @property
    def variables(self) -> list[str]:
        """Names of the variables of its path."""
        return re.findall(r"{(\w+)}", self.path)

    def pattern(self, prefix: str) -> re.Pattern[str]:
        """Return what its paths match, with the variables as groups."""
        value = ".+" if self.has_long_ids else "[^/]+"
        path = re.sub(r"\\{(\w+)\\}", rf"(?P<\1>{value})", re.escape(prefix + self.path))
        return re.compile(path, re.DOTALL)
