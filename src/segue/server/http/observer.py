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
    """One effect performed for a response, such as reading the body."""

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
    """One answered request."""

    route: str
    """The name of the route, or `none`."""
    status: int
    """The status of the answer."""
    seconds: float
    """The seconds from the head of the request to the answer."""
    delivery: DeliverySummary | None
    """The delivery that reached the processor, or None."""
    effects: tuple[EffectRecord, ...]
    """The effects performed for the answer, in order."""


Observer: TypeAlias = Callable[[RequestRecord], None]
"""Called after every response, in the thread that created it. It should be fast. An exception that
it raises is logged and ignored."""


class LogObserver:
    """Writes one record for each request to the logger `segue.server.http` at level INFO."""

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or _LOG

    def __call__(self, request: RequestRecord) -> None:
        """Log one request."""
        if not self._logger.isEnabledFor(logging.INFO):
            return
        facts = _facts(request)
        line = " ".join(f"{name}={json.dumps(value)}" for name, value in facts.items())
        self._logger.info(line, extra={_FACTS: facts})


class JsonLogFormatter(logging.Formatter):
    """Formats the records of any logger as JSON, with one object on each line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
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
