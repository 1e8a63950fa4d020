"""Measure the accuracy and the cost of `segue.causes` on logs with planted causes.

    python benchmarks/causes.py [--days 100] [--first-seed 1000] [--only KIND] [--misses]
    python benchmarks/causes.py --days 0 [--lines 20000 60000 200000 400000] [--rounds 5]

The script generates days of 2,000 conversations without using the package. Bots, agents, queues,
languages, experiences and spellings vary independently, and 3 % of conversations have a random
mistake. A planted cause has a rule, up to three attributes, a minute at which it begins (or the
whole day), and a share of the conversations. It affects at least 20 conversations, or 8 to 19 in
`rare`. A plant counts as found if one cause has the same rule, exactly the same attributes, and an
onset within two minutes of the first event that shows it (or no onset, if it lasts all day). A
cause is false if its rule has no plant, or if its attributes contradict every plant of its rule.
`overlapping` has two causes of one rule, `drifting` moves traffic between bots during the day, and
`untimed` has no times.

The second part measures by how much `--causes` increases the processor time of `segue check`. Each
round runs both variants in alternating order, with modules compiled beforehand. The result is the
median of the ratios, followed by the smallest and the largest. The logs are the `plain` ones of
`check.py`, checked by the reference and, if it is installed, by the accelerator.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final, TypeAlias

from check import PLAIN, log

import segue
from segue.logs.native import usable_library

Event: TypeAlias = dict[str, Any]
Where: TypeAlias = tuple[tuple[str, str], ...]
Mistake: TypeAlias = Callable[[list[Event], Random], int | None]
"""A function that puts a mistake into the events of a conversation.

