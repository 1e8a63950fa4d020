"""Faults: what is really sent or answered, and how a program is judged by it."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from tests.platform.sandbox.test_endpoints import BOT, connect, one
from tests.platform.sandbox.test_requests import DIALOUT

import segue
from segue.errors import ConfigurationError
from segue.platform.client import CannotPage, PlatformUnreachable, RequestRefused, SentRequest
from segue.platform.sandbox import (
    FAULTS,
    START,
    FaultPlace,
    FaultPlan,
    PostSender,
    Sandbox,
    SandboxClock,
    TruthLine,
)
from segue.platform.sandbox.faults import read_shares
from segue.platform.sandbox.post_edits import PlannedPost
from segue.testing import Backend, in_process, story
from segue.testing.backend import BackendAnswer, BackendDelivery
from segue.testing.conversation_run import ConversationOptions, ConversationRun
from segue.testing.views import of_page

ROOT = Path(__file__).parents[3]

IN_CONVERSATIONS = [name for name, row in FAULTS.items() if row.place is FaultPlace.CONVERSATION]
NOTIFY = "http://127.0.0.1:9/calls"


class Receiver:
    """Segue itself as a backend in this process, which a test may make worse."""

    def __init__(self, **options: Any) -> None:
        self.processor = segue.Processor(store=segue.MemoryStore(), **options)

    def deliver(self, sent: BackendDelivery) -> BackendAnswer:
        receipt = self.processor.receive(sent.bot_id, sent.body, delivery_id=sent.delivery_id)
        refused = {"unreadable": 400, "unfiled": 422, "reused": 422}.get(receipt.outcome)
        if refused is not None:
            return BackendAnswer(refused, {})
        codes = [finding.code for finding in receipt.findings]
        fields = {"phase": receipt.phase, "findings": codes, "duplicate": receipt.duplicate,
                  "held": receipt.held}  # fmt: skip
        return BackendAnswer(200, fields)

    def view(self, conversation_id: str) -> Mapping[str, Any]:
        found = self.processor.conversation(conversation_id)
        assert found is not None
        return of_page(200, found.report.to_dict())

    def backend(self) -> Backend:
        return Backend(self.deliver, self.view)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    with found.processor:
        yield found


def only(name: str, share: float = 1) -> FaultPlan:
    return FaultPlan({name: share})


@pytest.mark.parametrize("name", IN_CONVERSATIONS)
def test_segue_survives_each_fault_of_a_conversation(name: str, receiver: Receiver) -> None:
    verdict = ConversationRun(receiver.backend(), faults=only(name)).run(12)

    assert verdict.survived, verdict
    assert verdict.faults.counts[name] > 2
    assert verdict.conversations == 12


def loses_repeats(receiver: Receiver) -> Callable[[BackendDelivery], BackendAnswer]:
    return lambda sent: receiver.deliver(sent._replace(delivery_id=None))


def fails_at_unknown_values(receiver: Receiver) -> Callable[[BackendDelivery], BackendAnswer]:
    def deliver(sent: BackendDelivery) -> BackendAnswer:
        is_unknown = "hologram" in json.dumps(sent.body)
        return BackendAnswer(500, {}) if is_unknown else receiver.deliver(sent)

    return deliver


def refuses_what_is_new(receiver: Receiver) -> Callable[[BackendDelivery], BackendAnswer]:
    def deliver(sent: BackendDelivery) -> BackendAnswer:
        is_new = "xPlatform" in sent.body
        return BackendAnswer(400, {}) if is_new else receiver.deliver(sent)

    return deliver


def takes_everything(receiver: Receiver) -> Callable[[BackendDelivery], BackendAnswer]:
    def deliver(sent: BackendDelivery) -> BackendAnswer:
        return BackendAnswer(200, receiver.deliver(sent).fields)

    return deliver


@pytest.mark.parametrize(
    ("name", "worse"),
    [
        ("delivery-repeated", loses_repeats),
        ("delivery-unknown-value", fails_at_unknown_values),
        ("delivery-added-member", refuses_what_is_new),
        ("delivery-cut-off", takes_everything),
        ("delivery-id-reused", takes_everything),
    ],
)
def test_a_backend_that_does_not_survive_is_found_out(
    name: str, worse: Callable[[Receiver], Any], receiver: Receiver
) -> None:
    backend = Backend(worse(receiver), receiver.view)
    verdict = ConversationRun(backend, faults=only(name)).run(8)

    assert not verdict.survived
    assert verdict.faults.failed[name] > 0
    assert "expected" in str(verdict)
    assert name in str(verdict)


def test_a_backend_that_forgets_is_found_out_by_what_it_knows() -> None:
    backend = Backend(lambda _: BackendAnswer(200, {}), lambda _: {"phase": "waiting"})
    verdict = ConversationRun(backend).run(3)

    assert not verdict.survived
    assert verdict.to_dict()["failures"][0]["fault"] == ""
    assert "nothing went wrong" not in str(verdict)
    assert "3 failed without a fault" in str(verdict)


@pytest.mark.parametrize("where", ["delivery", "view"])
def test_a_backend_that_is_silent_once_it_has_answered_fails_that_conversation(where: str) -> None:
    sent: list[str] = []

    def silent() -> NoReturn:
        raise ConnectionError("no answer (timed out)")

    def deliver(delivered: BackendDelivery) -> BackendAnswer:
        sent.append(delivered.conversation_id)
        if where == "delivery" and sent.count(sent[0]) == len(sent) == 2:
            silent()
        return BackendAnswer(200, {})

    def view(conversation_id: str) -> Mapping[str, Any]:
        return silent() if where == "view" and conversation_id == sent[0] else {"consultants": []}

    verdict = ConversationRun(Backend(deliver, view)).run(3)
    when = "after delivery 1" if where == "delivery" else "after the conversation"

    assert verdict.conversations == len(set(sent)) == 3
    assert [each["failure"] for each in verdict.to_dict()["failures"]] == [
        f"{when}: the backend raised ConnectionError: no answer (timed out)"
    ]


def test_a_backend_that_puts_deliveries_in_order_survives() -> None:
    """It knows what was meant, not what was sent."""
    meant: dict[str, list[BackendDelivery]] = {}
    receiver = Receiver()

    def deliver(sent: BackendDelivery) -> BackendAnswer:
        meant.setdefault(sent.conversation_id, []).append(sent)
        return BackendAnswer(200, {"held": True})

    def view(conversation_id: str) -> Mapping[str, Any]:
        for sent in sorted(meant[conversation_id], key=lambda each: each.delivery_id or ""):
            receiver.deliver(sent)
        return receiver.view(conversation_id)

    with receiver.processor:
        verdict = ConversationRun(Backend(deliver, view), faults=only("delivery-swapped")).run(5)

    assert verdict.survived, verdict


def test_each_conversation_with_a_dropped_delivery_is_sent_and_compared(
    receiver: Receiver,
) -> None:
    """Of one that no agent enters END is the only delivery: it is not dropped."""
    plan, options = only("delivery-dropped"), ConversationOptions(messages=0)
    verdict = ConversationRun(receiver.backend(), options=options, faults=plan).run(100)

    assert verdict.survived, verdict
    assert verdict.compared["phase"] == 100
    assert 90 < plan.counts["delivery-dropped"] < 100


@pytest.mark.parametrize(
    "intakes", [(), ("transcription",), ("hooks", "transfers"), ("hooks", "call")]
)
def test_conversations_go_to_the_intakes_that_they_have_deliveries_for(
    intakes: tuple[str, ...],
) -> None:
    hint = "must contain 'hooks', and otherwise any of transcription, notifications, got "
    with pytest.raises(ConfigurationError, match=hint):
        ConversationOptions(intakes=intakes)


@pytest.mark.parametrize("faults", [FaultPlan(), only("delivery-swapped")])
def test_a_run_waits_for_what_a_backend_with_patience_holds(faults: FaultPlan) -> None:
    """It holds END for its patience, which is not over when the last delivery is answered."""
    receiver = Receiver(patience=timedelta(seconds=0.5))
    with receiver.processor:
        verdict = ConversationRun(receiver.backend(), faults=faults).run(5)

    assert verdict.survived, verdict
    assert verdict.compared["phase"] == 5


def holding(shown: Callable[[], str]) -> Backend:
    return Backend(lambda _: BackendAnswer(200, {"held": True}), lambda _: {"phase": shown()})


def test_a_conversation_that_never_becomes_what_is_expected_is_waited_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("segue.testing.conversation_run._PATIENCE", 0.3)
    begin = time.monotonic()
    verdict = ConversationRun(holding(lambda: "waiting")).run(3)

    assert verdict.faults.failed[""] == 3
    assert time.monotonic() - begin > 0.2


def test_a_run_that_is_stopped_does_not_judge_what_the_backend_still_holds() -> None:
    slept: list[float] = []
    phases = iter(["ended", "active"])
    run = ConversationRun(holding(lambda: next(phases, "active")))
    verdict = run.run(3, sleep=slept.append, is_stopped=lambda: bool(slept))

    assert verdict.survived, verdict
    assert len(slept) == 1


@pytest.mark.parametrize("is_duplicate", [True, False])
def test_an_action_whose_answer_was_lost_has_changed_nothing_the_second_time(
    is_duplicate: bool,  # noqa: FBT001
) -> None:
    """A server that is killed after a commit and before its answer is sent the action again."""

    def deliver(sent: BackendDelivery) -> BackendAnswer:
        again = {"changed": False, "duplicate": is_duplicate}
        return BackendAnswer(200, again if sent.endpoint == "transcription" else {})

    options = ConversationOptions(intakes=("hooks", "transcription"))
    verdict = ConversationRun(Backend(deliver), options=options).run(12)

    assert verdict.survived is is_duplicate


def test_of_conversations_that_are_put_in_order_only_the_last_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each is judged once, and none waits for the end of a long run."""
    monkeypatch.setattr("segue.testing.conversation_run._HELD", 3)
    delivered: list[str] = []
    judged: list[tuple[str, int]] = []

    def deliver(sent: BackendDelivery) -> BackendAnswer:
        delivered.append(sent.conversation_id)
        return BackendAnswer(200, {"held": True})

    def view(conversation_id: str) -> Mapping[str, Any]:
        judged.append((conversation_id, len(delivered)))
        return {"ended": True}

    assert ConversationRun(Backend(deliver, view)).run(10).survived
    assert len({identity for identity, _ in judged}) == len(judged) == 10
    assert sum(at < len(delivered) for _, at in judged) >= 6


