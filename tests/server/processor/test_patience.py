"""Live, deliveries that overtook each other wait for each other when patience is given."""

from __future__ import annotations

import json
import logging
import time
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.builders import Sender
from tests.laws.swaps import NINE, STEP, presences, swaps
from tests.laws.test_race import raced
from tests.patience import PATIENCE
from tests.server.processor.story import (
    AT,
    ENDS,
    ENTERS,
    LEAVES,
    SUMMARY,
    AwayStore,
    Clock,
    RacingStore,
    body,
    message,
    processor,
    transfer,
)

import segue
from segue.core.conversation.current import current_reports
from segue.core.engine.reordering import MOST_HELD
from segue.core.findings import Policy
from segue.errors import ConfigurationError, StoreUnavailable
from segue.server.processor import ConversationKey, DeliveryOutcome, Processor, Retry, drive
from segue.server.processor.deadlines import DeadlineWorker
from segue.server.stores import MemoryStore, SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from segue.server.processor import Callback, Store

FIVE = timedelta(seconds=5)
KEY = ConversationKey("st-1", "c-1")
TAKES_OVER = body(transfer("COLD entry", "a-2"))
HANDS_OVER = body(transfer("COLD exit", "a-1"))
_SENDER = Sender()


def patient(store: Store | None = None, **options: Any) -> Processor:
    """A processor with patience whose worker never looks: deadlines are kept by the tests."""
    return processor(store, patience=FIVE, **options)


def settle(it: Processor) -> None:
    drive(it.ingest.settle(KEY))


def codes(it: Processor) -> list[str]:
    view = it.conversation("c-1")
    assert view is not None
    return [finding.code for finding in view.report.findings]


def phase(it: Processor) -> str:
    view = it.conversation("c-1")
    assert view is not None
    return view.report.phase.value


def held(it: Processor) -> list[dict[str, Any]]:
    view = it.conversation("c-1")
    assert view is not None
    found: list[dict[str, Any]] = view.to_dict()["held"]
    return found


def test_what_is_out_of_order_is_held_and_answered_as_before_it() -> None:
    it = patient()
    before = it.receive("st-1", ENTERS)
    receipt = it.receive("st-1", TAKES_OVER, delivery_id="d-2")

    assert (receipt.outcome, receipt.held) == (DeliveryOutcome.HELD, True)
    assert (receipt.phase, receipt.expected) == (before.phase, before.expected)
    assert receipt.findings == ()
    assert held(it) == [
        {
            "delivery_id": "d-2",
            "received_at": "2026-03-02T09:00:00+00:00",
            "deadline": "2026-03-02T09:00:05+00:00",
            "codes": ["SG103"],
        }
    ]
    assert it.store.stats().held == 1


def test_it_heals_when_another_makes_room() -> None:
    clock = Clock()
    it = patient(clock=clock)
    it.receive("st-1", ENTERS)
    clock.move(1)
    it.receive("st-1", TAKES_OVER)
    clock.move(1)
    receipt = it.receive("st-1", HANDS_OVER)

    assert (receipt.outcome, receipt.phase, receipt.held) == ("applied", "active", False)
    assert (codes(it), held(it)) == ([], [])
    assert (it.store.stats().held, it.store.stats().healed) == (0, 1)


def test_the_journal_has_both_orders_and_is_exported_in_that_of_application() -> None:
    clock = Clock()
    it = patient(clock=clock)
    for sent in (ENTERS, TAKES_OVER, HANDS_OVER):
        it.receive("st-1", sent)
        clock.move(1)

    entries = it.store.journal(0, 10, None)

    assert [entry.arrival for entry in entries] == [1, 3, 2]
    assert [json.loads(entry.body) for entry in entries] == [ENTERS, HANDS_OVER, TAKES_OVER]
    assert [entry.healed for entry in entries] == [(), (), ("SG103",)]
    times = [AT, AT + timedelta(seconds=2), AT + timedelta(seconds=2)]
    assert [entry.received_at for entry in entries] == times
    (report,) = segue.replay(list(it.export()), partial="end")
    assert report.clean
    assert report.phase == "active"


