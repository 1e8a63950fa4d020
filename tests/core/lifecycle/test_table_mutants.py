"""Every wrong cell of the table is noticed, or makes no difference that could be noticed.

A mutant is one cell with another code, another phase to go on in, another effect or doubt, or with
all that the cell of a neighbouring situation says (as if a row claimed too much or too little).  It
is killed when, in a scene that leads to the cell, the library and the oracle differ in a finding or
in the phase: at the event itself, up to two events later, or at the close.  It is killed, too, when
who is present no longer agrees with the phase, or when an agent has a new connection where the page
knows none.  Scenes are generated, verdicts never: they come from the oracle.

The mutants that live on are compared in *every* scene.  They have to leave the same behind as the
cell itself, and to be of a kind listed in `EQUIVALENT`, with its reason.  The list may only shrink.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Final, Literal, NamedTuple

import pytest
from tests.core.lifecycle.library import close, take
from tests.core.lifecycle.scenes import Key, Scene, essence, scenes
from tests.core.lifecycle.walker import CHANGED, Walker
from tests.oracle.oracle import Ev, candidates, judge
from tests.streams import KINDS

from segue.analysis.simulate.bodies import TRANSFERS
from segue.core.events import EventKind
from segue.core.findings import RULES
from segue.core.lifecycle import (
    AGENTLESS_KINDS,
    MESSAGES,
    TABLE,
    AgentRole,
    Phase,
    PresenceEffect,
    Situation,
    Uncertainty,
    situations,
)
from segue.core.lifecycle.table import Cell

BRIEF = 4
"""In how many scenes a mutant is looked at closely; most die in the first."""
FAR = 2
"""How many events later a mutant may be found out."""

CODES: Final = (
    None,
    *(
        rule.code
        for rule in RULES
        if rule.family in (1, 2) and rule.code not in ("SG108", "SG206", "SG209")  # in no row
    ),
)

NOBODY: Final = (Phase.WAITING, Phase.RELEASED, Phase.SUMMARIZED, Phase.ENDED)
HELD: Final = (Phase.ACTIVE, Phase.CONSULTING)

IMPOSSIBLE: Final = (AssertionError, LookupError, ValueError)
"""What a mutant raises: there is no such agent, or no such cell."""

Verdict = tuple[tuple[str, ...], str]


class Mutant(NamedTuple):
    """One cell that says something else."""

    key: Key
    field: Literal["to", "code", "effect", "doubts", "neighbour"]
    cell: Cell

    @property
    def original(self) -> Cell:
        """The cell as it should be; ask only outside of `in_place`."""
        return cell_of(self.key)

    def __str__(self) -> str:
        phase, kind, number = self.key
        was, now = self.original, self.cell
        changes = [
            f"{name} {old!r} -> {new!r}"
            for name, old, new in zip(Cell._fields, was, now, strict=True)
            if old != new
        ]
        return f"{phase.value}, {kind.value}, {Situation.of(number)}: {', '.join(changes)}"

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Put the mutant into the table for a while."""
        phase, kind, number = self.key
        original = TABLE[phase][kind][number]
        TABLE[phase][kind][number] = self.cell
        CHANGED.add(self.key)
        try:
            yield
        finally:
            TABLE[phase][kind][number] = original
            CHANGED.remove(self.key)


def cell_of(key: Key) -> Cell:
    phase, kind, number = key
    cell = TABLE[phase][kind][number]
    assert cell is not None
    return cell


def mutants(key: Key) -> Iterator[Mutant]:
    """Return every way to get the cell wrong."""
    cell = cell_of(key)
    yield from (Mutant(key, "to", cell._replace(to=to)) for to in Phase if to is not cell.to)
    yield from (
        Mutant(key, "code", cell._replace(code=code)) for code in CODES if code != cell.code
    )
    for effect in PresenceEffect:
        if effect is not cell.effect:
            yield Mutant(key, "effect", cell._replace(effect=effect))
    yield Mutant(key, "doubts", cell._replace(doubts=not cell.doubts))
    phase, kind, number = key
    here = Situation.of(number)
    near = [each for each in situations(phase) if _differences(here, each) == 1]
    # Whether it connects follows from the rest.
    others = {
        cell_of((phase, kind, each.number))._replace(connects=cell.connects) for each in near
    } - {cell}
    yield from (Mutant(key, "neighbour", other) for other in sorted(others, key=repr))


