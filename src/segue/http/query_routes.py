"""The routes of readers: conversations, their list, and the feed.

A conversation that the reader may not see is answered like an unknown one.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from segue.http.auth import READ
from segue.http.params import Params
from segue.http.problem import Problem, json_response, problem_response
from segue.http.request import Response
from segue.http.routes import Route
from segue.processor import Page, Processor, Unit

__all__ = ["query_routes"]

_LIST_PAGE = 50
_FEED_PAGE = 100


def query_routes(processor: Processor) -> Iterator[Route]:
    """Yield the routes of readers."""
    yield Route(
        name="list",
        path="/conversations",
        permission=READ,
        respond=partial(_list, processor),
        summary="List conversations, newest first",
        model="ConversationPage",
        query=("after", "limit"),
    )
    yield Route(
        name="show",
        path="/conversations/{conversationId}",
        has_long_ids=True,
        permission=READ,
        respond=partial(_show, processor),
        summary="Show what is known of a conversation",
        model="Report",
        problems=(Problem.NO_CONVERSATION,),
    )
    yield Route(
        name="feed",
        path="/feed",
        permission=READ,
        respond=partial(_feed, processor),
        summary="Page through findings and changes of phase, oldest first",
        model="FeedPage",
        query=("place", "limit", "wait"),
    )


def _list(processor: Processor, params: Params) -> Unit[Response]:
    bots, limit = params.principal.bots, params.limit(_LIST_PAGE)
    page = yield from processor.queries.conversations(
        after=params.cursor(), limit=limit, allowed_bots=bots
    )
    return _page_response(page)


def _show(processor: Processor, params: Params) -> Unit[Response]:
    conversation_id, bots = params.id("conversationId"), params.principal.bots
    view = yield from processor.queries.conversation(conversation_id, allowed_bots=bots)
    if view is None:
        return problem_response(Problem.NO_CONVERSATION)
    return json_response(200, view.to_dict())


def _feed(processor: Processor, params: Params) -> Unit[Response]:
    page = yield from processor.queries.read_feed(
        after=params.feed_cursor(),
        limit=params.limit(_FEED_PAGE),
        wait=params.wait(),
        allowed_bots=params.principal.bots,
    )
    return _page_response(page)


def _page_response(page: Page[Any]) -> Response:
    return json_response(200, {"items": [item.to_dict() for item in page.items], "next": page.next})