def test_a_run_without_faults_says_that_nothing_went_wrong(receiver: Receiver) -> None:
    lines = list(ConversationRun(receiver.backend()).run(2).lines())
    assert lines[0].startswith("2 conversations in ")
    assert "; compared: events, findings, phase, segments, transcription" in lines[0]
    assert lines[1:] == ["nothing went wrong"]


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("primary", "a-0"),
        ("consultants", ["a-0"]),
        ("present", ["a-0"]),
        ("ended", False),
        ("events", 0),
        ("segment_agents", []),
        ("transcription", "hold"),
    ],
)
def test_every_key_of_a_view_is_compared_and_a_difference_shows_the_story(
    key: str, wrong: object
) -> None:
    backend = Backend(lambda _: BackendAnswer(200, {}), lambda _: {key: wrong})
    verdict = ConversationRun(backend, options=ConversationOptions(spelling="plain")).run(1)

    (failure,) = verdict.to_dict()["failures"]
    assert failure["failure"].startswith(f"after the conversation: {key}: expected ")
    assert len(failure["story"]) == verdict.deliveries
    assert failure["story"][-1].startswith("END_OF_CONVERSATION by ")
    assert f"     0  {failure['story'][0]}" in str(verdict)


@pytest.mark.parametrize(
    ("shown", "hint"),
    [({}, "the view is empty"), ({"owner": 1}, "unknown key 'owner'"), (None, "got None")],
)
def test_a_view_that_cannot_be_compared_is_refused(shown: Any, hint: str) -> None:
    backend = Backend(lambda _: BackendAnswer(200, {}), lambda _: shown)

    with pytest.raises(ConfigurationError, match=hint):
        ConversationRun(backend).run(1)


