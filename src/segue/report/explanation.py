"""Render the page of a rule for a terminal, with its logs abbreviated.

The Markdown that rule pages use is supported: headings, paragraphs, fenced logs and inline code.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from segue.core.findings import Rule
from segue.report.log_excerpt import ExcerptLine, compare_logs
from segue.report.look import Look
from segue.report.pages import HEADINGS, sections
from segue.report.styled_text import TONES, TextLine, Tone, indented, wrap

_MARGIN: Final = 2
_FENCE: Final = re.compile(r"```jsonl\n(.*?)```", re.DOTALL)
_CODE: Final = re.compile(r"`([^`]*)`")
_EXAMPLE: Final = HEADINGS[2]
_CORRECTED: Final = HEADINGS[3]


def explanation_lines(rule: Rule, look: Look) -> Iterator[TextLine]:
    """Yield the lines of a rule's page: the title, the summary and all sections.

    Its logs are abbreviated.
    """
    title = TextLine(f"{rule.severity.value}[{rule.code}]", TONES[rule.severity])
    yield title.add(" ").add(rule.name, Tone.STRONG)
    yield from indented(wrap(rule.summary, look.columns - _MARGIN), _MARGIN)
    parts = sections(rule)
    example, corrected = compare_logs(_log(parts[_EXAMPLE]), _log(parts[_CORRECTED]))
    logs = {_EXAMPLE: (example, "-", Tone.ERROR), _CORRECTED: (corrected, "+", Tone.GOOD)}
    for heading, text in parts.items():
        yield TextLine()
        yield TextLine(heading, Tone.STRONG)
        yield from _paragraphs(_FENCE.sub("", text), look)
        if heading in logs:
            yield TextLine()
            yield from _entries(*logs[heading])
    yield TextLine()
    yield TextLine(
        f"The logs whole, to copy: segue explain {rule.code} --format markdown", Tone.FAINT
    )


def _log(text: str) -> str:
    found = _FENCE.search(text)
    return "" if found is None else found[1]


def _paragraphs(text: str, look: Look) -> Iterator[TextLine]:
    for index, paragraph in enumerate(text.strip().split("\n\n")):
        if index:
            yield TextLine()
        is_code = False
        for row in wrap(" ".join(paragraph.split()), look.columns - _MARGIN):
            line = TextLine(" " * _MARGIN)
            for piece in re.split(r"(`)", row):
                if piece == "`":
                    is_code = not is_code
                else:
                    line.add(piece, Tone.CODE if is_code else None)
            yield line


def _entries(entries: Sequence[ExcerptLine], sign: str, tone: Tone) -> Iterator[TextLine]:
    """Yield a numbered line for each line of an abbreviated log.

    Lines that the other log lacks begin with `sign` and are drawn in `tone`.
    """
    digits = len(str(len(entries)))
    agents = digits + 8 + max((len(entry.label) for entry in entries if entry.agent), default=0)
    notes = agents + max((len(entry.agent) + 2 for entry in entries if entry.agent), default=0)
    for index, entry in enumerate(entries, start=1):
        color = tone if entry.is_other else None
        line = TextLine(f"  {sign} " if entry.is_other else "    ", tone)
        line.add(f"{index:>{digits}}  ", Tone.FRAME).add(entry.label, color)
        line.to(agents).add(entry.agent, color)
        if entry.notes:
            line.to(notes).add(", ".join(entry.notes), color or Tone.FAINT)
        yield line
