"""Holds the accelerator against what the reference said of some logs, in about three seconds.

    python -m tests.logs.native.quick_law WANTED

writes what the reference says to a file that is not there, and what the accelerator leaves to it;
and otherwise exits with 1 if the accelerator says anything else, or leaves more or less to it.
`native/mutants.py` runs it on libraries that are wrong on purpose.
"""

from __future__ import annotations

import os
import pickle
import sys
from array import array
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from tests.logs.native.both import lines_of, outcome
from tests.logs.native.hostile_files import HOSTILE_FILES, line
from tests.logs.native.odd_lines import (
    at_all_times,
    crafted,
    mutated,
    of_bots_with_the_same_ids,
    of_many,
    restructured,
)
from tests.logs.story import jsonl, lines as story, mixed

from segue.analysis.causes import cause_notes
from segue.analysis.simulate import generate, write
from segue.core.wire import read_line
from segue.logs.accelerated import AcceleratedReplayer
from segue.logs.native import (
    Accelerator,
    Happening,
    KeptConversation,
    KeptEnd,
    Learned,
    OddLine,
    usable_library,
)
from segue.logs.native.description import description
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer, TimedKey

_KINDS: tuple[dict[str, Any], ...] = (
    {"spellings": False, "notes": False},
    {"delivery_ids": True},
)


def logs() -> Iterator[tuple[list[bytes], dict[str, Any], bool]]:
    """Yield logs, with the options they are read by and whether they are sorted."""
    chance = Random(3)
    good = b""
    for lines in map(_made, _KINDS):
        good = good or b"".join(lines[:40])
        yield lines, {}, False
        yield lines, {"partial": "both"}, True
        odd = (at % 7 == 0 for at in range(len(lines)))
        yield [_respelled(each) if next(odd) else each for each in lines], {}, False
        yield list(of_bots_with_the_same_ids(lines[:30])), {"key": "bot"}, False
        yield list(of_bots_with_the_same_ids(lines[:10])), {"key": "bot"}, True
        deliveries = [read_line(each) for each in lines]
        ids = sorted({each.conversation_id or "" for each in deliveries})
        times = sorted(each.received_at for each in deliveries if each.received_at)
        yield lines, {"conversations": tuple(ids[::2]), "since": times[60]}, False
        yield lines, {"until": times[-60].astimezone() + timedelta(microseconds=1)}, False
        for begin in range(0, 120, 20):
            some = lines[begin : begin + 20]
            yield [*some, *mutated(some, chance, 3), *some], {}, False
    yield list(late(300)), {}, False
    yield [line(number) + b"\n" for number in (b"A", b"\xc3\xa9", rb"\u00e9", b"\xff")], {}, False
    yield [line(b"A") + b"\n", b"\n", b"\n", line(b"A", b"<") + b"\n"], {}, False
    for name, hostile in HOSTILE_FILES.items():
        if name not in {"junk", "an endless line", "blanks", "deep"}:
            yield hostile(good, chance).splitlines(keepends=True), {}, False


def logs_of_odd_lines() -> Iterator[list[bytes]]:
    """Yield logs most of whose lines are of conversations of their own."""
    chance = Random(4)
    for lines in map(_made, _KINDS):
        yield list(mutated(lines, chance, 500))
        events = [each for each in lines if b'"entry"' in each][:2]
        messages = [each for each in lines if b'"query"' in each][:2]
        actions = [each for each in lines if b'"endpoint"' in each][:1]
        yield list(crafted([*events, *messages, *actions]))
    changed = list(restructured())
    yield from (changed[begin : begin + 2_000] for begin in range(0, len(changed), 2_000))
    yield [*at_all_times(), *of_many()]


def late(number: int) -> Iterator[bytes]:
    """Yield lines of conversations that are open at once, end, and go on."""
    texts = ("NA entry a-1", "NA exit a-1", "END", "END")
    stories = [story(*texts, conversation=f"l-{each}") for each in range(number)]
    yield from jsonl(mixed(*stories)).splitlines(keepends=True)


def _respelled(line: bytes) -> bytes:
    """Return a line that the reference has to read; it says who is meant only later."""
    return line.replace(b'"botId"', b'"BotId": 1, "botId"').replace(b'"isExtAD"', b'"isextad"')


def _made(kind: dict[str, Any]) -> list[bytes]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        write(path, generate(11, lines=350, open_at_once=20, messages=2.0, **kind))
        return lines_of(path)


def outcomes(replayer_type: type[Replayer]) -> Iterator[object]:
    """Yield what a replayer makes of each log."""
    for number, (lines, options, is_sorted) in enumerate(logs()):
        named = [(f"log-{number}", lines[:50]), ("more", lines[50:])]
        plan = ReplayOptions(note=cause_notes(), **options)
        yield outcome(replayer_type(plan), named, is_sorted=is_sorted)


class Observed(AcceleratedReplayer):
    """Notes what is left to the reference, and whose each line is."""

    made: ClassVar[list[Observed]] = []

    def __init__(self, options: ReplayOptions) -> None:
        super().__init__(options)
        self.made.append(self)
        self._owners: list[int] = []
        self._keys: list[str] = []
        self._looked_at: list[TimedKey | None] = []

    def _note_owners(self, owners: array[int]) -> None:
        self._owners += owners
        assert self._accelerator is not None
        self._keys += self._accelerator.begun()

    def _note_last_owner(self, owner: int) -> None:
        self._owners.append(-owner)

    def _look(self, lines: Sequence[object], first: int) -> list[TimedKey | None]:
        found = super()._look(lines, first)
        self._looked_at += found
        return found

    def noted(self) -> object:
        """Return it; None if nothing was accelerated."""
        accelerator = self._accelerator
        if accelerator is None:
            return None
        effort = accelerator._effort  # noqa: SLF001 - nobody else asks
        orders = [accelerator.order(key) for key in self._keys]
        return effort, self._owners, self._looked_at, self._keys, orders


