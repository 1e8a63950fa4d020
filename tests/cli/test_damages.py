"""Logs with known mistakes, damaged on their way: never green, never the fault of a sender.

`python -m pytest -m "" tests/cli/test_damages.py --durations=0 -s` prints what became of each kind.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest
from tests.cli.command import Segue
from tests.cli.damages import DAMAGES, Files

Found = Counter[tuple[str | None, str]]

_LOST: Final = {"lines_cut_at_a_length", "cut_at_the_end", "packed_and_cut"}
"""Kinds that lose a part of a line, whose conversations cannot be judged any more."""
_UNREAD: Final = {
    "keys_of_bodies_renamed",
    "other_lines_in_front",
    "other_lines_between",
    "other_objects_between",
}
"""Kinds whose lines may be deliveries that lack what a body has, so that they are errors."""


def made_log(segue: Segue, seed: int) -> list[str]:
    options = ("--conversations", "30", "--mistakes", "0.3", "--no-notes", "--seed", str(seed))
    segue("generate", "made.jsonl", *options)
    return Path("made.jsonl").read_text("utf-8").splitlines()


def checked(segue: Segue, files: Files) -> tuple[int, Found, int, str]:
    """Return the exit code, the findings, the number in doubt, and what was said on stderr."""
    for name, data in files.items():
        Path(name).write_bytes(data)
    done = segue("check", "--no-explain", "--format", "json", *files)
    if not done.out:
        return done.code, Counter(), 0, done.err
    document = json.loads(done.out)
    found = Counter(
        (report["conversation_id"], finding["code"])
        for report in document["reports"]
        for finding in report["findings"]
    )
    return done.code, found, document["summary"]["possibly_of_log"], done.err


def outcome(segue: Segue, kind: str, seed: int) -> str:
    """Return what became of a damaged log.

    `right`: the findings of the whole log. `doubt`: others are counted as possibly due to the log.
    `unread`: lines are errors (SG5) that belong to no conversation, and nobody is blamed.
    """
    lines = made_log(segue, seed)
    whole = checked(segue, {"whole.jsonl": "".join(f"{line}\n" for line in lines).encode()})
    code, found, doubtful, said = checked(segue, DAMAGES[kind](lines, Random(seed)))
    assert whole[0] == 1
    if code == 0:
        return "green"
    if not found:
        return "refused" if code == 2 and len(said) < 600 else "nothing"
    extra, missing = found - whole[1], whole[1] - found
    blamed = Counter({key: n for key, n in extra.items() if not key[1].startswith("SG5")})
    if not extra and not missing:
        return "right"
    if blamed.total() > doubtful:
        return f"false: {blamed.total()} findings"
    return "doubt" if doubtful or (not blamed and kind in _LOST) else "unread"


def expected(kind: str) -> set[str]:
    if kind == "utf_16":
        return {"refused"}
    if kind in _UNREAD:
        return {"unread", "right"}
    return {"doubt", "right"} if kind in _LOST else {"right"}


@pytest.mark.parametrize("kind", DAMAGES)
def test_no_damage_is_green_or_the_fault_of_a_sender(segue: Segue, kind: str) -> None:
    assert outcome(segue, kind, 0) in expected(kind)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", DAMAGES)
def test_ten_logs_of_each_kind(segue: Segue, kind: str) -> None:
    outcomes = Counter(outcome(segue, kind, seed) for seed in range(1, 10))
    print(f"{kind:32} {dict(outcomes)}")  # noqa: T201 - shown with -s

    assert outcomes.keys() <= expected(kind)
