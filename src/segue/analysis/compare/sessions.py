"""Compares the platform's list of sessions (operation E25) with the conversations of a log."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, NamedTuple

from segue.analysis.compare.difference import ConversationName
from segue.analysis.compare.listed import has_more, items_of, text_of
from segue.core.conversation import Report
from segue.core.conversation.current import is_whole
from segue.core.events import EventKind
from segue.core.wire import read_time

_AGENT = "agent"
_TAGS = ("userTags", "sessionTags")


class SessionFacts(NamedTuple):
    """The start, the end and the participation of an agent in a conversation.

    They come either from a log or from the platform's record of the session. Unknown ones are None.
    """

    start: datetime | None
    end: datetime | None
    has_agent: bool | None
    """Whether an agent took part in the conversation."""

    def to_dict(self) -> dict[str, object]:
        """Return the facts as a JSON object."""
        return {
            "start": self.start and self.start.isoformat(),
            "end": self.end and self.end.isoformat(),
            "has_agent": self.has_agent,
        }


class SessionDifference(NamedTuple):
    """A conversation that differs between a log and the platform's list of sessions.

    It may also be missing in one of the two.
    """

    key: ConversationName
    log: SessionFacts | None
    """The facts in the log, or None if the conversation is only in the sessions."""
    session: SessionFacts | None
    """The facts in the sessions, or None if the conversation is only in the log."""
    differs: tuple[str, ...] = ()
    """The names of the facts that differ: `start`, `end` or `containment`."""

    @property
    def kind(self) -> str:
        """The kind of difference.

        `added` is only in the sessions, `removed` is only in the log, and `changed` is in both.
        """
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
    """Compares the reports of a log with the platform's list of sessions.

    Add all reports and sessions, then iterate over `differences()`.

    A session begins with its first message, but a conversation with its first event. Times that
    differ by at most `tolerance` therefore count as equal. If several conversations have the same
    id, they are matched by bot and id.

    The specification does not say that the id of a session is that of a conversation. Pass `tag` or
    `ids` if it is not.
    """

    tolerance: timedelta
    """The maximum difference at which two times count as equal."""
    tag: str | None = None
    """The name of the tag of a session whose value is the id of its conversation, or None."""
    ids: Mapping[str, object] | None = None
    """The ids of conversations by the ids of their sessions, or None."""
    has_more: bool = False
    """Whether the platform has more sessions than were added. A conversation that is only in the
    log is then no difference, because its session may be among the others.
    """
    same: int = 0
    """The number of equal conversations. It is complete once `differences` is exhausted."""
    _log: dict[ConversationName, SessionFacts] = field(default_factory=dict)
    _sessions: dict[ConversationName, SessionFacts] = field(default_factory=dict)

    def add_sessions(self, document: object, name: str) -> None:
        """Add the sessions that `segue call sessions.list --format json` writes.

        Args:
            document: The decoded JSON of the file: a list of sessions, or responses of E25.
            name: The name of the file, for error messages.

        """
        self.has_more |= has_more(document)
        for item in items_of(document, name, ("sessionId",), "sessions.list"):
            conversation = self._conversation_of(item)
            if conversation:
                key = ConversationName(conversation, text_of(item, "botId") or None)
                self._sessions[key] = _facts_of_session(item)

    def _conversation_of(self, item: dict[str, Any]) -> str:
        """Return the id of the conversation of a session, or its own id if it has none."""
        session = text_of(item, "sessionId")
        if self.tag is not None:
            return _tag(item, self.tag) or session
        found = None if self.ids is None else self.ids.get(session)
        return found if isinstance(found, str) else session

    def add(self, report: Report) -> None:
        """Add the conversation of a report.

        Reports without a conversation id, and those of late events, are ignored.
        """
        bot_id, conversation_id = report.key
        if conversation_id is not None and is_whole(report):
            self._log[ConversationName(conversation_id, bot_id)] = _facts_of(report)

    @property
    def has_nothing_in_common(self) -> bool:
        """Whether there are conversations and sessions, but none of the same id."""
        is_any = bool(self._log and self._sessions)
        return is_any and _by_id(self._log).keys().isdisjoint(_by_id(self._sessions))

    def differences(self) -> Iterator[SessionDifference]:
        """Yield a difference for each conversation that is not equal in the log and the sessions.

        Conversations of the log come first, in the order in which they were added. Sessions that
        are not in the log follow.
        """
        pairs = self._pairs()
        for name, log in self._log.items():
            session = self._sessions.get(pairs.get(name, name))
            differs = () if session is None else tuple(self._differs(log, session))
            if session is None and self.has_more:
                continue
            if session is None or differs:
                yield SessionDifference(name, log, session, differs)
            else:
                self.same += 1
        known = {pairs.get(name, name) for name in self._log}
        for name, session in self._sessions.items():
            if name not in known:
                yield SessionDifference(name, None, session)

    def _pairs(self) -> dict[ConversationName, ConversationName]:
        """Match conversations by their ids alone, if the id is unique in both the log and sessions.

        Return a dictionary from the name in the log to the name in the sessions. The two may differ
        in the bot id.
        """
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
    last = report.timeline[-1] if report.timeline else None
    ended_at = last.received_at if last is not None and last.kind is EventKind.END else None
    return SessionFacts(report.began_at, ended_at, bool(report.segments))


def _facts_of_session(item: dict[str, Any]) -> SessionFacts:
    containment = text_of(item, "containmentType")
    return SessionFacts(
        read_time(text_of(item, "start_time")),  # dates of E25 are GMT
        read_time(text_of(item, "end_time")),
        containment == _AGENT if containment else None,
    )


def _tag(item: dict[str, Any], name: str) -> str:
    """Return the value of a tag of a session, or an empty string if it is not a text."""
    tags = item.get("tags")
    kinds = [tags.get(kind) for kind in _TAGS] if isinstance(tags, dict) else []
    for each in chain.from_iterable(kind for kind in kinds if isinstance(kind, list)):
        if isinstance(each, dict) and each.get("name") == name:
            return text_of(each, "value")
    return ""


def _by_id(names: Iterable[ConversationName]) -> dict[str | None, list[ConversationName]]:
    found: dict[str | None, list[ConversationName]] = {}
    for name in names:
        found.setdefault(name.conversation_id, []).append(name)
    return found