def test_at_its_deadline_it_is_judged_as_without_patience() -> None:
    clock = Clock()
    it = patient(clock=clock)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    clock.move(4.9)
    settle(it)
    assert held(it)
    clock.move(0.1)
    settle(it)

    assert (codes(it), held(it)) == (["SG103"], [])
    assert it.store.stats().healed == 0


def test_what_is_due_is_judged_before_what_comes_then() -> None:
    clock = Clock()
    it = patient(clock=clock)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    clock.move(5)
    receipt = it.receive("st-1", HANDS_OVER)

    assert receipt.findings == ()  # its exit was owed
    assert codes(it) == ["SG103"]


def test_the_end_is_always_held() -> None:
    clock = Clock()
    it = patient(clock=clock)
    for sent in (ENTERS, LEAVES):
        it.receive("st-1", sent)
    receipt = it.receive("st-1", ENDS)
    assert (receipt.held, receipt.phase) == (True, "released")
    assert held(it)[0]["codes"] == []

    assert it.receive("st-1", SUMMARY).phase == "summarized"
    clock.move(5)
    settle(it)

    assert (phase(it), codes(it)) == ("ended", [])
    assert it.store.stats().healed == 0  # it was no error when it came


def test_an_action_while_the_end_is_held_sees_the_conversation_before_it() -> None:
    clock = Clock()
    it = patient(clock=clock)
    for sent in (ENTERS, LEAVES, ENDS):
        it.receive("st-1", sent)
    start = {"action": "start", "agentId": "a-1"}

    assert it.control("st-1", "c-1", start).outcome == "applied"
    clock.move(5)
    settle(it)
    assert it.control("st-1", "c-1", {"action": "resume", "agentId": "a-1"}).outcome == "refused"


def test_after_the_end_too_it_waits_and_is_then_an_error() -> None:
    clock = Clock()
    it = patient(clock=clock)
    for sent in (ENTERS, LEAVES, ENDS, ENDS):
        it.receive("st-1", sent)
    clock.move(5)
    settle(it)
    assert codes(it) == ["SG109"]
    assert it.receive("st-1", LEAVES).held
    clock.move(5)
    settle(it)
    assert codes(it) == ["SG109", "SG110"]


def test_a_code_that_is_rejected_is_refused_at_once() -> None:
    it = patient(policy=Policy(reject=("SG103",)))
    it.receive("st-1", ENTERS)
    receipt = it.receive("st-1", TAKES_OVER)

    assert receipt.outcome is DeliveryOutcome.REJECTED
    assert [finding.code for finding in receipt.findings] == ["SG103"]
    assert held(it) == []
    assert it.receive("st-1", ENDS).held  # SG107 is not rejected


def test_a_code_that_is_rejected_at_the_deadline_goes_to_the_quarantine() -> None:
    clock = Clock()
    it = patient(clock=clock, policy=Policy(reject=("SG115",)))
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER, delivery_id="d-2")  # SG103
    it.receive("st-1", LEAVES)
    clock.move(5)
    settle(it)

    assert (codes(it), held(it), phase(it)) == ([], [], "released")
    (item,) = it.quarantined()
    assert (item.reason, item.codes, item.delivery_id) == ("rejected", ("SG115",), None)
    assert json.loads(item.body) == TAKES_OVER
    assert it.resubmit(item).outcome == "rejected"
    assert len(it.quarantined()) == 1


def test_what_is_rejected_at_the_deadline_goes_to_the_quarantine_once_whoever_judges_it() -> None:
    def rival(store: MemoryStore) -> None:
        settle(patient(store, clock=clock, policy=policy))

    clock, policy, store = Clock(), Policy(reject=("SG115",)), RacingStore(rival, times=0)
    it = patient(store, clock=clock, policy=policy)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    it.receive("st-1", LEAVES)
    clock.move(5)
    store.times = 1
    settle(it)

    assert held(it) == []
    assert [item.codes for item in it.quarantined()] == [("SG115",)]


