"""Entries of the feed and their findings as lines for a terminal.

An entry is a delivery that changed a phase or gave findings. It is a mapping from a server or a
store, and missing or malformed fields are skipped.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from segue.core.findings import Severity
from segue.report.look import Look
from segue.report.styled_text import TONES, TextLine, Tone

_MARGIN: Final = 2
_CLOCK: Final = slice(11, 19)


def entry_lines(entry: Mapping[str, Any], look: Look) -> Iterator[TextLine]:
    """Yield a line with the time, conversation and phase of an entry, then its findings."""
    before, phase = entry.get("phase_before"), entry.get("phase")
    line = TextLine(str(entry.get("received_at", ""))[_CLOCK], Tone.FAINT).add("  ")
    line.add(str(entry.get("conversation_id", "")), Tone.STRONG).add("  ")
    if entry.get("bot_id"):
        line.add(f"bot {entry['bot_id']}", Tone.FAINT).add("  ")
    if before != phase:
        arrow = "→" if look.fancy else "->"
        line.add(f"{before} {arrow} ", Tone.FAINT)
    yield line.add(str(phase), Tone.FAINT if before == phase else None)
    yield from finding_lines(entry)


def finding_lines(holder: Mapping[str, Any]) -> Iterator[TextLine]:
    """Yield the lines for the list `findings` in a feed entry or in the response of a server."""
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
        yield TextLine(" " * (2 * _MARGIN)).add("help: ", Tone.STRONG).add(str(finding["help"]))
