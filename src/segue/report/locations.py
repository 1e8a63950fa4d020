"""Locations of findings in words, and their lines and fingerprints for other tools.

Tools need a line for every finding, and a fingerprint that is the same in the next run. The
fingerprint is derived from the code and the place of a finding, not from its message. Equal
findings of one conversation are numbered, so that fingerprints are unique.
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
    """Return the place in the log, such as `shift.jsonl:17`, as far as it is known."""
    return _in_log(finding.place.source, finding.place.line)


def line_location(report: Report, finding: Finding) -> str:
    """Return the place in the log at which to show the finding, as far as it is known."""
    return _in_log(finding.place.source, line_of(report, finding))


def path_from_here(source: str) -> str:
    """Return the path of a log, relative to the working directory if the log is inside it."""
    path = Path(source)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def _in_log(source: str, line: int | None) -> str:
    if line is None:
        return visible(source)
    return f"{visible(source)}:{line}" if source else f"line {line}"


def location_parts(finding: Finding) -> list[str]:
    """Return the known parts of the place: the log, the position and the pointer."""
    return _parts(log_location(finding), finding.place, has_end=finding.place.line is None)


def _parts(start: str, place: Place, *, has_end: bool) -> list[str]:
    """Return the start, the position and the pointer, without those that are empty.

    `has_end` says whether a place without a position is the end of the log.
    """
    end = "end of the log" if has_end else ""
    return [part for part in (start, place.position or end, visible(place.pointer)) if part]


def line_of(report: Report, finding: Finding) -> int | None:
    """Return the line of the log at which to show the finding.

    This is the line of the last event for a finding at the end of the log. Return None if lines are
    unknown.
    """
    if finding.place.line is not None:
        return finding.place.line
    history = report.timeline
    return history[-1].line if history else None


def location_of(report: Report, finding: Finding) -> str:
    """Return the conversation and the place in it, such as `conversation c-1, event 3`."""
    name = shown_name(report)
    title = name and f"conversation {visible(name)}"
    return ", ".join(_parts(title, finding.place, has_end=report.conversation_id is not None))


def shown_name(report: Report) -> str:
    """Return the conversation id, or an empty string. Add the bot if it is part of the key."""
    bot, name = report.key
    named = quoted(name or "")
    return named if bot is None else f"{named} of bot {quoted(bot)}"


def described(report: Report, finding: Finding) -> str:
    """Return the message, location and help of a finding in one escaped text."""
    location = location_of(report, finding)
    where = f" ({location})" if location else ""
    root = follows_from(finding)
    after = f", {root}" if root else ""
    return visible(f"{finding.message}{where}{after}; {finding.help}")


def fingerprinted(report: Report) -> Iterator[tuple[Finding, str]]:
    """Yield each finding with its fingerprint. Mistakes come before the errors they explain."""
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
