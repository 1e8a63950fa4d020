"""Measure the delay of the inspector while its server receives many events.

    python benchmarks/inspector.py [--rate 2000] [--seconds 30] [--each 20]

This needs playwright and Chromium. `--rate` is the number of events per second and `--each` the
number of events in a delivery. Each delivery is a separate conversation. A sample is the age of the
oldest delivery that was answered but is not in the list yet. The script also prints the processor
time of the server and of the page's main thread, as a share of one processor.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from shutil import which
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter, sleep

from playwright.sync_api import CDPSession, Page, sync_playwright

import segue
from segue.testing import story

CLIENTS = 4
LOOK = 0.2
NEWEST = """() => Math.max(-1, ...[...document.querySelectorAll(".row b")].map(
  (name) => Number(name.textContent.slice(2))))"""


class Sender:
    """Clients that send deliveries at a given rate. Each delivery is a separate conversation."""

    def __init__(self, port: int, rate: float, each: int) -> None:
        """Create the clients, which do not send yet.

        `rate` is the number of events per second, and `each` the number of events per delivery.
        """
        self.port, self.pause, self.each = port, CLIENTS * each / rate, each
        self.answered: dict[int, float] = {}
        self.done = Event()
        self.threads = [Thread(target=self.run, args=(number,)) for number in range(CLIENTS)]

    def run(self, number: int) -> None:
        """Send every n-th delivery until `done` is set, where n is the number of clients.

        `number` is the number of this client, from 0.
        """
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        due = perf_counter() + self.pause * number / CLIENTS
        for count in range(number, sys.maxsize, CLIENTS):
            sleep(max(0.0, due - perf_counter()))
            due += self.pause
            if self.done.is_set():
                return
            connection.request("POST", "/agentdesk/api/v1/hooks/st-1", delivery(count, self.each))
            answer = connection.getresponse()
            answer.read()
            if answer.status != HTTPStatus.OK:
                raise SystemExit(f"the server answered {answer.status}")
            self.answered[count] = perf_counter()

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Send deliveries from all clients while the context is active."""
        for thread in self.threads:
            thread.start()
        try:
            yield
        finally:
            self.done.set()
            for thread in self.threads:
                thread.join()


def delivery(count: int, each: int) -> bytes:
    """Return a JSON delivery of `each` events.

    One agent enters and leaves, with consultations in between.
    """
    labels = ["NA entry by a-1", *["WARM entry by a-2", "WARM exit by a-2"] * (each // 2 - 1)]
    bodies = story(*labels, "NA exit by a-1", conversation_id=f"c-{count}", bot_id="st-1")
    events = [event for body in bodies for event in body["events"]]
    return json.dumps({**bodies[0], "events": events}).encode()


@contextmanager
def serving(folder: str) -> Iterator[tuple[int, int]]:
    """Run a server with a store on disk while the context is active.

    Yield its port and process id.
    """
    command = [sys.executable, "-m", "segue", "serve", "--no-auth", "--quiet", "--port=0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline() if process.stdout else ""
        found = re.search(r":(\d+)", line)
        try:
            yield int(found[1]) if found else 0, process.pid
        finally:
            process.terminate()


def processor_time(process: int) -> float:
    """Return the CPU seconds that a process has used. `process` is its id."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main_thread(session: CDPSession) -> float:
    """Return the seconds that the tasks of a page's main thread have used."""
    found = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in found if each["name"] == "TaskDuration")


def samples(page: Page, sender: Sender, seconds: float) -> Iterator[float]:
    """Yield the delay of the page in seconds, five times per second."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        newest = page.evaluate(NEWEST)
        if newest in sender.answered:
            later = [at for count, at in sender.answered.copy().items() if count > newest]
            yield perf_counter() - min(later) if later else 0.0
        sleep(LOOK)


def main() -> None:
    """Print the delays of the page and the processor time of the server and of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rate", type=float, default=2_000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--each", type=int, default=20)
    options = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        serving(folder) as (port, process),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(f"http://127.0.0.1:{port}/inspect")
        page.wait_for_selector('body[data-state="live"]', state="attached")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        sender = Sender(port, options.rate, options.each)

        def state() -> tuple[float, float, float, int]:
            spent = processor_time(process), main_thread(session)
            return *spent, perf_counter(), len(sender.answered)

        with sender.sending():
            before = state()
            behind = sorted(samples(page, sender, options.seconds))
            after = state()
        said = page.inner_text("#state")
        browser.close()
    spent = after[2] - before[2]
    print(f"segue {segue.__version__}, {options.each} events a delivery")
    print(f"events a second that came{(after[3] - before[3]) * options.each / spent:14,.0f}")
    print(f"behind, median{median(behind):25.2f} s")
    print(f"behind, 95 %{quantiles(behind, n=20)[-1]:27.2f} s")
    print(f"of a processor, server{(after[0] - before[0]) / spent:17.2f}")
    print(f"of a processor, page{(after[1] - before[1]) / spent:19.2f}")
    print(f"the page says{said:>28}")


if __name__ == "__main__":
    main()
