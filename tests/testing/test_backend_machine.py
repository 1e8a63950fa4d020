"""The machine against the sample backend: each planted bug is found, and nothing else."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast

import pytest
from hypothesis import settings
from hypothesis.errors import FlakyFailure
from hypothesis.stateful import run_state_machine_as_test
from samples.backend import BUGS, CallRegistry, serve
from tests.testing.reference_server import failing, reference

from segue.analysis.simulate.bodies import StoryEvent
from segue.errors import ConfigurationError
from segue.testing import (
    STEPS,
    Backend,
    BackendAnswer,
    BackendDelivery,
    ConversationBackendMachine,
    in_process,
    over_http,
    story,
)
from segue.testing.differential import shortened
from segue.testing.stories import SentEvent


def known_to(calls: CallRegistry) -> Callable[[str], Mapping[str, Any]]:
    """What the registry knows, under the keys of the kit: all that a user has to write."""

    def look(conversation_id: str) -> Mapping[str, Any]:
        call = calls.look(conversation_id)
        return {
            "primary": call["owner"],
            "consultants": call["helpers"],
            "segment_agents": call["stays"],
            "ended": call["over"],
        }

    return look


def machine_of(connect: Callable[[], Backend]) -> type[ConversationBackendMachine]:
    class Machine(ConversationBackendMachine):
        def connect(self) -> Backend:
            return connect()

    return Machine


def desk_with(*bugs: str) -> type[ConversationBackendMachine]:
    def connect() -> Backend:
        calls = CallRegistry(bugs)
        return in_process(calls.receive, view=known_to(calls))

    return machine_of(connect)


def run(machine: type[ConversationBackendMachine], examples: int = 300) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(STEPS, max_examples=examples, database=None, derandomize=True),
    )


STORIES = {
    "latest-consultant": (4, "primary: expected", "WARM exit by a-1"),
    "redial-is-a-stay": (3, "segment_agents: expected", "redial entry by a-1"),
    "shouted-warm": (2, "consultants: expected", "WARM entry by a-2 (transfer types in"),
}


@pytest.mark.parametrize(
    "bug",
    [
        pytest.param(each, marks=pytest.mark.thorough if number else ())
        for number, each in enumerate(BUGS)
    ],
)
def test_each_planted_bug_is_found_in_the_shortest_story_there_is(bug: str) -> None:
    length, what, last = STORIES[bug]

    with pytest.raises(AssertionError) as failure:
        run(desk_with(bug))

    first, *story = str(failure.value).split("\n\n")[0].splitlines()
    assert first == "the backend differs from the reference after the last of these deliveries"
    assert len(story) == length, story
    assert last in story[-1]
    assert what in str(failure.value)


def test_without_the_bugs_nothing_is_found() -> None:
    run(desk_with(), examples=40)


def test_the_planted_bugs_are_those_the_sample_names() -> None:
    assert set(STORIES) == set(BUGS)


@contextmanager
def listening(calls: CallRegistry) -> Iterator[str]:
    with serve(0, calls) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_a_bug_is_found_over_http_as_well() -> None:
    calls = CallRegistry(["redial-is-a-stay"])
    with listening(calls) as url, pytest.raises(AssertionError, match="segment_agents: expected"):
        run(machine_of(lambda: over_http(url, view=known_to(calls))))


def test_a_token_is_not_sent_where_a_backend_redirects_to() -> None:
    seen: list[str] = []

    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_GET  # noqa: N815 - as the standard library calls it

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.server_port}"
            backend = over_http(url, view="/calls/{conversationId}", headers={"auth": "a-token"})
            answer = backend.deliver(BackendDelivery({}, "c-1"))
            assert backend.view is not None
            known = backend.view("c-1")
        finally:
            server.shutdown()
            thread.join()

    assert (answer.status, known) == (302, {"phase": "unknown: 302"})
    assert seen == ["/agentdesk/api/v1/hooks/st-1", "/calls/c-1"]


# -- a backend that is the reference itself


@pytest.mark.thorough
def test_the_reference_does_not_differ_from_itself_whatever_a_sender_does() -> None:
    class Machine(ConversationBackendMachine):
        offences = True

        def connect(self) -> Backend:
            return reference()

    run(Machine, examples=30)


def test_answers_are_enough_without_a_view() -> None:
    def connect() -> Backend:
        backend = reference()
        return Backend(backend.deliver)

    run(machine_of(connect), examples=5)


# -- what the user gets wrong


@pytest.mark.parametrize(
    ("connect", "hint"),
    [
        (lambda: in_process(lambda _: None), "nothing to compare"),
        (lambda: in_process(lambda _: None, view=lambda _: {}), "the view is empty"),
        (lambda: in_process(lambda _: None, view=lambda _: {"owner": None}), "unknown key 'owner'"),
        (
            lambda: in_process(lambda _: None, view=cast("Any", print)),
            "a view must return a mapping with any of",
        ),
        (lambda: in_process(lambda _: None, view=lambda _: {"present": "a-1"}), "got 'a-1'"),
        (
            lambda: in_process(lambda _: None, view=lambda _: {"ended": 1}),
            "such as true or false, got 1",
        ),
        (
            lambda: in_process(lambda _: None, view=lambda _: {"events": True}),
            "'events' must be such as 3",
        ),
        (lambda: lambda _: None, "must return a Backend, such as"),
    ],
)
def test_what_cannot_be_compared_is_the_users_mistake(
    connect: Callable[[], Any], hint: str
) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        run(machine_of(connect))


def test_a_machine_that_does_not_connect_says_so() -> None:
    with pytest.raises(ConfigurationError, match="define connect"):
        run(ConversationBackendMachine)


def test_what_a_backend_raises_is_shown_with_the_shortest_story() -> None:
    def connect() -> Backend:
        present: list[str] = []

        def receive(body: Any) -> None:
            present.extend(each["participant"]["identity"] for each in body.get("events", ()))
            if len(set(present)) > 1:
                raise KeyError(len(set(present)))

        return in_process(receive, view=lambda _: {"transcription": "idle"})

    with pytest.raises(AssertionError) as failure:
        run(machine_of(connect), examples=50)

    assert isinstance(failure.value.__cause__, KeyError)
    _, *story = str(failure.value).split("\n\n")[0].splitlines()
    assert len(story) == 2, story
    assert "the backend raised KeyError: 2" in str(failure.value)


def test_only_the_spelling_that_matters_is_shown() -> None:
    """Each event of the story is spelled plainly unless the backend then differs no more."""

    def connect() -> Backend:
        calls = CallRegistry(("shouted-warm",))
        return in_process(
            calls.receive, view=lambda identity: {"consultants": calls.look(identity)["helpers"]}
        )

    capitals, lower = "everything in capitals", "transfer types in lower case"
    told = [
        SentEvent(StoryEvent("NA entry", "a-1"), capitals),
        SentEvent(StoryEvent("user message", "a-1"), capitals),
        SentEvent(StoryEvent("WARM entry", "a-2"), lower),
    ]
    found = shortened(told, connect, offences=False)

    assert found is not None
    assert [str(sent) for sent in found[0]] == ["NA entry by a-1", f"WARM entry by a-2 ({lower})"]


# -- what goes wrong otherwise


def test_an_error_of_the_backend_is_a_story_as_short_as_can_be() -> None:
    """The third agent of a conversation is more than this backend can take."""

    def connect() -> Backend:
        backend = reference()
        seen: dict[str, set[str]] = {}

        def deliver(sent: BackendDelivery) -> BackendAnswer:
            assert isinstance(sent.body, Mapping)
            agents = seen.setdefault(sent.conversation_id, set())
            agents |= {each["participant"]["identity"] for each in sent.body.get("events", ())
                       if each.get("transition") == "entry"}  # fmt: skip
            if len(agents) == 3:
                raise KeyError("desk 3")
            return backend.deliver(sent)

        return Backend(deliver, backend.view)

    with pytest.raises(AssertionError) as failure:
        run(machine_of(connect))

    story_text, what, *_ = str(failure.value).split("\n\n")
    assert len(story_text.splitlines()) == 1 + 3
    assert what == "  the backend raised KeyError: 'desk 3'"
    assert isinstance(failure.value.__cause__, KeyError)


def test_what_happens_by_chance_is_not_shown_as_if_it_happened_always() -> None:
    lost = iter([True])

    def connect() -> Backend:
        calls = CallRegistry(())

        def receive(body: Any) -> None:
            if "WARM" not in str(body) or not next(lost, False):
                calls.receive(body)

        return in_process(receive, view=known_to(calls))

    with pytest.raises(FlakyFailure) as failure:
        run(machine_of(connect))

    (shown, *_) = failure.value.exceptions
    assert "WARM entry" in str(shown)
    assert "could not be reproduced" in str(shown)


def test_what_cannot_be_tolerated_is_refused() -> None:
    machine = desk_with()
    machine.tolerate = ("primay",)

    with pytest.raises(ConfigurationError, match="got 'primay'"):
        run(machine)


@pytest.mark.thorough
def test_what_is_worth_a_note_may_be_left_out() -> None:
    """A redial before any entry is a callback: legal, and a note."""

    def connect() -> Backend:
        backend = reference()

        def look(identity: str) -> Mapping[str, Any]:
            assert backend.view is not None
            known = backend.view(identity)
            repeats = [code for code in known["findings"] if code == "SG601"]
            return {**known, "findings": repeats}

        return Backend(backend.deliver, look)

    machine = machine_of(connect)
    with pytest.raises(AssertionError, match="findings: expected"):
        run(machine)
    machine.notes = False
    run(machine, examples=40)


def test_the_body_of_a_spelling_that_matters_is_shown() -> None:
    with pytest.raises(AssertionError) as failure:
        run(desk_with("shouted-warm"))

    assert '"transfertype": "' in str(failure.value)
    label = str(failure.value).split("\n\n")[0].splitlines()[-1].split("  ")[-1]
    assert json.dumps(story(label)[0]) in str(failure.value)


# -- a backend that hangs or drops the connection


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("hangs", "why"),
    [(False, "Remote end closed connection without response"), (True, "timed out")],
)
def test_a_delivery_without_an_answer_is_a_story(
    monkeypatch: pytest.MonkeyPatch,
    hangs: bool,  # noqa: FBT001
    why: str,
) -> None:
    if hangs:  # no shorter: a busy machine may take its time to answer, too
        monkeypatch.setattr("segue.testing.backend._TIMEOUT", 1)
    with (
        failing(lambda body: "WARM" in body.upper(), hangs=hangs) as (url, _),
        pytest.raises(AssertionError) as failure,
    ):
        run(machine_of(lambda: over_http(url)), examples=25)

    story_text, what, *_ = str(failure.value).split("\n\n")
    assert story_text.splitlines()[1:] == ["   0  NA entry by a-1", "   1  WARM entry by a-2"]
    assert what == f"  the backend raised ConnectionError: no answer ({why})"


def test_a_backend_that_has_never_answered_is_not_running() -> None:
    with (
        failing(lambda _: True) as (url, _),
        pytest.raises(ConfigurationError, match=r"no backend answers at .* is it running\?"),
    ):
        over_http(url).deliver(BackendDelivery({}, "c-1"))


def test_a_backend_that_is_gone_is_not_running() -> None:
    with failing(lambda _: False) as (url, _):
        backend = over_http(url)
        backend.deliver(BackendDelivery(story("NA entry by a-1")[0], "c-1"))

    with pytest.raises(ConfigurationError, match=r"\(Connection refused\): is it running\?"):
        backend.deliver(BackendDelivery(story("NA entry by a-1")[0], "c-1"))
