"""Laws of §8 for any order of events: 8 (presence) and 9 (duration), and what metrics mean."""

from datetime import timedelta
from itertools import pairwise

from hypothesis import given, strategies as st
from tests.core.segments.story import Story, second
from tests.streams import KINDS as BY_NAME, clean_streams

from segue.core.events import EventKind
from segue.core.lifecycle import MESSAGES, UNNAMED, Phase
from segue.core.segments import (
    Connection,
    Metrics,
    Segment,
    implied_times,
    measure,
    rough_times,
)

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
                assert position(connection) < connection.closed_by
            connected = connection.connected_time
            assert connected is None or connected >= timedelta()
        for first, following in pairwise(segment.connections):
            assert first.closed_by is not None
            assert first.closed_by <= position(following)


def position(connection: Connection) -> float:
    """Return where a connection begins, before all events if that is unknown."""
    return -1 if connection.opened_by is None else connection.opened_by


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


@given(events(SOME_TIME), st.booleans())
def test_a_connection_is_implied_only_if_no_exit_of_its_agent_came(
    said: list[Said],
    midway: bool,  # noqa: FBT001
) -> None:
    story = follow(said, midway=midway)
    for segment in story.segments:
        for connection in segment.connections:
            if connection.closed_kind != "implied" or connection.closed_by is None:
                continue
            for kind, agent, _ in said[connection.closed_by :]:
                if kind is EventKind.END or (agent == segment.agent and kind.is_entry):
                    break
                assert agent != segment.agent or kind not in CLOSING


CLOSING = {EventKind.NA_EXIT, EventKind.COLD_EXIT, EventKind.WARM_EXIT}


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
    story, is_named = Story(), True
    for each in [*said, (EventKind.END, "", at)]:
        add(story, each)
        is_named = is_named and story.walker.presence.primary != UNNAMED
    metrics = measure(story.builder)
    if is_named and all(stay.kind for stay in story.segments):
        assert metrics.duration == sum(parts(metrics), timedelta())
        assert len(parts(metrics)) == 5


def test_the_duration_of_every_clean_stream_is_the_sum_of_its_parts() -> None:
    for stream in clean_streams(6):
        said: list[Said] = [
            (BY_NAME[each.kind], each.agent, float(2**index)) for index, each in enumerate(stream)
        ]
        builder = follow(said).builder
        metrics = measure(builder)
        assert metrics.duration == sum(parts(metrics), timedelta())
        assert implied_times(builder, ()) | rough_times(builder, ()) == set()


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
    connections = [each for segment in story.segments for each in segment.connections]
    assert metrics.implied_closures == sum(each.closed_kind == "implied" for each in connections)
    assert metrics.redials + metrics.callbacks == sum(
        each.opened_kind == "redial" for each in connections
    )
    most = metrics.max_concurrent_agents
    assert (not all(stay.kind for stay in story.segments)) if most is None else most <= 3
    connected = [segment.connected_time for segment in story.segments]
    # The metric may know more of an agent who was only seen leaving.
    assert total(connected) in {None, metrics.agent_time} or midway
    if metrics.connected_time is not None and metrics.overlap_time is not None:
        assert metrics.overlap_time <= metrics.connected_time
        assert metrics.agent_time is None or metrics.connected_time <= metrics.agent_time


def total(lengths: list[timedelta | None]) -> timedelta | None:
    known = [each for each in lengths if each is not None]
    return sum(known, timedelta()) if len(known) == len(lengths) else None


STATES = st.sampled_from(["active", "hold", "handover", "ended"])