It returns the index of the event that reveals the mistake, or None if the conversation cannot have
the mistake.
"""

EIGHT: Final = datetime(2026, 3, 2, 8, tzinfo=UTC)
MINUTES: Final = 600
CONVERSATIONS: Final = 2000
NOISE: Final = 0.03
LEAST, RARE = 20, 8
WITHIN: Final = timedelta(minutes=2)
VALUES: Final = {
    "bot": ["st-sales", "st-service", "st-billing", "st-home"],
    "queue": ["Sales", "Service", "Billing", "Returns", "Technical help"],
    "language": ["de", "en", "fr"],
    "experience": ["chat", "voice"],
    "isExtAD": ["false", "false", "false", "true"],
    "spelling": ["", "", "", "transfertype in lower case"],
}
AGENTS: Final = [f"a-{number}" for number in range(1, 21)]
CHOICES: Final = {
    **VALUES,
    "agent": AGENTS,
    "kind": ["NA entry", "NA exit", "COLD entry", "COLD exit", "WARM entry", "WARM exit"],
}
KINDS_SHARE: Final = {
    "NA entry": 0.24,
    "NA exit": 0.26,
    "COLD entry": 0.09,
    "COLD exit": 0.09,
    "WARM entry": 0.05,
    "WARM exit": 0.05,
}
"""The expected fraction of all transfers that each kind makes up."""


@dataclass(frozen=True)
class Plant:
    """A planted cause, which puts mistakes into conversations that have certain attributes."""

    code: str
    where: Where
    minute: int
    """The minute at which the cause begins, or 0 if it lasts all day."""
    share: float


@dataclass
class Day:
    """The lines of a generated day, and the first time and number of mistakes of each plant."""

    lines: list[str] = field(default_factory=list)
    onsets: dict[Plant, datetime] = field(default_factory=dict)
    counts: dict[Plant, int] = field(default_factory=dict)


def transfer(kind: str, agent: str, has: dict[str, str], at: float) -> Event:
    """Return a transfer event. Its minute is stored in `_at`, which is not written to the log."""
    transfer_type, transition = kind.split()
    is_lower = has["spelling"] == "transfertype in lower case"
    participant: Event = {"identity": agent, "name": agent.upper(), "type": "agent"}
    if transition == "entry":
        participant["customFields"] = {"queueName": has["queue"]}
    return {
        "_at": at,
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type.lower() if is_lower else transfer_type,
        "transition": transition,
        "isExtAD": has["isExtAD"] == "true",
        "language": has["language"],
        "experience": has["experience"],
        "participant": participant,
    }


def happens(random: Random, chance: float) -> bool:
    """Return True with the probability `chance`, otherwise False."""
    return random.random() < chance


def conversation(random: Random, has: dict[str, str], at: float) -> list[Event]:
    """Return the events of a conversation that has no mistake.

    `has` contains the attributes of the conversation, and `at` is its first minute.
    """
    first, second, third = random.sample(AGENTS, 3)
    events = []

    def add(kind: str, agent: str) -> None:
        nonlocal at
        at += random.expovariate(1)
        events.append(transfer(kind, agent, has, at))

    add("NA entry", first)
    if happens(random, 0.4):
        add("COLD exit", first)
        add("COLD entry", second)
        first = second
    if happens(random, 0.2):
        add("WARM entry", third)
        add("WARM exit", third)
    add("NA exit", first)
    if happens(random, 0.1):
        add("redial entry", first)
        add("NA exit", first)
    base = events[-1]
    shared = {key: base[key] for key in ("language", "experience")}
    summary = {"name": "TRIGGER_SUMMARY_EVENT", "_at": at + 0.1}
    data = {"language": has["language"], "locale": "en-US", "type": "summary"}
    events.append({**summary, "data": data})
    person = {key: base["participant"][key] for key in ("identity", "name", "type")}
    end = {"name": "END_OF_CONVERSATION", "reason": "agent_initiated", "participant": person}
    events.append({**end, **shared, "_at": at + 0.2})
    return events


def is_a(event: Event, kind: str) -> bool:
    """Return whether an event is of this kind.

    A kind is a transfer such as `NA entry`, or the name of another event.
    """
    name = event["name"].upper()
    if " " not in kind:
        return bool(name == kind)
    both = f"{event.get('transfertype', '').lower()} {event.get('transition', '')}"
    return name == "INTERNAL_TRANSFER_EVENT" and both == kind.lower()


def first_index(events: list[Event], kind: str) -> int | None:
    """Return the index of the first event of this kind, or None if there is no such event."""
    return next((number for number, event in enumerate(events) if is_a(event, kind)), None)


def drop(kind: str) -> Mistake:
    """Return a mistake that leaves out the first event of a kind. The next event reveals it."""

    def spoil(events: list[Event], _: Random) -> int | None:
        number = first_index(events, kind)
        if number is None:
            return None
        del events[number]
        return min(number, len(events) - 1)

    return spoil


def repeat(kind: str) -> Mistake:
    """Return a mistake that sends the first event of a kind twice.

    The second one has an additional field.
    """

    def spoil(events: list[Event], _: Random) -> int | None:
        number = first_index(events, kind)
        if number is None:
            return None
        at = events[number]["_at"] + 1e-6
        events.insert(number + 1, {**events[number], "more": 1, "_at": at})
        return number + 1

    return spoil


def summary_first(events: list[Event], _: Random) -> int | None:
    """Move the summary to the place before the agent leaves."""
    at = events[0]["_at"] + 0.01
    events.insert(1, {**events.pop(-2), "_at": at})
    return 1


def no_exit(events: list[Event], _: Random) -> int | None:
    """Leave out the last exit and the summary. The END event reveals the mistake."""
    del events[-3:-1]
    return len(events) - 1


def in_form(change: Callable[[Event], None]) -> Mistake:
    """Return a mistake that changes the fields of a random transfer by calling `change`."""

    def spoil(events: list[Event], random: Random) -> int | None:
        number = random.randrange(len(events) - 2)
        event = events[number] = {**events[number]}
        event["participant"] = {**event["participant"]}
        change(event)
        return number

    return spoil


MISTAKES: Final[dict[str, Mistake]] = {
    "SG101": drop("NA entry"),
    "SG203": repeat("NA entry"),
    "SG103": drop("COLD exit"),
    "SG106": summary_first,
    "SG107": no_exit,
    "SG108": drop("END_OF_CONVERSATION"),
    "SG109": repeat("END_OF_CONVERSATION"),
    "SG111": repeat("TRIGGER_SUMMARY_EVENT"),
    "SG502": in_form(lambda event: event["participant"].pop("name", None)),
    "SG503": in_form(lambda event: event.update(reason=17)),
    "SG504": in_form(lambda event: event.update(name=event["name"].lower())),
}
IN_FORM: Final = ("SG502", "SG503", "SG504")


def fits(plant: Plant, has: dict[str, str], event: Event) -> bool:
    """Return whether a mistake at an event has the attributes of a plant."""
    agent = event.get("participant", {}).get("identity", "")
    kind = f"{event.get('transfertype', '').upper()} {event.get('transition', '')}"
    has = {**has, "agent": agent, "kind": kind}
    if is_a(event, "redial entry"):  # every sender writes it in lower case
        has["spelling"] = ""
    return all(has[name] == value for name, value in plant.where)


def random_attributes(random: Random, code: str) -> Where:
    """Return one to three random attributes that events with a mistake of this rule can have.

    The result is a sorted tuple of `(name, value)` pairs.
    """
    names = ["bot", "language", "experience"]
    if code != "SG101":  # the missing event is the one that names the queue
        names.append("queue")
    if code in {"SG203", "SG103", *IN_FORM}:  # at transfers
        names += ["isExtAD", "spelling", "agent"]
    if code in IN_FORM:
        names += ["kind"]
    chosen = random.sample(names, random.choice((1, 1, 2, 2, 3)))
    return tuple(sorted((name, _value(random, name)) for name in chosen))


def _value(random: Random, name: str) -> str:
    if name in {"isExtAD", "spelling"}:  # the most common value cannot be a cause
        return VALUES[name][-1]
    return random.choice(CHOICES[name])


def random_plant(random: Random, code: str, least: int = LEAST, most: int = 10**6) -> Plant:
    """Return a random plant that should affect between `least` and `most` conversations."""
    while True:
        minute = 0 if happens(random, 0.2) else random.randrange(60, 420)
        where = random_attributes(random, code)
        share = random.uniform(0.25, 0.9)
        number = CONVERSATIONS * share * (1 - minute / MINUTES)
        for name, value in where:
            number *= KINDS_SHARE.get(value) or CHOICES[name].count(value) / len(CHOICES[name])
        number *= 0.4 if code == "SG103" else 1
        if least * 1.3 <= number <= most:
            return Plant(code, where, minute, share)


def random_day(
    seed: int,
    plants: Sequence[Plant],
    *,
    drifts: bool = False,
    timed: bool = True,
    conversations: int = CONVERSATIONS,
) -> Day:
    """Generate a day of conversations in which the plants put mistakes.

    `drifts` says whether traffic moves to one bot during the day, and `timed` whether the lines
    have times.
    """
    random = Random(f"day {seed}")
    made, sent = Day(counts=dict.fromkeys(plants, 0)), []
    for number in range(conversations):
        at = random.random() * MINUTES
        has = {name: random.choice(values) for name, values in VALUES.items()}
        if drifts and random.random() < at / MINUTES:
            has["bot"] = VALUES["bot"][seed % 4]
        plain = conversation(random, has, at)
        events, causes = _spoiled(random, plants, has, plain)
        for cause, minute in causes:
            seen = EIGHT + timedelta(minutes=int(minute))
            made.onsets[cause] = min(made.onsets.get(cause, seen), seen)
            made.counts[cause] += 1
        sent += [(event["_at"], _line(f"c-{number}", has, event, timed=timed)) for event in events]
    made.lines = [line for _, line in sorted(sent)]
    return made


def _spoiled(
    random: Random, plants: Sequence[Plant], has: dict[str, str], plain: list[Event]
) -> tuple[list[Event], list[tuple[Plant, float]]]:
    """Return the events with the mistakes of plants, and the minute that reveals each mistake.

    At most one mistake changes the order of events, so that no mistake turns into another one.
    """
    causes: list[tuple[Plant, float]] = []
    for plant in sorted(plants, key=lambda each: (each.code not in IN_FORM, random.random())):
        events = list(plain)
        shown = MISTAKES[plant.code](events, random)
        if shown is None or events[shown]["_at"] < plant.minute:
            continue
        if fits(plant, has, events[shown]) and random.random() < plant.share:
            causes.append((plant, events[shown]["_at"]))
            plain = events
            if plant.code not in IN_FORM:
                break
    if not causes and random.random() < NOISE:
        MISTAKES[random.choice(sorted(MISTAKES))](plain, random)
    return plain, causes


def _line(name: str, has: dict[str, str], event: Event, *, timed: bool) -> str:
    at = EIGHT + timedelta(minutes=event["_at"])
    said = {key: value for key, value in event.items() if key != "_at"}
    body = {"conversationId": name, "botId": has["bot"], "events": [said]}
    return json.dumps({"received_at": at.isoformat(), "body": body} if timed else body)


@dataclass
class Score:
    """The results for all days of one kind."""

    planted: int = 0
    found: int = 0
    without_onset: int = 0
    """The number of plants that were found with a wrong onset."""
    false_days: int = 0
    days: int = 0
    seconds: float = 0.0
    misses: list[str] = field(default_factory=list)


def judge(score: Score, made: Day, *, timed: bool = True) -> None:
    """Find the causes of a day, compare them with its plants, and add the results to the score."""
    start = process_time()
    causes = segue.causes(made.lines)
    score.seconds += process_time() - start
    score.days += 1
    wrong = []
    for cause in causes.causes:
        whose = [plant for plant in made.counts if plant.code == cause.code]
        if not any(_agrees(cause.where, plant.where) for plant in whose):
            wrong.append(cause.sentence(causes.day))
    score.false_days += bool(wrong)
    for plant, count in made.counts.items():
        score.planted += 1
        same = [c for c in causes.causes if c.code == plant.code and set(c.where) == {*plant.where}]
        onset = made.onsets.get(plant)
        if any(_has_onset(cause, plant, onset) for cause in same) or (same and not timed):
            score.found += 1
        else:
            score.without_onset += bool(same)
            said = [c.sentence(causes.day) for c in causes.causes if c.code == plant.code]
            score.misses.append(f"{plant} first {onset} {count} times: {said}")
    score.misses += [f"false: {sentence}" for sentence in wrong]


def _agrees(where: Where, planted: Where) -> bool:
    """Return whether one of two sets of attributes contains the other."""
    return set(where) <= {*planted} or set(where) >= {*planted}


def _has_onset(cause: segue.analysis.RootCause, plant: Plant, onset: datetime | None) -> bool:
    if not plant.minute:
        return cause.since is None
    return bool(cause.since and onset and abs(cause.since - onset) <= WITHIN)


def plants_of(random: Random) -> list[Plant]:
    """Return one to three plants of different rules."""
    codes = random.sample(sorted(MISTAKES), random.choice((1, 2, 3)))
    return [random_plant(random, code) for code in codes]


def overlapping(random: Random) -> list[Plant]:
    """Return two plants of one rule that share no attribute."""
    code = random.choice(sorted(MISTAKES))
    while True:
        one = random_plant(random, code)
        for _ in range(100):  # the first may use all attributes, then no second one exists
            other = random_plant(random, code)
            if not {name for name, _ in one.where} & {name for name, _ in other.where}:
                return [one, other]


def days(name: str, seeds: range, conversations: int) -> Iterator[tuple[Day, bool]]:
    """Yield a generated day for each seed, and whether its lines have times.

    `name` is a key of `KINDS`.
    """
    plant, drifts, timed = KINDS[name]
    for seed in seeds:
        plants = plant(Random(f"{name} {seed}"))
        yield (
            random_day(seed, plants, drifts=drifts, timed=timed, conversations=conversations),
            timed,
        )


def rare(random: Random) -> list[Plant]:
    """Return a list of one plant that affects only a few conversations."""
    return [random_plant(random, random.choice(sorted(MISTAKES)), RARE, LEAST)]


def nothing(_: Random) -> list[Plant]:
    """Return an empty list, for days without planted causes."""
    return []


KINDS: Final[dict[str, tuple[Callable[[Random], list[Plant]], bool, bool]]] = {
    "planted": (plants_of, False, True),
    "nothing planted": (nothing, False, True),
    "overlapping": (overlapping, False, True),
    "drifting": (plants_of, True, True),
    "nothing planted, drifting": (nothing, True, True),
    "rare": (rare, False, True),
    "untimed": (plants_of, False, False),
}
"""The kinds of days.

