"""Where a finding is, in words, and its line and fingerprint as other people's tools want them.

Tools need a line for everything, and the same fingerprint for the same finding in the next run: it
is made of what the finding is about, not of its wording.  Equal findings of one conversation are
numbered, so that no two share a fingerprint.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from segue.core.conversation import Report
from segue.core.events import quoted
from segue.core.findings import Finding, Place
from segue.report.escape import visible
from segue.report.grouping import follows_from, in_groups


def log_location(finding: Finding) -> str:
    """Return the place in the log, `shift.jsonl:17`, as far as it is known."""
    return _in_log(finding.place.source, finding.place.line)


def line_location(report: Report, finding: Finding) -> str:
    """Return the place in the log to show the finding at, as far as it is known."""
    return _in_log(finding.place.source, line_of(report, finding))


def path_from_here(source: str) -> str:
    """Return the path of a log as tools want it: from the working folder if it is below that."""
    path = Path(source)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def _in_log(source: str, line: int | None) -> str:
    if line is None:
        return visible(source)
    return f"{visible(source)}:{line}" if source else f"line {line}"


def location_parts(finding: Finding) -> list[str]:
    """Return everything that is known of the place: log, position, pointer."""
    return _parts(log_location(finding), finding.place, has_end=finding.place.line is None)


def _parts(start: str, place: Place, *, has_end: bool) -> list[str]:
    """Return position and pointer after a start; without a position, whether it is the end."""
    end = "end of the log" if has_end else ""
    return [part for part in (start, place.position or end, visible(place.pointer)) if part]


def line_of(report: Report, finding: Finding) -> int | None:
    """Return the line of the log to show the finding at.

    A finding at the end of the log is shown at the last event. Returns None without lines.
    """
    if finding.place.line is not None:
        return finding.place.line
    history = report.timeline
    return history[-1].line if history else None


def location_of(report: Report, finding: Finding) -> str:
    """Return the conversation and the place in it, `conversation c-1, event 3`."""
    name = shown_name(report)
    title = name and f"conversation {visible(name)}"
    return ", ".join(_parts(title, finding.place, has_end=report.conversation_id is not None))


def shown_name(report: Report) -> str:
    """Return the id, with the bot where it is part of the key; empty if there is none."""
    bot, name = report.key
    named = quoted(name or "")
    return named if bot is None else f"{named} of bot {quoted(bot)}"


def described(report: Report, finding: Finding) -> str:
    """Return message, location and help of a finding, safe to show."""
    location = location_of(report, finding)
    where = f" ({location})" if location else ""
    root = follows_from(finding)
    after = f", {root}" if root else ""
    return visible(f"{finding.message}{where}{after}; {finding.help}")


def fingerprinted(report: Report) -> Iterator[tuple[Finding, str]]:
    """Yield each finding, below the mistake it follows from, with what it has in every run."""
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in in_groups(report.findings):
        place = finding.place
        key: tuple[object, ...] = (finding.code, place.event, place.action, place.pointer)
        bot, conversation = report.key
        key += (conversation, report.late, *(() if bot is None else (bot,)))
        if report.conversation_id is None:
            key += (place.source, place.line)
        seen[key] += 1
        name = repr((*key, seen[key])).encode("utf-8", "backslashreplace")
        yield finding, sha256(name).hexdigest()
