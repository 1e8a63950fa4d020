"""Public values pickle, copy and compare, their `repr` is short, and frozen ones have a hash."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from types import SimpleNamespace
from typing import Any, Final

import pytest
from tests.builders import body, end, message, transfer
from tests.families import family

import segue
import segue.analysis
import segue.core
import segue.errors
import segue.platform
import segue.testing
from segue.platform.sandbox.outgoing import SentPost

NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECRET: Final = "a text of the customer"  # noqa: S105 - no password
FIELDS: Final = {"queueId": "q-1", "note": SECRET}
LABELS: Final = (
    *("NA entry a-1", "COLD entry a-2", "WARM entry a-3", "NA exit a-2", "redial entry a-9"),
)
"""A COLD entry before the exit, an agent who stays, and a redial by another agent."""


def _deliveries() -> list[dict[str, Any]]:
    bodies = [
        body(transfer(label[:-4], label[-3:], participant=_participant(label[-3:])))
        for label in LABELS
    ]
    bodies += [body(message("USER", "a-9", query=SECRET)), body(end())]
    return [
        {"received_at": (NOON + timedelta(minutes=number)).isoformat(), "body": each}
        for number, each in enumerate(bodies)
    ]


def _participant(identity: str) -> dict[str, Any]:
    return {"identity": identity, "name": "N", "type": "agent", "customFields": FIELDS}


def _report() -> segue.Report:
    return segue.check(_deliveries())


def _conversation() -> segue.Conversation:
    conversation = segue.Conversation("c-1", policy=segue.Policy(ignore=("SG207",)))
    for each in _deliveries():
        conversation.feed(each)
    return conversation


def _fed() -> Any:
    return segue.Conversation("c-1").feed(_deliveries()[1])


def _controlled() -> Any:
    return segue.Conversation("c-1").control({"action": "start", "agentId": "a-1"})


def _repair() -> segue.analysis.Repair:
    return segue.repair(_deliveries())


def _root_causes() -> segue.analysis.RootCauses:
    cause = segue.analysis.RootCause(
        "SG103", (("agent", "a-2"),), NOON, None, 8, 9, 0.5, 0.01, "COLD entries", 12.5
    )
    return segue.analysis.RootCauses((cause,), {"SG108": 1}, has_times=True, share=1, day=None)


def _delivery() -> segue.Delivery:
    event = segue.Event(segue.core.EventKind.NA_ENTRY, "a-1", "chat", {"reason": SECRET}, "")
    return segue.Delivery("c-1", "st-1", (event,), (_flaw(),))


def _flaw() -> segue.core.Flaw:
    return segue.core.Flaw("SG502", "/events/0/name", {"field": "name"})


def _interval() -> Any:
    conversation = segue.Conversation("c-1")
    conversation.control({"action": "start", "agentId": "a-9"}, NOON)
    return conversation.report().transcription_intervals[0]


def _response() -> Any:
    return segue.core.ResponseTimes(2, timedelta(seconds=3), timedelta(seconds=5))


FROZEN: Final[dict[type, Callable[[], Any]]] = {
    segue.Finding: lambda: _report().findings[0],
    segue.Metrics: lambda: _report().metrics,
    segue.Phase: lambda: segue.Phase.ENDED,
    segue.Policy: lambda: segue.Policy(ignore=("SG1",), severity={"SG205": "error"}),
    segue.Rule: lambda: segue.RULES[3],
    segue.Segment: lambda: _report().segments[0],
    segue.Severity: lambda: segue.Severity.ERROR,
    segue.core.ActionKind: lambda: segue.core.ActionKind.START,
    segue.core.AllowedAction: lambda: _controlled().allowed[0],
    segue.core.Alternative: lambda: segue.core.Alternative(
        "the entry is missing", _report().mistakes[0].edits
    ),
    segue.core.BodyLimits: segue.core.BodyLimits,
    segue.core.Cause: lambda: _report().findings[0].because[0],
    segue.core.Connection: lambda: _report().segments[0].connections[0],
    segue.core.ControlResult: _controlled,
    segue.core.Drop: lambda: _report().drops[0],
    segue.core.Edit: lambda: _report().mistakes[0].edits[0],
    segue.core.EditKind: lambda: segue.core.EditKind.LOST,
    segue.core.EventKind: lambda: segue.core.EventKind.END,
    segue.core.FeedResult: _fed,
    segue.core.Flaw: _flaw,
    segue.core.Entry: lambda: _report().timeline[0],
    segue.core.EventDetails: lambda: _report().timeline[0].details,
    segue.core.IdSource: lambda: segue.core.IdSource.BODY,
    segue.core.Intake: lambda: _delivery().intake,
    segue.core.Mistake: lambda: _report().mistakes[0],
    segue.core.Place: lambda: _report().findings[0].place,
    segue.core.ReceiptKind: lambda: next(iter(segue.core.ReceiptKind)),
    segue.core.ResponseTimes: _response,
    segue.core.StateInterval: _interval,
    segue.core.Transfer: lambda: _report().transfers[0],
    segue.core.TranscriptionState: lambda: segue.core.TranscriptionState.HOLD,
    segue.analysis.EditedEvent: lambda: _repair().edited[0],
    segue.analysis.RepackedDelivery: lambda: _repair().repacked[0],
    segue.analysis.Repair: _repair,
    segue.analysis.RootCause: lambda: _root_causes().causes[0],
    segue.analysis.RootCauses: _root_causes,
    segue.platform.ReceivedAnswer: lambda: segue.platform.ReceivedAnswer(
        200, {"auth": SECRET}, SECRET.encode()
    ),
    segue.platform.SentPost: lambda: SentPost(
        NOON, "delivery", f"https://h/p?sig={SECRET}", {"query": SECRET}, 200
    ),
    segue.platform.SentRequest: lambda: segue.platform.SentRequest(
        "GET", "/queues", {"auth": SECRET}, None
    ),
}
"""Values that never change, by class."""
MUTABLE: Final[dict[type, Callable[[], Any]]] = {
    segue.Conversation: _conversation,
    segue.Delivery: _delivery,
    segue.Event: lambda: _delivery().events[0],
    segue.Report: _report,
}
"""Values that may change, by class."""
NO_VALUES: Final = frozenset({
    *(segue.MemoryStore, segue.NoAuth, segue.PostgresStore, segue.Processor, segue.SqliteStore),
    *(segue.JwtAuth, segue.platform.AsyncClient, segue.platform.AsyncPages),
    *(segue.platform.AsyncTransport, segue.platform.Client, segue.platform.Fault),
    *(segue.platform.FaultPlace, segue.platform.FaultPlan, segue.platform.HttpTransport),
    *(segue.platform.MemoryTransport, segue.platform.Pages, segue.platform.PostSender),
    *(segue.platform.Sandbox, segue.platform.SandboxClock, segue.platform.Transport),
    segue.platform.TruthLine,
})  # fmt: skip
"""Public classes of services and options, which no result contains."""
ERRORS: Final = (
    segue.SegueError("no"),
    segue.ConfigurationError("no"),
    segue.errors.SchemaTooNew("no"),
    segue.errors.StoreConflict("no"),
    segue.errors.StoreUnavailable("no"),
    segue.errors.UnknownRule("no"),
    segue.errors.UnreadableLog("no"),
    segue.platform.CannotPage("no"),
    segue.platform.PlatformUnreachable("no"),
    segue.platform.RequestRefused(404, "no such queue", "E4", "r-1"),
    segue.platform.TransportFailed("no"),
)
VALUES: Final = FROZEN | MUTABLE
COPIES: Final[dict[str, Callable[[Any], Any]]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - our own
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def _public_classes() -> set[type]:
    modules = (segue, segue.core, segue.errors, segue.analysis, segue.platform)
    found = [getattr(module, name) for module in modules for name in dir(module)]
    return {each for each in found if isinstance(each, type)}


def test_every_public_class_is_looked_at() -> None:
    known = {*VALUES, *NO_VALUES, *(type(each) for each in ERRORS)}

    assert {each for each in _public_classes() if each not in known} == set()


@family("kind", sorted(VALUES, key=lambda each: each.__name__))
@pytest.mark.parametrize("way", sorted(COPIES))
def test_a_copy_of_a_value_is_equal_and_alike(kind: type, way: str) -> None:
    value = VALUES[kind]()

    copied = COPIES[way](value)

    assert type(copied) is kind
    assert copied == value
    assert (copied != value) is False
    assert repr(copied) == repr(value)
    assert _as_json(copied) == _as_json(value)


def _as_json(value: Any) -> object:
    return value.to_dict() if hasattr(value, "to_dict") else None


@family("kind", sorted(VALUES, key=lambda each: each.__name__))
def test_a_value_equals_nothing_else(kind: type) -> None:
    value = VALUES[kind]()

    for other in (None, 0, "", object(), SimpleNamespace(), SECRET, _other(kind)):
        assert (value == other) is False
        assert (value != other) is True


def _other(kind: type) -> object:
    """Return a value of another class, or of the same with other content."""
    others: dict[type, object] = {
        segue.Report: segue.check(_deliveries()[:-1]),
        segue.Conversation: segue.Conversation("c-1", policy=segue.Policy(ignore=("SG207",))),
        segue.Finding: _report().findings[1],
        segue.Policy: segue.Policy(ignore=("SG1",)),
    }
    return others.get(kind, _report().segments)


@family("kind", sorted(FROZEN, key=lambda each: each.__name__))
def test_a_frozen_value_has_the_hash_of_its_equals(kind: type) -> None:
    assert hash(FROZEN[kind]()) == hash(FROZEN[kind]())


@family("kind", sorted(MUTABLE, key=lambda each: each.__name__))
def test_a_value_that_may_change_has_no_hash(kind: type) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(MUTABLE[kind]())


@family("kind", sorted(VALUES, key=lambda each: each.__name__))
def test_a_repr_is_short_and_shows_nothing_of_a_customer(kind: type) -> None:
    shown = repr(VALUES[kind]())

    assert kind.__name__ in shown
    assert len(shown) <= 260
    assert SECRET not in shown


@family("kind", [each for each in sorted(VALUES, key=lambda each: each.__name__)
                 if not issubclass(each, tuple | Enum)])  # fmt: skip
def test_a_repr_of_a_value_that_is_not_complete_raises_nothing(kind: type) -> None:
    begun: object = object.__new__(kind)
    assert kind.__name__ in repr(begun)


class _Foreign:
    """A value that is none of ours."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = object.__hash__


