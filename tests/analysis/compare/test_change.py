"""What changed from one day to another, and how sure that is."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from tests.analysis.causes.test_causes import conversation

import segue
from segue.analysis.compare import Change, Share, Shift, Statistics, changes
from segue.analysis.compare.significance import corrected, shares_differ, values_differ
from segue.report.changes_view import change_lines
from segue.report.look import Look
from segue.report.styled_text import rendered

KINDS = ("rate", "metric", "new rule", "agent")


def test_wilson_intervals_by_hand() -> None:
    assert Share(5, 10).interval == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert Share(0, 10).interval == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert Share(10, 10).interval == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert (Share(0, 0).interval, Share(0, 0).value) == ((0.0, 1.0), 0.0)


def test_intervals_hold_the_true_share_as_often_as_they_say() -> None:
    random, held = Random(1), 0
    for _ in range(4000):
        share = random.choice((0.01, 0.05, 0.2, 0.5))
        low, high = Share(sum(random.random() < share for _ in range(300)), 300).interval
        held += low <= share <= high

    assert 0.935 <= held / 4000 <= 0.975


def test_fishers_tea_by_hand() -> None:
    assert shares_differ(Share(3, 4), Share(1, 4)) == pytest.approx(34 / 70)
    assert shares_differ(Share(0, 5), Share(5, 5)) == pytest.approx(2 / 252)
    assert shares_differ(Share(2, 4), Share(50, 100)) == pytest.approx(1.0)
    assert shares_differ(Share(0, 0), Share(5, 5)) == pytest.approx(1.0)


def test_ranks_by_hand() -> None:
    # Rank sum 15 of 27.5 expected, variance 22.9, corrected by a half: 12 / 4.787.
    direction, probability = values_differ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10])
    assert direction == pytest.approx(12.5)
    assert probability == pytest.approx(0.01219, abs=1e-4)
    assert values_differ([1, 1], [1, 1, 1]) == (0.0, 1.0)
    assert values_differ([], [1]) == (0.0, 1.0)


def test_holms_correction_by_hand() -> None:
    assert corrected([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert corrected([0.9, 0.9]) == [1.0, 1.0]
    assert corrected([]) == []


def day(random: Random, change: str = "", *, numbers: int = 300) -> Statistics:
    """A day on which one conversation in twelve is wrong, with one change."""
    lines: list[Any] = []
    for number in range(numbers):
        agents = 5 if change == "agent" else 6
        wrong = random.random() < (0.25 if change == "rate" else 0.08)
        own = list(conversation(number, agent=f"a-{random.randrange(agents)}", is_wrong=wrong))
        if change == "new rule" and random.random() < 0.1:
            own.append(own[0])  # after the end
        longer = 1.5 if change == "metric" else 1.0
        length = random.lognormvariate(5, 0.7) * longer
        lines += _lasting(own, length)
    statistics = Statistics()
    for report in segue.replay(lines):
        statistics.add(report)
    return statistics


def _lasting(lines: list[str], seconds: float) -> list[str]:
    """Spread a conversation's lines over so many seconds."""
    at = datetime.fromisoformat(lines[0].split('"')[3])
    step = timedelta(seconds=seconds / len(lines))
    return [
        line.replace(at.isoformat(), (at + number * step).isoformat())
        for number, line in enumerate(lines)
    ]


def named(change: str, found: list[Change]) -> bool:
    wanted = {
        "rate": ("rule", "SG203", "more"),
        "metric": ("metric", "duration", "more"),
        "new rule": ("rule", "SG110", "new"),
        "agent": ("agent", "a-5", "gone"),
    }
    return wanted[change] in {(each.what, each.name, each.kind) for each in found}


def compared(seed: int, change: str) -> list[Change]:
    random = Random(seed)
    before, after = day(random), day(random, change)
    return [each for each in changes(before, after) if each.is_significant]


@pytest.mark.parametrize("change", KINDS)
def test_a_planted_change_is_named(change: str) -> None:
    assert named(change, compared(7, change))


def test_days_that_are_alike_have_no_change() -> None:
    assert [compared(seed, "") for seed in range(2)] == [[]] * 2


def test_metrics_of_one_median_are_shown_by_their_means() -> None:
    """Consults of 1 in 4, then of 3 in 4 conversations; the median of 5 and 6 is not the same."""
    means = change_of("consults", Shift(0.0, 0.25, 400), Shift(0.0, 0.75, 300))
    medians = change_of("messages", Shift(5.0, 5.5, 400), Shift(6.0, 5.5, 300))
    lines = rendered(change_lines([means, medians], Look())).splitlines()

    assert lines[2].split("  ")[1:] == [
        *("metric consults", "more", "mean 0.75 of 300", "before mean 0.25 of 400"),
    ]
    assert "median 6 of 300   before median 5 of 400" in lines[3]


def change_of(name: str, before: Shift, after: Shift) -> Change:
    return Change("metric", name, before, after, direction=1, probability=0.001)


@pytest.mark.slow
def test_of_100_pairs_95_changes_are_named() -> None:
    found = [named(change, compared(seed, change)) for seed in range(25) for change in KINDS]

    assert sum(found) >= 95


@pytest.mark.slow
def test_of_100_pairs_that_are_alike_two_at_most_have_a_change() -> None:
    assert sum(bool(compared(seed, "")) for seed in range(100)) <= 2
