"""The routes of the inspector: its page, and what the page draws of a conversation.

The page is the same for every visitor and holds nothing of any conversation, so it needs no token;
what it draws needs the permission to read. Both are made by a layer above this one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from segue.http.auth import READ
from segue.http.params import Params
from segue.http.problem import Problem, json_response, problem_response, raw_response
from segue.http.request import Response
from segue.http.routes import Route
from segue.processor import ConversationView, Processor, Unit

__all__ = ["Inspector", "inspector_routes"]

_MEDIA = "text/html"


@dataclass(frozen=True, slots=True)
class Inspector:
    """The page, and what it is given of a conversation."""

    page: bytes = field(repr=False)
    policy: str
    """Its content security policy."""
    draw: Callable[[ConversationView], Mapping[str, Any]]
    """Returns plain JSON values; only the page knows what they mean."""


def inspector_routes(processor: Processor, inspector: Inspector) -> Iterator[Route]:
    """Yield the routes of the inspector."""
    headers = (
        ("content-security-policy", f"{inspector.policy}; frame-ancestors 'none'"),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
    )
    page = raw_response(200, f"{_MEDIA}; charset=utf-8", inspector.page, headers)
    yield Route(
        name="inspect",
        path="/inspect",
        permission=None,
        respond=partial(_inspect, page),
        summary="Show conversations in a browser, as they happen",
        model="HtmlPage",
        media=_MEDIA,
    )
    yield Route(
        name="draw",
        path="/inspect/{conversationId}",
        has_long_ids=True,
        permission=READ,
        respond=partial(_draw, processor, inspector),
        summary="Give the page at /inspect what it draws; no interface, it changes with the page",
        model="InspectorDrawing",
        problems=(Problem.NO_CONVERSATION,),
    )


def _inspect(page: Response, _: Params) -> Unit[Response]:
    yield from ()
    return page


def _draw(processor: Processor, inspector: Inspector, params: Params) -> Unit[Response]:
    conversation_id, bots = params.id("conversationId"), params.principal.bots
    view = yield from processor.queries.conversation(conversation_id, allowed_bots=bots)
    if view is None:
        return problem_response(Problem.NO_CONVERSATION)
    return json_response(200, inspector.draw(view))
