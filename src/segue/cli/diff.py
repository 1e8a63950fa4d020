"""`segue diff`: compare two logs, conversation by conversation.

Instead of a log, either of the two may be a report that `segue check` wrote as JSON.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from segue.analysis.compare import Comparison, ConversationName, Difference, conversation_name
from segue.analysis.compare.sessions import SessionComparison, SessionDifference
from segue.cli.config import Settings, settings_of
from segue.cli.errors import print_error
from segue.cli.log_input import LogInput, provenance_of, with_settings
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
from segue.core.conversation import Report
from segue.core.errors import ConfigurationError, UnreadableLog
from segue.logs.plan import Detail
from segue.logs.sources import lines_of
from segue.report.comparison import comparison_totals, difference_lines, session_lines
from segue.report.difference_page import SIDES, DifferencePage
from segue.report.json_list import json_list
from segue.report.page_rows import page_note
from segue.report.styled_text import TextLine

_DOCUMENT: Final = b'{"reports": ['
_END: Final = b"], "
"""The beginning of the last line of a JSON document that `segue check` wrote."""
_KEYS: Final = frozenset(
    {"conversation_id", "bot_id", "keyed_by", "findings", "segments", "metrics", "transcription"}
)


Hold: TypeAlias = Callable[[ConversationName, Report], object]
"""A function that receives each report of one log.

