"""The routes, in one table.

It decides what exists, by which method, and who may use it.  House rules: one row a route, one
route a path; HEAD comes with GET, and OPTIONS with everything; the OpenAPI document is made of the
same rows.  It does not know what a route does.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from segue.events import HOOKS, TRANSCRIPTION
from segue.http.auth import Operation

__all__ = ["ROUTES", "Match", "Route", "match"]


class Route(NamedTuple):
    """One row."""

    name: str
    method: str
    path: str
    operation: Operation | None
    """What its user must be allowed to do; None: anybody may use it."""

    @property
    def methods(self) -> tuple[str, ...]:
        """All methods that are answered."""
        return ("GET", "HEAD", "OPTIONS") if self.method == "GET" else ("OPTIONS", self.method)


class Match(NamedTuple):
    """A route that a path leads to, and what stands in the path where the route has a name."""

    route: Route
    named: Mapping[str, str]


ROUTES: Final = (
    Route("deliver", "POST", HOOKS.path, Operation.HOOKS),
    Route("control", "POST", TRANSCRIPTION.path, Operation.TRANSCRIPTION),
    Route("list", "GET", "/conversations", Operation.READ),
    Route("show", "GET", "/conversations/{conversationId}", Operation.READ),
    Route("feed", "GET", "/feed", Operation.READ),
    Route("inspect", "GET", "/inspect", None),
    Route("draw", "GET", "/inspect/{conversationId}", Operation.READ),
    Route("health", "GET", "/healthz", None),
    Route("ready", "GET", "/readyz", None),
    Route("describe", "GET", "/openapi.json", None),
)

_REST: Final = frozenset({"show", "draw"})
"""Routes whose last name takes all that is left of the path: ids may have slashes in them."""


def match(path: str) -> Match | None:
    """Find the route a path leads to."""
    parts = path.split("/")
    for route, template in _TEMPLATES:
        found = parts
        if route.name in _REST:
            found = [*parts[: len(template) - 1], "/".join(parts[len(template) - 1 :])]
        if len(found) != len(template):
            continue
        pairs = list(zip(template, found, strict=True))
        if all(_fits(wanted, part) for wanted, part in pairs):
            named = {wanted[1:-1]: part for wanted, part in pairs if wanted.startswith("{")}
            return Match(route, named)
    return None


def _fits(wanted: str, part: str) -> bool:
    return part != "" if wanted.startswith("{") else part == wanted


_TEMPLATES: Final = tuple((route, route.path.split("/")) for route in ROUTES)
