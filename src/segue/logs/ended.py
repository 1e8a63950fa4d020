"""Tombstones: compact records of conversations that have ended and been reported.

A tombstone has 9 to 62 bytes. It holds the numbers of events and actions, whether SG110 has been
reported, the mistake that explains later errors, hashes of the id and body of the last delivery (if
it has an id), the state of the transcription with a hash of the agent of its last action, and the
state of the call with a hash of its last notification. Two limitations follow. An older delivery
that is repeated after the END is not recognized, and an agent whose id comes after the END in two
letter cases counts as two.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from struct import Struct
from typing import Final, NamedTuple

from segue.core.engine import (
    MACHINES,
    TRANSCRIPTION_MACHINE,
    State,
    delivery_key,
    rare_machines,
    restore_ended,
)
from segue.core.events import HOOKS, ActionKind, Delivery, EventKind
from segue.core.findings import BY_CODE, Place, Root
from segue.core.lifecycle import resolve
from segue.core.roots import LATE_MARKS, RootTracker
from segue.core.transcription import AppliedAction, TranscriptionState
from segue.logs.native import KeptConversation

_COUNTS: Final = Struct(f"<{len(MACHINES)}IB")
"""The number of events placed by each machine, and flags for SG110 and for each optional part."""
_REPORTED: Final = 1 << 7
_ROOT: Final = Struct(f"<BIIBB{LATE_MARKS}H")
"""The number of the rule, event, line (0 if unknown; its fifth byte is separate), number of marks,
and the marks. If the number of marks is 255, every later error follows from the mistake.
"""
_RULES: Final = tuple(BY_CODE)
_ANY: Final = 255
_HASH_SIZE: Final = 6
_RECEIPT: Final = 2 * _HASH_SIZE
_SESSION: Final = Struct(f"<B{_HASH_SIZE}s")
"""A number for the transcription's state and the kind of its last action, and a hash of its agent.
"""
_COUNT: Final = Struct("<I")
"""The number of events placed by a machine that few logs use. Its mark follows."""
_SIZES: Final = (_ROOT.size, _RECEIPT, _SESSION.size)
_NO_PARTS: Final = (b"",) * (len(_SIZES) + 1)
_IN_ANY_CASE: Final = "\0"
"""The prefix of a name in folded case. No identity contains it."""
_STATES: Final = tuple(TranscriptionState)
_KINDS: Final = tuple(ActionKind)


class SavedConversation(NamedTuple):
    """Everything that a replayer keeps of one conversation, as bytes."""

    state: bytes | None
    """The snapshot, if the conversation is open."""
    tombstone: bytes | None
    late: bytes | None
    """The snapshot of the state for late deliveries."""


def pack(state: State, before: bytes = b"") -> bytes:
    """Return the tombstone of a conversation. `before` is its previous one."""
    positions = [machine.position(state) for machine in MACHINES.values()]
    _, receipt, session, rare = _parts(before) if before else _NO_PARTS
    if state.delivered:
        identity, digest = next(reversed(state.delivered.items()))
        receipt = _hash(identity) + _hash(digest)
    last = TRANSCRIPTION_MACHINE.session(state).last
    if last is not None and last.agent:
        session = _pack_session(last, last.agent, state.agents)
    if state.sessions.keys() - MACHINES.keys():
        rare = b"".join(_pack_rare(state, rare))
    parts = (_pack_root(state.tracker), receipt, session, rare)
    flags = _REPORTED if "SG110" in state.presence.reported_once else 0
    return _packed(positions, parts, flags)


def pack_kept(kept: KeptConversation) -> bytes:
    """Return the tombstone of a conversation that the accelerator has kept."""
    receipt = session = b""
    if kept.receipts:
        intake, delivery_id, digest = kept.receipts[-1]
        receipt = _hash(delivery_key(delivery_id, intake)) + _hash(digest)
    last = TRANSCRIPTION_MACHINE.session(kept.example).last
    if last is not None:
        session = _pack_session(last, kept.agents[int(last.agent)], kept.agents)
    return _packed(kept.sizes, (b"", receipt, session, b""))


def _packed(positions: Iterable[int], parts: tuple[bytes, ...], flags: int = 0) -> bytes:
    flags |= sum(1 << number for number, part in enumerate(parts) if part)
    return _COUNTS.pack(*positions, flags) + b"".join(parts)


def _pack_session(last: AppliedAction, agent: str, known: Iterable[str]) -> bytes:
    number = _STATES.index(last.to) * len(_KINDS) + _KINDS.index(last.kind)
    return _SESSION.pack(number, _hash(_spelling(known, agent)))


def _pack_rare(state: State, before: bytes) -> Iterator[bytes]:
    """Yield the positions and marks of the machines that few logs use."""
    here = 0
    for machine in rare_machines():
        there = here + _COUNT.size + machine.mark_size
        yield _COUNT.pack(machine.position(state))
        yield machine.mark(state, before[here + _COUNT.size : there], _hash)
        here = there


def _restore_rare(state: State, packed: bytes, delivery: Delivery) -> None:
    """Restore these machines before a late delivery, except those with later events."""
    here = 0
    for machine in rare_machines():
        (position,) = _COUNT.unpack_from(packed, here)
        here += _COUNT.size + machine.mark_size
        if machine.position(state) <= position:
            machine.skip(state, position)
            machine.restore_mark(state, packed[here - machine.mark_size : here], delivery, _hash)


def _spelling(known: Iterable[str], agent: str) -> str:
    """Return the agent in the letter case in which a later action must name it.

    The case is folded if exactly one known agent matches, because any case is then accepted.
    """
    folded = agent.casefold()
    alike = [each for each in known if each.casefold() == folded]
    return _IN_ANY_CASE + folded if len(alike) == 1 else agent


def _parts(tombstone: bytes) -> tuple[bytes, ...]:
    """Return the optional parts: mistake, last delivery, transcription, and rare machines."""
    here, parts = _COUNTS.size, []
    flags = tombstone[here - 1]
    for number, size in enumerate(_SIZES):
        there = here + size if flags >> number & 1 else here
        parts.append(tombstone[here:there])
        here = there
    return (*parts, tombstone[here:])


def _pack_root(roots: RootTracker | None) -> bytes:
    if roots is None or roots.root is None:
        return b""
    root, late = roots.root, roots.late
    marks = (*(late or ()), *[0] * LATE_MARKS)[:LATE_MARKS]
    number, place = _RULES.index(root.code), root.place
    above, line = divmod(place.line or 0, 1 << 32)
    count = _ANY if late is None else len(late)
    return _ROOT.pack(number, place.event or 0, line, above, count, *marks)


def _unpack_root(roots: RootTracker, packed: bytes) -> None:
    number, event, line, above, count, *marks = _ROOT.unpack(packed)
    place = Place(event, line=(above << 32 | line) or None)
    roots.root = Root(_RULES[number], place)
    roots.late = None if count == _ANY else tuple(marks[:count])


def events_until_end(tombstone: bytes) -> int:
    """Return the number of events of a conversation up to its END, inclusive."""
    number: int = _COUNTS.unpack_from(tombstone)[tuple(MACHINES).index(HOOKS.machine)]
    return number


def unpack(conversation_id: str, tombstone: bytes) -> State:
    """Return the state to which late deliveries are applied."""
    *positions, flags = _COUNTS.unpack_from(tombstone)
    state = restore_ended(conversation_id, is_reported=bool(flags & _REPORTED))
    for machine, position in zip(MACHINES.values(), positions, strict=True):
        machine.skip(state, position)
    root, *_ = _parts(tombstone)
    if root:
        _unpack_root(state.roots, root)
    return state


def restore(state: State, tombstone: bytes, delivery: Delivery) -> None:
    """Restore the last action, and the last delivery if `delivery` has the same id."""
    _, receipt, session, rare = _parts(tombstone)
    if rare:
        _restore_rare(state, rare, delivery)
    if session:
        _restore_session(state, session, delivery)
    if not receipt or delivery.delivery_id is None:
        return
    identity = delivery_key(delivery.delivery_id, delivery.intake)
    if _hash(identity) != receipt[:_HASH_SIZE]:
        return
    digest = delivery.digest
    is_same = _hash(digest) == receipt[_HASH_SIZE:]
    state.delivered = {identity: digest if is_same else "", **(state.delivered or {})}


def _restore_session(state: State, packed: bytes, delivery: Delivery) -> None:
    """Restore the last action, unless there has been another.

    Its agent is restored if the delivery names the same one. Otherwise it is empty, and equals no
    agent.
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
