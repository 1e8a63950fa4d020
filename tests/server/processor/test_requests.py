"""What the host asked for, and what is called back about it."""

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.core.calls.vectors import COMPLETED
from tests.server.processor.story import AT, Clock, processor

import segue
from segue import ConfigurationError
from segue.server.processor import Processor

FAILED = {"conversationId": "c-1", "status": "failed"}


def codes(receipt: segue.server.Receipt) -> list[str]:
    return [finding.code for finding in receipt.findings]


def test_a_bot_that_never_said_what_it_asked_is_believed() -> None:
    it = processor()
    it.expect_call("st-2", "c-1")
    it.expect_transfer("st-1", "c-1")

    assert codes(it.receive_notification("st-1", FAILED)) == []


def test_a_notification_that_nobody_asked_for_is_reported_and_applied() -> None:
    it = processor()
    it.expect_call("st-1", "c-2")
    receipt = it.receive_notification("st-1", FAILED)

    assert (receipt.outcome, codes(receipt)) == ("applied", ["SG710"])
    assert codes(it.receive_notification("st-1", {**FAILED, "conversationId": "c-2"})) == []


def test_what_was_refused_still_answers_its_request(tmp_path: Path) -> None:
    body = {**FAILED, "reasonCode": "Busy Here", "duration": "x"}
    strict = segue.Policy(reject=("SG503",))
    with Processor(store=segue.SqliteStore(tmp_path / "s.db"), policy=strict) as it:
        it.expect_call("st-1", request_id="order-7")
        assert it.receive_notification("st-1", body, request_id="order-7").outcome == "rejected"

    with Processor(store=segue.SqliteStore(tmp_path / "s.db")) as it:
        (item,) = it.quarantined()
        assert item.request_id == "order-7"
        receipt = it.resubmit(item)
        assert isinstance(receipt, segue.server.Receipt)
        assert codes(receipt) == ["SG503"]


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ({"conversation_id": "c-1"}, {}),
        ({"request_id": "r-1"}, {"request_id": "r-1"}),
        ({"conversation_id": "c-1", "request_id": "r-1"}, {}),
    ],
)
def test_the_time_of_the_request_is_in_the_report_and_in_the_journal(
    asked: dict[str, Any], known: dict[str, Any]
) -> None:
    clock = Clock(AT)
    it = processor(clock=clock)
    it.expect_call("st-1", **asked)
    clock.move(20)
    body = {**COMPLETED, "conversationId": "c-1"}
    assert codes(it.receive_notification("st-1", body, **known)) == []

    view = it.conversation("c-1")
    assert view is not None
    assert view.report.call is not None
    assert view.report.call["asked_at"] == AT.isoformat()
    (line,) = it.export()
    assert json.loads(line)["asked_at"] == AT.isoformat()
    (replayed,) = segue.replay([line], partial="end")
    assert replayed.call == view.report.call


def test_what_was_not_asked_is_not_asked_in_a_replay_either() -> None:
    it = processor()
    it.expect_transfer("st-1", "c-2", asked_at=AT)
    assert codes(it.receive_transfer("st-1", b"[1]", conversation_id="c-1")) == ["SG710"]
    assert codes(it.receive_transfer("st-1", b"[1]", conversation_id="c-2")) == []

    found = [[each.code for each in report.findings] for report in segue.replay(it.export())]
    assert found == [["SG710"], []]


def test_a_misspelled_id_stays_misspelled_in_a_replay() -> None:
    body = {"conversationID": "c-1", "status": "failed"}
    it = processor()
    assert codes(it.receive_notification("st-1", body)) == ["SG502"]
    assert codes(it.receive_notification("st-1", body, conversation_id="c-2")) == []

    found = [[each.code for each in report.findings] for report in segue.replay(it.export())]
    assert found == [["SG502"], []]


def test_requests_outlive_the_processor(tmp_path: Any) -> None:
    place = tmp_path / "segue.db"
    with Processor(store=segue.SqliteStore(place)) as first:
        first.expect_call("st-1", "c-1")
    with Processor(store=segue.SqliteStore(place)) as second:
        assert codes(second.receive_notification("st-1", FAILED)) == []
        other = {**FAILED, "conversationId": "c-2"}
        assert codes(second.receive_notification("st-1", other)) == ["SG710"]


def test_ids_are_found_again_however_a_store_spells_them() -> None:
    it = processor()
    it.expect_call("st\ud800", "c\0")
    receipt = it.receive_notification("st\ud800", {"status": "failed"}, conversation_id="c\0")

    assert codes(receipt) == []


def test_a_request_without_ids_or_with_a_time_without_zone_is_refused() -> None:
    it = processor()
    with pytest.raises(ConfigurationError, match="give conversation_id or request_id"):
        it.expect_call("st-1")
    with pytest.raises(ConfigurationError, match="no time zone"):
        it.expect_transfer("st-1", "c-1", asked_at=datetime(2026, 3, 2))  # noqa: DTZ001


def test_the_awaited_methods_do_the_same() -> None:
    async def story() -> list[list[str]]:
        it = processor()
        await it.aexpect_call("st-1", "c-1", asked_at=AT - timedelta(seconds=9))
        await it.aexpect_transfer("st-1", request_id="r-1")
        return [
            codes(await it.areceive_notification("st-1", FAILED)),
            codes(await it.areceive_notification("st-1", {**FAILED, "conversationId": "c-2"})),
            codes(await it.areceive_transfer("st-1", b"1", conversation_id="c", request_id="r-1")),
            codes(await it.areceive_transfer("st-1", b"1", conversation_id="c", request_id="r-2")),
        ]

    assert asyncio.run(story()) == [[], ["SG710"], [], ["SG710"]]