def test_what_is_rejected_at_the_deadline_stays_held_if_the_store_fails() -> None:
    class Full(MemoryStore):
        is_full = False

        def save(self, commit: Any) -> None:
            if self.is_full:
                raise StoreUnavailable("the disk is full")
            super().save(commit)

    clock, store = Clock(), Full()
    it = patient(store, clock=clock, policy=Policy(reject=("SG115",)))
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    it.receive("st-1", LEAVES)
    clock.move(5)
    store.is_full = True
    with pytest.raises(StoreUnavailable):
        settle(it)

    assert (len(held(it)), it.quarantined()) == (1, [])
    store.is_full = False
    settle(it)
    assert (held(it), len(it.quarantined())) == ([], 1)


def test_the_id_of_a_held_delivery_counts_as_seen() -> None:
    it = patient()
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER, delivery_id="d-2")

    again = it.receive("st-1", TAKES_OVER, delivery_id="d-2")
    assert (again.outcome, again.duplicate, again.held) == ("duplicate", True, False)
    assert it.receive("st-1", ENTERS, delivery_id="d-2").outcome == "reused"
    assert len(held(it)) == 1


def test_the_first_delivery_of_a_conversation_may_be_held() -> None:
    it = patient()
    receipt = it.receive("st-1", LEAVES, delivery_id="d-1")
    assert (receipt.held, receipt.phase) == (True, "waiting")
    (row,) = it.conversations().items
    assert (row.phase, row.events, row.findings) == ("waiting", 0, 0)

    assert it.receive("st-1", ENTERS).phase == "released"
    assert codes(it) == []


def test_callbacks_come_after_judgement() -> None:
    clock, called = Clock(), list[tuple[str, Any]]()

    def note(callback: Callback) -> None:
        called.append((callback.kind, callback.data.get("code")))

    it = patient(clock=clock, on_finding=note, on_segment_closed=note)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    assert it.receive("st-1", message("USER", "a-1")).outcome == "applied"
    time.sleep(0.1)
    assert not called
    clock.move(5)
    settle(it)
    it.receive("st-1", HANDS_OVER)
    it.receive("st-1", body(transfer("NA exit", "a-2")))
    _wait(lambda: len(called) == 3)
    assert called == [("finding", "SG103"), ("segment_closed", None), ("segment_closed", None)]
    it.close()


def test_a_healed_delivery_has_its_callbacks_in_the_order_of_application() -> None:
    called: list[Callback] = []
    it = patient(on_segment_closed=called.append)
    it.receive("st-1", ENTERS)
    it.receive("st-1", body(transfer("WARM exit", "a-2")))
    it.receive("st-1", body(transfer("WARM entry", "a-2")))
    _wait(lambda: len(called) == 1)
    assert called[0].data["segment"]["agent"] == "a-2"
    it.close()


def test_it_is_off_by_default_and_must_be_positive() -> None:
    it = processor()
    it.receive("st-1", ENTERS)
    assert it.receive("st-1", TAKES_OVER).outcome == "applied"
    for wrong in (timedelta(0), timedelta(seconds=-1)):
        with pytest.raises(ConfigurationError, match="`patience` must be positive, got"):
            processor(patience=wrong)


def test_one_conversation_holds_so_many_deliveries_and_no_more() -> None:
    it = patient()
    for _ in range(MOST_HELD):
        assert it.receive("st-1", ENDS).held
    assert not it.receive("st-1", ENDS).held
    assert len(held(it)) == MOST_HELD


def test_the_deadline_counts_from_the_clock_whatever_time_the_delivery_is_given() -> None:
    it = patient()
    it.receive("st-1", LEAVES, received_at=AT - timedelta(days=1))
    (entry,) = held(it)
    assert entry["received_at"] == "2026-03-01T09:00:00+00:00"
    assert entry["deadline"] == "2026-03-02T09:00:05+00:00"


def test_the_deadline_is_the_patience_after_the_receipt() -> None:
    times = iter(range(100))
    it = patient(clock=lambda: AT + timedelta(seconds=next(times)))
    it.receive("st-1", LEAVES)
    (entry,) = held(it)
    received, deadline = map(datetime.fromisoformat, (entry["received_at"], entry["deadline"]))
    assert deadline - received == FIVE