def _differences(one: Situation, other: Situation) -> int:
    return sum(mine != theirs for mine, theirs in zip(one, other, strict=True))


# What the oracle says, and when the library says something else.


@cache
def said_last(stream: tuple[Ev, ...]) -> Verdict:
    """Return what the oracle finds at the last event, and the phase after it."""
    verdict = judge(_known(stream), "end")
    last = len(stream) - 1
    return tuple(code for position, code in verdict.findings if position == last), verdict.phase


def _known(stream: tuple[Ev, ...]) -> list[Ev]:
    """Return the stream in kinds that the oracle knows."""
    return [
        Ev("user message", event.agent) if event.kind == "message" else event for event in stream
    ]


@cache
def said_at_close(stream: tuple[Ev, ...]) -> Verdict:
    """Return what the oracle finds at the close, and the phase after it."""
    verdict = judge(stream)
    return tuple(code for position, code in verdict.findings if position is None), verdict.phase


def is_wrong(walker: Walker, stream: tuple[Ev, ...], *, shown_only: bool = False) -> bool:
    """Let the walker take the last event; return whether the library gets it wrong.

    With `shown_only`, the candidates are not looked at, since no backend shows them.
    """
    event = stream[-1]
    kind = KINDS[event.kind]
    cell = TABLE[walker.phase][kind][walker.situation(event.agent)]
    connects = (  # §4: "redial entry, a present … | new connection"
        walker.phase in HELD and kind is EventKind.REDIAL_ENTRY and event.agent in walker.present
    )
    try:
        found = take(walker, len(stream) - 1, event)
    except IMPOSSIBLE:
        return True
    reconnects = cell is not None and cell.effect is PresenceEffect.RECONNECT
    return (
        (tuple(code for _, code in found), walker.phase.value) != said_last(stream)
        or reconnects is not connects
        or not is_sound(walker)
        or not (shown_only or candidates_of(walker) == known_candidates(stream))
    )


def candidates_of(walker: Walker) -> set[str]:
    """Return the consultants of whom one is the primary, by name."""
    return {walker.names[number] for number in walker.presence.candidates}


@cache
def known_candidates(stream: tuple[Ev, ...]) -> set[str]:
    """Return them as the oracle knows them."""
    return candidates(_known(stream))


def is_wrong_at_close(walker: Walker, stream: tuple[Ev, ...]) -> bool:
    """Return whether the library gets the close wrong."""
    twin = copy(walker)
    try:
        found = close(twin)
    except IMPOSSIBLE:
        return True
    verdict = tuple(code for _, code in found), twin.phase.value
    return verdict != said_at_close(stream) or not is_sound(twin)


def is_sound(walker: Walker) -> bool:
    """Whether who is present agrees with the phase."""
    present = walker.present
    if len(set(present)) < len(present) or not walker.pending_exits.keys().isdisjoint(present):
        return False
    if walker.phase in NOBODY:
        return walker.primary is None and not walker.consultants
    if walker.phase is Phase.TRANSFERRING:
        return walker.primary is None
    is_consulting = walker.phase is Phase.CONSULTING
    return walker.primary is not None and bool(walker.consultants) is is_consulting


# Killing.


@cache
def after(stream: tuple[Ev, ...]) -> Walker:
    """Return the walker after a stream; take a copy, and ask outside of `in_place`."""
    if not stream:
        return Walker()
    *before, event = stream
    walker = copy(after(tuple(before)))
    walker.take(KINDS[event.kind], event.agent, event)
    return walker


@cache
def essence_after(stream: tuple[Ev, ...]) -> tuple[object, ...]:
    return essence(after(stream))


def following(stream: tuple[Ev, ...]) -> list[Ev]:
    """Return whatever may come next, from everybody so far and from somebody new."""
    agents = sorted({event.agent for event in stream if event.agent} | {"y"})
    return [
        *(Ev(kind, agent) for kind in (*TRANSFERS, "agent message") for agent in agents),
        Ev("summary"),
        Ev("end"),
    ]


