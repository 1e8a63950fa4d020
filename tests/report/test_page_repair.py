"""The repair on the page: the edits of all mistakes, and the conversation after them."""

import json

import pytest
from tests.report.story import early, line, log

import segue
from segue.report.page_data import details
from segue.report.page_repair import repaired
from segue.report.page_rows import Situations, page_note


@pytest.mark.parametrize(
    ("lines", "edits"),
    [
        (early(), [("moved", 4, 1, "COLD exit", "a-1", 3)]),
        (
            log("NA entry a-1", "COLD entry a-2", "NA exit a-2", "END"),
            [("lost", None, None, "COLD exit", "a-1", 1)],
        ),
        (
            log("NA entry a-1", "NA exit a-1"),
            [("lost", None, None, "END_OF_CONVERSATION", "", None)],
        ),
        (
            log("NA entry a-1", "WARM exit a-8", "WARM exit a-9", "NA exit a-1", "END"),
            [
                ("lost", None, None, "WARM entry", "a-8", 1),
                ("lost", None, None, "WARM entry", "a-9", 2),
            ],
        ),
        (
            log("NA entry a-1", "NA exit a-2", "NA exit a-1", "END"),
            [("surplus", 1, 1, "", "a-2", None)],
        ),
    ],
)
def test_all_edits_have_their_places(lines: list[str], edits: list[tuple[object, ...]]) -> None:
    found = repaired(next(segue.replay(lines)))

    assert found is not None
    assert [tuple(edit.values()) for edit in found[0]] == edits
    assert found[1].valid


def test_what_would_have_been_is_clean() -> None:
    found = repaired(next(segue.replay(early())))
    assert found is not None

    after = found[1]
    assert after.clean
    assert after.events == 7
    assert [segment.outcome for segment in after.segments] == ["transferred", "completed"]


def test_edits_of_mistakes_that_the_policy_ignores_are_applied_as_well() -> None:
    lines = log("NA entry a-1", "WARM exit a-8", "NA exit a-1")
    policy = segue.Policy(ignore=("SG108",))
    report = next(segue.replay(lines, policy=policy))
    found = repaired(report)

    assert (len(report.mistakes), report.ignored_mistakes) == (1, 1)
    assert found is not None
    assert [edit["kind"] for edit in found[0]] == ["WARM entry", "END_OF_CONVERSATION"]
    assert found[1].valid


def test_a_lost_event_has_the_time_of_the_next_one() -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("COLD entry a-2", "c-1", "08:01:00"),
        line("NA exit a-2", "c-1", "08:03:00"),
        line("END", "c-1", "08:04:00"),
    ]
    found = repaired(next(segue.replay(lines)))
    assert found is not None

    minutes = [at.minute for at in (event.received_at for event in found[1].timeline) if at]
    assert minutes == [0, 1, 1, 3, 4]


def test_messages_are_kept_with_their_times() -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("COLD entry a-2", "c-1", "08:01:00"),
        line("agent message a-2", "c-1", "08:02:00"),
        line("NA exit a-2", "c-1", "08:03:00"),
        line("user message", "c-1", "08:04:00"),
        line("END", "c-1", "08:05:00"),
    ]
    [report] = segue.replay(lines, note=page_note)
    after = details(report, Situations())["after"]

    assert [(kind, after["deliveries"][sent][1]) for sent, _, kind, *_ in after["rows"]] == [
        ("NA entry", 0),
        ("COLD exit", 60_000),
        ("COLD entry", 60_000),
        ("agent message", 120_000),
        ("NA exit", 180_000),
        ("user message", 240_000),
        ("END_OF_CONVERSATION", 300_000),
    ]


def test_times_never_run_backwards_after_a_move() -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("COLD entry a-2", "c-1", "08:01:00"),
        line("COLD exit a-1", "c-1", "08:02:00"),
        line("NA exit a-2", "c-1", "08:03:00"),
        line("END", "c-1", "08:04:00"),
    ]
    [report] = segue.replay(lines, note=page_note)
    story = details(report, Situations())

    assert story["repair"][0]["edit"] == "moved"
    times = [at for _, at, *_ in story["after"]["deliveries"]]
    assert times == sorted(times)


def test_a_conversation_without_edits_has_none() -> None:
    flawed = log("NA entry a-1", "NA exit a-1", "END")
    sent = json.loads(flawed[0])
    del sent["events"][0]["isExtAD"]
    flawed[0] = json.dumps(sent)

    for lines in (log("NA entry a-1", "NA exit a-1", "END"), flawed):
        [report] = segue.replay(lines)
        assert repaired(report) is None


def test_a_report_without_an_explanation_has_none() -> None:
    [report] = segue.replay(early())
    report.is_explained = False

    assert repaired(report) is None
