"""Log records of a server on stderr, as text or as JSON lines.

Of an exception only its type and the places it passed are shown: its text may quote a sender.
"""

import logging
import sys
import traceback
from typing import Any, Literal

from segue.report.escape import visible
from segue.server.http import JsonLogFormatter


class TextFormatter(logging.Formatter):
    """Formats a record as one line: time, level, logger, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with unsafe characters escaped."""
        return visible(super().format(record))

    def formatException(self, ei: Any) -> str:  # noqa: ANN401, N802 - logging's own
        """Return the type of an exception and where it passed."""
        kind, _, trace = ei
        frames = (f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(trace))
        return " ".join([getattr(kind, "__name__", "exception"), *frames])


def log_to_stderr(form: Literal["text", "json"], *, is_quiet: bool) -> None:
    """Write records to stderr from now on: every request, or only problems if quiet."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter() if form == "json" else TextFormatter())
    for name, level in (("segue", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING if is_quiet else level)
        logger.propagate = False
