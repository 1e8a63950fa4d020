"""What somebody who reads a conversation says of it: the mistakes, worked out by hand."""

import pytest
from tests.oracle.by_hand import log
from tests.streams import body

import segue
from segue.core.conversation import Report, state_of
from segue.core.engine.snapshot import dump, load
from segue.core.engine.state import told_entries
from segue.core.events import EventKind
from segue.core.explain import explain
from segue.core.explain.changes import Action, Chain, applied, script
from segue.core.explain.told import NO_AGENT, ToldEvent, symbol

LOST_COLD_EXIT = "the COLD exit of a is missing (at the latest before event 1)"


def report(shorthand: str, *, partial: str | None = None) -> Report:
    return segue.check(map(body, log(shorthand)), partial=partial)  # type: ignore[arg-type]


def told(shorthand: str) -> list[tuple[str, str]]:
    """Return the sentence and the codes of the findings of each mistake."""
    found = report(shorthand)
    assert found.explanation == "complete"
    return [(each.sentence, " ".join(f.code for f in each.findings)) for each in found.mistakes]


ONE = {
    "N+a C+b N-b E": (LOST_COLD_EXIT, "SG103"),
    "N+a C+b C-a N-b E": (
        "the COLD exit of a came after the COLD entry of b (event 2, due before event 1)",
        "SG103",
    ),
    "N+a W+b N-a E": ("the WARM exit of b is missing (at the latest before event 2)", "SG204"),
    "N+a E": ("the NA exit of a is missing (at the latest before event 1)", "SG107"),
    "N-a E": ("the NA entry of a is missing (at the latest before event 0)", "SG101"),
    "C+a N-a E": ("the COLD entry of a should be an NA entry (event 0)", "SG101"),
    "N+a N-a E E": ("the END_OF_CONVERSATION is one too many (event 3)", "SG109"),
    "N+a E N-a": (
        "the END_OF_CONVERSATION came before the NA exit of a (event 1, due after event 2)",
        "SG107 SG110",
    ),
    "N+a N-a E R+a N-a E": ("the END_OF_CONVERSATION is one too many (event 2)", "SG110 SG109"),
    "N+a N-a E g:a": ("a message of a came after END_OF_CONVERSATION (event 3)", "SG110"),
    "N+a N-a E g:a u:a g:a": (
        "3 messages came after END_OF_CONVERSATION (events 3 to 5)",
        "SG110",
    ),
    "N+a N+b N-b E": (
        "b took over from a, sent as an NA entry alone (event 1)",
        "SG102",
    ),
    "N+a W+a W-a N-a E": (
        "a stay of another agent was sent under the name of a (events 1 to 2)",
        "SG203 SG202",
    ),
    "N+a N-a E N+b N-b E": (
        "a second conversation was sent under this id (events 3 to 5)",
        "SG110 SG109",
    ),
    "N+a N-a": (
        "the conversation stops: the END_OF_CONVERSATION is missing (after event 1)",
        "SG108",
    ),
    "N+a W+b": (
        (
            "the conversation stops: the WARM exit of b, the NA exit of a and the "
            "END_OF_CONVERSATION are missing (after event 1)"
        ),
        "SG107 SG108",
    ),
    "N+a S N-a E": (
        "the NA exit of a came after the TRIGGER_SUMMARY_EVENT (event 2, due before event 1)",
        "SG106",
    ),
}


@pytest.mark.parametrize("shorthand", ONE)
def test_one_mistake_is_told_in_one_sentence(shorthand: str) -> None:
    assert told(shorthand) == [ONE[shorthand]]


def test_independent_mistakes_are_told_one_by_one() -> None:
    assert told("N+a C+b C-a C+c C-b N-c E") == [
        (
            "the COLD exit of a came after the COLD entry of b (event 2, due before event 1)",
            "SG103",
        ),
        (
            "the COLD exit of b came after the COLD entry of c (event 4, due before event 3)",
            "SG103",
        ),
    ]


def test_a_mistake_may_own_no_finding() -> None:
    """Of two missing WARM exits the last one removes the error."""
    assert told("N+a W+b W+c N-a E") == [
        ("the WARM exit of b is missing (at the latest before event 3)", ""),
        ("the WARM exit of c is missing (at the latest before event 3)", "SG204"),
    ]


