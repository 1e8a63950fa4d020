"""Log lines of answered requests, for people and for machines.

An id is cut and escaped, since a sender chose it. Of an exception only its type and its stack are
logged, since its text may quote anything.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import Any, Final

from segue.http.observer import RequestRecord

__all__ = ["JsonLogFormatter", "LogObserver"]

_MAX_ID: Final = 120
_FACTS: Final = "segue"


class LogObserver:
    """Writes one record for each request to the logger `segue.http`; level INFO."""

    def __init__(self, logger: logging.Logger | None = None) -> None:
        self._logger = logger or logging.getLogger("segue.http")

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
        "conversation": _cut(delivery.conversation_id),
        "bot": _cut(delivery.bot_id),
        "findings": [code if event is None else f"{code}@{event}" for code, event in findings],
    }


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= _MAX_ID else text[: _MAX_ID - 1] + "…"
