"""`segue diff`: which conversations came, went or changed from one log to another.

Either side may also be a report that `segue check` wrote as JSON.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final

from segue.cli.config import Settings, settings_of
from segue.cli.log_input import LogInput
from segue.cli.options import (
    LOG_OPTIONS,
    Params,
    command,
    format_option,
    option_group,
    parse_duration,
    parse_zone,
)
from segue.cli.terminal import COLOR, QUIET, Output
from segue.cli.user_files import read_json_file
from segue.compare import Comparison, Difference
from segue.compare.sessions import SessionComparison, SessionDifference
from segue.errors import ConfigurationError, UnreadableLog
from segue.logs import lines_of
from segue.report.comparison import comparison_totals, difference_lines, session_lines
from segue.report.json_list import json_list
from segue.report.styled_text import TextLine

_DOCUMENT: Final = b'{"reports": ['
_KEYS: Final = frozenset(
    {"conversation_id", "bot_id", "keyed_by", "findings", "segments", "metrics", "transcription"}
)


_count = option_group("What counts")


@command(
    format_option("full", "json", text="How differences are shown."),
    COLOR,
    QUIET,
    _count(
        "--tolerance DURATION",
        "Times may differ by this: 500ms, 1s, 2m.  [default: 0s, with --sessions 1m]",
    ),
    _count("--sessions FILE", "Hold one log against sessions of the platform (E25)."),
    *LOG_OPTIONS,
)
def diff(params: Params) -> int:
    """Compare two logs, conversation by conversation.

    The first of the two logs is the old one. Either may be a report that segue check wrote with
    --format json or jsonl. Findings are compared by rule, segments by agent and time.

    With --sessions one log is held against what segue call sessions.list --format json wrote: which
    conversations only one side has, and of which start, end or containment differ.

    Exit codes: 0 no difference, 1 differences, 2 could not run, 130 interrupted.
    """
    settings = settings_of(params)
    if params["sessions"]:
        return _diff_sessions(params, settings)
    try:
        before, after = params["logs"]
    except ValueError:
        before = after = "-"
    if before == after == "-":
        msg = "diff takes two logs, such as: segue diff yesterday.jsonl today.jsonl"
        raise ConfigurationError(msg)
    tolerance = parse_duration("--tolerance", params["tolerance"] or "0s")
    comparison = Comparison(tolerance=tolerance.total_seconds())
    is_filtered = any(params[name] for name in ("conversation", "since", "until"))
    sides = {**params, "allow_empty": params["allow_empty"] or is_filtered}
    count = 0
    for side, add in ((before, comparison.before), (after, comparison.after)):
        for report in _reports(side, sides, settings):
            add(report)
            count += 1
    if is_filtered and not count and not params["allow_empty"]:
        raise UnreadableLog("neither log has what --conversation, --since and --until ask for")
    return _show(comparison, params, settings)


def _diff_sessions(params: Params, settings: Settings) -> int:
    """Hold a log against the sessions of a file; return the exit code."""
    tolerance = parse_duration("--tolerance", params["tolerance"] or "1m")
    comparison = SessionComparison(tolerance)
    comparison.add_sessions(read_json_file(params["sessions"]), params["sessions"])
    for report in LogInput(params, settings).reports():
        comparison.add(report)
    return _show(comparison, params, settings)


def _show(comparison: Comparison | SessionComparison, params: Params, settings: Settings) -> int:
    output = Output(params)
    time_zone = parse_zone(params["time_zone"] or settings.get("time-zone"))
    counts = dict.fromkeys(("added", "removed", "changed"), 0)

    def differences() -> Iterator[Difference | SessionDifference]:
        for found in comparison.differences():
            counts[found.kind] += 1
            yield found

    def end(_: int) -> str:
        return f'], "summary": {json.dumps({**counts, "same": comparison.same})}}}\n'

    if params["format"] == "json":
        found = (difference.to_dict() for difference in differences())
        for piece in json_list('{"differences": [', found, end):
            output.write(piece)
        return int(any(counts.values()))
    for difference in differences():
        output.write_lines(_lines(difference, time_zone))
    if not params["quiet"]:
        output.write_lines([comparison_totals(**counts, same=comparison.same)])
    return int(any(counts.values()))


def _lines(found: Difference | SessionDifference, time_zone: tzinfo) -> Iterator[TextLine]:
    if isinstance(found, SessionDifference):
        return session_lines(found, time_zone)
    return difference_lines(found, time_zone)


def _reports(side: str, params: Params, settings: Settings) -> Iterator[Mapping[str, Any]]:
    """Yield the reports of one side, as JSON objects."""
    first = b"" if side == "-" or not Path(side).is_file() else next(iter(lines_of(side)), b"")
    if first.startswith(_DOCUMENT) or _report(first) is not None:
        yield from _read_reports(side, is_document=first.startswith(_DOCUMENT))
        return
    for report in LogInput({**params, "logs": (side,)}, settings).reports():
        if report.conversation_id is not None:
            yield report.to_dict()


def _read_reports(side: str, *, is_document: bool) -> Iterator[Mapping[str, Any]]:
    """Read reports as `segue check` writes them: one a line, in a document with commas between."""
    for line in lines_of(side):
        report = _report(line.strip().removesuffix(b",") if is_document else line)
        if report is not None:
            yield {"late": False, **report}
        elif line.strip() and not is_document:
            msg = f"{side} is cut off or not a report of segue check --format json or jsonl"
            raise UnreadableLog(msg)


def _report(line: bytes) -> Mapping[str, Any] | None:
    """Return the report in a line, or None if there is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not record.keys() >= _KEYS:
        return None
    return record if isinstance(record["conversation_id"], str | None) else None
