"""Draws the layers and the way of a delivery: `python docs/images/layers.py [--check]`.

The rows are those of the contract in `pyproject.toml` that holds the imports to them.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
PICTURE: Final = HERE / "layers.svg"
WIDTH, HEIGHT, GAP, MARGIN = 900, 46, 8, 16

WORDS: Final[Mapping[str, str]] = {
    "cli": "commands, settings, exit codes",
    "adapters": "ASGI, WSGI, Lambda",
    "export": "other tools' formats",
    "testing": "strategies, conformance",
    "spark": "the check on a cluster",
    "report": "findings for people and programs",
    "sandbox": "the platform, to test against",
    "dialects": "how senders write, and a policy for it",
    "root_causes": "what mistakes have in common, since when",
    "logs": "files to reports",
    "http": "routes, tokens",
    "repairs": "what to send instead",
    "compare": "diff, statistics",
    "client": "calls to the platform",
    "stores": "SQLite, memory, PostgreSQL",
    "processor": "deliveries applied and committed, callbacks, queries",
    "simulate": "generated logs with known mistakes",
    "conversation": "Conversation, check, Report",
    "native": "the accelerator's bindings",
    "platform": "26 endpoints as one table; models; OpenAPI",
    "edits": "the search for the cheapest change",
    "wire": "bytes to deliveries",
    "engine": "deliveries to state and findings",
    "segments": "who was present when",
    "transcription": "the table of the recording",
    "calls": "the table of calls",
    "roots": "which mistakes explain the rest",
    "lifecycle": "the table; presence; transition()",
    "events": "values, fields, intakes",
    "findings": "rules, severities, policy",
    "errors": "what a caller gets wrong",
    "durations": "5s, 2h",
    "epoch": "times since 1970",
    "version": "0.2.0 and the like",
    "web_address": "what HTTP can ask",
}
WAY: Final[Mapping[str, str]] = {
    "adapters": "1",
    "http": "2",
    "processor": "3, 7",
    "wire": "4",
    "engine": "5",
    "lifecycle": "6",
    "stores": "8",
}
"""The steps of a delivery, as the page on the architecture counts them."""


def layers() -> list[list[str]]:
    """Return the rows of packages, from the top."""
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (rows,) = (each["layers"] for each in contracts if each["id"] == "layers")
    names = [[name.strip(" ()") for name in row.split("|")] for row in rows]
    return [row for row in names if row != ["__main__"]]


def drawn(rows: Sequence[Sequence[str]]) -> str:
    """Return the picture."""
    height = 2 * MARGIN + len(rows) * (HEIGHT + GAP) - GAP
    boxes = "".join(_boxes(rows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="system-ui, sans-serif">'
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#0d1117"/>\n{boxes}</svg>\n'
    )


def _boxes(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        top = MARGIN + number * (HEIGHT + GAP)
        width = (WIDTH - 2 * MARGIN - (len(row) - 1) * GAP) / len(row)
        for place, name in enumerate(row):
            yield _box(name, MARGIN + place * (width + GAP), top, width)


def _box(name: str, left: float, top: float, width: float) -> str:
    step = WAY.get(name, "")
    edge, fill = ("#58a6ff", "#10294a") if step else ("#30363d", "#161b22")
    badge = (
        f'<text x="{left + width - 10:.0f}" y="{top + 19}" font-size="13" font-weight="700" '
        f'fill="#79c0ff" text-anchor="end">{step}</text>'
    )
    return (
        f'<rect x="{left:.0f}" y="{top}" width="{width:.0f}" height="{HEIGHT}" rx="6" '
        f'fill="{fill}" stroke="{edge}"/>'
        f'<text x="{left + 10:.0f}" y="{top + 19}" font-size="14" font-weight="600" '
        f'fill="#e6edf3">{name}</text>'
        f'<text x="{left + 10:.0f}" y="{top + 36}" font-size="11.5" fill="#9da7b3">'
        f"{escape(WORDS[name])}</text>{badge if step else ''}\n"
    )


def main(arguments: Sequence[str]) -> int:
    """Write the picture, or with `--check` say whether it is stale; return the exit code."""
    text = drawn(layers())
    is_current = PICTURE.is_file() and PICTURE.read_text("utf-8") == text
    if "--check" in arguments:
        sys.stdout.write("" if is_current else f"{PICTURE} is stale\n")
        return int(not is_current)
    PICTURE.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
