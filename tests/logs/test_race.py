"""Logs whose deliveries overtook each other: those out of order wait for what came later."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.builders import Sender, jsonl

from segue.core.engine.reordering import MOST_HELD
from segue.errors import ConfigurationError
from segue.logs import replay
from segue.logs.plan import ReplayOptions
from segue.logs.reordering import ReorderingReplayer

if TYPE_CHECKING:
    from pathlib import Path

FIVE = timedelta(seconds=5)
NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
_SENDER = Sender()


def line(
    text: str, at: float | None, conversation: str = "c-1", delivery_id: str | None = None
) -> dict[str, Any]:
    given = _SENDER.delivery(text, conversation)
    envelope: dict[str, Any] = given if "body" in given else {"body": given}
    if at is not None:
        envelope["received_at"] = (NINE + timedelta(seconds=at)).isoformat()
    if delivery_id is not None:
        envelope["delivery_id"] = delivery_id
    return envelope


def log(*timed: tuple[str, float | None]) -> list[dict[str, Any]]:
    return [line(text, at) for text, at in timed]


def told(lines: Any, **options: Any) -> list[tuple[str | None, str, list[str]]]:
    """Of each report: the conversation, its phase, and what was found at which event."""
    return [
        (
            report.conversation_id,
            report.phase.value,
            [f"{finding.code} {finding.place.event}" for finding in report.findings],
        )
        for report in replay(lines, **options)
    ]


def test_every_place_names_its_log_where_a_delivery_was_held() -> None:
    replayer = ReorderingReplayer(ReplayOptions(), FIVE)
    replayer.change_source("one")
    list(replayer.feed_all(log(("pause handover=true a-9", 0), ("WARM exit a-2", 2), ("user", 9))))
    replayer.change_source("two")
    [report] = replayer.close()

    of_line = [f for f in report.findings if f.place.line is not None]
    assert [(f.code, f.place.source, f.place.line) for f in of_line] == [
        ("SG401", "one", 1),
        ("SG101", "one", 2),
        ("SG403", "one", 1),
        ("SG405", "one", 1),
    ]


SWAPPED = log(
    ("NA entry a-1", 0),
    ("COLD entry a-2", 1),
    ("COLD exit a-1", 2),
    ("NA exit a-2", 3),
    ("END", 4),
)


def test_without_race_a_swap_is_an_error() -> None:
    assert told(SWAPPED) == [("c-1", "ended", ["SG103 1"])]


def test_a_swap_within_the_time_heals() -> None:
    (report,) = replay(SWAPPED, race=FIVE)
    assert report.clean
    assert [(each.agent, each.kind, each.outcome) for each in report.segments] == [
        ("a-1", "NA", "transferred"),
        ("a-2", "COLD", "completed"),
    ]
    # It is applied at the time of the delivery it waited for.
    assert report.segments[1].connections[0].started_at == NINE + timedelta(seconds=2)
    assert report.metrics.transfer_gap == timedelta(0)


DROPPED = ("NA entry a-1", "NA exit a-1", "redial entry a-1", "NA exit a-1", "summary", "END")
"""A call that drops and is taken up again by the same agent."""


@pytest.mark.parametrize(
    ("first", "code"), [(1, "SG112"), (2, "SG601"), (3, "SG106")], ids=["before", "after", "leaves"]
)
def test_a_redial_that_changed_places_with_a_neighbour_heals(first: int, code: str) -> None:
    order = [*DROPPED[:first], DROPPED[first + 1], DROPPED[first], *DROPPED[first + 2 :]]
    lines = [line(text, at, delivery_id=f"d-{at}") for at, text in enumerate(order)]
    plain = next(iter(replay(lines)))
    assert plain.findings[0].code == code
    (report,) = replay(lines, race=FIVE)
    assert (report.clean, report.phase) == (True, "ended")
    assert [(each.agent, each.kind, each.outcome) for each in report.segments] == [
        ("a-1", "NA", "completed")
    ]
    connections = [
        (each.opened_by, each.opened_kind, each.closed_by, each.closed_kind)
        for each in report.segments[0].connections
    ]
    assert connections == [(0, "NA", 1, "NA"), (2, "redial", 3, "NA")]


def test_a_repeat_without_an_id_is_a_second_copy_and_does_not_wait() -> None:
    lines = log(
        ("NA entry a-1", 0), ("NA exit a-1", 1), ("NA exit a-1", 2), ("redial entry a-1", 3)
    )
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", ["SG601 2"])]


def test_a_message_that_overtook_the_entry_of_its_agent_heals() -> None:
    lines = log(("agent a-1", 0), ("NA entry a-1", 1), ("NA exit a-1", 2), ("END", 3))
    assert told(lines) == [("c-1", "ended", ["SG205 0"])]
    (report,) = replay(lines, race=FIVE)
    assert report.clean
    assert [each.agent_messages for each in report.segments] == [1]


def test_a_message_after_the_exit_of_its_agent_is_judged_before_the_end() -> None:
    lines = log(("NA entry a-1", 0), ("NA exit a-1", 1), ("END", 2), ("agent a-1", 3))
    assert told(lines, race=FIVE) == [("c-1", "ended", ["SG205 2"])]


def test_a_swap_over_a_longer_time_keeps_its_error() -> None:
    lines = log(("NA entry a-1", 0), ("COLD entry a-2", 1), ("COLD exit a-1", 6.5))
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", ["SG103 1"])]
    lines[2] = line("COLD exit a-1", 5.9)
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", [])]


def test_at_the_deadline_it_is_judged_before_what_comes_at_that_time() -> None:
    lines = log(("NA entry a-1", 0), ("COLD entry a-2", 1), ("COLD exit a-1", 6))
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", ["SG103 1"])]


def test_the_end_waits_for_what_it_overtook() -> None:
    lines = log(("NA entry a-1", 0), ("END", 1), ("NA exit a-1", 2), ("summary", 3))
    assert told(lines, race=FIVE) == [("c-1", "ended", [])]


def test_two_ends_keep_their_error() -> None:
    lines = log(("NA entry a-1", 0), ("NA exit a-1", 1), ("END", 2), ("END", 3))
    assert told(lines, race=FIVE) == [("c-1", "ended", []), ("c-1", "ended", ["SG109 3"])]


def test_what_follows_the_end_is_late_even_if_it_was_held() -> None:
    lines = log(
        ("NA entry a-1", 0), ("NA exit a-1", 1), ("END", 2), ("NA exit a-9", 6), ("user", 8)
    )
    lines[3]["delivery_id"] = "d-1"
    assert told(lines, race=FIVE) == [("c-1", "ended", []), ("c-1", "ended", ["SG110 3"])]


def test_held_deliveries_make_room_for_each_other_in_order_of_arrival() -> None:
    lines = log(
        ("NA exit a-2", 0), ("COLD entry a-2", 1), ("COLD exit a-1", 2), ("NA entry a-1", 3)
    )
    assert told(lines, race=FIVE, partial="end") == [("c-1", "released", [])]


def test_held_deliveries_are_applied_when_the_log_is_over() -> None:
    lines = log(("NA entry a-1", 0), ("COLD entry a-2", 1), ("COLD entry a-3", 2))
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", ["SG103 1", "SG103 2"])]


def test_a_conversation_is_reported_as_soon_as_a_line_is_later_than_its_deadline() -> None:
    read = []

    def lines() -> Any:
        for each in (
            *log(("NA entry a-1", 0), ("NA exit a-1", 1), ("END", 2)),
            line("NA entry a-1", 6.9, "c-2"),
            line("NA exit a-1", 7, "c-2"),
            line("user", 8, "c-2"),
        ):
            read.append(each)
            yield each

    reports = replay(lines(), race=FIVE)
    assert next(reports).conversation_id == "c-1"
    assert len(read) == 5
    assert [report.conversation_id for report in reports] == ["c-2"]


def test_an_id_that_is_held_counts_as_seen() -> None:
    lines = [
        line("NA entry a-1", 0),
        line("COLD entry a-2", 1, delivery_id="d-1"),
        line("COLD entry a-2", 1.5, delivery_id="d-1"),
        line("COLD entry a-3", 1.6, delivery_id="d-1"),
        line("COLD exit a-1", 2),
    ]
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", ["SG603 1"])]


def test_without_times_nothing_waits() -> None:
    lines = log(("NA entry a-1", None), ("COLD entry a-2", None), ("COLD exit a-1", None))
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", ["SG103 1"])]


def test_a_line_without_a_time_has_that_of_the_line_before() -> None:
    lines = log(("NA entry a-1", 0), ("COLD entry a-2", None), ("COLD exit a-1", 4.9))
    assert told(lines, race=FIVE, partial="end") == [("c-1", "active", [])]


def test_what_begins_late_is_taken_as_true() -> None:
    lines = log(("COLD exit a-1", 0), ("WARM entry a-3", 1), ("COLD entry a-2", 2))
    assert told(lines, race=FIVE, partial="both") == [("c-1", "consulting", [])]


def test_so_many_are_held_and_no_more() -> None:
    entries = [(f"COLD entry a-{n}", 1.0) for n in range(2, MOST_HELD + 3)]
    lines = log(("NA entry a-1", 0), *entries)
    found: list[int] = []
    for _ in replay(lines, race=FIVE, partial="end", on_delivery=lambda _, at: found.append(at)):
        pass
    replayer = ReorderingReplayer(ReplayOptions(partial="end"), FIVE)
    assert not list(replayer.feed_all(lines))
    (report,) = replayer.interrupt()
    # The last one was judged at once, so it stands before those that were held.
    assert report.findings[0].message.count(f"a-{MOST_HELD + 2}")
    assert report.events == len(lines) == len(found)


def test_lines_of_no_conversation_wait_for_nothing() -> None:
    lines = [line("NA entry a-1", 0), {"body": "{", "received_at": NINE.isoformat()}]
    assert told(lines, race=FIVE, partial="end") == [
        (None, "waiting", ["SG501 None"]),
        ("c-1", "active", []),
    ]


def test_what_was_put_in_order_is_counted() -> None:
    replayer = ReorderingReplayer(ReplayOptions(), FIVE)
    assert not list(replayer.feed_all([*SWAPPED, line("COLD entry a-7", 5, "c-2")]))
    assert [report.clean for report in replayer.close()] == [True, False]
    assert replayer.healed == 1


def test_several_logs_keep_the_names_of_what_waited(tmp_path: Path) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    one.write_bytes(jsonl([*SWAPPED[:2], line("WARM exit a-9", 1.5)]))
    two.write_bytes(jsonl([*SWAPPED[2:4], line("WARM exit a-8", 3)]))
    for sort in (None, "received_at"):
        (report,) = replay([one, two], race=FIVE, partial="end", sort=sort)
        assert [(f.code, f.place.source, f.place.line) for f in report.findings] == [
            ("SG201", str(one), 3),
            ("SG201", str(two), 3),
        ]


def test_jobs_give_the_same_reports(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(jsonl(SWAPPED))
    assert told(path, race=FIVE, jobs=2) == told(path, race=FIVE) == [("c-1", "ended", [])]


def test_the_deadline_may_be_past_the_end_of_the_calendar() -> None:
    lines = log(("NA exit a-1", 0), ("NA entry a-1", 1))
    assert told(lines, race=timedelta.max, partial="end") == [("c-1", "released", [])]


@pytest.mark.parametrize("race", [timedelta(0), timedelta(seconds=-1)])
def test_a_time_that_is_not_positive_is_refused(race: timedelta) -> None:
    with pytest.raises(ConfigurationError, match="`race` must be positive, got"):
        list(replay([], race=race))


def test_text_lines_are_read_too() -> None:
    assert told([json.dumps(each) for each in SWAPPED], race=FIVE) == [("c-1", "ended", [])]
