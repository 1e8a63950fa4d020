"""The inspector: a page that shows conversations as they happen, and what it draws.

It decides how both are answered.  House rules: the page is the same for everybody and holds
nothing of any conversation, so it needs no token; what it draws is a reader's, like everything that
is read; bytes and drawing come from outside, for this room knows no page.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from segue.http.params import Call
from segue.http.problem import Problem, answer, document, refuse
from segue.http.request import Response
from segue.processor import ConversationView, Processor, Unit

__all__ = ["Inspecting", "Inspector"]

_MEDIA = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Inspector:
    """The page, and what it is told of a conversation."""

    page: bytes = field(repr=False)
    policy: str
    """Its content security policy."""
    draw: Callable[[ConversationView], Mapping[str, Any]]
    """Returns plain JSON values; only the page knows what they mean."""


class Inspecting:
    """The routes of the inspector."""

    def __init__(self, processor: Processor, inspector: Inspector) -> None:
        self._processor = processor
        self._draw = inspector.draw
        headers = (
            ("content-security-policy", f"{inspector.policy}; frame-ancestors 'none'"),
            ("cross-origin-opener-policy", "same-origin"),
            ("referrer-policy", "no-referrer"),
        )
        self._page = document(200, _MEDIA, inspector.page, headers)

    def inspect(self, _: Call) -> Unit[Response]:
        """Answer with the page."""
        yield from ()
        return self._page

    def draw(self, call: Call) -> Unit[Response]:
        """Answer with what the page shows of one conversation."""
        known = yield from self._processor.reporting(
            call.id("conversationId"), allowed_bots=call.principal.bots
        )
        if known is None:
            return refuse(Problem.NO_CONVERSATION)
        return answer(200, self._draw(known))
