"""The causes of what has happened of late, from the entries of a feed.

A feed has neither bodies nor the attributes of events: findings are compared with conversations, by
bot and by time.  Of a conversation only a few numbers are kept.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final

from segue.findings import Severity
from segue.root_causes.cause import RootCause
from segue.root_causes.counts import Counts
from segue.root_causes.search import find_causes

MOST_CONVERSATIONS: Final = 100_000
"""Of more, those are forgotten that have been silent for longest."""

_COUNTED: Final = (Severity.ERROR, Severity.WARNING)


@dataclass(slots=True)
class _Recent:
    """What is known of a conversation that has not been silent for long."""

    bot: str
    minute: int = 0
    """Of its latest entry."""
    found: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Findings by code and minute."""


class CauseWindow:
    """The conversations of a sliding window, and which of their causes have been named."""

    def __init__(self, width: timedelta, most: int = MOST_CONVERSATIONS) -> None:
        self._width = int(width.total_seconds()) // 60
        self._most = most
        self._conversations: dict[tuple[str, str], _Recent] = {}
        """By bot and id, the one that has been silent for longest first."""
        self._named: set[tuple[str, tuple[tuple[str, str], ...]]] = set()

    def add(self, entry: Mapping[str, Any]) -> bool:
        """Add an entry of the feed, as JSON has it; return whether it has a finding that counts."""
        bot, minute = entry["bot_id"], _minute_of(datetime.fromisoformat(entry["received_at"]))
        key = bot, entry["conversation_id"]
        known = self._conversations.pop(key, None) or _Recent(bot)
        known.minute = minute
        codes = _codes_of(entry["findings"])
        known.found.update((code, minute) for code in codes)
        self._conversations[key] = known
        if len(self._conversations) > self._most:
            del self._conversations[next(iter(self._conversations))]
        return bool(codes)

    def new_causes(self, now: datetime, time_zone: tzinfo = UTC) -> list[RootCause]:
        """Return the causes that were not there when this was asked before."""
        begin = _minute_of(now) - self._width
        counts = Counts()
        for key, each in list(self._conversations.items()):
            if each.minute < begin:
                del self._conversations[key]
            else:
                recent = {at: n for at, n in each.found.items() if at[1] >= begin}
                counts.add_conversation(each.bot, each.minute, recent)
        found = {
            (cause.code, cause.where): cause for cause in find_causes(counts, time_zone).causes
        }
        new = [cause for key, cause in found.items() if key not in self._named]
        self._named = set(found)
        return new


def _minute_of(at: datetime) -> int:
    return int(at.timestamp() // 60)


def _codes_of(findings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the codes of mistakes, and of warnings that follow from none."""
    return [
        each["code"]
        for each in findings
        if each["severity"] in _COUNTED and each.get("follows") is None
    ]
