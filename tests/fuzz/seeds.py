"""What once broke something, and lines made of it and of other odd things."""

import json
from pathlib import Path
from random import Random
from typing import Final

from hypothesis import strategies as st
from tests.core.wire.mutation import mutated, odd_line
from tests.core.wire.samples import BODIES

__all__ = ["SEEDS", "odd_log_line", "odd_log_lines"]


def _seeds() -> dict[str, bytes]:
    text = Path(__file__).with_name("seeds.json").read_text("utf-8")
    return {
        name: "".join(piece * times for piece, times in pieces).encode("utf-8", "surrogatepass")
        for name, pieces in json.loads(text).items()
    }


SEEDS: Final = _seeds()
"""Lines by name, without newlines."""

_WRAPS: Final = (('{"a":', "}"), ("[", "]"), ('{"body":', "}"), ('{"a":[', "]}"), ("[{},", "]"))
_ENDS: Final = ("1", "", '"', "NaN", '{"b":1,"b":2}', "9" * 5_000, '"\\ud800"')


def odd_log_line(random: Random) -> bytes:
    """Return a line of a log: a seed or something nested, changed here and there, or another."""
    chance = random.random()
    if chance < 0.1:
        return mutated(random, random.choice(list(SEEDS.values())).decode("utf-8", "replace"))
    if chance < 0.3:
        return mutated(random, _nested(random))
    return odd_line(random)


def _nested(random: Random) -> str:
    begin, end = random.choice(_WRAPS)
    depth = random.choice((63, 64, 65, 199, 200, 201, 900, random.randrange(950, 1010), 5_000))
    value = begin * depth + random.choice(_ENDS)
    if random.random() < 0.7:
        value += end * depth
    inner = json.dumps(random.choice(BODIES))
    match random.randrange(4):
        case 0:
            return f'{{"meta":{value},"body":{inner}}}'
        case 1:
            return f'{inner[:-1]},"meta":{value}}}'
        case 2:
            return json.dumps({"body": value})
        case _:
            return value


odd_log_lines: Final = st.sampled_from(sorted(SEEDS.values())) | st.randoms(
    use_true_random=False
).map(odd_log_line)
