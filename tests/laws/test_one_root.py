"""Law 7: one mistake of a sender has at most one root, whatever it makes the check report.

The figures stand in docs/explanation/one-mistake.md and are compared with what is counted here.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.oracle import TRANSFERS, Ev
from tests.streams import AGENTS, body, clean_streams, short, single_edits

import segue

TEXT = (Path(__file__).parents[2] / "docs" / "explanation" / "one-mistake.md").read_text("utf-8")
PAGE = TEXT.partition("## What follows from what")[2].partition("## What happened")[0]
LONGEST = 7
ROW = re.compile(r"^\| ([a-z ]+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
"""A row of the page: kind, how many there are, with more errors than one, with more roots."""


def test_a_sample_of_single_mistakes_has_at_most_one_root() -> None:
    chance = random.Random(7)
    for kind, bodies in chance.sample(list(_mistakes(LONGEST - 1)), 300):
        report = segue.check(bodies)
        assert len(report.mistakes) <= 1, (kind, bodies)


@pytest.mark.thorough
def test_no_single_mistake_has_two_roots_and_the_page_counts_them() -> None:
    counted: dict[str, Counter[str]] = {}
    for kind, bodies in _mistakes(LONGEST):
        report = segue.check(bodies)
        errors = [each for each in report.findings if each.severity == "error"]
        counts = counted.setdefault(kind, Counter())
        counts.update(all=1, errors=len(errors) > 1, roots=len(report.mistakes) > 1)

    rows = {kind: tuple(map(int, numbers)) for kind, *numbers in ROW.findall(PAGE)}
    assert rows == {
        kind: (counts["all"], counts["errors"], counts["roots"]) for kind, counts in counted.items()
    }
    assert {roots for *_, roots in rows.values()} == {0}


@pytest.mark.slow
@pytest.mark.parametrize("mistakes", [2, 3])
def test_several_mistakes_seldom_have_more_roots(mistakes: int) -> None:
    chance = random.Random(mistakes)
    streams = [each for each in clean_streams(10) if len(each) == 10]
    more = 0
    for _ in range(2_000):
        stream = chance.choice(streams)
        for _ in range(mistakes):
            by_kind: dict[str, list[tuple[Ev, ...]]] = {}
            for kind, edited in single_edits(stream):
                by_kind.setdefault(kind, []).append(edited)
            stream = chance.choice(by_kind[chance.choice(sorted(by_kind))])
        more += len(segue.check(map(body, stream)).mistakes) > mistakes

    share = re.search(rf"^With {mistakes} mistakes .*? in ([\d.]+) %", PAGE, re.MULTILINE)
    assert share is not None
    assert f"{more / 20:.1f}" == share[1]


def test_an_end_that_never_came_is_a_mistake_of_its_own() -> None:
    """No earlier mistake explains it: to put it in is an edit more, whatever came before."""
    chance = random.Random(11)
    kinds = [(kind, agent) for kind in sorted(TRANSFERS) for agent in AGENTS] + [("summary", "")]
    for _ in range(300):
        stream = [Ev(*each) for each in chance.choices(kinds, k=chance.randint(1, 5))]
        findings = segue.check(map(body, stream)).findings
        closing = [
            each for each in findings if each.severity == "error" and each.place.event is None
        ]
        assert closing[0].follows is None, short(stream)


def _mistakes(longest: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the bodies of every clean stream after every single mistake, with its kind."""
    for stream in clean_streams(longest):
        for kind, edited in single_edits(stream):
            yield kind, [body(event) for event in edited]
        for place in range(len(stream)):
            for kind, spoil in SPOILS.items():
                bodies = [body(_numbered(event)) for event in stream]
                if spoil(bodies[place]["events"][0]):
                    yield kind, bodies


def _numbered(event: Ev) -> Ev:
    """Name agents by digits."""
    return Ev(event.kind, str(AGENTS.index(event.agent) + 1) if event.agent else "", event.tag)


def _unreadable(event: dict[str, Any]) -> bool:
    event["name"] = "?"
    return True


def _number(event: dict[str, Any]) -> bool:
    who = event.get("participant", {})
    if not who.get("identity", "").isdigit():
        return False
    who["identity"] = int(who["identity"])
    return True


def _key(event: dict[str, Any]) -> bool:
    if "transition" not in event:
        return False
    event["Transition"] = event.pop("transition")
    return True


def _name(event: dict[str, Any]) -> bool:
    event["name"] = event["name"].lower()
    return True


SPOILS = {
    "unreadable": _unreadable,
    "identity as a number": _number,
    "key in another letter case": _key,
    "name in another letter case": _name,
}


def test_the_spoiled_streams_were_clean() -> None:
    for stream in clean_streams(LONGEST):
        assert segue.check(body(_numbered(event)) for event in stream).clean, short(stream)
