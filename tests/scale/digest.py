"""One digest over all reports: equal for two engines when they come to the same.

Line numbers and names of logs are left out, for they are the reader's, and so is the order of
reports.  Nothing else is: what is in a report, how often there is one, and every order within it
count.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from segue.core.conversation import Report

__all__ = ["digest", "plain"]


def digest(reports: Iterable[Report | Mapping[str, Any]]) -> str:
    """Return the digest of reports, or of what their `to_dict` gave."""
    each = sorted(sha256(canonical(report)).digest() for report in reports)
    return f"{len(each)} {sha256(b''.join(each)).hexdigest()}"


def canonical(report: Report | Mapping[str, Any]) -> bytes:
    """The bytes of one report."""
    value = plain(report.to_dict() if isinstance(report, Report) else report)
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """A report as JSON, without where in a log it stood."""
    findings = [
        finding | {"line": None, "because": [c | {"line": None} for c in finding["because"]]}
        for finding in value["findings"]
    ]
    return {**value, "findings": findings}
