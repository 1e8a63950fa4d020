"""One small world in which every request of the conformance table is answered, always the same.

Bot st-1 has three conversations: c-open (Ada holds it, the transcription runs), c-over (ended), and
one for each delivery id that was used. Bot st-9 has c-theirs. The clock stands still.
"""

import json
from datetime import UTC, datetime
from typing import Any

from tests.server.http.tokens import SECRET, Kit

import segue
from segue.server.adapters.asgi_app import AsgiApp
from segue.server.adapters.build import AppOptions, build
from segue.server.adapters.lambda_handler import LambdaHandler
from segue.server.adapters.wsgi_app import WsgiApp
from segue.server.http import HttpApp
from segue.server.processor import Processor, Store

READ_SCOPE = "Conversations"
SCOPES = {"transcription": "Transcription", "read": READ_SCOPE}
SENDS = Kit("HS256").token({"appId": "cs-1", "scope": "Transcription", "bots": ["st-1", "st-2"]})
READS = Kit("HS256").token({"appId": "cs-2", "scope": READ_SCOPE, "bots": ["st-1"]})
THEIRS = Kit("HS256").token({"appId": "cs-9", "scope": "Transcription", "bots": ["st-9"]})
UNSCOPED = Kit("HS256").token({"appId": "cs-3", "bots": ["st-1"]})
BOTLESS = Kit("HS256").token({"appId": "cs-4", "scope": "Transcription"})

ADA = {"identity": "a-1", "name": "Ada", "type": "agent"}
BEN = {"identity": "a-2", "name": "Ben", "type": "agent"}


def transfer(kind: str, way: str, agent: dict[str, str] = ADA) -> dict[str, Any]:
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": kind,
        "transition": way,
        "isExtAD": False,
        "experience": "chat",
        "participant": agent,
    }


END = {
    "name": "END_OF_CONVERSATION",
    "reason": "agent_initiated",
    "language": "en",
    "experience": "chat",
    "participant": ADA,
}
ENTRY, EXIT = transfer("NA", "entry"), transfer("NA", "exit")


def delivery(conversation: str, *events: object, bot: str = "st-1", **more: object) -> bytes:
    body = {"conversationId": conversation, "botId": bot, "events": list(events), **more}
    return json.dumps(body).encode()


def action(name: str, agent: str = "a-1", **more: object) -> bytes:
    return json.dumps({"action": name, "agentId": agent, **more}).encode()


def processor(store: Store | None = None) -> Processor:
    """The world before a request."""
    found = Processor(
        store=store or segue.MemoryStore(),
        policy=segue.Policy(reject=("SG109",)),
        clock=lambda: datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    found.receive("st-1", delivery("c-open", ENTRY))
    found.control("st-1", "c-open", action("start"))
    found.receive("st-1", delivery("c-over", ENTRY, EXIT, END))
    found.receive("st-9", delivery("c-theirs", ENTRY, bot="st-9"))
    found.receive("st-1", delivery("c-1", ENTRY), delivery_id="d-1")
    return found


AUTH = segue.JwtAuth(secret=SECRET, scopes=SCOPES, bots="bots")
OPTIONS: AppOptions = {"read": True, "inspector": True, "observers": ()}


def app(found: Processor) -> HttpApp:
    return build(found, AUTH, **OPTIONS)


def asgi() -> AsgiApp:
    return segue.asgi(processor(), auth=AUTH, **OPTIONS)


def wsgi() -> WsgiApp:
    return segue.wsgi(processor(), auth=AUTH, **OPTIONS)


def aws_lambda() -> LambdaHandler:
    return segue.server.aws_lambda(processor(), auth=AUTH, **OPTIONS)
