"""The routes of readers: one conversation, the list of conversations, and the feed.

A conversation that the reader may not see is answered like an unknown one.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from segue.server.http.auth import READ
from segue.server.http.problem import Problem, problem_response
from segue.server.http.request import Response
from segue.server.http.routes import Params, Route
from segue.server.processor import Compute, ConversationView, Page, SeveralConversations, Unit

T = TypeVar("T")

_LIST_PAGE: Final = 50
_SHOW_PAGE: Final = 100
_SHOWN: Final = 2_000
"""The maximum number of events and findings of a conversation in one response. Readers get the
others in pages."""
_FEED_PAGE: Final = 100


def _list(params: Params) -> Unit[Response]:
    """List conversations, newest first."""
    bots, limit = params.principal.bots, params.limit(_LIST_PAGE)
    page = yield from params.processor.queries.conversations(
        after=params.cursor(), limit=limit, allowed_bots=bots
    )
    return _page_response(page)


def _show(params: Params) -> Unit[Response]:
    """Show a conversation, or a page of its findings or events."""
    queries = params.processor.queries
    pages = {"findings": queries.findings, "events": queries.events}
    name = params.one_of("page", pages)
    if name is None:
        return (yield from shown(params, lambda view: Response.of(200, view.to_dict())))
    after, limit = params.cursor(), params.limit(_SHOW_PAGE)
    read = partial(pages[name], after=after, limit=limit)
    return (yield from _answer(params, read, _page_response))


def shown(
    params: Params,
    show: Callable[[ConversationView], Response],
    *,
    with_deliveries: bool = False,
) -> Unit[Response]:
    """Answer with the conversation that the path and the parameter `botId` name.

    `show` converts the conversation to a response. An unknown conversation is answered with 404,
    and an id that several bots use with 409.
    """
    read = partial(
        params.processor.queries.conversation, most=_SHOWN, with_deliveries=with_deliveries
    )
    return (yield from _answer(params, read, show))


def _answer(
    params: Params, read: Callable[..., Unit[T | None]], show: Callable[[T], Response]
) -> Unit[Response]:
    conversation_id, bot_id = params.id("conversationId"), params.parameter("botId")
    try:
        found = yield from read(conversation_id, bot_id, params.principal.bots)
    except SeveralConversations as several:
        more = {"bots": list(several.bots)}
        return problem_response(Problem.SEVERAL_CONVERSATIONS, more=more)
    if found is None:
        return problem_response(Problem.NO_CONVERSATION)
    response: Response = yield Compute(partial(show, found))
    return response


def _feed(params: Params) -> Unit[Response]:
    """Page through findings and changes of phase, oldest first."""
    page = yield from params.processor.queries.read_feed(
        after=params.feed_cursor(),
        limit=params.limit(_FEED_PAGE),
        wait=params.wait(),
        allowed_bots=params.principal.bots,
    )
    return _page_response(page)


def _page_response(page: Page[Any]) -> Response:
    return Response.of(200, {"items": [item.to_dict() for item in page.items], "next": page.next})


_SHOW: Final = ("botId", "page", "after", "limit")

QUERY_ROUTES: Final = (
    Route("list", "/conversations", READ, _list, "ConversationPage", ("after", "limit")),
    Route("show", "/conversations/{conversationId}", READ, _show, "Shown", _SHOW),
    Route("feed", "/feed", READ, _feed, "FeedPage", ("place", "limit", "wait")),
)
