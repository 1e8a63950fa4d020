"""Agents who were only seen leaving: a segment with an unknown start, worked out by hand.

Such an agent may have entered at any time since the conversation began. A figure that depends on
the time of the entry is unknown. Only where such an agent cannot have been, time is lost.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pytest
from tests.core.segments.story import Story, overview, second

from segue.core.segments import measure, transfers_of

PARTS: Final = (
    "duration", "connected_time", "transfer_gap", "drop_gap", "lost_time", "wrapup_time",
)  # fmt: skip


class Case(NamedTuple):
    told: str
    times: tuple[float, ...]
    segments: list[str]
    parts: list[float | None]
    """The duration, and the five times that add up to it."""
    most: int | None
    """The largest number of agents at once."""
    others: Mapping[str, Any] = MappingProxyType({})
    is_midway: bool = False


CASES: Final = {
    # x was there before 0, since a time that nobody told: neither the duration is known. From the
    # exit on nobody was there.
    "an NA exit begins": Case(
        "NA exit x, END",
        (0, 10),
        ["x None primary completed: None None - 0 NA"],
        [None, None, 0, 0, 0, 10],
        1,
        {"agent_time": None, "talk_time": None, "handle_time": None, "overlap_time": 0,
         "abandoned": False},
    ),
    "a COLD exit begins": Case(
        "COLD exit x, COLD entry a, NA exit a, END",
        (0, 10, 15, 16),
        [
            "x None primary transferred: None None - 0 COLD",
            "a COLD primary completed: 1 COLD - 2 NA",
        ],
        [None, None, 10, 0, 0, 1],
        1,
        {"transfers_cold": 1, "answer_time": None},
    ),
    # b consulted somebody, who is not known to have left at 0.
    "a WARM exit before the first entry": Case(
        "user, WARM exit b, NA entry a, NA exit a, END",
        (0, 5, 15, 25, 35),
        ["b None None None: None None - 1 WARM", "a NA primary completed: 2 NA - 3 NA"],
        [None, None, 0, 0, None, 10],
        1,
        {"consult_time": None, "answer_time": None, "abandoned": False},
    ),
    # The COLD entry of b is missing: b came at some time from 10 to 40, or consulted before.
    "the taker of a transfer": Case(
        "NA entry a, COLD exit a, NA exit b, END",
        (0, 10, 40, 50),
        ["a NA primary transferred: 0 NA - 1 COLD", "b None primary completed: None None - 2 NA"],
        [50, None, None, 0, 0, 10],
        None,
        {"transfers_cold": 1, "handle_time": None, "abandoned": False},
    ),
    # The same, and then nobody takes the transfer of b: from 40 to 50 nobody can have been there.
    "nobody after the taker": Case(
        "NA entry a, COLD exit a, NA exit b, COLD exit c, END",
        (0, 10, 20, 40, 50),
        [
            "a NA primary transferred: 0 NA - 1 COLD",
            "b None primary completed: None None - 2 NA",
            "c None None None: None None - 3 COLD",
        ],
        [50, None, None, None, 0, 10],
        None,
    ),
    # The WARM entry of b is missing, and a was there all the time.
    "a consultant": Case(
        "NA entry a, WARM exit b, NA exit a, END",
        (0, 20, 30, 40),
        ["a NA primary completed: 0 NA - 2 NA", "b None consultant consulted: None None - 1 WARM"],
        [40, 30, 0, 0, 0, 10],
        2,
        {"agent_time": None, "overlap_time": None, "consult_time": None, "talk_time": 30,
         "handle_time": 40, "consults": 0},
    ),
    # c may have been there from 10 to 13.
    "a consultant over a transfer": Case(
        "NA entry a, COLD exit a, COLD entry b, WARM exit c, NA exit b, END",
        (0, 10, 13, 20, 30, 40),
        [
            "a NA primary transferred: 0 NA - 1 COLD",
            "b COLD primary completed: 2 COLD - 4 NA",
            "c None consultant consulted: None None - 3 WARM",
        ],
        [40, None, None, 0, 0, 10],
        2,
        {"transfers_cold": 1},
    ),
    # c can have been there until 20. From then on nobody can, and nobody comes.
    "a consultant, and nobody takes the transfer": Case(
        "NA entry a, COLD exit a, WARM exit c, END",
        (0, 10, 20, 50),
        [
            "a NA primary abandoned: 0 NA - 1 COLD",
            "c None consultant consulted: None None - 2 WARM",
        ],
        [50, None, None, 0, 30, 0],
        None,
        {"transfers_cold": 0},
    ),
    "a consultant and the taker": Case(
        "NA entry a, COLD exit a, WARM exit c, NA exit b, END",
        (0, 10, 20, 30, 40),
        [
            "a NA primary transferred: 0 NA - 1 COLD",
            "c None consultant consulted: None None - 2 WARM",
            "b None primary completed: None None - 3 NA",
        ],
        [40, None, None, 0, 0, 10],
        None,
    ),
    # b is believed to be the last one, and a leaves later: two at least at 20, and no more.
    "another one leaves as the last": Case(
        "NA entry a, NA exit b, NA exit a, END",
        (0, 20, 30, 40),
        ["a NA primary completed: 0 NA - 2 NA", "b None primary completed: None None - 1 NA"],
        [40, 30, 0, 0, 0, 10],
        2,
        {"agent_time": None, "overlap_time": None},
    ),
    # b may have come after 10, or have been there before. The exit does not say in which role.
    "an exit after the release": Case(
        "NA entry a, NA exit a, NA exit b, END",
        (0, 10, 20, 30),
        ["a NA primary completed: 0 NA - 1 NA", "b None None None: None None - 2 NA"],
        [30, None, 0, None, 0, 10],
        None,
        {"handle_time": None},
    ),
    # Somebody took over from a, and b is the first to be named after that.
    "the primary whom no event named": Case(
        "NA entry a, WARM exit a, NA exit b, END",
        (0, 10, 40, 50),
        ["a NA primary handed_off: 0 NA - 1 WARM", "b None primary completed: None None - 2 NA"],
        [50, None, 0, 0, 0, 10],
        None,
    ),
    # Whoever took over from a may have been there from 10 to 14.
    "nobody is named": Case(
        "NA entry a, WARM exit a, COLD entry b, NA exit b, END",
        (0, 10, 14, 20, 21),
        ["a NA primary handed_off: 0 NA - 1 WARM", "b COLD primary completed: 2 COLD - 3 NA"],
        [21, 16, 0, 0, None, 1],
        1,
    ),
    "a redial of an agent who was only seen leaving": Case(
        "NA exit x, redial entry x, NA exit x, END",
        (0, 10, 20, 30),
        ["x None primary completed: None None - 0 NA; 1 redial - 2 NA"],
        [None, None, 0, 10, 0, 10],
        1,
        {"redials": 1, "callbacks": 0, "agent_time": None},
    ),
    # a is told to have come and gone. The second exit is no other stay.
    "a second exit": Case(
        "NA entry a, COLD exit a, COLD entry b, NA exit a, END",
        (0, 10, 13, 20, 30),
        ["a NA primary transferred: 0 NA - 1 COLD", "b COLD primary implied: 2 COLD - 3 implied"],
        [30, 17, 3, 0, 0, 10],
        1,
    ),
    "a repeated exit": Case(
        "NA entry a, WARM exit b, WARM exit b, NA exit a, END",
        (0, 20, 25, 30, 40),
        ["a NA primary completed: 0 NA - 3 NA", "b None consultant consulted: None None - 1 WARM"],
        [40, 30, 0, 0, 0, 10],
        2,
    ),
    "an exit after END": Case(
        "NA entry a, NA exit a, END, NA exit b",
        (0, 10, 20, 30),
        ["a NA primary completed: 0 NA - 1 NA"],
        [20, 10, 0, 0, 0, 10],
        1,
    ),
    # A redial has no exit, so nobody is known to have been there.
    "a redial exit": Case(
        "NA entry a, redial exit b, NA exit a, END",
        (0, 10, 20, 30),
        ["a NA primary completed: 0 NA - 2 NA"],
        [30, 20, 0, 0, 0, 10],
        1,
    ),
    # The log begins late, and whoever is first seen leaving was there from its beginning.
    "a late beginning": Case(
        "WARM exit b, COLD exit a, COLD entry c, NA exit c, END",
        (0, 10, 20, 30, 40),
        [
            "b None consultant consulted: None None - 0 WARM",
            "a None primary transferred: None None - 1 COLD",
            "c COLD primary completed: 2 COLD - 3 NA",
        ],
        [None, None, None, None, None, 10],
        2,
        {"transfers_cold": 1, "abandoned": False},
        is_midway=True,
    ),
    "a late beginning with a consultant who enters": Case(
        "WARM entry b, WARM exit b, NA exit a, END",
        (0, 10, 20, 30),
        [
            "b WARM consultant consulted: 0 WARM - 1 WARM",
            "a None primary completed: None None - 2 NA",
        ],
        [None, None, None, None, None, 10],
        2,
        is_midway=True,
    ),
}  # fmt: skip


def told(case: Case) -> Story:
    return Story(midway=case.is_midway).tell(case.told, case.times)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_stream_has_the_segments_and_figures_worked_out_by_hand(case: Case) -> None:
    story = told(case)
    assert overview(story) == case.segments
    found = measure(story.builder).to_dict()
    assert [found[name] for name in PARTS] == case.parts
    assert found["max_concurrent_agents"] == case.most
    assert {name: found[name] for name in case.others} == {**case.others}


def test_nothing_is_known_of_a_stay_before_its_exit() -> None:
    story = told(CASES["the taker of a transfer"])
    stay = story.segments[1]
    assert (stay.kind, stay.connections[0].opened_by, stay.connections[0].opened_kind) == (
        None, None, None,
    )  # fmt: skip
    assert stay.connections[0].started_at is None
    assert stay.connected_time is stay.talk_time is None
    assert (stay.previous, stay.consult_of, stay.resumes) == (0, None, None)


def test_messages_before_a_known_exit_are_not_counted_for_a_stay() -> None:
    story = Story().tell("NA entry a, user, agent b, user, agent b, NA exit b, END")
    stay = story.segments[1]
    assert (stay.user_messages, stay.agent_messages, stay.response_times) == (None, None, None)
    assert measure(story.builder).messages == 4


def test_a_share_of_an_unknown_time_is_unknown() -> None:
    """It is 5 of 10 or 15 of 30 seconds, but 15 of 20 if b entered at 20."""
    story = Story().tell("NA entry a, COLD exit a, NA exit b, END", (0, 10, 30, 40))
    spells = [(0, "hold"), (5, "active"), (10, "hold"), (20, "active"), (30, "ended")]
    ends = [*(second(start) for start, _ in spells[1:]), None]
    transcription = [(s, second(at), end) for (at, s), end in zip(spells, ends, strict=True)]
    found = measure(story.builder, transcription)
    assert (found.connected_time, found.transcription_coverage) == (None, None)


def test_a_transfer_names_the_taker_who_was_only_seen_leaving() -> None:
    story = told(CASES["the taker of a transfer"])
    (transfer,) = transfers_of(story.builder.handovers, story.segments)
    assert (transfer.from_agent, transfer.to_agent, transfer.to_segment) == ("a", "b", 1)
    assert (transfer.taken, transfer.promoted) == (True, False)
    assert (transfer.taken_by, transfer.taken_at, transfer.gap) == (None, None, None)


def test_a_transfer_names_the_giver_who_was_only_seen_leaving() -> None:
    story = told(CASES["a COLD exit begins"])
    (transfer,) = transfers_of(story.builder.handovers, story.segments)
    assert (transfer.from_agent, transfer.from_segment, transfer.to_agent) == ("x", 0, "a")
