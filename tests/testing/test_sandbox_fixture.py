"""The fixture `segue_sandbox`: a platform for one test, over HTTP and in this process."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from segue.platform import FAULTS, START, Client, PlatformUnreachable
from segue.testing import BackendAnswer, TestSandbox, in_process

pytest_plugins = ["pytester"]


@pytest.fixture
def receiver() -> Iterator[tuple[str, list[str]]]:
    """A server that is called back."""
    seen: list[str] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", seen
    server.shutdown()
    server.server_close()


def test_a_program_calls_and_is_called_back(
    segue_sandbox: TestSandbox, receiver: tuple[str, list[str]]
) -> None:
    base, seen = receiver
    with Client(segue_sandbox.url, token=segue_sandbox.token) as platform:
        platform.calls.start(bot="st-1", target="tel:+490", caller="1", notify_url=f"{base}/done")
    segue_sandbox.advance("2m")

    assert seen == ["/done"]
    assert [sent.status for sent in segue_sandbox.sent] == [204]


@contextmanager
def calling_receiver(sandbox: TestSandbox) -> Iterator[tuple[str, list[str]]]:
    """A server that calls the platform before it answers the first callback."""
    seen: list[str] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.path)
            if self.path == "/1":
                dial(sandbox, f"{base}/3")
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    base = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield base, seen
    server.shutdown()
    server.server_close()


def dial(sandbox: TestSandbox, notify_url: str | None) -> None:
    with Client(sandbox.url, token=sandbox.token) as platform:
        platform.calls.start(bot="st-1", target="tel:+490", caller="1", notify_url=notify_url)


@pytest.mark.parametrize("pace", [None, 0])
def test_a_program_calls_the_platform_while_it_is_called_back(pace: int | None) -> None:
    """Callbacks come from the test, which lets time pass, or from the next request."""
    with TestSandbox(pace=pace) as sandbox, calling_receiver(sandbox) as (base, seen):
        for number in (1, 2):
            dial(sandbox, f"{base}/{number}")
        sandbox.advance("2m")
        sandbox.follow()
        sandbox.advance("2m")

        assert seen == ["/1", "/2", "/3"]
        assert [sent.status for sent in sandbox.sent] == [204] * 3
        assert [sent.url.removeprefix(base) for sent in sandbox.sent] == seen


def test_callbacks_are_posted_at_their_time() -> None:
    times: list[datetime] = []

    def post(*_: object) -> int:
        times.append(sandbox.now)
        return 204

    with TestSandbox(post=post) as sandbox:
        for target in ("tel:+490", "tel:+491"):
            sandbox.client().calls.start(
                bot="st-1", target=target, caller="1", notify_url="http://localhost/x"
            )
        sandbox.advance("20m")

        assert times == [START + timedelta(seconds=5), START + timedelta(seconds=65)]
        assert sandbox.now == START + timedelta(minutes=20)


@pytest.mark.parametrize("faults", [["callback-first=1"], ["callback-twice=1"]])
def test_a_call_inside_a_callback_has_its_fault(faults: list[str]) -> None:
    with TestSandbox(faults=faults) as sandbox, calling_receiver(sandbox) as (base, seen):
        dial(sandbox, f"{base}/2")
        dial(sandbox, f"{base}/1")
        for _ in range(3):
            sandbox.advance("2m")
        assert {"/1", "/2", "/3"} == set(seen)
        assert sandbox.faults.failures == []
        assert {sent.status for sent in sandbox.sent} == {204}


@pytest.mark.segue_sandbox(faults=["answer-lost=1"], seed=3)
def test_faults_are_set_by_a_marker(segue_sandbox: TestSandbox) -> None:
    client = Client(segue_sandbox.url, token=segue_sandbox.token, timeout=timedelta(seconds=2))
    with client, pytest.raises(PlatformUnreachable):
        client.training.start(bot="st-1")
    assert len(segue_sandbox.state.tables["trainings"]) == 1


def test_conversations_are_sent_and_are_sessions_then(segue_sandbox: TestSandbox) -> None:
    seen: list[Any] = []
    verdict = segue_sandbox.send_conversations(in_process(seen.append), count=4, bot_id="st-1")

    assert verdict.survived
    assert len(seen) == verdict.deliveries
    assert len(list(segue_sandbox.client().sessions.list(bot="st-1"))) == 4


def test_all_that_a_view_shows_is_compared() -> None:
    backend = in_process(lambda _: None, view=lambda _: {"segment_agents": ["nobody"]})

    with TestSandbox() as sandbox:
        verdict = sandbox.send_conversations(backend, count=1)

    assert 'segment_agents: expected ["' in str(verdict)


@pytest.mark.thorough
def test_a_fault_that_is_not_survived_fails_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest
        from segue.testing import in_process

        @pytest.mark.segue_sandbox(faults=["delivery-cut-off=1"])
        def test_mine(segue_sandbox):
            segue_sandbox.send_conversations(in_process(lambda body: None), count=2)
        """
    )
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*survived 0 of 2 faults*"])


@pytest.mark.thorough
def test_a_test_that_has_failed_by_itself_is_reported_once(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from segue.testing import in_process

        def test_mine(segue_sandbox):
            backend = in_process(lambda body: None, view=lambda identity: {"ended": False})
            verdict = segue_sandbox.send_conversations(backend, count=2)
            assert verdict.survived, str(verdict)
        """
    )
    result = pytester.runpytest_subprocess("-q", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ended: expected true, found false*", "*0  *entry by *"])


@pytest.mark.segue_sandbox(faults="all", seed=2)
def test_all_faults_are_named_by_one_word(segue_sandbox: TestSandbox) -> None:
    assert set(segue_sandbox.faults.shares) == set(FAULTS)


def test_a_function_refuses_with_a_status() -> None:
    def receive(body: Any) -> BackendAnswer | None:
        return BackendAnswer(400, {}) if isinstance(body, str) else None

    with TestSandbox(faults=["delivery-cut-off=1"]) as sandbox:
        assert sandbox.send_conversations(in_process(receive), count=3).survived
