"""Locations of findings in words, and line numbers and fingerprints for other tools.

Some tools need a line for every finding, and a fingerprint that is the same in the next run. The
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
from segue.report.grouping import in_groups
from segue.report.mistake_view import MistakeView


def log_location(finding: Finding) -> str:
    """Return the log and the line of a finding, such as `shift.jsonl:17`.

    An unknown log or line is left out.
    """
    return _in_log(finding.place.source, finding.place.line)


def line_location(report: Report, finding: Finding) -> str:
    """Return the log and the line at which to show a finding, such as `shift.jsonl:17`.

    An unknown log or line is left out. Unlike `log_location`, this function uses the line of the
    last event for a finding about the end of the log.
    """
    return _in_log(finding.place.source, line_of(report, finding))


def path_from_here(source: str) -> str:
    """Return the path of a log with `/` as separator.

    The path is relative to the working directory if that directory contains the log.
    """
    path = Path(source)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def _in_log(source: str, line: int | None) -> str:
    if line is None:
        return visible(source)
    return f"{visible(source)}:{line}" if source else f"line {line}"


def location_parts(finding: Finding) -> list[str]:
    """Return the place of a finding in parts, such as `["shift.jsonl:17", "event 3"]`.

    The parts are the log with the line, the position, and the JSON pointer, as far as they are
    known.
    """
    return _parts(log_location(finding), finding.place, has_end=finding.place.line is None)


def _parts(start: str, place: Place, *, has_end: bool) -> list[str]:
    """Return `start`, the position in words, and the JSON pointer, without empty texts.

    If `has_end` is true, a place without a position is described as the end of the log.
    """
    end = "end of the log" if has_end else ""
    return [part for part in (start, place.position or end, visible(place.pointer)) if part]


def line_of(report: Report, finding: Finding) -> int | None:
    """Return the line number at which to show a finding, or None if it is unknown.

    A finding about the end of the log is shown at the line of the last event.
    """
    if finding.place.line is not None:
        return finding.place.line
    history = report.timeline
    return history[-1].line if history else None


def location_of(report: Report, finding: Finding) -> str:
    """Return the conversation of a finding and the place in it as text.

    An example is `conversation c-1, event 3`.
    """
    name = shown_name(report)
    title = name and f"conversation {visible(name)}"
    return ", ".join(_parts(title, finding.place, has_end=report.conversation_id is not None))


def shown_name(report: Report) -> str:
    """Return the name of a report's conversation, such as `c-1` or `c-1 of bot st-1`.

    The bot is included if conversations are identified by bot and id. The name is empty if the
    report is about a line without a conversation.
    """
    bot, name = report.key
    named = quoted(name or "")
    return named if bot is None else f"{named} of bot {quoted(bot)}"


def described(report: Report, finding: Finding, view: MistakeView) -> str:
    """Return the message, location, mistake and help of a finding as one escaped text."""
    location = location_of(report, finding)
    where = f" ({location})" if location else ""
    after = f", {words}" if (words := view.words(finding)) else ""
    return visible(f"{finding.message}{where}{after}; {finding.help}")


def fingerprinted(report: Report) -> Iterator[tuple[Finding, str]]:
    """Yield each finding of a report with its fingerprint, as a `(finding, fingerprint)` pair.

    A fingerprint is a hexadecimal digest by which other tools recognize the finding in the next
    run. The findings of a mistake are next to each other.
    """
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in in_groups(report):
        place = finding.place
        key: tuple[object, ...] = (finding.code, place.event, place.action, place.pointer)
        bot, conversation = report.key
        is_part = report.late and not report.replaces
        key += (conversation, is_part, *(() if bot is None else (bot,)))
        if report.conversation_id is None:
            key += (place.source, place.line)
        seen[key] += 1
        name = repr((*key, seen[key])).encode("utf-8", "backslashreplace")
        yield finding, sha256(name).hexdigest()
