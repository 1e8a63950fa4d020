"""Make small logs and options for the differential fuzzer, by seed.

A case has every kind of trouble that logs have: mistakes of senders, odd spellings, delivery ids in
no order, repeated deliveries and ids, events after END, broken lines, bare bodies and envelopes,
several bots, and several logs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from tests.builders import Sender
from tests.core.wire.mutation import mutated
from tests.fuzz.seeds import odd_log_line

from segue.analysis.causes import cause_notes
from segue.analysis.simulate import MORNING, generate
from segue.core.findings import RULES, Policy
from segue.logs import FieldMapping
from segue.logs.plan import Replay, ReplayOptions

__all__ = ["COMMANDS", "Case", "Option", "case_of", "plan_of"]

_MOST_LINES: Final = 60
_IDS: Final = ("d-9", "d-1", "d-5", "d-10", "D-1", "é", "", "0", " ", "d-9 ")
"""Delivery ids, of which the order in the alphabet is not that of their use."""
_LABELS: Final = (
    *("NA entry", "NA exit", "COLD entry", "COLD exit", "WARM entry", "WARM exit", "redial entry"),
    *("user message", "agent message", "summary", "END", "start", "pause true", "resume", "end"),
)
_AGENTS: Final = ("a-1", "A-1", "a-2", "a-3")
_POLICY: Final = frozenset({"select", "ignore", "severity", "strict", "require"})
"""The names of options that are fields of a `Policy`."""


class Option(NamedTuple):
    """An option of the command and of a replay."""

    arguments: tuple[str, ...]
    """The arguments of the command."""
    name: str
    """The field of `ReplayOptions`, `Policy` or `Replay` that the option sets."""
    value: Any


class Case(NamedTuple):
    """Logs and the options by which they are read."""

    logs: tuple[tuple[bytes, ...], ...]
    """The lines of each log, with the newlines that they end with."""
    options: tuple[Option, ...]
    command: tuple[str, ...]
    """The command that reads the logs, such as `check --format json`."""
    has_notes: bool
    """Whether notes on events are taken, as `segue causes` does."""
    tear: int
    """The seed of choices that change no output, such as the size of chunks."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of the command, without the names of the logs."""
        more = (argument for option in self.options for argument in option.arguments)
        return (*self.command, *more)

    def sets(self, name: str) -> bool:
        """Return whether there is an option of this name."""
        return any(option.name == name for option in self.options)


def plan_of(case: Case, logs: tuple[str, ...] = (), **more: Any) -> Replay:
    """Return the replay of files, or of other lines that `more` gives."""
    values = {option.name: option.value for option in case.options}
    policy = Policy(**{name: values.pop(name) for name in _POLICY & values.keys()})
    sort = values.pop("sort", None)
    note = cause_notes() if case.has_notes else None
    options = ReplayOptions(policy=policy, note=note, **values)
    return Replay(logs=logs, options=options, sort=sort, **more)


def case_of(seed: int) -> Case:
    """Return the case of a seed."""
    random = Random(seed)
    lines = _lines(random)
    for _ in range(random.choice((0, 1, 2, 3, 5, 8))):
        random.choice(_EDITS)(random, lines)
    options = list(_options(random, lines)) if lines else []
    logs = _split(random, [_ended(random, line) for line in lines])
    has_notes = random.random() < 0.4
    command = random.choice(COMMANDS)
    return Case(logs, tuple(options), command, has_notes, random.randrange(1 << 30))


def _lines(random: Random) -> list[bytes]:
    """Return the lines of a log without their newlines, before anything is changed in them."""
    if random.random() < 0.4:
        return [json.dumps(line).encode() for line in _haphazard(random)]
    seed, count = random.randrange(10_000), random.randint(1, 6)
    parts: dict[str, Any] = {"delivery_ids": True}
    if random.random() < 0.5:
        parts = {
            "messages": random.choice((0, 1, 2.5)),
            "spellings": random.random() < 0.5,
            "envelopes": random.random() < 0.7,
            "delivery_ids": random.random() < 0.3,
        }
    else:
        parts["rules"] = (random.choice(_RULES),)
    made = generate(
        seed,
        conversations=count,
        mistakes=random.choice((0, 0.5, 1)),
        open_at_once=random.randint(1, 4),
        calls=random.random() < 0.3 or "rules" in parts,
        **parts,
    )
    lines = [line.text.encode("utf-8", "surrogatepass") for line in made]
    begin = random.randrange(max(1, len(lines) - _MOST_LINES))
    return lines[begin : begin + _MOST_LINES] if random.random() < 0.3 else lines[:_MOST_LINES]


