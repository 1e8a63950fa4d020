"""Log records of a server on stderr: for people, or as JSON lines.

It decides what a line looks like.  House rule: of an exception only its type and the places it
passed are shown, since its text may quote anything.
"""

import logging
import sys
import traceback
from typing import Any, Literal

from segue.http import JsonLogFormatter
from segue.report.escape import visible

__all__ = ["Lines", "record"]


class Lines(logging.Formatter):
    """One line a record: time, level, logger, message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with nothing in it that acts on a terminal."""
        return visible(super().format(record))

    def formatException(self, ei: Any) -> str:  # noqa: ANN401, N802 - logging's own
        """Return the type of an exception and where it passed."""
        kind, _, trace = ei
        frames = (f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(trace))
        return " ".join([getattr(kind, "__name__", "exception"), *frames])


def record(form: Literal["text", "json"], *, is_quiet: bool) -> None:
    """Write records from now on: of every answer, unless quiet, and of what goes wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter() if form == "json" else Lines())
    for name, level in (("segue", logging.INFO), ("uvicorn", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING if is_quiet else level)
        logger.propagate = False