@given(events(ANY_TIME), ANY_TIME, st.lists(st.tuples(STATES, ANY_TIME), min_size=1, max_size=6))
def test_talk_is_what_is_connected_and_not_on_hold_in_total_and_for_each_agent(
    said: list[Said], at: float, states: list[tuple[str, float]]
) -> None:
    story = follow([*said, (EventKind.END, "", at)])
    starts = [second(start) for _, start in states]
    intervals = [
        (state, start, end)
        for (state, _), start, end in zip(states, starts, [*starts[1:], None], strict=False)
    ]
    segments, metrics = story.builder.segments(intervals), measure(story.builder, intervals)
    everyone: list[Segment | Metrics] = [*segments, metrics]
    for each in everyone:
        if each.connected_time is None:
            assert each.talk_time is None or each is metrics  # all of the difference was on hold
            assert not all(stay.kind for stay in segments)
            continue
        assert each.hold_time is not None
        assert timedelta() <= each.hold_time <= each.connected_time
        assert each.talk_time == each.connected_time - each.hold_time
    if not metrics.overlap_time and all(stay.kind for stay in segments):
        assert metrics.hold_time == total([each.hold_time for each in segments])
        assert metrics.talk_time == total([each.talk_time for each in segments])


HELD = {Phase.ACTIVE, Phase.CONSULTING}
AFTER = {Phase.RELEASED, Phase.SUMMARIZED}


UNSAID = "somebody whom no event named"


def meaning(phases: list[Phase], told: int, exits: set[int]) -> str | None:
    """Say what time without a connected agent is after the event of this number.

    `exits` are the exits of agents who were only seen leaving.
    """
    now, is_taken = phases[told], False
    for number in range(told + 1, len(phases)):
        phase = phases[number]
        is_taken = number in exits or phase in HELD
        if is_taken or (phase is not now and not {phase, now} <= AFTER):
            break
    if now is Phase.TRANSFERRING:
        return "transfer_gap" if is_taken else "lost_time"
    if now in AFTER:
        return "drop_gap" if is_taken else "wrapup_time"
    return None if now is Phase.ENDED else UNSAID


Figures = dict[str, timedelta | None]


@given(events(ANY_TIME), ANY_TIME)
def test_every_instant_is_what_the_phase_and_the_connections_say(
    said: list[Said], at: float
) -> None:
    story, phases, times = Story(), [], []
    for each in [*said, (EventKind.END, "", at)]:
        add(story, each)
        phases.append(story.walker.phase)
        times.append(story.latest or second(0))
    stays = [each for segment in story.segments for each in segment.connections]
    unseen = {each.closed_by or 0 for each in stays if each.opened_by is None}
    known = [each for each in stays if each.opened_by is not None]
    begun = min(
        [position(each) for each in known if each.opened_kind in ("NA", "redial")], default=99
    )
    if any(position(each) < begun for each in known) or any(each < begun for each in unseen):
        begun = -1  # somebody was there before

    def counted(*, is_early: bool) -> Figures:
        """Count each instant, with whoever was only seen leaving there for long or not at all."""
        found: Figures = dict.fromkeys((*FIGURES, UNSAID), timedelta())
        if is_early and unseen and begun < 0:  # for an unknown time before the first event
            found |= {"connected_time": None, "agent_time": None}
            found |= {"overlap_time": None} if len(unseen) > 1 else {}
        first = next((n for n, each in enumerate(phases) if each is not Phase.WAITING), len(phases))
        for index, (start, end) in enumerate(pairwise(times)):
            there = sum(position(each) <= index < (each.closed_by or 0) for each in known)
            there += sum(begun <= index < number for number in unseen) if is_early else 0
            add_to(found, "connected_time", (end - start) * (there > 0))
            add_to(found, "overlap_time", (end - start) * (there > 1))
            add_to(found, "agent_time", (end - start) * there)
            if not there and index >= min([first, *unseen]):
                add_to(found, meaning(phases, index, unseen) or "", end - start)
        return found

    early, late = counted(is_early=True), counted(is_early=False)
    expected = {n: early[n] if early[n] == late[n] else None for n in FIGURES}
    expected["lost_time"] = None if early[UNSAID] else early["lost_time"]
    metrics = measure(story.builder)
    assert expected == {name: getattr(metrics, name) for name in expected}


FIGURES = (
    "connected_time", "overlap_time", "agent_time", "transfer_gap", "drop_gap", "lost_time",
    "wrapup_time",
)  # fmt: skip


def add_to(found: Figures, name: str, time: timedelta) -> None:
    before = found.get(name)
    if before is not None:
        found[name] = before + time
