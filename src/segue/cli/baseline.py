"""A baseline: findings somebody has seen and lives with, so that only new ones are reported.

A finding is known by rule, conversation, position and pointer, never by its wording.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.findings import Finding

__all__ = ["Baseline", "Key", "keys", "write"]

Key = tuple[str, str | None, int | None, int | None, str]

_VERSION: Final = 1


class Baseline:
    """The known findings of a file; each is known as often as the file has it."""

    def __init__(self, path: Path) -> None:
        try:
            document = json.loads(path.read_text("utf-8"))
            entries = document["findings"]
            self._left: Counter[Key] = Counter(
                (e["code"], e["conversation_id"], e["event"], e["action"], e["pointer"])
                for e in entries
            )
        except OSError as error:
            msg = f"the baseline {path} cannot be read: {error.strerror or error}"
            raise ConfigurationError(msg) from error
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{path} is no baseline: write one with --write-baseline"
            raise ConfigurationError(msg) from error
        self.known = 0

    @property
    def stale(self) -> int:
        """How many entries matched nothing."""
        return sum(self._left.values())

    def filter(self, report: Report) -> None:
        """Take the known findings out of a report."""
        new: list[Finding] = []
        for finding in report.findings:
            key = _key(report, finding)
            if self._left[key] > 0:
                self._left[key] -= 1
                self.known += 1
            else:
                new.append(finding)
        report.findings = tuple(new)


def write(path: Path, entries: Iterable[Key]) -> None:
    """Write a baseline, sorted, so that two of them compare well."""
    fields = ("code", "conversation_id", "event", "action", "pointer")
    findings = [dict(zip(fields, entry, strict=True)) for entry in sorted(entries, key=repr)]
    text = json.dumps({"version": _VERSION, "findings": findings}, indent=1)
    path.write_text(f"{text}\n", "utf-8")


def keys(report: Report) -> list[Key]:
    """Return what the findings of a report are known by."""
    return [_key(report, finding) for finding in report.findings]


def _key(report: Report, finding: Finding) -> Key:
    place = finding.place
    return (finding.code, report.conversation_id, place.event, place.action, place.pointer)
