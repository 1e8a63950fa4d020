"""The bounds of the search, and what is remembered between deliveries."""

import gc
import random
from typing import Any

import pytest
from tests.oracle.by_hand import log
from tests.streams import body

import segue
from segue.core.events import EventKind
from segue.core.findings import Place, Root
from segue.core.lifecycle import Presence, transition
from segue.core.roots import graph, search, tracker

EARLY = "N+a W+b N-a W-b N-a"
"""The first NA exit of a is SG204; the other, SG201, follows it."""


def errors(report: segue.Report) -> list[tuple[str, int | None, int | None]]:
    """Code and position of each error, and the position of the one it follows."""
    return [
        (each.code, each.place.event, each.follows.place.event if each.follows else None)
        for each in report.findings
        if each.severity == "error"
    ]


def told(*shorthand: str) -> list[dict[str, Any]]:
    """One delivery for each text."""
    return [
        {**body(log(text)[0]), "events": [body(event)["events"][0] for event in log(text)]}
        for text in shorthand
    ]


def restored(deliveries: list[dict[str, Any]]) -> segue.Report:
    """Report what is put away after each delivery."""
    conversation = segue.Conversation("c-1")
    for each in deliveries:
        conversation.feed(each)
        conversation = segue.Conversation.restore(conversation.snapshot())
    return conversation.finish()


