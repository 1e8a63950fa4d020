"""The encoding of a state as bytes, in two parts: what judging needs, and the rest of the past.

Equal states give equal bytes. Members of an object keep their order, because the last of the
delivery ids and the order of custom fields are part of the state. No text of the conversation is in
them: the last lifecycle event is kept as a fingerprint. Names, queues and custom fields of agents
are, because segments show them.

A snapshot has both parts whole. A store keeps everything that judging needs as bytes that are
written anew each time, with the entries that later events may change. Each agent is stored by
itself, and so is what each delivery adds to the past. A state whose past is stored elsewhere is
judged on as before. The past is read for a report, and at the end of a conversation.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from typing import Any, Final, NamedTuple
from zlib import crc32

from segue.core.engine.applying import MACHINES
from segue.core.engine.checks import CHECKS
from segue.core.engine.entries import Entry, entries_from_json, entries_to_json
from segue.core.engine.finding_codec import finding_from_json, finding_to_json
from segue.core.engine.segment_tracker import SegmentTracker
from segue.core.engine.snapshot_checks import has_shape, is_consistent
from segue.core.engine.state import AgentRecord, LateEvent, State
from segue.core.epoch import from_iso
from segue.core.errors import ConfigurationError, SchemaTooNew, SegueError
from segue.core.events import Json
from segue.core.findings import Finding
from segue.core.lifecycle import MESSAGES, Presence, PresenceEffect

VERSION: Final = 4
"""The version of snapshots. Each version of Segue reads only one."""

_HISTORY: Final = "history"
_json: Final = json.JSONEncoder(separators=(",", ":")).encode
_CHECKSUM: Final = 8
"""The number of hexadecimal digits before the JSON, of its CRC-32."""


class PastSize(NamedTuple):
    """The size of the past of a conversation at a moment."""

    final: int = 0
    """The number of entries that later events cannot change."""
    open: tuple[Entry, ...] = ()
    """The other entries."""
    findings: int = 0
    """The number of findings in the state."""
    sessions: Mapping[str, Mapping[str, int]] = {}
    """The sizes of the lists of each session, by its name."""

    @classmethod
    def of(cls, state: State) -> "PastSize":
        """Return the size now."""
        open_at = state.open_at
        return cls(
            state.first + open_at,
            tuple(state.entries[open_at:]),
            len(state.findings),
            {
                name: {key: len(each) for key, each in _split(session)[1].items()}
                for name, session in state.sessions.items()
            },
        )


NO_PAST: Final = PastSize()


def dump(state: State) -> bytes:
    """Encode a state as compact JSON after its checksum. `load` restores it.

    The checksum is the CRC-32 of the JSON in UTF-8, as eight hexadecimal digits.
    """
    events = enumerate(state.entries)
    indices = {each.position: index for index, each in events if each.kind not in MESSAGES}
    judging = _judging_to_json(state, indices)
    judging["machines"] |= {name: each.to_json() for name, each in state.sessions.items()}
    return _sealed(
        {
            "version": VERSION,
            "judging": judging,
            "agents": [_agent_to_json(*each, indices) for each in state.agents.items()],
            "entries": entries_to_json(state.entries),
            "findings": [*map(finding_to_json, state.findings)],
        }
    )


def load(data: bytes) -> State:
    """Decode a state.

    Raise `SchemaTooNew` if a newer Segue wrote it, and `ConfigurationError` if an earlier Segue
    wrote it and for other bytes.
    """
    with _refusing():
        return _from_json(_decoded(data))


def load_checked(data: bytes) -> State:
    """Decode a state as `load` does, from bytes to which anyone may have added a checksum.

    Raise `ConfigurationError` also for a state that no conversation leads to. For this, the past is
    judged again.
    """
    with _refusing():
        value = _decoded(data)
        if not has_shape(value):
            raise ValueError("shape")
        state = _from_json(value)
        if not is_consistent(state):
            raise ValueError("parts that contradict each other")
        return state


def _from_json(value: dict[str, Any]) -> State:
    entries = entries_from_json(value["entries"])
    state = _judging_from_json(value["judging"], value["agents"], entries)
    state.entries = entries
    state.findings = [*map(finding_from_json, value["findings"])]
    return state


class StateParts(NamedTuple):
    """A state as a store keeps it."""

    judging: bytes
    """Everything that later events are judged by, without the agents."""
    agents: dict[int, bytes]
    """The agents whose records have changed, by number."""
    entries: list[tuple[int, Entry]]
    """The entries that were added or changed, with their numbers."""
    history: bytes
    """The findings and actions that were added, or empty bytes if there are none."""
    findings: int
    """The number of these findings."""


def dump_parts(state: State, since: PastSize = NO_PAST, commit: int = 0) -> StateParts:
    """Encode a state, and the part of its past that was added or changed since a moment.

    `commit` is the number of the commit that stores the parts.
    """
    open_at = state.open_at
    judging = _judging_to_json(state)
    judging["open"] = [state.first + open_at, entries_to_json(state.entries[open_at:])]
    before: Iterable[Entry | None] = chain(since.open, repeat(None))
    after = enumerate(state.entries[since.final - state.first :], since.final)
    changed = [new for new, old in zip(after, before, strict=False) if new[1] != old]
    names = {each.agent for _, each in changed if each.details and each.agent in state.agents}
    tracker: SegmentTracker | None = state.segments
    if tracker is not None:
        judging["segments"] = tracker.head_to_json()
        names |= tracker.changed
    agents: dict[int, list[Any]] = {}
    for name in names:
        record = state.agents[name]
        segments = [] if tracker is None else tracker.segments_to_json(name)
        agents[record.number] = [*_agent_to_json(name, record), *segments]
    history = _added(state, since)
    return StateParts(
        _sealed({"version": VERSION, "commit": commit, "judging": judging}),
        {number: _sealed(agents[number]) for number in sorted(agents)},
        changed,
        _sealed(history) if history else b"",
        len(state.findings) - since.findings,
    )


def load_parts(judging: bytes, agents: Iterable[bytes], newest: int = 0) -> State:
    """Decode a state whose past is stored elsewhere. Raise errors as `load` does.

    `newest` is the number of the newest commit of the conversation.
    """
    with _refusing():
        parts = _decoded(judging)
        if parts["commit"] > newest:
            raise ValueError("a later commit")
        value = parts["judging"]
        state = _judging_from_json(value, map(_opened, agents))
        state.first, entries = value["open"]
        state.entries = entries_from_json(entries)
        return state


def restore_past(
    state: State, entries: Iterable[Entry], history: Iterable[bytes], *, is_all: bool
) -> None:
    """Put the past back into a state whose past is stored elsewhere.

    Args:
        state: The state, which has the entries that later events may change.
        entries: The other entries, or the first of them.
        history: The findings and actions, in order.
        is_all: Whether these are all entries. Otherwise, the state then lacks the later ones.

    Raise `ConfigurationError` for other bytes.

    """
    state.entries, state.first = [*entries, *(state.entries if is_all else ())], 0
    with _refusing():
        _add_history(state, map(_opened, history))


def findings_in(part: bytes) -> list[Finding]:
    """Return the findings that are in a part of the history."""
    with _refusing():
        return [finding_from_json(found) for found in _opened(part).get("findings", ())]


def forget_past(state: State) -> None:
    """Leave out the entries and findings that are stored elsewhere from now on."""
    open_at = state.open_at
    state.first += open_at
    del state.entries[:open_at]
    state.findings = []
    for name, session in state.sessions.items():
        judged_by, lists = _split(session)
        if any(lists.values()):
            MACHINES[name].from_json(state, judged_by)


def _sealed(value: Json) -> bytes:
    """Encode a value after the checksum of its text."""
    data = _json(value).encode()
    return b"%08x" % crc32(data) + data


def _opened(data: bytes) -> Json:
    """Decode the value that `_sealed` encoded. Raise `ValueError` if the checksum is wrong."""
    checksum, text = data[:_CHECKSUM], data[_CHECKSUM:]
    if checksum != b"%08x" % crc32(text):
        raise ValueError("checksum")
    return json.loads(text)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise `ConfigurationError` for any error with bytes that are not ours."""
    try:
        yield
    except SegueError:
        raise
    except Exception as error:
        msg = "these bytes are not a snapshot of a Segue conversation, or were damaged"
        raise ConfigurationError(msg) from error


