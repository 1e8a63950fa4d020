"""Enumeration, mutation and assertions, with expectations worked out by hand."""

import pytest

import segue
from segue.errors import ConfigurationError, UnknownRule
from segue.testing import (
    OPERATORS,
    Case,
    assert_conforms,
    assert_violates,
    enumerate_streams,
    mutations,
    story,
)

COLD = story(
    "NA entry by a-1",
    "COLD exit by a-1",
    "COLD entry by a-2",
    "NA exit by a-2",
    "END_OF_CONVERSATION by a-2",
)


# -- enumeration


def test_the_streams_of_one_event_are_all_that_a_first_event_can_be() -> None:
    cases = list(enumerate_streams(length=1))

    assert len(cases) == 8 + 2  # eight transfers of one agent, a summary, an end
    assert [case for case in cases if case.rule is None] == [
        Case(story("NA entry by a-1"), None, is_complete=False),
        Case(story("redial entry by a-1"), None, is_complete=False),
        Case(story("END_OF_CONVERSATION by a-1"), None, is_complete=True),
    ]


def test_a_branch_is_cut_at_its_first_offence() -> None:
    cases = list(enumerate_streams(length=2, notes=False))

    # notes cut as well: only the NA entry goes on, with two agents' transfers, summary and end
    assert len(cases) == 10 + 18
    assert all(case.stream[0] == story("NA entry by a-1")[0] for case in cases[10:])


def test_the_complete_streams_of_up_to_five_events() -> None:
    complete = [
        case.stream for case in enumerate_streams(length=5, notes=False) if case.is_complete
    ]
    clean = [stream for stream in complete if segue.check(stream).clean]

    assert clean == [
        story("NA entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1"),
        story(
            *("NA entry by a-1", "NA exit by a-1", "TRIGGER_SUMMARY_EVENT"),
            "END_OF_CONVERSATION by a-1",
        ),
        story(
            *("NA entry by a-1", "NA exit by a-1", "redial entry by a-1", "NA exit by a-1"),
            "END_OF_CONVERSATION by a-1",
        ),
        COLD,
        story(
            *("NA entry by a-1", "WARM entry by a-2", "WARM exit by a-2", "NA exit by a-1"),
            "END_OF_CONVERSATION by a-1",
        ),
    ]


@pytest.mark.parametrize(("agents", "length"), [(0, 1), (1, 0)])
def test_there_is_nothing_to_enumerate_below_one(agents: int, length: int) -> None:
    with pytest.raises(ConfigurationError, match="must be at least 1"):
        next(enumerate_streams(agents=agents, length=length))


# -- mutation


def test_the_operators_are_those_of_a_sender() -> None:
    assert list(OPERATORS) == ["drop", "swap", "repeat", "retype", "re-identify"]


def test_every_single_slip_is_there() -> None:
    counted = {name: len(list(mutations(COLD, operators=[name]))) for name in OPERATORS}

    # five events, four of them transfers; three other types; another agent, and a stranger
    assert counted == {"drop": 5, "swap": 4, "repeat": 5, "retype": 12, "re-identify": 8}


def test_the_verdict_of_a_mutation_is_worked_out_anew() -> None:
    with pytest.raises(
        ConfigurationError, match=r"`operators` must only contain drop, .*, got 'duplicate'"
    ):
        next(mutations(COLD, operators=["duplicate"]))
    lost = next(mutations(COLD, operators=["drop"]))
    swapped = list(mutations(COLD, operators=["swap"]))[1]

    assert [finding.code for finding in lost.report.findings] == ["SG101"]
    assert [finding.code for finding in swapped.report.findings] == ["SG103"]
    assert (swapped.operator, swapped.position) == ("swap", 1)
    assert repr(swapped).startswith("<Mutation swap at 1: story('NA entry by a-1', 'COLD entry")


def test_a_mutation_leaves_the_stream_alone() -> None:
    before = repr(COLD)
    for mutation in mutations(COLD):
        mutation.stream[0]["botId"] = "st-9" if mutation.operator == "retype" else "st-1"

    assert repr(COLD) == before


# -- assertions


def test_what_conforms_gives_its_report() -> None:
    assert assert_conforms(COLD).clean
    assert assert_conforms(COLD[:2], partial="end").phase == "transferring"


def test_one_delivery_is_not_a_stream() -> None:
    with pytest.raises(ConfigurationError, match=r"assert_conforms takes .*: pass a list of them"):
        assert_conforms(COLD[0])
    with pytest.raises(ConfigurationError, match=r"assert_violates takes .*: pass a list of them"):
        assert_violates(COLD[0], "SG103")


def test_a_note_is_no_offence() -> None:
    callback = story("redial entry by a-1", "NA exit by a-1", "END_OF_CONVERSATION by a-1")

    assert [finding.code for finding in assert_conforms(callback).findings] == ["SG118"]


def test_what_does_not_conform_is_told_with_its_repair() -> None:
    with pytest.raises(AssertionError) as failure:
        assert_conforms([COLD[0], COLD[2], *COLD[3:]])

    text = str(failure.value)
    assert "error[SG103] cold-entry-before-exit" in text
    assert "  1 │ COLD entry  a-2\n" in text
    assert "send the COLD exit of a-1 first, then the COLD entry of a-2" in text


def test_what_is_offended_gives_its_report() -> None:
    assert assert_violates(COLD[1:], "SG101").phase == "ended"
    assert assert_violates(COLD[1:], "missing-na-entry").phase == "ended"
    assert assert_violates(COLD[:1], "SG108", only=False).phase == "active"


@pytest.mark.parametrize(
    ("stream", "rule", "found"),
    [
        (COLD, "SG103", "found no findings\n\n  NA entry by a-1\n  COLD exit by a-1"),
        (COLD[:1], "SG108", "found SG107, SG108"),
        (COLD[1:], "SG103", "found SG101"),
    ],
)
def test_what_is_not_offended_is_told(stream: list[object], rule: str, found: str) -> None:
    with pytest.raises(AssertionError, match=f"^expected only {rule}, {found}"):
        assert_violates(stream, rule)


def test_a_rule_that_is_none_is_no_failure_but_a_mistake() -> None:
    with pytest.raises(UnknownRule):
        assert_violates(COLD, "SG999")