_RULES: Final = tuple(rule.code for rule in RULES if rule.code not in {"SG512", "SG604"})


def _haphazard(random: Random) -> Iterator[dict[str, Any]]:
    """Yield lines of few conversations and agents, in which anything follows anything."""
    sender, at = Sender(), MORNING
    labels = random.sample(_LABELS, random.randint(3, len(_LABELS)))
    for _ in range(random.randint(1, 24)):
        at += timedelta(seconds=random.choice((0, 1, 1, 7)))
        label = random.choice(labels)
        needs_agent = label not in {"user message", "summary"}
        text = f"{label} {random.choice(_AGENTS)}" if needs_agent else label
        line = sender.delivery(text, random.choice(("c-1", "c-1", "c-2")), f"{at:%H:%M:%S}")
        if random.random() < 0.4:
            line["delivery_id"] = random.choice(_IDS)
        if random.random() < 0.1:
            line["bot_id"] = random.choice(("st-1", "st-2"))
        yield line


Edit = Callable[[Random, list[bytes]], None]
"""A function that changes lines in place."""


def _edits_of_one(change: Callable[[Random, dict[str, Any], dict[str, Any]], None]) -> Edit:
    """Return an edit that changes one line, given as a whole and its body."""

    def edit(random: Random, lines: list[bytes]) -> None:
        if not lines:
            return
        at = random.randrange(len(lines))
        line = _object(lines[at])
        body = line.get("body", line)
        if isinstance(body, dict):
            change(random, line, body)
            lines[at] = json.dumps(line, ensure_ascii=random.random() < 0.5).encode(
                "utf-8", "surrogatepass"
            )

    return edit


