"""The one encoding of a state, in two parts: what judging needs, and the history reports need.

Equal states give equal bytes.  Members of an object keep their order, because the last of the
delivery ids and the order of custom fields are part of the state.  No text of the conversation is
in them: the last lifecycle event is kept as a fingerprint.  Names, queues and custom fields of
agents are, because segments show them.

A snapshot has both parts whole.  A store keeps what judging needs, without the agents, as bytes
that are written anew each time; each agent by itself, written when an event names it; and of the
history only what each delivery adds, with rows numbered from the first that is added.  A state
whose history is elsewhere is judged on as before; it is put back where something asks for it: a
report, or the end of a conversation.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from zlib import crc32

from segue.core.engine.agents import HEAD, ParticipantInfo, number_in, packed_info, said_in
from segue.core.engine.applying import MACHINES
from segue.core.engine.checks import CHECKS
from segue.core.engine.finding_codec import finding_from_json, finding_to_json
from segue.core.engine.history import latest_rows, said_at
from segue.core.engine.message_runs import SIZE, StoredRun, add_run, runs_in
from segue.core.engine.segment_tracker import SegmentTracker
from segue.core.engine.snapshot_checks import has_shape, is_consistent
from segue.core.engine.state import AGENT_SHIFT, ALL, ROW, LateEvent, State
from segue.core.epoch import from_iso, to_iso
from segue.core.errors import ConfigurationError, SchemaTooNew, SegueError
from segue.core.events import Json
from segue.core.findings import Finding
from segue.core.lifecycle import Presence

VERSION: Final = 4
"""Raised when an older and a later Segue could misread what the other one writes."""

_HISTORY: Final = "history"
_json: Final = json.JSONEncoder(separators=(",", ":")).encode
_CHECKSUM: Final = 8
"""Hexadecimal digits before the JSON, of its CRC-32."""


class HistorySize(NamedTuple):
    """How much history there is in a state at a moment."""

    rows: int
    runs: int
    messages: int
    """The number of messages of the last run."""
    unlisted: Mapping[tuple[int, int], int]
    agents: int
    findings: int
    times: int
    after_end: int
    dropped: int
    sessions: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, state: State) -> "HistorySize":
        """Return how much there is now."""
        return cls(
            len(state.rows) // ROW.size,
            len(state.runs) // SIZE,
            state.runs[-2] if state.runs else 0,
            dict(state.rare.unlisted or {}),
            len(state.agents),
            len(state.findings),
            len(state.rare.shared_times or ()),
            len(state.rare.after_end or ()),
            len(state.rare.dropped or ()),
            {
                name: {key: len(each) for key, each in _split(session)[1].items()}
                for name, session in state.sessions.items()
            },
        )


NO_HISTORY: Final = HistorySize(0, 0, 0, {}, 0, 0, 0, 0, 0, {})


def dump(state: State) -> bytes:
    """Encode a state as compact JSON behind its checksum; `load` gives it back.

    The checksum is the CRC-32 of the JSON in UTF-8, as eight hexadecimal digits.

    `rows` is the base64 of 32 bytes an event: four signed 64-bit integers, little-endian (position,
    line or, without lines, ~ of the position of the delivery's first event, microseconds since 1970
    in UTC, and the decision with its agent). `runs` are lists of the fields of a `StoredRun`.
    """
    judging = _judging_to_json(state)
    judging["agents"] = [_agent_to_json(state, each) for each in state.agents]
    history = _history_to_json(state, NO_HISTORY)
    return _sealed({"version": VERSION, "judging": judging, "history": history})


def load(data: bytes) -> State:
    """Decode a state.

    Raises `SchemaTooNew` for one that a newer Segue wrote, `ConfigurationError` for one that an
    earlier Segue wrote and for other bytes.
    """
    with _refusing():
        return _from_json(_decoded(data))


def load_checked(data: bytes) -> State:
    """Decode a state as `load` does, of bytes to which anyone may have added a checksum.

    Raises `ConfigurationError` for a state that no conversation leads to, too.
    """
    with _refusing():
        value = _decoded(data)
        if not has_shape(value):
            raise ValueError("shape")
        state = _from_json(value)
        if not is_consistent(state):
            raise ValueError("parts that contradict each other")
        dump(state)
        return state


def _from_json(value: dict[str, Any]) -> State:
    state = _judging_from_json(value["judging"], value["judging"]["agents"])
    _add_history(state, [value["history"]])
    return state


class StateParts(NamedTuple):
    """A state as a store keeps it."""

    judging: bytes
    """What later events are judged by, without the agents."""
    agents: dict[int, bytes]
    """The agents whom the added events name, by number."""
    history: bytes
    """What was added to the history; empty if nothing was."""
    events: int
    """How many lifecycle events are in it."""
    findings: int
    """How many findings are in it."""


def dump_parts(state: State, since: HistorySize = NO_HISTORY) -> StateParts:
    """Encode a state and what was added to its history since a moment."""
    names = tuple(state.agents)
    added = memoryview(state.rows)[since.rows * ROW.size :]
    numbers = {(row[-1] >> AGENT_SHIFT) - 1 for row in ROW.iter_unpack(added)} - {-1}
    history, judging = _history_to_json(state, since), _judging_to_json(state)
    agents = {number: _agent_to_json(state, names[number]) for number in numbers}
    tracker: SegmentTracker | None = state.rare.segments
    if tracker is not None:
        judging["segments"] = tracker.head_to_json()
        for name in tracker.changed:
            agents[number_in(state.agents[name])[0]] = _agent_to_json(state, name)
        for agent in agents.values():
            agent.extend(tracker.segments_to_json(agent[0]))
    return StateParts(
        _sealed({"version": VERSION, "judging": judging}),
        {number: _sealed(agents[number]) for number in sorted(agents)},
        _sealed(history) if history else b"",
        len(added) // ROW.size,
        len(state.findings) - since.findings,
    )


def load_parts(judging: bytes, agents: Iterable[bytes]) -> State:
    """Decode a state whose history is elsewhere; raises as `load` does."""
    with _refusing():
        return _judging_from_json(_decoded(judging)["judging"], map(_opened, agents))


def restore_history(state: State, pieces: Iterable[bytes]) -> None:
    """Put the history back into a state that has none of it, all pieces in order.

    Raises `ConfigurationError` for other bytes.
    """
    with _refusing():
        _add_history(state, map(_opened, pieces))


def findings_in(piece: bytes) -> list[Finding]:
    """Return the findings that are in a piece of the history."""
    with _refusing():
        return [finding_from_json(found) for found in _opened(piece).get("findings", ())]


def forget_history(state: State) -> None:
    """Leave out the history, which is elsewhere from now on."""
    names = tuple(state.agents)
    latest = latest_rows(state)
    for agent in latest.keys() - {ALL}:
        record = state.agents[names[agent]]
        number, connections, _ = HEAD.unpack_from(record)
        state.agents[names[agent]] = HEAD.pack(number, connections, 0) + said_in(record)
    state.rare = state.rare._replace(
        changes=None,
        after_end=None,
        dropped=None,
        shared_times=None,
        elsewhere={**state.rare.elsewhere, **latest},
        unlisted=None,
    )
    state.rows, state.runs, state.findings = bytearray(), [], ()
    for name, session in state.sessions.items():
        judged_by, lists = _split(session)
        if any(lists.values()):
            MACHINES[name].from_json(state, judged_by)


def _sealed(value: Json) -> bytes:
    """Encode a value behind the checksum of its text."""
    data = _json(value).encode()
    return b"%08x" % crc32(data) + data


def _opened(data: bytes) -> Json:
    """Decode what `_sealed` encoded; raise `ValueError` if the checksum is another."""
    checksum, text = data[:_CHECKSUM], data[_CHECKSUM:]
    if checksum != b"%08x" % crc32(text):
        raise ValueError("checksum")
    return json.loads(text)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise `ConfigurationError` for whatever goes wrong with bytes that are not ours."""
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


