"""The conformance suite: well formed, not drifted, right by a second opinion, and sharp.

Sharp: it tells the table from every wrong one, all by itself.
"""

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import jsonschema
import pytest
from tests.core.lifecycle.scenes import Key, scenes
from tests.core.lifecycle.test_table_mutants import Mutant, is_killed, mutants, reasons
from tests.oracle.oracle import Ev, judge
from tests.server.adapters.transports import through_wsgi
from tests.server.http.table import E1, E21, Case
from tests.testing.make_suite import SUITE, others, vector, written
from tests.testing.selection import Told, is_noticed, retold

import segue
from segue.analysis.simulate.bodies import read_delivery
from segue.core.events import EventKind
from segue.core.findings import RULES
from segue.core.lifecycle import TABLE, Phase
from segue.errors import ConfigurationError
from segue.server.processor import Processor
from segue.testing import Backend, conformance_suite, in_process, shortest_witness
from segue.testing.backend import BackendAnswer, BackendDelivery
from segue.testing.conformance import grouped, run
from segue.testing.conformance.runner import ConformanceDifference
from segue.testing.conformance.vectors import GROUPS
from segue.testing.views import COMPARED, VIEW_KEYS, of_page

SCHEMA = json.loads(SUITE.with_name("suite.schema.json").read_text("utf-8"))
_NAMES = {"TRIGGER_SUMMARY_EVENT": "summary", "END_OF_CONVERSATION": "end"}


@cache
def suite() -> tuple[dict[str, Any], ...]:
    return tuple(conformance_suite())


def stream_of(each: dict[str, Any]) -> tuple[Ev, ...]:
    """Return a vector's deliveries as the oracle reads them; ones of a strange author stay so."""
    events = []
    for given in each["deliveries"]:
        beat = read_delivery(given["body"])
        if beat is None or beat.label == "bot message":
            events.append(Ev("message", given["body"]["agentId"]))
        else:
            label = _NAMES.get(beat.label, beat.label)
            agent = "" if label in ("summary", "end") else beat.agent
            events.append(Ev(label, agent, beat.language))
    return tuple(events)


def lifecycle() -> list[dict[str, Any]]:
    return [each for each in suite() if each["group"] == "lifecycle"]


# -- form


def test_every_vector_is_as_the_schema_says() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)

    assert [error.message for each in suite() for error in validator.iter_errors(each)] == []
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_vector_has_an_entry_for_each_delivery_and_a_name_of_its_own() -> None:
    assert all(len(each["deliveries"]) == len(each["expect"]) for each in suite())
    assert max(Counter(each["id"] for each in suite()).values()) == 1


def test_the_groups_are_those_the_schema_names() -> None:
    assert list(GROUPS) == SCHEMA["properties"]["group"]["enum"]
    assert {each["group"] for each in suite()} == set(GROUPS)
    assert {each["group"] for each in conformance_suite(groups=["refusal"])} == {"refusal"}


def test_a_group_that_is_none_is_refused() -> None:
    with pytest.raises(
        ConfigurationError, match="unknown group 'lifecycles': use any of lifecycle"
    ):
        next(conformance_suite(groups=["lifecycles"]))


# -- drift


def test_what_is_expected_is_what_the_reference_says() -> None:
    for each in suite():
        again = vector(each["id"], each["group"], each["title"], each["deliveries"])
        assert again == each


def test_what_is_enumerated_stands_in_the_suite_word_for_word() -> None:
    text = SUITE.read_text("utf-8")

    assert text.endswith(written(others()))


@pytest.mark.slow
def test_what_is_selected_stands_in_the_suite_word_for_word() -> None:
    from tests.testing.make_suite import lifecycle as selected  # noqa: PLC0415 - takes minutes

    assert SUITE.read_text("utf-8").startswith(written(selected()))


# -- content


