"""Tombstones: what stays of a conversation that has ended and been reported.

It decides what later deliveries of the same conversation can be judged by: how many events and
actions there were, whether SG110 has been reported, and the last delivery by its id and body, in
use of ids only.  House rule: a tombstone is bytes, of a few dozens; whoever redelivers something
older than the last delivery with an id finds it forgotten.

It refuses to know rules: the fold judges.
"""

from hashlib import blake2b
from struct import Struct
from typing import Final, NamedTuple

from segue.engine import State, revive, scoped
from segue.events import Delivery, fingerprint

__all__ = ["SavedConversation", "bury", "exhume", "recall"]

_COUNTS: Final = Struct("<QI?")
_HASH_SIZE: Final = 8


class SavedConversation(NamedTuple):
    """All that a replayer keeps of one conversation, as bytes."""

    state: bytes | None
    """The snapshot of what is open."""
    tombstone: bytes | None
    late: bytes | None
    """The snapshot of what came after the end."""


def bury(state: State, before: bytes = b"") -> bytes:
    """Return what stays of a conversation; `before` is what stayed of it before."""
    actions = 0 if state.session is None else state.session.position
    counts = _COUNTS.pack(state.position, actions, "SG110" in state.told)
    if not state.delivered:
        return counts + before[_COUNTS.size :]
    identity, digest = next(reversed(state.delivered.items()))
    return counts + _hash(identity) + _hash(digest)


def exhume(conversation_id: str, tombstone: bytes) -> State:
    """Return the state that something late is fed to."""
    position, actions, told = _COUNTS.unpack_from(tombstone)
    return revive(conversation_id, position, told=told, actions=actions)


def recall(state: State, tombstone: bytes, delivery: Delivery) -> None:
    """Remind the state of the last delivery if this one claims, by its id, to be the same."""
    receipt = tombstone[_COUNTS.size :]
    if not receipt or delivery.delivery_id is None:
        return
    identity = scoped(delivery.delivery_id, delivery.intake)
    if _hash(identity) != receipt[:_HASH_SIZE]:
        return
    digest = fingerprint(delivery.body)
    is_same = _hash(digest) == receipt[_HASH_SIZE:]
    state.delivered = {identity: digest if is_same else "", **(state.delivered or {})}


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_SIZE).digest()
