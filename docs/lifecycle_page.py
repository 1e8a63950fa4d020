"""Generate the lifecycle page: the diagram, and the lifecycle table in words for each phase.

Every verdict, phase and effect is read from the table. This module only puts them into words.
"""

from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc
from typing import Final

from segue.core.events import EventKind
from segue.core.findings import BY_CODE
from segue.core.lifecycle import (
    ROWS,
    TABLE,
    AgentRole,
    Phase,
    Row,
    Situation,
    Uncertainty,
    situations,
)
from segue.core.lifecycle.diagram import mermaid

__all__ = ["lifecycle_page"]

_INTRODUCTION: Final = cleandoc("""
    # The lifecycle

    Every event in every situation has exactly one row here, with the finding it causes and how the
    check continues. A row without a finding is legal. The check, the `expected` lists, the diagrams
    and the `transitions` machine all read this table.
""")

_WORDS: Final = cleandoc("""
    **Transfer types.** *NA* is the entry of the first agent and the exit of the last one. With
    *COLD*, one agent replaces another. With *WARM*, an agent joins the primary as a consultant.
    *redial* is an agent who reconnects after a drop.

    **Terms.** The *primary* is the agent who is responsible now. *Consultants* are present by WARM
    entry. When the primary leaves several consultants by a WARM exit, one of them *may be the
    primary*, until an exit or a later entry tells who is, or only one of them is left. The *last
    one* is the absent agent who was the primary most recently. *Excused* agents were removed by a
    later event, and *owed* agents were replaced by an early COLD entry. Their exits may still
    arrive. An agent who *was consulting* is no longer present, and the agent's latest event is the
    WARM or redial exit of a consultant. The primary is *unnamed* if there must be one but no event
    named the agent. After an NA exit that did not release the conversation, or a redial exit of the
    primary, it is *in doubt* whether the agent is still present. In a log that begins late, an
    agent whom no event has named yet is *unseen*, and may have been present since before the log.

    In the column "continues", `a` is the agent of the event.
""")

_PHASES: Final = {
    Phase.WAITING: "No agent has entered yet.",
    Phase.ACTIVE: "Only the primary is present.",
    Phase.CONSULTING: "The primary and at least one consultant are present.",
    Phase.TRANSFERRING: "A COLD exit has occurred, and the next agent has not entered yet.",
    Phase.RELEASED: "The last agent has left. A redial can still follow.",
    Phase.SUMMARIZED: "The summary was triggered after the release.",
    Phase.ENDED: "END_OF_CONVERSATION has occurred.",
}

_NEVER: Final = (AgentRole.ABSENT, AgentRole.UNSEEN)
_LEFT: Final = (AgentRole.ABSENT, AgentRole.LAST, AgentRole.CONSULTED)
_AWAITED: Final = (AgentRole.EXCUSED, AgentRole.OWED)

_ROLES: Final = {
    (AgentRole.PRIMARY, AgentRole.RELIEVER): "the primary",
    (AgentRole.PRIMARY,): "the primary",
    (
        AgentRole.RELIEVER,
    ): "a primary whose entry was an error, and whose predecessor may still exit",
    (AgentRole.CONSULTANT, AgentRole.ONE_OF_TWO): "a consultant",
    (AgentRole.CONSULTANT,): "a consultant",
    (AgentRole.ONE_OF_TWO,): "one of two who may be the primary",
    (*_LEFT, AgentRole.UNSEEN, *_AWAITED): "an agent not present",
    (*_LEFT, AgentRole.UNSEEN): "an agent not present",
    (*_NEVER, AgentRole.LAST, *_AWAITED): "an agent not present who was not consulting",
    (
        AgentRole.ABSENT,
        AgentRole.LAST,
        *_AWAITED,
    ): "an agent not present who was not consulting, except an unseen one",
    (*_NEVER, *_AWAITED): "an agent not present other than the last one",
    _LEFT: "an agent not present, except an unseen one",
    _NEVER: "an agent not present",
    (AgentRole.ABSENT,): "an agent not present, except an unseen one",
    (AgentRole.UNSEEN,): "an unseen agent",
    (AgentRole.LAST,): "the last one",
    (AgentRole.CONSULTED,): "an agent who was consulting",
    (AgentRole.EXCUSED,): "an excused agent",
    (AgentRole.OWED,): "an owed agent",
}
"""Words for combinations of roles.

A longer combination comes before the shorter ones and takes precedence.
"""

