"""Deep bugs are found with the default budget, and nearly all are told as the shortest story."""

from collections.abc import Sequence

import pytest
from tests.testing.deep_bugs import Hunt, campaign, hunt, met, planted

FOUND, SHORTEST = 0.95, 0.9
SEEDS = (1, 2, 3, 4)


def assert_nearly_all(outcomes: Sequence[Hunt]) -> None:
    found = [each for each in outcomes if each.is_found]

    assert len(found) >= FOUND * len(outcomes)
    assert sum(each.is_shortest for each in found) >= SHORTEST * len(found)


@pytest.mark.thorough
def test_nearly_all_deep_bugs_are_met_in_the_default_number_of_examples() -> None:
    assert sum(len(met(number)) for number in SEEDS) >= FOUND * len(SEEDS) * len(planted())


@pytest.mark.thorough
def test_some_deep_bugs_are_told_as_shortly_as_possible() -> None:
    assert_nearly_all([hunt(pair, length, 1) for pair, length in sorted(planted().items())[4::24]])


@pytest.mark.slow
def test_nearly_all_deep_bugs_are() -> None:
    outcomes = [outcome for number in (1, 2, 3) for outcome in campaign(number).values()]

    assert len(outcomes) == 3 * 100
    assert_nearly_all(outcomes)
