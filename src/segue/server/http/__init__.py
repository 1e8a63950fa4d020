"""HTTP without I/O: requests and responses for deliveries, transcription actions and readers.

The token is checked before a byte of the body is read. A refused request is answered with problem
details (RFC 9457) and a status below 500, unless the store or the keys are unavailable.
`segue.server.adapters` connects servers and sockets.
"""

from segue.server.http.app import HttpApp
from segue.server.http.auth import Authenticator, NoAuth, Principal
from segue.server.http.inspector_routes import Inspector
from segue.server.http.observer import (
    EffectRecord,
    JsonLogFormatter,
    LogObserver,
    Observer,
    RequestRecord,
)
from segue.server.http.problem import Problem
from segue.server.http.request import (
    Body,
    BodyError,
    DeliverySummary,
    Headers,
    ReadBody,
    Request,
    RequestLimits,
    Response,
)

__all__ = [
    "Authenticator", "Body", "BodyError", "DeliverySummary", "EffectRecord",
    "Headers", "HttpApp", "Inspector", "JsonLogFormatter", "LogObserver", "NoAuth", "Observer",
    "Principal", "Problem", "ReadBody", "Request", "RequestLimits", "RequestRecord", "Response",
]  # fmt: skip
