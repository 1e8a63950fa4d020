"""How surprising it is that findings are together.

Given how many findings a rule has and when and where something could have gone wrong, the number of
findings among some opportunities is a sum of independent chances at most.  Hoeffding's inequality
bounds the probability of so many, and the probabilities of all that is looked at are added up, so
that the error of the whole search is bounded as well, however few findings there are.
"""

from collections.abc import Sequence
from math import log
from typing import Final

ONSET_ERROR: Final = 0.03
"""How probable an onset may be of findings that were there from the beginning."""


def surprise(inside: float, expected: float, total: float) -> float:
    """Return the negative logarithm of a bound of the probability of so many findings.

    Args:
        inside: findings among the opportunities looked at.
        expected: how many there would be if findings knew nothing of attributes and time.
        total: all findings.

    """
    if inside <= expected or expected <= 0:
        return 0.0
    outside = total - inside
    found = inside * log(inside / expected)
    return found + outside * log(outside / (total - expected)) if outside > 0 else found


def first_of(rows: Sequence[Sequence[float]], dispersion: float) -> int:
    """Return the number of the row that findings begin at; 0 if from the beginning.

    Any row with a finding may be it, by how much more it explains than an even rate.  That there is
    an onset at all, the k-th pays by the logarithm of k (k + 1): these probabilities add up to one,
    so that the error of all that is looked at is that of the choice, whatever the number of rows.

    Args:
        rows: findings and expected findings, in order of time.
        dispersion: how many findings come together.

    """
    total, expected = (sum(row[part] for row in rows) for part in (0, 1))
    if not expected:  # all of it came late
        return 0
    before = passed = best = 0.0
    rank = first = 0
    has_onset = False
    for number, (found, chance) in enumerate(rows):
        if found:
            rank += 1
            gain = surprise(total - before, total * (1 - passed / expected), total) / dispersion
            has_onset = has_onset or gain - log(rank * (rank + 1)) > log(1 / ONSET_ERROR)
            first, best = (number, gain) if gain > best else (first, best)
        before += found
        passed = min(passed + chance, expected)
    return first if has_onset else 0
