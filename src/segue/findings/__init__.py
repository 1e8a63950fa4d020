"""Findings: rules, places, evidence, and the policy that selects them."""

from segue.findings.catalogue import BY_CODE, RULES
from segue.findings.finding import Finding, find
from segue.findings.mistake_count import MistakeCount
from segue.findings.place import Cause, Place, Root
from segue.findings.policy import DEFAULT, Policy, codes
from segue.findings.rule import Rule, Severity

__all__ = [
    "BY_CODE",
    "DEFAULT",
    "RULES",
    "Cause",
    "Finding",
    "MistakeCount",
    "Place",
    "Policy",
    "Root",
    "Rule",
    "Severity",
    "codes",
    "find",
]
