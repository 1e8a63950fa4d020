"""Ignores: settings that hide findings of a rule, with certain attributes, until a date.

An ignore is a text such as `SG103 bot=st-sales queue='Technical help' until=2026-12-31`. The date
is required, so that findings are never hidden for good. After this date the findings are shown
again, and the ignore is reported as expired.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from segue.analysis.causes import FindingAttributes, FindingReader
from segue.analysis.dialects import field_of
from segue.cli.options import selectors
from segue.core.conversation import Report, keep_findings
from segue.core.errors import ConfigurationError
from segue.core.findings import Finding, codes
from segue.report.plurals import pluralize

_EXAMPLE: Final = "such as 'SG103 bot=st-sales until=2026-12-31'"


class Ignore(NamedTuple):
    """A parsed item of the setting `ignore`, which hides the findings that it matches."""

    text: str
    codes: frozenset[str]
    where: tuple[tuple[str, str], ...]
    until: date

    def matches(self, report: Report, finding: Finding, noted: FindingAttributes) -> bool:
        """Return whether this ignore hides `finding`, which is one of `report`.

        `noted` contains the attributes of the finding that the report does not contain.
        """
        return finding.code in self.codes and all(
            value in _ATTRIBUTES[name](report, finding, noted) for name, value in self.where
        )


class Ignores:
    """The ignores of the settings, which remove findings from reports.

    Raises `ConfigurationError` for an invalid ignore. An ignore with a date before `today` is
    expired, and has no effect.
    """

    def __init__(self, texts: Iterable[str], today: date) -> None:
        ignores = [_read(text) for text in texts]
        self._active = [each for each in ignores if each.until >= today]
        self._expired = [each for each in ignores if each.until < today]
        self._count = dict.fromkeys(self._active, 0)
        named = {name for each in self._active for name, _ in each.where}
        self.has_noted = not named.isdisjoint(FindingAttributes._fields)
        """Whether reports must contain the notes of `cause_notes`, since an ignore needs them."""
        self._is_carried = not named.isdisjoint(_CARRIED)
        self._reader = FindingReader()

    def apply(self, report: Report) -> None:
        """Remove the findings that an active ignore matches from a report, and count them."""
        if not report.findings and not self._is_carried:
            return
        noted = [FindingAttributes()] * len(report.findings)
        if self.has_noted:
            noted = self._reader.read(report)
        pairs = zip(report.findings, noted, strict=True)
        left = [finding for finding, each in pairs if not self._match(report, finding, each)]
        if len(left) < len(report.findings):
            keep_findings(report, left)

    def _match(self, report: Report, finding: Finding, noted: FindingAttributes) -> bool:
        for ignore in self._active:
            if ignore.matches(report, finding, noted):
                self._count[ignore] += 1
                return True
        return False

    def remarks(self) -> Iterator[str]:
        """Yield a line for each active ignore with the number of findings that it has hidden.

        Yield a line for each expired ignore as well.
        """
        for ignore, count in self._count.items():
            yield f"{pluralize(count, 'finding')} ignored by {ignore.text!r}"
        for ignore in self._expired:
            yield f"the ignore {ignore.text!r} has expired: remove it or change its date"


def _queues_of(report: Report, _: Finding, noted: FindingAttributes) -> set[str | None]:
    """Return the names and ids of all queues that a finding is about.

    These are the queue in the finding's event, and the queues of all segments of its agent.
    """
    mine = [segment for segment in report.segments if segment.agent == noted.agent]
    named = {part for segment in mine for part in (segment.queue_name, segment.queue_id)}
    return {noted.queue, *named}


_CARRIED: Final = ("agent", "queue")
"""The attributes that findings after an end take from the earlier report of the conversation."""
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
"""For each attribute, a function that returns the values that a finding has for it."""


def _pair(text: str) -> tuple[str, str]:
    """Return the name and the value in `name=value`. Raise `ValueError` for any other text."""
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
            known = ", ".join(_ATTRIBUTES)
            msg = f"unknown attribute {name!r} in the ignore {text!r}: use {known} and until"
            raise ConfigurationError(msg)
    return Ignore(text, frozenset(codes(selectors((first,)))), where, until)
