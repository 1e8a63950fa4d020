"""News for a terminal: what a delivery changed, and what was found wrong with it.

It decides the lines of one entry of the feed, and of findings as they are answered.  House rule: an
entry is what the feed says, from a server or from a store, so both look alike; an entry that is not
as it should be is shown as far as it can be read.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from segue.findings import Severity
from segue.report.look import Look
from segue.report.styled_text import TONES, TextLine, Tone

__all__ = ["findings_of", "news"]

_MARGIN: Final = 2
_CLOCK: Final = slice(11, 19)


def news(entry: Mapping[str, Any], look: Look) -> Iterator[TextLine]:
    """Yield the lines of one entry of the feed."""
    before, phase = entry.get("phase_before"), entry.get("phase")
    line = TextLine(str(entry.get("received_at", ""))[_CLOCK], Tone.FAINT).add("  ")
    line.add(str(entry.get("conversation_id", "")), Tone.STRONG).add("  ")
    if before != phase:
        arrow = "→" if look.fancy else "->"
        line.add(f"{before} {arrow} ", Tone.FAINT)
    yield line.add(str(phase), Tone.FAINT if before == phase else None)
    yield from findings_of(entry)


def findings_of(holder: Mapping[str, Any]) -> Iterator[TextLine]:
    """Yield the lines of the findings in an entry or an answer."""
    findings = holder.get("findings")
    for finding in findings if isinstance(findings, list) else ():
        if isinstance(finding, dict):
            yield from _finding(finding)


def _finding(finding: Mapping[str, Any]) -> Iterator[TextLine]:
    severity = str(finding.get("severity", ""))
    tone = TONES[Severity(severity)] if severity in list(Severity) else None
    line = TextLine(" " * _MARGIN).add(f"{severity}[{finding.get('code', '')}]", tone).add(" ")
    for what in ("event", "action"):
        if finding.get(what) is not None:
            line.add(f"{what} {finding[what]}: ", Tone.FAINT)
    yield line.add(str(finding.get("message", "")))
    if finding.get("help"):
        yield TextLine(" " * (2 * _MARGIN)).add("help: ", Tone.GOOD).add(str(finding["help"]))
