"""Kinds of damage that come between a sender and a log, each made by a function of lines.

Each takes the lines of a log of envelopes and a source of chance, and returns the files that a
person would then check, by name.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final, TypeAlias

Lines: TypeAlias = list[str]
Files: TypeAlias = dict[str, bytes]
Damage: TypeAlias = Callable[[Lines, Random], Files]

DAMAGES: Final[dict[str, Damage]] = {}

_HOOK: Final = "/agentdesk/api/v1/hooks/b-1"


def damage(function: Callable[[Lines, Random], Lines | bytes | Files]) -> Damage:
    """Add a kind of damage, whose function returns lines, the bytes of a file, or files."""

    def make(lines: Lines, chance: Random) -> Files:
        made = function(list(lines), chance)
        if isinstance(made, list):
            made = "".join(f"{line}\n" for line in made).encode()
        return {"damaged.log": made} if isinstance(made, bytes) else made

    DAMAGES[function.__name__] = make
    return make


def _envelopes(lines: Lines) -> Iterator[dict[str, Any]]:
    return map(json.loads, lines)


def _with_bodies(lines: Lines, change: Callable[[str], object]) -> Lines:
    """Return lines with the text of each body changed."""
    return [json.dumps(each | {"body": change(_text(each["body"]))}) for each in _envelopes(lines)]


def _text(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body)


def _others(count: int, chance: Random) -> Lines:
    """Return lines of other messages."""
    levels = ("INFO", "DEBUG", "WARN")
    return [
        f"2026-03-02T08:{chance.randrange(60):02}:00Z {chance.choice(levels)} took {n} ms"
        for n in range(count)
    ]


def _mixed(lines: Lines, others: Sequence[str], chance: Random) -> Lines:
    """Return lines with others between them, each in their order."""
    places = sorted(chance.choices(range(len(lines) + 1), k=len(others)), reverse=True)
    for place, other in zip(places, reversed(others), strict=True):
        lines.insert(place, other)
    return lines


@damage
def newest_first(lines: Lines, _: Random) -> Lines:
    return lines[::-1]


@damage
def each_line_twice(lines: Lines, _: Random) -> Lines:
    return [line for each in lines for line in (each, each)]


@damage
def the_log_twice(lines: Lines, _: Random) -> Lines:
    return lines * 2


@damage
def newest_first_and_twice(lines: Lines, _: Random) -> Lines:
    return [line for each in lines[::-1] for line in (each, each)]


@damage
def parts_exchanged(lines: Lines, chance: Random) -> Lines:
    at = sorted(chance.sample(range(50, len(lines) - 50), 2))
    return lines[at[1] :] + lines[at[0] : at[1]] + lines[: at[0]]


@damage
def sources_in_blocks(lines: Lines, chance: Random) -> Lines:
    held: list[Lines] = [[], [], []]
    written: Lines = []
    for line in lines:
        source = chance.choice(held)
        source.append(line)
        if len(source) == 20:
            written += source
            source.clear()
    return written + [line for source in held for line in source]


@damage
def neighbours_exchanged(lines: Lines, chance: Random) -> Lines:
    order = sorted(range(len(lines)), key=lambda n: n + chance.uniform(0, 6))
    return [lines[n] for n in order]


@damage
def two_servers_in_two_files(lines: Lines, chance: Random) -> Files:
    sides: list[Lines] = [[], []]
    for line in lines:
        chance.choice(sides).append(line)
    return {
        f"{n}.log": "".join(f"{line}\n" for line in side).encode() for n, side in enumerate(sides)
    }


@damage
def files_in_the_wrong_order(lines: Lines, chance: Random) -> Files:
    at = chance.randrange(100, len(lines) - 100)
    parts = {"monday.log": lines[at:], "sunday.log": lines[:at]}
    return {name: "".join(f"{line}\n" for line in part).encode() for name, part in parts.items()}


@damage
def a_file_and_its_copy(lines: Lines, _: Random) -> Files:
    data = "".join(f"{line}\n" for line in lines).encode()
    return {"x.log.1": data, "x.log.1.gz": gzip.compress(data)}


@damage
def bodies_as_text(lines: Lines, _: Random) -> Lines:
    return _with_bodies(lines, str)


@damage
def bodies_as_text_in_text(lines: Lines, _: Random) -> Lines:
    return _with_bodies(lines, json.dumps)


@damage
def bodies_with_hexadecimal_escapes(lines: Lines, _: Random) -> Lines:
    return _with_bodies(lines, lambda text: text.replace("\\", "\\x5C").replace('"', "\\x22"))


@damage
def bodies_in_base64(lines: Lines, _: Random) -> Lines:
    return _with_bodies(lines, lambda text: base64.b64encode(text.encode()).decode())


@damage
def bodies_in_base64_of_gzip(lines: Lines, _: Random) -> Lines:
    return _with_bodies(
        lines, lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    )


@damage
def bodies_in_hexadecimal(lines: Lines, _: Random) -> Lines:
    return _with_bodies(lines, lambda text: text.encode().hex())


@damage
def keys_renamed(lines: Lines, chance: Random) -> Lines:
    names = {"body": chance.choice(["payload", "data", "msg"]), "received_at": "ts"}
    return [json.dumps({names.get(k, k): v for k, v in each.items()}) for each in _envelopes(lines)]


@damage
def keys_of_bodies_renamed(lines: Lines, chance: Random) -> Lines:
    name = chance.choice(["conversation_id", "conversation", "id"])
    return [line.replace('"conversationId"', f'"{name}"') for line in lines]


@damage
def in_a_larger_record(lines: Lines, _: Random) -> Lines:
    return [json.dumps({"level": 30, "req": each, "pid": 7}) for each in _envelopes(lines)]


@damage
def text_in_front(lines: Lines, _: Random) -> Lines:
    return [f"<14>1 2026-03-02T07:00:00Z host app 1 - - {line}" for line in lines]


@damage
def other_lines_in_front(lines: Lines, chance: Random) -> Lines:
    return _others(chance.randrange(1, 400), chance) + lines


@damage
def other_lines_between(lines: Lines, chance: Random) -> Lines:
    return _mixed(lines, _others(chance.randrange(50, 2 * len(lines)), chance), chance)


@damage
def thousands_of_other_lines(lines: Lines, chance: Random) -> Lines:
    return _mixed(lines, _others(10_000, chance), chance)


@damage
def other_objects_between(lines: Lines, chance: Random) -> Lines:
    others = [json.dumps({"level": "info", "took": n}) for n in range(chance.randrange(20, 200))]
    return _mixed(lines, others, chance)


@damage
def lines_cut_at_a_length(lines: Lines, chance: Random) -> Lines:
    length = sorted(map(len, lines))[-chance.randrange(20, 60)]
    return [line[:length] for line in lines]


@damage
def cut_at_the_end(lines: Lines, chance: Random) -> bytes:
    data = "\n".join(lines).encode()
    return data[: -chance.randrange(60, 200)]


@damage
def packed_and_cut(lines: Lines, chance: Random) -> Files:
    data = gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0)
    return {"damaged.log.gz": data[: -chance.randrange(50, 500)]}


@damage
def one_array(lines: Lines, chance: Random) -> bytes:
    return json.dumps(list(_envelopes(lines)), indent=chance.choice([None, 2])).encode()


@damage
def objects_over_several_lines(lines: Lines, _: Random) -> bytes:
    return "\n".join(json.dumps(each, indent=2) for each in _envelopes(lines)).encode()


@damage
def no_line_feeds(lines: Lines, _: Random) -> bytes:
    return "".join(lines).encode()


@damage
def line_feeds_of_windows(lines: Lines, _: Random) -> bytes:
    return b"\xef\xbb\xbf" + "".join(f"{line}\r\n" for line in lines).encode()


@damage
def utf_16(lines: Lines, _: Random) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-16")


@damage
def lines_in_pieces(lines: Lines, _: Random) -> Lines:
    """Docker writes lines of more than 16 KiB in pieces, all but the last without a line feed."""
    pieces = []
    for line in lines:
        text = f"{line}\n"
        pieces += [text[at : at + 300] for at in range(0, len(text), 300)]
    return [json.dumps({"log": piece, "stream": "stdout"}) for piece in pieces]
