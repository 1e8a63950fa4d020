"""Law 5: conversations do not know of each other."""

from typing import Any

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import logs, streams

import segue

SMALL: st.SearchStrategy[list[Ev]] = streams(max_size=6).filter(
    lambda stream: sum(event.kind == "end" for event in stream) < 2
)


@given(st.data(), st.tuples(*(logs(SMALL, conversation=name) for name in ("c-1", "c-2", "c-3"))))
def test_conversations_mixed_in_one_log_behave_as_if_alone(
    data: st.DataObject, told: tuple[list[dict[str, Any]], ...]
) -> None:
    """Interleaving: in whatever way the lines are mixed, each conversation is reported alike."""
    owners = [number for number, lines in enumerate(told) for _ in lines]
    waiting = [iter(lines) for lines in told]
    mixed = [next(waiting[number]) for number in data.draw(st.permutations(owners))]

    reports = list(segue.replay(iter(mixed)))

    alone = [report for lines in told for report in segue.replay(iter(lines))]
    assert sorted(map(told_of, reports), key=repr) == sorted(map(told_of, alone), key=repr)


def told_of(report: segue.Report) -> dict[str, Any]:
    """The report but for the numbers of the lines it was read from."""
    told = report.to_dict()
    for finding in told["findings"]:
        del finding["line"]
        for cause in finding["because"]:
            del cause["line"]
    return told