def test_codes_of_a_held_delivery_are_listed_once() -> None:
    it = patient()
    entries = [transfer("COLD entry", f"a-{number}") for number in range(2, 5)]
    it.receive("st-1", ENTERS)
    it.receive("st-1", body(*entries))
    assert [each["codes"] for each in held(it)] == [["SG103"]]


def test_one_conversation_holds_so_much_text_and_no_more() -> None:
    it = patient()
    large = transfer("COLD exit", "a-1", reason="x" * 250_000)
    outcomes = [it.receive("st-1", body(large)).outcome.value for _ in range(5)]
    assert outcomes == ["held"] * 4 + ["applied"]


def test_text_that_is_not_stored_is_not_held_either() -> None:
    store = MemoryStore()
    it = patient(store, store_text=False)
    leaves = transfer("NA exit", "a-1")
    leaves["participant"]["customFields"] = {"queueName": "secret"}
    spoken = message("USER", "a-1", query="secret") | {"events": [leaves]}
    assert it.receive("st-1", spoken).held
    loaded = store.load(KEY).conversation
    assert loaded is not None
    assert "secret" not in loaded.held[0].body
    it.receive("st-1", ENTERS)
    assert codes(it) == []


def test_what_the_policy_requires_is_required_of_held_ones_too() -> None:
    it = patient(policy=Policy(require=("customFields",)))
    it.receive("st-1", LEAVES)
    it.receive("st-1", ENTERS)
    assert codes(it) == ["SG502", "SG502"]


def test_a_redial_that_overtook_the_exit_before_it_heals() -> None:
    it = patient()
    it.receive("st-1", ENTERS, delivery_id="d-1")
    redial = it.receive("st-1", body(transfer("redial entry", "a-1")), delivery_id="d-3")
    assert (redial.held, redial.findings, redial.phase) == (True, (), "active")
    assert held(it)[0]["codes"] == ["SG112"]
    assert it.receive("st-1", LEAVES, delivery_id="d-2").phase == "active"  # since the redial
    again = it.receive("st-1", LEAVES, delivery_id="d-4")
    assert (again.held, again.findings, again.phase) == (False, (), "released")
    assert (codes(it), held(it), it.store.stats().healed) == ([], [], 1)


def test_an_exit_that_overtook_the_redial_before_it_heals() -> None:
    it = patient()
    for number, sent in enumerate((ENTERS, LEAVES)):
        it.receive("st-1", sent, delivery_id=f"d-{number}")
    assert it.receive("st-1", LEAVES, delivery_id="d-4").held
    assert held(it)[0]["codes"] == ["SG601"]
    redial = it.receive("st-1", body(transfer("redial entry", "a-1")), delivery_id="d-3")
    assert (redial.findings, redial.phase) == ((), "released")
    assert (codes(it), held(it), it.store.stats().healed) == ([], [], 1)


def test_a_repeat_with_an_id_of_its_own_is_a_repeat_at_its_deadline() -> None:
    clock = Clock()
    it = patient(clock=clock)
    for number, sent in enumerate((ENTERS, LEAVES, LEAVES)):
        it.receive("st-1", sent, delivery_id=f"d-{number}")
    clock.move(5)
    settle(it)
    assert (codes(it), phase(it)) == (["SG601"], "released")


# A store that others use, or that is away.


def test_a_lost_race_while_held_ones_are_tried_is_no_trouble_of_the_delivery() -> None:
    def rival(store: MemoryStore) -> None:
        if len(store.journal(0, 10, None)) == 2:  # the COLD exit is committed
            processor(store).receive("st-1", body(transfer("WARM entry", "a-3")))

    store = RacingStore(rival, times=0)
    it = patient(store)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    store.times = 2
    receipt = it.receive("st-1", HANDS_OVER)

    assert receipt.outcome is DeliveryOutcome.APPLIED
    assert held(it) == []


