"""Which message counts for whom: §6, rule 5."""

from tests.core.segments.story import Story, built

from segue.core.events import EventKind


def counts(story: Story) -> list[tuple[str, int | None, int | None]]:
    return [(each.agent, each.user_messages, each.agent_messages) for each in story.segments]


def test_user_messages_count_for_the_primary() -> None:
    story = built("NA entry a, user, WARM entry b, user, NA exit a")
    assert counts(story) == [("a", 2, 0), ("b", 0, 0)]


def test_user_messages_count_for_the_only_agent_present() -> None:
    story = built("NA entry a, WARM entry b, COLD exit a, user")
    assert counts(story) == [("a", 0, 0), ("b", 1, 0)]


def test_user_messages_count_for_none_of_two_consultants() -> None:
    story = built("NA entry a, WARM entry b, WARM entry c, COLD exit a, user")
    assert counts(story) == [("a", 0, 0), ("b", 0, 0), ("c", 0, 0)]


def test_beside_a_primary_no_event_named_a_consultant_is_not_alone() -> None:
    story = built("WARM entry b, user")
    assert counts(story) == [("b", 0, 0)]


def test_user_messages_count_for_no_agent_when_none_is_present() -> None:
    story = built("user, NA entry a, NA exit a, user")
    assert counts(story) == [("a", 0, 0)]


def test_agent_messages_count_for_their_agent() -> None:
    story = built("NA entry a, WARM entry b, agent b, agent a, agent b")
    assert counts(story) == [("a", 0, 1), ("b", 0, 2)]


def test_agent_messages_count_for_the_latest_segment_of_an_absent_agent() -> None:
    story = built("NA entry a, WARM entry b, WARM exit b, WARM entry b, WARM exit b, agent b")
    assert counts(story) == [("a", 0, 0), ("b", 0, 0), ("b", 0, 1)]


def test_agent_messages_of_a_stranger_count_for_no_agent() -> None:
    story = built("NA entry a, agent x")
    assert counts(story) == [("a", 0, 0)]


def test_messages_of_unknown_authors_count_for_no_agent() -> None:
    story = built("NA entry a, message")
    assert counts(story) == [("a", 0, 0)]


def test_messages_after_end_do_not_count() -> None:
    story = built("NA entry a, NA exit a, END, user")
    story.add(EventKind.AGENT_MESSAGE, "a")
    assert counts(story) == [("a", 0, 0)]