Its first argument is the name under which the report is compared with that of the other log.
"""

_count = option_group("What counts")


@command(
    format_option("full", "json", "html", text="How differences are shown."),
    COLOR,
    QUIET,
    _count(
        "--tolerance DURATION",
        "Times may differ by this: 500ms, 1s, 2m.  [default: 0s, with --sessions 1m]",
    ),
    _count("--pair OLD NEW", "Compare these two conversations, also of one log.", nargs=2),
    _count("--sessions FILE", "Hold one log against sessions of the platform (E25)."),
    _count("--session-tag NAME", "The tag of a session that holds its conversation id."),
    _count("--session-map FILE", "JSON object of conversation ids by session id."),
    *LOG_OPTIONS,
)
def diff(params: Params) -> int:
    """Compare two logs, conversation by conversation.

    The first of the two logs is the old one. Either may be a report that segue check wrote with
    --format json or jsonl. Findings are compared by rule, segments by agent and time. The format
    html, a page that shows both sides next to each other, takes logs.

    With --sessions one log is held against what segue call sessions.list --format json wrote: which
    conversations only one side has, and of which start, end or containment differ. The id of a
    session is taken as that of its conversation, or else --session-tag or --session-map tells it.

    Exit codes: 0 no difference, 1 differences, 2 could not run, 130 interrupted.
    """
    settings = settings_of(params)
    if params["sessions"]:
        return _diff_sessions(params, settings)
    logs = params["logs"] * 2 if params["pair"] and len(params["logs"]) == 1 else params["logs"]
    if len(logs) != len(SIDES) or set(logs) == {"-"}:
        msg = "diff takes two logs, such as: segue diff yesterday.jsonl today.jsonl"
        raise ConfigurationError(msg)
    with ExitStack() as stack:
        page = None
        if params["format"] == "html":
            page = DifferencePage(Output(params).write, provenance_of(params, logs))
            stack.enter_context(page)
        comparison = _compared(logs, params, settings, page)
        return _show(comparison, params, settings, page)


def _compared(
    logs: tuple[str, ...], params: Params, settings: Settings, page: DifferencePage | None
) -> Comparison:
    """Check both logs, add their reports to a new `Comparison`, and return it.

    If `page` is given, it also receives every report.
    """
    tolerance = parse_duration("--tolerance", params["tolerance"] or "0s")
    comparison = Comparison(tolerance=tolerance.total_seconds())
    is_filtered = any(params[name] for name in ("conversation", "since", "until"))
    allow_empty = with_settings(params, settings)["allow_empty"]
    sides = {**params, "allow_empty": allow_empty or is_filtered}
    count = 0
    for side, (log, add) in enumerate(
        zip(logs, (comparison.before, comparison.after), strict=True)
    ):
        hold = None if page is None else partial(page.add, SIDES[side])
        if params["pair"]:
            chosen = {**params, "conversation": (params["pair"][side],)}
            found = _reports(log, chosen, settings, hold, " -> ".join(params["pair"]))
        else:
            found = _reports(log, sides, settings, hold)
        for report in found:
            add(report)
            count += 1
    if is_filtered and not count and not allow_empty:
        raise UnreadableLog("--conversation, --since and --until match no delivery of either log")
    return comparison


def _diff_sessions(params: Params, settings: Settings) -> int:
    """Compare a log with the sessions in a file, show the differences and return the exit code."""
    if params["format"] == "html" or params["pair"]:
        raise ConfigurationError("--sessions takes one log: leave out --pair and --format html")
    tolerance = parse_duration("--tolerance", params["tolerance"] or "1m")
    comparison = SessionComparison(tolerance, params["session_tag"], _session_ids(params))
    name = params["sessions"]
    comparison.add_sessions(read_json_file(name), name)
    if comparison.has_more:
        print_error(
            f"{name} is not complete, moreAvailable is true: conversations without a session are "
            "not listed"
        )
    for report in LogInput(params, settings).reports():
        comparison.add(report)
    if comparison.has_nothing_in_common:
        raise ConfigurationError(
            f"{name} and the log have no id in common: if a tag of the sessions holds the "
            "conversation id, name it with --session-tag, else give the ids with --session-map"
        )
    return _show(comparison, params, settings)


def _session_ids(params: Params) -> dict[str, object] | None:
    """Return the conversation ids by session id in the file of `--session-map`."""
    path = params["session_map"]
    found = None if path is None else read_json_file(path)
    if path is not None and not isinstance(found, dict):
        raise ConfigurationError(f"{path} is not a JSON object of conversation ids by session id")
    return found if isinstance(found, dict) else None


def _show(
    comparison: Comparison | SessionComparison,
    params: Params,
    settings: Settings,
    page: DifferencePage | None = None,
) -> int:
    output = Output(params)
    time_zone = parse_zone(with_settings(params, settings)["time_zone"])
    counts = dict.fromkeys(("added", "removed", "changed"), 0)
    differences = _counted(comparison, counts)
    if params["format"] == "json":
        for piece in json_list(
            '{"differences": [',
            (difference.to_dict() for difference in differences),
            lambda _: f'], "summary": {json.dumps({**counts, "same": comparison.same})}}}\n',
        ):
            output.write(piece)
        return int(any(counts.values()))
    for difference in differences:
        if page is None:
            output.write_lines(_lines(difference, time_zone))
        elif isinstance(difference, Difference):
            page.show(difference, difference_lines(difference, time_zone))
    total = comparison_totals(**counts, same=comparison.same)
    if page is not None:
        page.finish(total.render())
    elif not params["quiet"]:
        output.write_lines([total])
    return int(any(counts.values()))


def _counted(
    comparison: Comparison | SessionComparison, counts: dict[str, int]
) -> Iterator[Difference | SessionDifference]:
    for found in comparison.differences():
        counts[found.kind] += 1
        yield found


def _lines(found: Difference | SessionDifference, time_zone: tzinfo) -> Iterator[TextLine]:
    if isinstance(found, SessionDifference):
        return session_lines(found, time_zone)
    return difference_lines(found, time_zone)


def _reports(
    side: str, params: Params, settings: Settings, hold: Hold | None, name: str | None = None
) -> Iterator[Mapping[str, Any]]:
    """Yield the reports of one of the two inputs of the command as JSON objects.

    `side` names the input: a log, which is checked, or the saved output of `segue check`, which is
    only read. `name`, which `--pair` needs, replaces the conversation id of the reports, so that
    two conversations with different ids can be compared. `hold`, if given, is called with each
    report.
    """
    first = b"" if side == "-" or not Path(side).is_file() else next(iter(lines_of(side)), b"")
    if first.startswith(_DOCUMENT) or _report(first) is not None:
        if hold is not None or name is not None or params["since"] or params["until"]:
            raise ConfigurationError(
                f"{side} is a report: --format html, --pair, --since and --until need logs"
            )
        stored = partial(_read_reports, side, is_document=first.startswith(_DOCUMENT))
        yield from _chosen(_current(stored), params["conversation"])
        return
    detail, note = (None, None) if hold is None else (Detail(history=True), page_note)
    log = LogInput({**params, "logs": (side,)}, settings, detail=detail, note=note)
    owners = set[str | None]()
    for report in log.reports():
        if report.conversation_id is None:
            continue
        found = report.to_dict()
        if name is not None:
            owners.add(report.bot_id)
            found |= {"conversation_id": name, "keyed_by": "conversation"}
        if len(owners) > 1:
            msg = f"{side} has {report.conversation_id!r} of several bots: --pair needs one of them"
            raise ConfigurationError(msg)
        if hold is not None:
            hold(conversation_name(found), report)
        yield found


def _chosen(
    reports: Iterator[Mapping[str, Any]], wanted: Sequence[str]
) -> Iterator[Mapping[str, Any]]:
    """Yield the reports of the conversations in `wanted`, or all reports if `wanted` is empty."""
    for report in reports:
        name = report["conversation_id"]
        if name is not None and (not wanted or name in wanted):
            yield report


def _current(
    read: Callable[[], Iterator[Mapping[str, Any]]],
) -> Iterator[Mapping[str, Any]]:
    """Yield the reports that count, as `current_reports` does. `read` is called twice."""
    latest = {
        conversation_name(report): number
        for number, report in enumerate(read())
        if report["replaces"]
    }
    for number, report in enumerate(read()):
        is_part = report["late"] and not report["replaces"]
        if is_part or latest.get(conversation_name(report), 0) <= number:
            yield report


def _read_reports(side: str, *, is_document: bool) -> Iterator[Mapping[str, Any]]:
    """Yield the reports in the JSON output of `segue check`, which has one on each line.

    Raise `UnreadableLog` for output that is incomplete.
    """
    is_whole = not is_document
    for line in lines_of(side):
        text = line.strip()
        report = _report(text.removesuffix(b",") if is_document else text)
        if report is not None:
            yield {"late": False, "replaces": False, **report}
        elif is_document and text.startswith(_END):
            is_whole = _is_object(b"{" + text.removeprefix(_END))
        elif text and not (is_document and text == _DOCUMENT):
            is_whole = False
            break
    if not is_whole:
        raise UnreadableLog(
            f"{side} is cut off or not a report of segue check --format json or jsonl"
        )


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _report(line: bytes) -> Mapping[str, Any] | None:
    """Return the JSON object in a line if it is a report, else None."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not record.keys() >= _KEYS:
        return None
    ids = record["conversation_id"], record["bot_id"], record["keyed_by"]
    return record if all(isinstance(each, str | None) for each in ids) else None
