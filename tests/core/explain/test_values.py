"""Mistakes as values: they can be compared, copied, pickled and written, and belong to a report."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders import body, end, message, transfer
from tests.oracle.by_hand import log
from tests.patience import PATIENCE
from tests.streams import body as body_of

import segue
from segue.core import Alternative, Edit, EditKind, EventKind, Mistake
from segue.core.conversation import state_of
from segue.core.engine import apply, new
from segue.core.engine.snapshot import dump, load
from segue.core.engine.state import told_entries
from segue.core.explain import NOTHING, explain
from segue.core.wire import read_line

WRONG_AGENT = "N+a N-b E"
LOST_EXITS = "N+a W+b W+c N-a E"


def report(shorthand: str, policy: segue.Policy | None = None) -> segue.Report:
    conversation = segue.Conversation(policy=policy)
    for event in log(shorthand):
        conversation.feed(body_of(event))
    return conversation.finish()


def test_equal_conversations_have_equal_mistakes() -> None:
    (one,), (other,) = report(WRONG_AGENT).mistakes, report(WRONG_AGENT).mistakes
    (third,) = report("N+a N-b u:x E").mistakes

    assert one == other
    assert one is not other
    assert one.alternatives == other.alternatives != ()
    assert one.edits == third.edits
    assert hash(one.edits) == hash(third.edits)
    assert one != report(LOST_EXITS).mistakes[0]


def pickled(mistake: Mistake) -> Mistake:
    """Return a mistake as another process receives it."""
    found: Mistake = pickle.loads(pickle.dumps(mistake))  # noqa: S301 - written here
    return found


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("shorthand", [WRONG_AGENT, LOST_EXITS, "N+a C+b C-a C+c C-b N-c E"])
def test_a_copy_of_a_mistake_has_its_alternatives(
    shorthand: str, again: Callable[[Mistake], Mistake]
) -> None:
    for mistake in report(shorthand).mistakes:
        found = again(mistake)

        assert found == mistake
        assert found.alternatives == mistake.alternatives
        assert again(mistake).alternatives == mistake.alternatives


def test_reading_alternatives_again_costs_nothing() -> None:
    """The searches for the alternatives of all mistakes share a budget."""
    state = state_of(report("N+a W+b W-c N-d E"))
    spent = explain(told_entries(state), state.findings).spent
    mistakes = explain(told_entries(state), state.findings, budget=spent + 1_000).mistakes

    read = [[each.alternatives for each in mistakes] for _ in range(100)]

    assert all(read[0])
    assert read == [read[0]] * 100


def test_an_explanation_can_hold_its_alternatives() -> None:
    state = state_of(report(WRONG_AGENT))
    found = explain(told_entries(state), state.findings)
    held = found.with_alternatives()

    assert held == found
    assert [each.alternatives for each in held.mistakes] == [
        each.alternatives for each in found.mistakes
    ]
    assert len(pickle.dumps(held)) < len(pickle.dumps(found))
    assert NOTHING.with_alternatives() == NOTHING


def test_an_edit_and_an_alternative_are_values() -> None:
    edit = Edit(EditKind.LOST, None, None, 2, EventKind.WARM_EXIT, "b")
    other = Alternative("the WARM exit of b is missing", (edit,))

    assert edit == Edit(EditKind.LOST, None, None, 2, EventKind.WARM_EXIT, "b")
    assert {edit, copy.deepcopy(edit)} == {edit}
    assert other.to_dict() == {"sentence": other.sentence, "edits": [edit.to_dict()]}
    assert json.loads(json.dumps(edit.to_dict())) == edit.to_dict()
    with pytest.raises(AttributeError):
        edit.agent = "c"  # type: ignore[misc]


def test_a_mistake_reads_as_its_sentence() -> None:
    mistake = Mistake(1, "what happened", "what to do", (), (), 0, None, None, None, None)

    assert str(mistake) == f"{mistake}" == "what happened"
    assert mistake.alternatives == ()
    assert mistake.with_alternatives() == mistake


def test_a_report_says_which_mistake_causes_a_finding() -> None:
    found = report("N+a C+b C-a N-b E E g:z")
    one, two, three = found.mistakes
    strange = segue.check([body(transfer("NA exit", "a-1"))]).findings[0]

    assert [(each.code, found.mistake_of(each)) for each in found.findings] == [
        ("SG103", one),
        ("SG109", two),
        ("SG110", three),
    ]
    assert found.mistake_of(strange) is None
    assert (found.untraced, found.ignored_mistakes, found.explanation) == ((), 0, "complete")


def test_a_warning_alone_is_no_mistake() -> None:
    found = report("N+a g:b N-a E")

    (warning,) = found.findings
    assert (warning.code, found.mistake_of(warning)) == ("SG205", None)
    assert (found.mistakes, found.explanation) == ((), "complete")


def test_a_mistake_without_findings_is_shown_with_any_finding_of_its_families() -> None:
    """Of two missing WARM exits only the second has the error."""
    assert len(report(LOST_EXITS).mistakes) == 2
    hidden = report(LOST_EXITS, segue.Policy(ignore=("SG204",)))
    assert (hidden.mistakes, hidden.ignored_mistakes) == ((), 2)
    other = report(LOST_EXITS + " E", segue.Policy(ignore=("SG204",)))
    assert [[each.code for each in mistake.findings] for mistake in other.mistakes] == [
        [],
        ["SG109"],
    ]
    assert other.ignored_mistakes == 1


def test_severities_of_a_policy_change_no_mistake() -> None:
    ranked = report(WRONG_AGENT, segue.Policy(severity={"SG201": "note"}))

    assert ranked.valid
    assert [each.findings for each in ranked.mistakes] == [ranked.findings]
    assert [each.sentence for each in ranked.mistakes] == [
        each.sentence for each in report(WRONG_AGENT).mistakes
    ]


def test_a_live_conversation_says_what_went_wrong_so_far() -> None:
    """What came too late is known once it has come."""
    conversation = segue.Conversation()
    told = []
    for event in log("N+a C+b N-b C-a"):
        conversation.feed(body_of(event))
        told.append([each.sentence for each in conversation.mistakes])

    assert told == [
        [],
        ["the COLD entry of b should be a WARM entry (event 1)"],
        ["the COLD exit of a is missing (at the latest before event 1)"],
        ["the COLD exit of a came after the COLD entry of b (event 3, due before event 1)"],
    ]
    assert conversation.explanation == "complete"


def test_without_an_explanation_there_are_no_mistakes() -> None:
    found = report(WRONG_AGENT)
    found.is_explained = False

    assert (found.explanation, found.mistakes, found.untraced) == (None, (), ())
    assert found.mistake_of(found.findings[0]) is None
    assert found.to_dict()["mistakes"] is None
    assert [each["mistake"] for each in found.to_dict()["findings"]] == [None]


def test_a_log_of_messages_stops_like_any_other() -> None:
    found = segue.check([body_of(event) for event in log("u:x u:x")])

    (mistake,) = found.mistakes
    assert [each.code for each in mistake.findings] == ["SG108"]
    assert (found.explanation, found.untraced) == ("complete", ())


def test_a_delivery_dropped_for_its_id_explains_what_is_missing() -> None:
    """Its events were any events, or none, for free."""
    conversation = segue.Conversation()
    for kind, key in (("NA entry", "d-1"), ("NA exit", "d-1"), ("END", "d-3")):
        sent = body(end("a-1") if kind == "END" else transfer(kind, "a-1"))
        conversation.feed(sent, delivery_id=key)

    found = conversation.finish()

    assert [each.code for each in found.findings] == ["SG603", "SG107"]
    (mistake,) = found.mistakes
    assert mistake.findings == found.findings
    assert mistake.edits == ()


def test_each_event_of_a_dropped_delivery_was_any_event() -> None:
    """The dropped delivery has two events, and a hand-over is missing."""
    state = new("c-1")
    hand_over = [transfer("COLD exit", "a-1"), transfer("COLD entry", "a-2")]
    for events, key in (
        ([transfer("NA entry", "a-1")], "d-1"),
        (hand_over, "d-1"),
        ([transfer("NA exit", "a-2"), end("a-2")], "d-2"),
    ):
        delivery = read_line(body(*events))
        delivery.delivery_id = key
        apply(state, delivery)

    for each in (state, load(dump(state))):
        assert [entry.kind for entry in told_entries(each)] == [
            "NA entry",
            "unprocessable event",
            "unprocessable event",
            "NA exit",
            "END_OF_CONVERSATION",
        ]
        (mistake,) = explain(told_entries(each), each.findings).mistakes
        assert [finding.code for finding in mistake.findings] == ["SG603", "SG201"]
        assert mistake.edits == ()


def test_a_dropped_action_was_no_event() -> None:
    actions = [
        {
            "endpoint": "transcription",
            "conversation_id": "c-1",
            "bot_id": "st-1",
            "delivery_id": "d-1",
            "body": {"action": action, "agentId": "a-1"},
        }
        for action in ("start", "end")
    ]

    found = segue.check([body(transfer("NA entry", "a-1")), *actions, body(end("a-1"))])

    assert [each.code for each in found.findings] == ["SG603", "SG107", "SG407"]
    assert [[each.code for each in mistake.findings] for mistake in found.mistakes] == [
        ["SG107"],
        ["SG603"],
    ]


def after_end(count: int) -> segue.Report:
    """Return the report on an END before the exit, with a number of messages between them."""
    conversation = segue.Conversation()
    for each in (transfer("NA entry", "a-1"), end("a-1")):
        conversation.feed(body(each))
    for _ in range(count):
        conversation.feed(message("AGENT", "a-1"))
    conversation.feed(body(transfer("NA exit", "a-1")))
    return conversation.finish()


def test_an_early_end_is_explained_by_ten_thousand_events_after_it() -> None:
    found = after_end(9_999)

    assert [each.sentence for each in found.mistakes] == [
        "the END_OF_CONVERSATION came before the NA exit of a-1 (event 1, due after event 10001)"
    ]
    assert [each.code for each in found.mistakes[0].findings] == ["SG107", "SG110"]


def test_more_events_after_the_end_are_not_explained() -> None:
    """Only the first 10,000 are kept, so what they mean is not known."""
    found = after_end(10_000)

    assert found.explanation == "untraced"
    assert [each.code for each in found.untraced] == ["SG110"]
    assert len(state_of(found).entries) == 10_002


def test_events_after_the_end_survive_a_snapshot() -> None:
    state = new("c-1")
    for sent in (transfer("NA entry", "a-1"), end("a-1"), transfer("NA exit", "a-1")):
        apply(state, read_line(body(sent)))

    again = load(dump(state))

    assert list(told_entries(again)) == list(told_entries(state))
    assert [entry.kind for entry in told_entries(again)] == [
        "NA entry",
        "END_OF_CONVERSATION",
        "NA exit",
    ]


def test_an_optimized_interpreter_explains_the_same() -> None:
    program = dedent("""
        import segue
        from tests.core.explain.test_by_hand import ONE
        from tests.oracle.by_hand import log
        from tests.streams import body
        for shorthand in ONE:
            print(segue.check(map(body, log(shorthand))).to_json())
    """)
    printed = [
        subprocess.run(
            [sys.executable, *options, "-c", program],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        ).stdout
        for options in ([], ["-O"], ["-OO"])
    ]

    assert printed[0].count("\n") >= 15
    assert printed[0] == printed[1] == printed[2]


def test_an_unreadable_event_behind_a_mistake_is_no_part_of_its_alternatives() -> None:
    odd = {"conversationId": "c-1", "botId": "b", "events": [{"name": "?"}, 5]}
    report = segue.check(
        [
            body(transfer("WARM entry", "a-1"), transfer("redial exit", "a-2")),
            body(transfer("NA entry", "a-1")),
            odd,
            body(transfer("NA entry", "a-1"), transfer("redial entry", "a-2")),
            odd,
        ]
    )

    found = [each for mistake in report.mistakes for each in mistake.alternatives]

    assert [each.event for each in report.mistakes[:2]] == [0, 1]
    assert all(edit.event is None or edit.event < 3 for each in found for edit in each.edits)


def test_equal_lines_of_two_logs_are_two_mistakes(tmp_path: Path) -> None:
    logs = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for log_ in logs:
        log_.write_text('{"conversationId": "c-1", "botId": "st-1"}\n')

    [report] = segue.replay(logs)

    assert [len(each.findings) for each in report.mistakes] == [1, 1]
