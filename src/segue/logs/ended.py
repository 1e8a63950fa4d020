"""Tombstones: compact records of conversations that have ended and been reported.

A tombstone is a byte string of 9 to 43 bytes. With it, deliveries that arrive after the END can
still be checked. It contains:

- the numbers of events and of transcription actions,
- whether SG110 has been reported,
- hashes of the id and the body of the last delivery, if that has an id,
- the state of the transcription, with a hash of the agent of its last action,
- the state of the call, with a hash of its last notification.

Two limitations follow. A repetition of an older delivery after the END is not recognized. An agent
whose id is written in two letter cases after the END counts as two agents.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from hashlib import blake2b
from struct import Struct
from typing import Any, Final, NamedTuple

from segue.core.conversation import Note
from segue.core.engine import (
    MACHINES,
    TRANSCRIPTION_MACHINE,
    State,
    delivery_key,
    rare_machines,
    restore_ended,
)
from segue.core.events import HOOKS, ActionKind, Delivery, EventKind
from segue.core.lifecycle import resolve
from segue.core.transcription import AppliedAction, TranscriptionState
from segue.logs.native import KeptConversation
from segue.logs.source_names import SourceChange

_COUNTS: Final = Struct(f"<{len(MACHINES)}IB")
"""The number of events that each state machine has processed, and a byte of flags.

The flags tell whether SG110 has been reported and which optional parts follow.
"""
_REPORTED: Final = 1 << 7
_HASH_SIZE: Final = 6
_RECEIPT: Final = 2 * _HASH_SIZE
_SESSION: Final = Struct(f"<B{_HASH_SIZE}s")
"""The state of the transcription and the kind of its last action, combined into one number, and a
hash of that action's agent.
"""
_COUNT: Final = Struct("<I")
"""The number of events that a rarely used state machine has processed. Its mark follows."""
_SIZES: Final = (_RECEIPT, _SESSION.size)
_NO_PARTS: Final = (b"",) * (len(_SIZES) + 1)
_STATE_SIZE: Final = 1_400
_AGENT_SIZE: Final = 800
_ENTRY_SIZE: Final = 280
_RECEIPT_SIZE: Final = 260
_FINDING_SIZE: Final = 1_000
_ACTION_SIZE: Final = 500
"""The sizes in memory of a state and of what it contains, in bytes, as measured on CPython 3.11."""
_IN_ANY_CASE: Final = "\0"
"""The prefix of a case-folded agent id before hashing. Agent ids never contain it."""
_STATES: Final = tuple(TranscriptionState)
_KINDS: Final = tuple(ActionKind)


class SavedConversation(NamedTuple):
    """A serialized conversation, returned by `Replayer.save` and accepted by `Replayer.resume`."""

    state: bytes | None
    """The snapshot of the conversation's state, or None if there was no delivery."""
    is_reported: bool
    """Whether the conversation has ended and been reported."""
    is_late: bool
    """Whether something came after the END, so that each later change needs another report."""
    is_due: bool
    """Whether deliveries came since the report, so that another report replaces it."""


class EndedConversation(NamedTuple):
    """A conversation that has ended, as it is kept in the window of a replay."""

    content: Any
    """The state, or data from which a replayer can make it."""
    source: str
    """The name of the log that contains the end."""
    log: int
    """The number of that log."""
    notes: Sequence[Note] = ()
    changes: Sequence[SourceChange] = ()
    """The points at which the conversation continued in another log, if there are any."""
    is_late: bool = False
    """Whether something came after the end."""
    events_before: int = 0
    """The number of events that were reported before, if something came after the end."""


@dataclass(slots=True, eq=False)
class LateConversation:
    """A conversation to which a delivery came after its END."""

    state: State
    """The state of the conversation, or, if it had left the window, that of what came after."""
    notes: list[Note]
    changes: list[SourceChange]
    """The logs in which the conversation continues. Empty if it had left the window."""
    _: KW_ONLY
    is_whole: bool
    ended_at: int = 0
    """The number of events of the log up to the end. 0 if it had left the window."""
    events_before: int = 0
    """The number of events that have been reported."""
    tombstone: bytes = b""
    """The record of the conversation if it had left the window."""
    is_due: bool = False
    """Whether something came that no report contains."""


def copied(state: State) -> State:
    """Return a copy of a state. Changes to either leave the other unchanged."""
    copy: State = pickle.loads(pickle.dumps(state, pickle.HIGHEST_PROTOCOL))  # noqa: S301 - ours
    return copy


def size_of(state: State) -> int:
    """Return the approximate size of a state in memory, in bytes."""
    size = _STATE_SIZE + len(state.previous or b"")
    size += _AGENT_SIZE * len(state.agents) + _ENTRY_SIZE * len(state.entries)
    size += _RECEIPT_SIZE * len(state.delivered or ()) + _FINDING_SIZE * len(state.findings)
    actions: int = sum(session.position for session in state.sessions.values())
    return size + _ACTION_SIZE * actions


def pack(state: State, before: bytes = b"") -> bytes:
    """Return the tombstone (a compact record) of an ended conversation with this state.

    Args:
        state: The state of the conversation.
        before: The conversation's previous tombstone. Pass it if a delivery after the END has
            changed the state.

    """
    positions = [machine.position(state) for machine in MACHINES.values()]
    receipt, session, rare = _parts(before) if before else _NO_PARTS
    if state.delivered:
        identity, digest = next(reversed(state.delivered.items()))
        receipt = _hash(identity) + _hash(digest)
    last = TRANSCRIPTION_MACHINE.session(state).last
    if last is not None and last.agent:
        session = _pack_session(last, last.agent, state.agents)
    if state.sessions.keys() - MACHINES.keys():
        rare = b"".join(_pack_rare(state, rare))
    parts = (receipt, session, rare)
    flags = _REPORTED if "SG110" in state.presence.reported_once else 0
    return _packed(positions, parts, flags)


