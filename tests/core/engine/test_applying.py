"""One delivery at a time: where findings are, what a duplicate is, what a state keeps."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.builders import body, end, message, summary, transfer

from segue.core.engine import (
    TRANSCRIPTION_MACHINE,
    ControlMachine,
    State,
    apply,
    awaits_end,
    finish,
    new,
    restore_ended,
)
from segue.core.engine.snapshot import dump
from segue.core.events import Delivery, Flaw
from segue.core.findings import BY_CODE, Severity
from segue.core.transcription import Session
from segue.core.wire import read_line

IDS = {"conversation_id": "c-1", "bot_id": "st-1"}


def action(name: str, agent: str = "a-1", **said: Any) -> dict[str, Any]:
    told = {"action": name, "agentId": agent, **said}
    return {"endpoint": "transcription", **IDS, "body": told}


def fed(*lines: Any, state: State | None = None, **options: Any) -> State:
    """Feed lines, numbered from 11 on."""
    state = state or new("c-1", **options)
    for number, each in enumerate(lines, start=11):
        apply(state, read_line(each, line=number))
    return state


def places(state: State) -> list[tuple[str, int | None, int | None, int | None]]:
    found = []
    for finding in state.findings:
        place = finding.place
        found.append((finding.code, place.event, place.action, place.line))
    return found


def test_every_finding_names_the_line_it_is_about() -> None:
    nameless = {"identity": "a-1", "type": "agent"}
    state = fed(
        body({"name": "ELSE"}),
        {"received_at": "noon", "body": body(transfer("NA entry", "a-1", participant=nameless))},
        action("start", "A-1"),
        action("resume", x=1),
        action("stop"),
        body(transfer("COLD exit", "a-1"), bot="st-2"),
        body(),
        body(transfer("COLD entry", "a-2", experience="voice"), transfer("NA exit", "a-2")),
        body(end()),
    )
    finish(state)

    assert places(state) == [
        ("SG504", 0, None, 11),
        ("SG502", 1, None, 12),
        ("SG509", 1, None, 12),
        ("SG206", None, 0, 13),
        ("SG401", None, 1, 14),
        ("SG505", None, 2, 15),
        ("SG302", 2, None, 16),
        ("SG508", 3, None, 17),
        ("SG301", 3, None, 18),
        ("SG404", 2, None, 16),
        ("SG407", 5, None, 19),
    ]


@pytest.mark.parametrize("flaw", [{}, {"experience": "smoke"}])
def test_a_contradiction_names_the_agent_however_the_event_was_judged(flaw: Any) -> None:
    state = fed(
        body(transfer("NA entry", "a-1")),
        action("start"),
        action("pause", handover=False),
        body(transfer("COLD exit", "a-1", **flaw)),
    )
    finish(state)

    (finding,) = (finding for finding in state.findings if finding.code == "SG406")
    assert finding.message == "COLD exit of agent a-1 came while transcription was in state hold"


def test_a_handover_to_a_consultant_is_no_contradiction() -> None:
    state = fed(
        body(transfer("NA entry", "a-1")),
        action("start"),
        action("pause", handover=True),
        body(transfer("WARM entry", "a-2")),
        action("resume", "a-2"),
        body(transfer("WARM exit", "a-1", reason="r")),
        action("end", "a-2"),
        body(transfer("NA exit", "a-2")),
        body(end()),
    )
    finish(state)

    assert [finding.code for finding in state.findings] == ["SG119"]


def test_a_spelling_is_named_once_wherever_it_comes() -> None:
    state = fed(
        body(transfer("NA entry", "ann")),
        body(transfer("redial entry", "ANN")),
        action("start", "Ann"),
        action("end", "ANN"),
        action("start", "Ann"),
    )

    assert [finding.message for finding in state.findings if finding.code == "SG206"] == [
        "identity ANN was taken as agent ann, who differs in letter case only",
        "identity Ann was taken as agent ann, who differs in letter case only",
    ]


def test_what_is_only_advised_is_a_warning() -> None:
    redial = transfer("redial entry", "a-1")
    del redial["isExtAD"]
    state = fed(body(redial))

    assert [(finding.code, finding.severity) for finding in state.findings] == [
        ("SG118", "note"),
        ("SG502", "warning"),
    ]


def test_the_end_that_is_missing_says_what_could_still_come() -> None:
    state = fed(body(transfer("NA entry", "a-1"), transfer("NA exit", "a-1")))

    (finding,) = finish(state).findings
    assert finding.expected == (
        "redial entry by a-1",
        "redial entry by another agent",
        "TRIGGER_SUMMARY_EVENT",
        "END_OF_CONVERSATION",
        "message",
    )


ENDED_WHILE_OPEN = (
    body(transfer("NA entry", "a-1")),
    action("start"),
    body(transfer("NA exit", "a-1")),
    body(end()),
)


def test_transcription_that_was_left_open_is_told_at_the_end_once_the_log_is_closed() -> None:
    state = fed(*ENDED_WHILE_OPEN)

    assert (places(state), awaits_end(state)) == ([], True)
    assert [finding.code for finding in finish(state).findings] == ["SG407"]
    assert (places(state), awaits_end(state)) == ([("SG407", 2, None, 14)], False)
    assert finish(state).findings == ()


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        pytest.param((action("end"),), [], id="end"),
        pytest.param((action("pause", handover=True), action("end")), ["SG408"], id="late pause"),
        pytest.param((action("end", "a-9"),), ["SG403"], id="by another agent"),
        pytest.param((action("end"), action("start"), action("end")), ["SG408"], id="only once"),
    ],
)
def test_an_end_of_transcription_after_the_end_closes_the_session(
    actions: Any, expected: list[str]
) -> None:
    state = fed(*ENDED_WHILE_OPEN, *actions)

    assert [finding.code for finding in state.findings] == expected
    assert not awaits_end(state)
    assert finish(state).findings == ()


def test_a_log_that_stops_early_leaves_transcription_open() -> None:
    state = fed(*ENDED_WHILE_OPEN, partial="end")

    assert finish(state).findings == ()


def test_an_answer_to_the_end_of_transcription_holds_what_the_close_says() -> None:
    begin, *rest = ENDED_WHILE_OPEN
    state = fed(begin, action("start", "a-9"), action("pause", handover=True), *rest[1:])
    answer = apply(state, read_line(action("end")), enforce=True)

    assert [finding.code for finding in answer.findings] == ["SG403", "SG405"]
    assert answer.outcome is not None


def test_a_delivery_of_the_same_time_is_no_step_back() -> None:
    at = {"received_at": "2026-03-02T09:00:00Z"}
    state = fed(
        {**at, "body": body(transfer("NA entry", "a-1"))},
        {**at, "body": body(transfer("COLD exit", "a-1"), bot="st-2")},
        {**at, "body": body(transfer("COLD entry", "a-2"))},
    )

    assert [finding.code for finding in state.findings] == ["SG302"]


VISIT = ("WARM entry", "WARM exit")


def test_every_other_bot_is_named_once() -> None:
    state = fed(
        body(transfer("NA entry", "a-1")),
        *(body(transfer(said, "a-2"), bot=bot) for said in VISIT for bot in ("st-2", "st-3")),
    )

    told = [finding.message for finding in state.findings if finding.code == "SG302"]
    assert told == [
        "a delivery named bot st-2 in a conversation that belongs to bot st-1",
        "a delivery named bot st-3 in a conversation that belongs to bot st-1",
    ]


def test_delivery_ids_are_those_of_an_endpoint() -> None:
    state = fed({**action("start"), "delivery_id": "d-1"})
    entry = {"delivery_id": "d-1", "body": body(transfer("NA entry", "a-1"))}

    assert not apply(state, read_line(entry)).duplicate
    assert apply(state, read_line(entry)).duplicate
    assert apply(state, read_line({**action("start"), "delivery_id": "d-1"})).duplicate
    assert not state.findings
    assert list(state.delivered or ()) == ["transcription d-1", "hooks d-1"]


def test_an_id_that_comes_with_another_body_is_named() -> None:
    state = new("c-1")
    for said in ("NA entry", "NA exit"):
        apply(state, read_line({"delivery_id": "d-1", "body": body(transfer(said, "a-1"))}))

    (finding,) = state.findings
    assert finding.message == "delivery id d-1 came again with another body"
    assert (finding.place.event, state.position) == (1, 1)


def test_a_refused_action_is_put_into_words() -> None:
    state = new("c-1")
    done = apply(state, read_line(action("pause", handover=True), line=7), enforce=True)

    (finding,) = done.findings
    assert finding.message == (
        "agent a-1 sent transcription action pause handover=true in state idle "
        "(allowed there: start)"
    )
    assert (finding.expected, finding.place.line) == (("start",), 7)
    assert not state.findings
    assert done.outcome is not None


def test_all_that_is_allowed_is_named() -> None:
    state = fed(action("start"), action("resume"))

    (finding,) = state.findings
    assert finding.help == (
        "send one of the allowed actions: pause handover=false, pause handover=true, end"
    )


def test_a_message_in_another_letter_case_is_a_spelling_too() -> None:
    state = fed(body(transfer("NA entry", "ann")), message("USER", "ANN"), message("USER", "bob"))

    assert places(state) == [("SG206", 1, None, 12)]


def test_findings_of_actions_and_of_what_has_no_place_join_those_before() -> None:
    state = fed(body(transfer("COLD entry", "a-1")), action("resume"), body({"name": "ELSE"}))

    assert [finding.code for finding in state.findings] == ["SG101", "SG401", "SG504"]


def test_a_step_returns_what_it_has_found_and_no_more() -> None:
    state = fed(body(transfer("COLD entry", "a-1")))
    found = apply(state, read_line(body(transfer("COLD entry", "a-2"), transfer("NA exit", "a-3"))))

    assert [finding.code for finding in found.findings] == ["SG103", "SG201"]
    assert apply(state, read_line(message("USER", "a-2"))).findings == ()


@pytest.mark.parametrize("told", [True, False])
def test_what_comes_after_the_end_was_told_or_not(told: bool) -> None:  # noqa: FBT001
    state = restore_ended("c-1", is_reported=told)
    state.position = 9
    TRANSCRIPTION_MACHINE.skip(state, 2)
    apply(state, read_line(message("USER", "a-1")))
    apply(state, read_line(body(end())))
    apply(state, read_line(action("start")))

    after = [] if told else [("SG110", 9, None, None)]
    assert places(state) == [*after, ("SG109", 10, None, None), ("SG408", None, 2, None)]


def test_a_tombstone_without_more_knows_of_nothing_told() -> None:
    state = restore_ended("c-1")
    state.position = 3
    apply(state, read_line(message("USER", "a-1")))

    assert places(state) == [("SG110", 3, None, None)]
    assert state.sessions == {}
    assert state.conversation_id == "c-1"


def test_an_end_that_is_missing_is_expected_where_the_close_leaves_the_conversation() -> None:
    state = fed(body(transfer("NA entry", "a-1")), body(transfer("redial exit", "a-1")))
    finish(state)

    assert [(finding.code, finding.place.event) for finding in state.findings] == [
        ("SG113", 1),
        ("SG108", None),
    ]
    assert state.findings[-1].expected == (
        "redial entry by a-1",
        "redial entry by another agent",
        "TRIGGER_SUMMARY_EVENT",
        "END_OF_CONVERSATION",
        "message",
    )


def at(minute: int, said: Any) -> dict[str, Any]:
    return {"received_at": f"2026-03-02T09:{minute:02}:00Z", "body": said}


def test_one_time_that_is_ahead_is_one_finding() -> None:
    said = [at(minute, body(summary())) for minute in (1, 2, 59, 3, 4, 5)]
    state = fed(*said)

    found = [each for each in state.findings if each.code == "SG602"]
    assert [each.place.event for each in found] == [3]
    assert "2026-03-02T09:59:00" in found[0].message


def test_a_time_that_is_behind_is_one_finding() -> None:
    state = fed(*[at(minute, body(summary())) for minute in (1, 3, 4, 2, 5, 6)])

    assert [each.place.event for each in state.findings if each.code == "SG602"] == [3]
    assert state.latest == datetime(2026, 3, 2, 9, 6, tzinfo=UTC)


def test_a_time_of_two_deliveries_is_not_taken_back() -> None:
    state = fed(*[at(minute, body(summary())) for minute in (1, 9, 9, 2, 3)])

    assert [each.place.event for each in state.findings if each.code == "SG602"] == [3, 4]
    assert state.latest == datetime(2026, 3, 2, 9, 9, tzinfo=UTC)


def test_any_time_can_be_ahead() -> None:
    for year in ("1969", "1970"):
        lines = [f"{year}-01-02T00:00:00Z", f"{year}-01-01T00:00:00Z"]
        state = fed(*[{"received_at": each, "body": body(summary())} for each in lines])
        assert state.latest == datetime(int(year), 1, 1, tzinfo=UTC)
        assert [entry.received_at for entry in state.entries] == [state.latest] * 2


def test_more_agents_than_anybody_has_are_judged_as_few_are() -> None:
    agents = [f"a-{number}" for number in range(1, 25)]
    state = fed(body(transfer("NA entry", "a-0")))
    for agent in agents:
        apply(state, read_line(body(transfer("WARM entry", agent))))
    for agent in agents:
        apply(state, read_line(body(transfer("WARM exit", agent))))
    for event in (transfer("NA exit", "a-0"), summary(), end("a-0")):
        apply(state, read_line(body(event)))

    assert not state.findings
    assert (state.position, state.presence.phase.value) == (52, "ended")
    assert len(state.entries) == 52
    assert [entry.agent for entry in state.entries][1:25] == agents


def test_a_new_state_knows_nothing() -> None:
    assert dump(new("c-1"))[8:].decode() == (
        '{"version":4,"judging":{"conversation_id":"c-1","partial":null,"bot_id":null,"position":0,'
        '"deliveries":0,"processable":false,"closed":false,"latest":null,"overtaken":null,'
        '"delivered":null,"kept":{},'
        '"machines":{"lifecycle":{"presence":{"phase":"waiting","primary":null,"consultants":[],'
        '"last":null,"pending_exits":[],"replaced":[],"consulted":[],"candidates":[],"in_doubt":false,'
        '"na_entered":false,"early_summary":false,"begins_late":false,"reported_once":[],"agents":0},'
        '"absences":[],"previous":null,"last":null,'
        '"ended_at":null,"late":null},"transcription":null},"messages":0,"runs":0},'
        '"agents":[],"entries":{"rows":[],"details":[]},"findings":[]}'
    )


def test_an_id_that_was_used_names_its_line() -> None:
    state = fed(
        {"delivery_id": "d-1", "body": body(transfer("NA entry", "a-1"))},
        {"delivery_id": "d-1", "body": body(transfer("COLD exit", "a-1"))},
    )

    assert places(state) == [("SG603", 1, None, 12)]


def test_what_is_wrong_with_an_action_that_is_allowed_is_told() -> None:
    state = fed(
        body(transfer("NA entry", "a-1")),
        {"received_at": "noon", **action("start")},
        action("pause"),  # which does not say whether it is a handover
    )

    assert [(code, nth) for code, _, nth, _ in places(state)] == [("SG509", 0), ("SG502", 1)]


def test_a_flaw_is_as_severe_as_its_rule_unless_it_is_a_warning() -> None:
    nameless = {"identity": "a-1", "type": "agent"}
    state = fed(body(transfer("NA entry", "a-1", participant=nameless)), body({"name": "ELSE"}))

    assert [(finding.code, finding.severity) for finding in state.findings] == [
        ("SG502", Severity.ERROR),
        ("SG504", BY_CODE["SG504"].severity),
    ]
    facts = {"field": "x", "of": "y", "how": "was absent or null", "advice": "send x"}
    flaw = Flaw("SG502", "/x", facts, is_warning=True)
    apply(state, Delivery("c-1", "st-1", flaws=(flaw,)))
    assert state.findings[-1].severity is Severity.WARNING


def test_an_announced_handover_is_made_by_a_cold_exit() -> None:
    announced = (
        body(transfer("NA entry", "a-1")),
        action("start"),
        action("pause", handover=True),
    )
    stayed = fed(
        *announced,
        action("end"),
        body(transfer("NA exit", "a-1")),
        body(summary()),
        body(end()),
    )
    left = fed(
        *announced,
        body(transfer("COLD exit", "a-1"), transfer("COLD entry", "a-2")),
        action("end", "a-2"),
        body(transfer("NA exit", "a-2")),
        body(summary()),
        body(end()),
    )

    assert [place[:3] for place in places(stayed)] == [("SG405", None, 1)]
    assert places(left) == []


def test_an_agent_who_only_transcribes_is_found_by_the_first_action() -> None:
    state = fed(
        body(transfer("NA entry", "a-1")),
        action("start"),
        action("end", "a-9"),
        body(transfer("NA exit", "a-1")),
        body(summary()),
        body(end()),
    )

    assert [place[:3] for place in places(state)] == [("SG403", None, 1)]


def test_what_is_wrong_with_a_delivery_is_told_at_its_first_event_only() -> None:
    state = fed(
        {"received_at": "2026-03-02T09:05:00Z", "body": body(transfer("NA entry", "a-1"))},
        {
            "received_at": "2026-03-02T09:00:00Z",
            "body": body(transfer("COLD exit", "a-1"), transfer("COLD entry", "a-2")),
        },
    )

    assert places(state) == [("SG602", 1, None, 12)]


def test_a_delivery_of_no_events_is_of_its_bot_all_the_same() -> None:
    state = fed(body(transfer("NA entry", "a-1")))
    apply(state, Delivery("c-1", "st-2", line=12))

    assert places(state) == [("SG302", 1, None, 12)]


def test_only_transcription_looks_at_who_succeeds_a_controller_who_has_left() -> None:
    entry, leave = transfer("NA entry", "a-1"), transfer("COLD exit", "a-1")
    lines = (body(entry), action("start"), body(leave, transfer("COLD entry", "a-2")))
    state = fed(*lines)
    other = ControlMachine("transcription", Session)

    whom = {each.action: each.agents for each in TRANSCRIPTION_MACHINE.allowed(state)}
    assert (whom["start"], whom["end"]) == (("a-2",), "any")
    assert {each.agents for each in other.allowed(state)} == {"any"}


def test_an_agent_who_has_not_come_yet_has_had_no_stay() -> None:
    lines = (body(transfer("NA entry", "a-1")), action("start", "a-2"), action("end", "a-1"))
    session = TRANSCRIPTION_MACHINE.session(fed(*lines))

    assert new("c-1").connection_count("a-1") == 0
    assert [(action.agent, action.moment.connection) for action in session.actions] == [
        ("a-2", 0),
        ("a-1", 1),
    ]


def test_a_state_is_compact_json() -> None:
    data = dump(fed(body(transfer("NA entry", "é"))))[8:]

    assert data == json.dumps(json.loads(data), separators=(",", ":")).encode()


@pytest.mark.parametrize("partial", ["end", "both"])
def test_nothing_is_missing_where_more_is_to_come(partial: Any) -> None:
    state = fed(body(transfer("NA entry", "a-1")), partial=partial)

    assert finish(state).findings == ()
    assert state.closed


@pytest.mark.parametrize(
    ("events", "because"),
    [
        # of the agent and of the primary, the latest event of each
        (
            ("NA entry a-1", "WARM entry a-2", "WARM exit a-2", "NA exit a-2"),
            [(0, "NA entry of a-1"), (2, "WARM exit of a-2")],
        ),
        # of the agent who left last, while another is awaited
        (("NA entry a-1", "COLD exit a-1", "COLD exit a-2"), [(1, "COLD exit of a-1")]),
        # of the consultants, when it is about them
        (
            ("NA entry a-1", "WARM entry a-2", "NA exit a-1"),
            [(0, "NA entry of a-1"), (1, "WARM entry of a-2")],
        ),
        # and not of consultants it is not about
        (
            ("NA entry a-1", "WARM entry a-2", "WARM entry a-3", "WARM entry a-2"),
            [(0, "NA entry of a-1"), (1, "WARM entry of a-2")],
        ),
        # the latest event of all, where agents do not matter any more
        (
            ("NA entry a-1", "NA exit a-1", "summary", "NA entry a-1"),
            [(2, "TRIGGER_SUMMARY_EVENT")],
        ),
        # or where none of them has one
        (("WARM exit a-1", "summary"), [(0, "WARM exit of a-1")]),
        (("COLD entry a-1",), []),
    ],
)
def test_a_finding_names_what_set_it_up(
    events: tuple[str, ...], because: list[tuple[int, str]]
) -> None:
    state = new("c-1")
    for event in events:
        kind, _, agent = event.rpartition(" ")
        apply(state, read_line(body(transfer(kind, agent) if kind else summary())))

    causes = state.findings[-1].because
    assert [(cause.place.event, cause.text) for cause in causes] == because
