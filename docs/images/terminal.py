"""Make the terminal pictures of the docs: `python docs/images/terminal.py [--check]`.

Each picture is an SVG of a command's coloured output. The same output gives the same bytes.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
SHIFT: Final = str(HERE.parents[1] / "samples" / "shift.jsonl")

PICTURES: Final = {
    "repair.svg": [
        *("repair", "--color", "always", "--conversation", "c-00002", "--conversation", "c-00046"),
        *("--conversation", "c-00006", "--conversation", "c-00010", SHIFT),
    ],
    "diff.svg": ["diff", "--color", "always", SHIFT, "fixed.jsonl"],
    "stats.svg": ["stats", "--color", "always", SHIFT],
}

_MORE: Final = " --conversation c-00046 --conversation c-00006 --conversation c-00010"
COLUMN, ROW, MARGIN = 8.4, 19, 16
COLORS: Final = {
    "2": "#8b949e",
    "31": "#ff7b72",
    "32": "#7ee787",
    "33": "#e3b341",
    "35": "#d2a8ff",
    "36": "#76e3ea",
    "94": "#6cb6ff",
}
SEQUENCE: Final = re.compile("\x1b\\[([0-9;]*)m")


def written(arguments: list[str]) -> str:
    """Return the terminal output of a `segue` command, which includes escape sequences."""
    from segue.cli.app import run  # noqa: PLC0415 - needs the environment variables

    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        with contextlib.suppress(SystemExit):
            run(arguments)
        out.flush()
    buffer = out.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def drawn(text: str, command: str) -> str:
    """Return the output of a command as SVG, below a line with the command."""
    lines = [f"\x1b[2m$ \x1b[0m{command}", *text.rstrip("\n").split("\n")]
    width = round(COLUMN * max(len(SEQUENCE.sub("", line)) for line in lines)) + 2 * MARGIN
    height = ROW * len(lines) + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + ROW * index + 14}" '
        f'xml:space="preserve">{_row(line)}</text>'
        for index, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="ui-monospace, Menlo, Consolas, monospace" '
        f'font-size="14" fill="#e6edf3">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n{rows}\n</svg>\n'
    )


def _row(line: str) -> str:
    spans, column, style = [], 0, ""
    for index, part in enumerate(SEQUENCE.split(line)):
        if index % 2:
            style = part
        elif part:
            spans.append(_span(part, column, style.split(";")))
            column += len(part)
    return "".join(spans)


def _span(text: str, column: int, codes: list[str]) -> str:
    color = next((f' fill="{COLORS[code]}"' for code in codes if code in COLORS), "")
    bold = ' font-weight="bold"' if "1" in codes else ""
    # The explicit length keeps columns aligned in any font.
    place = f'x="{MARGIN + column * COLUMN:g}" textLength="{len(text) * COLUMN:g}"'
    return f"<tspan {place}{color}{bold}>{escape(text)}</tspan>"


def pictures() -> dict[str, str]:
    """Return the SVG of every picture, by file name."""
    os.environ |= {"COLUMNS": "80"}
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            written(["repair", SHIFT, "--write", "fixed.jsonl", "--no-config"])
            return {
                name: drawn(
                    written([*arguments, "--no-config"]),
                    " ".join(["segue", *arguments])
                    .replace(" --color always", "")
                    .replace(SHIFT, "shift.jsonl")
                    .replace(_MORE, " …"),
                )
                for name, arguments in PICTURES.items()
            }
        finally:
            os.chdir(before)


def main() -> int:
    """Write the pictures, or only list stale ones with `--check`. Return the exit code."""
    stale = [
        name
        for name, picture in pictures().items()
        if not (HERE / name).exists() or (HERE / name).read_text("utf-8") != picture
    ]
    if "--check" not in sys.argv:
        for name, picture in pictures().items():
            (HERE / name).write_text(picture, "utf-8")
        return 0
    for name in stale:
        sys.stdout.write(f"docs/images/{name} is stale: run python docs/images/terminal.py\n")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
