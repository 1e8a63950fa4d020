"""Clean streams of two senders, whose deliveries overtake each other, are clean with patience."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.builders import jsonl
from tests.families import family
from tests.laws.swaps import presences, swaps

from segue.analysis.simulate.bodies import read_delivery
from segue.core.findings import Severity
from segue.logs import replay
from segue.testing import any_streams, valid_streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.core.conversation import Report

PATIENCE = timedelta(seconds=3)
_NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


def timed(stream: Sequence[Any]) -> list[dict[str, Any]]:
    """The lines of a stream, a second apart."""
    return [
        {"received_at": (_NINE + timedelta(seconds=number)).isoformat(), "body": given}
        for number, given in enumerate(stream)
    ]


def error_codes(reports: Sequence[Report]) -> list[str]:
    return [
        finding.code
        for report in reports
        for finding in report.findings
        if finding.severity is Severity.ERROR
    ]


def account(report: Report) -> tuple[Any, ...]:
    """What a report says of phase, findings and segments."""
    return (
        report.phase,
        [finding.code for finding in report.findings],
        [(segment.agent, segment.kind, segment.outcome) for segment in report.segments],
    )


@st.composite
def raced(draw: st.DrawFn) -> tuple[list[Any], list[Any]]:
    """A clean stream, and the same with neighbours swapped that two senders sent.

    A swap that gives no error is no mistake of the stream: without patience it is applied as well.
    """
    clean = draw(valid_streams(max_size=24, notes=False))
    events = [read_delivery(each) for each in clean]
    sides = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    names = ("", "a-1", "a-2", "a-3")
    side = [sides[names.index(event.actor)] if event else False for event in events]
    swapped, index = list(clean), 0
    while index < len(clean) - 1:
        pair = slice(index, index + 2)
        if side[index] is not side[index + 1] and draw(st.booleans()):
            alone = list(clean)
            alone[pair] = alone[pair][::-1]
            if error_codes(list(replay(alone))):
                swapped[pair] = swapped[pair][::-1]
                index += 1
        index += 1
    return list(clean), swapped


def heals(streams: tuple[list[Any], list[Any]]) -> None:
    clean, swapped = streams
    (want,) = replay(timed(clean))
    assert want.clean
    (patient,) = replay(timed(clean), race=PATIENCE)
    assert account(patient) == account(want)
    (healed,) = replay(timed(swapped), race=PATIENCE)
    assert account(healed) == account(want)


@given(raced())
def test_swaps_within_the_patience_heal(streams: tuple[list[Any], list[Any]]) -> None:
    heals(streams)


@pytest.mark.slow
@settings(max_examples=5_000)
@given(raced())
def test_swaps_within_the_patience_heal_in_five_thousand_streams(
    streams: tuple[list[Any], list[Any]],
) -> None:
    heals(streams)


EVERY_KIND = {
    "AGENT message",
    "USER message",
    *(f"{kind} {way}" for kind in ("NA", "COLD", "WARM") for way in ("entry", "exit")),
    "redial entry",
    "TRIGGER_SUMMARY_EVENT",
    "END_OF_CONVERSATION",
}


def every_swap_heals(seed: int, conversations: int, *, transcription: bool) -> tuple[int, set[str]]:
    """Return the number of swaps and the labels of the deliveries that changed places."""
    count, labels = 0, set[str]()
    for swap in swaps(seed, conversations, transcription=transcription):
        (want,) = replay(swap.clean, race=PATIENCE)
        reports = list(replay(swap.lines, race=PATIENCE))
        assert [report.findings for report in reports] == [()], swap.pair
        assert presences(reports[0]) == presences(want), swap.pair
        count += 1
        labels.update(swap.pair.split(", "))
    return count, labels


@family("transcription", [False, True])
def test_every_swap_of_neighbours_in_generated_conversations_heals(*, transcription: bool) -> None:
    count, labels = every_swap_heals(1, 40, transcription=transcription)
    assert count > 100
    assert labels == EVERY_KIND


@pytest.mark.thorough
@family("transcription", [False, True])
def test_a_thousand_swaps_heal(*, transcription: bool) -> None:
    count, _ = every_swap_heals(2, 400, transcription=transcription)
    assert count > 1_000


@given(any_streams(max_size=10))
def test_what_race_says_is_what_the_order_says_that_it_applied(stream: list[Any]) -> None:
    """So a stream that no order makes clean keeps an error; and nothing is lost."""
    order: list[Any] = []
    reports = list(
        replay(timed(stream), race=PATIENCE, on_delivery=lambda each, _: order.append(each))
    )
    again = [
        {
            "received_at": each.received_at.isoformat(),
            "endpoint": each.intake.name,
            "conversation_id": "c-1",
            "bot_id": "st-1",
            "body": each.body,
        }
        for each in order
    ]
    assert sum(report.events for report in reports if report.late) == 0 or len(reports) > 1
    if all(not report.late for report in reports):
        assert len(order) == len(stream)
        assert [account(each) for each in replay(again)] == [account(each) for each in reports]


@given(any_streams(max_size=10), st.integers(0, 10))
def test_the_findings_of_a_prefix_are_a_prefix(stream: list[Any], length: int) -> None:
    """Apart from those of deliveries that still waited where the log was cut."""
    lines = timed(stream)

    def found(upto: int) -> list[Any]:
        applied: list[int] = []
        reports = replay(
            jsonl(lines[:upto]).splitlines(),
            race=timedelta(microseconds=1),  # nothing that waits is still waiting a line later
            partial="end",
            on_delivery=lambda _, at: applied.append(at),
        )
        return [(f.code, f.place.event) for report in reports for f in report.findings]

    part, whole = found(length), found(len(stream))
    assert part == whole[: len(part)]
