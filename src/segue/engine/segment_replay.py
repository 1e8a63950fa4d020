"""The account: who was present in a conversation, drawn up from its trail when somebody asks.

House rule: drawing it up changes nothing, so it can be done at any time, and twice.  It decides
nothing either: what happened stands in the trail, what it means for presence in the builder.
"""

from segue.engine.history import REPEATED, SAID, Entry
from segue.engine.state import State
from segue.events import Event, EventKind
from segue.lifecycle import Effect, Move, Roster
from segue.segments import SegmentBuilder, utc

__all__ = ["account"]


def account(state: State) -> SegmentBuilder:
    """Return the builder of a conversation as it stands."""
    builder = SegmentBuilder()
    roster = state.beginning()
    known = state.known
    for entry in state.trail.entries(known):
        _count(builder, roster, entry[:3])
        if entry.verdict == REPEATED:
            builder.flag(entry.agent, "SG601")
        else:
            _record(builder, roster, entry)
    _count(builder, roster, state.trail.tail(known))
    first = state.first_message_at
    builder.first_message_at = None if first is None else utc(first)
    builder.messages = state.messages
    if state.closed and not state.ended and state.processable:
        builder.close(_closing(roster), partial_end=state.partial in ("end", "both"))
    return builder


def _record(builder: SegmentBuilder, roster: Roster, entry: Entry) -> None:
    """Let agents come and go as the table decided at the time."""
    decision, agent = entry.decision, entry.agent
    primary, consultants, last = roster.primary, roster.consultants, roster.last
    roster.carry_out(decision.effect, agent, offence=decision.code is not None)
    roster.phase = decision.to
    code = decision.code if entry.verdict == SAID else None
    move = Move(
        decision.kind, agent, code, decision.effect, decision.phase, decision.to, primary,
        roster.primary, consultants, roster.consultants, last, respelled=False, expected=(),
    )  # fmt: skip
    builder.record(move, _event(entry), entry.position, entry.at)
    if code is not None and agent:
        builder.flag(agent, code)


def _event(entry: Entry) -> Event:
    told = entry.told
    if told is None:
        return Event(entry.decision.kind, entry.agent, "", {}, "")
    value = {"participant": told.participant, "language": told.language}
    return Event(entry.decision.kind, entry.agent, told.experience, value, "")


def _count(
    builder: SegmentBuilder, roster: Roster, said: tuple[int, int, list[tuple[str, int]]]
) -> None:
    """Count what was said since the last entry: by users, by the primary, by other agents."""
    user_messages, agent_messages, asides = said
    if not (user_messages or agent_messages or asides):
        return
    primary = roster.primary
    counts = [(EventKind.USER_MESSAGE, "", user_messages)]
    counts += [(EventKind.AGENT_MESSAGE, agent, count) for agent, count in asides]
    if primary:
        counts.append((EventKind.AGENT_MESSAGE, primary, agent_messages))
    for kind, agent, count in counts:
        if count:
            builder.message(kind, agent, primary, roster.consultants, count)


def _closing(roster: Roster) -> Move:
    """Return the move by which the log ends."""
    primary, consultants, last = roster.primary, roster.consultants, roster.last
    return Move(
        EventKind.CLOSE, "", None, Effect.NONE, roster.phase, roster.phase, primary,
        primary, consultants, consultants, last, respelled=False, expected=(),
    )  # fmt: skip
