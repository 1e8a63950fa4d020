"""What is learned of how events are written: spellings and optional fields, as counted by hand."""

import json
from collections import Counter
from datetime import date

import pytest
from tests.report.story import with_callbacks

import segue
from segue.analysis.compare import Share
from segue.analysis.dialects import Dialects, Sender, dialect_note_of, proposed
from segue.report.dialect_view import dialect_lines
from segue.report.styled_text import rendered

UNTIL = date(2026, 12, 31)
TRANSFER = {
    "name": "INTERNAL_TRANSFER_EVENT",
    "isExtAD": "false",
    "experience": "chat",
    "participant": {"identity": "a-1", "name": "Kim", "type": "agent"},
}


def body(number: int, transfer_type: str, transition: str, **more: object) -> dict[str, object]:
    event = {**TRANSFER, "transfertype": transfer_type, "transition": transition, **more}
    return {"conversationId": f"c-{number}", "botId": "st", "events": [event]}


def learned(count: int, *, with_message: bool = False) -> Dialects:
    """Conversations of an entry with a queue and an exit in lower case, language in both."""
    with_queue = {**TRANSFER["participant"], "customFields": {"queueName": "Sales"}}  # type: ignore[dict-item]
    lines = []
    for number in range(count):
        lines.append(body(number, "NA", "entry", language="en", participant=with_queue))
        lines.append(body(number, "na", "exit", language="en"))
        if with_message:
            said = {"query": "hello", "agentId": "a-1", "author": {"type": "USER"}}
            lines.append({"conversationId": f"c-{number}", "botId": "st", **said})
    return of_lines(lines)


def of_lines(lines: list[dict[str, object]]) -> Dialects:
    dialects = Dialects()
    for report in segue.replay(map(json.dumps, lines), note=dialect_note_of):
        dialects.add(report)
    return dialects


def sender(dialects: Dialects) -> Sender:
    (only,) = dialects.senders.values()
    return only


def test_a_spelling_is_a_habit_where_transfers_have_it() -> None:
    ways = sender(learned(100)).ways_of_writing()

    assert ways == {"isExtAD as text": Share(200, 200)}


def test_an_optional_field_is_told_with_the_events_that_have_it() -> None:
    fields = sender(learned(100, with_message=True)).optional_fields()

    assert fields == {
        "language": {"NA entry": Share(100, 100), "NA exit": Share(100, 100)},
        "customFields.queueName": {"NA entry": Share(100, 100)},
    }


def test_a_field_of_all_transfers_is_required() -> None:
    policy = proposed(learned(100))

    assert policy.require == {"language": Share(200, 200)}


def test_a_field_that_one_sender_lacks_costs_no_look_at_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the cost would grow with the square of the number of senders."""
    asked: list[str] = []
    share = Sender.field_share

    def counted(sender: Sender, name: str) -> Share:
        asked.append(name)
        return share(sender, name)

    monkeypatch.setattr(Sender, "field_share", counted)
    dialects = learned(100)
    for number in range(50):
        dialects.senders[f"st-{number}"] = sender = Sender()
        sender.events["NA entry"] = 100
        sender.fields["NA entry", "language"] = 100
        sender.fields["NA entry", f"customFields.k{number}"] = 100

    assert proposed(dialects).require == {"language": Share(5_200, 5_200)}
    assert asked == ["language"] * 51


def test_lines_say_who_has_which_habit_and_what_it_hides() -> None:
    """SG108, the end that is missing, is in each conversation."""
    dialects = learned(100)
    policy = proposed(dialects)
    text = rendered(dialect_lines(dialects, policy, UNTIL))

    assert "st: 100 conversations, 200 events\n" in text
    assert "  writes isExtAD as text: 200 of 200 (98.1 to 100.0 %)\n" in text
    assert "  SG108 missing-end, at conversation: 100 of 100 (96.3 to 100.0 %)\n" in text
    assert '  require = ["language"]  would report 0 events without it\n' in text
    assert (
        "  ignores: SG108 bot=st kind=conversation until=2026-12-31  would hide 100 findings\n"
        in text
    )


def test_a_field_that_a_sender_of_no_field_lacks_is_not_required() -> None:
    dialects = learned(100)
    dialects.senders["st-0"] = sender = Sender()
    sender.events["NA entry"] = 1
    assert proposed(dialects).require == {}

    sender.events = Counter({"user message": 1})
    assert proposed(dialects).require == {"language": Share(200, 200)}


def test_the_kind_of_a_finding_is_that_of_its_own_intake() -> None:
    dialects = Dialects()
    for report in segue.replay(with_callbacks(), note=dialect_note_of, partial="end"):
        dialects.add(report)

    assert {habit.code: habit.kind for habit in sender(dialects).findings} == {
        "SG502": "pause handover=false",
        "SG703": "answered",
    }


def test_without_a_habit_nothing_is_proposed() -> None:
    dialects = learned(3)
    text = rendered(dialect_lines(dialects, proposed(dialects), UNTIL))

    assert (
        "  none: no sender has a habit that is reported, or there are too few events to say so\n"
        in text
    )


def test_a_word_that_is_in_lower_case_anyway_does_not_count_as_written_so() -> None:
    """All is in lower case: 200 words can be, and of 100 events redial is so as it is specified."""
    lines = [
        body(number, transfer_type, transition)
        for number in range(100)
        for transfer_type, transition in (("na", "entry"), ("redial", "entry"), ("na", "exit"))
    ]
    ways = sender(of_lines(lines)).ways_of_writing()

    assert ways["transfertype in lower case"] == Share(200, 200)


def test_a_word_that_is_in_capitals_anyway_does_not_count_as_written_so() -> None:
    lines = [
        body(number, transfer_type, transition)
        for number in range(100)
        for transfer_type, transition in (("NA", "entry"), ("REDIAL", "entry"), ("NA", "exit"))
    ]
    ways = sender(of_lines(lines)).ways_of_writing()

    assert ways["transfertype in capitals"] == Share(100, 100)
