"""How surprising it is that findings are together.

Given how many findings a rule has and when and where something could have gone wrong, the number of
findings among some opportunities is a sum of independent chances at most.  Hoeffding's inequality
bounds the probability of so many, and the probabilities of all that is looked at are added up, so
that the error of the whole search is bounded as well, however few findings there are.
"""

from math import log


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
