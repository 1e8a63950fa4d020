"""Additions of `segue serve --dev`: a token, a request to paste, and findings on the terminal.

The token is signed with a new secret, and is valid only while the server runs.
"""

import asyncio
import json
import shlex
from secrets import token_urlsafe
from typing import Any, Final

from segue.analysis.simulate.bodies import body, transfer
from segue.cli.credentials import sign_token
from segue.cli.feed_view import entry_lines
from segue.cli.terminal import Output
from segue.core.errors import StoreUnavailable
from segue.core.events import HOOKS
from segue.core.wire.address import address_of
from segue.report.styled_text import TextLine, Tone
from segue.server.http import RequestRecord
from segue.server.processor import NOW, Processor

_READ: Final = "Conversations"
_SCOPES: Final = f"Transcription {_READ}"
_PAGE: Final = 200
_WAIT: Final = 5.0
_REFUSED: Final = 400

_BODY: Final = body(transfer("NA entry", "a-1"))
_WELCOME: Final = """
Send it a delivery, from another terminal:

  curl {url}{path} \\
    -H 'auth: {token}' \\
    -H 'Content-Type: application/json' \\
    -d {body}

Made-up conversations as they happen, or a log, and the conversations after it:

  export SEGUE_TOKEN={token}
  segue sandbox --to {url} --conversations 50/min
  segue send LOG {url}
  curl {url}/conversations -H "auth: $SEGUE_TOKEN"

The same in a browser, as it happens; the token in it is not sent with the address:

  {url}/inspect#token={token}

"""


class DevServer:
    """The credentials and the terminal output of a server started with `--dev`, to try Segue."""

    def __init__(self) -> None:
        secret = token_urlsafe(48)
        self.auth: dict[str, Any] = {"secrets": [secret], "scopes": {"read": _READ}}
        """The keyword arguments for `segue.JwtAuth`."""
        self.token = sign_token(secret, {"scope": _SCOPES})
        self._output = Output({"color": "auto"}, flush=True, needs_reader=True)

    def welcome(self, url: str) -> str:
        """Return a text with requests to the server at `url`, to paste into another terminal."""
        path = address_of(HOOKS, _BODY["botId"], _BODY["conversationId"])
        text = shlex.quote(json.dumps(_BODY))
        return _WELCOME.format(url=url, path=path, token=self.token, body=text)

    def show_refused(self, request: RequestRecord) -> None:
        """Write one line about a request that was refused, since it does not appear in the feed."""
        if request.status < _REFUSED or request.route == "none":
            return
        line = TextLine(f"{request.status} {request.route}", Tone.ERROR)
        if request.delivery is not None:
            delivery = request.delivery
            line.add(f"  {delivery.conversation_id or ''}  ", Tone.STRONG).add(delivery.outcome)
            for code, event in delivery.findings:
                line.add(f"  {code}" if event is None else f"  {code} event {event}")
        self._output.write_lines([line])

    async def follow(self, processor: Processor) -> None:
        """Write the new entries of the feed to the terminal, until the task is cancelled."""
        after: str | None = NOW
        while True:
            try:
                page = await processor.aread_feed(after=after, limit=_PAGE, wait=_WAIT)
            except StoreUnavailable:
                await asyncio.sleep(_WAIT)
                continue
            for item in page.items:
                self._output.write_lines(entry_lines(item.to_dict(), self._output.look))
            after = page.next
