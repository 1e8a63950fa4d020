"""One request on its way to a route, and the values it comes with.

It decides what an id or a number from path, query or headers must be like to be used.  House rule:
a value that cannot be used is `Unusable`, which the hook answers; it never leaves the room.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from segue.http.auth import Principal
from segue.http.limits import Limits
from segue.http.request import Request
from segue.processor import NOW

__all__ = ["Call", "Unusable"]

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff\ufffd]")
"""NUL, lone surrogates, and what stands for bytes that were no UTF-8."""
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_PLACE: Final = re.compile(rf"{NOW}|{_NUMBER.pattern}")
_SECONDS: Final = re.compile(r"(-0(\.0)?|[0-9]{1,9}(\.[0-9]{1,40})?(e-[0-9]{1,3})?)")
_DELIVERY_IDS: Final = ("idempotency-key", "webhook-id")


class Unusable(Exception):  # noqa: N818 - the name says what the value is
    """A parameter that cannot be used."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request, where it goes, and who sends it."""

    request: Request
    named: Mapping[str, str]
    principal: Principal
    limits: Limits

    def id(self, name: str) -> str:
        """Return an id from the path."""
        return self._stored(self.named[name])

    def parameter(self, name: str) -> str | None:
        """Return a query parameter; None: it was not sent, or empty."""
        values = self.request.parameters().get(name, ())
        if len(values) > 1:
            raise Unusable
        return self._stored(values[0]) if values and values[0] else None

    def cursor(self) -> str | None:
        """Return where a page begins; None: at the beginning."""
        return self._checked("after", _NUMBER)

    def place(self) -> str | None:
        """Return where the feed goes on, `now` for its end; None: at the beginning."""
        return self._checked("after", _PLACE)

    def limit(self, default: int) -> int:
        """Return how long a page may be."""
        text = self._checked("limit", _NUMBER)
        number = min(default, self.limits.page) if text is None else int(text)
        if not 1 <= number <= self.limits.page:
            raise Unusable
        return number

    def wait(self) -> float:
        """Return how many seconds to wait for news."""
        return min(float(self._checked("wait", _SECONDS) or 0), self.limits.feed_seconds)

    def delivery_id(self) -> str | None:
        """Return the delivery id; None: the sender gave none."""
        for name in _DELIVERY_IDS:
            value = self.request.headers.get(name)
            if value:
                return self._stored(value)
        return None

    def _checked(self, name: str, form: re.Pattern[str]) -> str | None:
        text = self.parameter(name)
        if text is not None and form.fullmatch(text) is None:
            raise Unusable
        return text

    def _stored(self, value: str) -> str:
        if len(value) > self.limits.max_id_length or _UNSTORABLE.search(value):
            raise Unusable
        return value