def _object(line: bytes) -> dict[str, Any]:
    """Return the object on a line, or an empty one if the line is broken."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _deliver_again(random: Random, lines: list[bytes]) -> None:
    """Repeat a line later, perhaps after END, perhaps with an id and another body."""
    if not lines:
        return
    at = random.randrange(len(lines))
    line = _object(lines[at])
    if "body" in line and random.random() < 0.7:
        line.setdefault("delivery_id", random.choice(_IDS))
        lines[at] = json.dumps(line).encode()
        line = deepcopy(line)
        if random.random() < 0.4 and isinstance(line["body"], dict):
            line["body"]["language"] = random.choice(("de", 5, None))
        again = json.dumps(line).encode()
    else:
        again = lines[at]
    lines.insert(random.choice((len(lines), random.randint(at, len(lines)))), again)


def _give_ids(random: Random, lines: list[bytes]) -> None:
    """Give ids to several lines, some of them the same."""
    pool = random.sample(_IDS, random.randint(1, len(_IDS)))
    for at, line in enumerate(lines):
        value = _object(line)
        if random.random() < 0.5 and value:
            if "body" not in value:
                value = {"body": value}
            value["delivery_id"] = random.choice(pool)
            lines[at] = json.dumps(value).encode()


def _drop(random: Random, lines: list[bytes]) -> None:
    if lines:
        del lines[random.randrange(len(lines))]


def _move(random: Random, lines: list[bytes]) -> None:
    if lines:
        line = lines.pop(random.randrange(len(lines)))
        lines.insert(random.randint(0, len(lines)), line)


def _break(random: Random, lines: list[bytes]) -> None:
    odd = odd_log_line(random) if random.random() < 0.5 else random.choice(_BROKEN)
    if len(odd) < 20_000:
        lines.insert(random.randint(0, len(lines)), odd.replace(b"\n", b" "))


def _mutate(random: Random, lines: list[bytes]) -> None:
    if lines:
        at = random.randrange(len(lines))
        text = lines[at].decode("utf-8", "replace")
        lines[at] = mutated(random, text).replace(b"\n", b" ")


def _join_bodies(random: Random, lines: list[bytes]) -> None:
    """Put the events of a later delivery into an earlier one of the same conversation."""
    if len(lines) < 2:
        return
    first = random.randrange(len(lines) - 1)
    one = _object(lines[first])
    body = one.get("body", one)
    for at in range(first + 1, len(lines)):
        other = _object(lines[at])
        more = other.get("body", other)
        if not isinstance(body, dict) or not isinstance(more, dict):
            continue
        both = body.get("events"), more.get("events")
        same = body.get("conversationId") == more.get("conversationId")
        if same and isinstance(both[0], list) and isinstance(both[1], list):
            body["events"] = both[0] + both[1]
            lines[first] = json.dumps(one).encode()
            del lines[at]
            return


def _unwrap(random: Random, line: dict[str, Any], body: dict[str, Any]) -> None:
    """Leave out the envelope, or a part of it."""
    if "body" not in line:
        return
    if random.random() < 0.5 and "conversationId" in body:
        line.clear()
        line.update(body)
    else:
        for key in random.sample(sorted(line), random.randint(1, len(line))):
            if key != "body":
                del line[key]


def _change_bot(random: Random, line: dict[str, Any], body: dict[str, Any]) -> None:
    holder, key = random.choice(((line, "bot_id"), (body, "botId"), (body, "botId")))
    if holder is line and "body" not in line:
        return
    holder[key] = random.choice(("st-1", "st-2", "b", "", None, "ST-1", "1:b"))


def _change_conversation(random: Random, line: dict[str, Any], body: dict[str, Any]) -> None:
    holder, key = random.choice(((line, "conversation_id"), (body, "conversationId")))
    if holder is line and "body" not in line:
        return
    holder[key] = random.choice(("c-1", "c-2", "C-1", "", "c-1 ", "é", None, 7))


def _change_time(random: Random, line: dict[str, Any], _: dict[str, Any]) -> None:
    if "body" not in line:
        return
    at = MORNING + timedelta(seconds=random.choice((0, 1, 5, 60, 600, 3_600, -1, -86_400, 2**31)))
    line["received_at"] = random.choice(
        (
            *(at.isoformat(), at.isoformat(), at.isoformat(), f"{at:%Y-%m-%dT%H:%M:%S}"),
            *(f"{at:%d/%m/%Y %H:%M:%S}", at.timestamp(), "soon", None, "2026-10-25T02:30:00"),
        )
    )


def _change_agents(random: Random, line: dict[str, Any], body: dict[str, Any]) -> None:
    """Write ids of agents in another case, or give an event other custom fields."""
    del line
    events = body.get("events")
    if not isinstance(events, list):
        if "agentId" in body:
            body["agentId"] = random.choice((*_AGENTS, str(body["agentId"]).swapcase()))
        return
    for event in events:
        participant = event.get("participant") if isinstance(event, dict) else None
        if not isinstance(participant, dict) or random.random() < 0.3:
            continue
        if random.random() < 0.5:
            participant["identity"] = random.choice(
                (*_AGENTS, str(participant.get("identity")).swapcase())
            )
        else:
            names = random.sample(("queueName", "agentEmail", "queueId", "x", "é"), 3)
            participant["customFields"] = {name: random.choice(("q", "", 5, {})) for name in names}


def _write_as_text(random: Random, line: dict[str, Any], body: dict[str, Any]) -> None:
    del random
    if "body" in line:
        line["body"] = json.dumps(body)


_BROKEN: Final = (
    *(b"{", b"\xff", b"[1]", b'{"body": 5}', b"", b"  ", b"null", b'"x"', b"\xef\xbb\xbf{}", b"{}"),
    *(b'{"conversationId":"c-1"}', b'{"body":{"conversationId":"c-1","botId":"b"}}', b"\r", b"x"),
    *(b"\v", b"\f{}", b"{}\x1c", b"\x1d{\x1e}", "{}\x85".encode(), "\u2028{}\u2029".encode()),
)
_EDITS: Final[tuple[Edit, ...]] = (
    *(_deliver_again, _deliver_again, _give_ids, _drop, _move, _break, _mutate, _join_bodies),
    *map(
        _edits_of_one,
        (_unwrap, _change_bot, _change_conversation, _change_time, _change_agents, _write_as_text),
    ),
)


def _ended(random: Random, line: bytes) -> bytes:
    """Return a line with its newline, which may be another one, or with a blank line after it."""
    return line + (random.choice((b"\r\n", b"\n\n", b" \n")) if random.random() < 0.05 else b"\n")


def _split(random: Random, lines: list[bytes]) -> tuple[tuple[bytes, ...], ...]:
    """Divide lines among logs: one after the other, or at random."""
    lines = [line for each in lines for line in re.findall(rb"[^\n]*\n", each)]
    count = random.choice((1, 1, 2, 3))
    logs: list[list[bytes]] = [[] for _ in range(count)]
    is_mixed = random.random() < 0.3
    for at, line in enumerate(lines):
        logs[random.randrange(count) if is_mixed else at * count // len(lines)].append(line)
    for log in logs:
        if log and random.random() < 0.1:
            log[-1] = log[-1].rstrip(b"\r\n")
    return tuple(tuple(line for line in log if line) for log in logs)


COMMANDS: Final = (
    *(("check", "--format", form) for form in ("json", "jsonl", "concise", "full", "csv", "sarif")),
    *(("check", "--format", form) for form in ("json", "jsonl", "concise", "junit", "github")),
    *(("check", "--format", form) for form in ("gitlab", "rdjson")),
    ("check", "--format", "concise", "--causes"),
    ("stats",),
    ("segments",),
    ("causes",),
)
"""The commands by which cases are read."""


def _options(random: Random, lines: list[bytes]) -> Iterator[Option]:
    names: set[str] = set()
    for make in random.sample(_MAKERS, random.choice((0, 0, 1, 1, 2, 3))):
        option = make(random, lines)
        group = "select" if option.name == "ignore" else option.name  # together they may leave none
        if group not in names:
            names.add(group)
            yield option


def _time_among(random: Random, lines: list[bytes]) -> datetime:
    found = re.findall(rb'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)', b"".join(lines))
    text = random.choice(found).decode() if found else "2026-03-02T08:00:00"
    try:
        return datetime.fromisoformat(f"{text}+00:00")
    except ValueError:
        return MORNING


def _time_option(name: str) -> Callable[[Random, list[bytes]], Option]:
    def make(random: Random, lines: list[bytes]) -> Option:
        at = _time_among(random, lines)
        return Option((f"--{name}", at.isoformat()), name, at)

    return make


def _conversations(random: Random, lines: list[bytes]) -> Option:
    found = re.findall(rb'"conversation(?:Id|_id)": ?"([^"\\]+)"', b"".join(lines))
    ids = {random.choice(found).decode("utf-8", "replace") if found else "c-1"}
    ids |= {"c-1"} if random.random() < 0.3 else set()
    arguments = (argument for each in sorted(ids) for argument in ("--conversation", each))
    return Option(tuple(arguments), "conversations", frozenset(ids))


def _codes(name: str) -> Callable[[Random, list[bytes]], Option]:
    def make(random: Random, _: list[bytes]) -> Option:
        count = random.randint(1, 2)
        chosen = [random.choice(_RULES)[: random.choice((3, 3, 5))] for _ in range(count)]
        return Option((f"--{name}", ",".join(chosen)), name, tuple(chosen))

    return make


def _severity(random: Random, _: list[bytes]) -> Option:
    code, severity = random.choice(_RULES), random.choice(("error", "warning", "note"))
    return Option(("--severity", f"{code}={severity}"), "severity", {code: severity})


def _one_of(*options: Option) -> Callable[[Random, list[bytes]], Option]:
    return lambda random, _: random.choice(options)


_MAKERS: Final[tuple[Callable[[Random, list[bytes]], Option], ...]] = (
    _one_of(*(Option(("--partial", end), "partial", end) for end in ("start", "end", "both"))),
    _one_of(*(Option(("--key", key), "key", key) for key in ("bot", "conversation"))),
    _one_of(Option(("--strict",), "strict", True)),  # noqa: FBT003 - a value
    *[_one_of(*(Option(("--window", str(n)), "window", n) for n in (0, 0, 1, 3, 10, 30)))] * 3,
    _one_of(*(Option(("--require", each), "require", (each,)) for each in ("language", "reason"))),
    _one_of(
        *(
            Option(("--race", f"{seconds}s"), "race", timedelta(seconds=seconds))
            for seconds in (1, 10, 600)
        )
    ),
    *[_one_of(Option(("--sort", "received_at"), "sort", "received_at"))] * 3,
    _one_of(
        *(
            Option(("--time-zone", zone), "time_zone", ZoneInfo(zone))
            for zone in ("Europe/Berlin", "America/New_York")
        )
    ),
    _one_of(Option(("--day-first",), "day_first", True)),  # noqa: FBT003 - a value
    _one_of(
        Option(
            ("--body-at", "/body", "--time-at", "/received_at", "--delivery-at", "/delivery_id"),
            "field_mapping",
            FieldMapping(body_at="/body", time_at="/received_at", delivery_at="/delivery_id"),
        )
    ),
    _time_option("since"),
    _time_option("until"),
    _conversations,
    _codes("select"),
    _codes("ignore"),
    _severity,
)