def is_killed(mutant: Mutant, leading: Sequence[Scene], *, shown_only: bool = False) -> bool | None:
    """Whether somebody notices; None: there is nothing to notice, in any scene."""
    stream, makes_difference = killing_stream(mutant, leading, shown_only=shown_only)
    return True if stream is not None else False if makes_difference else None


def killing_stream(
    mutant: Mutant, leading: Sequence[Scene], *, shown_only: bool = False
) -> tuple[tuple[Ev, ...] | None, bool]:
    """Return a shortest stream that notices the mutant, and whether it makes any difference.

    The stream is None if none does so near.
    """
    differing: list[tuple[Walker, tuple[Ev, ...]]] = []
    reconnects = PresenceEffect.RECONNECT in (mutant.cell.effect, mutant.original.effect)
    for number, scene in enumerate(leading):
        if number >= BRIEF and differing:
            break
        if scene.event is not None and not reconnects and decides_alike(mutant, scene):
            continue
        walker = copy(after(scene.stream))
        if scene.event is None:
            with mutant.in_place():
                if is_wrong_at_close(walker, scene.stream):
                    return scene.stream, True
            continue
        stream = (*scene.stream, scene.event)
        with mutant.in_place():
            if is_wrong(walker, stream, shown_only=shown_only):
                return stream, True
        if essence(walker) != essence_after(stream):
            differing.append((walker, stream))
    with mutant.in_place():
        return _found_out(differing, shown_only=shown_only), bool(differing)


def decides_alike(mutant: Mutant, scene: Scene) -> bool:
    """Return whether a walker reads the same of the mutant as of the original, in a scene.

    Then it finds the same and goes on in the same way, and of the original
    `test_the_table_as_it_is_says_what_the_oracle_says_in_every_scene` knows that this is right.
    """
    walker, number, decided = _decision(scene)
    try:
        with mutant.in_place():
            return walker.decided(mutant.key[1], number) == decided
    except IMPOSSIBLE:
        return False


@cache
def _decision(scene: Scene) -> tuple[Walker, int | None, tuple[object, ...]]:
    """Return the walker at the event of a scene, the number of its agent, and what is decided."""
    assert scene.event is not None
    walker, kind = after(scene.stream), KINDS[scene.event.kind]
    agent = "" if kind in AGENTLESS_KINDS else walker.resolve(kind, scene.event.agent)
    number = walker.number(agent)
    return walker, number, walker.decided(kind, number)


def _found_out(
    differing: list[tuple[Walker, tuple[Ev, ...]]], *, shown_only: bool
) -> tuple[Ev, ...] | None:
    for _ in range(FAR):
        later: list[tuple[Walker, tuple[Ev, ...]]] = []
        for walker, stream in differing:
            if is_wrong_at_close(walker, stream):
                return stream
            for event in following(stream):
                twin = copy(walker)
                if is_wrong(twin, (*stream, event), shown_only=shown_only):
                    return (*stream, event)
                later.append((twin, (*stream, event)))
        differing = later
    return None


# What cannot be noticed.


def _swaps(old: str, new: str) -> Callable[[Mutant], bool]:
    """One of these effects in the place of one of those."""

    def is_one(mutant: Mutant) -> bool:
        was, now = mutant.original.effect.name, mutant.cell.effect.name
        return was != now and was in old.split() and now in new.split()

    return is_one


_LEAVING = "NONE LEAVE DISMISS RELEASE TRANSFER DEPART FINISH"
_TAKING = "TAKE TAKE_EXCUSING TAKE_OWING"

