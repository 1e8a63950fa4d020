"""`Policy(require=…)`: fields that somebody's quality module needs, wherever a delivery comes."""

import json
from typing import Any

import pytest
from tests.builders import body, end, summary, transfer

import segue
from segue.core.wire import read_body, with_required

WHO = {"identity": "a-1", "name": "Ada", "type": "agent"}
POLICY = segue.Policy(require=("customFields.queue/~id", "language", "customFields"))


def entry(participant: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    return transfer("NA entry", "a-1", participant=participant or WHO, **changes)


def stream(**changes: Any) -> list[dict[str, Any]]:
    """A conversation whose first event is complete but for what changes."""
    full = {**WHO, "customFields": {"queue/~id": "q", "a.b": "c"}}
    return [
        body(entry(full, **{"language": "en", **changes})),
        body(transfer("NA exit", "a-1", participant=full, language="en")),
        body(summary()),
        body({**end("a-1"), "participant": full}),
    ]


def found(report: segue.Report) -> list[tuple[str, str]]:
    return [(finding.code, finding.place.pointer) for finding in report.findings]


def test_nothing_is_required_but_what_the_specification_says() -> None:
    assert found(segue.check([body(entry(language=None))], partial="end")) == []


def test_who_sends_all_that_is_required_is_clean() -> None:
    assert found(segue.check(stream(), policy=POLICY)) == []
    assert found(segue.check(stream(), policy=segue.Policy(require=("customFields.a.b",)))) == []


@pytest.mark.parametrize("language", [None, "absent"])
def test_a_field_that_is_absent_or_null_is_reported_and_the_event_applied(language: Any) -> None:
    log = stream(language=language)
    if language is not None:
        del log[0]["events"][0]["language"]

    for given in (
        log,
        [json.dumps(each) for each in log],
        [json.dumps(each).encode() for each in log],
    ):
        report = segue.check(given, policy=POLICY)

        assert found(report) == [("SG502", "/events/0/language")]
        assert report.findings[0].message == (
            "language of INTERNAL_TRANSFER_EVENT was absent or null"
        )
        assert (report.phase, report.findings[0].place.event) == ("ended", 0)
        (replayed,) = segue.replay(given, policy=POLICY)
        assert found(replayed) == found(report)


@pytest.mark.parametrize(
    ("fields", "pointers"),
    [
        (None, ["/events/0/participant/customFields"]),
        ({}, ["/events/0/participant/customFields/queue~1~0id"]),
        ({"queue/~id": None}, ["/events/0/participant/customFields/queue~1~0id"]),
        ({"queue/~id": ""}, []),
        ({"QUEUE/~ID": "q"}, ["/events/0/participant/customFields/queue~1~0id"]),
        ([], ["/events/0/participant/customFields"]),
    ],
)
def test_an_object_speaks_for_what_it_should_hold(fields: Any, pointers: list[str]) -> None:
    report = segue.check(
        [body(entry({**WHO, "customFields": fields}, language="en"))], policy=POLICY, partial="end"
    )

    assert [pointer for _, pointer in found(report)] == pointers


def test_what_is_said_already_is_not_said_twice() -> None:
    policy = segue.Policy(require=("reason", "language", "customFields"))
    log = [body({"name": "END_OF_CONVERSATION", "experience": "chat"})]

    report = segue.check(log, policy=policy, partial="both")

    assert [pointer for _, pointer in found(report) if "/events/0" in pointer] == [
        "/events/0/reason",
        "/events/0/language",
        "/events/0/participant",
    ]


def test_a_believed_participant_is_looked_into() -> None:
    event = entry(language="en")
    event["Participant"] = event.pop("participant")

    report = segue.check([body(event)], policy=POLICY, partial="end")

    assert found(report) == [
        ("SG502", "/events/0/participant"),
        ("SG502", "/events/0/participant/customFields"),
    ]


def test_it_holds_live_and_after_a_restore() -> None:
    conversation = segue.Conversation("c-1", policy=POLICY)
    first = conversation.feed(body(entry(language="en")))
    restored = segue.Conversation.restore(conversation.snapshot(), policy=POLICY)
    last = restored.feed(body(transfer("NA exit", "a-1", language="en")))
    for result in (first, last):
        assert [finding.code for finding in result.findings] == ["SG502"]

    with segue.Processor(store=segue.MemoryStore(), policy=POLICY) as processor:
        receipt = processor.receive("st-1", body(entry(language="en")))
        assert [finding.code for finding in receipt.findings] == ["SG502"]
        assert receipt.outcome.value == "applied"


def test_only_transfers_and_the_end_are_asked() -> None:
    delivery = read_body(body(summary(), {"name": "INTERNAL_TRANSFER_EVENT"}, entry()))

    assert with_required(delivery, ()) is delivery
    first, second, third = with_required(delivery, ("reason",)).events
    assert (first.flaws, second) == ((), delivery.events[1])
    assert [flaw.pointer for flaw in third.flaws] == ["/events/2/reason"]
    alone = read_body(body(summary()))
    assert with_required(alone, ("reason",)) is alone
