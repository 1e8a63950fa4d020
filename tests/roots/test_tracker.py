"""The bounds of the search, and what is remembered between deliveries."""

from typing import Any

import pytest
from tests.oracle.by_hand import log
from tests.streams import body

import segue
from segue.roots import graph, search

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


@pytest.mark.parametrize("length", [200, 300, 700])
def test_a_long_conversation_is_searched_from_its_latest_events(length: int) -> None:
    clean = ["W+b", "W-b"] * (length // 2)
    deliveries = told("N+a", "N+a", *clean, *EARLY.split()[1:], "E")

    found = [("SG204", length + 3, None), ("SG201", length + 5, length + 3)]
    assert errors(segue.check(deliveries)) == errors(restored(deliveries)) == found


def test_a_mistake_of_long_ago_explains_nothing_new() -> None:
    deliveries = told("N+a", "N-b", "R+a", *["W+c", "W-c"] * 300, "W-d", "N-a", "E")

    found = errors(segue.check(deliveries))
    assert found == errors(restored(deliveries))
    assert [each for each in found if each[1] and each[1] > 600] == [("SG201", 603, None)]


def test_where_the_search_is_given_up_the_error_follows_and_it_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_MOST", 20)

    report = segue.check(told(f"{EARLY} N-x", "N-y", "E"))

    assert errors(report) == [
        ("SG204", 2, None),
        ("SG201", 4, 2),
        ("SG201", 5, None),
        ("SG201", 6, None),
    ]


def test_where_it_is_given_up_before_the_end_what_comes_later_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_MOST", 20)

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