def test_every_rule_a_delivery_can_offend_is_offended() -> None:
    found = {
        code
        for each in suite()
        for expected in each["expect"]
        for code in expected.get("findings", ())
    } | {code for each in suite() for code in each["close"]["findings"]}
    said = {expected["status"] for each in suite() for expected in each["expect"]}
    # told by a status or a state: unreadable, unfiled, reused, actions
    by_status = {"SG401", "SG408", "SG501", "SG508", "SG603"}
    # the suite gives every conversation an id of its own
    of_the_envelope = {"SG302", "SG506", "SG509", "SG512", "SG602", "SG709", "SG710", "SG711"}

    assert {rule.code for rule in RULES} - found == by_status | of_the_envelope
    assert said == {200, 400, 409, 422}
    assert [read_delivery(given) for given in shortest_witness("SG103")] == [
        read_delivery(given["body"])
        for each in suite()
        if each["id"] == "offence-sg103"
        for given in each["deliveries"]
    ]


def test_every_phase_is_reached_and_every_transcription_state() -> None:
    expected = [entry for each in suite() for entry in each["expect"]]

    assert {entry["phase"] for entry in expected if "phase" in entry} == set(map(str, Phase))
    states = {entry["state"] for entry in expected if "state" in entry}
    assert states == {"idle", "active", "hold", "handover", "ended"}


def test_the_oracle_says_what_the_suite_says() -> None:
    """A second opinion, written in another form, on every delivery of the lifecycle."""
    compared = 0
    for each in lifecycle():
        stream = stream_of(each)
        if any(event.kind == "message" for event in stream):
            continue
        for length, entry in enumerate(each["expect"], start=1):
            verdict = judge(stream[:length], "end")
            codes = [code for position, code in verdict.findings if position == length - 1]
            assert (entry["findings"], entry["phase"]) == (codes, verdict.phase), each["id"]
            compared += 1
        end = judge(stream)
        closed = [code for position, code in end.findings if position is None]
        assert each["close"] == {"phase": end.phase, "findings": closed}, each["id"]
    assert compared > 5_000


# -- sharpness


@cache
def asking() -> dict[Key, list[Told]]:
    """The conversations of the lifecycle by the cells they ask."""
    found: dict[Key, list[Told]] = {}
    for each in lifecycle():
        told = retold(stream_of(each))
        for key in told.asked:
            found.setdefault(key, []).append(told)
    return found


def shows_nowhere(mutant: Mutant) -> bool:
    """Whether a mutant is one of the close that leaves alone what is shown: code and phase.

    `tests.core.lifecycle` kills some of these by looking at the roster itself; no backend shows
    who is present when the log is closed, and nothing comes after.  It looks at the candidates for
    the primary, too, which no backend shows before an exit tells: there, the later events count.
    """
    was, now = mutant.original, mutant.cell
    return mutant.key[1] is EventKind.CLOSE and (was.to, was.code) == (now.to, now.code)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [kind for kind in EventKind if kind in TABLE[Phase.WAITING]])
@pytest.mark.parametrize("phase", Phase)
def test_the_suite_alone_notices_every_wrong_cell_that_can_be_noticed(
    phase: Phase, kind: EventKind
) -> None:
    survivors = []
    for key, leading in scenes().items():
        if key[:2] != (phase, kind):
            continue
        known = asking().get(key, [])
        for mutant in mutants(key):
            if shows_nowhere(mutant) or not is_killed(mutant, leading, shown_only=True):
                continue
            with mutant.in_place():
                if not any(is_noticed(told, key) for told in known):
                    survivors.append(str(mutant))

    assert survivors == []


def test_the_suite_alone_notices_wrong_cells_here_and_there() -> None:
    """Every hundredth cell; the thorough tests take all of them."""
    wrong = [
        (mutant, known)
        for key, known in sorted(asking().items())[::100]
        for mutant in mutants(key)
        if not (shows_nowhere(mutant) or reasons(mutant))
    ]
    survivors = []
    for mutant, known in wrong:
        with mutant.in_place():
            if not any(is_noticed(told, mutant.key) for told in known):
                survivors.append(str(mutant))

    assert len(wrong) > 200
    assert survivors == []


