"""Generate the reference page of the logs of tools, from `tool_logs.toml` and the samples."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from segue.cli.layouts import mapping_options
from segue.core.errors import UnreadableLog
from segue.logs.file_kinds import kind_of
from segue.logs.platforms import PLATFORMS
from segue.logs.sniffing.decision import sniff

__all__ = ["SAMPLES", "tool_logs", "tool_logs_page"]

SAMPLES: Final = Path(__file__).parent.parent / "tests" / "logs" / "written"
"""The folder with the beginnings of files that tools wrote."""

_INTRODUCTION: Final = """\
# Logs of tools

This page lists what tools were seen to write when deliveries pass through them, and how Segue
reads it. A version is the one that wrote the sample. `segue check FILE` finds the options by itself
and names them on standard error. The last column shows them for the sample. Your file may have
other keys.

`segue sniff FILE` says how a log of another tool is read, and
[Check a log](../how-to/check-a-log.md#another-layout) explains the options.

| tool | what it writes | read with |
|---|---|---|"""

_FILES: Final = """
## Files that are exported first

These files have no lines. Segue refuses them before it reads anything, and names the command that
exports them.

| written by | what Segue says |
|---|---|"""


def tool_logs() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of `tool_logs.toml`: `log` with samples, and `file` with first bytes."""
    text = (Path(__file__).parent / "tool_logs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def tool_logs_page() -> str:
    """Return the reference page of the logs of tools in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    rows = tool_logs()
    yield _INTRODUCTION
    for row in sorted(rows["log"], key=lambda row: str(row["tool"]).lower()):
        yield _row(row["tool"], row["writes"], _read_with(SAMPLES / row["sample"]))
    yield _FILES
    for row in rows["file"]:
        yield _row(row["tool"], kind_of(row["begins"].encode("latin-1")) or "")
    names = ", ".join(f"`--from {name}`" for name in PLATFORMS)
    yield f"\nEvents of other platforms are converted: {names}."


def _read_with(sample: Path) -> str:
    """Return the options that read a sample, or why it is refused."""
    try:
        found = sniff(str(sample))
    except UnreadableLog as refusal:
        reason = str(refusal).partition(" cannot be read: ")[2]
        return f"refused: {reason}"
    if found.is_ordinary:
        return "no options"
    return ", or ".join(f"`{mapping_options(way)}`" for way in found.ways)


def _row(*cells: str) -> str:
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"