def _agent_to_json(state: State, name: str) -> list[Any]:
    """Return the name, the connections, the latest facts, and the latest row of an agent."""
    record = state.agents[name]
    _, connections, _ = HEAD.unpack_from(record)
    said, row = said_in(record), state.latest_row(record)
    info = ParticipantInfo.of(said) if said else None
    return [name, connections, info, ROW.unpack(row) if row else None]


def _judging_to_json(state: State) -> dict[str, Any]:
    """Return everything that later events are judged by, but for the agents."""
    latest, over = state.latest, state.overtaken
    machines: dict[str, Any] = dict.fromkeys(MACHINES)
    machines |= {name: _split(each)[0] for name, each in sorted(state.sessions.items())}
    machines["lifecycle"] = {
        "presence": state.presence._asdict(),
        "absences": state.absences,
        "previous": state.last_fingerprint,
    }
    last = state.latest_row()
    return {
        "conversation_id": state.conversation_id,
        "partial": state.rare.partial,
        "bot_id": state.bot_id,
        "position": state.position,
        "processable": state.processable,
        "closed": state.rare.closed,
        "latest": latest and latest.isoformat(),
        "overtaken": over and [over[0] and over[0].isoformat(), *over[1:]],
        "delivered": state.delivered,
        "kept": {
            check.key: kept
            for check, kept in zip(CHECKS, state.kept, strict=False)
            if kept is not None
        },
        "machines": machines,
        "last_row": ROW.unpack(last) if last else None,
        "messages": state.messages,
        "runs": state.run_count,
        "last_run": [state.run_author, state.run_end],
        "strangers": state.rare.strangers or [],
    }


