"""A route: a path, who may use it, what answers it, and what it answers with."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from segue.events import Intake
from segue.http.params import Params
from segue.http.problem import Problem
from segue.http.request import Response
from segue.processor import Unit

__all__ = ["Route", "RouteHandler"]

RouteHandler: TypeAlias = Callable[[Params], Unit[Response]]
"""Answers requests: a generator that yields effects and returns the response."""


@dataclass(frozen=True, slots=True)
class Route:
    """One path with its methods. HEAD comes with GET, and OPTIONS with both."""

    name: str
    path: str
    permission: str | None
    """What its user must be allowed to do; None if no token is needed."""
    respond: RouteHandler
    model: str
    """Name of the component of OpenAPI that describes a 200."""
    query: tuple[str, ...] = ()
    """Names of its query parameters, as `openapi` describes them."""
    problems: tuple[Problem, ...] = ()
    """Beside those that come with its permission, its variables and its intake."""
    intake: Intake | None = None
    """Whose bodies it takes; None if it takes no body."""

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods that are answered."""
        return ("GET", "HEAD", "OPTIONS") if self.intake is None else ("OPTIONS", "POST")

    @property
    def variables(self) -> list[str]:
        """Names of the variables of its path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def summary(self) -> str:
        """What it does: the docstring of its handler."""
        handler = self.respond.func if isinstance(self.respond, partial) else self.respond
        return (handler.__doc__ or "").removesuffix(".")

    def pattern(self, prefix: str) -> re.Pattern[str]:
        """Return what its paths match, with the variables as groups; ids may have slashes."""
        path = re.escape(prefix + self.path).replace(
            r"\{conversationId\}", "(?P<conversationId>.+)"
        )
        return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", path), re.DOTALL)
