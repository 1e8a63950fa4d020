"""`segue.causes`: the causes of the findings in a log."""

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Any

from segue.analysis.causes.cause import RootCauses
from segue.analysis.causes.counts import Counts
from segue.analysis.causes.notes import cause_notes
from segue.analysis.causes.search import find_causes
from segue.logs import LogPath, replay


def causes(
    source: LogPath | Iterable[object], *, time_zone: tzinfo = UTC, **options: Any
) -> RootCauses:
    """Return which mistakes of a log go together with which attribute, and since when.

    Mistakes, and warnings that follow from none, are compared with what could have gone wrong:
    events of the kinds at which the rule was found. An attribute is a file, a bot, an agent, a
    queue, a language, an experience, `isExtAD`, a kind of transfer, a spelling, or an hour of the
    day; a cause has up to three of them, and a time of onset. The probability that any cause of a
    log is there by chance alone is less than one in a thousand.

    Args:
        source: What `replay` takes.
        time_zone: The zone of times that name none, and of those in the result.
        options: The other options of `replay`.

    Raises what `replay` raises.

    """
    counts = Counts()
    for report in replay(source, time_zone=time_zone, note=cause_notes(), **options):
        counts.add(report)
    return find_causes(counts, time_zone)
