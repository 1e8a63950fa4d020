"""Deep bugs are found with the default budget, and told as the shortest story there is."""

import pytest
from tests.testing.deep_bugs import Pair, campaign, hunt, planted

ENOUGH = 0.95
SOME = sorted(planted().items())[4::9]


@pytest.mark.parametrize(("pair", "length"), SOME)
def test_a_deep_bug_is_found_and_told_as_shortly_as_possible(pair: Pair, length: int) -> None:
    found = hunt(pair, length, 1)

    assert found.is_found
    assert found.is_shortest


@pytest.mark.slow
def test_nearly_all_deep_bugs_are() -> None:
    outcomes = [outcome for number in (1, 2, 3) for outcome in campaign(number).values()]

    assert len(outcomes) == 3 * 31
    assert sum(each.is_found for each in outcomes) >= ENOUGH * len(outcomes)
    assert sum(each.is_shortest for each in outcomes) >= ENOUGH * len(outcomes)