def _decoded(data: bytes) -> dict[str, Any]:
    value: dict[str, Any] = _opened(data)
    version = value["version"]
    if version < VERSION:
        msg = (
            f"the snapshot has version {version}, this Segue reads version {VERSION}: restore the "
            "conversation from its events"
        )
        raise ConfigurationError(msg)
    if version > VERSION:
        msg = (
            f"the snapshot has version {version}, this Segue reads version {VERSION}: "
            "upgrade Segue where it is read"
        )
        raise SchemaTooNew(msg)
    return value


_NO_INDICES: Final[Mapping[int, int]] = {}


def _event_to_json(event: Entry | None, indices: Mapping[int, int]) -> Json:
    """Return a lifecycle event as its index among the entries, or as JSON if it has none."""
    if event is None:
        return None
    index = indices.get(event.position)
    return entries_to_json([event]) if index is None else index


def _event_from_json(value: Json, entries: Sequence[Entry]) -> Entry | None:
    """Return the event that `_event_to_json` converted, given the entries."""
    if isinstance(value, int):
        return entries[value]
    return None if value is None else entries_from_json(value)[0]


def _agent_to_json(
    name: str, record: AgentRecord, indices: Mapping[int, int] = _NO_INDICES
) -> list[Any]:
    """Return an agent as a list of JSON values."""
    latest = _event_to_json(record.latest, indices)
    return [name, record.connections, record.left, record.effect, latest]


