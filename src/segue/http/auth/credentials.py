"""Which header of a request holds its token.

It decides precedence: the first present of `auth`, `token` and `Authorization`, each with or
without a `Bearer ` prefix.  The platform's own E1 sample sends `Authorization` next to `auth`, so
the one that comes later in this order is not read; `auth` and `token` must agree.  What a token is
made of is decided elsewhere.
"""

import hmac
from typing import Final

from segue.http.problem import Problem
from segue.http.request import Headers

__all__ = ["credential"]

_MAX_LENGTH: Final = 8 * 1024
_BEARER: Final = "bearer "


def credential(headers: Headers) -> str | Problem:
    """Return the token of a request, or why it has none."""
    auth, token = headers.get("auth"), headers.get("token")
    if auth is not None and token is not None and not _same(_bare(auth), _bare(token)):
        return Problem.BAD_TOKEN
    value = auth if auth is not None else token
    if value is None:
        value = headers.get("authorization")
        if value is None or not value.lower().startswith(_BEARER):
            return Problem.NO_TOKEN
    if not value:
        return Problem.NO_TOKEN
    return Problem.BAD_TOKEN if len(value) > _MAX_LENGTH else _bare(value)


def _bare(value: str) -> str:
    return value[len(_BEARER) :].lstrip(" ") if value.lower().startswith(_BEARER) else value


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
