"""Measure the report page in a browser: the list, opening a conversation, and zooming.

    python benchmarks/page.py [--conversations 50000] [--rounds 7] [--events 20000] [--steps 60]

This needs playwright and Chromium. The script measures the processor time of the page's main thread
with Chromium's trace, because a busy machine hardly affects it. It also measures the wall-clock
time until the first row of the list is painted. A search is entered as soon as that row is painted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from shutil import which
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, sync_playwright

import segue
from segue.analysis.simulate import generate
from segue.report import RunSummary, renderer
from segue.report.page_rows import page_note
from segue.testing import story

BEGIN = datetime(2026, 3, 2, 8, tzinfo=UTC)
PAUSE = 60
STEP = """async (key) => {
  performance.mark("step");
  const lanes = document.querySelector(".lanes");
  lanes.focus();
  lanes.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const drawn = (done) => requestAnimationFrame(() => requestAnimationFrame(done));
  await new Promise(drawn);
}"""
OPEN = """() => {
  performance.mark("step");
  document.querySelector('.row[aria-selected="false"]').click();
}"""
MARK = 'performance.mark("step")'
PAINTED = """
performance.mark("step");
const painted = () => {
  performance.mark("step");
  window.painted = performance.now();
};
const look = () =>
  document.querySelector(".row") ? setTimeout(painted) : requestAnimationFrame(look);
requestAnimationFrame(look);
"""
SEARCH = """async (words) => {
  while (!window.painted) await new Promise(requestAnimationFrame);
  const search = document.getElementById("search");
  performance.mark("step");
  search.value = words;
  search.dispatchEvent(new Event("input"));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  performance.mark("step");
  return window.painted;
}"""


def log(conversation: str, labels: Sequence[str]) -> Iterator[str]:
    """Yield the JSON lines of a conversation whose events are two seconds apart."""
    for number, body in enumerate(story(*labels, conversation_id=conversation)):
        at = BEGIN + timedelta(seconds=2 * number)
        yield json.dumps({"received_at": at.isoformat(), "body": body})


def long_one(events: int) -> Iterator[str]:
    """Yield event labels, such as `NA entry by a-1`, of a conversation with many messages."""
    yield "NA entry by a-1"
    for number in range(events - 2):
        labels = (
            "user message by a-1",
            "agent message by a-1",
            "WARM entry by a-2",
            "WARM exit by a-2",
        )
        yield labels[number % 4]
    yield "NA exit by a-1"


def many_agents(events: int, agents: int) -> Iterator[str]:
    """Yield event labels, such as `NA entry by a-1`, of a conversation with many agents."""
    chance, primary = Random(4), 0
    yield "NA entry by a-0"
    for _ in range((events - 2) // 2):
        other = (primary + chance.randrange(1, agents)) % agents
        if chance.getrandbits(1):
            yield from (f"WARM entry by a-{other}", f"WARM exit by a-{other}")
        else:
            yield from (f"COLD exit by a-{primary}", f"COLD entry by a-{other}")
            primary = other
    yield f"NA exit by a-{primary}"


def page_of(lines: Iterable[str], path: Path) -> str:
    """Write the HTML report of a log to a file and return the file's URL."""
    with path.open("w", encoding="utf-8") as file:
        page = renderer("html", file.write)
        for report in segue.replay(lines, note=partial(page_note, include_text=False)):
            page.show(report)
        page.finish(RunSummary())
    return path.as_uri()


def listed(browser: Browser, address: str) -> tuple[float, float, float]:
    """Measure how long the page takes to open the list and to search in it.

    Return three numbers of milliseconds: the wall-clock time until the list is painted, the main
    thread's time for that, and the main thread's time for the search.
    """
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.add_init_script(PAINTED)
    browser.start_tracing(page=page, categories=["blink.user_timing"])
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".row")
    elapsed = page.evaluate(SEARCH, "c-31 sg1")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    painted, _, searched = between_marks(events)
    return elapsed, painted, searched


def traced(browser: Browser, address: str, act: str, arguments: Sequence[Any]) -> list[float]:
    """Return the milliseconds of the main thread for each of several steps in the page.

    A step evaluates the JavaScript function `act` with one of the arguments.
    """
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(address)
    page.wait_for_selector("body[data-ready]", state="attached", timeout=60_000)
    page.wait_for_timeout(500)
    browser.start_tracing(page=page, categories=["blink.user_timing"])
    for argument in arguments:
        page.evaluate(act, argument)
        page.wait_for_timeout(PAUSE if len(arguments) > 1 else 2_000)
    page.evaluate(MARK)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    return list(between_marks(events))


def between_marks(events: Sequence[dict[str, Any]]) -> Iterator[float]:
    """Yield the milliseconds that the main thread ran between each two successive marks."""
    marks = {event["ts"]: event["tts"] for event in events if event["name"] == "step"}
    for begin, end in pairwise(marks[at] for at in sorted(marks)):
        yield (end - begin) / 1000


def show(title: str, spent: Sequence[float]) -> None:
    """Print a row with the median and the 95th percentile of the milliseconds."""
    late = quantiles(spent, n=20)[-1] if len(spent) > 1 else spent[0]
    print(f"{title:<44}{median(spent):8.1f} ms{late:8.1f} ms")


def main() -> None:
    """Print the times for the list, for opening a conversation, and for zooming."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--conversations", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--steps", type=int, default=60)
    options = parser.parse_args()
    keys = ["++++++------"[step % 12] for step in range(options.steps)]
    few = min(2_000, options.events)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        lines = [*log("c-0", ["NA entry by a-1"]), *log("c-1", list(long_one(options.events)))]
        long = page_of(lines, Path(folder, "a.html"))
        crowd = page_of(list(log("c-1", list(many_agents(few, 40)))), Path(folder, "b.html"))
        made = (each.text for each in generate(conversations=options.conversations))
        many = page_of(made, Path(folder, "c.html"))
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        print(f"{'main thread':<44}{'median':>11}{'95 %':>11}")
        rounds = [listed(browser, many) for _ in range(options.rounds)]
        elapsed, painted, searched = zip(*rounds, strict=True)
        show(f"a list of {options.conversations:,}", painted)
        show("  the same by the clock", elapsed)
        show("  the first search in it", searched)
        show(f"opening {options.events:,} events", traced(browser, f"{long}#c-0", OPEN, [None]))
        show(f"zooming {options.events:,} events", traced(browser, f"{long}#c-1", STEP, keys))
        show(f"zooming {few:,} events of 40 agents", traced(browser, crowd, STEP, keys))
        browser.close()


if __name__ == "__main__":
    main()
