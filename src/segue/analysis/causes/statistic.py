"""The significance of a number of findings.

The null hypothesis is that the findings of a rule occur independently of attributes and time. The
number of findings among some opportunities is then a sum of independent chances, and the
Chernoff-Hoeffding inequality bounds the probability of at least that number. The bound holds for
any sample size. The probabilities of all the sets that are tried are added up (a union bound), so
that the error of the whole search is bounded too.
"""

from collections.abc import Sequence
from math import log
from typing import Final

ONSET_ERROR: Final = 0.03
"""The probability of reporting an onset for findings that were there from the beginning."""


def surprise(inside: float, expected: float, total: float) -> float:
    """Return the negative logarithm of a bound on the probability of at least `inside` findings.

    Args:
        inside: The number of findings among the selected opportunities.
        expected: The number expected if findings were independent of attributes and time.
        total: The number of all findings.

    """
    if inside <= expected or expected <= 0:
        return 0.0
    outside = total - inside
    found = inside * log(inside / expected)
    return found + outside * log(outside / (total - expected)) if outside > 0 else found


def first_of(rows: Sequence[Sequence[float]], dispersion: float) -> int:
    """Return the index of the row at which findings begin, or 0 if they were there from the start.

    Every row with a finding is a candidate. The row that explains most, compared with an even rate,
    is chosen. The k-th candidate must exceed a threshold that grows with log(k (k + 1)). The
    corresponding probabilities add up to one, so the error of the choice is `ONSET_ERROR` whatever
    the number of rows.

    Args:
        rows: Pairs of found and expected findings, in order of time.
        dispersion: The average number of findings that occur together.

    """
    total, expected = (sum(row[part] for row in rows) for part in (0, 1))
    if not expected:  # all findings came late
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