def observed() -> Iterator[tuple[object, object]]:
    """Yield what the accelerator makes of each log, and what is noted of that."""
    for found in outcomes(Observed):
        yield found, Observed.made.pop().noted()


def taken(lines: list[bytes]) -> Iterator[object]:
    """Yield what the library sees in lines, what it leaves to the reference, and what it keeps."""
    library = usable_library()
    assert library is not None
    accelerator = Accelerator(library, Learned(None), by_bot=False)

    def shown(it: Happening | KeptConversation | None) -> object:
        if isinstance(it, OddLine):
            return it.number, shown(it.kept), it.is_known
        if isinstance(it, KeptEnd):
            return it.number, shown(it.kept)
        if it is None:
            return None
        texts = [accelerator._text(text) for _, _, text, *_ in it.rows()]  # noqa: SLF001 - as below
        example = it.example
        form = repr((example.presence, example.absences, example.sessions, example.kept))
        return (
            it.key,
            it.conversation_id,
            it.bot_id,
            it.agents,
            it.receipts,
            it.records,
            texts,
            form,
        )

    text = b"".join(lines)
    yield [*accelerator.look(text)]
    keys: list[str] = []
    count = text.count(b"\n") + (not text.endswith(b"\n"))
    for happenings in accelerator.feed(text, array("q", range(count))):
        keys += accelerator.begun()
        yield accelerator.owners().tolist(), [*map(shown, happenings)]
    yield [*map(shown, accelerator.give_all())], keys, [*map(accelerator.order, keys)]


def refuses_what_is_no_description() -> bool:
    """Whether the library takes the whole description, and neither less of it nor more."""
    library, whole = usable_library(), description()
    assert library is not None

    def is_taken(described: bytes) -> bool:
        core = library.segue_new(described, len(described), 0, 0, 1)
        if core:
            library.segue_free(core)
        return bool(core)

    parts = (whole[:end] for end in range(len(whole)))
    name_size = int.from_bytes(whole[8:16], "little")
    number = slice(16 + name_size, 24 + name_size)  # of the first key

    def numbered(key: int) -> bytes:
        return whole[: number.start] + key.to_bytes(8, "little") + whole[number.stop :]

    others = (whole + b"\0\0", whole + b"x", numbered(64), numbered(256))
    return all(map(is_taken, (whole, numbered(63)))) and not any(map(is_taken, (*parts, *others)))


_MESSAGE = (
    b'{"conversationId":"c","botId":"bb","query":"hi","agentId":"%b","experience":"chat","author":'
    b'{"type":"USER"},"source":"s","sendUserMessage":true,"sendAgentMessage":false,"language":"en"}\n'
)


def of_another_bot(message: bytes) -> bytes:
    """Return the same message, in a conversation of its own with a bot of its own."""
    return message.replace(b'"c"', b'"d"').replace(b'"bb"', b'"cc"')


def message_of(agent: bytes) -> bytes:
    """Return a message to an agent."""
    return _MESSAGE % agent


def at_the_limits() -> Iterator[object]:
    """Yield what the library does when it has as many texts as it keeps, or as many moves."""
    library = usable_library()
    assert library is not None
    # Of each message two texts are kept: its agent, and that behind two bytes.  32 MB fit.
    large = [b"%02d" % number + b"a" * ((1 << 20) - 2) for number in range(15)]
    exact = b"a" * (((1 << 25) - 15 * ((1 << 21) + 2) - len(b"bb") - 2) // 2)
    for agents in ([b"%d" % number for number in range(33_000)], [*large, exact, b"z"]):
        accelerator = Accelerator(library, Learned(None), by_bot=False)
        lines = [*map(message_of, agents)]
        lines += [of_another_bot(lines[0])]
        numbers = array("q", range(len(lines)))
        yield [
            each.number
            for happenings in accelerator.feed(b"".join(lines), numbers)
            for each in happenings
            if isinstance(each, OddLine)
        ]
    for moves in (1 << 16) - 3, (1 << 16) - 2, (1 << 16) - 1:
        accelerator = Accelerator(library, Learned(None), by_bot=False)
        list(accelerator.feed(message_of(b"a") * 2, array("q", [1, 2])))  # one move is learned
        for form in range(9, 9 + moves):
            library.segue_learn(accelerator._core, False, form, 0, 0)  # noqa: FBT003, SLF001 - as above
        list(accelerator.feed(message_of(b"a"), array("q", [3])))
        yield accelerator._effort  # noqa: SLF001 - as above


def found() -> Iterator[Any]:
    """Yield all that is held against what was wanted."""
    yield refuses_what_is_no_description()
    yield from at_the_limits()
    for lines in logs_of_odd_lines():
        yield from taken(lines)
    yield from observed()


def main() -> int:
    """Return 0 if both engines say the same."""
    path = Path(sys.argv[1])
    if not path.exists():
        os.environ["SEGUE_NATIVE"] = "0"
        said = list(outcomes(Replayer))
        os.environ["SEGUE_NATIVE"] = "1"
        wanted = list(found())
        assert [each for each, _ in wanted[-len(said) :]] == said
        path.write_bytes(pickle.dumps(wanted))
        return 0
    wanted = pickle.loads(path.read_bytes())  # noqa: S301 - written above
    return int(any(one != other for one, other in zip_longest(found(), wanted)))


if __name__ == "__main__":
    sys.exit(main())
