"""The hook: HTTP as values, for deliveries, transcription control and reading.

It decides what a request is answered.  House rules: the token is checked before a byte of the body
is read; every refusal is a problem (RFC 9457) and below 500, but for a store that is not well;
what is refused to an authenticated sender is kept.  The room knows neither servers nor sockets:
shells carry bytes for it.
"""

from segue.http.auth import Authenticator, NoAuth, Operation, Principal
from segue.http.body import Body, Lack, ReadBody
from segue.http.hook import Hook
from segue.http.inspector_routes import Inspector
from segue.http.limits import LIMITS, Limits
from segue.http.log import JsonLines, LogObserver
from segue.http.observer import Answered, Asked, Observer
from segue.http.problem import Problem
from segue.http.request import Headers, Request, Response, Told

__all__ = [
    "LIMITS",
    "Answered",
    "Asked",
    "Authenticator",
    "Body",
    "Headers",
    "Hook",
    "Inspector",
    "JsonLines",
    "Lack",
    "Limits",
    "LogObserver",
    "NoAuth",
    "Observer",
    "Operation",
    "Principal",
    "Problem",
    "ReadBody",
    "Request",
    "Response",
    "Told",
]
