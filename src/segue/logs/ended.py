"""Tombstones: what is kept of a conversation that has ended and been reported.

A tombstone is a few dozen bytes: how many events and actions there were, whether SG110 has been
reported, hashes of the last delivery's id and body where delivery ids are used, and where the
transcription stood, with a hash of who sent its last action.  An older delivery that is sent again
after the end is therefore not recognised.
"""

from hashlib import blake2b
from struct import Struct
from typing import Final, NamedTuple

from segue.engine import MACHINES, TRANSCRIPTION_MACHINE, State, delivery_key, restore_ended
from segue.events import ActionKind, Delivery, fingerprint
from segue.transcription import Session, TranscriptionState

_COUNTS: Final = Struct(f"<{len(MACHINES)}Q?")
_HASH_SIZE: Final = 8
_RECEIPT: Final = 2 * _HASH_SIZE
_SESSION: Final = Struct(f"<BB{_HASH_SIZE}s")
"""State of the transcription and kind of its last action, by number, and a hash of the agent."""
_STATES: Final = tuple(TranscriptionState)
_KINDS: Final = tuple(ActionKind)


class SavedConversation(NamedTuple):
    """All that a replayer keeps of one conversation, as bytes."""

    state: bytes | None
    """The snapshot, while it is open."""
    tombstone: bytes | None
    late: bytes | None
    """The snapshot of what came after the end."""


def pack(state: State, before: bytes = b"") -> bytes:
    """Return the tombstone of a conversation; `before` is the one it had until now."""
    positions = [machine.position(state) for machine in MACHINES.values()]
    counts = _COUNTS.pack(*positions, "SG110" in state.presence.reported_once)
    receipt, session = _parts(before)
    if state.delivered:
        identity, digest = next(reversed(state.delivered.items()))
        receipt = _hash(identity) + _hash(digest)
    last = TRANSCRIPTION_MACHINE.session(state).last
    if last is not None and last.agent:
        kind = _KINDS.index(last.command.kind)
        session = _SESSION.pack(_STATES.index(last.to), kind, _hash(last.agent))
    return counts + receipt + session


def _parts(tombstone: bytes) -> tuple[bytes, bytes]:
    """Return what is known of the last delivery, and of the transcription; either may be empty."""
    rest = tombstone[_COUNTS.size :]
    size = _RECEIPT if len(rest) >= _RECEIPT else 0
    return rest[:size], rest[size:]


def unpack(conversation_id: str, tombstone: bytes) -> State:
    """Return the state that late deliveries are applied to."""
    *positions, is_reported = _COUNTS.unpack_from(tombstone)
    state = restore_ended(conversation_id, is_reported=is_reported)
    for machine, position in zip(MACHINES.values(), positions, strict=True):
        machine.skip(state, position)
    return state


def restore(state: State, tombstone: bytes, delivery: Delivery) -> None:
    """Put back the last action, and the last delivery if this one has the same id."""
    receipt, session = _parts(tombstone)
    if session:
        _restore_session(TRANSCRIPTION_MACHINE.session(state), session, delivery)
    if not receipt or delivery.delivery_id is None:
        return
    identity = delivery_key(delivery.delivery_id, delivery.intake)
    if _hash(identity) != receipt[:_HASH_SIZE]:
        return
    digest = fingerprint(delivery.body)
    is_same = _hash(digest) == receipt[_HASH_SIZE:]
    state.delivered = {identity: digest if is_same else "", **(state.delivered or {})}


def _restore_session(session: Session, packed: bytes, delivery: Delivery) -> None:
    """Put back the last action, unless there has been another; its agent if this one has the same.

    It is empty otherwise, and so equal to none.
    """
    if session.last is not None and session.last.agent:
        return
    state, kind, agent_hash = _SESSION.unpack(packed)
    agents = (event.agent for event in delivery.events if _hash(event.agent) == agent_hash)
    session.restore_last(_STATES[state], _KINDS[kind], next(agents, ""))


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_SIZE).digest()