def _judging_from_json(value: dict[str, Any], agents: Iterable[list[Any]]) -> State:
    """Return a state that has everything but its history."""
    state = State(value["conversation_id"], value["partial"])
    state.bot_id = value["bot_id"]
    state.position = value["position"]
    state.processable = value["processable"]
    state.latest = from_iso(value["latest"])
    if value["overtaken"]:
        before, first, size = value["overtaken"]
        state.overtaken = from_iso(before), first, size
    state.delivered = value["delivered"]
    if value["kept"]:
        state.kept = tuple(value["kept"].get(check.key) for check in CHECKS)
    lifecycle = value["machines"].pop("lifecycle")
    state.presence = Presence.from_json(lifecycle["presence"])
    state.absences = tuple(lifecycle["absences"])
    state.previous = lifecycle["previous"]
    elsewhere: dict[int, bytes] = {}
    segments: list[dict[str, Any]] = []
    for number, (name, connections, info, row, *kept) in enumerate(agents):
        segments += kept
        said = packed_info(*info) if info else b""
        state.agents[name] = HEAD.pack(number, connections, 0) + said
        if row is not None:
            elsewhere[number] = ROW.pack(*row)
    if value["last_row"] is not None:
        elsewhere[ALL] = ROW.pack(*value["last_row"])
    for name, session in value["machines"].items():
        if session is not None:
            MACHINES[name].from_json(state, session)
    state.messages = value["messages"]
    state.run_count = value["runs"]
    state.run_author, state.run_end = value["last_run"]
    state.rare = state.rare._replace(
        closed=value["closed"],
        elsewhere=elsewhere,
        strangers=value["strangers"] or None,
        segments=SegmentTracker.from_json(head, segments)
        if (head := value.get("segments"))
        else None,
    )
    return state


def _history_to_json(state: State, since: HistorySize) -> dict[str, Any]:
    """Return what was added to the history, as plain JSON types; empty if nothing was."""
    start = since.rows
    unlisted = (state.rare.unlisted or {}).items()
    said, sessions = said_at(state, start, since.agents), {}
    for name, session in sorted(state.sessions.items()):
        before = since.sessions.get(name, {})
        added = {key: each[before.get(key, 0) :] for key, each in _split(session)[1].items()}
        if any(added.values()):
            sessions[name] = added
    parts = {
        "rows": b64encode(state.rows[start * ROW.size :]).decode(),
        "participants": [[row - start, *ParticipantInfo.of(said[row])] for row in sorted(said)],
        "runs": [*_runs_since(state, since)] if state.runs else [],
        "unlisted": sorted(
            [row - start, author, count - since.unlisted.get((row, author), 0)]
            for (row, author), count in unlisted
            if count > since.unlisted.get((row, author), 0)
        ),
        "shared_times": (state.rare.shared_times or [])[since.times :],
        "after_end": [
            _late_to_json(each) for each in (state.rare.after_end or [])[since.after_end :]
        ],
        "dropped": (state.rare.dropped or [])[since.dropped :],
        "findings": [finding_to_json(finding) for finding in state.findings[since.findings :]],
        "sessions": sessions,
    }
    return {name: part for name, part in parts.items() if part}


