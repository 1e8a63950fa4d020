"""Compare the cost of a check with alternatives on the same log, in one run.

    python benchmarks/peers.py [--lines 200000] [--rounds 3]

The first rows are the minimum and the decoders, then follow the complete check and its
alternatives. Alternatives that are not installed are left out. They answer fewer questions:

- SQL: see `sql.py`.
- Process mining: PM4Py replays tokens on a net, including loading. A net finds that a conversation
  does not fit, but not why. Install PM4Py by hand. It is not a dependency, because its licence is
  AGPL.
- The naive stack: `json.loads`, a model for each kind of event, dateutil for times, and a state
  machine with a model for each conversation.

The result is the processor time of all threads in the best round, or the wall-clock time with
`--wall`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Annotated, Any, Literal

from bare import LINE
from check import PLAIN, Log, best, check, check_segments, consume, each, log
from dateutil import parser as dateutil
from pydantic import BaseModel, Discriminator, Tag, TypeAdapter, ValidationError
from sql import sql

from segue.core.lifecycle import machine
from segue.logs.sources import lines_of


def mining() -> Callable[[Log], None]:
    """Return a function that replays the tokens of a log on a net.

    PM4Py discovers the net from the first 5,000 lines.
    """
    import pandas as pd  # noqa: PLC0415 - installed by hand
    import pm4py  # noqa: PLC0415 - installed by hand

    def frame(lines: list[bytes]) -> Any:  # noqa: ANN401 - of a package that is not installed
        rows = []
        for number, raw in enumerate(lines):
            try:
                value = json.loads(raw)
                event = value["body"]["events"][0]
            except (ValueError, LookupError, TypeError):
                continue
            name = f"{event.get('transfertype', '')} {event.get('transition', '')}".strip()
            identity = value["body"].get("conversationId")
            rows.append((identity, name or event.get("name"), pd.Timestamp(number, unit="s")))
        names = ["case:concept:name", "concept:name", "time:timestamp"]
        return pd.DataFrame(rows, columns=names)

    nets: dict[Path, Any] = {}

    def run(it: Log) -> None:
        if it.path not in nets:  # not timed in the best round
            some = [line for line, _ in zip(lines_of(it.path), range(5_000), strict=False)]
            nets[it.path] = pm4py.discover_petri_net_inductive(frame(some))
        events = frame(list(lines_of(it.path)))
        consume(pm4py.conformance_diagnostics_token_based_replay(events, *nets[it.path]))

    return run


class Transfer(BaseModel):
    """The pydantic model of a transfer, as simple as in a first draft."""

    name: Literal["INTERNAL_TRANSFER_EVENT"]
    transfertype: str
    transition: str
    isExtAD: bool  # noqa: N815 - the platform's
    experience: str
    participant: dict[str, Any]


class Summary(BaseModel):
    """The pydantic model of a summary event."""

    name: Literal["TRIGGER_SUMMARY_EVENT"]
    data: dict[str, str]


class End(BaseModel):
    """The pydantic model of the event that ends a conversation."""

    name: Literal["END_OF_CONVERSATION"]
    reason: str
    participant: dict[str, Any]


def _name(value: Any) -> str:  # noqa: ANN401 - whatever was sent
    return str(value.get("name"))


Event = Annotated[
    Annotated[Transfer, Tag("INTERNAL_TRANSFER_EVENT")]
    | Annotated[Summary, Tag("TRIGGER_SUMMARY_EVENT")]
    | Annotated[End, Tag("END_OF_CONVERSATION")],
    Discriminator(_name),
]
EVENT: TypeAdapter[Any] = TypeAdapter(Event)


class Talk:
    """The object of one conversation, to which the state machine adds its methods."""


def naive(it: Log) -> None:
    """Read and check each line of a log with the most obvious libraries."""
    automaton = machine()
    talks: dict[str, Any] = {}
    for raw in lines_of(it.path):
        try:
            value = json.loads(raw)
            body = value["body"]
            consume(dateutil.parse(value["received_at"]))
            talk = talks.get(body["conversationId"])
            if talk is None:
                talk = talks[body["conversationId"]] = Talk()
                automaton.add_model(talk)
            for event in body.get("events", ()):
                read = EVENT.validate_python(event)
                kind = getattr(read, "transfertype", "NA").lower()
                way = getattr(read, "transition", "entry").lower()
                name = f"{kind}_{way}_newcomer"
                if hasattr(talk, name) and getattr(talk, f"may_{name}")():
                    getattr(talk, name)()
        except (ValueError, LookupError, TypeError, ValidationError):
            continue


def rows() -> dict[str, Callable[[Log], None]]:
    """Return functions that check a log, by the name of the alternative."""
    found: dict[str, Callable[[Log], None]] = {
        "lines only": each(consume),
        "json.loads": each(json.loads),
        "bare pydantic": each(LINE.validator.validate_json),
        "check": check,
        "check, segments, metrics": check_segments,
    }
    if find_spec("duckdb") is not None:
        found |= {
            "SQL, one thread": lambda it: consume(sql(it.path, threads=1)),
            "SQL, two threads": lambda it: consume(sql(it.path, threads=2)),
        }
    if find_spec("pm4py") is not None:
        found["process mining"] = mining()
    return found | {"naive stack": naive}


def main() -> None:
    """Print the lines per second of each alternative, compared with bare decoding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=40_000, help="of the log [40000]")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts [3]")
    parser.add_argument("--wall", action="store_true", help="take the time on the wall")
    given = parser.parse_args()
    clock = perf_counter if given.wall else process_time
    with TemporaryDirectory() as made:
        it = log(Path(made), "plain", given.lines, **PLAIN)
        stages = {name: partial(stage, it) for name, stage in rows().items()}
        times = best(stages, given.rounds, clock)
    print(f"{it.lines:,} lines of {it.size / it.lines:.0f} bytes")
    for name, seconds in times.items():
        lines, ratio = it.lines / seconds, seconds / times["bare pydantic"]
        print(f"  {name:38} {lines:11,.0f} lines/s {ratio:7.2f} x bare pydantic")


if __name__ == "__main__":
    main()
