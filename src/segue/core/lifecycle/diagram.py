"""Diagrams of the lifecycle in the languages of Mermaid and Graphviz, drawn from the table."""

from collections.abc import Container, Iterator
from itertools import starmap

from segue.core.events import EventKind
from segue.core.findings import BY_CODE
from segue.core.lifecycle.phase import AgentRole, Phase, PresenceEffect, Uncertainty
from segue.core.lifecycle.table import TABLE, Cell, situations
from segue.core.lifecycle.transitions import is_legal

Arrow = tuple[Phase, Phase, bool]
"""The phase that an arrow leaves, the phase that it leads to, and whether the move is legal."""


def arrows(*, offences: bool = False) -> dict[Arrow, tuple[str, ...]]:
    """Return the labels of every arrow between two phases, in the order of the phases.

    A label is a kind of event, such as `COLD exit`. With `offences` there are also arrows for
    events that break a rule. Moves that depend on an assumption, such as an unnamed primary, are
    left out.
    """
    found: dict[Arrow, dict[EventKind, set[str | None]]] = {}
    for phase, kind, cell in _moves():
        legal = is_legal(cell.code)
        if legal or offences:
            kinds = found.setdefault((phase, cell.to, legal), {})
            kinds.setdefault(kind, set()).add(cell.code)
    return {arrow: tuple(starmap(_label, kinds.items())) for arrow, kinds in found.items()}


def mermaid(*, offences: bool = False) -> str:
    """Return a state diagram in the language of Mermaid.

    With `offences` the diagram also shows events that break a rule.
    """
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.WAITING.value}"]
    for (source, to, _), labels in arrows(offences=offences).items():
        lines.append(f"    {source.value} --> {to.value}: {' / '.join(labels)}")
    lines.append(f"    {Phase.ENDED.value} --> [*]")
    return "\n".join(lines) + "\n"


def dot(*, offences: bool = False) -> str:
    """Return a directed graph in the language of Graphviz.

    With `offences` the graph also shows events that break a rule, as dashed arrows.
    """
    lines = [
        "digraph lifecycle {",
        "    rankdir=LR;",
        '    node [shape=box, style="rounded,filled", fillcolor="#f4f6fb", fontname="sans-serif"];',
        '    edge [fontname="sans-serif", fontsize=10];',
        '    start [shape=point, label=""];',
        f"    start -> {Phase.WAITING.value};",
    ]
    for (source, to, legal), labels in arrows(offences=offences).items():
        style = "" if legal else ', style=dashed, color="#b3261e", fontcolor="#b3261e"'
        text = "\\n".join(labels)
        lines.append(f'    {source.value} -> {to.value} [label="{text}"{style}];')
    lines.append("}")
    return "\n".join(lines) + "\n"


def _moves() -> Iterator[tuple[Phase, EventKind, Cell]]:
    """Yield a tuple of phase, kind of event and table cell for each possible arrow of a diagram.

    Messages, the end of the log and corrections of earlier assumptions have no arrows.
    """
    for phase, kinds in TABLE.items():
        for kind, cells in kinds.items():
            if kind is EventKind.CLOSE or kind.value.endswith("message"):
                continue
            for situation in situations(phase):
                cell = cells[situation.number]
                if (
                    cell is not None
                    and situation.uncertainty is Uncertainty.NONE
                    and situation.role is not AgentRole.UNSEEN
                    and cell.effect not in (PresenceEffect.CONSUME, PresenceEffect.RESTORE)
                ):
                    yield phase, kind, cell


def _label(kind: EventKind, codes: Container[str | None]) -> str:
    """Return a label such as `COLD entry (sometimes SG103)`.

    `codes` are the rules that report this kind of event on the arrow, and None if it can be legal.
    """
    named = ", ".join(code for code in BY_CODE if code in codes)
    sometimes = "sometimes " if None in codes else ""
    return f"{kind.value} ({sometimes}{named})" if named else kind.value
