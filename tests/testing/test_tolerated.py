"""What a backend may do otherwise: tolerated keys and codes, a primary without a name."""

from typing import Any

import pytest

from segue.analysis.simulate.bodies import StoryEvent
from segue.core.conversation import Conversation
from segue.core.findings import BY_CODE, Severity
from segue.errors import ConfigurationError
from segue.testing import conformance_suite, in_process, view
from segue.testing.backend import Backend
from segue.testing.compare import discrepancies
from segue.testing.differential import DifferentialRun, difference_text
from segue.testing.stories import SentEvent


def backend_with(changed: dict[str, Any]) -> Backend:
    """Segue itself, which shows some keys otherwise."""
    conversation = Conversation("c")

    def receive(body: Any) -> dict[str, Any]:
        conversation.feed({**body, "conversationId": "c"})
        return {}

    return in_process(receive, view=lambda _: {**view(conversation), **changed})


ENTRY, STRAY = SentEvent(StoryEvent("NA entry", "a-1")), SentEvent(StoryEvent("COLD entry", "a-1"))


@pytest.mark.parametrize(
    ("tolerate", "hint"),
    [
        (("primay",), "any of phase, findings, primary, .*, got 'primay'"),
        (("SG999",), "got 'SG999'"),
        ("primary", r"must be a list, for example \('primary',\)"),
    ],
)
def test_what_cannot_be_tolerated_is_refused(tolerate: Any, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        DifferentialRun(backend_with({}), tolerate)


def test_a_delivery_in_another_spelling_is_shown_as_it_was_sent() -> None:
    text = difference_text([SentEvent(StoryEvent("NA entry", "a-1"), "additional fields")], [])

    assert "NA entry by a-1 (additional fields)" in text
    assert 'the last one as it was sent: {"conversationId": "c-1", "botId": "st-1", ' in text
    assert '"platformVersion": "7.2"' in text
    assert "as it was sent" not in difference_text([ENTRY], [])


def test_of_a_delivery_that_was_sent_twice_only_the_second_is_the_last_one() -> None:
    twice = SentEvent(StoryEvent("NA entry", "a-1"), "booleans as strings")
    bodies = [
        line.partition(": ")[0]
        for line in difference_text([twice, twice], []).splitlines()
        if "as it was sent" in line
    ]

    assert bodies == [
        "  NA entry by a-1 (booleans as strings) as it was sent",
        "  the last one as it was sent",
    ]


@pytest.mark.parametrize(
    ("changed", "tolerate", "differs"),
    [
        ({"segments": []}, (), True),
        ({"segments": []}, ("segments",), False),
        ({"findings": []}, (), True),
        ({"findings": []}, ("SG101",), False),
        ({"findings": ["SG999"]}, ("SG101",), True),
        ({"findings": []}, ("findings",), False),
        ({"phase": "ended"}, ("SG101", "segments"), True),
    ],
)
def test_a_difference_may_be_tolerated(
    changed: dict[str, Any],
    tolerate: tuple[str, ...],
    differs: bool,  # noqa: FBT001
) -> None:
    run = DifferentialRun(backend_with(changed), tolerate)
    assert bool(run.send(STRAY)) is differs


def test_null_will_do_for_a_primary_whom_no_event_named_and_another_is_explained() -> None:
    assert not [*discrepancies({"primary": ""}, {"primary": None})]
    assert not [*discrepancies({"primary": ""}, {"primary": ""})]
    assert [*discrepancies({"primary": None}, {"primary": ""})]
    differing = [*discrepancies({"primary": ""}, {"primary": "a-1"})]
    text = difference_text([ENTRY], differing)
    assert 'primary: expected "" (an agent that no event named) or null, found "a-1"' in text


def test_any_role_is_accepted_where_no_event_has_told_it() -> None:
    def segments(*roles: str | None) -> dict[str, Any]:
        stay = {"agent": "a-1", "kind": "WARM", "connections": 1}
        return {"segments": [{**stay, "role": role} for role in roles]}

    for role in ("primary", "consultant", None):
        assert not [*discrepancies(segments("primary", None), segments("primary", role))]
        assert [*discrepancies(segments("consultant", None), segments("primary", role))]
    assert [*discrepancies(segments("primary"), segments(None))]
    assert [*discrepancies(segments(None), segments())]
    assert [*discrepancies(segments(None), {"segments": None})]


def test_the_group_of_legal_vectors_has_notes_at_most_and_no_refusal() -> None:
    legal = list(conformance_suite(groups=["legal"]))

    assert len(legal) > 20
    assert {each["group"] for each in legal} > {"lifecycle", "spelling"}
    for each in legal:
        for expected in each["expect"]:
            found = {BY_CODE[code].severity for code in expected.get("findings", [])}
            assert (found <= {Severity.NOTE}, expected["status"]) == (True, 200)
