"""Law: every rule has a shortest stream whose report is exactly that rule.

For order and agents (and repeats) the stream is searched, shortest first; rules of the other
families have the example log of their page, which is run where the pages are tested.
"""

from collections import deque
from functools import cache

import pytest
from tests.lifecycle.library import close, take
from tests.oracle.oracle import Ev
from tests.streams import TRANSFERS, body, clone

import segue
from segue.findings import RULES
from segue.lifecycle import Roster

SEARCHED = [rule.code for rule in RULES if rule.family in (1, 2)] + ["SG601"]
ALPHABET = [
    *(Ev(kind, agent) for kind in TRANSFERS for agent in ("a", "b")),
    Ev("NA exit", "A"),
    Ev("agent message", "a"),
    Ev("summary"),
    Ev("summary", tag="another"),
    Ev("end"),
]
LENGTHS = {  # by hand: the shortest story that offends the rule and nothing else
    "SG101": 1, "SG102": 4, "SG103": 4, "SG105": 4, "SG106": 3, "SG107": 2, "SG108": 2,
    "SG109": 4, "SG110": 4, "SG111": 5, "SG112": 4, "SG113": 3, "SG114": 6, "SG115": 5,
    "SG116": 5, "SG117": 5, "SG118": 3, "SG119": 5, "SG120": 5, "SG121": 5, "SG201": 3,
    "SG202": 3, "SG203": 4, "SG204": 4, "SG205": 4, "SG206": 3, "SG207": 5, "SG208": 4,
    "SG601": 4,
}  # fmt: skip
LONGEST = max(LENGTHS.values())


@cache
def shortest() -> dict[str, tuple[Ev, ...]]:
    """Return the first stream, by length, whose whole report is one finding, for every rule."""
    found: dict[str, tuple[Ev, ...]] = {}
    queue: deque[tuple[Roster, tuple[Ev, ...], tuple[str, ...]]] = deque([(Roster(), (), ())])
    seen: set[object] = set()
    while queue:
        roster, events, codes = queue.popleft()
        if events:
            report = (*codes, *(code for _, code in close(clone(roster))))
            if len(report) == 1:
                found.setdefault(report[0], events)
        if len(events) == LONGEST:
            continue
        for event in ALPHABET:
            twin = clone(roster)
            told = (*codes, *(code for _, code in take(twin, len(events), event)))
            key = (
                told, twin.phase, twin.primary, twin.consultants, twin.last, twin.doubted, event,
                tuple(twin.known), tuple(sorted(twin.marks.items())), twin.early_summary,
            )  # fmt: skip
            if len(told) <= 1 and key not in seen:
                seen.add(key)
                queue.append((twin, (*events, event), told))
    return found


@pytest.mark.parametrize("code", SEARCHED)
def test_the_shortest_witness_is_as_short_as_can_be(code: str) -> None:
    witness = shortest()[code]

    assert len(witness) == LENGTHS[code], [f"{event.kind} {event.agent}" for event in witness]
    assert [finding.code for finding in segue.check(map(body, witness)).findings] == [code]
