"""The causes of what has happened of late, from the entries of a feed or a journal.

A feed has neither bodies nor the attributes of events: findings are compared with conversations, by
bot and by time.  Where the bodies are known, so are the attributes.  Of a conversation only what is
counted is kept.
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
from segue.logs import DeliveryNote

MOST_CONVERSATIONS: Final = 100_000
"""Of more, those are forgotten that have been silent for longest."""

_COUNTED: Final = (Severity.ERROR, Severity.WARNING)
_EVENT: Final = re.compile(r"/events/([0-9]{1,9})(?:/|$)")


@dataclass(slots=True)
class _Recent:
    """What is known of a conversation that has not been silent for long."""

    minute: int = 0
    """Of its latest entry."""
    position: int = 0
    """Of what comes next, events and actions together."""
    notes: list[Note] = field(default_factory=list)
    found: list[FindingPlace] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many events and findings are kept."""
        return self.position + len(self.found)


class CauseWindow:
    """The conversations of a sliding window, and which of their causes have been named."""

    def __init__(
        self, width: timedelta, most: int = MOST_CONVERSATIONS, most_rows: int = MOST_ROWS
    ) -> None:
        self._width = int(width.total_seconds()) // 60
        self._most = most
        self._most_rows = most_rows
        self._rows = 0
        self._conversations: dict[tuple[str, str], _Recent] = {}
        """By bot and id, the one that has been silent for longest first."""
        self._named: set[tuple[str, tuple[tuple[str, str], ...]]] = set()

    def add(self, entry: Mapping[str, Any], note: DeliveryNote | None = None) -> bool:
        """Add an entry of the feed, as JSON has it; return whether it has a finding that counts.

        `note` is what `cause_notes()` returns of its delivery, where that is known.
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
        """Return the causes of the window that ends now; of these bots only, if they are named."""
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
        """Return the causes that were not there when this was asked before."""
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
    if not isinstance(finding, Mapping) or finding.get("follows") is not None:
        return False
    code = finding.get("code")
    return finding.get("severity") in _COUNTED and isinstance(code, str) and code in BY_CODE


def _places(
    findings: Collection[Mapping[str, Any]], keys: Sequence[EventKey], minute: int
) -> Iterator[FindingPlace]:
    """Yield where the mistakes of a delivery are, and the warnings that follow from none.

    `keys` are those of its events. Which of them is meant, the pointer says. What is stored may be
    damaged: what is not a finding is left out.
    """
    for each in filter(_counts, findings):
        pointed = _EVENT.match(str(each.get("pointer")))
        number = int(pointed[1]) if pointed else 0
        is_placed = any(each.get(name) is not None for name in ("event", "action"))
        key = keys[number] if is_placed and number < len(keys) else None
        yield FindingPlace(each["code"], key, minute)
