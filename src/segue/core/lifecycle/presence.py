"""The agents present in a conversation, and the effect of events on them.

A `Presence` contains the numbers of agents in order of appearance, but no names, times or positions
of events. Conversations with different agents who play the same parts therefore have equal
presences.

`situation_of` converts a presence to the key of the lifecycle table. `apply` carries out the effect
that the table names.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from segue.core.events import EventKind
from segue.core.events.ids import one_spelling
from segue.core.lifecycle.phase import (
    PER_ROLE,
    PER_UNCERTAINTY,
    AgentRole,
    Phase,
    PresenceEffect,
    Uncertainty,
)

UNNAMED: Final = -1
"""The number of a primary whom no event has named."""

MOST_MEMOIZED: Final = 64
"""The number of consultants and awaited agents above which results are not memoized."""

INTRODUCING_KINDS: Final = frozenset(
    {EventKind.NA_ENTRY, EventKind.COLD_ENTRY, EventKind.WARM_ENTRY}
)
"""The entries that introduce an agent, whose identity is then used as it is spelled there."""


class Presence(NamedTuple):
    """The agents present in a conversation, and all other facts that decide which events are legal.

    A presence is an immutable, hashable value. It refers to agents by numbers, which are given in
    order of appearance, from 0.
    """

    phase: Phase = Phase.WAITING
    primary: int | None = None
    """The number of the agent in charge, `UNNAMED` if no event named the agent, or None without a
    primary.
    """
    consultants: tuple[int, ...] = ()
    """The numbers of the consultants in order of entry."""
    last: int | None = None
    """The number of the agent who last ceased to be the primary, or None."""
    pending_exits: tuple[tuple[int, AgentRole], ...] = ()
    """The absent agents whose exit may still come, each with the role `EXCUSED` or `OWED`."""
    replaced: tuple[tuple[int, int], ...] = ()
    """Pairs of an agent whose last entry was an offence and the primary whom that agent replaced.
    """
    consulted: tuple[int, ...] = ()
    """The absent agents whose latest exit was a WARM or redial exit of a consultant."""
    candidates: tuple[int, ...] = ()
    """The numbers of those consultants of whom one is the primary, but no event has told which.

    There are at least two of them, or none.
    """
    in_doubt: bool = False
    """Whether the last lifecycle event suggests that every agent has left."""
    na_entered: bool = False
    """Whether the conversation has had an NA entry."""
    early_summary: bool = False
    """Whether the last lifecycle event was a request for a summary that came too early."""
    begins_late: bool = False
    """Whether the log lacks the beginning, so that agents whom no event named may be present."""
    reported_once: tuple[str, ...] = ()
    """The codes of rules that have been reported and are not reported again in this conversation.
    """
    agents: int = 0
    """The number of agents named so far, which is also the number of the next new agent."""

    @classmethod
    def truncated_start(cls) -> "Presence":
        """Return the initial presence for a log that does not contain a conversation's beginning.

        The result has a primary of unknown identity, so any lifecycle event is accepted as the
        first one. Agents who are first seen leaving are taken to have been present.
        """
        return cls(phase=Phase.ACTIVE, primary=UNNAMED, begins_late=True)

    def renumbered(self, agent: int) -> "Presence":
        """Return an equivalent presence in which all agents except `agent` have canonical numbers.

        The other agents are numbered in the order in which the fields mention them. Two presences
        that differ only in the numbers of these agents thus become equal.
        """
        numbers: dict[int, int] = {UNNAMED: UNNAMED, agent: agent}

        def new(old: int) -> int:
            return numbers.setdefault(old, agent + len(numbers) - 1)

        return self._replace(
            primary=None if self.primary is None else new(self.primary),
            consultants=tuple([new(each) for each in self.consultants]),
            last=None if self.last is None else new(self.last),
            pending_exits=tuple(sorted([(new(each), role) for each, role in self.pending_exits])),
            replaced=tuple(sorted([(new(one), new(two)) for one, two in self.replaced])),
            consulted=tuple(sorted([new(each) for each in self.consulted])),
            candidates=tuple([new(each) for each in self.candidates]),
        )

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Presence":
        """Return the presence stored as a JSON object, whose keys are the names of the fields."""
        return cls(**value)._replace(
            phase=Phase(value["phase"]),
            consultants=tuple(value["consultants"]),
            pending_exits=tuple((agent, AgentRole(role)) for agent, role in value["pending_exits"]),
            replaced=tuple((agent, other) for agent, other in value["replaced"]),
            consulted=tuple(value["consulted"]),
            candidates=tuple(value["candidates"]),
            reported_once=tuple(value["reported_once"]),
        )

    @property
    def present(self) -> tuple[int, ...]:
        """The numbers of the named agents who are present, the primary first."""
        if self.primary is None or self.primary == UNNAMED:
            return self.consultants
        return (self.primary, *self.consultants)


def is_possible(presence: Presence) -> bool:
    """Return whether the fields of a presence are consistent with each other.

    For example, the same agent must not be both the primary and a consultant. `apply` requires a
    consistent presence.
    """
    phase, primary, others = presence.phase, presence.primary, presence.consultants
    awaited = [agent for agent, _ in presence.pending_exits]
    mentioned = {*others, *awaited, *presence.consulted, *sum(presence.replaced, ())}
    mentioned |= {each for each in (primary, presence.last) if each is not None} - {UNNAMED}
    is_held = phase in {Phase.ACTIVE, Phase.CONSULTING}
    return (
        all(0 <= agent < presence.agents for agent in mentioned)
        and len({primary, *others, *awaited}) == 1 + len(others) + len(awaited)
        and is_held is (primary is not None)
        and bool(others) <= (phase in {Phase.CONSULTING, Phase.TRANSFERRING})
        and bool(others) >= (phase is Phase.CONSULTING)
        and not (mentioned and phase is Phase.WAITING)
        and _are_possible(presence.candidates, primary, others)
    )


def _are_possible(
    candidates: tuple[int, ...], primary: int | None, consultants: tuple[int, ...]
) -> bool:
    """Return whether the candidates are consultants without a named primary, each one once."""
    return not candidates or (
        primary == UNNAMED
        and {*candidates} <= {*consultants}
        and len({*candidates}) == len(candidates) > 1
    )


ValueT = TypeVar("ValueT")


class Identities(dict[str, ValueT]):
    """A value for each identity of a conversation, found in any letter case. None is ever removed.

    The index of letter cases is made when it is first needed, so that most conversations have none.
    """

    __slots__ = ("_count", "_index")

    def __init__(self, *known: Mapping[str, ValueT]) -> None:
        super().__init__(*known)
        self._index: dict[str, list[str]] = {}
        self._count = 0

    def __copy__(self) -> "Identities[ValueT]":
        """Return a copy with an index of its own."""
        return Identities(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the identities without the index."""
        return Identities, (dict(self),)

    def alike(self, spelling: str) -> list[str]:
        """Return the identities that differ from `spelling` in letter case or as UUIDs at most."""
        if self._count < len(self):
            for identity in islice(self, self._count, None):
                self._index.setdefault(_folded(identity), []).append(identity)
            self._count = len(self)
        return self._index.get(_folded(spelling), [])


