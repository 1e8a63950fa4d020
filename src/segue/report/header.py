"""The header of a conversation: which one, where it stands, who held it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from segue.report.plurals import pluralize
from segue.report.styled_text import Look, TextLine, Tone
from segue.report.summary import severity_counts
from segue.report.text_layout import clip, fill, wrap

if TYPE_CHECKING:
    from segue.conversation import Report

__all__ = ["conversation_header", "heading"]

_MARGIN: Final = 3
_LONGEST: Final = 120
"""Columns of an id; a longer one is cut."""
_NAME: Final = 30
_AGENTS: Final = 4
"""So many agents are named."""


def heading(title: str, look: Look) -> TextLine:
    """Return a line that separates what follows from what was before."""
    dash = look.signs.dash
    line = TextLine(dash * 2, Tone.FRAME).add(" ")
    line.add(clip(title, _LONGEST, look.signs.more), Tone.STRONG).add(" ")
    return line.add(dash * (look.columns - line.width), Tone.FRAME)


def conversation_header(report: "Report", look: Look) -> Iterator[TextLine]:
    """Yield the lines above the findings of a conversation."""
    if report.conversation_id is None:
        yield heading("a line that belongs to no conversation", look)
        return
    yield heading(report.conversation_id, look)
    facts = [] if report.bot_id is None else [f"bot {_cut(report.bot_id, look)}"]
    facts += [
        report.phase.value,
        pluralize(report.events, "event"),
        severity_counts(report.findings),
    ]
    if report.late:
        facts[-1] += " sent after its end"
    room = look.columns - _MARGIN
    for text in (*fill(facts, room, f" {look.signs.between} "), *wrap(_held(report, look), room)):
        if text:
            yield TextLine(" " * _MARGIN).add(text, Tone.FAINT)


def _held(report: "Report", look: Look) -> str:
    """Say who held the conversation, in order, and who was consulted."""
    names = {each.agent: _called(each.agent, each.name, look) for each in report.segments}
    primaries = dict.fromkeys(each.agent for each in report.segments if each.role == "primary")
    holders = [names[agent] for agent in primaries]
    others = [name for agent, name in names.items() if agent not in primaries]
    parts = []
    if holders:
        parts.append(f"held by {_listed(holders, ', then ')}")
    if others:
        parts.append(f"consulted {_listed(others, ', ')}")
    return "; ".join(parts)


def _called(agent: str, name: str, look: Look) -> str:
    if not name or name == agent:
        return _cut(agent, look)
    return f"{_cut(agent, look)} ({clip(name, _NAME, look.signs.more)})"


def _cut(identity: str, look: Look) -> str:
    return clip(identity, _LONGEST, look.signs.more)


def _listed(names: Sequence[str], separator: str) -> str:
    hidden = len(names) - _AGENTS
    text = separator.join(names[:_AGENTS])
    return f"{text} and {hidden} more" if hidden > 0 else text
