"""A backend for the server that `segue sandbox` sends conversations to, and its views."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from segue.cli.client import ServerClient
from segue.cli.send import FATAL
from segue.cli.store_address import existing_processor
from segue.core.errors import ConfigurationError
from segue.core.events import INTAKES
from segue.core.wire.address import address_of
from segue.testing.backend import Backend, BackendAnswer, BackendDelivery
from segue.testing.views import View, of_page

_ID = "{conversationId}"
_SIGNED = (
    "the server accepts callbacks at signed addresses only, which the sandbox does not have: start "
    "the server without SEGUE_CALLBACK_SECRET (callback_secret=…)"
)
_UNREAD = {
    401: "the token is not accepted for reading, put another one into SEGUE_TOKEN",
    403: (
        "the token lacks the scope of readers, so add it to --scope, as in "
        '--scope "Transcription Conversations", or put another token into SEGUE_TOKEN'
    ),
}
"""The error messages for statuses that end a run, since every conversation would get them."""


def hook_backend(client: ServerClient, view: View | None) -> Backend:
    """Return a backend that sends deliveries with this client, and reads state with `view`.

    Each delivery is retried until the timeout of the client. A status such as 401, which all
    deliveries would get, raises `ConfigurationError`.
    """

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        body = delivered.body
        path = address_of(INTAKES[delivered.endpoint], delivered.bot_id, delivered.conversation_id)
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        reply = client.post(path, data, delivered.delivery_id)
        if reply.status in FATAL:
            is_signed = str(reply.value.get("type")).endswith(":bad-address")
            raise ConfigurationError(_SIGNED if is_signed else FATAL[reply.status])
        return BackendAnswer(reply.status, reply.value)

    return Backend(deliver, view)


def url_view(template: str, client: ServerClient) -> View:
    """Return a view function that reads the state of a conversation from the server.

    `template` is a path that contains `{conversationId}`, or a URL below that of the server. Raise
    `ConfigurationError` for any other text.
    """
    if _ID not in template:
        raise ConfigurationError(f"--view does not name a conversation: put {_ID} into it")
    path = template.removeprefix(client.url.rstrip("/"))
    if not path.startswith("/"):
        msg = f"--view must be a path of the server {client.url}, or a URL below it"
        raise ConfigurationError(msg)

    def view(conversation_id: str) -> Mapping[str, Any]:
        reply = client.get(path.replace(_ID, quote(conversation_id, safe="")))
        if reply.status in _UNREAD:
            raise ConfigurationError(f"{path} answers {reply.status}: {_UNREAD[reply.status]}")
        return of_page(reply.status, reply.value)

    return view


def store_view(address: str) -> Callable[[str], Mapping[str, Any]]:
    """Return a view function that reads conversations from the store of a Segue server."""
    processor = existing_processor(address)

    def view(conversation_id: str) -> Mapping[str, Any]:
        found = processor.conversation(conversation_id)
        return {"phase": "unknown"} if found is None else of_page(200, found.report.to_dict())

    return view
