"""What observers are told of an answered request, and the observer that logs it.

Records hold ids, codes, positions, statuses and times, never texts, tokens or headers. In a log
line an id is cut and escaped, since a sender chose it; of an exception only its type and its stack
are logged, since its text may quote anything.
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
"""Findings of one request in a log line."""
_FACTS: Final = "segue"


@dataclass(frozen=True, slots=True)
class EffectRecord:
    """One effect that was performed for a response: the body read, the store called, and so on."""

    name: str
    """Its kind: `ReadBody`, `Load`, `Save`, …"""
    began: float
    """Seconds since the request began."""
    seconds: float
    """How long it took."""
    failed: bool
    """Whether performing it raised."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request that was answered."""

    route: str
    """Name of the route; `none` if there is none."""
    status: int
    """The status of the answer."""
    seconds: float
    """From the head of the request to the answer."""
    delivery: DeliverySummary | None
    """The delivery that reached the processor, if one did."""
    effects: tuple[EffectRecord, ...]
    """What was performed for the answer, in order."""


Observer: TypeAlias = Callable[[RequestRecord], None]
"""Called after every response was made, in the thread that made it; it should be quick.

One that raises is logged and changes nothing.
"""


class LogObserver:
    """Writes one record for each request to the logger `segue.server.http`; level INFO."""

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
    """Formats records as one JSON object a line; works for any logger."""

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