@family("kind", [each for each in sorted(VALUES, key=lambda each: each.__name__)
                 if is_dataclass(each)])  # fmt: skip
def test_a_repr_of_a_value_with_foreign_parts_raises_nothing(kind: type) -> None:
    value: object = object.__new__(kind)
    for each in fields(kind):
        object.__setattr__(value, each.name, _Foreign())

    assert kind.__name__ in repr(value)


def test_long_values_are_cut() -> None:
    report = segue.check([body(transfer("COLD exit", "a" * 9_000), conversation="c" * 9_000)] * 40)
    finding = report.findings[0]

    assert len(repr(report)) < 160
    assert len(repr(finding)) <= 210
    assert repr(segue.core.Place(event=3, line=7)) == "Place(event=3, line=7)"
    assert repr(segue.RULES[0]) == "Rule(code='SG101', name='missing-na-entry', severity='error')"
    assert repr(segue.Policy(strict=True)) == "Policy(strict=True)"


@family("way", sorted(COPIES))
def test_there_is_one_object_for_a_rule(way: str) -> None:
    made_up = segue.Rule("SG103", "n", segue.Severity.NOTE, "s", "m", "h", "s", {"a": "b"})

    assert COPIES[way](segue.RULES[3]) is segue.RULES[3]
    assert COPIES[way](made_up) == made_up
    assert COPIES[way](made_up).name == "n"


@pytest.mark.parametrize("way", sorted(COPIES))
@pytest.mark.parametrize("error", ERRORS, ids=lambda each: type(each).__name__)
def test_a_copy_of_an_error_says_the_same(error: Exception, way: str) -> None:
    error.add_note("while reading")

    copied = COPIES[way](error)

    assert (type(copied), str(copied), copied.args) == (type(error), str(error), error.args)
    assert vars(copied) == vars(error)


def test_errors_of_own_subclasses_are_copied() -> None:
    copied = pickle.loads(pickle.dumps(_OwnError("c-1", cause=3)))  # noqa: S301 - our own

    assert (str(copied), copied.cause) == ("c-1 failed", 3)


class _OwnError(segue.ConfigurationError):
    def __init__(self, name: str, *, cause: int) -> None:
        super().__init__(f"{name} failed")
        self.cause = cause
