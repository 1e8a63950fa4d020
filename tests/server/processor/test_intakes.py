"""Deliveries of an intake that is made up here: filed, journalled and tried again by its row."""

import json
from dataclasses import replace
from types import MappingProxyType

import pytest
from tests.server.processor.story import ENTERS, processor

from segue.core.events import HOOKS, INTAKES, TRANSCRIPTION, Intake
from segue.core.events.fields import FIELDS
from segue.core.wire import reader
from segue.server.processor import (
    RECEIPTS,
    ControlReceipt,
    DeliveryOutcome,
    Processor,
    Receipt,
    SubmissionContext,
    drive,
    ingest,
)

CALLS = replace(HOOKS, name="calls", path="/v7/calls/{botId}")
SWITCH = replace(TRANSCRIPTION, name="switch", path="/v7/switch/{botId}")
START = {"action": "start", "agentId": "a-1"}


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add both rows to the table of intakes, and their fields to that of bodies."""
    rows = {**INTAKES, CALLS.name: CALLS, SWITCH.name: SWITCH}
    bodies = {CALLS.name: FIELDS[HOOKS.name], SWITCH.name: FIELDS[TRANSCRIPTION.name]}
    monkeypatch.setattr(ingest, "INTAKES", MappingProxyType(rows))
    monkeypatch.setattr(reader, "FIELDS", {**FIELDS, **bodies})


def _send(
    it: Processor, intake: Intake, sent: object, conversation_id: str | None = None
) -> Receipt | ControlReceipt:
    context = SubmissionContext("st-1", conversation_id, "d-1")
    body = json.dumps(sent).encode()
    return drive(it.ingest.submit(intake, body, context, RECEIPTS[intake.receipt]))


def test_delivery_ids_are_unique_within_an_intake() -> None:
    it = processor()
    outcomes = [_send(it, intake, ENTERS).outcome for intake in (HOOKS, CALLS, CALLS)]

    assert outcomes == [
        DeliveryOutcome.APPLIED,
        DeliveryOutcome.APPLIED,
        DeliveryOutcome.DUPLICATE,
    ]


def test_the_journal_and_the_feed_name_the_intake() -> None:
    it = processor()
    _send(it, CALLS, ENTERS)

    (line,) = it.export()
    (entry,) = it.read_feed().items
    assert json.loads(line)["endpoint"] == entry.endpoint == "calls"


def test_the_receipt_is_that_of_the_row() -> None:
    it = processor()

    receipt = _send(it, SWITCH, START, "c-1")

    assert isinstance(receipt, ControlReceipt)
    assert (receipt.state, receipt.changed) == ("active", True)
    assert isinstance(_send(it, CALLS, ENTERS), Receipt)


def test_a_quarantined_body_is_tried_again_at_its_intake() -> None:
    it = processor()
    _send(it, SWITCH, {"action": "start"}, "c-1")
    (item,) = it.quarantined()

    receipt = it.resubmit(item)

    assert isinstance(receipt, ControlReceipt)
    assert (item.endpoint, receipt.outcome) == ("switch", DeliveryOutcome.UNREADABLE)
    assert [each.endpoint for each in it.quarantined()] == ["switch"]
