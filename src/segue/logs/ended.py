"""Tombstones: what is kept of a conversation that has ended and been reported.

A tombstone is a few dozen bytes: how many events and actions there were, whether SG110 has been
reported, and hashes of the last delivery's id and body where delivery ids are used.  An older
delivery that is sent again after the end is therefore not recognised.
"""

from hashlib import blake2b
from struct import Struct
from typing import Final, NamedTuple

from segue.engine import MACHINES, State, delivery_key, restore_ended
from segue.events import Delivery, fingerprint

_COUNTS: Final = Struct(f"<{len(MACHINES)}Q?")
_HASH_SIZE: Final = 8


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
    if not state.delivered:
        return counts + before[_COUNTS.size :]
    identity, digest = next(reversed(state.delivered.items()))
    return counts + _hash(identity) + _hash(digest)


def unpack(conversation_id: str, tombstone: bytes) -> State:
    """Return the state that late deliveries are applied to."""
    *positions, is_reported = _COUNTS.unpack_from(tombstone)
    state = restore_ended(conversation_id, is_reported=is_reported)
    for machine, position in zip(MACHINES.values(), positions, strict=True):
        machine.skip(state, position)
    return state


def restore(state: State, tombstone: bytes, delivery: Delivery) -> None:
    """Put the last delivery back into the state if this one has the same id."""
    receipt = tombstone[_COUNTS.size :]
    if not receipt or delivery.delivery_id is None:
        return
    identity = delivery_key(delivery.delivery_id, delivery.intake)
    if _hash(identity) != receipt[:_HASH_SIZE]:
        return
    digest = fingerprint(delivery.body)
    is_same = _hash(digest) == receipt[_HASH_SIZE:]
    state.delivered = {identity: digest if is_same else "", **(state.delivered or {})}


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_SIZE).digest()
