"""Conversations of very many agents: judged as those of few, and said in few words."""

from tests.builders import body, end, message, transfer

from segue.core.engine import State, apply, new
from segue.core.engine.snapshot import dump_parts, forget_past
from segue.core.findings import Finding
from segue.core.wire import read_line


def fed(state: State, *events: object) -> list[Finding]:
    return [
        finding
        for event in events
        for finding in apply(state, read_line(body(event))).findings  # type: ignore[arg-type]
    ]


def consulted(agents: int) -> State:
    """Return a conversation in which so many agents were consulted, one after another."""
    state = new("c-1")
    fed(state, transfer("NA entry", "p"))
    for number in range(agents):
        assert (
            fed(
                state,
                transfer("WARM entry", f"a-{number}"),
                transfer("WARM exit", f"a-{number}"),
            )
            == []
        )
        forget_past(state)
    return state


def test_whoever_was_consulted_long_ago_may_reconnect() -> None:
    state = consulted(100)

    assert [found.code for found in fed(state, transfer("redial entry", "a-3"))] == ["SG123"]
    assert fed(state, transfer("WARM exit", "a-3")) == []
    assert [found.code for found in fed(state, transfer("redial entry", "a-3"))] == ["SG123"]


def test_whoever_was_consulted_and_left_once_more_may_not_reconnect() -> None:
    state = consulted(100)

    assert [found.code for found in fed(state, transfer("WARM exit", "a-3"))] == ["SG201"]
    assert [found.code for found in fed(state, transfer("redial entry", "a-3"))] == ["SG208"]


def test_a_repeated_exit_of_a_consultant_changes_nothing() -> None:
    state = consulted(100)
    again = transfer("WARM exit", "a-3")
    fed(state, transfer("redial entry", "a-3"), again, message("AGENT", "a-3"))
    for number in range(200, 210):
        fed(state, transfer("WARM entry", f"a-{number}"), transfer("WARM exit", f"a-{number}"))

    assert [found.code for found in fed(state, transfer("redial entry", "a-3"))] == ["SG123"]


def test_whoever_never_was_a_consultant_may_not_reconnect_as_one() -> None:
    state = consulted(100)
    fed(state, transfer("COLD exit", "p"), transfer("COLD entry", "q"))

    assert [found.code for found in fed(state, transfer("redial entry", "p"))] == ["SG208"]


def test_what_is_written_of_a_conversation_does_not_grow_with_its_agents() -> None:
    few, many = (dump_parts(consulted(agents)).judging for agents in (300, 900))

    assert len(many) < len(few) + 3_000


def test_a_finding_about_a_crowd_names_some_and_counts_the_others() -> None:
    state = new("c-1")
    fed(state, transfer("NA entry", "p"))
    for number in range(100):
        fed(state, transfer("WARM entry", f"a-{number}"))

    (found,) = fed(state, end("p"))

    assert found.code == "SG107"
    assert "a-18, 81 more" in found.message
    assert "a-19" not in found.message
    assert len(found.because) == 20
    assert len(found.expected) == 21
    assert found.expected[-1].endswith(" more")
