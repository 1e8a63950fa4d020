"""Differences of two logs, as lines of a terminal.

House rule: a sign in front, and the word behind it, so that nothing is said by colour alone.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Final

from segue.findings import BY_CODE
from segue.report.plurals import pluralize
from segue.report.styled_text import TONES, TextLine, Tone

if TYPE_CHECKING:
    from segue.compare import Difference, Finding, Gist, Stay

__all__ = ["comparison_totals", "difference_lines"]

_SIGNS: Final = {
    "added": ("+", Tone.GOOD),
    "removed": ("-", Tone.ERROR),
    "changed": ("~", Tone.WARNING),
}
_PART: Final = 5


def difference_lines(found: "Difference", time_zone: tzinfo = UTC) -> Iterator[TextLine]:
    """Yield what differs in one conversation."""
    sign, tone = _SIGNS[found.kind]
    yield (
        TextLine(sign, tone)
        .add(" ")
        .add(found.conversation_id, Tone.STRONG)
        .add(f"  {_about(found)}")
    )
    for finding in found.gone if found.kind == "changed" else ():
        yield _finding("-", "gone", finding)
    for finding in found.appeared:
        yield _finding("+", "new", finding)
    for shift in found.segments:
        for mark, word, stay in (("-", "was", shift.before), ("+", "is", shift.after)):
            if stay is not None:
                yield _stay(mark, word, stay, time_zone)


def comparison_totals(added: int, removed: int, changed: int, same: int) -> TextLine:
    """Return what all differences come to."""
    if not added + removed + changed:
        return TextLine(f"no difference in {pluralize(same, 'conversation')}", Tone.GOOD)
    return TextLine(
        f"{added} added, {removed} removed, {changed} changed, {same} the same", Tone.STRONG
    )


def _about(found: "Difference") -> str:
    before, after = found.before, found.after
    if before is None or after is None:
        gist: Gist | None = before or after
        assert gist is not None, "a difference has a side"  # noqa: S101
        return f"{found.kind}: {gist.phase}, {pluralize(len(gist.findings), 'finding')}"
    parts = [] if before.phase == after.phase else [f"{before.phase} -> {after.phase}"]
    parts += [f"{pluralize(len(found.segments), 'segment')}"] if found.segments else []
    parts += [f"{len(found.gone)} gone"] if found.gone else []
    parts += [f"{len(found.appeared)} new"] if found.appeared else []
    return f"changed: {', '.join(parts)}"


def _finding(sign: str, word: str, finding: "Finding") -> TextLine:
    rule = BY_CODE.get(finding.code)
    line = TextLine("    ").add(sign, _MARKS[sign]).add(f" {word.ljust(_PART)}")
    line.add(finding.code, None if rule is None else TONES[rule.severity])
    line.add("" if rule is None else f" {rule.name}")
    return line.add("" if finding.event is None else f" at event {finding.event}", Tone.FAINT)


def _stay(sign: str, word: str, stay: "Stay", time_zone: tzinfo) -> TextLine:
    line = TextLine("    ").add(sign, _MARKS[sign]).add(f" {word.ljust(_PART)}{stay.agent} ")
    line.add(f"{stay.role}, {stay.kind} entry, {stay.outcome}")
    if stay.start is None and stay.end is None:
        return line
    start, end = _clock(stay.start, time_zone), _clock(stay.end, time_zone)
    if start[:_DATE] == end[:_DATE]:
        end = end[_DATE:]
    return line.add(f", {start} to {end}", Tone.FAINT)


_DATE: Final = len("2026-03-02 ")
_MARKS: Final = {"+": Tone.GOOD, "-": Tone.ERROR}


def _clock(seconds: float | None, time_zone: tzinfo) -> str:
    if seconds is None:
        return "?"
    at = datetime.fromtimestamp(seconds, time_zone).replace(tzinfo=None)
    return at.isoformat(sep=" ", timespec="milliseconds" if at.microsecond else "seconds")
