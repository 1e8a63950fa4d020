"""Measure the stages of a check as multiples of bare decoding, in one run.

    python benchmarks/check.py [--lines 200000] [--rounds 5]

The logs are generated: conversations of about 20 lines, 500 open at once, 5 % of them with a
mistake. `plain` has one spelling of everything, `motley` has all accepted spellings and events that
are reported as notes, and `delivered` has a delivery id on every line.

Every stage reads the file. Stages take turns, and their processor time in one thread is measured.
Results are medians over rounds, of times as well as ratios. Compare ratios, because the times
depend on the machine. `bare` only decodes the lines with pydantic models (`bare.py`), and `SQL`
runs the query of `sql.py`. Stages that need something that is not installed (the accelerator,
msgspec, orjson, DuckDB) are left out.

The script then prints the growth of memory, and the growth of time with the number of lines and of
open conversations.
"""

from __future__ import annotations

import argparse
import json
import os
import tracemalloc
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple, TypeAlias

from bare import LINE
from sql import sql

from segue import replay
from segue.analysis.simulate import generate, write
from segue.core.engine import apply, new
from segue.core.wire import read_line
from segue.logs.native import usable_library
from segue.logs.sources import lines_of

PLAIN: dict[str, Any] = {"spellings": False, "notes": False}
LOGS: dict[str, dict[str, Any]] = {
    "plain": PLAIN,
    "motley": {},
    "delivered": PLAIN | {"delivery_ids": True},
}


class Log(NamedTuple):
    """A log file, with its number of lines and its size in bytes."""

    path: Path
    lines: int
    size: int


DECODERS: dict[str, str] = {"msgspec": "msgspec.json:decode", "orjson": "orjson:loads"}
"""The import paths of other JSON decoders, by the name of their package."""


def log(folder: Path, name: str, lines: int, *, open_at_once: int = 500, **dials: Any) -> Log:
    """Generate a log file in a folder.

    `open_at_once` is the number of simultaneous conversations. `dials` are further options of the
    generator.
    """
    made = generate(7, lines=lines, open_at_once=open_at_once, messages=3.5, **dials)
    path = folder / f"{name}.jsonl"
    return Log(path, write(path, made), path.stat().st_size)


Stage: TypeAlias = Callable[[Log], None]


def consume(*_: object) -> None:
    """Accept values and ignore them."""


def each(call: Callable[[bytes], object]) -> Stage:
    """Return a stage that calls a function with every line of a log and ignores ValueError."""

    def run(log: Log) -> None:
        for raw in lines_of(log.path):
            try:  # noqa: SIM105 - the time of `suppress` would be measured as well
                call(raw)
            except ValueError:
                pass

    return run


def judge(log: Log) -> None:
    """Read each line and apply it to the state of its conversation.

    All states are kept until the end.
    """
    states: dict[str | None, Any] = {}
    for raw in lines_of(log.path):
        delivery = read_line(raw)
        state = states.get(delivery.conversation_id)
        if state is None:
            state = states[delivery.conversation_id] = new(delivery.conversation_id)
        apply(state, delivery)


def check(log: Log) -> None:
    """Replay the log and read the findings of each report."""
    for report in replay(log.path):
        consume(report.findings)


def as_json(log: Log) -> None:
    """Replay the log and write each report as JSON."""
    for report in replay(log.path):
        consume(report.to_json())


def check_segments(log: Log) -> None:
    """Replay the log and read the segments and metrics of each report."""
    for report in replay(log.path):
        consume(report.segments, report.metrics)


def with_engine(engine: str, stage: Stage) -> Stage:
    """Return a stage that runs another stage with the given engine.

    `engine` is `"0"` for the reference and `"1"` for the accelerator.
    """

    def run(log: Log) -> None:
        before = os.environ.get("SEGUE_NATIVE", "1")
        os.environ["SEGUE_NATIVE"] = engine
        stage(log)
        os.environ["SEGUE_NATIVE"] = before

    return run


def stages_of_a_check() -> dict[str, Stage]:
    """Return the stages of a check, and the stages to compare them with, by name.

    Stages that need a missing package are left out.
    """
    found: dict[str, Stage] = {
        "bare": each(LINE.validator.validate_json),
        "json.loads": each(json.loads),
    }
    for name, place in DECODERS.items():
        if find_spec(name) is not None:
            module, _, function = place.partition(":")
            found[name] = each(getattr(import_module(module), function))
    if find_spec("duckdb") is not None:
        found["SQL"] = lambda log: consume(sql(log.path, threads=1))
    found |= {
        "read": each(read_line),
        "read and judge": judge,
        "check": with_engine("0", check),
        "check, segments, metrics": with_engine("0", check_segments),
        "reports as JSON": with_engine("0", as_json),
    }
    if usable_library() is not None:
        found |= {
            "check, accelerated": with_engine("1", check),
            "check, segments, metrics, accelerated": with_engine("1", check_segments),
            "reports as JSON, accelerated": with_engine("1", as_json),
        }
    return found


