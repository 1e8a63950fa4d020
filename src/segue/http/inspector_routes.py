"""The routes of the inspector: its page, and what the page draws of a conversation.

The page is the same for every visitor and holds nothing of any conversation, so it needs no token;
what it draws needs the permission to read. Both are made by a layer above this one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from segue.http.auth import READ
from segue.http.query_routes import shown
from segue.http.request import Response
from segue.http.routes import Params, Route
from segue.processor import ConversationView, Unit

_DRAWING = "/inspect/{conversationId}"


@dataclass(frozen=True, slots=True)
class Inspector:
    """The page, and what it is given of a conversation."""

    page: bytes = field(repr=False)
    """HTML in UTF-8."""
    policy: str
    """Its content security policy."""
    draw: Callable[[ConversationView], Mapping[str, Any]]
    """Returns plain JSON values; only the page knows what they mean."""


def inspector_routes(inspector: Inspector) -> tuple[Route, ...]:
    """Return the routes of the inspector."""
    headers = (
        ("content-security-policy", f"{inspector.policy}; frame-ancestors 'none'"),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
    )
    page = Response.of(200, inspector.page, "text/html; charset=utf-8", headers)
    return (
        Route("inspect", "/inspect", None, partial(_inspect, page), "HtmlPage"),
        Route("draw", _DRAWING, READ, partial(_draw, inspector), "InspectorDrawing", ("botId",)),
    )


def _inspect(page: Response, _: Params) -> Unit[Response]:
    """Show conversations in a browser, as they happen."""
    yield from ()
    return page


def _draw(inspector: Inspector, params: Params) -> Unit[Response]:
    """Give the page at /inspect what it draws; no interface, it changes with the page."""
    drawn = partial(_drawn, inspector)
    return (yield from shown(params, drawn, with_deliveries=True))


def _drawn(inspector: Inspector, view: ConversationView) -> Response:
    return Response.of(200, inspector.draw(view))