def _runs_since(state: State, since: HistorySize) -> Iterator[Json]:
    """Yield the runs of messages that were added since a moment, as JSON values.

    They begin with the new messages of the run that was the last one.
    """
    begin = since.runs * SIZE
    for run in runs_in(state.runs[max(begin - SIZE, 0) : begin]):
        new = run.messages - since.messages
        if new:
            place, who = run.position + since.messages, run.author << 1
            yield StoredRun(place, run.delivery, run.last_at, who, new, run.last_at).to_json()
    for run in runs_in(state.runs[begin:]):
        yield run.to_json()


def _add_history(state: State, pieces: Iterable[dict[str, Any]]) -> None:
    """Put the history back into a state that has none of it, all pieces in order."""
    latest: dict[int, bytes] = {}
    sessions: dict[str, dict[str, list[Any]]] = {}
    for piece in pieces:
        start = len(state.rows) // ROW.size
        state.rows += b64decode(piece.get("rows", ""), validate=True)
        for row, *info in piece.get("participants", ()):
            agent = ROW.unpack_from(state.rows, (start + row) * ROW.size)[-1] >> AGENT_SHIFT
            state.note_change(start + row, latest.get(agent))
            latest[agent] = packed_info(*info)
        _add_messages(state, piece, start)
        _add_rare_lists(state, piece)
        state.add_findings([finding_from_json(each) for each in piece.get("findings", ())])
        for name, lists in piece.get("sessions", {}).items():
            for key, each in lists.items():
                sessions.setdefault(name, {}).setdefault(key, []).extend(each)
    for name, added in sessions.items():
        session, lists = _split(state.sessions[name])
        MACHINES[name].from_json(state, {**session, _HISTORY: {**lists, **added}})


def _late_to_json(event: LateEvent) -> list[Any]:
    """Return an event after END as plain JSON types."""
    info = list(ParticipantInfo.of(event.said)) if event.said else None
    return [*event[:4], to_iso(event.at), info, event.fingerprint]


def _late_from_json(value: Sequence[Any]) -> LateEvent:
    """Return the event that `_late_to_json` encoded."""
    position, kind, agent, delivery, at, info, known = value
    said = packed_info(*info) if info else b""
    return LateEvent(position, kind, agent, delivery, from_iso(at), said, known)


def _add_rare_lists(state: State, piece: dict[str, Any]) -> None:
    rare = state.rare
    late = [*(rare.after_end or ()), *map(_late_from_json, piece.get("after_end", ()))]
    dropped = [*(rare.dropped or ()), *map(tuple, piece.get("dropped", ()))]
    times = [*(rare.shared_times or ()), *piece.get("shared_times", ())]
    state.rare = rare._replace(
        after_end=late or None, dropped=dropped or None, shared_times=times or None
    )


def _add_messages(state: State, piece: dict[str, Any], start: int) -> None:
    """Add the messages of a piece of the history, before which there were `start` rows."""
    for run in piece.get("runs", ()):
        add_run(state.runs, StoredRun.from_json(run))
    if "unlisted" in piece:
        unlisted = dict(state.rare.unlisted or {})
        for row, author, count in piece["unlisted"]:
            key = start + row, author
            unlisted[key] = unlisted.get(key, 0) + count
        state.rare = state.rare._replace(unlisted=unlisted)


def _split(session: Any) -> tuple[Json, dict[str, list[Any]]]:  # noqa: ANN401 - of any machine
    """Return what judging needs of a session, and the lists of its history."""
    value = session.to_json()
    lists = value.get(_HISTORY, {}) if isinstance(value, dict) else {}
    if lists:
        value[_HISTORY] = {key: [] for key in lists}
    return value, lists