_NONE, _UNNAMED, _DOUBTED = Uncertainty.NONE, Uncertainty.UNNAMED, Uncertainty.DOUBTED
_UNCERTAINTIES: Final = {
    frozenset({_NONE}): "there is no doubt",
    frozenset({_NONE, _DOUBTED}): "the primary is named",
    frozenset({_DOUBTED}): "in doubt",
    frozenset({_DOUBTED, _UNNAMED | _DOUBTED}): "in doubt",
    frozenset({_UNNAMED}): "the primary is unnamed",
    frozenset({_UNNAMED, _UNNAMED | _DOUBTED}): "the primary is unnamed",
}

_BESIDE: Final = {
    (0,): "no other consultant",
    (1,): "one other consultant",
    (2,): "several other consultants",
    (1, 2): "another consultant stays",
    (0, 2): "none or several other consultants",
}

_WITHOUT_AGENT: Final = frozenset({EventKind.SUMMARY, EventKind.END, EventKind.CLOSE})


def lifecycle_page() -> str:
    """Return the lifecycle page in Markdown."""
    parts = [_INTRODUCTION, f"```mermaid\n{mermaid()}```", _WORDS]
    parts += ["\n".join(_phase(phase)) for phase in Phase]
    return "\n\n".join(parts) + "\n"


def _phase(phase: Phase) -> Iterator[str]:
    yield f"## {phase.value}\n\n{_PHASES[phase]}\n"
    yield "| event | by | when | finding | phase | continues |"
    yield "|---|---|---|---|---|---|"
    for row in ROWS:
        cells = list(_cells(row, phase))
        if cells:
            yield f"| {' | '.join(_columns(row, phase, cells))} |"


def _cells(row: Row, phase: Phase) -> Iterator[Situation]:
    """Yield the situations of a phase to which a row of the lifecycle table applies."""
    if phase in row.phases:
        for situation in situations(phase):
            role, uncertainty, beside = situation
            if role in row.roles and uncertainty in row.uncertainties and beside in row.beside:
                yield situation


def _columns(row: Row, phase: Phase, cells: list[Situation]) -> Iterator[str]:
    everything = list(situations(phase))
    yield ", ".join(kind.value for kind in row.kinds)
    yield "" if _WITHOUT_AGENT.issuperset(row.kinds) else _who(cells, everything)
    yield _when(cells, everything)
    yield "" if row.code is None else _finding(row.code)
    yield " or ".join(_phases(row, phase, cells))
    yield row.effect.value


def _who(cells: Sequence[Situation], everything: Iterable[Situation]) -> str:
    named = {situation.role for situation in cells}
    known = {situation.uncertainty for situation in cells}
    possible = {situation.role for situation in everything if situation.uncertainty in known}
    if named == possible:
        return "anyone"
    words = []
    for roles, word in _ROLES.items():
        if named and named.issuperset(possible.intersection(roles)):
            here = possible.intersection(roles) & named
            if here:
                words.append(word)
                named -= here
    return ", ".join(words)


def _when(cells: Iterable[Situation], everything: Iterable[Situation]) -> str:
    cells, roles = list(cells), {situation.role for situation in cells}
    rivals = [situation for situation in everything if situation.role in roles]
    words = []
    uncertainties = frozenset(situation.uncertainty for situation in cells)
    if uncertainties != {situation.uncertainty for situation in rivals}:
        words.append(_UNCERTAINTIES[uncertainties])
    beside = tuple(sorted({situation.beside for situation in cells}))
    if set(beside) != {situation.beside for situation in rivals}:
        words.append(_BESIDE[beside])
    return ", ".join(words)


def _phases(row: Row, phase: Phase, cells: Iterable[Situation]) -> list[str]:
    found = (TABLE[phase][kind][situation.number] for kind in row.kinds for situation in cells)
    to = {cell.to for cell in found if cell is not None}
    return [each.value for each in Phase if each in to]


def _finding(code: str) -> str:
    return f"[{code}](rules/{code}.md) {BY_CODE[code].severity.value}"
