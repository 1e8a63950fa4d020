"""Deep bugs are found with the default budget, and nearly all are told as the shortest story."""

from collections.abc import Sequence

import pytest
from tests.testing.deep_bugs import Hunt, Pair, campaign, hunt, met, open_led, planted

FOUND, SHORTEST, OPEN_LED = 0.95, 0.9, 0.5
SEEDS = (1, 2, 3, 4)


def assert_nearly_all(outcomes: Sequence[Hunt]) -> None:
    found = [each for each in outcomes if each.is_found]

    assert len(found) >= FOUND * len(outcomes)
    assert sum(each.is_shortest for each in found) >= SHORTEST * len(found)


@pytest.fixture(scope="module")
def found() -> list[set[Pair]]:
    return [met(number) for number in SEEDS]


@pytest.mark.thorough
def test_nearly_all_deep_bugs_are_met_in_the_default_number_of_examples(
    found: list[set[Pair]],
) -> None:
    wanted = planted().keys()
    assert sum(len(wanted & each) for each in found) >= FOUND * len(SEEDS) * len(wanted)


@pytest.mark.thorough
def test_half_of_the_deep_bugs_are_met_that_need_an_open_lead(found: list[set[Pair]]) -> None:
    wanted = open_led().keys()
    assert sum(len(wanted & each) for each in found) >= OPEN_LED * len(SEEDS) * len(wanted)


@pytest.mark.thorough
def test_some_deep_bugs_are_told_as_shortly_as_possible() -> None:
    """How many of all bugs are found is the matter of the test before."""
    some = sorted(planted().items())[4::24]
    found = [each for pair, length in some if (each := hunt(pair, length, 1)).is_found]

    assert len(found) > len(some) / 2
    assert sum(each.is_shortest for each in found) >= SHORTEST * len(found)


@pytest.mark.slow
def test_nearly_all_deep_bugs_are() -> None:
    outcomes = [outcome for number in (1, 2, 3) for outcome in campaign(number).values()]

    assert len(outcomes) == 3 * len(planted())
    assert_nearly_all(outcomes)
