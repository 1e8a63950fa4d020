"""What a witness of a replay is told: what was applied, where, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.logs.story import CLEAN, action, body, enveloped, lines

from segue.core.events import Delivery
from segue.logs import replay


def witnessed(log: Iterable[object], **given: Any) -> list[tuple[str | None, int, list[str]]]:
    """Conversation, position and kinds of every delivery that a witness was told."""
    seen: list[tuple[str | None, int, list[str]]] = []

    def witness(delivery: Delivery, position: int) -> None:
        kinds = [event.kind.value for event in delivery.events]
        seen.append((delivery.conversation_id, position, kinds))

    list(replay(log, on_delivery=witness, **given))
    return seen


def test_it_is_told_every_delivery_and_its_position() -> None:
    log = [
        body("user message"),
        body("NA entry a-1", "NA exit a-1"),
        *lines("NA entry a-1", conversation="c-2"),
        body("summary"),
    ]

    assert witnessed(log) == [
        ("c-1", 0, ["user message"]),
        ("c-1", 1, ["NA entry", "NA exit"]),
        ("c-2", 0, ["NA entry"]),
        ("c-1", 3, ["TRIGGER_SUMMARY_EVENT"]),
    ]


def test_it_is_told_the_same_of_bytes_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in lines(*CLEAN)), "utf-8")
    seen: list[int] = []

    list(replay(path, on_delivery=lambda _, position: seen.append(position)))

    assert seen == [0, 1, 2, 3]


def test_actions_have_positions_of_their_own() -> None:
    log = [body("NA entry a-1"), action("start a-1"), body("NA exit a-1"), action("end a-1")]

    assert [(position, kinds[0]) for _, position, kinds in witnessed(log)] == [
        (0, "NA entry"),
        (0, "start"),
        (1, "NA exit"),
        (1, "end"),
    ]


def test_a_delivery_that_was_not_applied_is_not_told() -> None:
    first = enveloped("NA entry a-1", delivery_id="d-1")
    other = enveloped("NA exit a-1", delivery_id="d-1")

    assert witnessed([first, first, other, "{", b"", {"botId": "b-1"}]) == [
        ("c-1", 0, ["NA entry"]),
    ]


def test_what_comes_after_the_end_is_told_within_the_window() -> None:
    log = [*lines(*CLEAN), body("NA entry a-1"), action("start a-1")]

    assert witnessed(log)[len(CLEAN) :] == [("c-1", 4, ["NA entry"]), ("c-1", 0, ["start"])]
    assert len(witnessed(log, window=0)) == len(CLEAN)


def test_what_is_not_chosen_is_not_told() -> None:
    log = [*lines("NA entry a-1"), *lines("NA entry a-1", conversation="c-2")]

    assert [told[0] for told in witnessed(log, conversations=("c-2",))] == ["c-2"]


def test_it_is_told_before_the_conversation_is_reported() -> None:
    seen: list[int] = []
    reports = replay(lines(*CLEAN), on_delivery=lambda _, position: seen.append(position))

    next(reports)

    assert seen == [0, 1, 2, 3]
