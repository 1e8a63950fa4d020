"""`segue diff`: which conversations came, went or changed from one log to another.

It decides what a side may be: a log, or the report that `segue check` wrote of one as JSON, so that
yesterday's report can be held against today's log.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from segue.cli.config import Settings, settings_of
from segue.cli.log_input import Reading, size_of
from segue.cli.option_groups import Sectioned, formats, section
from segue.cli.options import log_options
from segue.cli.outputs import Outlet
from segue.cli.progress import Progress
from segue.cli.terminal import COLOR, is_terminal, look, stdout
from segue.compare import Comparison
from segue.errors import ConfigurationError, UnreadableLog
from segue.findings import DEFAULT
from segue.logs import lines_of
from segue.report.comparison import comparison_totals, difference_lines

__all__ = ["diff"]

_show = section("What is shown")
_count = section("What counts")

_SPAN: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,6})?)(ms|s|m)")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0}
_DOCUMENT: Final = b'{"reports": ['
_KEYS: Final = frozenset({"findings", "segments", "metrics", "transcription"})


@click.command(cls=Sectioned)
@formats(_show, "full", "json", help="How differences are shown.")
@COLOR
@_show("--quiet", "-q", is_flag=True, help="No summary and no progress.")
@_count(
    "--tolerance",
    default="0s",
    show_default=True,
    metavar="SPAN",
    help="Times of segments may differ by this: 500ms, 1s, 2m.",
)
@log_options
def diff(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Compare two logs, conversation by conversation.

    LOG... are two: the first is the one that was, the second the one that is. Either may be a
    report that segue check wrote with --format json or jsonl. Findings are compared by rule,
    segments by agent and time.

    Exit codes: 0 no difference, 1 differences, 2 could not run, 130 interrupted.
    """
    settings = settings_of(given)
    sides = given["logs"]
    if len(sides) != _SIDES or list(sides) == ["-", "-"]:
        msg = "diff takes two logs, such as: segue diff yesterday.jsonl today.jsonl"
        raise ConfigurationError(msg)
    comparison = Comparison(tolerance=_span(given["tolerance"]))
    watched = is_terminal(sys.stderr) and not given["quiet"]
    for side, take in zip(sides, (comparison.before, comparison.after), strict=True):
        for report in _reports(side, given, settings, is_watched=watched):
            take(report)
    return _show_all(comparison, given, Reading({**given, "logs": ()}, settings, DEFAULT))


_SIDES: Final = 2


def _show_all(comparison: Comparison, given: Mapping[str, Any], reading: Reading) -> int:
    out = stdout()
    outlet = Outlet(out, Progress(None), flush=out.isatty())
    appearance = look(out, given["color"])
    kinds: Counter[str] = Counter()
    if given["style"] == "json":
        outlet.write('{"differences": [')
    for found in comparison.differences():
        kinds[found.kind] += 1
        if given["style"] == "json":
            separator = "\n" if kinds.total() == 1 else ",\n"
            outlet.write(f"{separator}{json.dumps(found.to_dict())}")
            continue
        for line in difference_lines(found, reading.options.time_zone):
            outlet.write(f"{line.render(color=appearance.color)}\n")
    counts = {kind: kinds[kind] for kind in ("added", "removed", "changed")}
    if given["style"] == "json":
        outlet.write(f'], "summary": {json.dumps({**counts, "same": comparison.same})}}}\n')
    elif not given["quiet"]:
        line = comparison_totals(**counts, same=comparison.same)
        outlet.write(f"{line.render(color=appearance.color)}\n")
    return int(kinds.total() > 0)


def _reports(
    side: str, given: Mapping[str, Any], settings: Settings, *, is_watched: bool
) -> Iterator[Mapping[str, Any]]:
    """Yield the reports of one side, as JSON objects."""
    kept = None if side == "-" or not Path(side).is_file() else _kept(side)
    if kept is not None:
        yield from kept
        return
    reading = Reading({**given, "logs": (side,)}, settings, DEFAULT)
    progress = Progress(size_of(reading.logs), sys.stderr if is_watched else None)
    for report in reading.reports(progress):
        if report.conversation_id is not None:
            yield report.to_dict()
    progress.wipe()


def _kept(side: str) -> Iterator[Mapping[str, Any]] | None:
    """Return the reports of a file that is a report; None: it is a log."""
    first = next(iter(lines_of(side)), b"")
    if first.startswith(_DOCUMENT):
        return _document(side)
    return _by_line(side) if _is_report(first) else None


def _is_report(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except ValueError:
        return False
    return isinstance(record, dict) and record.keys() >= _KEYS


def _document(side: str) -> Iterator[Mapping[str, Any]]:
    """Read the reports of a document as `segue check` writes it: one a line."""
    for line in lines_of(side):
        text = line.strip().removesuffix(b",")
        if _is_report(text):
            yield _checked(side, text)


def _by_line(side: str) -> Iterator[Mapping[str, Any]]:
    for line in lines_of(side):
        if line.strip():
            yield _checked(side, line)


def _checked(side: str, text: bytes) -> Mapping[str, Any]:
    try:
        report: dict[str, Any] = json.loads(text)
        if report.keys() >= _KEYS and isinstance(report["conversation_id"], str | None):
            return {"late": False, **report}
    except (ValueError, LookupError, TypeError, AttributeError):
        pass
    msg = f"{side} is cut off or no report of segue check --format json or jsonl"
    raise UnreadableLog(msg)


def _span(text: str) -> float:
    found = _SPAN.fullmatch(text)
    if found is None:
        msg = f"--tolerance takes a span such as 500ms, 1s or 2m, not {text!r}"
        raise ConfigurationError(msg)
    return float(found[1]) * _UNITS[found[2]]