def resolve(known: Mapping[str, object], kind: EventKind, spelling: str) -> str:
    """Return the agent identity in `known` that `spelling` refers to, ignoring letter case.

    Return `spelling` itself if no identity or more than one matches. An entry that introduces an
    agent defines the spelling, so it is returned unchanged for such a `kind`.
    """
    if spelling in known or not spelling or kind in INTRODUCING_KINDS:
        return spelling
    if isinstance(known, Identities):
        alike = known.alike(spelling)
    else:
        folded = _folded(spelling)
        alike = [agent for agent in known if _folded(agent) == folded]
    return alike[0] if len(alike) == 1 else spelling


def _folded(identity: str) -> str:
    return one_spelling(identity).casefold()


def situation_of(presence: Presence, agent: int | None) -> int:
    """Return the index under which the lifecycle table has the cells for an event of `agent`.

    The index is a `Situation.number`. `agent` is the number of an agent, or None for an event
    without an agent.
    """
    others = len(presence.consultants)
    role = AgentRole.ABSENT
    if agent is not None:
        pending = dict(presence.pending_exits)
        if agent == presence.primary:
            is_reliever = dict(presence.replaced).get(agent) in pending
            role = AgentRole.RELIEVER if is_reliever else AgentRole.PRIMARY
        elif agent in presence.consultants:
            others -= 1
            role = _consulting_role(presence, agent)
        elif agent in pending:
            role = pending[agent]
        elif presence.begins_late and agent >= presence.agents:
            role = AgentRole.UNSEEN
        elif agent in presence.consulted and _is_consulting_again(presence):
            role = AgentRole.CONSULTED
        elif agent == presence.last:
            role = AgentRole.LAST
    return role * PER_ROLE + _uncertainty(presence) * PER_UNCERTAINTY + min(others, 2)


