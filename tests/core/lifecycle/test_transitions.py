"""What one transition says: the presence before and after, what is reported, and what repeats."""

from tests.core.lifecycle.walker import Walker

from segue.core.events import EventKind
from segue.core.lifecycle import Phase, Presence, PresenceEffect, can_repeat, transition


def walked(*events: tuple[EventKind, str]) -> Walker:
    walker = Walker()
    for kind, agent in events:
        walker.take(kind, agent, (kind, agent))
    return walker


def test_a_transition_leaves_the_presence_it_is_given() -> None:
    before = walked((EventKind.NA_ENTRY, "ann"), (EventKind.WARM_ENTRY, "bob")).presence

    after, decision = transition(before, EventKind.WARM_EXIT, 0)

    assert (before.primary, before.consultants, before.phase) == (0, (1,), Phase.CONSULTING)
    assert (after.primary, after.consultants, after.phase) == (1, (), Phase.ACTIVE)
    assert (decision.phase, decision.to) == (Phase.CONSULTING, Phase.ACTIVE)
    assert (decision.reported_code, decision.effect) == ("SG119", PresenceEffect.PROMOTE)
    assert decision.connects is False


def test_the_same_presence_gives_the_same_transition() -> None:
    before = walked((EventKind.NA_ENTRY, "ann")).presence
    memoized = transition(before, EventKind.COLD_EXIT, 0)
    transition.cache_clear()

    assert transition(before, EventKind.COLD_EXIT, 0) == memoized


def test_what_is_remembered_is_bounded() -> None:
    assert transition.cache_info().maxsize is not None


def test_an_event_repeats_the_one_before_unless_it_is_legal_an_end_or_a_message() -> None:
    here = walked((EventKind.NA_ENTRY, "ann"))
    offence = transition(here.presence, EventKind.NA_ENTRY, 0)[1]
    legal = transition(here.presence, EventKind.COLD_EXIT, 0)[1]
    end = transition(here.presence, EventKind.END, None)[1]
    message = transition(here.presence, EventKind.AGENT_MESSAGE, 7)[1]

    assert (offence.reported_code, can_repeat(offence)) == ("SG203", True)
    assert (legal.reported_code, can_repeat(legal)) == (None, False)
    assert (end.reported_code, can_repeat(end)) == ("SG107", False)
    assert (message.reported_code, can_repeat(message)) == ("SG205", False)


def test_nothing_repeats_after_the_end() -> None:
    ended, _ = transition(Presence(), EventKind.END, None)
    decision = transition(ended, EventKind.NA_ENTRY, 0)[1]

    assert (decision.reported_code, can_repeat(decision)) == ("SG110", False)


def test_a_repeat_leaves_everything_as_it_was() -> None:
    here = walked(
        (EventKind.NA_ENTRY, "ann"),
        (EventKind.COLD_EXIT, "ann"),
        (EventKind.COLD_ENTRY, "bob"),
        (EventKind.WARM_ENTRY, "cid"),
    )
    before = here.presence

    assert here.take(EventKind.WARM_ENTRY, "cid", (EventKind.WARM_ENTRY, "cid")) == ("SG601",)
    assert here.presence == before
    assert here.expected() == (
        "COLD exit by bob",
        "WARM entry by ann",
        "WARM entry by another agent",
        "WARM exit by bob",
        "WARM exit by cid",
        "message",
    )


def test_a_spelling_is_resolved_to_the_one_agent_it_may_mean() -> None:
    here = walked((EventKind.NA_ENTRY, "ann"), (EventKind.WARM_ENTRY, "bob"))

    assert here.resolve(EventKind.WARM_EXIT, "BOB") == "bob"
    assert here.resolve(EventKind.WARM_ENTRY, "BOB") == "BOB"
    here.take(EventKind.WARM_ENTRY, "BOB")
    assert here.resolve(EventKind.WARM_EXIT, "Bob") == "Bob"