def test_a_story_has_the_body_of_what_is_spelled_otherwise() -> None:
    backend = Backend(lambda _: BackendAnswer(200, {}), lambda _: {"events": 0})
    options = ConversationOptions(spelling="transfer types in lower case")
    (failure,) = ConversationRun(backend, options=options).run(1).to_dict()["failures"]

    assert '"transfertype": "na"' in " ".join(failure["story"])


def test_a_function_that_is_given_no_ids_is_not_sent_one_twice() -> None:
    verdict = ConversationRun(in_process(lambda _: None), faults=only("delivery-id-reused")).run(8)

    assert verdict.survived
    assert verdict.faults.counts == {"delivery-id-reused": 0}
    assert re.search(r"delivery-id-reused +0 +0", str(verdict))


def test_the_same_seed_sends_the_same() -> None:
    def bodies(seed: int) -> list[Any]:
        sent: list[Any] = []

        def deliver(delivered: BackendDelivery) -> BackendAnswer:
            sent.append((delivered.delivery_id, delivered.body))
            return BackendAnswer(200, {})

        options = ConversationOptions(seed=seed, run_id="r")
        ConversationRun(Backend(deliver), options=options,
                        faults=FaultPlan(read_shares(["all"]), seed)).run(6)  # fmt: skip
        return sent

    assert bodies(1) == bodies(1) != bodies(2)


