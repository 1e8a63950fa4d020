"""Ignores: findings of a rule, with certain attributes, that are not to be shown until a date.

An ignore is a text of the settings, such as `SG103 bot=st-sales queue='Technical help'
until=2026-12-31`.  It needs a date, so that nothing is forgotten for good: from the day after it,
the findings are back, and the ignore is reported.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from segue.analysis.causes import FindingAttributes, FindingReader
from segue.analysis.dialects import field_of
from segue.cli.options import selectors
from segue.core.conversation import Report
from segue.core.errors import ConfigurationError
from segue.core.findings import Finding, codes

_EXAMPLE: Final = "such as 'SG103 bot=st-sales until=2026-12-31'"


class Ignore(NamedTuple):
    """What is ignored."""

    text: str
    codes: frozenset[str]
    where: tuple[tuple[str, str], ...]
    until: date

    def matches(self, report: Report, finding: Finding, noted: FindingAttributes) -> bool:
        """Return whether a finding is ignored."""
        return finding.code in self.codes and all(
            value in _ATTRIBUTES[name](report, finding, noted) for name, value in self.where
        )


class Ignores:
    """The ignores of the settings; raises `ConfigurationError` for one that makes no sense."""

    def __init__(self, texts: Iterable[str], today: date) -> None:
        """Take the texts, and the day on which they apply."""
        ignores = [_read(text) for text in texts]
        self._active = [each for each in ignores if each.until >= today]
        self._expired = [each for each in ignores if each.until < today]
        self._count = dict.fromkeys(self._active, 0)
        named = {name for each in self._active for name, _ in each.where}
        self.has_noted = not named.isdisjoint(FindingAttributes._fields)
        """Whether reports must have the notes of `cause_notes`."""
        self._is_carried = not named.isdisjoint(_CARRIED)
        self._reader = FindingReader()

    def apply(self, report: Report) -> None:
        """Remove from a report the findings that are ignored."""
        if not report.findings and not self._is_carried:
            return
        noted = [FindingAttributes()] * len(report.findings)
        if self.has_noted:
            noted = self._reader.read(report)
        report.findings = tuple(
            finding
            for finding, each in zip(report.findings, noted, strict=True)
            if not self._match(report, finding, each)
        )

    def _match(self, report: Report, finding: Finding, noted: FindingAttributes) -> bool:
        for ignore in self._active:
            if ignore.matches(report, finding, noted):
                self._count[ignore] += 1
                return True
        return False

    def remarks(self) -> Iterator[str]:
        """Yield how many findings each has removed, and which have expired."""
        for ignore, count in self._count.items():
            yield f"ignored {count} by {ignore.text!r}"
        for ignore in self._expired:
            yield f"{ignore.text!r} ignores nothing any more: its date has passed"


def _queues_of(report: Report, _: Finding, noted: FindingAttributes) -> set[str | None]:
    """Return the queue of a finding, and name and id of the queues of its agent."""
    mine = [segment for segment in report.segments if segment.agent == noted.agent]
    named = {part for segment in mine for part in (segment.queue_name, segment.queue_id)}
    return {noted.queue, *named}


_CARRIED: Final = ("agent", "queue")
"""Attributes that what comes after the end has of its conversation."""
_ATTRIBUTES: Final[
    Mapping[str, Callable[[Report, Finding, FindingAttributes], set[str | None]]]
] = {
    "bot": lambda report, _, __: {report.bot_id},
    "agent": lambda _, __, noted: {noted.agent},
    "queue": _queues_of,
    "file": lambda _, finding, __: {finding.place.source},
    "conversation": lambda report, _, __: {report.conversation_id},
    "kind": lambda _, __, noted: {noted.kind},
    "field": lambda _, finding, __: {field_of(finding)},
}
"""The values that a finding has of each attribute."""


def _pair(text: str) -> tuple[str, str]:
    """Return name and value; raise `ValueError` for a text that is not `name=value`."""
    name, value = text.split("=", 1)
    return name, value


def _read(text: str) -> Ignore:
    try:
        first, *others = shlex.split(text)
        pairs = [_pair(part) for part in others]
        until = date.fromisoformat(dict(pairs)["until"])
    except (ValueError, KeyError):
        msg = f"{text!r} is not an ignore: give codes, attributes and a date, {_EXAMPLE}"
        raise ConfigurationError(msg) from None
    where = tuple((name, value) for name, value in pairs if name != "until")
    for name, _ in where:
        if name not in _ATTRIBUTES:
            msg = f"{text!r}: {name!r} is not an attribute: use {', '.join(_ATTRIBUTES)} and until"
            raise ConfigurationError(msg)
    return Ignore(text, frozenset(codes(selectors((first,)))), where, until)