EQUIVALENT: Final[dict[str, Callable[[Mutant], bool]]] = {
    "a message moves nobody: nothing but the code of its cell is read": lambda mutant: (
        mutant.key[1] in MESSAGES and mutant.field in ("to", "effect", "doubts")
    ),
    "the end is final: nothing but the code of its cells is read": lambda mutant: (
        mutant.key[0] is Phase.ENDED and mutant.field in ("to", "effect", "doubts")
    ),
    "nothing comes after the close: only code and phase are shown": lambda mutant: (
        mutant.key[1] is EventKind.CLOSE and mutant.field in ("effect", "doubts")
    ),
    "a doubt is asked for in open phases only, and not of a primary nobody named, alone": (
        lambda mutant: mutant.field == "doubts"
    ),
    "nobody is there to whom the difference would happen, or who was last is not asked again": (
        _swaps(_LEAVING, _LEAVING)
    ),
    "nobody named is primary, so nobody is replaced": _swaps("TAKE", _TAKING),
    "the agent is the primary already": _swaps("NONE", _TAKING),
    "the primary is nobody named already": lambda mutant: (
        _swaps("NONE", "UNNAME")(mutant) or _swaps("JOIN", "JOIN_UNNAMED")(mutant)
    ),
    "the agent is the only consultant": _swaps("TAKE", "PROMOTE"),
}
"""Why a mutant makes no difference, and what mutants that may be true of.

That it is true is computed for each of them, on every walker that four agents can bring about.
"""


def reasons(mutant: Mutant) -> list[str]:
    return [reason for reason, applies in EQUIVALENT.items() if applies(mutant)]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [kind for kind in EventKind if kind in TABLE[Phase.WAITING]])
@pytest.mark.parametrize("phase", Phase)
def test_every_mutant_is_killed_or_makes_no_difference(
    phase: Phase, kind: EventKind, record_property: Callable[[str, object], None]
) -> None:
    counted: Counter[str] = Counter()
    survivors: list[str] = []
    for key, leading in scenes().items():
        if key[:2] == (phase, kind):
            for mutant in mutants(key):
                fate = is_killed(mutant, leading)
                explained = fate is None and bool(reasons(mutant))
                counted["killed" if fate else "equivalent" if explained else "survived"] += 1
                if not fate and not explained:
                    survivors.append(f"{'cannot' if fate is None else 'can'} be noticed: {mutant}")

    for what, number in counted.items():
        record_property(f"table mutants {what}", number)
    assert survivors == []


@pytest.mark.thorough
@pytest.mark.parametrize("phase", Phase)
def test_the_table_as_it_is_says_what_the_oracle_says_in_every_scene(phase: Phase) -> None:
    played_out = 0
    for key, leading in scenes().items():
        if key[0] is phase:
            for stream, event in leading:
                if event is None:
                    assert not is_wrong_at_close(after(stream), stream), stream
                else:
                    assert not is_wrong(copy(after(stream)), (*stream, event)), (stream, event)
                played_out += 1

    assert played_out > 30


@pytest.mark.thorough
@pytest.mark.parametrize("reason", EQUIVALENT)
def test_every_reason_not_to_notice_a_mutant_is_needed(reason: str) -> None:
    others = [applies for name, applies in EQUIVALENT.items() if name != reason]

    assert any(
        EQUIVALENT[reason](mutant)
        and not any(applies(mutant) for applies in others)
        and is_killed(mutant, leading) is None
        for key, leading in scenes().items()
        for mutant in mutants(key)
    )


def test_a_mutant_is_in_the_table_for_a_while_only() -> None:
    key = (Phase.WAITING, EventKind.NA_ENTRY, Situation(AgentRole.ABSENT, Uncertainty(0), 0).number)
    before = cell_of(key)
    mutant = next(each for each in mutants(key) if each.cell.code == "SG110")

    assert Walker().take(EventKind.NA_ENTRY, "a") == ()
    with mutant.in_place():
        assert cell_of(key) == mutant.cell != before
        assert Walker().take(EventKind.NA_ENTRY, "a") == ("SG110",)
    assert cell_of(key) == before
    assert Walker().take(EventKind.NA_ENTRY, "a") == ()
    assert str(mutant).startswith("waiting, NA entry, Situation(")


@pytest.mark.thorough
def test_what_a_walker_reads_of_a_mutant_decides_as_much_as_taking_the_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Scenes of a few cells; a mutant that decides alike in all of them makes no difference."""
    some = [
        (mutant, leading[:20])
        for key, leading in list(scenes().items())[::60]
        for mutant in list(mutants(key))[::3]
    ]
    brief = [is_killed(mutant, leading) for mutant, leading in some]
    monkeypatch.setitem(globals(), "decides_alike", lambda *_: False)

    assert [is_killed(mutant, leading) for mutant, leading in some] == brief
    assert {True, None} <= set(brief)
