"""Render the header of a conversation: its id, bot, phase, counts and agents."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from segue.core.conversation import Report
from segue.core.events import quoted
from segue.report.grouping import counts_by_severity
from segue.report.look import Look
from segue.report.plurals import pluralize
from segue.report.styled_text import TextLine, Tone, clip, fill, indented, wrap

MARGIN: Final = 3
"""The number of spaces before text under a heading."""
_LONGEST: Final = 120
"""The maximum width of an id, in columns. Longer ids are cut."""
_NAME: Final = 30
_AGENTS: Final = 4
"""The maximum number of agents that are named. Further agents are only counted."""


def heading(title: str, look: Look) -> TextLine:
    """Return a title with dashes on both sides, which marks the start of a section."""
    dash = look.signs.dash
    line = TextLine(dash * 2, Tone.FRAME).add(" ")
    line.add(clip(title, _LONGEST, look.signs.more), Tone.STRONG).add(" ")
    return line.add(dash * (look.columns - line.width), Tone.FRAME)


def ruled(title: str, look: Look) -> TextLine:
    """Return the title of a table, followed by dashes up to the right margin."""
    line = TextLine(f"{title} ")
    return line.add(look.signs.dash * (look.columns - line.width), Tone.FRAME)


def facts_below(facts: Iterable[str], look: Look) -> Iterator[TextLine]:
    """Yield the facts as indented lines, each with as many facts as fit."""
    separator = f" {look.signs.between} "
    return indented(fill(facts, look.columns - MARGIN, separator), MARGIN, Tone.FAINT)


def facts_of(report: Report, look: Look, longest: int = _LONGEST) -> list[str]:
    """Return facts about a conversation, such as `["bot st-1", "active", "12 events"]`.

    The numbers of findings are the last item if there are any. A bot id wider than `longest` is
    cut.
    """
    named = [] if report.bot_id is None else [quoted(report.bot_id)]
    bot = [f"bot {clip(each, longest, look.signs.more)}" for each in named]
    counts = Counter(finding.severity for finding in report.findings)
    found = counts_by_severity(len(report.mistakes), counts).values()
    facts = [*bot, report.phase.value, pluralize(report.events, "event")]
    return [*facts, ", ".join(found)] if report.findings else facts


def conversation_header(report: Report, look: Look) -> Iterator[TextLine]:
    """Yield the lines above the findings of a conversation: its id, facts, agents and diagnosis."""
    if report.conversation_id is None:
        yield heading("a line that belongs to no conversation", look)
        return
    yield heading(quoted(report.conversation_id), look)
    facts = facts_of(report, look)
    if report.late:
        facts[-1] += " sent after its end"
    yield from facts_below(facts, look)
    yield from indented(wrap(_holders(report, look), look.columns - MARGIN), MARGIN, Tone.FAINT)
    lines = report.diagnosis()
    if lines:
        text = f"what happened: {', or '.join(lines)}"
        yield from indented(wrap(text, look.columns - MARGIN), MARGIN, Tone.STRONG)


def _holders(report: Report, look: Look) -> str:
    """Return the agents of a conversation as text.

    First come those who held it, in order, then those who were only consulted.
    """
    names = {each.agent: _named(each.agent, each.name, look) for each in report.segments}
    primaries = dict.fromkeys(each.agent for each in report.segments if each.role == "primary")
    holders = [names[agent] for agent in primaries]
    others = [name for agent, name in names.items() if agent not in primaries]
    parts = {"held by": _listed(holders, ", then "), "consulted": _listed(others, ", ")}
    return "; ".join(f"{verb} {agents}" for verb, agents in parts.items() if agents)


def _named(agent: str, name: str, look: Look) -> str:
    identity = clip(quoted(agent), _LONGEST, look.signs.more)
    named = f"{identity} ({clip(name, _NAME, look.signs.more)})"
    return named if name not in {"", agent} else identity


def _listed(names: Sequence[str], separator: str) -> str:
    hidden = len(names) - _AGENTS
    text = separator.join(names[:_AGENTS])
    return f"{text} and {hidden} more" if hidden > 0 else text
