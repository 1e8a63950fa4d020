"""The routes of readers: conversations, their list, and the feed.

A conversation that the reader may not see is answered like an unknown one.
"""

from collections.abc import Iterator

from segue.http.auth import READ
from segue.http.params import Params
from segue.http.problem import Problem, json_response, problem_response
from segue.http.request import Response
from segue.http.routes import Route
from segue.processor import ConversationView, Processor, Unit

__all__ = ["query_routes", "viewed"]

_LIST_PAGE = 50
_FEED_PAGE = 100


def query_routes(processor: Processor) -> Iterator[Route]:
    """Yield the routes."""

    def conversations(params: Params) -> Unit[Response]:
        page = yield from processor.listing(
            after=params.cursor(),
            limit=params.limit(_LIST_PAGE),
            allowed_bots=params.principal.bots,
        )
        return _page_response(page)

    def conversation(params: Params) -> Unit[Response]:
        view = yield from viewed(processor, params)
        return problem_response(Problem.NO_CONVERSATION) if view is None else json_response(200, view.to_dict())

    def feed(params: Params) -> Unit[Response]:
        page = yield from processor.feeding(
            after=params.feed_cursor(),
            limit=params.limit(_FEED_PAGE),
            wait=params.wait(),
            allowed_bots=params.principal.bots,
        )
        return _page_response(page)