def test_the_table_as_it_is_is_not_noticed() -> None:
    assert not any(is_noticed(told, key) for key, each in asking().items() for told in each)


# -- running it


@pytest.mark.thorough
def test_a_backend_that_answers_as_the_suite_expects_passes() -> None:
    outcome = run(parrot(), conformance_suite(), run_id="r-1")

    assert outcome.differences == []
    assert outcome.vectors == len(suite())
    assert outcome.deliveries == sum(len(each["deliveries"]) for each in suite())
    assert {"status", "phase", "findings", "state", "changed"} <= set(outcome.compared)


def parrot(**wrong: object) -> Backend:
    """A backend that knows the suite by heart, but for what is `wrong`."""
    by_id = {each["id"]: each for each in suite()}
    heard: Counter[str] = Counter()

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        assert delivered.conversation_id.startswith("r-1-")
        identity = delivered.conversation_id.removeprefix("r-1-")
        expected = by_id[identity]["expect"][heard[identity]]
        heard[identity] += 1
        return BackendAnswer(expected["status"], expected | wrong)

    return Backend(deliver)


def test_a_difference_says_where_it_showed() -> None:
    vectors = [each for each in suite() if each["id"] == "offence-sg103"]
    outcome = run(parrot(phase="active"), vectors, run_id="r-1")

    assert [each.to_dict() for each in outcome.differences] == [
        {
            "id": "offence-sg103",
            "title": "cold-entry-before-exit, in the shortest conversation",
            "deliveries": vectors[0]["deliveries"][:3],
            "delivery": 2,
            "key": "phase",
            "expected": "released",
            "found": "active",
        }
    ]


def test_differences_are_grouped_by_rule_and_cell_the_largest_group_first() -> None:
    """One wrong cell is one group, however many conversations go through it."""
    wrong = [each for each in suite() if each["group"] == "lifecycle"][:400]
    outcome = run(parrot(phase="waiting"), wrong, run_id="r-1")
    first, *others = grouped(outcome.differences)

    assert (first.rules, first.key) == ((), "phase")
    assert first.cell == "waiting, NA entry by an agent who is not present"
    assert len(first.differences) > max(len(each.differences) for each in others)
    assert first.differences[0].delivery == 0
    cells = {(each.rules, each.cell) for each in others}
    assert (("SG101",), "waiting, COLD entry by an agent who is not present") in cells
    assert sum(len(each.differences) for each in (first, *others)) == len(outcome.differences)


@pytest.mark.parametrize(
    ("vector", "rules", "cell"),
    [
        ("refusal-cut-off", (), "the group refusal"),
        ("transcription-idle-pause-hold-a-1", (), "pause handover=false"),
        ("notification-sg701", ("SG701",), "the group notification"),
    ],
)
def test_a_delivery_without_an_event_is_grouped_by_what_it_is_about(
    vector: str, rules: tuple[str, ...], cell: str
) -> None:
    (each,) = (each for each in suite() if each["id"] == vector)
    at = next(n for n, said in enumerate(each["expect"]) if said["status"] != 200 or rules)
    (group,) = grouped([ConformanceDifference(each, at, "status", 400, 200)])

    assert (group.rules, group.cell) == (rules, cell)
    assert group.to_dict() == {
        "rules": list(rules), "cell": cell, "key": "status", "vectors": [vector],
    }  # fmt: skip


def test_the_keys_that_may_be_tolerated_are_those_that_vectors_expect_or_views_have() -> None:
    keys = {key for each in suite() for expected in each["expect"] for key in expected}

    assert {*COMPARED} == keys | {*VIEW_KEYS}


def test_keys_and_codes_may_be_tolerated() -> None:
    vectors = [each for each in suite() if each["id"] == "offence-sg103"]

    assert run(parrot(phase="active"), vectors, run_id="r-1", tolerate=["phase"]).differences == []
    assert run(parrot(findings=[]), vectors, run_id="r-1", tolerate=["SG103"]).differences == []
    assert run(parrot(findings=[]), vectors, run_id="r-1", tolerate=["SG102"]).differences


