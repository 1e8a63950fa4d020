"""Signed addresses for callbacks of the platform.

The platform sends notifications and callbacks without a credential. Therefore the host gives it an
address that contains one: an HMAC of the path, the ids and the expiry time. It is verified before
the body is read.
"""

import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from time import time
from typing import Final
from urllib.parse import quote, urlencode

from segue.core.errors import ConfigurationError
from segue.core.events import INTAKES, TRANSFER_CALLBACKS, Intake
from segue.core.options import check_choice, check_options
from segue.core.web_address import web_address
from segue.server.http.auth import Principal, secret_bytes
from segue.server.http.problem import Problem
from segue.server.http.request import UNSTORABLE, Request
from segue.server.processor import PATH_STEPS, Unit

_LONGEST: Final = 12
"""The maximum number of digits of an expiry time."""
_IDS: Final = ("conversationId", "requestId")


def callback_url(
    base: str,
    bot: str,
    secret: str | bytes,
    expires: datetime,
    *,
    conversation_id: str | None = None,
    request_id: str | None = None,
    intake: str = "notifications",
) -> str:
    """Return a signed URL to which the platform can send callbacks without a token.

    Pass the URL to the platform as `notifyurl` when you request a call (E2), or as `callbackUrl`
    when you request a transfer (E9). The application that is served at `base` must have the same
    secret (`callback_secret=…`). It refuses a URL without a valid signature, after `expires`, and
    with another path or other ids than those that were signed.

    Args:
        base: The address where the application is served, such as `https://desk.example/segue`.
        bot: The id of the bot that the call or conversation belongs to.
        secret: A secret of at least 32 bytes. Anyone who has it can sign URLs.
        expires: The time at which the URL expires, as an aware datetime.
        conversation_id: The id of the conversation. It is required for a transfer, and optional for
            a call, because the body of the notification names the conversation.
        request_id: Your own name for the request; see `Processor.expect_call`.
        intake: `notifications`, or `transfers` for the callback of a transfer.

    Raises `ConfigurationError` if an argument is not valid.

    """
    check_options(callback_url, locals())
    check_choice("intake", intake, [each.name for each in INTAKES.values() if each.is_callback])
    row = INTAKES[intake]
    if row is TRANSFER_CALLBACKS and not conversation_id:
        raise ConfigurationError("a transfer callback needs its conversation: give conversation_id")
    address = web_address(base)
    if address is None or address.query or address.fragment or "@" in address.netloc:
        raise ConfigurationError(
            "`base` must be the address of an application, for example "
            f"https://desk.example/segue, got {base!r}"
        )
    _check_ids(bot, conversation_id, request_id)
    until = str(int(expires.timestamp()))
    named = dict(zip(_IDS, (conversation_id, request_id), strict=True))
    given = {name: each for name, each in named.items() if each}
    signature = _signature(key_of(secret), row, bot, given, until)
    path = row.path.replace("{botId}", quote(bot, safe=""))
    query = urlencode({**given, "expires": until, "signature": signature})
    return f"{base.rstrip('/')}{path}?{query}"


def _check_ids(bot: str, conversation_id: str | None, request_id: str | None) -> None:
    """Raise `ConfigurationError` if an id cannot be part of a URL that the application accepts."""
    ids: tuple[object, ...] = (bot, conversation_id or "", request_id or "")
    if not bot or not all(isinstance(each, str) and not UNSTORABLE.search(each) for each in ids):
        raise ConfigurationError(
            "`bot` must not be empty, and ids must not contain NUL, lone surrogates or U+FFFD"
        )
    if "/" in bot or "%2f" in bot.lower() or bot in PATH_STEPS:
        raise ConfigurationError(
            f"`bot` must not contain / or %2F or be . or .., which are steps of a path, got {bot!r}"
        )
    if conversation_id in PATH_STEPS:
        raise ConfigurationError(f"`conversation_id` must not be . or .., got {conversation_id!r}")


def key_of(secret: str | bytes) -> bytes:
    """Encode the secret of signed URLs as bytes; see `secret_bytes` for its errors."""
    return secret_bytes(secret, "callback_secret")


def _signature(key: bytes, intake: Intake, bot: str, ids: Mapping[str, str], expires: str) -> str:
    signed = [intake.name, bot, *(ids.get(name) for name in _IDS), expires]
    return hmac.new(key, json.dumps(signed).encode(), "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class SignedUrls:
    """Verifies that a request was sent to an address that `callback_url` created."""

    key: bytes = field(repr=False)
    clock: Callable[[], float] = time

    def verify(self, request: Request, intake: Intake, bot: str) -> Unit[Principal | Problem]:
        """Return the sender of a request whose URL has a valid signature that has not expired.

        Return `Problem.BAD_ADDRESS` for any other request. The returned sender may only send for
        `bot`, and only to the endpoint `intake`.
        """
        yield from ()
        parameters = request.parameters()
        known = {name: parameters.get(name, ()) for name in (*_IDS, "expires", "signature")}
        sent = {name: values[0] for name, values in known.items() if values and values[0]}
        expires, signature = sent.get("expires", ""), sent.get("signature", "")
        wanted = _signature(self.key, intake, bot, sent, expires)
        is_ours = hmac.compare_digest(wanted.encode(), signature.encode("utf-8", "replace"))
        is_time = expires.isascii() and expires.isdigit() and len(expires) <= _LONGEST
        is_plain = all(len(values) <= 1 for values in known.values())
        if not (is_ours and is_plain and is_time and self.clock() < int(expires)):
            return Problem.BAD_ADDRESS
        return Principal(bots=(bot,), permissions=frozenset((intake.permission,)))
