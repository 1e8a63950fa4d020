"""Where a delivery is sent: the path and query of an intake, with the ids filled in, and back."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlencode

from segue.core.events import INTAKES, Intake


class AddressParts(NamedTuple):
    """What the address of a delivery says."""

    intake: Intake
    """Which endpoint it is."""
    bot_id: str
    """Percent-decoded."""
    conversation_id: str | None
    """Of the query; None if it names none."""


def address_of(intake: Intake, bot_id: str, conversation_id: str) -> str:
    """Path and query that a delivery of this bot and conversation is sent to."""
    path = intake.path.replace("{botId}", quote(bot_id, safe="", errors="surrogatepass"))
    known = {"botId": bot_id, "conversationId": conversation_id}
    query = {name: known[name] for name in intake.query}
    return f"{path}?{urlencode(query, errors='surrogatepass')}" if query else path


def address_in(text: str) -> AddressParts | None:
    """Return what the first address of an intake in a text says, or None if there is none.

    The text may be a URL, a path, or a request line; a server may have paths before ours.
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
