"""`segue conformance` against a backend over HTTP."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from samples.backend import serve
from tests.cli.command import Segue
from tests.cli.server import Serving, segue_in
from tests.testing.reference_server import failing, listening

from segue.testing import conformance_suite

GROUPS = ("--group", "offence", "--group", "transcription", "--group", "refusal")
SPELLING = ("--group", "spelling", "--intake", "hooks")


def test_a_backend_without_faults_passes_by_its_answers(segue: Segue) -> None:
    with listening() as (url, seen):
        done = segue("conformance", url, *GROUPS, "--group", "spelling")

    assert (done.code, done.err) == (0, "")
    first, last = done.out.splitlines()
    number = sum(each["group"] in {*GROUPS[1::2], "spelling"} for each in conformance_suite())
    assert first.startswith(f"{number} vectors of ")
    assert ("status" in first, "phase" in first, "changed" in first) == (True, True, True)
    assert last == "nothing differs"
    assert not any("auth" in headers for headers in seen)


def test_a_backend_that_answers_nothing_is_looked_at(
    segue: Segue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESK_TOKEN", "secret-1")
    with listening(is_mute=True) as (url, seen):
        done = segue(
            *("conformance", url, "--view", "/known/{conversationId}", "--group", "offence"),
            *("--token-env", "DESK_TOKEN"),
        )

    assert (done.code, done.err) == (0, "")
    assert "segments" in done.out
    assert {headers["auth"] for headers in seen} == {"secret-1"}
    assert "secret-1" not in done.out


def test_another_bot_is_no_difference(segue: Segue) -> None:
    with listening() as (url, _):
        done = segue("conformance", url, "--group", "offence", "--bot", "st-9")

    assert (done.code, done.err) == (0, "")


def test_differences_are_told_as_json(segue: Segue) -> None:
    with listening(is_wrong=True) as (url, _):
        done = segue("conformance", url, "--group", "refusal", "--format", "json")

    told = json.loads(done.out)
    assert done.code == 1
    assert set(told) == {"vectors", "deliveries", "compared", "groups", "differences"}
    assert sum(len(each["vectors"]) for each in told["groups"]) == len(told["differences"])
    assert {each["key"] for each in told["differences"]} == {"phase"}


def test_a_difference_is_told_in_words(segue: Segue) -> None:
    with listening(is_wrong=True) as (url, _):
        done = segue("conformance", url, "--group", "offence")

    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith(
        "waiting, NA entry by an agent who is not present: phase differs in "
    )
    assert '  phase: expected "active", found "waiting"' in lines[:4]
    at = lines.index(
        "SG101, waiting, NA exit by an agent who is not present: phase differs in 1 vector"
    )
    assert lines[at + 1 : at + 4] == [
        "  offence-sg101: missing-na-entry, in the shortest conversation (1 of 2 deliveries)",
        "    > NA exit by a-1",
        '  phase: expected "released", found "waiting"',
    ]
    assert re.fullmatch(r"\d+ vectors differ, in \d+ groups", lines[-1])


def test_a_delivery_that_no_label_says_is_shown_as_it_was_sent(segue: Segue) -> None:
    with listening(is_wrong=True) as (url, _):
        done = segue("conformance", url, *SPELLING)

    assert '    > {"conversationId": ' in done.out


def test_what_may_differ_is_tolerated(segue: Segue) -> None:
    with listening(is_wrong=True) as (url, _):
        done = segue("conformance", url, "--group", "offence", "--tolerate", "phase,SG103")

    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("nothing differs\n")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("ftp://desk",), "begins with http://"),
        (
            ("http://127.0.0.1:9", "--group", "offence"),
            "no backend answers at http://127.0.0.1:9 (Connection refused): is it running?",
        ),
        (
            ("http://127.0.0.1:9", "--tolerate", "phse"),
            "must contain codes of rules and any of phase",
        ),
        (
            ("http://127.0.0.1:9", "--group", "notification", "--intake", "hooks"),
            "there are no vectors to send: all vectors of these groups need further intakes",
        ),
        (("http://u:CANARY@127.0.0.1:9",), "must contain no user and no password"),
        (("http://u:CAN/ARY@127.0.0.1:9",), "begins with http:// or https://, not one with"),
        (("http://127.0.0.1:9", "--view", "/a?b=CANARY"), "must contain {conversationId}, not one"),
        (("http://127.0.0.1:9", "--view", "/known"), "must contain {conversationId}"),
        (
            ("http://127.0.0.1:9", "--token-env", "NO_SUCH_TOKEN"),
            "the environment variable NO_SUCH_TOKEN is empty or not set",
        ),
    ],
)
def test_what_cannot_be_run_exits_with_2(
    segue: Segue, arguments: tuple[str, ...], hint: str
) -> None:
    done = segue("conformance", *arguments)

    assert (done.code, done.out) == (2, "")
    assert hint in done.err
    assert "CANARY" not in done.err
    assert done.err.count("\n") == 1


def test_the_sample_backend_answers_200_and_tells_in_words_of_its_own(segue: Segue) -> None:
    with serve() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        done = segue(
            *("conformance", f"http://127.0.0.1:{server.server_port}", "--group", "offence"),
            *("--view", "/calls/{conversationId}"),
        )
        server.shutdown()
        thread.join()

    assert done.code == 2
    assert "but none of the keys phase" in done.err


@pytest.mark.slow
def test_segue_itself_passes_the_whole_suite(tmp_path: Path) -> None:
    """Twice: a server that remembers the run before is no other."""
    view = "--view=/conversations/{conversationId}"
    with Serving(tmp_path, "--no-auth", "--store=memory") as server:
        done = [segue_in(tmp_path, "conformance", server.url, view) for _ in range(2)]

    assert [(each.code, each.err) for each in done] == [(0, "")] * 2
    first, again = (each.out.splitlines() for each in done)
    compared, verdict = first
    assert first == again
    sent = [len(each["deliveries"]) for each in conformance_suite()]
    assert compared.startswith(f"{len(sent)} vectors of {sum(sent)} deliveries")
    assert verdict == "nothing differs"


def test_a_delivery_without_an_answer_is_a_difference(segue: Segue) -> None:
    """What the other vectors gave is not lost."""
    with failing(lambda body: '"WARM"' in body) as (url, _):
        done = segue("conformance", url, *SPELLING, "--format", "json")

    told = json.loads(done.out)
    assert (done.code, done.err) == (1, "")
    vectors = conformance_suite(groups=["spelling"], intakes=["hooks"])
    assert told["vectors"] == len(list(vectors))
    silent = [each for each in told["differences"] if each["key"] == "error"]
    assert {each["found"] for each in silent} == {
        (
            "the backend raised ConnectionError: no answer "
            "(Remote end closed connection without response)"
        )
    }


@contextmanager
def taking(path: str) -> Iterator[tuple[str, list[str]]]:
    """A server that takes deliveries at one path only."""
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            seen.append(self.path)
            body = b'{"phase": "waiting"}' if self.path == path else b""
            self.send_response(200 if self.path == path else 404)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()


def test_the_path_of_the_hook_may_be_another(segue: Segue) -> None:
    with taking("/in/st-1") as (url, seen):
        done = segue("conformance", url, "--path", "/in/{botId}", "--group", "legal")

    assert set(seen) >= {"/in/st-1"}
    assert "differ" in done.out


def test_a_backend_that_is_not_there_is_told_so(segue: Segue) -> None:
    with taking("/in/st-1") as (url, _):
        done = segue("conformance", url, "--group", "offence")

    assert done.code == 2
    assert "answers 404 to every delivery" in done.err
    assert "--path" in done.err


def test_the_suite_is_written_for_other_languages(segue: Segue) -> None:
    done = segue("conformance", "--suite", "--group", "spelling", "--intake", "hooks")

    assert (done.code, done.err) == (0, "")
    written = [json.loads(line) for line in done.out.splitlines()]
    assert written == list(conformance_suite(groups=["spelling"], intakes=["hooks"]))


def test_without_a_url_nothing_is_sent(segue: Segue) -> None:
    done = segue("conformance")

    assert (done.code, done.out) == (2, "")
    assert "the URL of a backend is missing: give it, or --suite" in done.err


def test_a_spelled_delivery_is_shown_as_it_was_sent(segue: Segue) -> None:
    with listening(is_wrong=True) as (url, _):
        done = segue("conformance", url, *SPELLING)

    assert done.code == 1
    assert re.search(r'^    > \{"conversationId": "c-1", ', done.out, re.MULTILINE)
    assert re.search(r" \(\d+ of \d+ deliveries\)$", done.out, re.MULTILINE)
    assert "group spelling" not in done.out
