"""`segue call`: endpoints of the platform from a terminal."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import click
import pytest
from tests.cli.command import Segue
from tests.families import family
from tests.platform.client.calling import FIRST
from tests.platform.client.recording import Recorded, serving
from tests.platform.vectors import DIALECTS

from segue.cli.call import call
from segue.platform.arguments import arguments_of
from segue.platform.table import ENDPOINTS, endpoint

TOKEN = "e30.secret.c2ln"  # noqa: S105 - made up
QUEUES = {
    "results": [
        {"id": "qu-1", "name": "Billing", "isActive": True, "agents": []},
        {"id": "qu-2", "name": "Sa\x1bles", "isDefault": 3},
    ],
    "hasMore": False,
}
Tell = Callable[[object], list[Recorded]]


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tell]:
    answers: list[Any] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        told = answers.pop(0) if len(answers) > 1 else answers[0]
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    with serving(answer) as (url, received):
        monkeypatch.setenv("SEGUE_PLATFORM", url)
        monkeypatch.setenv("SEGUE_PLATFORM_TOKEN", TOKEN)

        def tell(*bodies: object) -> list[Recorded]:
            answers[:] = bodies
            return received

        yield tell


def options(number: str) -> list[str]:
    """The first request of an endpoint as options."""
    found = []
    for name, value in FIRST[number][0].items():
        text = value if isinstance(value, str) else json.dumps(value)
        found += [f"--{name.replace('_', '-')}", text]
    return found


def test_a_list_is_a_table(segue: Segue, platform: Tell) -> None:
    received = platform(QUEUES)

    done = segue("call", "queues.list", "--stream", "st-1")

    assert done.out == (
        "id    name       isActive\n"
        "qu-1  Billing    true\n"
        "qu-2  Sa\\x1bles\n"
    )  # fmt: skip
    expected = "isDefault came as number instead of boolean"
    assert done.err == f"segue: SG503 /results/1/isDefault: {expected}\n"
    assert done.code == 1
    assert received[0].target == "GET /agentdesk/api/v1/public/st-1/queues"
    assert received[0].headers["auth"] == TOKEN


def test_a_list_is_json_by_the_names_of_the_platform(segue: Segue, platform: Tell) -> None:
    platform(QUEUES)

    done = segue("call", "queues.list", "--stream", "st-1", "--format", "json")

    assert json.loads(done.out) == [
        {"id": "qu-1", "name": "Billing", "isActive": True, "agents": []},
        {"id": "qu-2", "name": "Sa\x1bles"},
    ]
    assert "\x1b" not in done.out


def test_a_result_is_shown_member_by_member(segue: Segue, platform: Tell) -> None:
    platform({"_id": "fjg-1", "status": "running", "executionLog": {"parsing": None}})
    arguments = ("call", "training.start", "--bot", "st-1")

    assert segue(*arguments).out == (
        "_id           fjg-1\n"
        "status        running\n"
        'executionLog  {"parsing": null}\n'
    )  # fmt: skip
    assert json.loads(segue(*arguments, "--format", "json").out)["status"] == "running"


def test_more_that_cannot_be_had_is_said_after_what_can(segue: Segue, platform: Tell) -> None:
    platform({"roles": [{"_id": "r1", "role": "Owner"}], "availableMore": True})

    done = segue("call", "roles.list", "--role-type", "admin", "--limit", "1")

    assert (done.code, done.out) == (2, "role   _id\nOwner  r1\n")
    assert done.err.startswith("segue: roles.list (E16): there are more items")


def test_an_empty_list_is_empty(segue: Segue, platform: Tell) -> None:
    platform({"results": [], "hasMore": False})

    assert segue("call", "queues.list", "--stream", "st-1").out == ""
    assert segue("call", "queues.list", "--stream", "st-1", "--format", "json").out == "[]\n"


def test_sessions_since_a_time_are_asked_for_until_now(segue: Segue, platform: Tell) -> None:
    received = platform({"sessions": [], "moreAvailable": False})

    started = datetime.now(UTC)
    assert segue("call", "sessions.list", "--bot", "st-1", "--since", "10d").code == 0
    bodies = [each.body for each in received]
    (later, earlier) = [
        tuple(datetime.fromisoformat(body[name]) for name in ("dateFrom", "dateTo"))
        for body in bodies
    ]

    assert timedelta(0) <= later[1] - started + timedelta(milliseconds=1) < timedelta(minutes=1)
    assert later[0] == earlier[1]
    assert earlier[0] + timedelta(days=10) - later[1] < timedelta(minutes=1)
    for since, until in (later, earlier):
        assert until - since < timedelta(days=7)


def test_flaws_are_told_up_to_five(segue: Segue, platform: Tell) -> None:
    platform({"results": [1] * 7, "hasMore": False})

    err = segue("call", "queues.list", "--stream", "st-1").err.splitlines()

    assert (len(err), err[-1]) == (6, "segue: and 2 more violations of the specification")


@pytest.mark.parametrize("style", ["table", "json"])
@pytest.mark.parametrize("number", ["E22", "E14", "E12", "E4", "E26"])
def test_an_answer_that_is_not_json_is_an_error_finding(
    number: str, style: str, segue: Segue, platform: Tell
) -> None:
    platform(b"<html>login</html>")

    done = segue("call", endpoint(number).name, *options(number), "--format", style)

    assert done.code == 1
    assert done.err == f"segue: SG501 (body): the answer of {number} is not JSON\n"


def test_users_that_were_not_created_are_an_error_finding(segue: Segue, platform: Tell) -> None:
    users = [{"userInfo": {"emailId": each}} for each in ("ada", "kim")]
    arguments = ("call", "users.create", "--users", json.dumps(users), "--format", "json")

    platform({"msg": "done", "failedUserDetails": [{**users[0], "reason": {"errors": []}}]})
    failed = segue(*arguments)
    platform({"msg": "done", "failedUserDetails": []})
    created = segue(*arguments)

    assert (failed.code, failed.err) == (1, "segue: failedUserDetails lists 1 failure\n")
    assert json.loads(failed.out)["failedUserDetails"][0]["userInfo"] == {"emailId": "ada"}
    assert (created.code, created.err) == (0, "")


def test_a_final_status_is_waited_for(segue: Segue, platform: Tell) -> None:
    received = platform({"_id": "bir-1", "status": "success"})

    done = segue("call", "bots.import_status", "--request", "bir-1", "--wait", "1m")

    assert done.out == "_id     bir-1\nstatus  success\n"
    assert len(received) == 1


@family("dialect", ["", "reference", "samples"])
@family("row", ENDPOINTS, ids=lambda row: row.name)
def test_a_dry_run_shows_the_request_and_no_token(row: Any, dialect: str, segue: Segue) -> None:
    target, headers, body = DIALECTS.get(dialect, {}).get(row.number, FIRST[row.number][1:])
    asked = ("--dialect", dialect) if dialect else ()

    done = segue("call", row.name, *options(row.number), *asked, "--dry-run")

    head, _, shown = done.out.partition("\n\n")
    verb, _, path = target.partition(" ")
    lines = head.splitlines()
    assert (done.err, lines[0]) == ("", f"{verb} {{base_url}}{path}")
    assert {f"{name}: {value}" for name, value in headers.items()} <= set(lines)
    assert ("auth: ***" in lines) != ("token: ***" in lines)
    if row.number == "E25":  # the window has times on the wire
        assert {"limit": 20}.items() <= json.loads(shown).items()
    else:
        assert (json.loads(shown) if shown else None) == body


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.name)
def test_an_endpoint_is_explained_by_the_specification(row: Any, segue: Segue) -> None:
    done = segue("call", row.name, "--explain")

    assert done.out.startswith(f"{row.number}. {row.title}\n{row.cites}\n")
    text = " ".join(done.out.split())
    for unknown in row.unknown:
        assert f"“{unknown.cites}”" in text


def test_a_value_may_be_in_a_file(segue: Segue, tmp_path: Path) -> None:
    users = tmp_path / "users.json"
    users.write_text('[{"userInfo": {"emailId": "ada@example.com"}}]', "utf-8")

    done = segue("call", "users.create", "--users", f"@{users}", "--extra", '{"x": 1}', "--dry-run")

    assert json.loads(done.out.partition("\n\n")[2]) == {
        "x": 1,
        "users": [{"userInfo": {"emailId": "ada@example.com"}}],
    }


def test_null_in_extra_is_sent(segue: Segue) -> None:
    arguments = ("--stream", "st-1", "--queue", "qu-1", "--extra", '{"description": null}')

    done = segue("call", "queues.update", *arguments, "--dry-run")

    assert json.loads(done.out.partition("\n\n")[2]) == {"description": None}


def test_the_token_may_be_in_a_file_and_is_not_shown(
    segue: Segue, platform: Tell, tmp_path: Path
) -> None:
    received = platform({"message": TOKEN})
    file = tmp_path / "token"
    file.write_text("other.token.x\n", "utf-8")

    segue("call", "training.start", "--bot", "st-1", "--token-file", str(file))

    assert received[0].headers["auth"] == "other.token.x"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("queue.list",), "unknown endpoint 'queue.list': did you mean queues.list?"),
        (("queues.list",), "queues.list (E4): stream must be a non-empty id, got None"),
        (("roles.list", "--role-type", "bot", "--limit", "x"), "--limit must be JSON, or @FILE"),
        (("queues.update", "--extra", "[1]"), "--extra must be a JSON object"),
        (("users.create", "--users", "@none.json"), "none.json cannot be read"),
        (("training.get", "--bot", "b", "--job", "j", "--wait", "5"), "--wait takes a duration"),
        (("queues.list", "--stream", "s", "--url", "ftp://h"), "the base URL must be"),
        (("queues.list", "--stream", "s", "--timeout", "0"), "Invalid value for '--timeout'"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...], message: str, segue: Segue, platform: Tell
) -> None:
    platform({})

    done = segue("call", *arguments)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert TOKEN not in done.err


def test_without_a_url_or_a_token_it_says_so(segue: Segue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEGUE_PLATFORM", raising=False)
    monkeypatch.delenv("SEGUE_PLATFORM_TOKEN", raising=False)
    arguments = ("call", "queues.list", "--stream", "st-1")

    assert "give --url, or set SEGUE_PLATFORM" in segue(*arguments).err
    assert "set SEGUE_PLATFORM_TOKEN" in segue(*arguments, "--url", "http://127.0.0.1:9").err


def test_every_endpoint_has_an_option_for_each_argument_and_none_twice(segue: Segue) -> None:
    context = click.Context(call)
    for row in ENDPOINTS:
        command = call.get_command(context, row.name)
        assert command
        names = [each.name for each in command.params]
        assert len(names) == len(set(names)), row.name
        assert set(names) >= {each.name for each in arguments_of(row)}
    out = segue("call", "--help").out
    assert [row.name for row in ENDPOINTS if row.name not in out] == []
    required = segue("call", "queues.list", "--help").out
    assert "--stream TEXT   streamId.  [required]" in required


@family("value", ["", "{", "[", "@", "\udcff", "1e400", "NaN", "\x00", "null"])
@family("number", ["E1", "E2", "E3", "E12", "E22", "E23", "E25"])
def test_no_value_is_a_traceback(number: str, value: str, segue: Segue) -> None:
    for argument in arguments_of(endpoint(number)):
        option = f"--{argument.name.replace('_', '-')}"
        done = segue("call", endpoint(number).name, *options(number), option, value, "--dry-run")
        assert done.code in (0, 2)
        assert done.err.count("\n") == (done.code == 2)
