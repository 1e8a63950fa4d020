"""Measure how much the testing kit slows down pytest and `import hypothesis` for other projects.

    python benchmarks/startup.py [--rounds 40]

Segue must be installed, and not as an editable install. Runs with and without Segue take turns,
each in a new process whose processor time is measured. The script prints the medians, the median
and the quartiles of the differences, and the minima, which a busy machine affects least. It then
prints the time of the entry points alone.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

STARTS = {
    "import hypothesis": ("-c", "import hypothesis"),
    "pytest, no tests": ("-m", "pytest", "-q", "-p", "no:cacheprovider", "nothing"),
}
OWN = {
    "import hypothesis": "import segue.testing.hypothesis_plugin as it; it.register()",
    "pytest, no tests": "import segue.testing.plugin",
}
"""The code that Segue's entry point runs, by the kind of start."""
CLOCK = (
    "import time, hypothesis, pytest; before = time.process_time(); {}; "
    "print(1000 * (time.process_time() - before))"
)


def required(*names: str) -> Iterator[str]:
    """Yield the names of these distributions and of all their installed requirements."""
    for name in names:
        try:
            wanted = distribution(name).requires or ()
        except PackageNotFoundError:
            continue  # not required for this Python version or system
        yield name
        mandatory = (each for each in wanted if "extra ==" not in each)
        yield from required(*(re.split(r"[^\w.-]", each, maxsplit=1)[0] for each in mandatory))


def linked(folder: Path, *distributions: str) -> dict[str, str]:
    """Link distributions into a folder and return environment variables that add it to the path.

    Python may write bytecode into the folder. Otherwise pytest would rewrite the assertions of all
    plugins and of Hypothesis at each start, which takes half a second.
    """
    folder.mkdir()
    for name in set(distributions):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            target = Path(str(found.locate_file(top)))
            if target.exists() and not (folder / top).exists():
                (folder / top).symlink_to(target)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": str(folder)}


def milliseconds(arguments: Sequence[str], folder: Path, environment: dict[str, str]) -> float:
    """Run Python without its site packages and return its processor time in milliseconds."""
    process = subprocess.Popen(
        [sys.executable, "-S", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def compared(name: str, folder: Path, environments: Sequence[dict[str, str]], rounds: int) -> str:
    """Start Python alternately with and without Segue, and return a line about the difference."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        for each in (0, 1) if number % 2 else (1, 0):
            spent = milliseconds(STARTS[name], folder, environments[each])
            if number:  # the first round is a warm-up
                taken[each].append(spent)
    differences = [one - other for one, other in zip(*taken, strict=True)]
    low, middle, high = quantiles(differences, n=4)
    with_it, without = map(median, taken)
    return (
        f"{name:18} {with_it:6.1f} ms with, {without:6.1f} without; difference {middle:+.1f} ms "
        f"({low:+.1f} to {high:+.1f}), {with_it / without:.3f} times; "
        f"at the least {min(taken[0]):.1f} and {min(taken[1]):.1f} ms"
    )


def own(name: str, folder: Path, environment: dict[str, str], rounds: int) -> str:
    """Return a line with the time of Segue's entry point alone.

    Everything else is already imported when this time begins.
    """
    taken = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-S", "-c", CLOCK.format(OWN[name])],
            cwd=folder,
            env=environment | {"HYPOTHESIS_NO_PLUGINS": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        taken.append(float(done.stdout))
    return f"{name:18} {median(taken):6.2f} ms are Segue's own"


def main() -> None:
    """Print the differences for each kind of start, then the times of the entry points alone."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=40)
    rounds = parser.parse_args().rounds
    try:
        files = distribution("segue").files or ()
    except PackageNotFoundError:
        files = ()
    if not any(str(each) == "segue/__init__.py" for each in files):
        sys.exit("Segue is not installed, or only as an editable install: run pip install .")
    both = tuple(required("hypothesis", "pytest"))
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "nothing").mkdir()
        environments = [
            linked(folder / "with", "segue", *both),
            linked(folder / "without", *both),
        ]
        for name in STARTS:
            print(compared(name, folder, environments, rounds), flush=True)
        for name in STARTS:
            print(own(name, folder, environments[0], max(5, rounds // 4)), flush=True)


if __name__ == "__main__":
    main()
