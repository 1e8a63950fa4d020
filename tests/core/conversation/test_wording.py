"""What findings of order say: the message with its facts, and the earlier events it rests on.

Every expectation is typed from the words of the catalogue and the story it is told of.
"""

import pytest
from tests.oracle.by_hand import log
from tests.streams import body

import segue
from segue.core.findings import RULES

SAID: dict[tuple[str, str], tuple[str, list[int]]] = {
    # (story, rule): (message, positions of the evidence)
    ("C+a", "SG101"): ("the conversation had no NA entry before COLD entry", []),
    ("W-a", "SG101"): ("the conversation had no NA entry before WARM exit", []),
    ("N+a u:a N+b", "SG102"): (
        (
            "agent b joined by NA entry, as a first agent does, when the conversation was already "
            "active (primary: a; last to leave: nobody)"
        ),
        [0],
    ),
    ("N+a N-a N+b", "SG102"): (
        (
            "agent b joined by NA entry, as a first agent does, when the conversation was already "
            "released (primary: nobody; last to leave: a)"
        ),
        [1],
    ),
    ("N+a W+b W-b C+b", "SG103"): (
        "agent b took over by COLD entry while a was still primary",
        [0, 2],
    ),
    ("N+a C-a N-a", "SG105"): (
        "agent a began a transfer by COLD exit, no agent took it, and a then left by NA exit",
        [1],
    ),
    ("N+a W+b S", "SG106"): (
        (
            "the summary was triggered while the conversation was consulting, before its last "
            "agent had left (present: a, b)"
        ),
        [0],
    ),
    ("N+a W+b E", "SG107"): (
        (
            "the last agent had sent no NA exit before END_OF_CONVERSATION "
            "(present: a, b; last to leave: nobody)"
        ),
        [0, 1],
    ),
    ("N+a C-a E", "SG107"): (
        (
            "the last agent had sent no NA exit before END_OF_CONVERSATION "
            "(present: nobody; last to leave: a)"
        ),
        [1],
    ),
    ("N+a N-a", "SG108"): (
        "the log closed on a conversation still released, without END_OF_CONVERSATION",
        [1],
    ),
    ("N+a N-a E E", "SG109"): (
        "END_OF_CONVERSATION came again for a conversation that had already ended",
        [2],
    ),
    ("N+a N-a E u:a", "SG110"): ("message came after END_OF_CONVERSATION", [2]),
    ("N+a N-a E g:a", "SG110"): ("message came after END_OF_CONVERSATION", [2]),
    ("N+a N-a E S", "SG110"): ("summary came after END_OF_CONVERSATION", [2]),
    ("N+a N-a E W-a", "SG110"): ("WARM exit came after END_OF_CONVERSATION", [2]),
    ("N+a N-a S S/x", "SG111"): (
        "the summary was triggered again with no agent present since the one before",
        [2],
    ),
    ("N+a R+a", "SG112"): ("agent a reconnected by redial entry while still present", [0]),
    ("N+a R-a", "SG113"): ("agent a left by redial exit, and redial has only an entry", [0]),
    ("N+a N-a S R+a", "SG114"): (
        "agent a reconnected by redial entry after the summary had been triggered",
        [2],
    ),
    ("N+a N-a W+b", "SG115"): (
        (
            "agent b joined by WARM entry when the conversation was already released "
            "(last to leave: a)"
        ),
        [1],
    ),
    ("N+a W+b W+c C-a", "SG116"): (
        "agent a left by COLD exit with consultants still present (b, c)",
        [0, 1, 2],
    ),
    ("N+a C-a W+b", "SG117"): (
        (
            "agent b joined by WARM entry while the transfer begun by a was open and no agent was "
            "primary"
        ),
        [1],
    ),
    ("R+a", "SG118"): ("agent a opened the conversation by redial entry, as a callback", []),
    ("N+a W+b W-a", "SG119"): (
        (
            "agent a left by WARM exit as primary and handed the conversation to a consultant "
            "(consultants: b)"
        ),
        [0],
    ),
    ("N+a C-a C+a", "SG120"): (
        "agent a came back by COLD entry to the transfer a had begun",
        [1],
    ),
    ("N+a C-a R+b", "SG121"): (
        "agent b joined by redial entry while the transfer begun by a was open",
        [1],
    ),
    ("u:a E", "SG122"): ("the conversation ended and no agent had entered it", []),
    ("S E", "SG122"): ("the conversation ended and no agent had entered it", [0]),
    ("N+a W+b W-b R+b", "SG123"): (
        "agent b reconnected by redial entry as a consultant while a was primary",
        [0, 2],
    ),
    ("N+a W+b N-c", "SG201"): (
        "agent c sent an NA exit but was not in the conversation (present: a, b)",
        [0],
    ),
    ("W+b N-b/x W-c", "SG201"): (
        "agent c sent a WARM exit but was not in the conversation (present: nobody)",
        [1],
    ),
    ("N+a W+b N-b", "SG202"): (
        ("agent b left by NA exit, which does not fit the role b had (primary: a; consultants: b)"),
        [0, 1],
    ),
    ("N+a W-a S/x N+b W-b", "SG202"): (
        (
            "agent a left by WARM exit, which does not fit the role a had "
            "(primary: a; consultants: nobody)"
        ),
        [0],
    ),
    ("W+b W+c C-b", "SG101"): ("the conversation had no NA entry before WARM entry", []),
    ("W+b W+c W+d N-b", "SG202"): (
        (
            "agent b left by NA exit, which does not fit the role b had "
            "(primary: an agent no event named; consultants: b, c, d)"
        ),
        [0],
    ),
    ("N+a W+b W+b/x", "SG203"): (
        "agent b joined by WARM entry while already present (present: a, b)",
        [0, 1],
    ),
    ("N+a W+b W+c N-a", "SG204"): (
        "agent a left by NA exit with consultants still present (b, c)",
        [0, 1, 2],
    ),
    ("N+a N-a g:a", "SG205"): (
        "agent a sent a message but was not in the conversation (present: nobody)",
        [1],
    ),
    ("N+a N-a R+b", "SG207"): (
        "agent b reconnected by redial entry, but the last to leave was a",
        [1],
    ),
    ("N+a C-a C+b R+a", "SG208"): (
        "agent a reconnected by redial entry while b was primary",
        [1, 2],
    ),
}


