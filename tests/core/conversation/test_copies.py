"""Copies of reports and conversations: pickled, deep-copied, and sent by other processes."""

import copy
import pickle
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from typing import Any, Final

import pytest
from tests.builders import body, end, transfer
from tests.families import family

import segue
from segue.core.conversation import report as report_module

NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
COPIES: Final[dict[str, Callable[[Any], Any]]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - our own
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def _lines(*labels: str, conversation: str = "c-1") -> list[dict[str, Any]]:
    bodies = [body(transfer(label[:-4], label[-3:]), conversation=conversation) for label in labels]
    return [
        {"received_at": (NOON + timedelta(minutes=number)).isoformat(), "body": each}
        for number, each in enumerate([*bodies, body(end(), conversation=conversation)])
    ]


WRONG: Final = _lines("NA entry a-1", "COLD entry a-2", "NA exit a-2", "NA exit a-2")
"""The COLD exit of a-1 is missing, and the last exit is repeated (SG601)."""
CLEAN: Final = _lines("NA entry a-1", "NA exit a-1")


@pytest.mark.parametrize("way", sorted(COPIES))
@family("is_read", [False, True])
def test_a_copied_report_is_explained_as_before(way: str, *, is_read: bool) -> None:
    report = segue.check(WRONG)
    if is_read:
        report.to_dict()

    copied = COPIES[way](report)

    assert [each.sentence for each in copied.mistakes] == [
        each.sentence for each in segue.check(WRONG).mistakes
    ]
    assert copied.mistakes[0].findings[0] is copied.findings[0]
    assert copied.mistake_of(copied.findings[0]) is copied.mistakes[0]
    assert copied.mistakes[0].alternatives == report.mistakes[0].alternatives
    assert copied.to_json() == report.to_json()
    assert (copied.mended, copied.best) == (report.mended, report.best)


@pytest.mark.parametrize("way", sorted(COPIES))
def test_a_copied_report_keeps_what_was_set_in_it(way: str) -> None:
    report = segue.check(WRONG)
    report.is_explained, report.notes = False, [(0, "a.jsonl", {"seen": 1})]
    report_module.keep_findings(report, report.findings[1:])

    copied = COPIES[way](report)

    assert copied == report
    assert (copied.explanation, copied.mistakes) == (None, ())
    assert copied.notes == [(0, "a.jsonl", {"seen": 1})]
    assert copied.findings == report.findings


@pytest.mark.parametrize("way", sorted(COPIES))
def test_a_copy_of_a_copy_is_the_same(way: str) -> None:
    report = segue.check(WRONG)
    copied = COPIES[way](COPIES[way](report))

    assert (copied == report, copied.to_json()) == (True, report.to_json())


@pytest.mark.parametrize("way", sorted(COPIES))
def test_a_copied_report_does_not_follow_its_conversation(way: str) -> None:
    conversation = segue.Conversation("c-1")
    conversation.feed(CLEAN[0])
    copied = COPIES[way](conversation.report())

    conversation.feed(CLEAN[1])

    assert (copied.events, len(copied.timeline)) == (1, 1)
    assert copied != conversation.report()


@pytest.mark.parametrize("way", sorted(COPIES))
def test_a_copied_conversation_goes_on_by_itself(way: str) -> None:
    policy = segue.Policy(ignore=("SG107",))
    conversation = segue.Conversation("c-1", policy=policy)
    conversation.feed(CLEAN[0])

    copied = COPIES[way](conversation)
    found = copied.feed(CLEAN[-1]).findings

    assert found == ()  # SG107 is ignored
    assert (copied.phase, conversation.phase) == (segue.Phase.ENDED, segue.Phase.ACTIVE)
    assert copied != conversation
    conversation.feed(CLEAN[-1])
    assert copied == conversation


def test_the_last_event_is_not_in_a_pickle() -> None:
    secret = "a text of the customer"  # noqa: S105 - no password
    conversation = segue.Conversation("c-1")
    conversation.feed(body(transfer("NA entry", "a-1", reason=secret)))

    assert secret.encode() not in pickle.dumps(conversation)
    assert secret.encode() not in pickle.dumps(conversation.report())


@family(
    "other",
    [
        segue.check(CLEAN),
        segue.check(WRONG, policy=segue.Policy(severity={"SG103": "note"})),
        segue.check(WRONG, partial="end"),
        segue.check([*WRONG[:1], *WRONG]),
        segue.check([{**each, "received_at": NOON.isoformat()} for each in WRONG]),
    ],
    ids=["other events", "policy", "cut", "one more", "times"],
)
def test_reports_of_other_deliveries_or_options_differ(other: segue.Report) -> None:
    assert segue.check(WRONG) == segue.check(WRONG)
    assert segue.check(WRONG) != other


def test_the_state_counts_where_nothing_else_differs() -> None:
    longer = [{**each, "body": body(transfer("NA entry", name))}
              for each in CLEAN[:1] for name in ("a-1", "a-2")]  # fmt: skip

    one, other = (segue.check([each], partial="end") for each in longer)

    assert (one.findings, one.phase, one.events) == (other.findings, other.phase, other.events)
    assert one != other


def test_comparing_and_copying_search_for_no_explanation(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("nobody reads the explanation")

    monkeypatch.setattr(report_module, "explain_state", refuse)
    report = segue.check(WRONG)

    assert report == segue.check(WRONG)
    assert [COPIES[way](report) == report for way in sorted(COPIES)] == [True, True, True]
    assert repr(report).startswith("<Report 'c-1' ended: SG103")


def test_an_explanation_that_was_found_is_not_searched_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = segue.check(WRONG)
    sentences = [each.sentence for each in report.mistakes]
    packed = pickle.dumps(report)
    monkeypatch.delattr(report_module, "explain_state")

    assert [each.sentence for each in pickle.loads(packed).mistakes] == sentences  # noqa: S301


START_METHODS: Final = [
    "spawn",
    pytest.param(
        "fork",
        marks=[
            pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux only"),
            pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
        ],
    ),
]


@pytest.mark.parametrize("method", START_METHODS)
def test_a_pool_of_processes_checks_conversations(method: str) -> None:
    with get_context(method).Pool(2) as pool:
        reports = pool.map(segue.check, [WRONG, CLEAN])

    assert reports == [segue.check(WRONG), segue.check(CLEAN)]
    assert [each.to_json() for each in reports] == [
        segue.check(WRONG).to_json(),
        segue.check(CLEAN).to_json(),
    ]
    assert [len(each.mistakes) for each in reports] == [1, 0]
