"""Laws of the processor: it adds nothing to the core and takes nothing away."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hypothesis import given, strategies as st
from tests.server.processor.story import AT, AwayStore, processor
from tests.server.stores.library import key
from tests.stored import stored_state
from tests.strategies import json_values, legal_streams, logs, streams
from tests.streams import body

import segue
from segue.core.engine import awaits_end
from segue.core.engine.snapshot import dump
from segue.core.events import HOOKS, INTAKES
from segue.core.findings import Policy
from segue.core.wire.timestamps import read_iso_time
from segue.server.processor import (
    RECEIPTS,
    DeliveryOutcome,
    Processor,
    SubmissionContext,
    adrive,
    drive,
)
from segue.testing import batches

OBSERVE = Policy(transcription="observe")
STREAMS = legal_streams() | streams()


def _send(it: Processor, lines: Iterable[dict[str, Any]]) -> list[Any]:
    """Send the lines of a log to the endpoints they were sent to."""
    return [_submit(it, line, received_at=_time(line)) for line in lines]


def _submit(it: Processor, line: dict[str, Any], **options: Any) -> Any:
    return drive(_unit(it, line, **options))


def _unit(it: Processor, line: dict[str, Any], **options: Any) -> Any:
    """What applies a line, as its endpoint does; a callback may hold any JSON."""
    intake = INTAKES[line.get("endpoint", "hooks")]
    conversation = None if intake is HOOKS else line["conversation_id"]
    context = SubmissionContext("st-1", conversation, **options)
    body = json.dumps(line["body"]).encode() if intake.is_callback else line["body"]
    return it.ingest.submit(intake, body, context, RECEIPTS[intake.receipt])


def _time(line: dict[str, Any]) -> Any:
    return read_iso_time(line.get("received_at"))


def _findings(report: segue.Report) -> list[Any]:
    """What was found, but for lines of the log."""
    return [
        finding.to_dict() | {"line": None, "because": [cause.text for cause in finding.because]}
        for finding in report.findings
    ]


def _places(findings: Iterable[segue.Finding]) -> list[Any]:
    """Codes and places: of what came late, a replay has forgotten who was who."""
    return [(found.code, replace(found.place, line=None)) for found in findings]


def _closed(it: Processor, conversation_id: str = "c-1") -> segue.Report:
    """What the processor knows, as if its log were over."""
    kept = stored_state(it.store, key(conversation_id))
    assert kept is not None
    return segue.Conversation.restore(dump(kept)).finish()


@given(logs(STREAMS), st.booleans())
def test_the_exported_journal_replays_to_the_same_report(
    lines: list[dict[str, Any]],
    store_text: bool,  # noqa: FBT001 - drawn
) -> None:
    """The journal, exported and replayed, gives the findings, segments and metrics known here."""
    it = processor(policy=OBSERVE, store_text=store_text)
    if not lines:
        return
    rest_of_log = iter(lines)
    for line in rest_of_log:
        _send(it, [line])
        if _is_over(it):
            break
    in_time = _closed(it)
    _send(it, rest_of_log)
    at_last = _closed(it)

    exported = list(it.export())
    first, *rest = segue.replay(exported)

    assert len(exported) == len(lines)
    assert _told(first) == _told(in_time)
    assert bool(rest) == (at_last.events > in_time.events or at_last.findings != in_time.findings)
    # Each late callback gives one, and the end of the log another.
    assert all(again.late and again.replaces for again in rest)
    assert [again.events for again in rest] == sorted(again.events for again in rest)
    assert _told([first, *rest][-1]) | _LATENESS == _told(at_last) | _LATENESS


_LATENESS = {"late": None, "replaces": None}


def _is_over(it: Processor) -> bool:
    """Return whether END has come, and the end of a transcription that was open then."""
    state = stored_state(it.store, key("c-1"))
    return state is not None and state.ended and not awaits_end(state)


def _told(report: segue.Report) -> dict[str, Any]:
    """All that a report says, but for lines of the log, and for what it was found by."""
    return report.to_dict() | {"findings": _findings(report), "keyed_by": "bot"}


@given(logs(STREAMS))
def test_receipts_add_up_to_the_report(lines: list[dict[str, Any]]) -> None:
    """The findings of all receipts, in order, are the findings of the report."""
    it = processor(policy=OBSERVE)
    receipts = _send(it, lines)
    known = it.conversation("c-1")

    told = tuple(finding for receipt in receipts for finding in receipt.findings)

    assert told == (() if known is None else known.report.findings)


@given(logs(STREAMS))
def test_the_processor_finds_what_the_core_finds(lines: list[dict[str, Any]]) -> None:
    """A processor gives each delivery the findings that `Conversation.feed` gives it."""
    it = processor(policy=OBSERVE)
    conversation = segue.Conversation()
    fed = [conversation.feed(line | {"bot_id": "st-1"}) for line in _dated(lines)]

    assert [r.findings for r in _send(it, _dated(lines))] == [s.findings for s in fed]


def _dated(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines with a time, and without what only the host of a log knows."""
    return [
        {"received_at": AT.isoformat()} | {name: line[name] for name in line if name != "asked_at"}
        for line in lines
    ]


