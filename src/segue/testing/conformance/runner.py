"""A runner for the conformance suite.

After each delivery the runner compares the backend's answer and view with the test vector. Every
run uses new conversation ids, so that it can be repeated against a backend that keeps its state. An
exception of the backend is a difference. A backend that shows nothing to compare does not pass.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from segue.core.conversation import Conversation
from segue.core.errors import ConfigurationError
from segue.testing.backend import Backend
from segue.testing.compare import (
    BackendCrash,
    Discrepancy,
    discrepancies,
    is_tolerated,
    tolerated,
)
from segue.testing.conformance.vectors import delivered
from segue.testing.reference import answer, view
from segue.testing.views import ACCEPTED, read_view

_NOT_LET_IN: Final = frozenset({401, 403})


class ConformanceDifference(NamedTuple):
    """A difference between a backend's behavior and the behavior that a vector expects."""

    vector: Mapping[str, Any]
    """The test case, as yielded by `conformance_suite`."""
    delivery: int
    """The 0-based index of the delivery after which the difference appeared."""
    key: str
    """The key that differs, such as `status` or `phase`, or `error` after an exception."""
    expected: object
    """The value that the vector expects, or None after an exception."""
    found: object
    """The value of the backend, or the text of the exception."""

    def to_dict(self) -> dict[str, object]:
        """Return the difference as a JSON object, with the deliveries sent until it appeared."""
        shown = self._asdict()
        vector = shown.pop("vector")
        deliveries = vector["deliveries"][: self.delivery + 1]
        return {"id": vector["id"], "title": vector["title"], "deliveries": deliveries, **shown}


@dataclass(slots=True)
class ConformanceResult:
    """The counts and the differences of one run of the conformance suite."""

    vectors: int = 0
    """The number of vectors that were run."""
    deliveries: int = 0
    """The number of deliveries that were sent."""
    statuses: set[int] = field(default_factory=set)
    """The HTTP statuses of all answers."""
    compared: Counter[str] = field(default_factory=Counter)
    """The number of comparisons by key, such as `phase` or `findings`."""
    differences: list[ConformanceDifference] = field(default_factory=list)
    """The first difference of each vector that failed."""


def run(
    backend: Backend,
    vectors: Iterable[Mapping[str, Any]],
    *,
    run_id: str,
    bot_id: str = "st-1",
    tolerate: Collection[str] = (),
) -> ConformanceResult:
    """Send the deliveries of vectors to a backend, and return the counts and the differences.

    Args:
        backend: The backend under test.
        vectors: The vectors, as yielded by `conformance_suite`.
        run_id: The prefix of all conversation ids, which should be new in each run.
        bot_id: The bot id of all conversations.
        tolerate: Keys and codes of findings in which the backend may differ.

    Raises:
        ConfigurationError: There are no vectors, the backend accepts no delivery or shows nothing
            to compare, or `tolerate` contains an unknown key or code.

    """
    outcome, tolerate = ConformanceResult(), tolerated(tolerate)
    for each in vectors:
        outcome.vectors += 1
        conversation_id = f"{run_id}-{each['id']}"
        found = _differences(backend, each, conversation_id, bot_id, outcome)
        differing = (one for one in found if not is_tolerated(Discrepancy(*one[2:]), tolerate))
        outcome.differences += islice(differing, 1)
    _require_compared(outcome)
    return outcome


def _require_compared(outcome: ConformanceResult) -> None:
    """Raise `ConfigurationError` with advice for the user if the run compared nothing."""
    if not outcome.vectors:
        msg = "there are no vectors to send: all vectors of these groups need further intakes"
        raise ConfigurationError(msg)
    if outcome.statuses == {404}:
        raise ConfigurationError(
            "the backend answers 404 to every delivery: give the URL below which it has the routes "
            "of the specification, or the path of its hook with --path"
        )
    if outcome.statuses and outcome.statuses <= _NOT_LET_IN:
        shown = " or ".join(map(str, sorted(outcome.statuses)))
        raise ConfigurationError(
            f"the backend answers {shown} to every delivery: give a token that it accepts "
            "(--token-env NAME)"
        )
    has_errors = any(each.key == "error" for each in outcome.differences)
    if not (has_errors or outcome.compared.keys() - {"status"}):
        raise ConfigurationError(
            "the backend answers with neither phase nor findings: give a view of what it knows, "
            "such as --view /conversations/{conversationId}"
        )


def _differences(
    backend: Backend,
    each: Mapping[str, Any],
    conversation_id: str,
    bot_id: str,
    outcome: ConformanceResult,
) -> Iterator[ConformanceDifference]:
    reference, found = Conversation(conversation_id), list[str]()
    for number, (given, expected) in enumerate(
        zip(each["deliveries"], each["expect"], strict=True)
    ):
        sent = delivered(given, conversation_id=conversation_id, bot_id=bot_id)
        answer(reference, sent)
        outcome.deliveries += 1
        is_known = backend.view is not None and "phase" in expected
        found += expected.get("findings", ())
        known = view(reference) | {"findings": found} if is_known else {}
        try:
            said = backend.deliver(sent)
            outcome.statuses.add(said.status)
            seen = read_view(backend.view, conversation_id) if backend.view and is_known else {}
        except ConfigurationError:  # the backend cannot be reached, or its view is invalid
            raise
        except Exception as error:  # noqa: BLE001 - whatever a backend raises is a difference
            yield ConformanceDifference(each, number, "error", None, str(BackendCrash(error)))
            return
        shown = said.shown if said.status in ACCEPTED else {"status": said.status}
        outcome.compared.update((expected.keys() & shown.keys()) | (known.keys() & seen.keys()))
        for differing in (*discrepancies(expected, shown), *discrepancies(known, seen)):
            yield ConformanceDifference(each, number, *differing)
