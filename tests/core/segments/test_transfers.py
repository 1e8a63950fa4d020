"""Transfers and drops as rows, every expectation worked out by hand."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.core.segments.story import Story, built, read, second, seconds
from tests.core.segments.test_laws import ANY_TIME, SOME_TIME, Said, events, follow
from tests.streams import KINDS, clean_streams

from segue.core.segments import Drop, Transfer, drops_of, measure, transfers_of


def transfers(story: Story) -> list[Transfer]:
    return transfers_of(story.builder.handovers, story.builder.segments())


def drops(story: Story) -> list[Drop]:
    return drops_of(story.builder.redials, story.builder.segments())


def short(transfer: Transfer) -> tuple[Any, ...]:
    """Return kind, agents, places, gap in seconds, and whether it was taken."""
    return (
        transfer.kind,
        transfer.from_agent,
        transfer.to_agent,
        transfer.left_by,
        transfer.taken_by,
        seconds(transfer.gap),
        transfer.taken,
        transfer.promoted,
    )


def test_a_cold_transfer_has_all_its_facts() -> None:
    story = built("NA entry a, COLD exit a, COLD entry b, NA exit b, END", [0, 10, 13, 20, 25])

    [found] = transfers(story)

    assert found.to_dict() == {
        "kind": "COLD",
        "from_agent": "a",
        "to_agent": "b",
        "from_segment": 0,
        "to_segment": 1,
        "from_queue": "",
        "to_queue": "",
        "left_by": 1,
        "left_at": second(10).isoformat(),
        "taken_by": 2,
        "taken_at": second(13).isoformat(),
        "gap": 3.0,
        "taken": True,
        "promoted": False,
    }


def test_a_transfer_goes_from_queue_to_queue() -> None:
    story = Story()
    for phrase, queue in (
        ("NA entry a", {"queueId": "q-1", "queueName": "Sales"}),
        ("COLD exit a", {}),
        ("COLD entry b", {"queueId": "q-2"}),
    ):
        story.add(*read(phrase), value={"participant": {"customFields": queue}})

    [found] = transfers(story)

    assert (found.from_queue, found.to_queue) == ("Sales", "q-2")


def test_a_consultant_is_promoted_without_a_gap() -> None:
    story = built("NA entry a, WARM entry b, WARM exit a, NA exit b, END")
    assert [*map(short, transfers(story))] == [("WARM", "a", "b", 2, 2, 0, True, True)]


@pytest.mark.parametrize("evidence", ["WARM exit c", "COLD exit b", "COLD entry b"])
def test_who_of_several_consultants_took_over_is_told_later(evidence: str) -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, WARM exit a")
    assert [*map(short, transfers(story))] == [("WARM", "a", None, 3, 3, 0, True, True)]
    found, *_ = transfers(story.tell(evidence))
    assert short(found) == ("WARM", "a", "b", 3, 3, 0, True, True)
    assert (measure(story.builder).transfers_warm, found.to_segment) == (1, 1)
    assert measure(story.builder).transfers_cold == 0


def test_a_consultant_who_stays_takes_over_when_the_primary_leaves() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, NA exit b, END", [0, 10, 30, 50, 50])
    assert [*map(short, transfers(story))] == [("COLD", "a", "b", 2, 2, 0, True, True)]


def test_a_consultant_who_enters_again_was_connected_all_along() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, COLD entry b", [0, 10, 30, 50])
    assert [*map(short, transfers(story))] == [("COLD", "a", "b", 2, 3, 0, True, True)]


def test_every_transfer_of_a_chain_is_a_row() -> None:
    story = built(
        "NA entry a, COLD exit a, COLD entry b, COLD exit b, COLD entry c, NA exit c, END",
        [0, 10, 13, 20, 25, 30, 31],
    )
    assert [*map(short, transfers(story))] == [
        ("COLD", "a", "b", 1, 2, 3, True, False),
        ("COLD", "b", "c", 3, 4, 5, True, False),
    ]


@pytest.mark.parametrize("ending", ["NA exit a", "END"])
def test_a_transfer_that_nobody_takes_is_listed(ending: str) -> None:
    story = built(f"NA entry a, COLD exit a, {ending}")
    assert [*map(short, transfers(story))] == [("COLD", "a", None, 1, None, None, False, False)]
    assert measure(story.builder).transfers_cold == 0


def test_whether_a_transfer_is_taken_is_open_until_the_log_is_over() -> None:
    story = built("NA entry a, COLD exit a")
    assert [each.taken for each in transfers(story)] == [None]
    assert [each.taken for each in transfers(story.close())] == [False]


def test_who_takes_back_a_transfer_of_his_own_has_transferred_to_nobody() -> None:
    story = built("NA entry a, COLD exit a, COLD entry a, NA exit a, END", [0, 10, 15, 20, 20])
    assert [*map(short, transfers(story))] == [("COLD", "a", "a", 1, 2, 5, False, False)]
    metrics = measure(story.builder)
    assert (metrics.transfers_cold, seconds(metrics.transfer_gap)) == (0, 5)


def test_a_redial_of_another_agent_takes_a_transfer() -> None:
    story = built("NA entry a, COLD exit a, redial entry b", [0, 10, 15])
    assert [*map(short, transfers(story))] == [("COLD", "a", "b", 1, 2, 5, True, False)]


def test_a_transfer_to_somebody_no_event_named_has_no_target() -> None:
    story = built("NA entry a, COLD exit a, WARM entry b", [0, 10, 15])
    [found] = transfers(story)
    assert short(found) == ("COLD", "a", None, 1, 2, 5, True, False)
    assert (found.from_segment, found.to_segment) == (0, None)


def test_an_agent_who_was_only_seen_leaving_has_transferred() -> None:
    [found] = transfers(built("COLD exit x, COLD entry a", [0, 10]))
    assert short(found) == ("COLD", "x", "a", 0, 1, 10, True, False)
    assert (found.from_segment, found.to_segment) == (0, 1)


@pytest.mark.parametrize("exit_kind", ["NA", "COLD", "WARM"])
def test_an_early_cold_entry_is_a_transfer_whatever_the_exit(exit_kind: str) -> None:
    story = built("NA entry a, COLD entry b")
    assert [*map(short, transfers(story))] == [("COLD", "a", "b", None, 1, None, True, False)]
    story.tell(f"{exit_kind} exit a")
    assert [*map(short, transfers(story))] == [("COLD", "a", "b", 2, 1, 0, True, False)]
    assert measure(story.builder).transfers_cold == 1


def test_an_agent_who_was_replaced_has_transferred_only_if_the_exit_says_so() -> None:
    story = built("NA entry a, NA entry b")
    assert transfers(story) == []
    assert transfers(built("NA entry a, NA entry b, NA exit a")) == []
    assert [*map(short, transfers(story.tell("COLD exit a")))] == [
        ("COLD", "a", "b", 2, 1, 0, True, False)
    ]


def test_a_cold_entry_after_an_agent_no_event_named_is_a_transfer() -> None:
    [found] = transfers(built("WARM entry b, COLD entry c"))
    assert short(found) == ("COLD", None, "c", None, 1, None, True, False)
    assert (found.from_segment, found.to_segment) == (None, 1)


def test_a_cold_entry_that_began_a_consultation_is_no_transfer() -> None:
    assert transfers(built("NA entry a, COLD entry b, WARM exit b")) == []


def test_a_cold_exit_of_a_consultant_is_no_transfer() -> None:
    assert transfers(built("NA entry a, WARM entry b, COLD exit b, NA exit a")) == []


def test_a_gap_is_unknown_without_times() -> None:
    assert [
        each.gap for each in transfers(built("NA entry a, COLD exit a, COLD entry b", [0, None, 9]))
    ] == [None]


def test_a_drop_has_all_its_facts() -> None:
    story = built("NA entry a, NA exit a, redial entry a, NA exit a, END", [0, 10, 25, 30, 31])

    [found] = drops(story)

    assert found.to_dict() == {
        "agent": "a",
        "segment": 0,
        "dropped_by": 1,
        "dropped_at": second(10).isoformat(),
        "redial_agent": "a",
        "redial_segment": 0,
        "redialed_by": 2,
        "redialed_at": second(25).isoformat(),
        "gap": 15.0,
    }


def brief(drop: Drop) -> tuple[Any, ...]:
    return drop.agent, drop.dropped_by, drop.redial_agent, drop.redialed_by, seconds(drop.gap)


def test_another_agent_can_continue_a_dropped_connection() -> None:
    story = built("NA entry a, NA exit a, redial entry b", [0, 10, 25])
    [found] = drops(story)
    assert brief(found) == ("a", 1, "b", 2, 15)
    assert (found.segment, found.redial_segment) == (0, 1)


def test_a_consultant_who_reconnects_had_dropped() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, redial entry b", [0, 10, 20, 22])
    assert [*map(brief, drops(story))] == [("b", 2, "b", 3, 2)]


def test_a_former_consultant_continues_the_connection_of_the_primary() -> None:
    story = built(
        "NA entry a, WARM entry b, WARM exit b, NA exit a, redial entry b", [0, 10, 20, 40, 45]
    )
    assert [*map(brief, drops(story))] == [("a", 3, "b", 4, 5)]


def test_when_a_connection_without_an_exit_dropped_is_unknown() -> None:
    assert [*map(brief, drops(built("NA entry a, redial entry a")))] == [("a", None, "a", 1, None)]
    assert [*map(brief, drops(built("NA entry a, redial entry b")))] == [("a", None, "b", 1, None)]
    late = built("NA entry a, redial entry b, NA exit a")
    assert [*map(brief, drops(late))] == [("a", 2, "b", 1, None)]


def test_a_callback_is_no_drop() -> None:
    story = built("redial entry a, NA exit a, redial entry a", [0, 10, 12])
    assert [*map(brief, drops(story))] == [("a", 1, "a", 2, 2)]


def test_a_redial_of_which_no_earlier_connection_is_known_is_a_drop_of_somebody() -> None:
    story = Story(midway=True).tell("redial entry a")
    assert [*map(brief, drops(story))] == [(None, None, "a", 0, None)]


@given(events(SOME_TIME), st.booleans())
def test_metrics_count_the_rows(said: list[Said], midway: bool) -> None:  # noqa: FBT001
    story = follow(said, midway=midway).close()
    metrics, taken = measure(story.builder), [each.kind for each in transfers(story) if each.taken]
    assert metrics.transfers_cold == taken.count("COLD")
    assert metrics.transfers_warm == taken.count("WARM")
    assert metrics.redials == len(drops(story))


@given(events(ANY_TIME))
def test_rows_agree_with_the_segments(said: list[Said]) -> None:
    story = follow(said).close()
    segments = story.segments
    for each in transfers(story):
        for agent, index in (
            (each.from_agent, each.from_segment),
            (each.to_agent, each.to_segment),
        ):
            assert index is None or segments[index].agent == agent
        assert each.gap is None or each.gap >= timedelta()
        assert each.taken is not True or each.to_agent != each.from_agent
    for drop in drops(story):
        opened = [each.opened_by for each in segments[drop.redial_segment].connections]
        assert drop.redialed_by in opened
        assert drop.segment is None or segments[drop.segment].agent == drop.agent


def test_the_gaps_of_legal_conversations_without_consultants_are_their_transfer_gaps() -> None:
    for stream in clean_streams(7):
        if not any(each.kind == "WARM entry" for each in stream):
            story = follow(
                [(KINDS[each.kind], each.agent, float(2**at)) for at, each in enumerate(stream)]
            )
            metrics, rows = measure(story.builder), transfers(story)
            gaps = [each.gap or timedelta() for each in rows]
            assert sum(gaps, timedelta()) == metrics.transfer_gap
            drop_gaps = [each.gap or timedelta() for each in drops(story)]
            assert sum(drop_gaps, timedelta()) == metrics.drop_gap
