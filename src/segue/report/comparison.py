"""Render the differences between two logs as lines for a terminal.

Signs such as `+` and words such as `new` accompany the colours, so that no information is in colour
alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final

from segue.analysis.compare import Difference, FindingKey, SegmentKey
from segue.analysis.compare.sessions import SessionDifference
from segue.core.events import quoted
from segue.core.findings import BY_CODE, Severity
from segue.report.grouping import counts_by_severity
from segue.report.plurals import pluralize
from segue.report.styled_text import TONES, TextLine, Tone

_SIGNS: Final = {
    **dict.fromkeys(("added", "new", "is"), ("+", Tone.GOOD)),
    **dict.fromkeys(("removed", "gone", "was"), ("-", Tone.ERROR)),
    "changed": ("~", Tone.WARNING),
}
_DATE: Final = len("2026-03-02 ")


def difference_lines(found: Difference, time_zone: tzinfo = UTC) -> Iterator[TextLine]:
    """Yield terminal lines that describe how one conversation differs between two logs.

    A headline is followed by the findings and the segments that differ.
    """
    yield _head(found).add(f"  {_about(found)}")
    if found.kind == "changed":
        yield from _findings("gone", found.gone)
    yield from _findings("new", found.appeared)
    for change in found.segments:
        for word, segment in (("was", change.before), ("is", change.after)):
            if segment is not None:
                yield _segment(word, segment, time_zone)


def session_lines(found: SessionDifference, time_zone: tzinfo = UTC) -> Iterator[TextLine]:
    """Yield terminal lines that compare a conversation in a log with its session on the platform.

    The headline says how the two differ. The log and the session then have a line each, with start,
    end and whether an agent took part. If one side lacks the conversation, its line is left out.
    """
    about = {"added": "only a session", "removed": "only in the log"}
    yield _head(found).add(f"  {about.get(found.kind) or 'differs in ' + ', '.join(found.differs)}")
    for side, facts in (("log", found.log), ("session", found.session)):
        if facts is not None:
            times = [_time(at, time_zone) for at in (facts.start, facts.end)]
            agent = {True: "an agent", False: "no agent", None: "agents unknown"}[facts.has_agent]
            yield TextLine(f"    {side:<8}{times[0]} to {times[1]}, {agent}", Tone.FAINT)


def _head(found: Difference | SessionDifference) -> TextLine:
    name, bot_id = quoted(found.key.conversation_id or ""), found.key.bot_id
    line = TextLine(*_SIGNS[found.kind]).add(" ").add(name, Tone.STRONG)
    return line if bot_id is None else line.add(f" of bot {quoted(bot_id)}", Tone.FAINT)


def _time(at: datetime | None, time_zone: tzinfo) -> str:
    return "?" if at is None else f"{at.astimezone(time_zone):%Y-%m-%d %H:%M:%S}"


def comparison_totals(added: int, removed: int, changed: int, same: int) -> TextLine:
    """Return a line such as `1 added, 0 removed, 2 changed, 40 the same`.

    The numbers count conversations. If none differs, the line gives only the number of
    conversations.
    """
    if not added + removed + changed:
        return TextLine(f"no difference in {pluralize(same, 'conversation')}", Tone.GOOD)
    counts = f"{added} added, {removed} removed, {changed} changed, {same} the same"
    return TextLine(counts, Tone.STRONG)


def _about(found: Difference) -> str:
    before, after = found.before, found.after
    if before is not None and after is not None:
        parts = [] if before.phase == after.phase else [f"{before.phase} -> {after.phase}"]
        parts += [pluralize(len(found.segments), "segment")] if found.segments else []
        parts += [f"{_counted(found.gone)} gone"] if found.gone else []
        parts += [f"{_counted(found.appeared)} new"] if found.appeared else []
    else:
        sides = [side for side in (before, after) if side is not None]
        parts = [f"{side.phase}, {_counted(side.findings) or '0 findings'}" for side in sides]
    return f"{found.kind}: {', '.join(parts)}"


def _detail(word: str) -> TextLine:
    return TextLine("    ").add(*_SIGNS[word]).add(f" {word:<5}")


def _counted(findings: Iterable[FindingKey]) -> str:
    """Return the numbers of findings as text, such as `1 mistake (2 errors), 1 note`.

    The mistakes are those of the findings.
    """
    counts, mistakes = Counter[Severity](), set[int]()
    for finding in findings:
        counts[Severity(finding.severity)] += 1
        mistakes |= set() if finding.mistake is None else {finding.mistake}
    return ", ".join(counts_by_severity(counts, len(mistakes)).values())


def _findings(word: str, findings: Iterable[FindingKey]) -> Iterator[TextLine]:
    groups: dict[int, list[FindingKey]] = {}
    for index, finding in enumerate(findings):
        groups.setdefault(-index if finding.mistake is None else finding.mistake, []).append(
            finding
        )
    for group in groups.values():
        for index, finding in enumerate(group):
            rule = BY_CODE.get(finding.code)
            line = _detail(word).add("  " * (index > 0))
            tone = Tone.FAINT if index else TONES[Severity(finding.severity)]
            line.add(finding.code, tone)
            line.add("" if rule is None else f" {rule.name}", Tone.FAINT if index else None)
            line.add("" if finding.event is None else f" at event {finding.event}", Tone.FAINT)
            line.add(f", part of mistake {finding.mistake}" if index else "", Tone.FAINT)
            yield line


def _segment(word: str, segment: SegmentKey, time_zone: tzinfo) -> TextLine:
    line = _detail(word).add(
        f"{segment.agent} {segment.role}, {segment.kind} entry, {segment.outcome}"
    )
    if segment.start is None and segment.end is None:
        return line
    start, end = _clock(segment.start, time_zone), _clock(segment.end, time_zone)
    if start[:_DATE] == end[:_DATE]:
        end = end[_DATE:]
    return line.add(f", {start} to {end}", Tone.FAINT)


def _clock(seconds: float | None, time_zone: tzinfo) -> str:
    if seconds is None:
        return "?"
    at = datetime.fromtimestamp(seconds, time_zone).replace(tzinfo=None)
    return at.isoformat(sep=" ", timespec="milliseconds" if at.microsecond else "seconds")
