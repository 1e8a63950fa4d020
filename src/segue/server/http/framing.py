"""Decides where a request was sent to, and whether its connection can be kept after the response.

A proxy sends the requests of many senders over one connection. If a response leaves a part of a
body unread, the server may take that part for the next request, or drop the next request with it.
"""

import re
from dataclasses import replace
from typing import Final

from segue.server.http.request import Body, BodyError, DrainBody, Request, Response
from segue.server.processor import Unit

_ABSOLUTE: Final = re.compile(r"https?://([^/]*)(.*)", re.IGNORECASE | re.DOTALL)
_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_DRAINED_BYTES: Final = 64 * 1024
"""The maximum size of the rest of a body that is read in order to keep the connection."""
_DRAINING_SECONDS: Final = 1.0


def in_origin_form(request: Request) -> Request:
    """Return a request whose path is not a whole URL.

    Servers must accept a whole URL as the target of a request, and its host replaces that of the
    header `Host` (RFC 9112, 3.2.2).
    """
    found = None if request.path.startswith("/") else _ABSOLUTE.fullmatch(request.path)
    if found is None:
        return request
    mount, path = request.mount, found[2] or "/"
    if mount and path.startswith(f"{mount}/"):
        path = path.removeprefix(mount)
    return replace(request, path=path, headers=request.headers.with_host(found[1]))


def finished(request: Request, body: Body | None, response: Response) -> Unit[Response]:
    """Return the response to a request, and decide whether it ends the connection.

    `body` is the part of the body that was read, or None. If the body was not read to its end, this
    generator reads up to 64 KiB more. If the body has not ended then, `closes` of the response is
    true (RFC 9112, 9.6).
    """
    is_whole = yield from _drained(request, body)
    return response if is_whole else replace(response, closes=True)


def _drained(request: Request, body: Body | None) -> Unit[bool]:
    length, coding = (request.headers.get(n) for n in ("content-length", "transfer-encoding"))
    if coding is None and length in (None, "", "0"):
        return True
    if body is not None and body.error is not BodyError.TOO_LARGE:
        return body.error is None
    if coding is None:
        is_short = _LENGTH.fullmatch(length or "") and int(length or "") <= _DRAINED_BYTES
    else:
        is_short = length is None
    if not is_short or request.headers.get("expect") is not None:
        return False  # a sender that waits for 100 Continue does not have to send the body
    rest: Body = yield DrainBody(_DRAINED_BYTES, _DRAINING_SECONDS)
    return rest.error is None
