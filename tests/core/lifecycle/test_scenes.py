"""The scenes can be trusted: what they call the same walker can never be told apart."""

from collections.abc import Iterator
from copy import copy
from typing import Any

import pytest
from tests.core.lifecycle.scenes import ASKED, essence, places
from tests.core.lifecycle.walker import Walker

from segue.core.events import EventKind
from segue.core.lifecycle import Phase


@pytest.mark.thorough
@pytest.mark.parametrize("phase", Phase)
def test_what_the_essence_leaves_out_changes_no_verdict(phase: Phase) -> None:
    """The same code and the same essence after any event: hence the same for ever after."""
    compared = 0
    for stream, walker in places():
        if walker.phase is phase:
            verdicts = _verdicts(walker)
            for twin in _twins(walker):
                assert _verdicts(twin) == verdicts, stream
                compared += 1

    assert compared


def _twins(walker: Walker) -> Iterator[Walker]:
    """Yield the walker with something else in one place, wherever that is said not to matter."""
    here = walker.presence
    others: list[tuple[str, Any]] = [
        ("in_doubt", not here.in_doubt),
        ("early_summary", not here.early_summary),
        ("replaced", ()),
    ]
    if walker.phase is not Phase.WAITING:  # while waiting, nobody has been and no NA entry came
        last = 0 if here.last is None and walker.names else None
        others += [("na_entered", not here.na_entered), ("last", last)]
    for name, value in others:
        twin = copy(walker)
        twin.presence = here._replace(**{name: value})
        if value != getattr(here, name) and essence(twin) == essence(walker):
            yield twin


def _verdicts(walker: Walker) -> list[tuple[object, ...]]:
    """Return what every event would give; after the close nothing comes, so its phase is all."""
    found: list[tuple[object, ...]] = []
    for kind, roles in ASKED.items():
        for agent in (*walker.names, "x") if len(roles) > 1 else ("",):
            twin = copy(walker)
            codes = twin.take(kind, agent)
            found.append((codes, twin.phase if kind is EventKind.CLOSE else essence(twin)))
    return found
