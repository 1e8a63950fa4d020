"""Applies the lines of an exported journal to an empty store, with their times of receipt."""

import json
from collections.abc import Iterable
from datetime import datetime

from segue.core.errors import ConfigurationError
from segue.core.events import Intake
from segue.core.wire import endpoint_of
from segue.server.processor.effects import drive
from segue.server.processor.ingest import Ingest
from segue.server.processor.records import DeliveryOutcome
from segue.server.processor.submission import RECEIPTS, Body, SubmissionContext


def load_lines(ingest: Ingest, lines: Iterable[str | bytes]) -> int:
    """Apply the lines that `Processor.export` has written, and return the number of deliveries.

    Blank lines are skipped. Raises `ConfigurationError` if a line cannot be read or is not applied.
    """
    loaded = 0
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                intake, body, context = _read(line)
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise ConfigurationError(
                    f"line {number} is not a line of a journal with received_at and body: "
                    "load the output of segue journal"
                ) from None
            receipt = drive(ingest.submit(intake, body, context, RECEIPTS[intake.receipt]))
            if receipt.outcome is not DeliveryOutcome.APPLIED:
                raise ConfigurationError(
                    f"line {number} was not applied ({receipt.outcome}): load the unchanged "
                    "journal of one store into a new store"
                )
            loaded += 1
    return loaded


def _read(line: str | bytes) -> tuple[Intake, Body, SubmissionContext]:
    """Decode a line of an exported journal to the arguments of `Ingest.submit`.

    Raises a built-in exception such as `KeyError` or `ValueError` if the line has another format.
    """
    envelope = json.loads(line)
    asked_at = envelope.get("asked_at")
    context = SubmissionContext(
        envelope.get("bot_id") or None,
        envelope.get("conversation_id"),
        envelope.get("delivery_id"),
        datetime.fromisoformat(envelope["received_at"]),
        asked_at=datetime.fromisoformat(asked_at) if asked_at else None,
        is_unasked=asked_at == "",
    )
    body = envelope["body"]
    if not isinstance(body, str):  # a string is the JSON text of a body
        body = json.dumps(
            body, ensure_ascii=False, separators=(",", ":")
        )  # compact, so that it is no longer than before
    return endpoint_of(envelope), body, context