def _judging_to_json(state: State, indices: Mapping[int, int] = _NO_INDICES) -> dict[str, Any]:
    """Return everything that later events are judged by, but for the agents."""
    over, late = state.overtaken, state.late
    machines: dict[str, Any] = dict.fromkeys(MACHINES)
    machines |= {name: _split(each)[0] for name, each in sorted(state.sessions.items())}
    machines["lifecycle"] = {
        "presence": state.presence._asdict(),
        "absences": state.absences,
        "previous": state.last_fingerprint,
        "last": _event_to_json(state.last, indices),
        "ended_at": state.ended_at,
        "late": late and [late.at and late.at.isoformat(), late.fingerprint],
    }
    return {
        "conversation_id": state.conversation_id,
        "partial": state.partial,
        "bot_id": state.bot_id,
        "position": state.position,
        "deliveries": state.deliveries,
        "processable": state.processable,
        "closed": state.closed,
        "latest": state.latest and state.latest.isoformat(),
        "overtaken": over and [over[0] and over[0].isoformat(), over[1]],
        "delivered": state.delivered,
        "kept": {
            check.key: kept
            for check, kept in zip(CHECKS, state.kept, strict=False)
            if kept is not None
        },
        "machines": machines,
        "messages": state.messages,
        "runs": state.runs,
    }


_PLAIN: Final = (
    *("bot_id", "position", "deliveries", "processable", "closed", "delivered", "messages", "runs"),
)
"""The members of the JSON that are attributes of a state as they are."""


def _judging_from_json(
    value: dict[str, Any], agents: Iterable[list[Any]], entries: Sequence[Entry] = ()
) -> State:
    """Return a state that has everything but its past."""
    state = State(value["conversation_id"], value["partial"])
    for name in _PLAIN:
        setattr(state, name, value[name])
    state.latest = from_iso(value["latest"])
    if value["overtaken"]:
        before, first = value["overtaken"]
        state.overtaken = from_iso(before), first
    if value["kept"]:
        state.kept = tuple(value["kept"].get(check.key) for check in CHECKS)
    _lifecycle_from_json(state, value["machines"]["lifecycle"], entries)
    segments: list[dict[str, Any]] = []
    for number, (name, connections, left, effect, latest, *kept) in enumerate(agents):
        event = _event_from_json(latest, entries)
        record = AgentRecord(number, connections, left, event, PresenceEffect(effect))
        state.agents[name] = record
        segments += kept
    for name, session in value["machines"].items():
        if session is not None and name != "lifecycle":
            MACHINES[name].from_json(state, session)
    head = value.get("segments")
    state.segments = SegmentTracker.from_json(head, segments) if head else None
    return state


def _lifecycle_from_json(state: State, value: dict[str, Any], entries: Sequence[Entry]) -> None:
    state.presence = Presence.from_json(value["presence"])
    state.absences = tuple(value["absences"])
    state.previous = value["previous"]
    state.last = _event_from_json(value["last"], entries)
    state.ended_at = value["ended_at"]
    if value["late"]:
        at, fingerprint = value["late"]
        state.late = LateEvent(from_iso(at), fingerprint)


def _added(state: State, since: PastSize) -> dict[str, Any]:
    """Return the findings and actions that were added as JSON. Empty if there are none."""
    sessions = {}
    for name, session in sorted(state.sessions.items()):
        before = since.sessions.get(name, {})
        added = {key: each[before.get(key, 0) :] for key, each in _split(session)[1].items()}
        if any(added.values()):
            sessions[name] = added
    findings = [finding_to_json(finding) for finding in state.findings[since.findings :]]
    parts = {"findings": findings, "sessions": sessions}
    return {name: part for name, part in parts.items() if part}


def _add_history(state: State, parts: Iterable[dict[str, Any]]) -> None:
    """Put findings and actions back into a state that has none of them, in order."""
    sessions: dict[str, dict[str, list[Any]]] = {}
    for part in parts:
        state.findings += map(finding_from_json, part.get("findings", ()))
        for name, lists in part.get("sessions", {}).items():
            for key, each in lists.items():
                sessions.setdefault(name, {}).setdefault(key, []).extend(each)
    for name, added in sessions.items():
        session, lists = _split(state.sessions[name])
        MACHINES[name].from_json(state, {**session, _HISTORY: {**lists, **added}})


def _split(session: Any) -> tuple[Json, dict[str, list[Any]]]:  # noqa: ANN401 - of any machine
    """Return what judging needs of a session, and the lists of its history."""
    value = session.to_json()
    lists = value.get(_HISTORY, {}) if isinstance(value, dict) else {}
    if lists:
        value[_HISTORY] = {key: [] for key in lists}
    return value, lists