def test_a_lost_race_while_a_deadline_is_kept_is_tried_again() -> None:
    def rival(store: MemoryStore) -> None:
        processor(store).receive("st-1", body(transfer("WARM entry", "a-3")))

    clock, store = Clock(), RacingStore(rival, times=0)
    it = patient(store, clock=clock)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    clock.move(5)
    store.times = 1
    settle(it)

    assert (codes(it), held(it)) == (["SG103"], [])


def test_a_store_that_is_away_while_held_ones_are_tried_keeps_them() -> None:
    class Fragile(AwayStore):
        def save(self, commit: Any) -> None:
            super().save(commit)
            self.away = commit.entry is not None and commit.entry.arrival == 3

    clock, store = Clock(), Fragile()
    it = patient(store, clock=clock)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)
    receipt = it.receive("st-1", HANDS_OVER)
    assert (receipt.outcome, receipt.phase) == ("applied", "transferring")
    store.away = False
    assert len(held(it)) == 1

    settle(it)  # it fits, whether its deadline has come or not
    assert (codes(it), phase(it)) == ([], "active")


def test_what_is_held_is_never_purged(tmp_path: Path) -> None:
    clock = Clock()
    with patient(SqliteStore(tmp_path / "segue.db"), clock=clock) as it:
        it.receive("st-1", LEAVES)
        assert it.purge(AT + timedelta(days=1)) == 0
        assert len(held(it)) == 1


# Deadlines.


