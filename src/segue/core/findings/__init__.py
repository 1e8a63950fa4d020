"""Findings, the rules that they report, and the policy that selects rules."""

from segue.core.findings.catalogue import BY_CODE, RULES
from segue.core.findings.finding import Finding, find
from segue.core.findings.place import Cause, Place, line_number, split_line
from segue.core.findings.policy import DEFAULT, Policy, codes
from segue.core.findings.rule import Rule, Severity

__all__ = [
    "BY_CODE",
    "DEFAULT",
    "RULES",
    "Cause",
    "Finding",
    "Place",
    "Policy",
    "Rule",
    "Severity",
    "codes",
    "find",
    "line_number",
    "split_line",
]
