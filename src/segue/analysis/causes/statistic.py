"""The significance of a number of findings.

The null hypothesis is that the findings of a rule occur independently of attributes and time. Under
this hypothesis, the number of findings among a set of opportunities is a sum of independent random
variables. The Chernoff-Hoeffding inequality bounds the probability of at least the observed number,
for any sample size. Adding up the bounds of all sets that are tried (a union bound) also bounds the
error of the whole search.
"""

from collections.abc import Sequence
from math import log
from typing import Final

ONSET_ERROR: Final = 0.03
"""The probability of reporting an onset if findings occurred from the beginning of the log."""


def surprise(inside: float, expected: float, total: float) -> float:
    """Return -log(p), where p bounds the probability of at least `inside` findings.

    Args:
        inside: The number of findings among the selected opportunities.
        expected: The expected number of findings among them under the null hypothesis.
        total: The number of all findings.

    """
    if inside <= expected or expected <= 0:
        return 0.0
    outside = total - inside
    found = inside * log(inside / expected)
    return found + outside * log(outside / (total - expected)) if outside > 0 else found


def first_of(rows: Sequence[Sequence[float]], dispersion: float) -> int:
    """Return the index of the row at which findings begin, or 0 if there is no significant onset.

    Every row with a finding is a candidate. The candidate with the most significant increase,
    compared with a constant rate, is chosen. The k-th candidate must exceed a threshold that grows
    with log(k (k + 1)). The corresponding probabilities add up to one, so the error of the choice
    is `ONSET_ERROR` for any number of rows.

    Args:
        rows: Pairs of the numbers of found and of expected findings, in order of time.
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