@pytest.mark.parametrize(("story", "code"), SAID)
def test_a_finding_of_order_says_what_happened_and_what_led_there(story: str, code: str) -> None:
    message, evidence = SAID[story, code]
    report = segue.check([body(event) for event in log(story)])

    finding = next(each for each in report.findings if each.code == code)

    assert finding.message == message
    assert [cause.place.event for cause in finding.because] == evidence


HELP: dict[tuple[str, str], str] = {
    ("N+a N+b", "SG102"): (
        "send COLD exit of a and COLD entry of b when b replaces a, WARM entry and WARM exit when "
        "b only joins, NA exit of the dropped session and redial entry when b reconnects"
    ),
    ("N+a C-a N+b", "SG102"): "send COLD entry for the agent who takes over from a",
    ("N+a N-a N+b", "SG102"): (
        "send redial entry when b reconnects; an NA entry is for the first agent only, and an "
        "agent who is replaced leaves by COLD, not by NA"
    ),
    ("S", "SG106"): (
        "send TRIGGER_SUMMARY_EVENT after the NA exit of the last agent, and none when no agent "
        "enters"
    ),
    ("N+a S", "SG106"): "send TRIGGER_SUMMARY_EVENT after the NA exit of the last agent",
    ("N+a E", "SG107"): "send NA exit for the last agent before the conversation is closed",
    ("N+a W+b W+c E", "SG107"): (
        "send WARM exit for each consultant (b, c), and then NA exit for the last agent, before "
        "the conversation is closed"
    ),
    ("N+a C-a E", "SG107"): (
        "send COLD entry and NA exit of the agent who took over, or NA exit of a, who left, when "
        "nobody took over"
    ),
    ("N+a W+b C-a E", "SG107"): (
        "send NA exit of the consultant who took over, when the others have left by WARM exit; "
        "when nobody took over, WARM exit for each consultant and then NA exit of a"
    ),
    ("N+a R+a", "SG112"): "send NA exit for the dropped session of a before the redial entry",
    ("N+a W+b R+a", "SG112"): (
        "send WARM exit for each consultant, and then NA exit for the dropped session of a, before "
        "the redial entry"
    ),
    ("N+a W+b R+b", "SG112"): "send WARM exit for the dropped session of b before the redial entry",
    ("R-a", "SG113"): "send NA entry when a accepts and NA exit when a leaves",
    ("N+a R-a", "SG113"): (
        "send NA exit when a is the last agent, COLD exit when another agent replaces a"
    ),
    ("N+a W+b R-a", "SG113"): (
        "send COLD exit when another agent replaces a, or NA exit when a is the last agent and "
        "each consultant has left by WARM exit"
    ),
    ("N+a W+b R-b", "SG113"): "send WARM exit for a consultant",
    (
        "N+a C-a R-a",
        "SG113",
    ): "send NA exit when nobody took over, and nothing when another agent does",
    ("N+a C+b R-a", "SG113"): "send COLD exit, since a was replaced",
    ("N+a R-x", "SG113"): (
        "name the agent who left, and send NA exit, COLD exit or WARM exit as that agent leaves"
    ),
    ("N+a N-a R-a", "SG113"): (
        "send nothing more of an agent who left; a reconnection is a redial entry"
    ),
    ("N+a N-a S R-a", "SG113"): (
        "send nothing more of an agent who left; a reconnection is a redial entry"
    ),
    ("N+a N-a C+b", "SG115"): (
        "send redial entry when an agent reconnects; an agent who is replaced leaves by COLD, not "
        "by NA, before the COLD entry of the next"
    ),
    ("N+a N-b", "SG201"): (
        "name the agent who left, or send what is lost before: COLD exit of a and COLD entry of b "
        "when b took over"
    ),
    ("N+a W-b", "SG201"): (
        "name the agent who left, or send the WARM entry of b before when b joined a"
    ),
    ("N+a C-a W-b", "SG201"): (
        "name the agent who left; send the COLD entry of b before when b took over, and NA exit or "
        "COLD exit in place of the WARM exit"
    ),
    ("N+a N-a W-a", "SG201"): "send nothing: the last agent has left",
    ("N+a C-a N-b", "SG201"): (
        "send the COLD entry of b before the exit when b took over, or name the agent who left"
    ),
    ("N+a N-a C-a", "SG201"): (
        "send redial entry of a before the exit when a reconnected; otherwise nothing, for the "
        "last agent has left"
    ),
    ("N+a W-a", "SG202"): (
        "send NA exit when a is the last agent, COLD exit when another agent replaces a"
    ),
    ("N+a W+b N-b", "SG202"): (
        "send WARM exit for a consultant; NA exit is for the last agent, COLD exit for one who is "
        "replaced"
    ),
    ("N+a C+b N-a", "SG202"): (
        "send COLD exit for a, who was replaced, and before the COLD entry of the next agent"
    ),
    ("N+a C+b N-b N-a", "SG202"): (
        "send the exit of an agent who is replaced as COLD, and before the COLD entry of the next"
    ),
    ("N+a W+b W+b/x", "SG203"): (
        "send an entry only when an agent joins, WARM exit and redial entry when b reconnects, or "
        "name the agent who joined"
    ),
    ("N+a W+b C-a W+b", "SG203"): "send COLD entry when b takes over, or name the agent who joined",
    ("N+a R+b", "SG208"): (
        "send the NA exit of the dropped session first, a cold transfer to b, or WARM entry and "
        "WARM exit when b only joined"
    ),
    ("N+a W+b R+c", "SG208"): (
        "send WARM exit for each consultant and the NA exit of the dropped session first, a cold "
        "transfer to c, or WARM entry and WARM exit when c only joined"
    ),
}
"""What helps where the conversation stands, typed by hand: nothing that would be the next error."""


