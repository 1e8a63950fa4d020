"""Where a delivery is sent: the path and query of an intake, with the ids filled in."""

from urllib.parse import quote, urlencode

from segue.events import Intake


def address_of(intake: Intake, bot_id: str, conversation_id: str) -> str:
    """Path and query that a delivery of this bot and conversation is sent to."""
    path = intake.path.replace("{botId}", quote(bot_id, safe="", errors="surrogatepass"))
    known = {"botId": bot_id, "conversationId": conversation_id}
    query = {name: known[name] for name in intake.query}
    return f"{path}?{urlencode(query, errors='surrogatepass')}" if query else path
