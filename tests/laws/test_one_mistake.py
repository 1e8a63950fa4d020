"""One mistake, one error: every single edit of every short clean conversation.

What is excepted stands in docs/explanation/explanation.md with its reason, and nowhere else: the
list is read from that page, and it may only shrink.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.oracle.by_hand import log
from tests.oracle.oracle import Ev
from tests.streams import AGENTS, body, clean_streams, errors, short

import segue
from segue.analysis.simulate.bodies import TRANSFERS

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "explanation.md"
LONGEST = 7

ROW = re.compile(r"^\| `(?P<stream>[^`]+)` \| (?P<edit>[^|]+) \| (?P<found>[^|]+) \| [^|]{40,} \|$")
"""A row of the page: stream, edit, what is found, and a reason worth the name."""


class Edit(NamedTuple):
    """One mistake in a clean stream."""

    kind: str
    what: str
    stream: tuple[Ev, ...]
    edited: tuple[Ev, ...]


def test_a_single_mistake_in_a_clean_conversation_gives_at_most_one_error() -> None:
    """Delete one event, change its transfer type or its agent: one error at most is reported."""
    exceptions = {
        (short(edit.stream), edit.what, found)
        for edit in edits(LONGEST)
        for found in (_reported(edit.edited),)
        if len(errors(re.findall(r"SG\d+", found))) > 1
    }

    assert exceptions == {
        (row["stream"], row["edit"], row["found"].replace("`", "")) for row in _rows()
    }


def test_the_clean_conversations_are_clean() -> None:
    """Valid is silent: what is legal gives no finding at all, and ends."""
    for stream in clean_streams(LONGEST + 2):
        report = segue.check(map(body, stream))
        assert (report.clean, report.phase) == (True, "ended"), short(stream)


def test_the_edits_are_as_many_as_the_page_says() -> None:
    counted = Counter(edit.kind for edit in edits(LONGEST))

    assert len(clean_streams(LONGEST)) == 23
    assert counted == {"deletion": 145, "retype": 354, "changed identity": 236}
    said = re.findall(r"^- (\d+) (.+?)s?, (\d+) ", PAGE.read_text("utf-8"), re.MULTILINE)
    assert {kind.replace("identitie", "identity"): int(number) for number, kind, _ in said} == (
        counted
    )
    assert sum(int(bad) for *_, bad in said) == len(_rows())


def test_the_page_lists_streams_that_exist() -> None:
    known = {(short(edit.stream), edit.what) for edit in edits(LONGEST)}

    assert {(row["stream"], row["edit"]) for row in _rows()} <= known
    assert all(short(log(row["stream"])) == row["stream"] for row in _rows())


def edits(longest: int) -> Iterator[Edit]:
    for stream in clean_streams(longest):
        for position, event in enumerate(stream):
            before, after = stream[:position], stream[position + 1 :]
            yield Edit("deletion", f"event {position} is lost", stream, (*before, *after))
            for kind, what, other in _others(event):
                where = f"event {position} {what}"
                yield Edit(kind, where, stream, (*before, other, *after))


def _others(event: Ev) -> Iterator[tuple[str, str, Ev]]:
    if event.kind in TRANSFERS:
        transition = event.kind.split()[1]
        for kind in TRANSFERS:
            if kind != event.kind and kind.endswith(transition):
                yield "retype", f"is sent as {kind}", Ev(kind, event.agent)
        for agent in AGENTS:
            if agent != event.agent:
                yield "changed identity", f"names {agent}", Ev(event.kind, agent)


def _reported(stream: tuple[Ev, ...]) -> str:
    findings = segue.check(map(body, stream)).findings
    return ", ".join(
        f"{finding.code} at {'the close' if finding.place.event is None else finding.place.event}"
        for finding in findings
    )


def _rows() -> list[re.Match[str]]:
    _, _, section = PAGE.read_text("utf-8").partition("## Limits of belief\n")
    section, _, _ = section.partition("\n## ")
    table = [line for line in section.splitlines() if line.startswith("| `")]
    matches = [ROW.match(line) for line in table]
    assert all(matches), "every row has a stream, an edit, its findings and a reason"
    return [match for match in matches if match]
