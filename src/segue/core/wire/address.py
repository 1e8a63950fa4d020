"""The URL of an intake, built from ids and parsed back into them."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlencode

from segue.core.events import INTAKES, Intake


class AddressParts(NamedTuple):
    """The parts of a delivery's address."""

    intake: Intake
    """The endpoint."""
    bot_id: str
    """The percent-decoded id of the bot."""
    conversation_id: str | None
    """The id in the query, or None."""


def address_of(intake: Intake, bot_id: str, conversation_id: str) -> str:
    """Return the path and query for deliveries of this bot and conversation."""
    path = intake.path.replace("{botId}", quote(bot_id, safe="", errors="surrogatepass"))
    known = {"botId": bot_id, "conversationId": conversation_id}
    query = {name: known[name] for name in intake.query}
    return f"{path}?{urlencode(query, errors='surrogatepass')}" if query else path


def address_in(text: str) -> AddressParts | None:
    """Return the parts of the first intake address in a text, or None.

    The text may be a URL, a path, or a request line. Further path segments may precede the intake's
    path.
    """
    matches = ((pattern.search(text), intake) for intake, pattern in _PATTERNS.items())
    addresses = [(found, intake) for found, intake in matches if found is not None]
    if not addresses:
        return None
    found, intake = min(addresses, key=lambda each: each[0].start())
    asked = parse_qs(found["query"] or "")
    named = [asked[name][0] for name in intake.query if name in asked]
    return AddressParts(intake, unquote(found["bot"]), named[0] if named else None)


def _pattern(path: str) -> re.Pattern[str]:
    before, _, after = path.partition("{botId}")
    bot = r"(?P<bot>[^/?#\s\"]+)"
    return re.compile(
        rf"{re.escape(before)}{bot}{re.escape(after)}/?(?:\?(?P<query>[^#\s\"]*))?(?=[#\s\"]|$)"
    )


_PATTERNS: Final[Mapping[Intake, re.Pattern[str]]] = {
    intake: _pattern(intake.path) for intake in INTAKES.values()
}