def _consulting_role(presence: Presence, agent: int) -> AgentRole:
    match presence.candidates:
        case (one, other) if agent in {one, other}:
            return AgentRole.ONE_OF_TWO
        case _:
            return AgentRole.CONSULTANT


_PRIMARY_EXPECTED: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING, Phase.TRANSFERRING})


def _is_consulting_again(presence: Presence) -> bool:
    """Return whether a former consultant who reconnects is a consultant again.

    Of an unnamed primary in a complete log it is not certain that the agent is still present.
    """
    if presence.begins_late:
        return presence.primary is not None
    return _is_held(presence)


def _is_held(presence: Presence) -> bool:
    """Return whether a named agent is the primary, who is the agent in charge."""
    return presence.primary is not None and presence.primary != UNNAMED


def _uncertainty(presence: Presence) -> Uncertainty:
    found = Uncertainty.NONE
    if presence.phase in _PRIMARY_EXPECTED:
        if presence.primary == UNNAMED:
            found |= Uncertainty.UNNAMED
        if presence.in_doubt:
            found |= Uncertainty.DOUBTED
    return found


def apply(
    presence: Presence, effect: PresenceEffect, agent: int | None, *, is_offence: bool
) -> Presence:
    """Return the presence after an event that has the given effect. The phase is unchanged.

    Args:
        presence: The agents present before the event.
        effect: The effect that the lifecycle table gives to the event.
        agent: The number of the event's agent, or None for an event without an agent.
        is_offence: Whether the event broke a rule. Only then does the result record the primary
            whom the agent replaced, so that a later event can undo the replacement.

    """
    assert agent is not None or effect in _WITHOUT_AGENT, "the effect needs an agent"
    number = _NO_AGENT if agent is None else agent
    after = _EFFECTS[effect](presence, number)
    if after.candidates and after.primary != UNNAMED:
        after = after._replace(candidates=())
    before = presence.primary
    if is_offence and effect in _REPLACING and before is not None and before != UNNAMED:
        pairs = dict(after.replaced) | {number: before}
        return after._replace(replaced=tuple(sorted(pairs.items())))
    return after


_NO_AGENT: Final = -2
"""A placeholder for the agent of an event without an agent."""
_WITHOUT_AGENT: Final = frozenset(
    {
        PresenceEffect.NONE,
        PresenceEffect.UNNAME,
        PresenceEffect.PROMOTE,
        PresenceEffect.DEPART,
        PresenceEffect.DISMISS,
        PresenceEffect.RECONNECT,
        PresenceEffect.FINISH,
    }
)
"""The effects that do not depend on the agent of the event."""
_REPLACING: Final = frozenset({PresenceEffect.TAKE_EXCUSING, PresenceEffect.TAKE_OWING})
"""The effects by which the agent of the event replaces the primary."""

# The effects. Each takes the presence and the number of the event's agent.


def _unchanged(presence: Presence, _agent: int) -> Presence:
    return presence


def _take(presence: Presence, agent: int) -> Presence:
    """Make the agent the primary."""
    return _without(_entered(presence, agent)._replace(primary=agent), agent)


def _take_excusing(presence: Presence, agent: int) -> Presence:
    """Make the agent the primary. The exit of the replaced primary may still come."""
    return _take(_excused(presence, presence.primary), agent)


def _take_owing(presence: Presence, agent: int) -> Presence:
    """Make the agent the primary. The COLD exit of the replaced primary may still come."""
    assert presence.primary not in {None, UNNAMED}, "a named primary owes an exit"
    return _take(_awaiting(presence, AgentRole.OWED, presence.primary), agent)


def _join(presence: Presence, agent: int) -> Presence:
    """Add the agent to the consultants."""
    return _entered(presence, agent)._replace(consultants=(*presence.consultants, agent))


def _join_unnamed(presence: Presence, agent: int) -> Presence:
    """Add the agent to the consultants, and set the primary to an agent of unknown identity."""
    return _join(presence, agent)._replace(primary=UNNAMED)


def _without(presence: Presence, agent: int) -> Presence:
    """Remove the agent from the consultants."""
    if agent not in presence.consultants:
        return presence
    return presence._replace(
        consultants=tuple([other for other in presence.consultants if other != agent]),
        candidates=tuple([other for other in presence.candidates if other != agent]),
    )


