"""The trail keeps every moment, finds the latest of an agent, and survives being saved."""

from segue.events import EventKind
from segue.fold import Moment, Trail


def trail() -> Trail:
    kept = Trail()
    kept.append(0, EventKind.NA_ENTRY, "a-1", 3)
    kept.append(4, EventKind.WARM_ENTRY, "a-2", None)
    kept.append(5, EventKind.SUMMARY, "", 9)
    kept.append(7, EventKind.NA_EXIT, "a-1", 11)
    return kept


def test_moments_come_back_as_they_went_in() -> None:
    assert list(trail()) == [
        Moment(0, EventKind.NA_ENTRY, "a-1", 3),
        Moment(4, EventKind.WARM_ENTRY, "a-2", None),
        Moment(5, EventKind.SUMMARY, "", 9),
        Moment(7, EventKind.NA_EXIT, "a-1", 11),
    ]
    assert len(trail()) == 4


def test_the_latest_moment_of_each_agent_in_order() -> None:
    assert [moment.position for moment in trail().latest("a-1", "a-2")] == [4, 7]
    assert [moment.position for moment in trail().latest("a-2", None, "a-9")] == [4]
    assert trail().latest() == []


def test_the_last_moment_of_all() -> None:
    last = trail().last()

    assert last is not None
    assert last.position == 7
    assert Trail().last() is None


def test_a_moment_is_evidence() -> None:
    first, _, third, _ = trail()

    assert (first.cause.text, first.cause.place.line) == ("NA entry of a-1", 3)
    assert third.cause.text == "TRIGGER_SUMMARY_EVENT"


def test_a_saved_trail_is_the_same() -> None:
    assert list(Trail.from_json(trail().to_json())) == list(trail())