OPEN_EXITS = {
    # One of the consultants whom a left led. Both kinds of exit hand over to the other, or tell
    # that the other has led: nothing told says which.
    "N+a W+b W+c W-a N-b E": [
        "the WARM or COLD exit of c is missing (at the latest before event 4)"
    ],
    "N+a W+b W+c W-a N-c E": [
        "the WARM or COLD exit of b is missing (at the latest before event 4)"
    ],
    # A primary may leave the only consultant by either exit.
    "N+a W+b N-b E": ["b took over from a, sent as a WARM entry alone (event 1)"],
    "N+a W+b W+c C-a C+b N-c E": [
        "the WARM or COLD exit of b is missing (at the latest before event 5)"
    ],
    # After a COLD exit nobody of several consultants can leave by a COLD exit.
    "N+a W+b W+c C-a N-b E": ["the WARM exit of c is missing (at the latest before event 4)"],
    # c becomes the primary by the entry, so b leaves before it by COLD, or after it by WARM.
    "N+a W+b W+c W-a C+c N-c E": ["the COLD exit of b is missing (at the latest before event 4)"],
    # Nor does anything tell who leaves last.
    "N+a W+b W+c W-a E": [
        "the exit of b is missing (at the latest before event 4)",
        "the exit of c is missing (at the latest before event 4)",
    ],
    "N+a W+b W+c C-a E": [
        "the NA or WARM exit of b is missing (at the latest before event 4)",
        "the NA or WARM exit of c is missing (at the latest before event 4)",
    ],
    "N+a W+b W+c W-a": [
        (
            "the conversation stops: the exit of c, the exit of b and the END_OF_CONVERSATION are "
            "missing (after event 3)"
        )
    ],
}
"""Lost exits whose type is not known."""


@pytest.mark.parametrize("shorthand", OPEN_EXITS)
def test_an_exit_has_no_type_that_nothing_tells(shorthand: str) -> None:
    assert [sentence for sentence, _ in told(shorthand)] == OPEN_EXITS[shorthand]


def test_the_edit_of_such_an_exit_has_all_types_and_the_alternatives_are_others() -> None:
    (mistake,) = report("N+a W+b W+c W-a N-b E").mistakes
    (edit,) = mistake.edits

    assert mistake.fix == "Send a WARM or COLD exit of c before the NA exit of b."
    assert (edit.event_kind, edit.other_kinds) == (EventKind.WARM_EXIT, (EventKind.COLD_EXIT,))
    assert edit.to_dict()["other_kinds"] == ["COLD exit"]
    assert [each.sentence for each in mistake.alternatives] == [
        "the WARM entry of c is one too many (event 2)"
    ]
    assert [each.event_kind for (each,) in mistake.variants] == [EventKind.COLD_EXIT]


def test_figures_allow_for_all_types_of_such_an_exit() -> None:
    """With a COLD exit c had led and handed over to b, with a WARM exit it consulted. Each leaves
    after a by WARM, so b is promoted by a.
    """
    best = report("N+a W+b W+c W-a N-b E").best
    assert best is not None

    assert best["transfers_cold"] is not None
    assert best["transfers_cold"][:2] == (0, 1)


def test_a_repeat_is_no_mistake_and_a_message_is_evidence() -> None:
    assert told("N+a C-a C+b N-b N-b E") == []
    assert told("N+a C+b g:a N-b E") == [
        ("the COLD entry of b came before the message of a (event 1, due after event 2)", ""),
        ("the COLD exit of a is missing (at the latest before event 3)", "SG103"),
    ]


def test_an_event_that_came_twice_after_the_end_is_a_repeat() -> None:
    """The end came too early, and after it nothing is reported but SG110. With another value of
    a field the second exit is no repeat, but one more mistake.
    """
    twice, differing = report("N+a E N-a g:a N-a"), report("N+a E N-a g:a N-a/x")
    state = state_of(twice)

    early = "the END_OF_CONVERSATION came before the NA exit of a (event 1, due after event 4)"
    for each in (state, load(dump(state))):
        (mistake,) = explain(told_entries(each), each.findings).mistakes
        assert mistake.sentence == early
    assert len(differing.mistakes) == 2


