"""The causes of recent findings, from the entries of a feed or a journal.

The entries of a feed contain no bodies. Their findings are compared with conversations by bot and
time only. If the bodies are known, attributes of events are compared, too. Only the data needed for
counting is stored.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final

from segue.analysis.causes.attribution import EventKey, FindingPlace, event_keys
from segue.analysis.causes.cause import RootCause, RootCauses
from segue.analysis.causes.counts import MOST_ROWS, Counts
from segue.analysis.causes.search import find_causes
from segue.core.conversation import Note
from segue.core.findings import BY_CODE, Severity
from segue.logs.event_notes import DeliveryNote

MOST_CONVERSATIONS: Final = 100_000
"""The maximum number of conversations in a window.

If there are more, the conversation that has been inactive for the longest time is dropped.
"""

_COUNTED: Final = (Severity.ERROR, Severity.WARNING)
_EVENT: Final = re.compile(r"/events/([0-9]{1,9})(?:/|$)")


@dataclass(slots=True)
class _Recent:
    """The data stored for a conversation that was active in the window."""

    minute: int = 0
    """The minute of the latest entry, counted from 1970."""
    position: int = 0
    """The position of the next event. Events and actions are numbered together."""
    notes: list[Note] = field(default_factory=list)
    """The notes on deliveries whose bodies are known."""
    found: list[FindingPlace] = field(default_factory=list)
    """The findings that count."""

    @property
    def size(self) -> int:
        """The number of events and findings that are stored."""
        return self.position + len(self.found)


class CauseWindow:
    """Searches for causes among recent conversations, in a sliding window of time.

    Args:
        width: The length of the window.
        most: The maximum number of conversations that are stored.
        most_rows: The maximum number of events and findings that are stored.

    """

    def __init__(
        self, width: timedelta, most: int = MOST_CONVERSATIONS, most_rows: int = MOST_ROWS
    ) -> None:
        self._width = int(width.total_seconds()) // 60
        self._most = most
        self._most_rows = most_rows
        self._rows = 0
        self._conversations: dict[tuple[str, str], _Recent] = {}
        """The conversations by bot and conversation id, in the order of their latest entries."""
        self._named: set[tuple[str, tuple[tuple[str, str], ...]]] = set()

    def add(self, entry: Mapping[str, Any], note: DeliveryNote | None = None) -> bool:
        """Add an entry of the server's feed, which describes one delivery and its findings.

        Return whether the entry has a finding for which causes are searched: an error or a warning
        that does not follow from another finding.

        Args:
            entry: The entry, as decoded from JSON.
            note: The note that `cause_notes()` returns for the delivery, or None if the body of
                the delivery is unknown.

        """
        minute = _minute_of(datetime.fromisoformat(entry["received_at"]))
        key = entry["bot_id"] or "", entry["conversation_id"]
        known = self._forget(key) or _Recent()
        known.minute = minute
        events = () if note is None else note[1]
        keys = list(event_keys([(known.position, events)]))
        found = list(_places(entry["findings"], keys, minute))
        known.found += found
        if note is not None:
            known.notes.append((known.position, "", (minute, events)))
            known.position += len(events)
        self._conversations[key] = known
        self._rows += known.size
        while len(self._conversations) > self._most or self._rows > self._most_rows:
            self._forget(next(iter(self._conversations)))
        return bool(found)

    def causes(
        self, now: datetime, time_zone: tzinfo = UTC, bots: Collection[str] | None = None
    ) -> RootCauses:
        """Search for the causes of the findings in the window that ends at `now`.

        Conversations that were last active before the window are dropped.

        Args:
            now: The end of the window.
            time_zone: The time zone of times in the result.
            bots: The ids of the bots whose conversations are searched, or None for all.

        """
        begin = _minute_of(now) - self._width
        counts = Counts()
        for key, each in list(self._conversations.items()):
            if each.minute < begin:
                self._forget(key)
            elif bots is None or key[0] in bots:
                notes = [note for note in each.notes if note[2][0] >= begin]
                found = [place for place in each.found if (place.minute or 0) >= begin]
                counts.add_part(key, notes, found, each.minute)
        return find_causes(counts, time_zone)

    def new_causes(self, now: datetime) -> list[RootCause]:
        """Return the causes of the window that ends at `now`, except those already reported.

        A cause is left out if the previous call of this method found the same rule and attributes.
        """
        found = {(cause.code, cause.where): cause for cause in self.causes(now).causes}
        new = [cause for key, cause in found.items() if key not in self._named]
        self._named = set(found)
        return new

    def _forget(self, key: tuple[str, str]) -> _Recent | None:
        known = self._conversations.pop(key, None)
        self._rows -= known.size if known else 0
        return known


def _minute_of(at: datetime) -> int:
    return int(at.timestamp() // 60)


def _counts(finding: object) -> bool:
    if not isinstance(finding, Mapping):
        return False
    code = finding.get("code")
    return finding.get("severity") in _COUNTED and isinstance(code, str) and code in BY_CODE


def _places(
    findings: Collection[Mapping[str, Any]], keys: Sequence[EventKey], minute: int
) -> Iterator[FindingPlace]:
    """Yield a `FindingPlace` for each error or warning that does not follow from a mistake.

    Args:
        findings: The findings of a delivery, as JSON objects. Invalid ones are skipped.
        keys: The keys of the delivery's events. The pointer of a finding selects one of them.
        minute: The minute of the delivery.

    """
    for each in filter(_counts, findings):
        pointed = _EVENT.match(str(each.get("pointer")))
        number = int(pointed[1]) if pointed else 0
        is_placed = any(each.get(name) is not None for name in ("event", "action"))
        key = keys[number] if is_placed and number < len(keys) else None
        yield FindingPlace(each["code"], key, minute)
