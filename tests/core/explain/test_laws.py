"""Laws of the explanation, over every single mistake and over streams that are drawn at random.

The expectations come from the definition: the conversation before the mistake, a brute force over
all scripts, and optimal alignments. None of them uses the search of the package.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.core.explain.brute import Cost, alignment, cost_of, least
from tests.core.explain.edited import apply, conversation_of
from tests.oracle.oracle import Ev
from tests.streams import body, clean_streams, short, single_edits

import segue
from segue.analysis.simulate import generate
from segue.core.conversation import Conversation, Report, explanation_of, state_of
from segue.core.engine.state import told_entries
from segue.core.events import EventKind
from segue.core.explain import EditKind, Explanation, explain, steps
from segue.core.findings import Finding, Severity

pytestmark = pytest.mark.no_cover  # measuring coverage would triple their time

THOROUGH = pytest.mark.thorough
ORDER = (1, 2)
"""The families of rules that edits explain."""

Stream = tuple[Ev, ...]


class Told(NamedTuple):
    """A conversation as told with an error of order, and its explanation."""

    events: Stream
    report: Report
    explanation: Explanation

    @property
    def edits(self) -> int:
        """The number of mistakes that are edits."""
        return sum(bool(mistake.edits) for mistake in self.explanation.mistakes)

    @property
    def mended(self) -> list[tuple[int | None, Ev]]:
        """The events after all edits, with their positions as told."""
        found = self.explanation
        edits = [edit for mistake in found.mistakes for edit in mistake.edits]
        return apply(self.events, sorted([*edits, *found.free], key=lambda edit: edit.turn))

    @property
    def cost(self) -> Cost:
        found = cost_of(self.events, self.mended, self.edits)
        assert found is not None, f"an error is left: {short(self.events)}"
        return found


@cache
def told(events: Stream) -> Told | None:
    """Return the explanation of a conversation, or None if it has no error of order."""
    report = segue.check(map(body, events))
    if not any(is_error(finding) for finding in report.findings):
        return None
    return Told(events, report, explanation_of(report))


def is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.rule.family in ORDER


def told_with_one_mistake(longest: int) -> list[Told]:
    streams = {edited for clean in clean_streams(longest) for _, edited in single_edits(clean)}
    return [found for each in sorted(streams, key=short) if (found := told(each)) is not None]


def told_at_random(count: int, seed: int) -> list[Told]:
    """Return conversations of at most 8 events with one to three mistakes, always the same.

    All events of an agent and a kind are equal.
    """
    return list(islice(_drawn(Random(seed)), count))


def _drawn(random: Random) -> Iterator[Told]:
    while True:
        stream = random.choice(clean_streams(7))
        for _ in range(random.randint(1, 3)):
            edits = list(single_edits(stream))
            kind = random.choice(sorted({kind for kind, _ in edits}))
            stream = random.choice([edited for each, edited in edits if each == kind])
        plain = tuple(Ev(event.kind, event.agent) for event in stream)
        found = told(plain) if len(stream) <= 8 else None
        if found is not None:
            yield found


def generated(count: int) -> list[Told]:
    """Return generated conversations with a mistake of order, messages included."""
    lines = (
        line.text for line in generate(7, conversations=count, mistakes=1, rules=("SG1", "SG2"))
    )
    streams = map(stream_of, segue.replay(lines))
    return [found for each in streams if (found := told(each)) is not None]


def stream_of(report: Report) -> Stream:
    entries = [e for e in told_entries(state_of(report)) if e.kind is not EventKind.UNPROCESSABLE]
    names = {EventKind.SUMMARY: "summary", EventKind.END: "end"}
    return tuple(
        Ev(names.get(entry.kind, entry.kind.value), entry.agent)
        for entry in entries
        for _ in range(entry.count)
    )


# One mistake.

FIRST = {
    "deletion": (95.1, 96.7),
    "retype": (100, 100),
    "changed identity": (91.5, 100),
    "adjacent swap": (100, 100),
    "late": (92.3, 93.5),
    "second copy": (91.1, 99.7),
    "early": (90.4, 96.5),
    "insertion": (84.7, 99.6),
}
"""The least percentages of single mistakes that the explanation names, and that it names or that
are among its alternatives. Events count as the same if only the names of agents are exchanged: in
`N+b N-a E` nothing tells which of the two is wrong.
"""
SHORT = FIRST | {
    "deletion": (100, 100),
    "late": (100, 100),
    "second copy": (94.8, 100),
    "early": (100, 100),
    "insertion": (85.7, 99.8),
}
"""The same for conversations of at most 5 events."""


@pytest.mark.parametrize(("longest", "floor"), [(5, SHORT), pytest.param(7, FIRST, marks=THOROUGH)])
def test_the_true_mistake_is_named_or_among_the_alternatives(
    longest: int, floor: dict[str, tuple[float, float]]
) -> None:
    all_, first, among = Counter[str](), Counter[str](), Counter[str]()
    for clean in clean_streams(longest):
        for kind, edited in single_edits(clean):
            found = told(edited)
            if found is not None:
                (mistake,) = found.explanation.mistakes
                free = found.explanation.free
                others = [apply(edited, [*e.edits, *free]) for e in mistake.alternatives]
                is_first = shape(conversation_of(found.mended)) == shape(clean)
                all_[kind] += 1
                first[kind] += is_first
                among[kind] += is_first or shape(clean) in [
                    shape(conversation_of(other)) for other in others
                ]

    assert all_.keys() == floor.keys()
    for kind, (least_first, least_among) in floor.items():
        assert 100 * first[kind] / all_[kind] >= least_first, kind
        assert 100 * among[kind] / all_[kind] >= least_among, kind


def shape(stream: Stream) -> list[tuple[str, int]]:
    """Return events with agents numbered in order of appearance."""
    numbers: dict[str, int] = {"": -1}
    return [(e.kind, numbers.setdefault(e.agent, len(numbers) - 1)) for e in stream]


@pytest.mark.parametrize("longest", [5, pytest.param(7, marks=THOROUGH)])
def test_one_mistake_is_one_mistake_and_owns_every_error(longest: int) -> None:
    for found in told_with_one_mistake(longest):
        assert found.report.explanation == "complete", short(found.events)
        assert found.report.untraced == ()
        (mistake,) = found.report.mistakes
        assert mistake.edits
        errors = [each for each in found.report.findings if is_error(each)]
        assert [each for each in mistake.findings if is_error(each)] == errors, short(found.events)


@pytest.mark.parametrize("longest", [5, pytest.param(7, marks=THOROUGH)])
def test_an_event_that_cannot_be_read_owns_every_error(longest: int) -> None:
    """It was any event, so it is no second mistake that the conversation has none in its place."""
    for clean in clean_streams(longest):
        for place in range(len(clean)):
            bodies = [body(event) for event in clean]
            bodies[place]["events"][0]["name"] = "NOPE"
            found = segue.check(bodies)
            (mistake,) = found.mistakes
            assert (mistake.event, mistake.edits) == (place, ()), short(clean)
            errors = [each for each in found.findings if each.severity is Severity.ERROR]
            assert [e for e in mistake.findings if e in errors] == errors, short(clean)


# Brute force and alignments.


@pytest.mark.parametrize("longest", [4, pytest.param(7, marks=THOROUGH)])
def test_no_single_edit_costs_less(longest: int) -> None:
    for found in told_with_one_mistake(longest):
        assert found.cost == least(found.events, 1), short(found.events)


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=THOROUGH)])
def test_one_edit_does_not_explain_what_costs_more(count: int) -> None:
    """Where the explanation costs more than one edit without a note, all single edits are tried.

    The brute force does not know that the end of a conversation that stops may need a note.
    """
    worse = [
        short(found.events)
        for found in told_at_random(count, seed=1)
        if found.cost > (2, 0)
        and (cheapest := least(found.events, 1)) is not None
        and found.cost > cheapest
    ]

    assert len(worse) <= 0.007 * count, worse


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=THOROUGH)])
def test_two_edits_do_not_explain_what_costs_more(count: int) -> None:
    """All scripts of two edits are tried where the explanation costs more than two edits."""
    worse = [
        short(found.events)
        for found in told_at_random(count, seed=2)
        if found.cost > (4, 0)
        and (cheapest := least(found.events, 2)) is not None
        and found.cost > cheapest
    ]

    assert len(worse) <= 0.007 * count, worse


@pytest.mark.parametrize(
    ("longest", "conversations"), [(4, 100), pytest.param(6, 1000, marks=THOROUGH)]
)
def test_an_alignment_has_no_fewer_edits(longest: int, conversations: int) -> None:
    streams = [*told_with_one_mistake(longest), *generated(conversations)]

    assert len(streams) > conversations / 2
    for found in streams:
        assert alignment(found.events) >= found.edits, short(found.events)


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=THOROUGH)])
def test_an_alignment_of_noise_hardly_ever_has_fewer_edits(count: int) -> None:
    fewer = [
        short(found.events)
        for found in told_at_random(count, seed=3)
        if alignment(found.events) < found.edits
    ]

    assert len(fewer) <= 0.01 * count, fewer


# What the edits leave.


@pytest.mark.parametrize(
    ("count", "conversations"), [(200, 200), pytest.param(1000, 2000, marks=THOROUGH)]
)
def test_the_edits_leave_no_error(count: int, conversations: int) -> None:
    for found in [*told_at_random(count, seed=4), *generated(conversations)]:
        mended = conversation_of(found.mended)
        again = segue.check(map(body, mended))
        left = [each.code for each in again.findings if is_error(each)]
        assert found.report.explanation == "complete"
        assert left == [], f"{short(found.events)} -> {short(mended)}"


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=THOROUGH)])
def test_an_alternative_leaves_no_error_either(count: int) -> None:
    seen = 0
    for found in told_at_random(count, seed=9):
        for mistake in found.explanation.mistakes:
            others = [each for each in found.explanation.mistakes if each is not mistake]
            rest = [edit for each in others for edit in each.edits] + [*found.explanation.free]
            for alternative in mistake.others:
                edits = sorted([*rest, *alternative.edits], key=lambda edit: edit.turn)
                mended = conversation_of(apply(found.events, edits))
                left = [e for e in segue.check(map(body, mended)).findings if is_error(e)]
                assert left == [], f"{short(found.events)}: {alternative.sentence}"
                seen += 1
    assert seen > count / 3


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=THOROUGH)])
def test_one_event_is_one_too_many(count: int) -> None:
    """An edit moves a delivery of several events, and leaves out each event by itself."""
    random, kinds = Random(10), set[tuple[EditKind, bool]]()
    for found in told_at_random(count, seed=10):
        mistakes = segue.check(in_deliveries(found.events, random)).mistakes
        kinds |= {(e.kind, (e.size or 1) > 1) for each in mistakes for e in each.edits}

    assert (EditKind.MOVED, True) in kinds
    assert (EditKind.SURPLUS, False) in kinds
    assert (EditKind.SURPLUS, True) not in kinds


def in_deliveries(events: Stream, random: Random) -> list[dict[str, Any]]:
    """Return deliveries of one or more events."""
    bodies: list[dict[str, Any]] = []
    for each in map(body, events):
        if bodies and "events" in each and "events" in bodies[-1] and random.random() < 0.6:
            bodies[-1] = {**each, "events": bodies[-1]["events"] + each["events"]}
        else:
            bodies.append(each)
    return bodies


# Live, and again.


def values(explanation: Explanation) -> list[object]:
    """Return all that an explanation says, as values."""
    mistakes = [
        (each.to_dict(), [(f.code, f.place.event) for f in each.findings])
        for each in explanation.mistakes
    ]
    untraced = [(f.code, f.place.event) for f in explanation.untraced]
    return [explanation.completeness, mistakes, untraced, explanation.free]


def test_a_conversation_that_goes_on_is_explained_like_the_beginning_of_a_log() -> None:
    for found in told_at_random(60, seed=5):
        live = Conversation()
        for number, event in enumerate(found.events, start=1):
            live.feed(body(event))
            if event.kind == "end":
                break  # what comes later belongs to a late report
            beginning = segue.check(map(body, found.events[:number]), partial="end")
            assert values(explanation_of(live.report())) == values(explanation_of(beginning))


def test_a_conversation_that_has_ended_is_explained_like_its_log() -> None:
    for found in told_at_random(60, seed=6):
        live = Conversation()
        for event in found.events:
            live.feed(body(event))
        if any(event.kind == "end" for event in found.events):
            assert values(explanation_of(live.report())) == values(found.explanation)


def test_an_explanation_does_not_depend_on_what_was_explained_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The table of remembered steps changes neither the result nor the count of events judged."""
    streams = told_at_random(60, seed=7)
    warm = [again(found) for found in streams]

    for found, expected in zip(reversed(streams), reversed(warm), strict=True):
        monkeypatch.setattr(steps, "_tables", {})
        cold = again(found)
        assert (values(cold), cold.spent) == (values(expected), expected.spent)


def again(found: Told) -> Explanation:
    state = state_of(found.report)
    return explain(told_entries(state), state.findings)


def test_findings_and_mistakes_are_in_order() -> None:
    for found in told_at_random(100, seed=8):
        mistakes = found.report.mistakes
        assert [each.number for each in mistakes] == [*range(1, len(mistakes) + 1)]
        for mistake in mistakes:
            places = [
                len(found.events) if each.place.event is None else each.place.event
                for each in mistake.findings
            ]
            assert places == sorted(places)


# What it costs, counted in events judged.


def test_a_usual_mistake_costs_few_events() -> None:
    spent = sorted(found.explanation.spent for found in generated(200))
    single = sorted(found.explanation.spent for found in told_with_one_mistake(5))

    assert single[len(single) // 2] <= 130
    assert spent[len(spent) // 2] <= 600
    assert spent[len(spent) * 99 // 100] <= 10_000