def test_a_message_of_an_agent_whom_no_event_had_named_is_evidence() -> None:
    """The agent was there when the message came, so the entry is lost before it."""
    assert told("g:a N-a E") == [
        ("the NA entry of a is missing (at the latest before event 0)", "SG205 SG101")
    ]
    assert told("N+a C-a g:b N-b E") == [
        ("the COLD entry of b is missing (at the latest before event 2)", "SG205 SG201")
    ]


def test_each_event_of_a_delivery_that_is_left_out_is_a_mistake() -> None:
    """In this conversation, b and c leave without having come, and both exits are in a delivery."""
    first, one, other, *rest = (body(event) for event in log("N+a W-b W-c N-a E"))
    both = {**one, "events": one["events"] + other["events"]}

    found = segue.check([first, both, *rest])

    assert len(found.mistakes) == 2
    assert [len(each.edits) for each in found.mistakes] == [1, 1]


def test_an_end_that_came_too_early_is_due_after_the_messages() -> None:
    assert told("E N+a g:a S g:b N-a g:a") == [
        (
            "the END_OF_CONVERSATION came before the message of a (event 0, due after event 6)",
            "SG110",
        ),
        ("the TRIGGER_SUMMARY_EVENT is one too many (event 3)", ""),
    ]


def test_a_message_belongs_before_the_end_at_the_place_where_the_end_is_due() -> None:
    events = [
        ToldEvent(kind, NO_AGENT, symbol(kind), at, 0, None, at, told=at)
        for at, kind in enumerate([EventKind.END, EventKind.SUMMARY, *[EventKind.MESSAGE] * 3])
    ]
    chain: Chain = None
    for step in (
        (Action.HOLD, 0),
        (Action.PUT_BACK, 0, 0, 2),
        (Action.PUT_BEFORE_END, 2),
        (Action.MOVE_MORE, 3),
        (Action.PUT_BEFORE_END, 4),
    ):
        chain = step, chain

    stream = applied(events, script(chain, events).changes)

    assert [event.told for event in stream] == [1, 2, 3, 4, 0]


def test_a_redial_is_hardly_ever_part_of_a_hand_over() -> None:
    assert told("R+c N+a N-a E") == [("the redial entry of c is one too many (event 0)", "SG102")]
    assert told("N+c N+a N-a E") == [
        ("a took over from c, sent as an NA entry alone (event 1)", "SG102")
    ]


def test_an_exit_that_says_the_same_again_is_one_too_many() -> None:
    assert told("N+a W+b W+c W-b W-c W-b N-a E") == [
        ("the WARM exit of b is one too many (event 5)", "SG201")
    ]


def test_what_the_log_lacks_is_no_mistake_where_it_is_declared_partial() -> None:
    assert report("N+a W+b", partial="end").mistakes == ()
    assert report("C-a C+b N-b E", partial="start").mistakes == ()


def test_an_edit_names_positions_of_the_conversation_as_told() -> None:
    (moved,) = report("u:x N+a C+b C-a N-b E").mistakes
    (lost,) = report("N+a W+b N-a E").mistakes

    assert [each.to_dict() for each in moved.edits] == [
        {
            "kind": "moved",
            "event": 3,
            "size": 1,
            "before": 2,
            "event_kind": "COLD exit",
            "agent": "a",
            "other_kinds": [],
        }
    ]
    assert [each.to_dict() for each in lost.edits] == [
        {
            "kind": "lost",
            "event": None,
            "size": None,
            "before": 2,
            "event_kind": "WARM exit",
            "agent": "b",
            "other_kinds": [],
        }
    ]
    assert (moved.number, moved.event, moved.agent, moved.bot) == (1, 3, "a", "st-1")


def test_alternatives_do_as_well_in_the_place_of_a_mistake() -> None:
    (mistake,) = report("N+a N-b E").mistakes

    assert mistake.sentence == "the NA exit of b should name a (event 1)"
    assert [each.sentence for each in mistake.alternatives] == [
        "the NA entry of a should name b (event 0)",
    ]


