"""A client of the platform: every endpoint of the specification as a typed method."""

from segue.client.client import AsyncClient, Client
from segue.client.errors import CannotPage, PlatformUnreachable, RequestRefused
from segue.client.memory import MemoryTransport
from segue.client.pages import AsyncPages, Pages
from segue.client.transport import (
    AsyncTransport,
    HttpTransport,
    Transport,
    TransportFailed,
)
from segue.platform.messages import ReceivedAnswer, SentRequest

__all__ = [
    "AsyncClient",
    "AsyncPages",
    "AsyncTransport",
    "CannotPage",
    "Client",
    "HttpTransport",
    "MemoryTransport",
    "Pages",
    "PlatformUnreachable",
    "ReceivedAnswer",
    "RequestRefused",
    "SentRequest",
    "Transport",
    "TransportFailed",
]
