"""A baseline: known findings, which `segue check` leaves out so that only new ones are reported.

A finding is identified by rule, conversation, position and pointer, not by its message; each entry
matches one finding. Entries are sorted, one a line, so that two baselines compare well.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from segue.cli.errors import failing_as
from segue.conversation import Report
from segue.errors import ConfigurationError
from segue.findings import Finding

_VERSION: Final = 1


class BaselineKey(NamedTuple):
    """What identifies a finding."""

    code: str
    conversation_id: str | None
    event: int | None
    action: int | None
    pointer: str


class Baseline:
    """The known findings of a file. Raises `ConfigurationError` if it cannot be read."""

    def __init__(self, path: Path) -> None:
        try:
            with failing_as(f"the baseline {path} cannot be read"):
                document = json.loads(path.read_text("utf-8"))
            version, entries = document["version"], document["findings"]
            self._left = Counter(
                BaselineKey(*(entry[name] for name in BaselineKey._fields)) for entry in entries
            )
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{path} is not a baseline: write one with --write-baseline {path}"
            raise ConfigurationError(msg) from error
        if version != _VERSION:
            msg = f"the baseline {path} was written by a newer Segue: write it anew with this one"
            raise ConfigurationError(msg)

    @property
    def stale(self) -> int:
        """How many entries have matched no finding so far."""
        return self._left.total()

    def match(self, report: Report, finding: Finding) -> bool:
        """Return whether an entry is left that matches the finding, and use it up."""
        key = baseline_key(report, finding)
        if not self._left[key]:
            return False
        self._left[key] -= 1
        return True


def baseline_key(report: Report, finding: Finding) -> BaselineKey:
    """Return what identifies a finding."""
    place = finding.place
    return BaselineKey(
        finding.code, report.conversation_id, place.event, place.action, place.pointer
    )


def write_baseline(path: Path, keys: Iterable[BaselineKey]) -> None:
    """Write a baseline."""
    lines = sorted(json.dumps(key._asdict()) for key in keys)
    findings = "[" + ",".join(f"\n{line}" for line in lines) + "\n]"
    with failing_as(f"the baseline {path} cannot be written"):
        path.write_text(f'{{"version": {_VERSION}, "findings": {findings}}}\n', "utf-8")
