"""Records of answered requests for observers, and the observer that logs them.

Records contain ids, codes, positions, statuses and times, but no texts, tokens or headers. In log
lines ids are cut and escaped, because a sender chose them. Only the type and stack of an exception
are logged, because its text may quote anything.
"""

import json
import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from segue.server.http.request import DeliverySummary, short_id

_LOG: Final = logging.getLogger("segue.http")
_MOST: Final = 100
"""The maximum number of findings of one request in a log line."""
_FACTS: Final = "segue"


@dataclass(frozen=True, slots=True)
class EffectRecord:
    """The measured execution of one effect, such as reading the body."""

    name: str
    """The name of the effect: `ReadBody`, `Load`, `Save` and so on."""
    began: float
    """The start, in seconds since the request began."""
    seconds: float
    """The duration in seconds."""
    failed: bool
    """Whether the effect raised an exception."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """The record of one answered request, as observers receive it."""

    route: str
    """The name of the route, such as `show`, or `none` if no route has the path."""
    status: int
    """The HTTP status of the response."""
    seconds: float
    """The seconds from the arrival of the headers to the response."""
    delivery: DeliverySummary | None
    """The summary of the delivery, or None if no delivery reached the processor."""
    effects: tuple[EffectRecord, ...]
    """The effects performed for the response, in order."""


Observer: TypeAlias = Callable[[RequestRecord], None]
"""A function that is called after every response, in the thread that created the response. It
should be fast. An exception that it raises is logged and ignored."""


class LogObserver:
    """Writes one record for each request to a logger, by default `segue.http`, at level INFO."""

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or _LOG

    def __call__(self, request: RequestRecord) -> None:
        """Log the route, the status, the duration and the delivery of one request."""
        if not self._logger.isEnabledFor(logging.INFO):
            return
        facts = _facts(request)
        line = " ".join(f"{name}={json.dumps(value)}" for name, value in facts.items())
        self._logger.info(line, extra={_FACTS: facts})


class JsonLogFormatter(logging.Formatter):
    """A formatter for any logger that writes each record as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON.

        The keys are `time`, `level`, `logger`, and `message` or the facts of a request. An
        exception adds `error` and `stack`, without its text.
        """
        facts = getattr(record, _FACTS, None)
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
        }
        line |= facts if isinstance(facts, dict) else {"message": record.getMessage()}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["stack"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(line)


def _facts(request: RequestRecord) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "route": request.route,
        "status": request.status,
        "milliseconds": round(request.seconds * 1000, 1),
    }
    delivery = request.delivery
    if delivery is None:
        return facts
    findings = delivery.findings
    return facts | {
        "outcome": delivery.outcome,
        "conversation": short_id(delivery.conversation_id),
        "bot": short_id(delivery.bot_id),
        "findings": [
            code if event is None else f"{code}@{event}" for code, event in findings[:_MOST]
        ],
    }
