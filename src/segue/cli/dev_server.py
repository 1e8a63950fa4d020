"""What `segue serve --dev` adds to a server: a secret, a request to paste, findings as they come.

The secret is valid as long as the server runs.
"""

import asyncio
import json
import shlex
import sys
from collections.abc import Iterator
from secrets import token_urlsafe
from typing import Any, Final

from segue.cli.feed_view import entry_lines
from segue.cli.terminal import look_of
from segue.cli.token import sign_token
from segue.errors import StoreUnavailable
from segue.http import RequestRecord
from segue.processor import NOW, Processor
from segue.report.styled_text import TextLine, Tone

__all__ = ["DevServer"]

_READ: Final = "Conversations"
_SCOPES: Final = f"Transcription {_READ}"
_PAGE: Final = 200
_WAIT: Final = 5.0
_REFUSED: Final = 400

_DELIVERY: Final = {
    "conversationId": "c-1",
    "botId": "st-1",
    "events": [
        {
            "name": "INTERNAL_TRANSFER_EVENT",
            "transfertype": "NA",
            "transition": "entry",
            "isExtAD": False,
            "experience": "chat",
            "participant": {"identity": "a-1", "name": "Ada", "type": "agent"},
        }
    ],
}


class DevServer:
    """The credentials and the terminal output of a server for trying Segue."""

    def __init__(self) -> None:
        secret = token_urlsafe(48)
        self.auth: dict[str, Any] = {"secrets": [secret], "scopes": {"read": _READ}}
        """Settings of `segue.JwtAuth`."""
        self.token = sign_token(secret, {"scope": _SCOPES})
        self._look = look_of(sys.stdout)

    def welcome(self, url: str) -> Iterator[str]:
        """Yield what to paste into another terminal."""
        yield ""
        yield "Send it a delivery, from another terminal:"
        yield ""
        yield f"  curl {url}/agentdesk/api/v1/hooks/st-1 \\"
        yield f"    -H 'auth: {self.token}' \\"
        yield "    -H 'Content-Type: application/json' \\"
        yield f"    -d {shlex.quote(json.dumps(_DELIVERY))}"
        yield ""
        yield "A log of deliveries, and what is known then:"
        yield ""
        yield f"  export SEGUE_TOKEN={self.token}"
        yield f"  segue send LOG {url}"
        yield f'  curl {url}/conversations -H "auth: $SEGUE_TOKEN"'
        yield ""
        yield "The same in a browser, as it happens; it asks for that token:"
        yield ""
        yield f"  {url}/inspect"
        yield ""

    def show_refused(self, request: RequestRecord) -> None:
        """Show a refused request, which has no entry in the feed."""
        if request.status < _REFUSED or request.route == "none":
            return
        line = TextLine(f"{request.status} {request.route}", Tone.ERROR)
        if request.delivery is not None:
            delivery = request.delivery
            line.add(f"  {delivery.conversation_id or ''}  ", Tone.STRONG).add(delivery.outcome)
            for code, event in delivery.findings:
                line.add(f"  {code}" if event is None else f"  {code} event {event}")
        self._show(line)

    async def follow(self, processor: Processor) -> None:
        """Show new entries of the feed, until cancelled."""
        after: str | None = NOW
        while True:
            try:
                page = await processor.aread_feed(after=after, limit=_PAGE, wait=_WAIT)
            except StoreUnavailable:
                await asyncio.sleep(_WAIT)
                continue
            for item in page.items:
                for line in entry_lines(item.to_dict(), self._look):
                    self._show(line)
            after = page.next

    def _show(self, line: TextLine) -> None:
        sys.stdout.write(f"{line.render(color=self._look.color)}\n")
        sys.stdout.flush()