def pack_kept(kept: KeptConversation) -> bytes:
    """Return the tombstone of an ended conversation that the native accelerator has read."""
    receipt = session = b""
    if kept.receipts:
        intake, delivery_id, digest = kept.receipts[-1]
        receipt = _hash(delivery_key(delivery_id, intake)) + _hash(digest)
    last = TRANSCRIPTION_MACHINE.session(kept.example).last
    if last is not None:
        session = _pack_session(last, kept.agents[int(last.agent)], kept.agents)
    return _packed(kept.sizes, (receipt, session, b""))


def _packed(positions: Iterable[int], parts: tuple[bytes, ...], flags: int = 0) -> bytes:
    flags |= sum(1 << number for number, part in enumerate(parts) if part)
    return _COUNTS.pack(*positions, flags) + b"".join(parts)


def _pack_session(last: AppliedAction, agent: str, known: Iterable[str]) -> bytes:
    number = _STATES.index(last.to) * len(_KINDS) + _KINDS.index(last.kind)
    return _SESSION.pack(number, _hash(_spelling(known, agent)))


def _pack_rare(state: State, before: bytes) -> Iterator[bytes]:
    """Yield the packed state of each rarely used state machine, such as that of the call.

    It consists of two byte strings: the number of events, and the machine's own record (its mark).
    `before` contains the same data from the previous tombstone.
    """
    here = 0
    for machine in rare_machines():
        there = here + _COUNT.size + machine.mark_size
        yield _COUNT.pack(machine.position(state))
        yield machine.mark(state, before[here + _COUNT.size : there], _hash)
        here = there


def _restore_rare(state: State, packed: bytes, delivery: Delivery) -> None:
    """Restore the rarely used state machines in `state`, before `delivery` is applied to it.

    A machine that has processed events since the tombstone was made is left unchanged.
    """
    here = 0
    for machine in rare_machines():
        (position,) = _COUNT.unpack_from(packed, here)
        here += _COUNT.size + machine.mark_size
        if machine.position(state) <= position:
            machine.skip(state, position)
            machine.restore_mark(state, packed[here - machine.mark_size : here], delivery, _hash)


def _spelling(known: Iterable[str], agent: str) -> str:
    """Return the spelling of the id `agent` that the tombstone hashes.

    Agent ids may later be written in another case if that is unambiguous: exactly one of the
    `known` ids equals `agent` regardless of case. The result is then the case-folded id with a
    prefix. Otherwise it is `agent` itself.
    """
    folded = agent.casefold()
    alike = [each for each in known if each.casefold() == folded]
    return _IN_ANY_CASE + folded if len(alike) == 1 else agent


def _parts(tombstone: bytes) -> tuple[bytes, ...]:
    """Split a tombstone into its optional parts, where a missing part is empty.

    The parts are the hashes of the last delivery, the state of the transcription, and the rarely
    used state machines.
    """
    here, parts = _COUNTS.size, []
    flags = tombstone[here - 1]
    for number, size in enumerate(_SIZES):
        there = here + size if flags >> number & 1 else here
        parts.append(tombstone[here:there])
        here = there
    return (*parts, tombstone[here:])


def events_until_end(tombstone: bytes) -> int:
    """Return the number of events that a conversation had until its END, including the END."""
    number: int = _COUNTS.unpack_from(tombstone)[tuple(MACHINES).index(HOOKS.machine)]
    return number


def unpack(conversation_id: str, tombstone: bytes) -> State:
    """Create a conversation's state from its tombstone, in order to check late deliveries.

    A late delivery is one that arrives after the conversation's END. Call `restore` before each one
    is applied to the state.
    """
    *positions, flags = _COUNTS.unpack_from(tombstone)
    state = restore_ended(conversation_id, is_reported=bool(flags & _REPORTED))
    for machine, position in zip(MACHINES.values(), positions, strict=True):
        machine.skip(state, position)
    return state


def restore(state: State, tombstone: bytes, delivery: Delivery) -> None:
    """Restore the last actions and the last delivery in `state`, before `delivery` is applied.

    The tombstone contains only hashes of ids and agents, so those named in `delivery` are compared
    with them.
    """
    receipt, session, rare = _parts(tombstone)
    if rare:
        _restore_rare(state, rare, delivery)
    if session:
        _restore_session(state, session, delivery)
    if not receipt or delivery.delivery_id is None:
        return
    identity = delivery_key(delivery.delivery_id, delivery.intake)
    if _hash(identity) != receipt[:_HASH_SIZE]:
        return
    found = delivery.fingerprint
    is_same = _hash(found) == receipt[_HASH_SIZE:]
    state.delivered = {identity: found if is_same else "", **(state.delivered or {})}


def _restore_session(state: State, packed: bytes, delivery: Delivery) -> None:
    """Restore the last transcription action, unless the state has a more recent one.

    The tombstone contains only a hash of the action's agent. If `delivery` names an agent with this
    hash, the action gets this agent. Otherwise its agent is an empty string, which equals no agent.
    """
    session = TRANSCRIPTION_MACHINE.session(state)
    if session.last is not None and session.last.agent:
        return
    number, agent_hash = _SESSION.unpack(packed)
    before, kind = divmod(number, len(_KINDS))
    agents = (
        resolve(state.agents, EventKind.MESSAGE, event.agent)
        for event in delivery.events
        if agent_hash in {_hash(event.agent), _hash(_IN_ANY_CASE + event.agent.casefold())}
    )
    session.restore_last(_STATES[before], _KINDS[kind], next(agents, ""))


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_SIZE).digest()
