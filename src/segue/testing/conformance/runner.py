"""Runs the suite against a backend and returns where it differs.

Of what a vector expects, everything is compared that the backend answers at once or shows
afterwards. Every run gives its conversations new ids, so that it can be repeated against a backend
that remembers. A backend that shows nothing at all has not passed.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from segue.errors import ConfigurationError
from segue.testing.backend import Backend
from segue.testing.compare import ACCEPTED, Discrepancy, discrepancies, is_tolerated, tolerated
from segue.testing.conformance.vectors import delivered

COMPARED: Final = ("status", "phase", "findings", "primary", "consultants", "segments", "state",
                   "changed", "duplicate")  # fmt: skip
"""The keys that vectors expect."""


class ConformanceDifference(NamedTuple):
    """One thing in which a backend differs."""

    vector: Mapping[str, Any]
    delivery: int
    """0-based, the delivery after which it showed."""
    key: str
    """`status`, `phase`, `findings`, …"""
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
    compared: dict[str, int] = field(default_factory=dict)
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
        ConfigurationError: The backend shows nothing that could be compared, or what is tolerated
            is neither a key nor a code.

    """
    outcome, tolerate = ConformanceResult(), tolerated(tolerate, COMPARED)
    for each in vectors:
        outcome.vectors += 1
        conversation_id = f"{run_id}-{each['id']}"
        found = _differences(backend, each, conversation_id, bot_id, outcome)
        differing = (one for one in found if not is_tolerated(Discrepancy(*one[2:]), tolerate))
        outcome.differences += islice(differing, 1)
    if outcome.vectors and outcome.statuses == {404}:
        raise ConfigurationError(
            "the backend answers 404 to every delivery: the URL is where the routes of the "
            "specification begin, and --path names another one for the hook"
        )
    if outcome.vectors and not outcome.compared.keys() - {"status"}:
        raise ConfigurationError(
            "the backend answers with neither phase nor findings: give a view of what it knows, "
            "such as --view /conversations/{conversationId}"
        )
    return outcome


def _differences(
    backend: Backend,
    each: Mapping[str, Any],
    conversation_id: str,
    bot_id: str,
    outcome: ConformanceResult,
) -> Iterator[ConformanceDifference]:
    found: list[str] = []
    for number, (given, expected) in enumerate(
        zip(each["deliveries"], each["expect"], strict=True)
    ):
        said = backend.deliver(delivered(given, conversation_id=conversation_id, bot_id=bot_id))
        outcome.deliveries += 1
        outcome.statuses.add(said.status)
        found += expected.get("findings", ())
        shown = said.shown if said.status in ACCEPTED else {"status": said.status}
        wanted = dict(expected)
        if backend.view is not None and "phase" in expected:
            seen = backend.view(conversation_id)
            if "findings" in seen:  # of a view: all so far
                wanted["findings"] = found
            if number + 1 == len(each["deliveries"]):
                wanted["segments"] = each["segments"]
            shown = {**shown, **seen}
        for key in wanted.keys() & shown.keys():
            outcome.compared[key] = outcome.compared.get(key, 0) + 1
        for differing in discrepancies(wanted, shown):
            yield ConformanceDifference(each, number, *differing)
