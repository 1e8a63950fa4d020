"""Hypothesis strategies for conversations: legal ones, any ones, and how they may be told.

A legal stream is a walk: draw a length, sample among the events that are legal now, simplest
first, then close by the shortest legal way.  That finds deep states and shrinks to a short story.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from hypothesis import strategies as st
from tests.oracle.oracle import Ev
from tests.streams import AGENTS, KINDS, TRANSFERS, body, clone

from segue.lifecycle import Phase, Roster, advance, is_legal

__all__ = ["deliveries", "json_values", "legal_streams", "logs", "spelt", "streams"]

NINE: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)

_CLOSING: Final = ("end", "NA exit", "WARM exit", "COLD entry", "NA entry")
"""What brings a conversation nearer to its end, the shortest way first."""

_WALK: Final = (
    *("NA entry", "NA exit", "COLD exit", "COLD entry", "WARM entry", "WARM exit"),
    *("redial entry", "summary", "user message", "agent message"),
)


@st.composite
def legal_streams(draw: st.DrawFn, *, max_size: int = 12) -> list[Ev]:
    """Complete conversations without an error or a warning, of `max_size` events and the close."""
    stream: list[Ev] = []
    roster = Roster()
    for _ in range(draw(st.integers(0, max_size))):
        enabled = _legal(roster, _WALK)
        stream.append(draw(st.sampled_from(enabled)))
        _take(roster, stream[-1])
    while roster.phase is not Phase.ENDED:
        stream.append(_legal(roster, _CLOSING)[0])
        _take(roster, stream[-1])
    return stream


def _legal(roster: Roster, kinds: tuple[str, ...]) -> list[Ev]:
    return [
        event
        for kind in kinds
        for event in (Ev(kind, agent) for agent in _agents(kind))
        if is_legal(_take(clone(roster), event))
    ]


def _agents(kind: str) -> tuple[str, ...]:
    return ("",) if kind in ("summary", "end") else AGENTS


def _take(roster: Roster, event: Ev) -> str | None:
    return advance(roster, KINDS[event.kind], event.agent).code


def events() -> st.SearchStrategy[Ev]:
    """Any event of three agents, one of whom is also spelt in another letter case."""
    agents = st.sampled_from((*AGENTS, "A"))
    tags = st.sampled_from(("", "", "", "de"))
    return st.one_of(
        st.builds(Ev, st.sampled_from(TRANSFERS), agents, tags),
        st.builds(Ev, st.just("summary"), tag=tags),
        st.builds(Ev, st.sampled_from(("agent message", "user message")), agents),
    )


def streams(*, max_size: int = 12) -> st.SearchStrategy[list[Ev]]:
    """Any order of events, with at most two ENDs and what comes after them."""
    ends = st.lists(st.just(Ev("end")), max_size=2)
    return st.builds(
        lambda *parts: [event for part in parts for event in part],
        st.lists(events(), max_size=max_size),
        ends,
        st.lists(events(), max_size=2),
    )


ALWAYS: Final[st.SearchStrategy[bool]] = st.just(value=True)


def _actions() -> st.SearchStrategy[dict[str, Any]]:
    pauses = st.fixed_dictionaries(
        {"action": st.just("pause"), "agentId": st.sampled_from(AGENTS), "handover": st.booleans()}
    )
    others = st.fixed_dictionaries(
        {
            "action": st.sampled_from(("start", "resume", "end")),
            "agentId": st.sampled_from(AGENTS),
        }
    )
    return others | pauses


@st.composite
def logs(
    draw: st.DrawFn,
    told: st.SearchStrategy[list[Ev]],
    *,
    conversation: str = "c-1",
    timed: st.SearchStrategy[bool] = ALWAYS,
) -> list[dict[str, Any]]:
    """Lines of a log that tell a stream: envelopes with times, and some transcription actions."""
    at = NINE
    lines: list[dict[str, Any]] = []
    for event in draw(told):
        at += timedelta(seconds=draw(st.integers(0, 90)))
        time = {"received_at": at.isoformat()} if draw(timed) else {}
        if draw(st.integers(0, 4)) == 4:
            action = {"endpoint": "transcription", "body": draw(_actions())}
            lines.append({"conversation_id": conversation, **time, **action})
        lines.append({**time, "body": body(event, conversation)})
    return lines


@st.composite
def deliveries(draw: st.DrawFn, told: list[Ev]) -> list[dict[str, Any]]:
    """The E21 bodies of a stream when the sender puts any number of events into one of them.

    A message comes before the events it is sent with.
    """
    bodies: list[dict[str, Any]] = []
    for event in told:
        said = body(event)
        if bodies and "events" in said and draw(st.booleans()):
            bodies[-1]["events"] = [*bodies[-1].get("events", []), *said["events"]]
        else:
            bodies.append(said)
    return bodies


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, shallow."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
        ),
        max_leaves=8,
    )


_CASES: Final[tuple[Callable[[str], str], ...]] = (str, str.lower, str.upper, str.title)


_EXTRAS: Final[st.SearchStrategy[dict[str, Any]]] = st.sampled_from(
    ({}, {"x-extra": None}, {"x-extra": {"name": [1, "é"]}})
)


@st.composite
def spelt(draw: st.DrawFn, value: Any, key: str = "") -> Any:
    """The same body as another sender would spell it: letter case, flags as text, extra fields."""
    if isinstance(value, dict):
        respelt = {name: draw(spelt(each, name)) for name, each in value.items()}
        return respelt | draw(_EXTRAS)
    if isinstance(value, list):
        return [draw(spelt(each)) for each in value]
    if isinstance(value, bool):
        return draw(st.sampled_from((value, str(value).lower())))
    if key in ("transfertype", "transition", "experience") or value in ("USER", "AGENT"):
        return draw(st.sampled_from(_CASES))(value)
    return value
