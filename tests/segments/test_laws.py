"""Laws of §8 for any order of events: 8 (presence) and 9 (duration)."""

from datetime import timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.segments.story import Story, second

from segue.events import EventKind
from segue.lifecycle import MESSAGES, Phase
from segue.segments import Metrics, measure

KINDS = [kind for kind in EventKind if kind not in {EventKind.CLOSE, EventKind.UNPROCESSABLE}]
ALONE = MESSAGES | {EventKind.SUMMARY, EventKind.END}
Said = tuple[EventKind, str, float | None]


def events(times: st.SearchStrategy[float | None]) -> st.SearchStrategy[list[Said]]:
    """Any order of events of up to three agents."""
    kinds = st.sampled_from([kind for kind in KINDS if kind is not EventKind.END])
    said = st.tuples(kinds, st.sampled_from("abc"), times)
    end = st.tuples(st.just(EventKind.END), st.just(""), times)
    return st.tuples(st.lists(said, max_size=25), st.lists(end, max_size=2)).map(
        lambda both: [*both[0], *both[1]]
    )


ANY_TIME = st.integers(0, 10**9).map(lambda number: number / 1_000_000)
SOME_TIME = st.none() | ANY_TIME


def follow(said: list[Said], *, midway: bool = False) -> Story:
    story = Story(midway=midway)
    for each in said:
        add(story, each)
    return story


def add(story: Story, said: Said) -> None:
    kind, agent, at = said
    name = "" if kind in ALONE and kind is not EventKind.AGENT_MESSAGE else agent
    story.add(kind, name, at=None if at is None else second(at))


@given(events(SOME_TIME), st.booleans())
def test_what_is_open_is_who_is_present(said: list[Said], midway: bool) -> None:  # noqa: FBT001
    story = Story(midway=midway)
    for each in said:
        add(story, each)
        segments = [segment for segment in story.segments if segment.is_open]
        assert sorted(segment.agent for segment in segments) == sorted(story.walker.present)
        primaries = [segment.agent for segment in segments if segment.role == "primary"]
        assert primaries == ([story.walker.primary] if story.walker.primary else [])
        if story.walker.phase is Phase.ENDED:
            assert not segments


@given(events(SOME_TIME), st.booleans())
def test_connections_of_a_segment_are_disjoint_and_ordered(
    said: list[Said],
    midway: bool,  # noqa: FBT001
) -> None:
    for segment in follow(said, midway=midway).close().segments:
        for connection in segment.connections:
            assert not connection.is_open
            if connection.closed_by is not None:
                assert connection.opened_by < connection.closed_by
            talked = connection.talk_time
            assert talked is None or talked >= timedelta()
        for first, following in pairwise(segment.connections):
            assert first.closed_by is not None
            assert first.closed_by <= following.opened_by


@given(events(SOME_TIME), st.booleans())
def test_links_lead_to_other_segments_without_a_circle(
    said: list[Said],
    midway: bool,  # noqa: FBT001
) -> None:
    segments = follow(said, midway=midway).segments
    for segment in segments:
        for link in (segment.previous, segment.consult_of, segment.resumes):
            assert link is None or (0 <= link < len(segments) and link != segment.index)
        seen = {segment.index}
        while segment.previous is not None:
            segment = segments[segment.previous]  # noqa: PLW2901
            assert segment.index not in seen
            seen.add(segment.index)


def parts(metrics: Metrics) -> list[timedelta]:
    values = (
        metrics.connected_time,
        metrics.transfer_gap,
        metrics.drop_gap,
        metrics.lost_time,
        metrics.wrapup_time,
    )
    return [value for value in values if value is not None]


@given(events(ANY_TIME), ANY_TIME)
def test_the_duration_is_the_sum_of_its_parts(said: list[Said], at: float) -> None:
    story = follow([*said, (EventKind.END, "", at)])
    metrics = measure(story.builder)
    assert metrics.duration == sum(parts(metrics), timedelta())
    assert len(parts(metrics)) == 5


@given(events(SOME_TIME), SOME_TIME)
def test_the_parts_that_are_known_are_no_partial_sums(said: list[Said], at: float | None) -> None:
    story = follow([*said, (EventKind.END, "", at)])
    metrics = measure(story.builder)
    if metrics.duration is not None and len(parts(metrics)) == 5:
        assert metrics.duration == sum(parts(metrics), timedelta())


@given(events(SOME_TIME), st.booleans())
def test_metrics_agree_with_segments(said: list[Said], midway: bool) -> None:  # noqa: FBT001
    story = follow(said, midway=midway).close()
    metrics = measure(story.builder)
    stays = [stay for segment in story.segments for stay in segment.connections]
    assert metrics.implied_closures == sum(stay.closed_kind == "implied" for stay in stays)
    assert metrics.redials + metrics.callbacks == sum(
        stay.opened_kind == "redial" for stay in stays
    )
    assert metrics.max_concurrent_agents <= 3
    talked = [segment.talk_time for segment in story.segments]
    if metrics.agent_time is not None:
        assert metrics.agent_time == sum(
            (value for value in talked if value is not None), timedelta()
        )
        assert None not in talked
    if metrics.connected_time is not None and metrics.overlap_time is not None:
        assert metrics.overlap_time <= metrics.connected_time
        assert metrics.agent_time is None or metrics.connected_time <= metrics.agent_time