def test_what_is_meant_is_told_to_the_sandbox() -> None:
    backend = Backend(lambda _: BackendAnswer(200, {}))
    with Sandbox() as sandbox:
        ConversationRun(
            backend,
            options=ConversationOptions(run_id="r", bot_id=BOT),
            faults=only("delivery-dropped"),
            on_meant=lambda sent: sandbox.note_delivery(
                sent.bot_id, sent.conversation_id, sent.endpoint, sent.body
            ),
        ).run(3)
        found = list(connect(sandbox).sessions.list(bot=BOT))

    assert {each.session_id for each in found} == {"r-000001", "r-000002", "r-000003"}
    assert {each.session_status for each in found} == {"closed"}


# What is sent and answered, by hand.

POSTS = [
    PlannedPost(body, f"d-{at}")
    for at, body in enumerate(story("NA entry by a-1", "user message by a-1", "NA exit by a-1"))
]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("delivery-dropped", ["d-1", "d-2"]),
        ("delivery-swapped", ["d-1", "d-0", "d-2"]),
        ("delivery-late", ["d-1", "d-2", "d-0"]),
        ("delivery-doubled", ["d-0", "d-0-again", "d-1", "d-2"]),
        ("delivery-repeated", ["d-0", "d-0", "d-1", "d-2"]),
        ("delivery-cut-off", [None, "d-0", "d-1", "d-2"]),
        ("delivery-id-reused", ["d-0", "d-0", "d-1", "d-2"]),
        ("delivery-retyped", ["d-0", "d-1", "d-2"]),
    ],
)
def test_what_is_sent(name: str, ids: list[str | None]) -> None:
    class First(Random):
        """Takes the first of whatever may be chosen."""

        def choice(self, seq: Any) -> Any:
            return seq[0]

        def randint(self, a: int, _: int) -> int:
            return a

    edit = FAULTS[name].posts
    assert edit is not None
    edited = edit(First(), POSTS)
    assert edited is not None
    assert [post.delivery_id for post in edited.posts] == ids
    assert edited.what
    assert edit(First(), []) is None


def called(name: str) -> tuple[Sandbox, Any]:
    sandbox = Sandbox(faults=only(name))
    return sandbox, connect(sandbox, timeout=timedelta(seconds=3))


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("callback-twice", ["completed", "completed"]),
        ("callback-never", []),
        ("callback-unknown-value", ["hologram"]),
        ("callback-added-member", ["completed"]),
    ],
)
def test_a_callback_has_its_fault(name: str, statuses: list[str]) -> None:
    sandbox, client = called(name)
    with sandbox:
        client.calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=NOTIFY)
        sandbox.advance("5m")
        assert [sent.body["status"] for sent in sandbox.sent] == statuses
        assert sandbox.faults.counts == {name: 1}


def test_a_callback_comes_late() -> None:
    sandbox, client = called("callback-late")
    with sandbox:
        client.calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=NOTIFY)
        sandbox.advance("5m")
        assert [*sandbox.sent] == []
        assert (sandbox.faults.counts, [*sandbox.faults.lines]) == ({"callback-late": 0}, [])
        sandbox.advance("10m")
        assert len(sandbox.sent) == 1
        assert sandbox.faults.counts == {"callback-late": 1}
        assert [line.what for line in sandbox.faults.lines] == [
            "it was sent 600 s after it was due"
        ]


