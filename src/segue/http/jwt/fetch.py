"""Getting a document over HTTP: the one place of the hook that touches the network.

It decides how long it takes at most, how much is read, and that nothing is followed.  House rule:
whatever goes wrong is an `OSError`.
"""

from http.client import HTTPException
from typing import Final
from urllib.request import HTTPRedirectHandler, Request, build_opener

__all__ = ["TIMEOUT", "fetch"]

TIMEOUT: Final = 5.0
_MAX_BYTES: Final = 1024 * 1024


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nothing: keys come from where they were configured to come from."""


def fetch(url: str) -> bytes:
    """Get the document at an address that was checked before; raises `OSError`."""
    request = Request(url, headers={"Accept": "application/json"})  # noqa: S310 - checked
    try:
        with build_opener(_NoRedirect).open(request, timeout=TIMEOUT) as response:
            data: bytes = response.read(_MAX_BYTES + 1)
    except HTTPException as error:
        raise OSError(type(error).__name__) from None
    if len(data) > _MAX_BYTES:
        raise OSError("the document is larger than 1 MiB")
    return data
