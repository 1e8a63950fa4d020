"""What readers see: conversations, their list, and the feed of what is new.

It decides how an account is answered.  House rule: what a reader may not see does not exist for it,
so another bot's conversation is answered like an unknown one.
"""

from segue.http.params import Call
from segue.http.problem import Problem, answer, refuse
from segue.http.request import Response
from segue.processor import FeedEntry, Page, Processor, Row, Unit

__all__ = ["Reading"]

_LIST_PAGE = 50
_FEED_PAGE = 100


class Reading:
    """The routes of readers."""

    def __init__(self, processor: Processor) -> None:
        self._processor = processor

    def show(self, call: Call) -> Unit[Response]:
        """Answer with all that is known of one conversation."""
        known = yield from self._processor.reporting(
            call.id("conversationId"), allowed_bots=call.principal.bots
        )
        if known is None:
            return refuse(Problem.NO_CONVERSATION)
        return answer(200, known.to_dict())

    def list(self, call: Call) -> Unit[Response]:
        """Answer with a page of conversations, newest first."""
        page = yield from self._processor.listing(
            after=call.cursor(), limit=call.limit(_LIST_PAGE), allowed_bots=call.principal.bots
        )
        return _page(page)

    def feed(self, call: Call) -> Unit[Response]:
        """Answer with a page of news, oldest first, as soon as there are some."""
        page = yield from self._processor.feeding(
            after=call.place(),
            limit=call.limit(_FEED_PAGE),
            wait=call.wait(),
            allowed_bots=call.principal.bots,
        )
        return _page(page)


def _page(page: Page[Row] | Page[FeedEntry]) -> Response:
    return answer(200, {"items": [item.to_dict() for item in page.items], "next": page.next})
