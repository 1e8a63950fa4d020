"""The machine of a call, against the page: every cell, and every sequence of up to five.

The page (platform, §5): dialled (when it was said so) → answered → completed | failed; a lone final
status is legal; another final status is SG702, an equal copy SG601, a status after it SG703.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import pytest

import segue
from segue.core.calls import TABLE, CallState
from segue.core.events import CallKind

STATUSES: Final = ("answered", "completed", "failed")
PAGE: Final = {
    "unknown": {"answered": "answered", "completed": "completed", "failed": "failed"},
    "dialled": {"answered": "answered", "completed": "completed", "failed": "failed"},
    "answered": {"answered": "answered", "completed": "completed", "failed": "failed"},
    "completed": {"answered": "SG703", "completed": "SG702", "failed": "SG702"},
    "failed": {"answered": "SG703", "completed": "SG702", "failed": "SG702"},
}
LETTERS: Final = (
    ("answered", ""),
    ("completed", ""),
    ("completed", "bot-disconnected"),
    ("failed", ""),
    ("failed", "Busy Here"),
)
"""Statuses with two contents each."""


def test_every_cell_is_that_of_the_page() -> None:
    table = {
        state.value: {kind.value: cell.code or cell.to.value for kind, cell in row.items()}
        for state, row in TABLE.items()
    }

    assert table == PAGE
    assert set(TABLE) == set(CallState)
    assert {kind.value for row in TABLE.values() for kind in row} == set(STATUSES)
    assert set(CallKind) - set(TABLE[CallState.UNKNOWN]) == {CallKind.UNPROCESSABLE}


@pytest.mark.parametrize("state", ["completed", "failed"])
def test_the_latest_final_status_counts(state: str) -> None:
    row = TABLE[CallState(state)]

    assert row[CallKind.COMPLETED].to is CallState.COMPLETED
    assert row[CallKind.FAILED].to is CallState.FAILED
    assert row[CallKind.ANSWERED].to is CallState(state)


def judged(sequence: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The state after each notification and the code of its finding, by the words of the page."""
    final, last = "", None
    for letter in sequence:
        status, _ = letter
        if letter == last:
            yield final or status, "SG601"
            continue
        last = letter
        if status == "answered":
            yield final or status, "SG703" if final else ""
        else:
            yield status, "SG702" if final else ""
            final = status


@pytest.mark.parametrize("length", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.thorough)])
def test_every_sequence_of_notifications(length: int) -> None:
    for sequence in product(LETTERS, repeat=length):
        conversation = segue.Conversation("c-1")
        for (status, code), (state, found) in zip(sequence, judged(sequence), strict=True):
            body = {"status": status, "reasonCode": code} if code else {"status": status}
            sent: dict[str, Any] = {"endpoint": "notifications", "conversation_id": "c-1"}
            result = conversation.feed({**sent, "body": body})

            assert [each.code for each in result.findings] == ([found] if found else [])
            call = conversation.report().call
            assert call is not None
            assert call["state"] == state


def test_a_copy_changes_nothing_but_the_count() -> None:
    line = {"endpoint": "notifications", "conversation_id": "c-1", "body": {"status": "failed"}}
    once, twice = (segue.check([line] * count, partial="end") for count in (1, 2))

    assert once.call is not None
    assert twice.call == {**once.call, "notifications": 2}
    assert twice.findings[0].message == (
        "call notification failed came twice in a row with the same content and was counted once"
    )


def test_equal_in_meaning_is_a_copy() -> None:
    bodies = ({"status": "completed", "duration": 57}, {"status": "COMPLETED", "duration": "57"})
    lines = [
        {"endpoint": "notifications", "conversation_id": "c-1", "body": body} for body in bodies
    ]

    found = segue.check(lines, partial="end").findings
    assert [each.code for each in found] == ["SG601"]
