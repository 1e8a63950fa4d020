"""Functions that build the URL of an intake from ids, and extract the ids from a URL."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlencode

from segue.core.events import INTAKES, Intake


class AddressParts(NamedTuple):
    """The intake and the ids that a URL contains."""

    intake: Intake
    """The endpoint that the URL belongs to."""
    bot_id: str
    """The id of the bot, with percent-encoding removed, or an empty string for a placeholder."""
    conversation_id: str | None
    """The id of the conversation in the query, or None."""


def address_of(intake: Intake, bot_id: str, conversation_id: str) -> str:
    """Return the URL path for deliveries of a conversation, such as `/notifications/b-1`.

    The path includes a query if the intake expects the id of the conversation there.
    """
    path = intake.path.replace("{botId}", quote(bot_id, safe="", errors="surrogatepass"))
    known = {"botId": bot_id, "conversationId": conversation_id}
    query = {name: known[name] for name in intake.query}
    return f"{path}?{urlencode(query, errors='surrogatepass')}" if query else path


def address_in(text: str) -> AddressParts | None:
    """Return the intake and the ids of the first intake URL in a text, or None without such a URL.

    The text may be a URL, a path, or the first line of an HTTP request. Other path segments may
    precede the path of the intake.
    """
    matches = ((pattern.search(text), intake) for intake, pattern in _PATTERNS.items())
    addresses = [(found, intake) for found, intake in matches if found is not None]
    if not addresses:
        return None
    found, intake = min(addresses, key=lambda each: each[0].start())
    asked = parse_qs(found["query"] or "")
    named = [asked[name][0] for name in intake.query if name in asked]
    return AddressParts(intake, unquote(found["bot"] or ""), named[0] if named else None)


def _pattern(path: str) -> re.Pattern[str]:
    """Return a regular expression for URLs with this `path`, which contains `{botId}`.

    The named groups are `bot` and `query`. The path may have more slashes between its parts and at
    its end.
    """
    before, _, after = path.partition("{botId}")
    bot = rf"(?:{_TEMPLATE}|(?P<bot>[^/?{_END}]+))"
    return re.compile(
        rf"{_slashes(before)}{bot}{_slashes(after)}/*(?:\?(?P<query>[^{_END}]*))?(?=[{_END}]|$)"
    )


def _slashes(path: str) -> str:
    return re.escape(path).replace("/", "/+")


_TEMPLATE: Final = r"(?:\{[^{}/?\s]*\}|:[A-Za-z_]\w*|<\w+>)(?=[/?#\s\"'`]|$)"
"""A placeholder of a route, such as `{botId}`, which is not an id."""

_END: Final = r"#\s\"'`,;|()<>\[\]{}\\\x1b"
"""Characters that end a URL in a text, as a character class of a regular expression."""

_PATTERNS: Final[Mapping[Intake, re.Pattern[str]]] = {
    intake: _pattern(intake.path) for intake in INTAKES.values()
}
"""The pattern that matches URLs of each intake."""
