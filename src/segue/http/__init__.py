"""HTTP as values: requests in, responses out, for deliveries, transcription actions and readers.

The token is checked before a byte of the body is read. Every refusal is a problem (RFC 9457) below
500, unless store or keys are unavailable. Servers and sockets are the adapters' (`segue.adapters`).
"""

from segue.http.app import HttpApp
from segue.http.auth import READ, Authenticator, NoAuth, Principal
from segue.http.inspector_routes import Inspector
from segue.http.observer import EffectRecord, JsonLogFormatter, LogObserver, Observer, RequestRecord
from segue.http.problem import Problem
from segue.http.request import (
    LIMITS,
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
    "LIMITS", "READ", "Authenticator", "Body", "BodyError", "DeliverySummary", "EffectRecord",
    "Headers", "HttpApp", "Inspector", "JsonLogFormatter", "LogObserver", "NoAuth", "Observer",
    "Principal", "Problem", "ReadBody", "Request", "RequestLimits", "RequestRecord", "Response",
]  # fmt: skip
