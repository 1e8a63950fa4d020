"""The comparison of the platform's sessions (E25) with the conversations of a log."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from segue.analysis.compare.difference import ConversationName
from segue.analysis.compare.listed import items_of, text_of
from segue.core.conversation import Report
from segue.core.events import EventKind
from segue.core.wire import read_time

_AGENT = "agent"


class SessionFacts(NamedTuple):
    """The facts that one side gives for a conversation. Missing ones are None."""

    start: datetime | None
    end: datetime | None
    has_agent: bool | None

    def to_dict(self) -> dict[str, object]:
        """Return the facts as a JSON object."""
        return {
            "start": self.start and self.start.isoformat(),
            "end": self.end and self.end.isoformat(),
            "has_agent": self.has_agent,
        }


class SessionDifference(NamedTuple):
    """A conversation that is only on one side, or that differs between them."""

    key: ConversationName
    log: SessionFacts | None
    session: SessionFacts | None
    differs: tuple[str, ...] = ()
    """Those of `start`, `end` and `containment` that differ."""

    @property
    def kind(self) -> str:
        """`added` (only a session), `removed` (only in the log) or `changed`."""
        return "added" if self.log is None else "removed" if self.session is None else "changed"

    def to_dict(self) -> dict[str, object]:
        """Return the difference as a JSON object. Keys and their order are stable."""
        return {
            **self.key._asdict(),
            "only_in": {"added": "sessions", "removed": "log"}.get(self.kind),
            "differs": list(self.differs),
            "log": self.log and self.log.to_dict(),
            "session": self.session and self.session.to_dict(),
        }


@dataclass(slots=True)
class SessionComparison:
    """Compares sessions with the reports of a log.

    A session begins with its first message, a conversation with the first event that was received.
    Times may therefore differ by a tolerance. If conversations share an id, the bot distinguishes
    them.
    """

    tolerance: timedelta
    same: int = 0
    """The number of equal conversations. Complete once `differences` is exhausted."""
    _log: dict[ConversationName, SessionFacts] = field(default_factory=dict)
    _sessions: dict[ConversationName, SessionFacts] = field(default_factory=dict)

    def add_sessions(self, document: object, name: str) -> None:
        """Add the sessions of `segue call sessions.list --format json`, or responses of E25."""
        for item in items_of(document, name, ("sessionId",), "sessions.list"):
            session = text_of(item, "sessionId")
            if session:
                key = ConversationName(session, text_of(item, "botId") or None)
                self._sessions[key] = _facts_of_session(item)

    def add(self, report: Report) -> None:
        """Add a report of the log."""
        bot_id, conversation_id = report.key
        if conversation_id is not None and not report.late:
            self._log[ConversationName(conversation_id, bot_id)] = _facts_of(report)

    def differences(self) -> Iterator[SessionDifference]:
        """Yield the differences in the order of the log, then the sessions missing from the log."""
        pairs = self._pairs()
        for name, log in self._log.items():
            session = self._sessions.get(pairs.get(name, name))
            differs = () if session is None else tuple(self._differs(log, session))
            if session is None or differs:
                yield SessionDifference(name, log, session, differs)
            else:
                self.same += 1
        known = {pairs.get(name, name) for name in self._log}
        for name, session in self._sessions.items():
            if name not in known:
                yield SessionDifference(name, None, session)

    def _pairs(self) -> dict[ConversationName, ConversationName]:
        """Return the session of each conversation whose id is unique on both sides."""
        here, there = _by_id(self._log), _by_id(self._sessions)
        return {
            names[0]: there[each][0]
            for each, names in here.items()
            if len(names) == len(there.get(each, ())) == 1
        }

    def _differs(self, log: SessionFacts, session: SessionFacts) -> Iterator[str]:
        times = (("start", log.start, session.start), ("end", log.end, session.end))
        for name, here, there in times:
            if here is not None and there is not None and abs(here - there) > self.tolerance:
                yield name
        if session.has_agent is not None and log.has_agent is not session.has_agent:
            yield "containment"


def _facts_of(report: Report) -> SessionFacts:
    times, timeline = report.times, report.timeline
    start = times[0] if times else None
    wait = report.metrics.wait_time
    if start is not None and wait is not None:
        start -= wait
    ended = timeline and timeline[-1].kind is EventKind.END
    return SessionFacts(start, times[-1] if ended else None, bool(report.segments))


def _facts_of_session(item: dict[str, Any]) -> SessionFacts:
    containment = text_of(item, "containmentType")
    return SessionFacts(
        read_time(text_of(item, "start_time")),  # dates of E25 are GMT
        read_time(text_of(item, "end_time")),
        containment == _AGENT if containment else None,
    )


def _by_id(names: Iterable[ConversationName]) -> dict[str | None, list[ConversationName]]:
    found: dict[str | None, list[ConversationName]] = {}
    for name in names:
        found.setdefault(name.conversation_id, []).append(name)
    return found
