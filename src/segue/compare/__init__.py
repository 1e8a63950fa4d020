"""Comparing: what differs between two logs, and what one of them adds up to."""

from segue.compare.difference import Comparison, Difference
from segue.compare.digests import Finding, Gist, Stay, gist
from segue.compare.statistics import Spread, Statistics

__all__ = ["Comparison", "Difference", "Finding", "Gist", "Spread", "Statistics", "Stay", "gist"]
