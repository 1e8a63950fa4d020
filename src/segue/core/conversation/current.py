"""The reports of a log that count, where a conversation has several reports.

A delivery that comes after the END of its conversation gives another report, which usually covers
the whole conversation and replaces the earlier one.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from segue.core.conversation.report import Report


class LogReports(Iterator[Report]):
    """The reports of a log, which is read while they are requested."""

    @abstractmethod
    def settled(self) -> Iterator[Report]:
        """Return the reports that count. Call this before the first report is requested."""


def current_reports(reports: Iterable[Report]) -> Iterator[Report]:
    """Yield the reports that count.

    A report that replaces others (`Report.replaces`) counts instead of all earlier ones of its
    conversation. Late deliveries that are reported without their conversation always count.

    The reports of `segue.replay` are read one by one. Other iterables are read to their end first.
    """
    if isinstance(reports, LogReports):
        yield from reports.settled()
        return
    known = list(reports)
    latest = {report.key: number for number, report in enumerate(known) if report.replaces}
    for number, report in enumerate(known):
        if not is_whole(report) or latest.get(report.key, 0) <= number:
            yield report


def is_whole(report: Report) -> bool:
    """Return whether a report is about a whole conversation.

    It is not for a line that belongs to no conversation, and for late deliveries that are reported
    without their conversation.
    """
    return report.conversation_id is not None and (report.replaces or not report.late)