def _unname(presence: Presence, _agent: int) -> Presence:
    """Set the primary to one of the consultants, or without any to an agent of unknown identity."""
    return presence._replace(primary=UNNAMED, candidates=presence.consultants)


def _promote(presence: Presence, _agent: int) -> Presence:
    """Make the only consultant the primary."""
    (primary,) = presence.consultants
    return presence._replace(primary=primary, consultants=())


def _settle(presence: Presence, agent: int) -> Presence:
    """Remove one of two candidates from the consultants, and make the other one the primary."""
    after = _without(presence, agent)
    (primary,) = after.candidates
    return _without(after._replace(primary=primary), primary)


def _restore(presence: Presence, agent: int) -> Presence:
    """Undo a replacement: the primary whom `agent` replaced becomes the primary again."""
    replaced = dict(presence.replaced)
    primary = replaced.pop(agent)
    restored = presence._replace(primary=primary, replaced=tuple(replaced.items()))
    return _consume(restored, primary)


def _transfer(presence: Presence, agent: int) -> Presence:
    """Remove `agent`, who left by a COLD exit, so that there is no primary until the next entry."""
    if presence.primary != agent:
        presence = _excused(presence, presence.primary)
    return _without(presence._replace(primary=None, last=agent), agent)


def _release(presence: Presence, agent: int) -> Presence:
    """Remove all agents because `agent` left by an NA exit, which the last agent sends.

    The exits of the other agents may still come.
    """
    presence = _excused(presence, *(other for other in presence.present if other != agent))
    return presence._replace(primary=None, last=agent, consultants=())


def _depart(presence: Presence, agent: int) -> Presence:
    """Remove all agents. Their exits may still come."""
    return _finish(_excused(presence, *presence.present), agent)


def _dismiss(presence: Presence, _agent: int) -> Presence:
    """Remove all consultants. Their exits may still come."""
    return _excused(presence, *presence.consultants)._replace(consultants=())


def _consume(presence: Presence, agent: int) -> Presence:
    """Remove `agent`, whose exit has come, from the pending exits."""
    pending = dict(presence.pending_exits)
    del pending[agent]
    return presence._replace(pending_exits=tuple(pending.items()))


def _finish(presence: Presence, _agent: int) -> Presence:
    """Remove all agents, without waiting for their exits."""
    last = presence.primary if _is_held(presence) else presence.last
    return presence._replace(primary=None, last=last, consultants=())


# Steps that several effects share.


def _entered(presence: Presence, agent: int) -> Presence:
    """Remove an agent who enters from the pending exits and from the replacements."""
    return presence._replace(
        pending_exits=tuple([pair for pair in presence.pending_exits if pair[0] != agent]),
        replaced=tuple([pair for pair in presence.replaced if agent not in pair]),
    )


def _excused(presence: Presence, *agents: int | None) -> Presence:
    """Add these agents to the pending exits with the role `EXCUSED`."""
    return _awaiting(presence, AgentRole.EXCUSED, *agents)


def _awaiting(presence: Presence, role: AgentRole, *agents: int | None) -> Presence:
    """Add these agents to the pending exits with this role. Agents without a name are skipped."""
    named = [agent for agent in agents if agent is not None and agent != UNNAMED]
    if not named:
        return presence
    pending = dict(presence.pending_exits) | dict.fromkeys(named, role)
    return presence._replace(pending_exits=tuple(sorted(pending.items())))


_EffectOn: TypeAlias = Callable[[Presence, int], Presence]
_EFFECTS: Final[dict[PresenceEffect, _EffectOn]] = {
    PresenceEffect.NONE: _unchanged,
    PresenceEffect.TAKE: _take,
    PresenceEffect.TAKE_EXCUSING: _take_excusing,
    PresenceEffect.TAKE_OWING: _take_owing,
    PresenceEffect.JOIN: _join,
    PresenceEffect.JOIN_UNNAMED: _join_unnamed,
    PresenceEffect.LEAVE: _without,
    PresenceEffect.UNNAME: _unname,
    PresenceEffect.PROMOTE: _promote,
    PresenceEffect.RESTORE: _restore,
    PresenceEffect.TRANSFER: _transfer,
    PresenceEffect.RELEASE: _release,
    PresenceEffect.DEPART: _depart,
    PresenceEffect.DISMISS: _dismiss,
    PresenceEffect.RECONNECT: _unchanged,
    PresenceEffect.CONSUME: _consume,
    PresenceEffect.FINISH: _finish,
    PresenceEffect.SETTLE: _settle,
}