Each has the function that makes the plants, whether the traffic drifts, and whether the lines have
times.
"""


def seconds_of(engine: str, path: Path, *options: str) -> float:
    """Return the processor time of `segue check` in seconds.

    `engine` is `"0"` for the reference and `"1"` for the accelerator.
    """
    command = [sys.executable, "-m", "segue", "check", "--fail-on", "never", *options, str(path)]
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    variables = {**os.environ, "SEGUE_NATIVE": engine}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise every run compiles all modules
    child = os.posix_spawn(command[0], command, variables, file_actions=silent)
    _, status, used = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{' '.join(command)} failed")
    return used.ru_utime + used.ru_stime


def show_cost(lines: int, rounds: int) -> None:
    """Print by how much `--causes` slows down the check of a log with this number of lines."""
    engines = {"reference": "0", **({"accelerator": "1"} if usable_library() else {})}
    with TemporaryDirectory() as made:
        path = log(Path(made), "plain", lines, **PLAIN).path
        for name, engine in engines.items():
            alone, more = [], []
            for number in range(rounds):
                both = ((), ("--causes",))
                pair = {each: seconds_of(engine, path, *each) for each in both[:: (-1) ** number]}
                alone.append(pair[()])
                more.append(pair["--causes",] / pair[()] - 1)
            print(
                f"cost, {lines} lines, {name}: {median(more):+.0%} of {median(alone):.2f} s"
                f" ({min(more):+.0%} to {max(more):+.0%})",
                flush=True,
            )


def main() -> None:
    """Print the accuracy for each kind of day, then the cost of finding causes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--days", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--only", choices=KINDS)
    parser.add_argument("--conversations", type=int, default=CONVERSATIONS, help="in a day")
    parser.add_argument("--misses", action="store_true", help="show what was not found")
    parser.add_argument("--lines", type=int, nargs="*", default=[20_000, 60_000, 200_000, 400_000])
    parser.add_argument("--rounds", type=int, default=5, help="of which the median counts")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.days)
    for name in [options.only] if options.only else KINDS if options.days else ():
        score = Score()
        for made, timed in days(name, seeds, options.conversations):
            judge(score, made, timed=timed)
        print(
            f"{name}: {score.found} of {score.planted} found"
            f" ({score.without_onset} more but for the onset),"
            f" {score.false_days} of {score.days} days with a false one,"
            f" {score.seconds / score.days:.1f} s a day",
            flush=True,
        )
        if options.misses:
            print(*score.misses, sep="\n", flush=True)
    for lines in [] if options.only else options.lines:
        show_cost(lines, options.rounds)


if __name__ == "__main__":
    main()