def _wait(until: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def test_the_worker_keeps_deadlines(tmp_path: Path) -> None:
    called: list[Callback] = []
    patience = timedelta(seconds=0.2)
    with Processor(
        store=SqliteStore(tmp_path / "segue.db"), patience=patience, on_finding=called.append
    ) as it:
        it.receive("st-1", ENTERS)
        assert it.receive("st-1", TAKES_OVER).held
        _wait(lambda: not held(it))
        _wait(lambda: len(called) == 1)
        assert codes(it) == ["SG103"]


@pytest.mark.parametrize("patience", [FIVE, None], ids=["patience", "none"])
def test_deadlines_that_passed_while_no_process_ran_are_kept_after_the_start(
    tmp_path: Path, patience: timedelta | None
) -> None:
    clock = Clock()
    with patient(SqliteStore(tmp_path / "segue.db"), clock=clock) as it:
        it.receive("st-1", ENTERS)
        it.receive("st-1", TAKES_OVER)
    clock.move(3600)
    with Processor(store=SqliteStore(tmp_path / "segue.db"), patience=patience, clock=clock) as it:
        _wait(lambda: not held(it))
        assert codes(it) == ["SG103"]


def test_a_program_that_only_reads_leaves_the_deadlines_and_their_callbacks_to_others(
    tmp_path: Path,
) -> None:
    clock = Clock()
    ended: list[Callback] = []
    store = partial(SqliteStore, tmp_path / "segue.db")
    with patient(store(), clock=clock, on_conversation_ended=ended.append) as it:
        for each in (ENTERS, LEAVES, ENDS):
            it.receive("st-1", each)
    clock.move(3600)
    with Processor(store=store(), clock=clock, keeps_deadlines=False) as reader:
        time.sleep(0.3)
        assert len(held(reader)) == 1
        assert phase(reader) == "released"
    assert not ended
    with patient(store(), clock=clock, on_conversation_ended=ended.append) as it:
        _wait(lambda: len(ended) == 1)
        assert phase(it) == "ended"


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What the worker logs, also after a test that set up the logging of a server."""
    logger = logging.getLogger("segue.worker")
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


YEARS = timedelta(days=10 * 365)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize("jump", [-HOUR, -YEARS, HOUR, YEARS, timedelta(seconds=-11)])
def test_a_deadline_survives_a_clock_that_jumps(jump: timedelta) -> None:
    clock = Clock()
    it = patient(clock=clock)
    for each in (ENTERS, LEAVES):
        it.receive("st-1", each)
    assert it.receive("st-1", ENDS).held

    clock.move(jump.total_seconds())
    settle(it)

    assert (phase(it), held(it)) == ("ended", [])


def test_a_clock_that_is_behind_by_less_than_the_patience_takes_none_of_it() -> None:
    """So much the clocks of two machines on one store may differ."""
    clock = Clock()
    it = patient(clock=clock)
    it.receive("st-1", ENTERS)
    it.receive("st-1", TAKES_OVER)

    for seconds in (-5, 9.9):
        clock.move(seconds)
        settle(it)
        assert len(held(it)) == 1
    clock.move(0.1)
    settle(it)
    assert held(it) == []


def test_what_comes_after_the_clock_was_set_back_waits_for_its_patience_only() -> None:
    clock = Clock()
    it = patient(clock=clock)
    it.receive("st-1", ENTERS)
    clock.move(-3600)
    it.receive("st-1", TAKES_OVER)

    (entry,) = held(it)
    assert datetime.fromisoformat(entry["deadline"]) == clock.at + FIVE


def test_the_worker_finds_a_misdated_deadline_among_many_that_are_not_over() -> None:
    store, clock = MemoryStore(), Clock(AT + YEARS)
    it = patient(store, clock=clock, keeps_deadlines=False)
    it.receive("st-1", _SENDER.body("NA exit a-1", conversation="misdated"))
    clock.at = AT
    names = {f"c-{number}" for number in range(70)}
    for name in sorted(names):
        it.receive("st-1", _SENDER.body("NA exit a-1", conversation=name))
    worker = DeadlineWorker(store, lambda key: drive(it.ingest.settle(key)), clock, FIVE, 0.01)

    _wait(lambda: {key.conversation_id for key, _ in store.deadlines(99)} == names)
    worker.stop()


class _Counting(MemoryStore):
    """Counts how often it was asked for deadlines."""

    looks = 0

    def deadlines(self, limit: int, after: datetime | None = None) -> Any:
        self.looks += 1
        return super().deadlines(limit, after)


def test_trouble_with_one_deadline_delays_no_other(warnings: pytest.LogCaptureFixture) -> None:
    store, bad = _Counting(), [ConversationKey("st-1", "c-1")]
    clock, hour = Clock(), timedelta(hours=1)
    it = processor(store, patience=hour, retry=Retry(poll=hour), clock=clock)
    for name in ("c-1", "c-2"):
        it.receive("st-1", _SENDER.body("NA exit a-1", conversation=name))
    _wait(lambda: store.looks > 0)  # its own worker sleeps from then on

    def settling(key: ConversationKey) -> None:
        if key in bad:
            raise ValueError(key)
        drive(it.ingest.settle(key))

    clock.move(7200)
    worker = DeadlineWorker(store, settling, clock, hour, 0.05)
    _wait(lambda: [key.conversation_id for key, _ in store.deadlines(9)] == ["c-1"])
    assert "applying held deliveries failed: ValueError" in warnings.text
    bad.clear()
    _wait(lambda: not store.deadlines(9))
    worker.stop()
    it.close()


def test_a_store_that_is_away_is_asked_for_deadlines_again(
    warnings: pytest.LogCaptureFixture,
) -> None:
    class Gone(MemoryStore):
        looks = 0

        def deadlines(self, limit: int, after: datetime | None = None) -> Any:
            self.looks += 1
            if self.looks == 1:
                raise StoreUnavailable("database is locked")
            if self.looks == 2:
                raise OSError("SECRET-CANARY")
            return super().deadlines(limit, after)

    store, clock = Gone(), Clock()
    it = processor(store, patience=timedelta(milliseconds=50), clock=clock)
    it.receive("st-1", LEAVES)
    clock.move(1)
    _wait(lambda: it.store.stats().held == 0)
    assert "looking for deadlines failed: OSError" in warnings.text
    assert "looking for deadlines failed: database is locked" in warnings.text
    assert "SECRET-CANARY" not in warnings.text
    it.close()


def test_a_delivery_that_arrives_in_time_is_in_time_however_long_the_store_takes() -> None:
    clock = Clock()

    class Slow(MemoryStore):
        takes = 0.0

        def load(self, key: ConversationKey, identity: Any = None) -> Any:
            clock.move(self.takes)
            return super().load(key, identity)

    store = Slow()
    it = processor(
        store, patience=timedelta(seconds=5), retry=Retry(poll=timedelta(hours=1)), clock=clock
    )
    assert it.receive("st-1", _SENDER.body("NA exit a-1")).held
    clock.move(4)
    store.takes = 2

    assert it.receive("st-1", _SENDER.body("NA entry a-1")).findings == ()
    report = it.conversation("c-1").report  # type: ignore[union-attr]
    assert (report.phase, report.findings) == ("released", ())
    it.close()


# Laws.


def _sent(it: Processor, lines: list[Any], clock: Clock) -> None:
    for given_ in lines:
        it.receive("st-1", given_)
        clock.move(1)


def _account(report: segue.Report) -> tuple[Any, ...]:
    return (
        report.phase,
        [(finding.code, finding.place.event) for finding in report.findings],
        [(segment.agent, segment.kind, segment.outcome) for segment in report.segments],
    )


def _heals(streams: tuple[list[Any], list[Any]], *, restarts: bool) -> None:
    """Swaps heal live as in a log; what was live is what the journal replays to."""
    with patch("segue.server.processor.runtime.DeadlineWorker"):  # a thread for each restart
        _heal(streams, restarts=restarts)


def _heal(streams: tuple[list[Any], list[Any]], *, restarts: bool) -> None:
    clean, swapped = streams
    clock, store = Clock(), MemoryStore()
    it = patient(store, clock=clock)
    for given_ in swapped:
        it.receive("st-1", given_)
        clock.move(1)
        if restarts:
            it = patient(store, clock=clock)
    clock.move(10)
    settle(it)
    view = it.conversation("c-1")
    assert view is not None
    assert view.held == ()
    (want,) = segue.replay(clean)
    assert _account(view.report) == _account(want)
    (again,) = segue.replay(list(it.export()))
    assert again.to_dict() | {"bot_id": None} == view.report.to_dict() | {"bot_id": None}


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)
@given(raced(), st.booleans())
def test_swaps_within_the_patience_heal(
    streams: tuple[list[Any], list[Any]],
    restarts: bool,  # noqa: FBT001
) -> None:
    _heals(streams, restarts=restarts)


@pytest.mark.slow
@settings(max_examples=5_000)
@given(raced(), st.booleans())
def test_swaps_within_the_patience_heal_in_five_thousand_streams(
    streams: tuple[list[Any], list[Any]],
    restarts: bool,  # noqa: FBT001
) -> None:
    _heals(streams, restarts=restarts)


def test_every_swap_of_neighbours_heals_live_as_in_a_log() -> None:
    count = 0
    for swap in swaps(3, 12, transcription=False):
        clock = Clock(NINE)
        with patient(clock=clock) as it:
            first = swap.lines[0]["body"]
            key = ConversationKey(first["botId"], first["conversationId"])
            for line in swap.lines:
                it.receive(key.bot_id, line["body"], delivery_id=line["delivery_id"])
                clock.move(STEP.total_seconds())
            clock.move(5)
            drive(it.ingest.settle(key))
            view = it.conversation(key.conversation_id)
        assert view is not None
        (logged,) = segue.replay(swap.lines, race=FIVE)
        assert (view.report.findings, view.held) == ((), ()), swap.pair
        assert presences(view.report) == presences(logged)
        count += 1
    assert count > 30


def test_live_and_in_a_log_the_same_is_found() -> None:
    """A stream that no order makes clean keeps an error, the same one in both."""
    sent = [TAKES_OVER, ENTERS, SUMMARY, HANDS_OVER, LEAVES, TAKES_OVER, ENDS, ENDS]
    clock = Clock()
    it = patient(clock=clock)
    _sent(it, sent, clock)
    clock.move(10)
    settle(it)
    view = it.conversation("c-1")
    assert view is not None
    lines = [
        {"received_at": (AT + timedelta(seconds=second)).isoformat(), "body": given_}
        for second, given_ in enumerate(sent)
    ]
    reports = list(current_reports(segue.replay(lines, race=FIVE)))
    found = [(f.code, f.place.event) for report in reports for f in report.findings]
    assert [(f.code, f.place.event) for f in view.report.findings] == found
    assert found
