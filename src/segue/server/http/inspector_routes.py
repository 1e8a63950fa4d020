"""The routes of the inspector: its page, and the data that the page draws.

The page is the same for every visitor and contains no conversation, so it needs no token. Its data
needs the permission to read. `segue.server.inspector` creates both.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from segue.server.http.auth import READ
from segue.server.http.query_routes import shown
from segue.server.http.request import Response
from segue.server.http.routes import Params, Route
from segue.server.processor import Compute, ConversationView, JournalEntry, Unit

_DRAWING = "/inspect/{conversationId}"
_MOST_RECENT: Final = 20_000
"""The maximum number of journal entries that are searched for causes."""


class RecentCauses(Protocol):
    """The common causes of recent findings. Its methods may be called from any thread."""

    @property
    def place(self) -> int:
        """The number of the newest journal entry that was added."""

    def add(self, entries: Sequence[JournalEntry]) -> None:
        """Add journal entries in order. Entries that were added before are ignored."""

    def sentences(self, bots: Collection[str] | None) -> list[str]:
        """Return a list of sentences, one for each common cause.

        They are about the conversations of these bots, or about all conversations if `bots` is
        None.
        """


@dataclass(frozen=True, slots=True)
class Inspector:
    """The HTML page of the inspector, and the functions that provide its data."""

    page: bytes = field(repr=False)
    """The HTML of the page in UTF-8."""
    policy: str
    """The content security policy of the page."""
    draw: Callable[[ConversationView], Mapping[str, Any]]
    """A function that converts a conversation to plain JSON values. Only the page interprets
    them."""
    causes: RecentCauses
    """The source of the sentences that the page shows above all conversations."""


def inspector_routes(inspector: Inspector) -> tuple[Route, ...]:
    """Return the routes of the page, of the data of one conversation, and of the causes."""
    page = Response.page(inspector.page, inspector.policy)
    return (
        Route("inspect", "/inspect", None, partial(_inspect, page), "HtmlPage"),
        Route("draw", _DRAWING, READ, partial(_draw, inspector), "InspectorDrawing", ("botId",)),
        Route("causes", "/causes", READ, partial(_causes, inspector.causes), "InspectorCauses"),
    )


def _inspect(page: Response, _: Params) -> Unit[Response]:
    """Show conversations in a browser as they happen."""
    yield from ()
    return page


def _draw(inspector: Inspector, params: Params) -> Unit[Response]:
    """Return the data that the page at /inspect draws. It is internal and changes with the page."""
    drawn = partial(_drawn, inspector)
    return (yield from shown(params, drawn, with_deliveries=True))


def _drawn(inspector: Inspector, view: ConversationView) -> Response:
    return Response.of(200, inspector.draw(view))


def _causes(recent: RecentCauses, params: Params) -> Unit[Response]:
    """Return the common causes of recent mistakes, as the page at /inspect shows them."""
    yield from params.processor.queries.read_journal(recent.place, _MOST_RECENT, recent.add)
    sentences = yield Compute(partial(recent.sentences, params.principal.bots))
    return Response.of(200, {"items": sentences, "next": None})
