"""The newest refusals: requests from accepted senders that were answered with 4xx.

A refusal contains ids, codes, positions and the problem of the answer, but no text from the sender.
The bodies are in the quarantine. Each process has its own list, in memory.
"""

import json
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any, Final

from segue.server.http.auth import READ
from segue.server.http.request import Response, short_id
from segue.server.http.routes import Params, Route
from segue.server.processor import Unit

_MOST: Final = 1000
_PAGE: Final = 50
_FINDINGS: Final = 20


@dataclass(frozen=True, slots=True)
class _Refusal:
    number: int
    bot_id: str
    value: dict[str, Any]


class Refusals:
    """The newest 1,000 refusals of this process. It is safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: deque[_Refusal] = deque(maxlen=_MOST)
        self._number = 0

    def add(self, endpoint: str, bot_id: str, answer: Response) -> None:
        """Add the refusal of one request.

        `endpoint` is the name of the route, and `answer` is the problem response.
        """
        problem = json.loads(answer.body)
        delivery = answer.delivery
        value = {
            "at": datetime.now(tz=UTC).isoformat(timespec="milliseconds"),
            "endpoint": endpoint,
            "bot_id": short_id(bot_id),
            "conversation_id": None if delivery is None else short_id(delivery.conversation_id),
            "status": answer.status,
            "type": problem["type"],
            "title": problem["title"],
            "findings": [
                {"code": finding["code"], "event": finding["event"]}
                for finding in problem["findings"][:_FINDINGS]
            ],
        }
        with self._lock:
            self._number += 1
            self._kept.append(_Refusal(self._number, bot_id, value))

    def newest(
        self, before: int | None, limit: int, bots: Collection[str] | None
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Return a page of refusals as JSON values, and the cursor of the next page or None.

        The newest refusal comes first. `before` selects refusals with smaller numbers, and `bots`
        those of some bots. None selects all.
        """
        with self._lock:
            kept = list(self._kept)
        seen = (
            each
            for each in reversed(kept)
            if (before is None or each.number < before) and (bots is None or each.bot_id in bots)
        )
        page = list(islice(seen, limit + 1))
        is_more = len(page) > limit
        found = page[:limit]
        return [each.value for each in found], str(found[-1].number) if is_more else None


def refusal_routes(refusals: Refusals) -> Iterable[Route]:
    """Return a tuple of the one route that lists the refusals."""
    respond = partial(_list, refusals)
    return (Route("refusals", "/refusals", READ, respond, "RefusalPage", ("after", "limit")),)


def _list(refusals: Refusals, params: Params) -> Unit[Response]:
    """List the newest requests of senders that were answered with 4xx, newest first."""
    yield from ()
    after, limit = params.cursor(), params.limit(_PAGE)
    before = None if after is None else int(after)
    items, following = refusals.newest(before, limit, params.principal.bots)
    return Response.of(200, {"items": items, "next": following})
