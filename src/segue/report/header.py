"""Render the header of a conversation: its id, bot, phase, counts and agents."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from segue.core.conversation import Report
from segue.core.events import quoted
from segue.report.grouping import counts_of
from segue.report.look import Look
from segue.report.mistake_view import MistakeView
from segue.report.plurals import pluralize
from segue.report.styled_text import TextLine, Tone, clip, fill, indented, wrap

MARGIN: Final = 3
"""The number of spaces before text under a heading."""
_LONGEST: Final = 120
"""The maximum width of an id, in columns. Longer ids are cut."""
_NAME: Final = 30
_FIX: Final = 2
"""The indentation of what to change at the sender under the sentence of a mistake."""
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
    """Yield the facts as indented lines, with as many facts on each line as fit the width."""
    separator = f" {look.signs.between} "
    return indented(fill(facts, look.columns - MARGIN, separator), MARGIN, Tone.FAINT)


def facts_of(report: Report, look: Look, longest: int = _LONGEST) -> list[str]:
    """Return facts about a conversation, such as `["bot st-1", "active", "12 events"]`.

    If there are findings, the last item is their number, such as `1 mistake (2 errors)`. A bot id
    that is wider than `longest` columns is cut.
    """
    named = [] if report.bot_id is None else [quoted(report.bot_id)]
    bot = [f"bot {clip(each, longest, look.signs.more)}" for each in named]
    events = pluralize(report.events, "event") + ", some after its end" * report.replaces
    facts = [*bot, report.phase.value, events]
    return [*facts, ", ".join(counts_of(report).values())] if report.findings else facts


def conversation_header(report: Report, look: Look, limit: int | None = None) -> Iterator[TextLine]:
    """Yield the lines above the findings of a conversation: its id, facts, agents and mistakes.

    `limit` is the maximum number of mistakes, or None for all.
    """
    if report.conversation_id is None:
        yield heading("a line that belongs to no conversation", look)
        return
    yield heading(quoted(report.conversation_id), look)
    facts = facts_of(report, look)
    if report.late and not report.replaces:
        facts[-1] += " sent after its end"
    yield from facts_below(facts, look)
    yield from indented(wrap(_holders(report, look), look.columns - MARGIN), MARGIN, Tone.FAINT)
    yield from _what_happened(report, look, limit)


def _what_happened(report: Report, look: Look, limit: int | None) -> Iterator[TextLine]:
    """Yield the sentences of the mistakes, each with what to change at the sender.

    A single mistake without edits is left out, because its finding says the same.
    """
    mistakes = report.mistakes
    if len(mistakes) <= 1 and not any(mistake.edits for mistake in mistakes):
        return
    view, is_single = MistakeView(report), len(mistakes) == 1
    if not is_single:
        yield TextLine(" " * MARGIN).add("what happened:", Tone.STRONG)
    for mistake in mistakes[:limit]:
        start = "what happened: " if is_single else f"{mistake.number:>3}. "
        margin = MARGIN + (0 if is_single else len(start))
        options = [view.sentence(each) for each in mistake.alternatives]
        sentence = ", or ".join([view.sentence(mistake), *options])
        texts = wrap(start + sentence if is_single else sentence, look.columns - margin)
        lines = indented(texts, margin, Tone.STRONG)
        if not is_single:
            yield TextLine(" " * MARGIN).add(start + texts[0], Tone.STRONG)
            next(lines)
        yield from lines
        fix = wrap(f"fix: {mistake.fix}", look.columns - margin - _FIX)
        yield from indented(fix, margin + _FIX)
    hidden = 0 if limit is None else len(mistakes) - limit
    if hidden > 0:
        text = f"{look.signs.more} and {pluralize(hidden, 'more mistake')}"
        yield TextLine(" " * MARGIN).add(text, Tone.STRONG)


def _holders(report: Report, look: Look) -> str:
    """Format the agents of a conversation, such as `held by a-1, then a-2; consulted a-3`.

    Agents who held the conversation, as its primary, come first and in order. Agents who were
    consulted follow, also those who held it at another time, and then those of whom no event tells.
    """
    named: dict[str | None, dict[str, str]] = {"primary": {}, "consultant": {}, None: {}}
    for each in report.segments:
        named[each.role][each.agent] = _named(each.agent, each.name, look)
    holders, consulted, others = ([*names.values()] for names in named.values())
    parts = {
        "held by": _listed(holders, ", then "),
        "consulted": _listed(consulted, ", "),
        "held by or consulted": _listed(others, ", "),
    }
    return "; ".join(f"{verb} {agents}" for verb, agents in parts.items() if agents)


def _named(agent: str, name: str, look: Look) -> str:
    identity = clip(quoted(agent), _LONGEST, look.signs.more)
    named = f"{identity} ({clip(name, _NAME, look.signs.more)})"
    return named if name not in {"", agent} else identity


def _listed(names: Sequence[str], separator: str) -> str:
    hidden = len(names) - _AGENTS
    text = separator.join(names[:_AGENTS])
    return f"{text} and {hidden} more" if hidden > 0 else text