def test_a_view_is_compared_after_every_delivery_and_segments_at_the_end() -> None:
    (each,) = (each for each in suite() if each["id"] == "offence-sg103")
    seen = {"findings": ["SG103"], "primary": "a-2", "segments": [{"agent": "a-1"}]}
    backend = in_process(lambda _: None, view=lambda _: seen)
    outcome = run(backend, [each], run_id="r-1")
    (difference,) = outcome.differences

    assert (difference.delivery, difference.key) == (0, "findings")
    assert outcome.compared["findings"] == 1


def test_a_backend_that_shows_nothing_has_not_passed() -> None:
    with pytest.raises(ConfigurationError, match="give a view"):
        run(in_process(lambda _: None), conformance_suite(groups=["offence"]), run_id="r-1")


@pytest.mark.parametrize(("status", "has_view"), [(401, False), (401, True), (403, True)])
def test_a_backend_that_lets_nobody_in_refuses_the_token(
    status: int,
    has_view: bool,  # noqa: FBT001
) -> None:
    backend = Backend(
        lambda _: BackendAnswer(status, {}), (lambda _: {"phase": "unknown"}) if has_view else None
    )

    with pytest.raises(
        ConfigurationError, match=f"answers {status} to every delivery: give a token"
    ):
        run(backend, conformance_suite(groups=["offence"]), run_id="r-1")


def test_a_run_without_a_vector_has_not_passed() -> None:
    """Call notifications go to an intake of their own."""
    vectors = conformance_suite(groups=["notification"], intakes=["hooks"])

    with pytest.raises(ConfigurationError, match="there are no vectors to send"):
        run(parrot(), vectors, run_id="r-1")


def test_the_status_is_that_of_http_whatever_a_body_calls_so() -> None:
    (each,) = (each for each in suite() if each["id"] == "offence-sg103")
    outcome = run(parrot_with_words(), [each], run_id="r-1")

    assert outcome.differences == []
    assert outcome.compared["status"] == len(each["deliveries"])


def parrot_with_words() -> Backend:
    inner = parrot()
    return Backend(
        lambda delivered: BackendAnswer(200, {**inner.deliver(delivered).fields, "status": "ok"})
    )


def test_an_error_of_the_backend_is_a_difference_and_the_run_goes_on() -> None:
    vectors = [each for each in suite() if each["id"] in ("offence-sg101", "offence-sg103")]
    inner = parrot()

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        if "COLD" in json.dumps(delivered.body):
            raise ConnectionError("no answer (timed out)")
        return inner.deliver(delivered)

    outcome = run(Backend(deliver), vectors, run_id="r-1", tolerate=["status", "phase"])
    (difference,) = outcome.differences

    assert (outcome.vectors, outcome.statuses) == (2, {200})
    assert difference.to_dict() == {
        "id": "offence-sg103",
        "title": "cold-entry-before-exit, in the shortest conversation",
        "deliveries": vectors[1]["deliveries"][:2],
        "delivery": 1,
        "key": "error",
        "expected": None,
        "found": "the backend raised ConnectionError: no answer (timed out)",
    }


def test_an_error_of_the_view_is_a_difference() -> None:
    vectors = [each for each in suite() if each["id"] == "offence-sg103"]

    def look(_: str) -> dict[str, Any]:
        raise KeyError("c-1")

    outcome = run(Backend(parrot().deliver, look), vectors, run_id="r-1")
    assert [(each.delivery, each.found) for each in outcome.differences] == [
        (0, "the backend raised KeyError: 'c-1'")
    ]


def test_delivery_ids_of_one_run_are_not_those_of_another() -> None:
    (each,) = (each for each in suite() if each["id"] == "refusal-again")
    seen: list[str | None] = []

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        seen.append(delivered.delivery_id)
        return BackendAnswer(200, {"phase": "active"})

    for run_id in ("r-1", "r-2"):
        run(Backend(deliver), [each], run_id=run_id)

    once, again, none, *others = seen
    assert once == again
    assert none is None
    assert others[0] == others[1] != once


