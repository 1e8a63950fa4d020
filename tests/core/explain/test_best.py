"""The best figures, and the table behind them, from all single mistakes in short conversations."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

import pytest
from tests.core.explain.single_mistakes import Case, cases
from tests.core.explain.timed import check, timed
from tests.streams import short

from segue.core.explain import EditKind
from segue.core.explain.best import TOLD, best_of
from segue.core.explain.mended import METRICS, Range
from segue.core.segments import METRIC_NAMES

pytestmark = pytest.mark.no_cover  # measuring coverage would triple their time

THOROUGH = pytest.mark.thorough
MOST_WRONG: Final = 0.05
"""The greatest share of wrong values in a row of the table."""

SECOND: Final = timedelta(seconds=1)


def edit_kind(case: Case) -> EditKind | None:
    """Return the kind of the edit that explains a case, or None for an unreadable event."""
    edits = [edit for mistake in case.report.mistakes for edit in mistake.edits]
    return edits[0].kind if edits else None


def judged(case: Case) -> Iterable[tuple[str, dict[str, str]]]:
    """Yield each metric that is known without the mistake, and what the figures with it say."""
    report = case.report
    assert report.mended is not None
    assert report.best is not None
    for name in METRICS:
        true, told = getattr(case.true, name), getattr(report.metrics, name)
        if true is not None:
            as_told = None if told is None else (told, told)
            found = {"told": as_told, "mended": report.mended.metrics[name]}
            best = report.best[name]
            found["best"] = None if best is None else best[:2]
            yield name, {source: verdict(value, true) for source, value in found.items()}


def verdict(value: Any, true: Any) -> str:
    if value is None:
        return "null"
    if value == (true, true):
        return "exact"
    return "range" if value[0] <= true <= value[1] else "wrong"


def rows(longest: int) -> dict[tuple[EditKind | None, str, str], Counter[str]]:
    """Return the verdicts by kind of edit, metric and source."""
    found: defaultdict[tuple[EditKind | None, str, str], Counter[str]] = defaultdict(Counter)
    for case in cases(longest):
        if case.report.mended is not None:
            kind = edit_kind(case)
            for name, verdicts in judged(case):
                for source, each in verdicts.items():
                    found[kind, name, source][each] += 1
    return found


def table(found: Mapping[tuple[EditKind | None, str, str], Counter[str]]) -> dict[Any, set[str]]:
    """Return the metrics that are more often exact as told, and no more often wrong."""
    better: defaultdict[Any, set[str]] = defaultdict(set)
    for kind, name, _ in found:
        told, mended = found[kind, name, "told"], found[kind, name, "mended"]
        if told["wrong"] <= mended["wrong"] and told["exact"] > mended["exact"]:
            better[kind].add(name)
    return better


@pytest.mark.parametrize("longest", [5, pytest.param(7, marks=THOROUGH)])
def test_best_is_seldom_wrong_after_any_kind_of_edit(longest: int) -> None:
    found = rows(longest)

    assert {kind for kind, *_ in found} == {*EditKind, None}
    for (kind, name, source), counts in found.items():
        if source == "best":
            assert counts["wrong"] <= MOST_WRONG * counts.total(), (kind, name, counts)
            assert counts["null"] <= found[kind, name, "mended"]["null"], (kind, name, counts)
    if longest == 7:
        assert table(found) == TOLD


@pytest.mark.parametrize(
    ("longest", "exceptions"),
    [
        (5, []),
        # nothing tells whether the WARM entry of c came early or the NA entry of a late
        pytest.param(7, [("W+c N+a C-a C+b W-c N-b E", "transfer_gap")], marks=THOROUGH),
    ],
)
def test_a_figure_as_told_that_is_wrong_is_null_or_estimated(
    longest: int, exceptions: list[tuple[str, str]]
) -> None:
    silent, wrong = [], 0
    for case in cases(longest):
        report = case.report
        if any(each.rule.family in (1, 2) for each in report.findings if each.severity == "error"):
            for name in METRIC_NAMES:
                true, told = getattr(case.true, name), getattr(report.metrics, name)
                wrong += told is not None and told != true
                if told is not None and told != true and name not in report.estimated:
                    silent.append((short(case.events), name))

    assert wrong > 1_000
    assert silent == exceptions


BOTH = ("N+a@0 C+b@60 N-b@180 E@200", "N+a@0 W-a@90 E@100")
"""A lost COLD exit, and a wrong type."""


def test_the_best_value_is_as_told_where_the_edits_do_not_change_it() -> None:
    best = check(timed(BOTH[0])).best
    assert best is not None

    # a left between 0 and 60, and nothing is known of it
    assert best["duration"] == (200 * SECOND, 200 * SECOND, "told")
    assert best["connected_time"] == (120 * SECOND, 180 * SECOND, "mended")
    assert best["ring_time"] is None
    assert best.keys() == set(METRIC_NAMES)


def test_the_best_value_of_a_kind_of_edit_is_that_of_the_table() -> None:
    report = check(timed(BOTH[1]))
    assert report.mended is not None
    metrics = {**report.mended.metrics, "overlap_time": None, "redials": Range(0, 1)}
    mended = replace(report.mended, metrics=metrics)

    def sources(*kinds: EditKind | None) -> list[Any]:
        best = best_of(report.metrics, mended, kinds)
        return [best[name] for name in ("overlap_time", "redials")]

    assert sources(EditKind.RETYPED) == [(0 * SECOND, 0 * SECOND, "told"), (0, 1, "mended")]
    assert sources(EditKind.RETYPED, EditKind.LOST) == [None, (0, 1, "mended")]
    assert sources(EditKind.RETYPED, None) == [None, (0, 1, "mended")]


def test_without_errors_the_figures_as_told_are_the_best_ones() -> None:
    report = check(timed("N+a@0 N-a@50 E@60"))
    assert report.best is not None

    assert report.best["talk_time"] == (50 * SECOND, 50 * SECOND, "told")
    assert report.best["answer_time"] is None
    assert (report.estimated, report.to_dict()["best"]) == ((), None)


def test_an_explanation_changes_nothing_but_what_is_estimated() -> None:
    whole, plain = check(timed(BOTH[0])), check(timed(BOTH[0]))
    plain.is_explained = False
    ours, theirs = whole.to_dict(), plain.to_dict()

    assert {name for name in ours if ours[name] != theirs[name]} == {
        "findings", "mistakes", "explanation", "estimated", "mended", "best",
    }  # fmt: skip
    known = [name for name in METRIC_NAMES if getattr(plain.metrics, name) is not None]
    assert theirs["estimated"] == known
    assert ours["estimated"] == [
        "connected_time", "transfer_gap", "agent_time", "talk_time", "handle_time",
        "implied_closures",
    ]  # fmt: skip
    assert plain.best is None


def test_the_json_has_the_bounds_in_seconds_and_their_source() -> None:
    found = check(timed(BOTH[0])).to_dict()

    assert found["best"]["talk_time"] == {
        "at_least": 120.0, "at_most": 180.0, "source": "mended",
    }  # fmt: skip
    assert found["mended"]["metrics"]["talk_time"] == {"at_least": 120.0, "at_most": 180.0}
    assert found["mended"]["segments"][0]["talk_time"] == {"at_least": 0.0, "at_most": 60.0}