def test_a_callback_that_comes_late_after_a_restart_has_its_fault(tmp_path: Path) -> None:
    def sandbox() -> Sandbox:
        outgoing = PostSender(lambda *_: 500)
        return Sandbox(faults=only("callback-late"), keep=tmp_path / "kept", outgoing=outgoing)

    with sandbox() as first:
        connect(first).calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=NOTIFY)
        first.advance("5m")
    with sandbox() as second:
        second.advance("10m")
        (line,) = second.faults.failures
        assert (line.fault, line.failure) == ("callback-late", "the callback was answered with 500")


def test_a_callback_comes_before_the_answer() -> None:
    sandbox, client = called("callback-first")
    with sandbox:
        started = client.calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=NOTIFY)
        (sent,) = sandbox.sent
        assert sent.body["conversationId"] == started.call_id
        sandbox.advance("5m")
        assert len(sandbox.sent) == 1


def test_a_callback_that_comes_first_has_been_answered_before_the_answer() -> None:
    def post(*_: object) -> int:
        time.sleep(0.2)
        return 200

    with ThreadPoolExecutor(1) as executor:
        outgoing = PostSender(post, executor)
        with Sandbox(faults=only("callback-first"), outgoing=outgoing) as sandbox:
            connect(sandbox).calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=NOTIFY)
            assert [sent.status for sent in sandbox.sent] == [200]


@pytest.mark.parametrize("url", [None, "http://10.0.0.1/calls"])
@pytest.mark.parametrize("name", [name for name, row in FAULTS.items()
                                  if row.place is FaultPlace.CALLBACK])  # fmt: skip
def test_a_callback_that_is_never_posted_has_no_fault(name: str, url: str | None) -> None:
    sandbox, client = called(name)
    with sandbox:
        client.calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=url)
        sandbox.advance("20m")
        assert len(sandbox.sent) == (0 if url is None else 1)
        assert sandbox.faults.counts == {}


def test_a_callback_that_is_refused_is_a_failure() -> None:
    with Sandbox(faults=only("callback-twice"), outgoing=PostSender(lambda *_: 500)) as sandbox:
        client = connect(sandbox)
        client.calls.start(bot=BOT, target="tel:+490", caller="1", notify_url=NOTIFY)
        sandbox.advance("5m")
        (line,) = sandbox.faults.failures
        assert (line.fault, line.failure) == (
            "callback-twice",
            "the callback was answered with 500",
        )


def test_an_answer_is_lost_after_its_effect_and_a_post_sent_again_is_noticed() -> None:
    sandbox, client = called("answer-lost")
    with sandbox:

        def start() -> None:
            with pytest.raises(PlatformUnreachable):
                client.queues.create(stream=BOT, name="Night", hours=one(sandbox, "hours"))

        start()
        assert [each["name"] for each in sandbox.state.all("queues")][-1] == "Night"
        assert sandbox.faults.failures == []
        start()
        (line,) = sandbox.faults.failures
        assert "took effect twice" in line.failure


def test_a_post_sent_again_is_noticed_though_another_request_came_between() -> None:
    sandbox, client = called("answer-lost")
    with sandbox:

        def start(target: str) -> None:
            with pytest.raises(PlatformUnreachable):
                client.calls.start(bot=BOT, target=target, caller="1")

        start("tel:+4910")
        start("tel:+4920")
        with pytest.raises(PlatformUnreachable):
            list(client.queues.list(stream=BOT))
        assert sandbox.faults.failures == []
        start("tel:+4910")
        start("tel:+4920")
        assert [line.where for line in sandbox.faults.failures] == ["E2", "E2"]
        sandbox.advance("1m")
        start("tel:+4920")  # a call of its own
        assert len(sandbox.faults.failures) == 2


