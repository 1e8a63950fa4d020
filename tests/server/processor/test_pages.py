"""A conversation is read in pages, and what is shown of a long one is bounded."""

from typing import Any

import pytest
from tests.server.processor.story import body, message, processor, transfer

import segue
from segue.server.processor import Page, Processor, drive


def filled() -> Processor:
    """Return a processor with a conversation: ten events, a message, and nine findings."""
    it = processor()
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    it.receive("st-1", body(transfer("WARM exit", "x-0"), transfer("WARM exit", "x-1")))
    it.receive("st-1", message("USER", "a-1"))
    for number in range(2, 9):
        it.receive("st-1", body(transfer("WARM exit", f"x-{number}")))
    return it


def positions(page: Page[Any] | None) -> list[int | None]:
    assert page is not None
    return [
        item.event if isinstance(item, segue.server.TimelineEvent) else item.place.event
        for item in page.items
    ]


def all_pages(read: Any, limit: int) -> list[list[int | None]]:
    found, after = [], None
    while True:
        page = read("c-1", after=after, limit=limit)
        found.append(positions(page))
        after = page.next
        if after is None:
            return found


@pytest.mark.parametrize(
    ("limit", "pages"),
    [
        (1, [[1], [2], [4], [5], [6], [7], [8], [9], [10]]),
        (4, [[1, 2, 4, 5], [6, 7, 8, 9], [10]]),
        (9, [[1, 2, 4, 5, 6, 7, 8, 9, 10]]),
        (100, [[1, 2, 4, 5, 6, 7, 8, 9, 10]]),
    ],
)
def test_findings_are_read_in_pages(limit: int, pages: list[list[int]]) -> None:
    assert all_pages(filled().findings, limit) == pages


@pytest.mark.parametrize(
    ("limit", "pages"),
    [
        (2, [[0, 1], [2, 4], [5, 6], [7, 8], [9, 10]]),
        (7, [[0, 1, 2, 4, 5, 6, 7], [8, 9, 10]]),
        (100, [[0, 1, 2, 4, 5, 6, 7, 8, 9, 10]]),
    ],
)
def test_events_are_read_in_pages(limit: int, pages: list[list[int]]) -> None:
    assert all_pages(filled().events, limit) == pages


def test_an_event_says_what_it_was() -> None:
    page = filled().events("c-1", limit=2)

    assert page is not None
    first, second = (item.to_dict() for item in page.items)
    assert first.pop("received_at") is not None
    assert first == {"event": 0, "kind": "NA entry", "agent": "a-1", "phase": "waiting"}
    assert (second["kind"], second["agent"], second["phase"]) == ("WARM exit", "x-0", "active")


def test_a_page_goes_on_where_it_ended_however_much_came_meanwhile() -> None:
    it = filled()
    page = it.findings("c-1", limit=4)
    assert page is not None
    for number in range(20, 23):
        it.receive("st-1", body(transfer("WARM exit", f"x-{number}")))

    assert positions(it.findings("c-1", after=page.next)) == [6, 7, 8, 9, 10, 11, 12, 13]


def test_a_long_conversation_is_read_in_pages_too() -> None:
    it = processor()
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    for _ in range(450):
        it.receive("st-1", body(transfer("NA exit", "a-1")))
        it.receive("st-1", body(transfer("redial entry", "a-1")))

    assert sum(map(len, all_pages(it.events, 100))) == 901
    assert all_pages(it.findings, 100) == [[]]


def test_what_the_policy_leaves_out_is_on_no_page() -> None:
    it = processor(policy=segue.Policy(ignore=("SG201",)))
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    it.receive("st-1", body(transfer("WARM exit", "x-0"), transfer("NA entry", "a-2")))

    page = it.findings("c-1", limit=2)

    assert page is not None
    assert [found.code for found in page.items] == ["SG102"]
    assert page.next is None


def test_pages_of_what_is_not_there() -> None:
    it = filled()

    assert it.findings("c-9") is None
    assert it.events("c-1", "st-9") is None
    with pytest.raises(segue.ConfigurationError, match="after='x' is not a cursor"):
        it.findings("c-1", after="x")
    with pytest.raises(segue.ConfigurationError, match="`limit` must be from 1 to 1000"):
        it.events("c-1", limit=0)


async def _pages(it: Processor) -> tuple[Any, Any]:
    return await it.afindings("c-1", limit=4), await it.aevents("c-1", limit=4)


def test_pages_are_the_same_without_blocking() -> None:
    import asyncio  # noqa: PLC0415

    it = filled()

    assert asyncio.run(_pages(it)) == (it.findings("c-1", limit=4), it.events("c-1", limit=4))


def test_what_is_shown_of_a_long_conversation_is_its_beginning_and_where_it_stands() -> None:
    it = filled()
    it.receive("st-1", body(transfer("NA exit", "a-1")))

    view = drive(it.queries.conversation("c-1", most=4))

    assert view is not None
    shown = view.to_dict()
    assert shown["phase"] == "released"
    assert [found["event"] for found in shown["findings"]] == [1, 2]
    assert shown["more"] == {"findings": 7, "mistakes": 0, "expected": 0, "events": True}
    assert (shown["explanation"], shown["mistakes"]) == (None, None)
    assert [segment["agent"] for segment in shown["segments"]] == ["a-1", "x-0", "x-1"]
    behind = it.findings("c-1", after=view.next)
    assert behind is not None
    assert [found.place.event for found in behind.items] == [4, 5, 6, 7, 8, 9, 10]


def test_a_long_conversation_is_not_shown_as_clean_for_its_beginning() -> None:
    it = processor()
    for kind in ("NA entry", "NA exit", "redial entry", "NA exit", "redial entry"):
        it.receive("st-1", body(transfer(kind, "a-1")))
    before = drive(it.queries.conversation("c-1", most=2))
    it.receive("st-1", body(transfer("WARM exit", "a-9")))

    shown = drive(it.queries.conversation("c-1", most=2))

    assert before is not None
    assert shown is not None
    assert [before.to_dict()[name] for name in ("valid", "clean")] == [True, True]
    assert [shown.to_dict()[name] for name in ("valid", "clean", "findings")] == [False, False, []]


def test_a_hundred_findings_and_twenty_expected_events_are_listed() -> None:
    it = processor()
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    it.receive("st-1", body(*(transfer("WARM entry", f"a-{n}") for n in range(2, 32))))
    it.receive("st-1", body(*({"name": f"EVENT_{n}"} for n in range(130))))

    view = it.conversation("c-1")

    assert view is not None
    shown = view.to_dict()
    assert (len(shown["findings"]), len(shown["expected"])) == (100, 20)
    owned = [mistake["findings"] for mistake in shown["mistakes"]]
    assert (owned, shown["untraced"]) == ([[index] for index in range(100)], [])
    # COLD and WARM exit by the primary, WARM exit by 30 consultants, WARM entry, message
    assert shown["more"] == {"findings": 30, "mistakes": 30, "expected": 14, "events": False}
    assert len(view.report.findings) == 130
    assert view.next is None


def test_a_hundred_mistakes_are_listed() -> None:
    it = processor()
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    it.receive("st-1", body(*({"name": "MADE_UP"} for _ in range(130))))

    view = it.conversation("c-1")

    assert view is not None
    shown = view.to_dict()
    assert [mistake["findings"] for mistake in shown["mistakes"]] == [[n] for n in range(100)]
    assert shown["more"] == {"findings": 30, "mistakes": 30, "expected": 0, "events": False}