def timed(stages: dict[str, Callable[[], None]], rounds: int) -> dict[str, list[float]]:
    """Run the stages in turn and return the seconds of each round by the name of the stage."""
    found: dict[str, list[float]] = {name: [] for name in stages}
    for _ in range(rounds):
        for name, stage in stages.items():
            begun = process_time()
            stage()
            found[name].append(process_time() - begun)
    return found


def best(
    stages: dict[str, Callable[[], None]],
    rounds: int,
    clock: Callable[[], float] = process_time,
) -> dict[str, float]:
    """Run the stages in turn and return the seconds of each stage's fastest round by name."""
    found = dict.fromkeys(stages, float("inf"))
    for _ in range(rounds):
        for name, stage in stages.items():
            begun = clock()
            stage()
            found[name] = min(found[name], clock() - begun)
    return found


def show_stages(it: Log, rounds: int) -> None:
    """Print the time of each stage for one log, with its ratios to the stages of comparison."""
    stages = stages_of_a_check()
    times = timed({key: lambda stage=stage: stage(it) for key, stage in stages.items()}, rounds)  # type: ignore[misc]
    against = [name for name in ("bare", "json.loads", "SQL", "check") if name in times]
    print(f"\n{it.path.stem}: {it.lines:,} lines of {it.size / it.lines:.0f} bytes")
    print(f"  {'':38} {'us a line':>9}" + "".join(f"{'x ' + name:>13}" for name in against))
    for key, seconds in times.items():
        ratios = (
            median(one / other for one, other in zip(seconds, times[name], strict=True))
            for name in against
        )
        figures = "".join(f"{ratio:13.2f}" for ratio in ratios)
        print(f"  {key:38} {median(seconds) / it.lines * 1e6:9.2f}{figures}")


def grown(make: Callable[[], object]) -> int:
    """Return the number of bytes of memory that the result of `make` takes."""
    tracemalloc.start()
    kept = make()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    consume(kept)
    return size


def states_of(bodies: Iterable[bytes], number: int) -> list[Any]:
    """Return the states of several conversations, each after these bodies were applied.

    `number` is the number of conversations.
    """
    states = []
    for index in range(number):
        state = new(f"c-{index:06}")
        for at, raw in enumerate(bodies):
            time = f"2026-03-02T09:{at // 60 % 60:02}:{at % 60:02}.{index % 1000:03}Z"
            apply(state, read_line(b'{"received_at":"%b","body":%b}' % (time.encode(), raw)))
        states.append(state)
    return states


def transfer(kind: str, transition: str, agent: str) -> bytes:
    """Return the JSON body of a delivery with one transfer."""
    fields = {"agentEmail": f"{agent}@example.com", "queueId": "qu-1", "queueName": "Orders"}
    participant = {"identity": agent, "name": agent, "type": "agent", "customFields": fields}
    event = {"name": "INTERNAL_TRANSFER_EVENT", "transfertype": kind, "transition": transition}
    told = {"isExtAD": False, "language": "en", "experience": "chat", "participant": participant}
    return json.dumps({"conversationId": "c", "botId": "b", "events": [event | told]}).encode()


def show_memory() -> None:
    """Print the bytes of memory for an open conversation and for each further event."""
    two = [transfer("NA", "entry", "a-1"), transfer("WARM", "entry", "a-2")]
    more = [transfer("WARM", way, "a-2") for way in ("exit", "entry") for _ in range(1)] * 100
    few, many = 1_000, 50
    states_of(two, 10)  # fill caches
    small = grown(lambda: states_of(two, few)) / few
    large = (grown(lambda: states_of([*two, *more], many)) / many - small) / len(more)
    print("\nmemory")
    print(f"  an open conversation of two agents     {small:7.0f} bytes")
    print(f"  a lifecycle event more                 {large:7.0f} bytes")


def show_growth(folder: Path, rounds: int, lines: int) -> None:
    """Print the growth of time with the number of lines and with that of open conversations."""
    dials = PLAIN
    logs = {
        "1 x the lines, 200 open": log(folder, "short", lines // 4, open_at_once=200, **dials),
        "4 x the lines, 200 open": log(folder, "long", lines, open_at_once=200, **dials),
        "4 x the lines, 2,000 open": log(folder, "wide", lines, open_at_once=2_000, **dials),
    }
    times = best({name: lambda it=it: check(it) for name, it in logs.items()}, rounds)  # type: ignore[misc]
    print("\ngrowth, a line")
    first = next(iter(logs))
    for name, it in logs.items():
        ratio = times[name] / it.lines / (times[first] / logs[first].lines)
        print(f"  {name:38} {ratio:7.2f} x")


def main() -> None:
    """Print the times of all stages, the memory, and the growth of time."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=40_000, help="of each log [40000]")
    parser.add_argument("--rounds", type=int, default=5, help="of which the best counts [5]")
    given = parser.parse_args()
    with TemporaryDirectory() as made:
        folder = Path(made)
        for name, dials in LOGS.items():
            show_stages(log(folder, name, given.lines, **dials), given.rounds)
        show_memory()
        show_growth(folder, given.rounds, given.lines)


if __name__ == "__main__":
    main()
