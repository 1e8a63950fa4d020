"""The machine against the sample backend: each planted bug is found, and nothing else."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Any, cast

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from samples.backend import BUGS, CallRegistry, serve

import segue
from segue.errors import ConfigurationError
from segue.simulate.bodies import StoryEvent
from segue.testing import (
    STEPS,
    Backend,
    ConversationBackendMachine,
    in_process,
    over_http,
    view,
)
from segue.testing.differential import SentEvent, shortened


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


@pytest.mark.parametrize("bug", BUGS)
def test_each_planted_bug_is_found_in_the_shortest_story_there_is(bug: str) -> None:
    length, what, last = STORIES[bug]

    with pytest.raises(AssertionError) as failure:
        run(desk_with(bug))

    first, *story = str(failure.value).split("\n\n")[0].splitlines()
    assert first == "the backend differs after the last of these deliveries"
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
        run(machine_of(lambda: over_http(url, view=known_to(calls))), examples=25)


# -- a backend that is the reference itself


def reference() -> Backend:
    conversations: dict[str, segue.Conversation] = {}

    def receive(body: Any) -> dict[str, Any]:
        identity = body["conversationId"]
        conversation = conversations.setdefault(identity, segue.Conversation(identity))
        step = conversation.feed(body)
        return {"phase": step.phase.value, "findings": [each.to_dict() for each in step.findings]}

    return in_process(receive, view=lambda identity: view(conversations[identity]))


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
        (lambda: in_process(lambda _: None, view=lambda _: {"owner": None}), "no 'owner'"),
        (
            lambda: in_process(lambda _: None, view=cast("Any", lambda _: None)),
            "the view returned None: have",
        ),
        (lambda: lambda _: None, r"must return a Backend, got <function .* use in_process"),
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
    assert 'answer: expected "no exception", found "KeyError: 2"' in str(failure.value)


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