@pytest.mark.thorough
def test_the_hook_of_segue_passes_where_statuses_and_states_are_answered() -> None:
    """The command is held against a server of its own in `tests.cli`, with the whole suite."""
    app = segue.wsgi(Processor(store=segue.MemoryStore()), auth=segue.NoAuth(), read=True)

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        target = E21
        if delivered.endpoint == "transcription":
            target = f"{E1}?conversationId={delivered.conversation_id}"
        body = delivered.body if isinstance(delivered.body, str) else json.dumps(delivered.body)
        headers = (("idempotency-key", delivered.delivery_id or ""),)
        found = through_wsgi(app, Case("", 0, None, "POST", target, headers, body.encode()))
        return BackendAnswer(found.status, json.loads(found.body))

    def view(conversation_id: str) -> dict[str, Any]:
        case = Case("", 0, None, "GET", f"/conversations/{conversation_id}", (), b"")
        found = through_wsgi(app, case)
        return of_page(found.status, json.loads(found.body))

    groups = ("offence", "spelling", "transcription", "refusal")
    outcome = run(Backend(deliver, view), conformance_suite(groups=groups), run_id="r-1")

    assert [each.to_dict() for each in outcome.differences] == []
    assert outcome.compared.keys() >= {"changed", "duplicate", "findings", "segments", "state"}


def test_a_delivery_in_another_spelling_is_grouped_by_its_cell() -> None:
    (each,) = (each for each in suite() if each["id"] == "spelling-transfertype-lower")
    cells = [
        grouped([ConformanceDifference(each, at, "phase", "active", "waiting")])[0].cell
        for at, _ in enumerate(each["deliveries"])
    ]
    assert cells[:2] == [
        "waiting, user message by an agent who is not present",
        "waiting, NA entry by an agent who is not present",
    ]
    assert cells[2].startswith("active, ")


def test_the_cell_of_a_batch_is_that_of_its_last_event() -> None:
    (each,) = (each for each in suite() if each["id"] == "spelling-batched")
    (group,) = grouped([ConformanceDifference(each, 0, "phase", "active", "waiting")])

    assert not group.cell.startswith("the group")


def test_what_is_legal_and_worth_a_note_is_legal() -> None:
    """A callback (SG118) is; a COLD entry before the exit (SG103) is not."""
    taken = {each["id"] for each in conformance_suite(groups=["legal"])}

    assert {"offence-sg118", "spelling-batched"} <= taken
    assert taken.isdisjoint({"offence-sg103", "offence-sg203", "refusal-cut-off"})


def test_what_senders_say_less_often_is_in_legal_vectors() -> None:
    text = json.dumps([each["deliveries"] for each in conformance_suite(groups=["legal"])])

    for said in ('"experience": "voice"', '"isExtAD": true', '"customFields"', '"reason": "agent_'):
        assert said in text
    assert re.search(r'"transfertype": "redial"[^{}]*\{[^{}]*\}, "reason": ', text)


def test_a_backend_without_transcription_leaves_out_what_goes_there() -> None:
    taken = list(conformance_suite(groups=["legal"], intakes=["hooks"]))
    whole = list(conformance_suite(groups=["legal"]))

    endpoints = {given.get("endpoint") for each in taken for given in each["deliveries"]}
    assert endpoints == {None}
    assert 0 < len(taken) < len(whole)


@pytest.mark.parametrize(
    ("how", "hint"),
    [
        ({"groups": "legal"}, r"`groups` must be a list, for example \['legal'\]"),
        ({"intakes": ["e21"]}, "unknown intake 'e21': use any of hooks, "),
    ],
)
def test_what_is_chosen_is_a_list_of_what_there_is(how: Any, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        next(conformance_suite(**how))
