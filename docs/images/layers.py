"""Draw the layers of the package: `python docs/images/layers.py [--check]`.

A layer is called a floor. The floors and the order of their packages come from the import contracts
in `pyproject.toml`.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
PICTURE: Final = HERE / "layers.svg"
WIDTH, HEIGHT, GAP, MARGIN = 900, 50, 8, 16

WORDS: Final[Mapping[str, str]] = {
    "cli": "Commands, settings and exit codes.",
    "testing": "Strategies, machines, the conformance suite and the pytest plugin.",
    "spark": "The check on a Spark cluster.",
    "platform": "The platform's 26 endpoints as one table; a client and a sandbox made from it.",
    "server": "Receives deliveries, stores them, calls back, and answers over HTTP.",
    "report": "Reports as text, pages, JSON and SARIF, and exports to other tools.",
    "analysis": "What many conversations have in common, and logs with or without mistakes.",
    "logs": "Reads logs of any layout and replays them to one report per conversation.",
    "core": "Checks one conversation: events, the lifecycle table, findings, segments.",
}
"""The purpose of each floor in one sentence."""
WAY: Final[Mapping[str, str]] = {"server": "1, 2, 3, 7, 8", "core": "4, 5, 6"}
"""The steps of a delivery that each floor performs, numbered as on the architecture page."""


def floors() -> list[str]:
    """Return the names of the floors from top to bottom."""
    return [name for name in _layers("floors") if name in WORDS]


def packages(floor: str) -> list[str]:
    """Return the packages of a floor from bottom to top.

    The list is empty if no import contract orders them.
    """
    return _layers(f"{floor}-layers")[::-1]


def _layers(contract: str) -> list[str]:
    project = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    rows = [row for each in contracts if each["id"] == contract for row in each["layers"]]
    return [name.strip(" ()") for row in rows for name in row.split("|")]


def drawn(names: Sequence[str]) -> str:
    """Return a picture of the floors as SVG."""
    height = 2 * MARGIN + len(names) * (HEIGHT + GAP) - GAP
    boxes = "".join(_boxes(names))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="system-ui, sans-serif">'
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#0d1117"/>\n{boxes}</svg>\n'
    )


def _boxes(names: Sequence[str]) -> Iterator[str]:
    for number, name in enumerate(names):
        top = MARGIN + number * (HEIGHT + GAP)
        step = WAY.get(name, "")
        edge, fill = ("#58a6ff", "#10294a") if step else ("#30363d", "#161b22")
        yield (
            f'<rect x="{MARGIN}" y="{top}" width="{WIDTH - 2 * MARGIN}" height="{HEIGHT}" rx="6" '
            f'fill="{fill}" stroke="{edge}"/>'
        )
        yield _text(name, MARGIN + 12, top + 30, 'font-size="16" font-weight="600" fill="#e6edf3"')
        yield _text(WORDS[name], 150, top + 21, 'font-size="13" fill="#c9d1d9"')
        held = " · ".join(packages(name))
        yield _text(held, 150, top + 39, 'font-size="11.5" fill="#8b949e"')
        badge = 'font-size="13" font-weight="700" fill="#79c0ff" text-anchor="end"'
        yield _text(step, WIDTH - MARGIN - 10, top + 21, badge)
        yield "\n"


def _text(text: str, left: int, top: int, style: str) -> str:
    return f'<text x="{left}" y="{top}" {style}>{escape(text)}</text>' if text else ""


def main(arguments: Sequence[str]) -> int:
    """Write the picture, or only say whether it is stale with `--check`. Return the exit code."""
    text = drawn(floors())
    is_current = PICTURE.is_file() and PICTURE.read_text("utf-8") == text
    if "--check" in arguments:
        sys.stdout.write("" if is_current else f"{PICTURE} is stale\n")
        return int(not is_current)
    PICTURE.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
