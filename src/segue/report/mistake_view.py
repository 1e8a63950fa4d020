"""The mistakes of a report in words, with the lines of the log."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from segue.core.conversation import Report
from segue.core.explain import Alternative, Mistake
from segue.core.findings import Finding, Place

_PLACE: Final = re.compile(r"\([^()]*\)\Z")
"""The place at the end of a sentence, which contains no text of a sender."""
_EVENTS: Final = re.compile(r"event(s?) ([0-9]+)(?: to ([0-9]+))?")


class MistakeView:
    """The mistakes of one report in words.

    Sentences name events by their positions. They are replaced by lines of the log if the lines
    tell the events apart.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._untraced = frozenset(map(id, report.untraced))
        self.is_single = len(report.mistakes) + len(self._untraced) <= 1
        """Whether there is at most one mistake, so that its number says nothing."""

    def sentence(self, said: Mistake | Alternative) -> str:
        """Return the sentence of a mistake, or of an alternative, with lines of the log."""
        if not said.edits:
            return said.sentence
        return _PLACE.sub(lambda place: self._in_lines(place[0]), said.sentence)

    def is_first(self, finding: Finding) -> bool:
        """Return whether a finding is the first of its mistake, or belongs to none."""
        mistake = self._report.mistake_of(finding)
        return mistake is None or finding is mistake.findings[0]

    def part_of(self, finding: Finding) -> str:
        """Return text such as `part of mistake 2`, or `not traced`.

        Return an empty string if the finding belongs to no mistake.
        """
        mistake = self._report.mistake_of(finding)
        if mistake is not None:
            return f"part of mistake {mistake.number}"
        return "not traced" if id(finding) in self._untraced else ""

    def words(self, finding: Finding) -> str:
        """Return what to say about the mistake of a finding, or an empty string.

        An example is `part of mistake 2: the NA exit of a-1 is missing (at the end)`. A mistake
        that says no more than its first finding is left out.
        """
        mistake = self._report.mistake_of(finding)
        if mistake is None:
            return self.part_of(finding)
        if not mistake.edits and self.is_first(finding):
            return ""
        return f"{self.part_of(finding)}: {self.sentence(mistake)}"

    def place(self, mistake: Mistake) -> Place | None:
        """Return the place of the event that a mistake is about, or None if it is unknown."""
        return None if mistake.event is None else self._known.get(mistake.event)

    def _in_lines(self, text: str) -> str:
        named = {int(at) for _, *both in _EVENTS.findall(text) for at in both if at}
        lines = {at: place.line for at in named if (place := self._known.get(at)) is not None}
        if len(set(lines.values())) < len(named):
            return text

        def in_lines(found: re.Match[str]) -> str:
            first, last = found[2], found[3]
            until = "" if last is None else f" to {lines[int(last)]}"
            return f"line{found[1]} {lines[int(first)]}{until}"

        return _EVENTS.sub(in_lines, text)

    @cached_property
    def _known(self) -> dict[int, Place]:
        """The places of the events of which the line is known, by position."""
        return dict(_placed(self._report))


def _placed(report: Report) -> Iterator[tuple[int, Place]]:
    sources = {finding.place.source for finding in report.findings}
    source = sources.pop() if len(sources) == 1 else ""
    for event in report.timeline:
        if event.line is not None:
            yield event.position, Place(event=event.position, line=event.line, source=source)
    for finding in report.findings:
        place = finding.place
        if place.event is not None and place.line is not None:
            yield place.event, place
