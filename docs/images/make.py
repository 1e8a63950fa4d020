"""Make the pictures of the output formats in the docs: `python docs/images/make.py [NAME…]`.

Terminal output becomes an SVG of exactly that text. The report and the inspector are screenshots of
a real browser. JSON is indented, and long output is cut at the end and marked. The script needs the
extra `dev` and Chromium.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

import segue

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOG = "samples/shift.jsonl"
ONE = ("--conversation", "c-00051", LOG)
BEFORE, NOW = 570, 700
"""The number of lines sent before the inspector is opened.

`NOW` is the number of lines sent before the screenshot is taken.
"""
COLUMNS = 100
MORE = "…"
FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A pattern for embedded font rules.

They are removed so that a picture loads no external fonts.
"""


class Shot(NamedTuple):
    """The options for a picture of a command's output."""

    arguments: tuple[str, ...]
    lexer: str = ""
    """The Pygments lexer that colours the output.

    An empty string means that the command colours its output itself.
    """
    part: Callable[[Any], Any] | None = None
    """A function that selects the part of the JSON output to show.

    None means that the output is shown as it is.
    """
    lines: int = 60
    """The maximum number of lines to show."""


SHOTS = {
    "full": Shot((*ONE,)),
    "concise": Shot(("--format", "concise", LOG), lines=12),
    "github": Shot(("--format", "github", LOG), lexer="text", lines=3),
    "gitlab": Shot(("--format", "gitlab", *ONE), lexer="json", part=lambda found: found),
    "junit": Shot(("--format", "junit", *ONE), lexer="xml"),
    "sarif": Shot(
        ("--format", "sarif", *ONE),
        lexer="json",
        part=lambda found: found["runs"][0]["results"][0],
        lines=34,
    ),
    "json": Shot(("--format", "jsonl", *ONE), lexer="json", part=lambda found: found, lines=34),
}


def shown(shot: Shot, *, color: bool = False) -> str:
    """Return the text that a picture shows."""
    command = [sys.executable, "-m", "segue", "check", *shot.arguments]
    if color and not shot.lexer:
        command.append("--color=always")
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    text = done.stdout
    if shot.part is not None:
        text = json.dumps(shot.part(json.loads(text)), indent=2, ensure_ascii=False)
    lines = text.splitlines()
    return "\n".join(lines[: shot.lines] + [MORE] * (len(lines) > shot.lines))


def draw(name: str, shot: Shot) -> None:
    """Write the picture of a command's output as SVG. `name` is that of the file."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    text = shown(shot, color=True)
    if shot.lexer:
        code = text.removesuffix(f"\n{MORE}")
        console.print(Syntax(code, shot.lexer, theme="ansi_dark", word_wrap=True))
        if code != text:
            console.print(MORE)
    else:
        console.print(Text.from_ansi(text))
    title = f"segue check {' '.join(shot.arguments)}"
    svg = FONT.sub("", console.export_svg(title=title, unique_id=f"segue-{name}"))
    (HERE / f"{name}.svg").write_text("\n".join(map(str.rstrip, svg.splitlines())) + "\n", "utf-8")


def photograph_report(page: Page, folder: Path) -> None:
    """Save a screenshot of the HTML report as `report.png`."""
    file = folder / "report.html"
    command = [sys.executable, "-m", "segue", "check", "-q", f"--output=html={file}", LOG]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    page.goto(f"{file.as_uri()}#c-00006")
    page.wait_for_selector(".card")
    page.dispatch_event(".card", "mouseenter")
    page.screenshot(path=HERE / "report.png")


def photograph_inspector(page: Page, folder: Path) -> None:
    """Save a screenshot of the inspector while a server receives events."""
    lines = (ROOT / LOG).read_text("utf-8").splitlines()
    command = [sys.executable, "-m", "segue", "serve", "--no-auth", "--quiet", "--port=0"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        url = server.stdout.readline().split()[3]
        with segue.Processor(store=segue.SqliteStore(str(folder / "segue.db"))) as processor:
            send(processor, lines[:BEFORE])
            page.goto(f"{url}/inspect")
            page.wait_for_selector(".row")
            send(processor, lines[BEFORE:NOW])
            page.click(".row:has-text('SG202')")
            page.wait_for_selector(".card")
            page.wait_for_selector(".row.news")
            page.wait_for_timeout(3000)  # until the page has loaded everything visible
            page.screenshot(path=HERE / "inspector.png")
    finally:
        server.terminate()
        server.wait()


def photograph_main_path(page: Page, folder: Path) -> None:
    """Save screenshots of the pages of `segue serve --dev` and `segue sandbox --to`."""
    command = [sys.executable, "-m", "segue"]
    server = subprocess.Popen(
        [*command, "serve", "--dev", "--quiet", "--port=0", "--store=memory"],
        cwd=folder, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    try:
        shown = ""
        while "#token=" not in shown:
            shown = server.stdout.readline()
        [inspector, token] = re.findall(r"http\S+#token=(\S+)", shown) and (
            re.findall(r"http\S+", shown)[0], re.findall(r"#token=(\S+)", shown)[0]
        )  # fmt: skip
        url = inspector.partition("/inspect")[0]
        page.goto(inspector)
        sandbox = subprocess.Popen(
            [*command, "sandbox", "--port=0", f"--to={url}", "--conversations=10/s",
             "--fault=all", "--seed=1"],
            env=os.environ | {"SEGUE_TOKEN": token}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert sandbox.stdout is not None
        shown = ""
        while "/sandbox/page#" not in shown:
            shown = sandbox.stdout.readline()
        page.wait_for_selector(".row:nth-child(12)")
        page.click(".row .badge.error")
        page.wait_for_selector(".card")
        page.wait_for_timeout(3000)
        page.screenshot(path=HERE / "main-path.png")
        page.goto(shown.strip())
        page.click(".chip:has-text('faults')")
        page.wait_for_selector("tbody tr:nth-child(12)")
        page.screenshot(path=HERE / "sandbox.png")
        sandbox.terminate()
        sandbox.wait()
    finally:
        server.terminate()
        server.wait()


def send(processor: segue.Processor, lines: list[str]) -> None:
    """Apply each log line to the processor, with the time at which the line was received."""
    from datetime import datetime  # noqa: PLC0415 - used only here

    for text in lines:
        try:
            line = json.loads(text)
            at = datetime.fromisoformat(line["received_at"])
        except (ValueError, KeyError):
            continue
        body = json.dumps(line["body"]).encode()
        bot = line.get("bot_id") or line["body"].get("botId")
        if line.get("endpoint") == "transcription":
            processor.control(bot, line["conversation_id"], body, received_at=at)
        else:
            processor.receive(bot, body, received_at=at)


def main() -> None:
    """Make all pictures, or those named on the command line."""
    wanted = set(sys.argv[1:])
    for name, shot in SHOTS.items():
        if not wanted or name in wanted:
            draw(name, shot)
    photographs = {"report": photograph_report, "inspector": photograph_inspector,
                   "main-path": photograph_main_path}  # fmt: skip
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = which("chromium") or which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, photograph in photographs.items():
            if not wanted or name in wanted:
                page = browser.new_page(viewport={"width": 1060, "height": 640})
                photograph(page, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
