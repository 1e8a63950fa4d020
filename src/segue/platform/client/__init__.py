"""A client of the platform with a typed method for every endpoint of the specification."""

from segue.platform.client.client import AsyncClient, Client
from segue.platform.client.errors import CannotPage, PlatformUnreachable, RequestRefused
from segue.platform.client.memory import MemoryTransport
from segue.platform.client.pages import AsyncPages, Pages
from segue.platform.client.transport import (
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
