"""A baseline: known findings, which `segue check` leaves out so that only new ones are reported.

A finding is identified by rule, conversation, position and pointer, not by its message; each entry
matches one finding. Entries are sorted, one a line, so that two baselines compare well.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from segue.cli.user_files import complete_file, read_small_file, refuse_input
from segue.core.conversation import Report
from segue.core.errors import ConfigurationError
from segue.core.findings import Finding

_VERSION: Final = 1
_MIB: Final = 256
"""About two million findings."""


class BaselineKey(NamedTuple):
    """What identifies a finding."""

    code: str
    conversation_id: str | None
    bot_id: str | None
    """None where the id alone identifies a conversation."""
    event: int | None
    action: int | None
    pointer: str


class Baseline:
    """The known findings of a file. Raises `ConfigurationError` if it cannot be read."""

    def __init__(self, path: Path) -> None:
        try:
            document = json.loads(read_small_file(path, _MIB, f"the baseline {path}"))
            version, entries = document["version"], document["findings"]
            self._left = Counter(
                BaselineKey(*(entry[name] for name in BaselineKey._fields)) for entry in entries
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            msg = f"{path} is not a baseline: --write-baseline FILE writes one"
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
    place, (bot_id, name) = finding.place, report.key
    return BaselineKey(finding.code, name, bot_id, place.event, place.action, place.pointer)


def refuse_target(path: Path, inputs: Iterable[str]) -> None:
    """Raise `ConfigurationError` if what is at a path must not be written over.

    That is anything but a baseline or an empty file.
    """
    refuse_input(path, inputs, "--write-baseline")
    if path.exists() and not (path.is_file() and path.stat().st_size == 0):
        try:
            Baseline(path)
        except ConfigurationError as error:
            msg = f"{path} exists and is not a baseline: give --write-baseline another file"
            raise ConfigurationError(msg) from error


def write_baseline(path: Path, keys: Iterable[BaselineKey]) -> None:
    """Write a baseline."""
    lines = sorted(json.dumps(key._asdict()) for key in keys)
    findings = "[" + ",".join(f"\n{line}" for line in lines) + "\n]"
    with complete_file(path, ()) as stream:
        stream.write(f'{{"version": {_VERSION}, "findings": {findings}}}\n')
