"""n independent mistakes are n mistakes, and what they cost grows with n alone.

The cost of an explanation is the number of events that it judges, so no clock is needed.
"""

from collections.abc import Callable

import pytest
from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.streams import body

from segue.core.conversation import Report, check, explanation_of, state_of
from segue.core.engine.state import told_entries
from segue.core.explain import BUDGET, Explanation, explain

pytestmark = pytest.mark.no_cover  # measuring coverage would triple their time


def report(shorthand: str) -> Report:
    return check(map(body, log(shorthand)))


def explained(shorthand: str) -> Explanation:
    return explanation_of(report(shorthand))


def _told(first: str, turns: Callable[[int], str], count: int, last: str) -> str:
    return " ".join([first, *map(turns, range(count)), last])


def swapped_hand_overs(n: int) -> str:
    return _told("N+a0", lambda i: f"C+a{i + 1} C-a{i}", n, f"N-a{n} E")


def lost_cold_exits(n: int) -> str:
    return _told("N+a0", lambda i: f"C+a{i + 1}", n, f"N-a{n} E")


def ends_at_drops(n: int) -> str:
    return _told("N+a N-a", lambda _: "E R+a N-a", n, "E")


def consults_under_the_primary(n: int) -> str:
    return _told("N+a0", lambda i: f"W+a{i} W-a{i} C-a{i} C+a{i + 1}", n, f"N-a{n} E")


def hand_overs_as_one_entry(n: int) -> str:
    return _told("N+a0", lambda i: f"N+a{i + 1}", n, f"N-a{n} E")


def lost_warm_exits(n: int) -> str:
    return _told("N+p", lambda i: f"W+w{i}", n, "N-p E")


KINDS = (
    ends_at_drops,
    swapped_hand_overs,
    lost_cold_exits,
    consults_under_the_primary,
    hand_overs_as_one_entry,
    lost_warm_exits,
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("count", [1, 5, 20])
def test_n_mistakes_are_n(kind: Callable[[int], str], count: int) -> None:
    found = report(kind(count))

    assert found.explanation == "complete"
    assert len(found.mistakes) == count


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_500_mistakes_are_500_within_the_budget(kind: Callable[[int], str]) -> None:
    found = explained(kind(500))

    assert found.completeness == "complete"
    assert len(found.mistakes) == 500
    assert found.spent < BUDGET


@pytest.mark.parametrize("kind", KINDS[:-1], ids=lambda kind: kind.__name__)
def test_the_cost_is_linear_in_the_number_of_mistakes(kind: Callable[[int], str]) -> None:
    some, more = explained(kind(40)), explained(kind(160))

    assert more.spent < 4 * 1.5 * some.spent


def test_many_messages_after_the_end_are_one_mistake() -> None:
    assert len(report("N+a N-a E " + "g:a " * 200).mistakes) == 1


def test_a_conversation_of_many_agents_that_stops_is_one_mistake() -> None:
    stops = _told("N+p", lambda i: f"W+w{i}", 200, "")

    (mistake,) = report(stops).mistakes

    assert mistake.sentence == (
        "the conversation stops: 201 exits and the END_OF_CONVERSATION are missing "
        "(after event 200)"
    )
    assert len(mistake.edits) == 202


def test_a_budget_that_is_spent_leaves_errors_untraced() -> None:
    found = report(swapped_hand_overs(20))

    state = state_of(found)
    cut = explain(told_entries(state), state.findings, budget=2_000)

    assert cut.completeness == "untraced"
    assert cut.untraced
    owned = [finding for mistake in cut.mistakes for finding in mistake.findings]
    assert {id(each) for each in [*owned, *cut.untraced]} == {id(each) for each in state.findings}


def noise(count: int) -> list[Ev]:
    """Return events without any sense, the same ones in every run."""
    kinds = ["N+", "N-", "C+", "C-", "W+", "W-", "R+", "R-", "g:"]
    words, seed = [], 1
    for _ in range(count):
        seed = seed * 48271 % 2147483647
        words.append("SE"[seed % 2] if seed % 11 == 0 else f"{kinds[seed % 9]}a{seed // 9 % 4}")
    return log(" ".join(words))


@pytest.mark.parametrize("count", [30, 300])
def test_every_error_of_noise_belongs_to_a_mistake_or_is_untraced(count: int) -> None:
    found = check(map(body, noise(count)))
    explanation = explanation_of(found)

    owned = [finding for mistake in explanation.mistakes for finding in mistake.findings]
    known = {id(each) for each in [*owned, *explanation.untraced]}
    errors = [each for each in found.findings if each.severity.value == "error"]
    assert len(errors) >= 5
    assert all(id(each) in known for each in errors)
    assert explanation.spent < BUDGET + 200_000