class Passing:
    """A real time that a test lets pass."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (("POST", DIALOUT, b'{"target": "tel:10", "caller": "1"}'),
         ("POST", DIALOUT, b'{"target": "tel:20", "caller": "1"}')),
        (("GET", "/api/public/roles?roleType=bot", None),
         ("GET", "/api/public/roles?roleType=admin", None)),
    ],
)  # fmt: skip
def test_only_the_same_request_is_asked_again(
    first: tuple[str, str, bytes | None], other: tuple[str, str, bytes | None]
) -> None:
    def ask(request: tuple[str, str, bytes | None]) -> int:
        method, target, body = request
        return sandbox.answer(SentRequest(method, target, {"auth": "t"}, body)).status

    time = Passing()
    with Sandbox(clock=SandboxClock(time), faults=only("answer-429")) as sandbox:
        assert [ask(first), ask(other)] == [429, 429]
        assert sandbox.faults.failures == []
        time.now += timedelta(seconds=1)
        ask(first)  # in time
        assert sandbox.faults.failures == []
        time.now += timedelta(seconds=0.5)
        ask(first)
        (line,) = sandbox.faults.failures
        assert "before the time in Retry-After" in line.failure


@pytest.mark.parametrize(("name", "status"), [("answer-429", 429), ("answer-503", 503)])
def test_a_request_is_refused_without_an_effect(name: str, status: int) -> None:
    sandbox, client = called(name)
    with sandbox:
        with pytest.raises(RequestRefused) as refused:
            client.queues.create(stream=BOT, name="Night", hours=one(sandbox, "hours"))
        assert refused.value.status == status
        assert len(sandbox.state.all("queues")) == 3


def test_answers_have_what_nobody_listed() -> None:
    for name in ("answer-unknown-value", "answer-added-member", "answer-respelled", "answer-slow"):
        sandbox, client = called(name)
        with sandbox:
            job = client.training.start(bot=BOT)
            expected = {"answer-unknown-value": "Quantum", "answer-respelled": "RUNNING"}
            assert job.status == expected.get(name, "running")
            assert sandbox.faults.counts == {name: 1}


def test_each_agent_comes_once_though_pages_shift() -> None:
    sandbox, client = called("page-shifted")
    with sandbox:
        found = [agent.id for agent in client.agents.list(stream=BOT, org="o-1")]
        assert len(found) == len(set(found)) >= 6
        assert sandbox.faults.counts["page-shifted"] > 0


def test_a_list_ends_though_the_last_page_lies() -> None:
    sandbox, client = called("page-more-lies")
    with sandbox:
        found: list[str] = []
        with pytest.raises(CannotPage):  # the client says that the platform contradicts itself
            found.extend(each.id for each in client.campaigns.list(kind="voice"))
        assert len(found) == len(set(found)) == 2
        assert sandbox.faults.counts["page-more-lies"] > 0


@pytest.mark.parametrize(
    ("given", "shares"),
    [
        (["answer-lost"], {"answer-lost": 0.5}),
        (["answer-lost", "answer-429"], {"answer-lost": 0.25, "answer-429": 0.25}),
        (["answer-lost=0.1", "callback-never"], {"answer-lost": 0.1, "callback-never": 0.5}),
    ],
)
def test_shares_of_faults(given: list[str], shares: dict[str, float]) -> None:
    assert read_shares(given) == shares


def test_all_faults_share_a_half() -> None:
    shares = read_shares(["all"])
    for place in FaultPlace:
        total = sum(share for name, share in shares.items() if FAULTS[name].place is place)
        assert total == pytest.approx(0.5)
    assert shares.keys() == FAULTS.keys()


@pytest.mark.parametrize("given", ["nothing", "answer-lost=x", "answer-lost=2", "all=1"])
def test_a_fault_that_is_none_is_an_error(given: str) -> None:
    with pytest.raises(ConfigurationError):
        FaultPlan(read_shares([given]))


def test_shares_of_more_than_one_are_an_error() -> None:
    with pytest.raises(ConfigurationError, match="together"):
        FaultPlan({"answer-lost": 0.7, "answer-429": 0.7})


def test_lines_of_truth_are_written_and_a_failure_counts_once() -> None:
    written: list[TruthLine] = []
    plan = FaultPlan({"answer-lost": 1}, write=written.append)
    line = plan.note(FAULTS["answer-lost"], "E2", "it took effect")
    plan.fail(line, "no")
    plan.fail(line, "no, again")

    assert written == [line, line]
    assert line.to_dict() == {
        "fault": "answer-lost", "where": "E2", "what": "it took effect", "failure": "no"
    }  # fmt: skip
    assert plan.failed.total() == 1


def test_the_page_has_every_fault() -> None:
    page = (ROOT / "docs/how-to/use-the-sandbox.md").read_text("utf-8")
    for row in FAULTS.values():
        assert f"| `{row.name}` | {row.place} | {row.what} | {row.correct} |" in page
