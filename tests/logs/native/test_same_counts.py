"""What is counted for causes of the conversations that the accelerator has kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.builders import Sender, jsonl
from tests.logs.native.both import same

import segue
from segue.analysis.causes import Counts, cause_notes, counts as causes_counts
from segue.logs.accelerated import AcceleratedReplayer
from segue.logs.event_notes import KeptNotes
from segue.logs.plan import ReplayOptions

NINE = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp()) // 60


def log(*texts: str, conversation: str = "c-1", bot: str = "st-1", at: str = "09:00:30") -> bytes:
    """One line for each text, such as `NA entry a-1`; `user`, alone, has no agent's name."""
    sender = Sender(bot)
    return jsonl(sender.delivery(text, conversation, at) for text in texts)


def lines(*logs: bytes) -> list[bytes]:
    return b"".join(logs).splitlines(keepends=True)


def test_what_an_event_leaves_out_those_before_it_have_said() -> None:
    """By hand: the exit has no language, the end no flag; the conversation counts for the last."""
    sender = Sender("st-1")
    entry = sender.event("NA entry a-1")
    entry["participant"]["customFields"] = {"queueName": "Sales"}
    events = [entry | {"language": "de"}, sender.event("NA exit a-1"), sender.event("END")]
    bodies = [{"conversationId": "c", "botId": "st-1", "events": [event]} for event in events]
    sent = [{"received_at": f"2026-03-02T09:0{n}:30Z", "body": b} for n, b in enumerate(bodies)]
    raw = jsonl(sent).splitlines(keepends=True)
    replayer = AcceleratedReplayer(ReplayOptions(note=cause_notes()))
    _, report = replayer.feed_all([*lines(log("NA exit a-1", "END", conversation="c-0")), *raw])
    assert isinstance(report.notes, KeptNotes)
    counts = Counts()
    counts.add(report)

    said = "a-1", "Sales"
    assert sorted(counts.opportunities()) == [
        (("", "st-1", "END_OF_CONVERSATION", *said, "en", "chat", "false", ""), [NINE + 2]),
        (("", "st-1", "NA entry", *said, "de", "chat", "false", ""), [NINE]),
        (("", "st-1", "NA exit", *said, "de", "chat", "false", ""), [NINE + 1]),
        (("", "st-1", "conversation", *said, "en", "chat", "false", ""), [NINE + 2]),
    ]


@pytest.mark.parametrize("first", ["start a-1", "pause false a-1", "user", "agent a-1"])
def test_what_comes_before_all_that_says_for_whom_it_counts(first: str) -> None:
    """It counts for the first event behind it, and without any for nothing."""
    cut = [
        log(first, *more, conversation=f"c-{number}", at="09:00:00")
        for number, more in enumerate([(), ("NA exit a-2",), ("NA exit a-1", "END")])
    ]
    same(lines(*cut, log("NA entry a-1", "end a-1", conversation="c-9")), partial="both")


def of_many(number: int) -> Iterator[bytes]:
    for each in range(number):
        texts = ("NA entry a-1", "start a-1", "end a-1")[: 1 + 2 * (each % 2)]
        more = ("NA exit a-1", "END", "END", "user")[: 2 + each % 3]
        yield log(*texts, *more, conversation=f"c-{each}", bot=f"st-{each % 3}")


@pytest.mark.parametrize("options", [{}, {"key": "bot"}, {"is_sorted": True}])
def test_more_conversations_than_are_counted_together(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some bots' have actions, some end twice; of `same`, one count forgets most of them."""
    monkeypatch.setattr(causes_counts, "_TOGETHER", 100)
    logs = lines(*of_many(220))
    same(logs[:500], logs[500:], **options)  # type: ignore[arg-type]


def test_counts_of_parts_of_one_replay_are_their_own() -> None:
    reports = list(segue.replay(lines(*of_many(60)), note=cause_notes()))
    whole, halves = Counts(), (Counts(), Counts())
    for number, report in enumerate(reports):
        whole.add(report)
        halves[number % 2].add(report)
    halves[0].merge(halves[1])

    assert sorted((of, sorted(at)) for of, at in halves[0].opportunities()) == sorted(
        (of, sorted(at)) for of, at in whole.opportunities()
    )
