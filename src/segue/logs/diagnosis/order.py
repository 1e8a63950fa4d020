"""Find logs whose lines are newest first, or out of the order of their times.

If a sample suggests another order, the lines are checked in both orders. The order with clearly
fewer errors is used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

from segue.core.conversation import Report
from segue.core.engine import Partial
from segue.core.epoch import microseconds
from segue.core.findings import DEFAULT, Severity
from segue.logs.diagnosis.samples import head_lines, samples_of
from segue.logs.field_mapping import FieldMapping
from segue.logs.line_reader import LineReader
from segue.logs.once import Once
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.remark import LogRemark
from segue.logs.replay_run import replayer_of
from segue.logs.sorting import Sort, sorter_in_memory
from segue.logs.sources import LogPath, name_of

_NEARLY_ALL: Final = 0.95
_FEW: Final = 0.01
_LEAST_BACK: Final = 3
"""The number of steps back in time from which a sample counts as out of order."""
_PART: Final = 13
"""The number of lines of a part of a sample."""
_CLEARLY: Final = 0.9
"""The share of errors that another order must not exceed to be believed."""
_CLEARLY_WITHOUT_TIMES: Final = 0.5
_LEAST_ERRORS: Final = 8
"""The number of errors of a log without times from which another order is tried."""
_TRIED: Final = 8 << 20
"""The bytes of each log that are tried if lines near each other are out of order."""
_TRIED_WHOLE: Final = 64 << 20
"""The same if parts of a log are."""
_SHAPES: Final = "SG5"

Times = Sequence[Sequence[int]]
"""The times of lines of samples, in microseconds since 1970."""

_REMARKS: Final = {
    "newest_first": LogRemark(
        kind="newest-first",
        text="the log is newest first",
        option="--sort newest_first",
    ),
    "received_at": LogRemark(
        kind="out-of-order",
        text="lines are out of the order of their times, as if several sources were merged",
        option="--sort received_at",
    ),
}


def order_of(
    logs: Sequence[LogPath], options: ReplayOptions, *, once: bool = False
) -> tuple[Sort, LogRemark] | None:
    """Return the order in which logs have to be read, and a remark that says so.

    Return None if that is the order of their lines. With `once`, lines that come twice are read
    once.
    """
    if options.field_mapping is not None and options.field_mapping.platform is not None:
        return None  # its events are always sorted
    options = replace(
        options, policy=DEFAULT, note=None, conversations=None, since=None, until=None, settled=True
    )
    times = list(_times(logs, options))
    suspected, most_bytes = _suspected(times)
    if suspected is None:
        return None
    trial = _Trial(logs, options, most_bytes, Once() if once else None)
    as_it_is, is_timed = trial.errors(None), any(times)
    if as_it_is < (1 if is_timed else _LEAST_ERRORS):
        return None
    if trial.errors(suspected) > as_it_is * (_CLEARLY if is_timed else _CLEARLY_WITHOUT_TIMES):
        return None
    return suspected, _REMARKS[suspected]


def _times(logs: Sequence[LogPath], options: ReplayOptions) -> Iterator[list[int]]:
    reader = LineReader(options)
    mapping = options.field_mapping or FieldMapping()
    for lines in chain.from_iterable(samples_of(log, mapping) for log in logs):
        read = [reader.read_any(line, None) for line in lines]
        times = [each.received_at for each in read if each is not None]
        yield [microseconds(time) for time in times if time is not None]


def _suspected(samples: Times) -> tuple[Sort | None, int]:
    """Return the order that the times of samples suggest, and the bytes of a log to try it on."""
    steps = [after - before for times in samples for before, after in pairwise(times)]
    moved = len(steps) - steps.count(0)
    back = sum(step < 0 for step in steps)
    if not any(samples):
        return "newest_first", _TRIED // 8
    if back >= max(_LEAST_BACK, _NEARLY_ALL * moved):
        return "newest_first", _TRIED
    if _has_earlier_part(samples):
        return "received_at", _TRIED_WHOLE
    if back >= max(_LEAST_BACK, _FEW * moved):
        return "received_at", _TRIED
    return None, 0


def _has_earlier_part(samples: Times) -> bool:
    """Return whether all times of a part are earlier than all times of one before it."""
    latest = None
    for times in chain.from_iterable(map(_in_parts, samples)):
        if len(times) < _LEAST_BACK:
            continue
        if latest is not None and max(times) < latest:
            return True
        latest = min(times) if latest is None else max(latest, min(times))
    return False


def _in_parts(times: Sequence[int]) -> Iterator[Sequence[int]]:
    return (times[start : start + _PART] for start in range(0, len(times), _PART))


class _Trial:
    """Checks the beginning of logs in several orders."""

    def __init__(
        self,
        logs: Sequence[LogPath],
        options: ReplayOptions,
        most_bytes: int,
        once: Once | None,
    ) -> None:
        mapping = options.field_mapping or FieldMapping()
        heads = {name_of(log): head_lines(log, mapping, most_bytes, None) for log in logs}
        self._logs = [
            (name, list(lines if once is None else once.lines(lines)))
            for name, lines in heads.items()
        ]
        self._options = options

    def errors(self, sort: Sort | None) -> int:
        """Return the number of errors in the order of events in an order of the lines."""
        return sum(
            finding.severity is Severity.ERROR and not finding.code.startswith(_SHAPES)
            for report in self._reports(sort)
            for finding in report.findings
        )

    def _reports(self, sort: Sort | None) -> Iterator[Report]:
        beginning: Partial = "start" if sort == "newest_first" else "end"
        partial = self._options.partial or beginning
        replayer = replayer_of(Replay(options=replace(self._options, partial=partial)))
        if sort is not None:
            yield from replayer.feed_sorted(self._logs, sorter_in_memory(sort))
        else:
            for name, lines in self._logs:
                replayer.change_source(name)
                yield from replayer.feed_all(lines, len(lines) or 1)
        yield from replayer.close()
