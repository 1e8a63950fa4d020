"""Runs the suite against a backend and returns where it differs.

Of what a vector expects, everything is compared that the backend answers at once or shows
afterwards. Every run gives its conversations new ids, so that it can be repeated against a backend
that remembers. An error of the backend is a difference of its vector. A backend that shows nothing
at all has not passed.
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
    """One thing in which a backend differs."""

    vector: Mapping[str, Any]
    delivery: int
    """0-based, the delivery after which it showed."""
    key: str
    """`status`, `phase`, `findings`, …; `error` if there is no answer or no view."""
    expected: object
    found: object

    def to_dict(self) -> dict[str, object]:
        """Return the difference as JSON, with the deliveries up to it."""
        shown = self._asdict()
        vector = shown.pop("vector")
        deliveries = vector["deliveries"][: self.delivery + 1]
        return {"id": vector["id"], "title": vector["title"], "deliveries": deliveries, **shown}


@dataclass(slots=True)
class ConformanceResult:
    """The result of a run."""

    vectors: int = 0
    deliveries: int = 0
    statuses: set[int] = field(default_factory=set)
    """Those of all answers."""
    compared: Counter[str] = field(default_factory=Counter)
    """How often each key was there to compare."""
    differences: list[ConformanceDifference] = field(default_factory=list)
    """The first of each vector."""


def run(
    backend: Backend,
    vectors: Iterable[Mapping[str, Any]],
    *,
    run_id: str,
    bot_id: str = "st-1",
    tolerate: Collection[str] = (),
) -> ConformanceResult:
    """Run the vectors against a backend and return where it differs.

    Args:
        backend: The backend.
        vectors: Those of `conformance_suite`.
        run_id: Makes the ids of the conversations new.
        bot_id: The bot of all conversations.
        tolerate: In what it may differ: keys, and codes of findings.

    Raises:
        ConfigurationError: There is no vector, the backend takes no delivery or shows nothing that
            could be compared, or what is tolerated is neither a key nor a code.

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
    """Raise `ConfigurationError` if the run says nothing of the backend."""
    if not outcome.vectors:
        msg = "there is no vector to send: those of these groups go to other intakes, too"
        raise ConfigurationError(msg)
    if outcome.statuses == {404}:
        raise ConfigurationError(
            "the backend answers 404 to every delivery: the URL is where the routes of the "
            "specification begin, and --path names another one for the hook"
        )
    if outcome.statuses and outcome.statuses <= _NOT_LET_IN:
        shown = " or ".join(map(str, sorted(outcome.statuses)))
        raise ConfigurationError(
            f"the backend answers {shown} to every delivery: it refuses the token, or wants one "
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
        except ConfigurationError:  # it cannot be reached, or its view is none
            raise
        except Exception as error:  # noqa: BLE001 - whatever a backend raises is a difference
            yield ConformanceDifference(each, number, "error", None, str(BackendCrash(error)))
            return
        shown = said.shown if said.status in ACCEPTED else {"status": said.status}
        outcome.compared.update((expected.keys() & shown.keys()) | (known.keys() & seen.keys()))
        for differing in (*discrepancies(expected, shown), *discrepancies(known, seen)):
            yield ConformanceDifference(each, number, *differing)
