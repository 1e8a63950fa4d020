"""Compare the speed of `segue check --jobs N` with that of one process."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from check import PLAIN, log

STYLES = ("concise", "jsonl")


def seconds(path: Path, style: str, jobs: int) -> float:
    """Check a log in a new process and return the elapsed seconds.

    `style` is the output format.
    """
    command = ["-m", "segue", "check", str(path), "--no-config", f"--format={style}"]
    begun = perf_counter()
    subprocess.run(
        [sys.executable, *command, f"--jobs={jobs}", "--fail-on=never"],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return perf_counter() - begun


def main() -> None:
    """Print the median ratio of the times for each format."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lines", type=int, default=800_000, help="of the log [800000]")
    parser.add_argument("--jobs", type=int, default=2, help="processes [2]")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with TemporaryDirectory() as made:
        it = log(Path(made), "plain", given.lines, **PLAIN)
        print(f"{it.lines:,} lines, {it.size / 1e6:,.0f} MB")
        for style in STYLES:
            pairs = [
                (seconds(it.path, style, 1), seconds(it.path, style, given.jobs))
                for _ in range(given.rounds)
            ]
            ratios = sorted(one / several for one, several in pairs)
            one, several = (median(column) for column in zip(*pairs, strict=True))
            print(
                f"  {style:8} one process {one:.2f} s, {given.jobs} processes {several:.2f} s: "
                f"{median(ratios):.2f} times as fast ({ratios[0]:.2f} to {ratios[-1]:.2f})"
            )


if __name__ == "__main__":
    main()
