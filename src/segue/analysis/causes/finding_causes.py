"""The public function `segue.causes`, which finds the causes of the findings in a log."""

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Any

from segue.analysis.causes.cause import RootCauses
from segue.analysis.causes.counts import Counts
from segue.analysis.causes.notes import cause_notes
from segue.analysis.causes.search import find_causes
from segue.core.conversation.current import current_reports
from segue.logs.replaying import replay
from segue.logs.sources import LogPath


def causes(
    source: LogPath | Iterable[object], *, time_zone: tzinfo = UTC, **options: Any
) -> RootCauses:
    """Search a log for the causes of its findings: common attributes, and the time of onset.

    A cause may say, for example, that most findings of `SG103` concern one agent since 10:15.
    Mistakes, and warnings that do not follow from a mistake, are compared with opportunities: all
    events of the kinds at which the rule was broken. An attribute is a file, a bot, an agent, a
    queue, a language, an experience, `isExtAD`, a kind of transfer, a spelling, or an hour of the
    day. A cause has up to three attributes and a time of onset. The probability that any cause of a
    log is due to chance is less than one in a thousand.

    Raises the exceptions that `replay` raises.

    Args:
        source: A log, as `replay` accepts it.
        time_zone: The zone of times without an offset, and of times in the result.
        options: Other options of `replay`.

    """
    counts = Counts()
    reports = replay(source, time_zone=time_zone, note=cause_notes(), **options)
    for report in current_reports(reports):
        counts.add(report)
    return find_causes(counts, time_zone)
