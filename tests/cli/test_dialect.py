"""`segue dialect`: what it shows and writes, and that a check with it is quiet."""

import json

import pytest
from tests.analysis.dialects.test_writing import body
from tests.cli.command import Segue, Write

LINES = [
    json.dumps(body(number, "NA", transition))
    for number in range(100)
    for transition in ("entry", "exit")
]
"""A sender that never sends an end."""


def test_a_policy_is_proposed_and_written(segue: Segue, write: Write) -> None:
    write("day.jsonl", LINES)
    shown = segue("dialect", "day.jsonl")
    document = json.loads(segue("dialect", "--format", "json", "day.jsonl").out)
    (ignore,) = document["policy"]["ignores"]

    assert (shown.code, ignore["hides"], ignore["support"]["count"]) == (0, 100, 100)
    assert f"ignores: {ignore['ignore']}" in shown.out
    assert document["senders"]["st"]["spellings"]["isExtAD as text"]["count"] == 200
    assert document["policy"]["leaves"] == 0
    assert segue("check", "day.jsonl").code == 1
    written = segue("dialect", "--write", "day.jsonl")
    assert written.err.endswith("segue.toml\n")
    assert segue("check", "day.jsonl").code == 0
    assert "100 of 100 findings" in segue("dialect", "day.jsonl").out


def test_without_a_habit_nothing_is_written(segue: Segue, write: Write) -> None:
    log = write("day.jsonl", LINES[:2])
    done = segue("dialect", "--write", "day.jsonl")

    assert (done.code, done.err) == (0, "segue: no policy is proposed, and nothing was written\n")
    assert not log.with_name("segue.toml").exists()


@pytest.mark.parametrize("options", [(), ("--no-config",)])
def test_ignores_that_are_there_are_kept(
    segue: Segue, write: Write, options: tuple[str, ...]
) -> None:
    write("day.jsonl", LINES)
    write("segue.toml", ['ignores = ["SG101 until=2999-01-01"]'])
    segue("dialect", *options, "--write", "day.jsonl")

    ignored = segue("check", "day.jsonl").err
    assert (ignored.count("ignored "), "'SG101 until=2999-01-01'" in ignored) == (2, True)


def test_the_policy_is_written_to_the_settings_that_are_named(segue: Segue, write: Write) -> None:
    write("day.jsonl", LINES)
    near = write("segue.toml", ['ignores = ["SG101 until=2999-01-01"]'])
    write("other.toml", ['ignores = ["SG102 until=2999-01-01"]'])
    before = near.read_text("utf-8")
    done = segue("dialect", "--config", "other.toml", "--write", "day.jsonl")

    assert (done.code, done.err) == (0, "segue: written to other.toml\n")
    assert near.read_text("utf-8") == before
    ignored = segue("check", "--config", "other.toml", "day.jsonl").err
    assert (ignored.count("ignored "), "'SG102 until=2999-01-01'" in ignored) == (2, True)
