"""Baselines: files with known findings, so that `segue check` reports only new findings.

A finding is identified by its rule, conversation, position and pointer, but not by its message.
Each entry of a baseline matches one finding. Entries are sorted, one on each line, so that a diff
of two baselines is readable.
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
"""The maximum size of a baseline in MiB, which has room for about two million findings."""


class BaselineKey(NamedTuple):
    """The properties by which a finding is recognized in a later run."""

    code: str
    conversation_id: str | None
    bot_id: str | None
    """The bot of the conversation, or None if the conversation id alone identifies it."""
    event: int | None
    action: int | None
    pointer: str


class Baseline:
    """The known findings in a baseline file.

    Raises `ConfigurationError` if the file is not a baseline.
    """

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
            msg = f"the baseline {path} has version {version!r}: write it again with this Segue"
            raise ConfigurationError(msg)

    @property
    def stale(self) -> int:
        """The number of entries that have not matched a finding so far."""
        return self._left.total()

    def match(self, report: Report, finding: Finding) -> bool:
        """Return whether an unused entry matches the finding, and mark that entry as used."""
        key = baseline_key(report, finding)
        if not self._left[key]:
            return False
        self._left[key] -= 1
        return True


def baseline_key(report: Report, finding: Finding) -> BaselineKey:
    """Return the properties by which this finding of a report is recognized in a later run."""
    place, (bot_id, name) = finding.place, report.key
    return BaselineKey(finding.code, name, bot_id, place.event, place.action, place.pointer)


def refuse_target(path: Path, inputs: Iterable[str]) -> None:
    """Raise `ConfigurationError` if writing a baseline would overwrite another file.

    Only existing baselines and empty files may be overwritten.
    """
    refuse_input(path, inputs, "--write-baseline")
    if path.exists() and not (path.is_file() and path.stat().st_size == 0):
        try:
            Baseline(path)
        except ConfigurationError as error:
            msg = f"{path} exists and is not a baseline: give --write-baseline another file"
            raise ConfigurationError(msg) from error


def write_baseline(path: Path, keys: Iterable[BaselineKey]) -> None:
    """Write a baseline file with these findings, sorted."""
    lines = sorted(json.dumps(key._asdict()) for key in keys)
    findings = "[" + ",".join(f"\n{line}" for line in lines) + "\n]"
    with complete_file(path, ()) as stream:
        stream.write(f'{{"version": {_VERSION}, "findings": {findings}}}\n')