@pytest.mark.parametrize(("story", "code"), HELP)
def test_what_helps_can_be_followed_here(story: str, code: str) -> None:
    report = segue.check([body(event) for event in log(story)], partial="end")

    assert [each.help for each in report.findings if each.code == code] == [HELP[story, code]]


def test_every_situation_in_which_something_else_helps_is_met() -> None:
    """The advice of SG602 depends on times, see `tests/core/segments/test_times.py`."""
    special = {r.code: {*r.helps.values()} for r in RULES if r.helps and r.code != "SG602"}
    told = {code: {text for (_, each), text in HELP.items() if each == code} for code in special}

    assert {code: len(texts) for code, texts in special.items()} == {
        code: len(texts) - (code != "SG203") for code, texts in told.items()
    }


def test_after_a_release_neither_cold_nor_warm_exits_are_offered() -> None:
    for before in ("N+a N-a", "N+a N-a S", "N+a C+b N-b", "N+a W+b N-a"):
        for event in ("N+b", "C+b", "W+b", "R+b", "N-a", "C-a", "W-a", "R-a", "N-b", "S/x", "g:c"):
            stream = [body(each) for each in log(f"{before} {event}")]
            for finding in segue.check(stream, partial="end").findings:
                if finding.place.event == len(stream) - 1:
                    assert "COLD exit" not in finding.help
                    assert "WARM exit" not in finding.help


def test_every_rule_of_order_and_agents_is_put_into_words() -> None:
    families = {rule.code for rule in RULES if rule.family in (1, 2)}

    assert {code for _, code in SAID} == families - {"SG206", "SG209"}


def test_ids_are_repeated_up_to_a_length_a_line_can_bear() -> None:
    for size, shown in ((120, "x" * 120), (121, "x" * 120 + "…")):
        report = segue.check([body(event) for event in log(f"N+a W-{'x' * size}")])
        finding = report.findings[0]

        assert (
            finding.message
            == f"agent {shown} sent a WARM exit but was not in the conversation (present: a)"
        )


@pytest.mark.parametrize(
    ("story", "evidence"),
    [
        ("N+a N+b", ["NA entry of a"]),
        ("N+a N-a S E E", ["END_OF_CONVERSATION"]),
        ("N+a N-a S R+b", ["TRIGGER_SUMMARY_EVENT"]),
    ],
)
def test_evidence_names_the_event_and_the_agent_it_has(story: str, evidence: list[str]) -> None:
    report = segue.check([body(event) for event in log(story)], partial="end")

    assert [cause.text for cause in report.findings[0].because] == evidence