def test_an_error_of_another_kind_is_a_mistake_without_edits() -> None:
    bodies = [body(event) for event in log("N+a N-a E")]
    del bodies[1]["events"][0]["participant"]["name"]
    bodies[1]["events"][0]["experience"] = "telepathy"

    found = segue.check(bodies)

    (mistake,) = found.mistakes
    assert mistake.edits == ()
    assert [each.code for each in mistake.findings] == ["SG502", "SG505"]
    assert (mistake.sentence, mistake.fix) == (found.findings[0].message, found.findings[0].help)


def test_what_an_unreadable_event_explains_belongs_to_it() -> None:
    bodies = [body(event) for event in log("N+a C-a C+b N-b E")]
    bodies[1]["events"][0]["transition"] = "sideways"

    found = segue.check(bodies)

    (mistake,) = found.mistakes
    assert [each.code for each in found.findings] == ["SG505", "SG103"]
    assert mistake.findings == found.findings
    assert mistake.event == 1


@pytest.mark.parametrize("author", ["a", "b"])
def test_a_message_that_lacks_a_field_explains_nothing(author: str) -> None:
    """It is a message, and the exit that cannot be read is the missing one."""
    bodies = [body(event) for event in log(f"N+a g:{author} g:{author} N-a E")]
    del bodies[1]["source"], bodies[2]["source"]
    bodies[3]["events"][0]["name"] = "NOPE"
    found = segue.check(bodies)

    owned = {each.event: [finding.code for finding in each.findings] for each in found.mistakes}
    assert owned == {1: ["SG502"], 2: ["SG502"], 3: ["SG504", "SG107"]}


def test_a_policy_removes_findings_and_never_mistakes() -> None:
    stream = [body(event) for event in log("N+a C+b N-b E E")]
    conversation = segue.Conversation(policy=segue.Policy(ignore=("SG103",)))
    for each in stream:
        conversation.feed(each)

    found = conversation.finish()

    assert [each.code for each in found.findings] == ["SG109"]
    assert [each.sentence for each in found.mistakes] == [
        "the END_OF_CONVERSATION is one too many (event 4)"
    ]
    assert found.ignored_mistakes == 1
    assert found.mistakes[0].number == 1
    assert found.mistake_of(found.findings[0]) == found.mistakes[0]


def test_an_unreadable_event_may_be_part_of_a_second_conversation() -> None:
    bodies = [body(event) for event in log("N+a N-a E N+b C-b N-b E")]
    bodies[4]["events"][0]["transition"] = "sideways"

    found = segue.check(bodies)

    assert found.explanation == "complete"
    assert [each.sentence for each in found.mistakes] == [
        "a second conversation was sent under this id (events 3 to 6)",
        found.findings[1].message,
    ]


def test_mistakes_that_lie_close_together_are_as_few_as_possible() -> None:
    """In windows one by one, the COLD entry would be left out here and put in there."""
    assert [sentence for sentence, _ in told("N+a W-h W-i C+b C-a g:b N-b N-g E")] == [
        "the WARM entry of h is missing (at the latest before event 1)",
        "the WARM entry of i is missing (at the latest before event 2)",
        "the COLD exit of a came after the COLD entry of b (event 4, due before event 3)",
        "the NA exit of g is one too many (event 7)",
    ]


def test_a_placeholder_as_conversation_id_is_the_one_mistake_of_its_conversation() -> None:
    """Two conversations under one id give six errors of order, which are no further mistakes."""
    events = ["N+a", "N+b", "N-a", "E", "N-b", "E"]
    bodies = [
        {**body(each), "conversationId": "undefined"} for shown in events for each in log(shown)
    ]
    found = segue.check(bodies)

    [mistake] = found.mistakes
    assert (found.explanation, found.untraced) == ("complete", ())
    assert mistake.sentence == (
        "conversationId was undefined, a placeholder, so several conversations may be mixed"
    )
    assert mistake.edits == ()
    errors = [finding for finding in found.findings if finding.severity == "error"]
    assert len(errors) > len(events)
    assert sorted(map(id, mistake.findings)) == sorted(map(id, errors))