@given(logs(STREAMS), st.lists(st.integers(0, 100)))
def test_a_delivery_sent_again_under_its_id_changes_nothing(
    lines: list[dict[str, Any]], again: list[int]
) -> None:
    """Whatever is redelivered, whenever, the report is that of each delivery once."""
    once, often = processor(policy=OBSERVE), processor(policy=OBSERVE)
    _send(once, _dated(lines))
    for number, line in enumerate(_dated(lines)):
        for index in (number, *(each for each in again if each < number)):
            sent = lines[index]
            options: dict[str, Any] = {"delivery_id": str(index), "received_at": _time(line)}
            receipt = _submit(often, sent, **options)
            assert receipt.duplicate == (index != number)

    assert _report(once) == _report(often)


def _report(it: Processor) -> Any:
    known = it.conversation("c-1")
    return known and known.to_dict()


@given(st.data())
def test_events_sent_together_are_applied_like_events_sent_apart(data: st.DataObject) -> None:
    """However the events of a stream are put into deliveries, the phase and findings are one."""
    told = [body(event) for event in data.draw(STREAMS)]
    apart, together = processor(), processor()
    for sent in data.draw(batches(told)):
        together.receive("st-1", sent)
    for sent in data.draw(batches(told)):
        apart.receive("st-1", sent)

    one, other = apart.conversation("c-1"), together.conversation("c-1")

    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.report.phase == other.report.phase
        assert one.expected == other.expected


@given(st.lists(json_values() | st.binary(max_size=40) | st.text(max_size=40), max_size=5))
def test_whatever_is_sent_is_answered_and_nothing_is_lost(sent: list[Any]) -> None:
    """Anything at all gives a receipt; what is not applied is in the quarantine."""
    it = processor()
    bodies = [each if isinstance(each, bytes | str | dict) else json.dumps(each) for each in sent]

    outcomes = [it.receive("st-1", each).outcome for each in bodies]

    applied = sum(outcome is DeliveryOutcome.APPLIED for outcome in outcomes)
    assert len(list(it.export())) == applied
    assert len(it.quarantined()) == len(sent) - applied


@given(logs(STREAMS))
def test_blocking_and_async_give_identical_results(lines: list[dict[str, Any]]) -> None:
    """The two drivers give the same receipts and leave the same rows."""
    here, there = AwayStore(), AwayStore()
    blocking, waiting = processor(here), processor(there)

    async def send() -> list[Any]:
        return [await adrive(_unit(waiting, line, received_at=_time(line))) for line in lines]

    assert asyncio.run(send()) == _send(blocking, lines)
    assert here.journal(0, 999, None) == there.journal(0, 999, None)
    assert here.load(key("c-1")) == there.load(key("c-1"))
