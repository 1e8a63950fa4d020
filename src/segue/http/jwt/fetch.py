"""Fetches a document over HTTP, within limits of time and size, following no redirect."""

from http.client import HTTPException
from typing import Final
from urllib.request import HTTPRedirectHandler, Request, build_opener

_TIMEOUT: Final = 5.0
_MAX_BYTES: Final = 1024 * 1024


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nothing: keys come from where they were configured to come from."""


def fetch(url: str, *, timeout: float = _TIMEOUT) -> bytes:
    """Return the document at a URL that was checked before; `OSError` for whatever goes wrong.

    `timeout` is in seconds, for each socket operation. More than 1 MiB is an error.
    """
    request = Request(url, headers={"Accept": "application/json"})  # noqa: S310 - checked before
    try:
        with build_opener(_NoRedirect).open(request, timeout=timeout) as response:
            data: bytes = response.read(_MAX_BYTES + 1)
    except HTTPException as error:
        raise OSError(type(error).__name__) from None
    if len(data) > _MAX_BYTES:
        raise OSError("the document is larger than 1 MiB")
    return data