@pytest.mark.thorough
@pytest.mark.parametrize("length", [200, 300, 700])
def test_a_long_conversation_is_searched_from_its_latest_events(length: int) -> None:
    clean = ["W+b", "W-b"] * (length // 2)
    deliveries = told("N+a", "N+a", *clean, *EARLY.split()[1:], "E")

    found = [("SG204", length + 3, None), ("SG201", length + 5, length + 3)]
    assert errors(segue.check(deliveries)) == errors(restored(deliveries)) == found


@pytest.mark.parametrize(
    "last",
    [
        pytest.param("N-a", id="open", marks=pytest.mark.thorough),
        pytest.param("E", id="ended"),
        pytest.param("W-d", id="another mistake", marks=pytest.mark.thorough),
    ],
)
def test_a_search_leaves_nothing_to_the_garbage_collector(last: str) -> None:
    def found() -> list[object]:
        kinds = (search.Search, graph.Stand)
        return [each for each in gc.get_objects() if type(each) in kinds]

    deliveries = told(EARLY, f"W-c {last}")
    gc.collect()
    gc.disable()
    try:
        assert len(segue.check(deliveries).mistakes) > 1
        assert found() == []
    finally:
        gc.enable()


@pytest.mark.thorough
def test_a_mistake_of_long_ago_explains_nothing_new() -> None:
    deliveries = told("N+a", "N-b", "R+a", *["W+c", "W-c"] * 300, "W-d", "N-a", "E")

    found = errors(segue.check(deliveries))
    assert found == errors(restored(deliveries))
    assert [each for each in found if each[1] and each[1] > 600] == [("SG201", 603, None)]


def test_where_the_search_is_given_up_what_comes_next_follows_and_then_it_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_MOST", 600)
    monkeypatch.setattr(tracker, "LOOK_BACK", 3)
    events = told("N+a W+b N-a W-b N-a", "N-y", "R+a", "W+c", "N-x", "R+a", "N-z", "E")

    found = errors(segue.check(events))

    assert found == errors(restored(events))
    assert found == [
        ("SG204", 2, None),
        ("SG201", 4, 2),  # given up here
        ("SG201", 5, 2),
        ("SG201", 8, None),  # three events later
        ("SG201", 10, None),
    ]


@pytest.mark.parametrize(
    "seed",
    [
        *range(3),  # of two, three and four agents
        *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(3, 12)),
    ],
)
def test_roots_are_the_same_in_one_delivery_in_many_and_after_every_snapshot(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the search is given up and where old events are taken as true, too."""
    monkeypatch.setattr(search, "_MOST", 3_000)
    monkeypatch.setattr(tracker, "LOOK_BACK", 12)
    monkeypatch.setattr(tracker, "_AT_ONCE", 4)
    monkeypatch.setattr(tracker, "_LONGEST", 16 * 8)
    chance = random.Random(seed)
    kinds = ("N+", "N-", "C+", "C-", "W+", "W-", "R+", "R-")
    words = [chance.choice(kinds) + chance.choice("abcd"[: 2 + seed % 3]) for _ in range(80)]
    many = told(*words, "E", "W-a")

    found = errors(segue.check(many))

    assert errors(segue.check(told(" ".join([*words, "E", "W-a"])))) == found
    assert errors(restored(many)) == found
    assert any(root is None for _, place, root in found if place and place > 40)


def test_mistakes_far_apart_are_told_apart_in_a_long_conversation() -> None:
    """Each first error costs the same, however many agents there were before."""
    clean = [f"{way}{agent}" for agent in map(str, range(1, 301)) for way in ("W+", "W-")]
    deliveries = told("N+a", *clean, "N-x", "R+a", *clean[:60], "N-y", "E")

    roots = [place for _, place, root in errors(segue.check(deliveries)) if root is None]
    assert roots == [601, 663]


@pytest.mark.parametrize("word", ["C+", "N+", "R+", "W-", "C-", "N-", "R-"])
def test_no_search_takes_many_more_steps_than_it_may(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_MOST", 5_000)
    taken = []
    close = search.Search.close

    def counted(self: search.Search) -> None:
        taken.append(self.taken)
        close(self)

    monkeypatch.setattr(search.Search, "close", counted)

    segue.check(told("N+a", *[f"{word}{number}" for number in range(60)]))

    assert 1_000 < max(taken) <= 7_000


def test_a_message_says_that_the_conversation_had_not_ended() -> None:
    """What could not be read is END_OF_CONVERSATION only if no message came behind it."""
    unreadable = body(log("N+a")[0])
    unreadable["events"][0]["name"] = "?"
    message = body(log("u:a")[0])
    begun = told("N+a", "N-a")

    for behind, follows in (([], 2), ([message], None), ([message, message], None)):
        deliveries = [*begun, unreadable, *behind]
        found = errors(segue.check(deliveries))
        assert (
            found == errors(restored(deliveries)) == [("SG504", 2, None), ("SG108", None, follows)]
        )


def test_a_message_and_an_error_of_one_delivery_are_judged_as_of_two() -> None:
    unreadable = body(log("N+a")[0])
    unreadable["events"][0]["name"] = "?"
    late = {**body(log("u:a")[0]), **told("N-c")[0]}
    apart = [*told("N+a", "N-b"), unreadable, body(log("u:a")[0]), *told("N-c")]

    together = [*told("N+a", "N-b"), unreadable, late]

    assert errors(segue.check(together)) == errors(segue.check(apart))


def test_where_it_is_given_up_before_the_end_what_comes_later_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_MOST", 200)

    assert errors(segue.check(told("N+a W+b N-a E", "W-x"))) == [
        ("SG204", 2, None),
        ("SG110", 4, 2),
    ]


def test_nodes_that_are_forgotten_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_MOST", 0)

    assert errors(segue.check(told(*EARLY.split(), "E"))) == [("SG204", 2, None), ("SG201", 4, 2)]


def test_a_delivery_whose_id_was_used_explains_what_it_leads_to() -> None:
    deliveries = [
        {"body": each, "delivery_id": identity}
        for each, identity in zip(told("N+a", "N-a W+b", "E"), "xxy", strict=True)
    ]

    conversation = segue.Conversation("c-1")
    found = [each for line in deliveries for each in conversation.feed(line).findings]

    assert [(each.code, each.follows and each.follows.code) for each in found] == [
        ("SG603", None),
        ("SG107", "SG603"),
    ]


def test_what_cannot_be_read_after_the_end_explains_nothing() -> None:
    unreadable = body(log("N+a")[0])
    unreadable["events"][0]["name"] = "?"

    report = segue.check([*told("N+a", "N-a", "E"), unreadable, *told("N-a")])

    assert errors(report) == [("SG504", 3, None), ("SG110", 4, None)]


def test_a_log_says_of_late_events_what_a_conversation_says() -> None:
    for late in ("W-b", "W-c", "W-b W-c", "E W-b"):
        deliveries = told("N+a", "W+b", "N-a", "E", *late.split())
        first, last = segue.replay(iter(deliveries))

        live = segue.Conversation("c-1")
        for each in deliveries:
            live.feed(each)
        told_live = [(code, place, root) for code, place, root in errors(live.finish())]
        assert errors(first) + errors(last) == told_live


@pytest.mark.parametrize(
    ("names", "late", "follows"),
    [
        (("a",), "b", True),
        (("a",), "a", False),
        (("a", "p", "q"), "b", True),
        (("a", "p", "q"), "q", False),
        (("a", "p", "q", "r"), "b", False),
    ],
)
def test_somebody_new_may_come_late_where_few_agents_were_named(
    names: tuple[str, ...], late: str, *, follows: bool
) -> None:
    """Somebody who was never named may have received what `W-a W-a` ends: three edits."""
    presence = Presence()
    tracked = tracker.RootTracker(presence)
    for kind, agent, code in (
        (EventKind.WARM_EXIT, 0, "SG101"),
        (EventKind.WARM_EXIT, 0, ""),
        (EventKind.SUMMARY, None, "SG106"),
        (EventKind.END, None, ""),
    ):
        presence, _ = transition(presence, kind, agent)
        tracked.add(tracker.packed_step(kind, agent, tuple(EventKind).index(kind)))
        if code:
            assert tracked.follows(Root(code, Place(0)), presence) is None
    tracked.end(names, is_error=False)

    root = tracked.follows_after_end(Root("SG110", Place(4)), EventKind.NA_EXIT, late)

    assert (root is not None) == follows


def test_a_message_before_what_is_kept_says_nothing() -> None:
    tracked = tracker.RootTracker(Presence())

    tracked.add_message()

    assert tracked.to_json() == tracker.RootTracker(Presence()).to_json()
