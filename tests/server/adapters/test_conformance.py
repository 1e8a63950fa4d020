"""The conformance table: the right answer, and the same one through every way in."""

import json
from pathlib import Path

import pytest
from tests.families import family
from tests.server.adapters.transports import TRANSPORTS, core, through_core
from tests.server.http import world
from tests.server.http.table import CASES, Case

import segue

BY_NAME = {case.name: case for case in CASES}
PROBLEM = {"type", "title", "status", "detail", "findings"}


def test_the_table_has_enough_rows_and_no_name_twice() -> None:
    assert len(CASES) == len(BY_NAME)
    assert len(CASES) >= 300
    assert sum(case.problem is not None for case in CASES) >= 200


@family("case", CASES, ids=lambda case: case.name)
def test_a_request_is_answered_as_the_design_says(case: Case) -> None:
    answer = core(case)

    assert answer.status == case.status
    if case.problem is None:
        media = (
            "text/html; charset=utf-8"
            if case.target.partition("?")[0] == "/inspect"
            else "application/json"
        )
        assert answer.headers.get("content-type") in (media, None)
        return
    assert answer.headers["content-type"] == "application/problem+json"
    if case.method != "HEAD":
        body = json.loads(answer.body)
        assert body.keys() >= PROBLEM
        assert body["type"] == f"urn:segue:problem:{case.problem}"
        assert body["status"] == case.status


def _is_answered_alike(case: Case) -> None:
    expected = core(case)

    for name, through in TRANSPORTS.items():
        if not (name == "lambda" and case.lacking):  # an event has its whole body in it
            assert (name, through(case)) == (name, expected)


@family("case", CASES[::5], ids=lambda case: case.name)
def test_every_adapter_gives_the_answer_of_the_core(case: Case) -> None:
    _is_answered_alike(case)


@pytest.mark.thorough
@family("case", CASES, ids=lambda case: case.name)
def test_every_adapter_gives_every_answer_of_the_core(case: Case) -> None:
    _is_answered_alike(case)


STORED = [case for case in CASES if case.status in (200, 422, 409) and case.method == "POST"]


@pytest.mark.parametrize("case", STORED, ids=lambda case: case.name)
def test_a_store_on_disk_takes_whatever_is_taken_in_memory(case: Case, tmp_path: Path) -> None:
    with world.processor(segue.SqliteStore(str(tmp_path / "segue.db"))) as found:
        assert through_core(world.app(found), case) == core(case)


def test_an_answer_says_how_long_it_is_and_is_not_cached() -> None:
    for case in CASES:
        answer = core(case)
        if case.status == 204:
            assert set(answer.headers) == {"allow"}
            assert answer.body == b""
            continue
        said = int(answer.headers["content-length"])
        assert said == len(answer.body) or (case.method == "HEAD" and said > 0 == len(answer.body))
        assert answer.headers["cache-control"] == "no-store"
        assert ("allow" in answer.headers) is (case.status == 405)
        assert ("www-authenticate" in answer.headers) is (case.status in (401, 403))


@family("case", [each for each in CASES if each.status in (401, 403, 404, 405)])
def test_nothing_is_read_of_a_body_that_is_refused_for_other_reasons(case: Case) -> None:
    """All that is refused without a look at the body, but for who owns a conversation."""
    if case.name.startswith("another bot's"):
        return
    silent = case._replace(body=b"", lacking=True)  # there is nothing to read, and no end of it

    assert core(silent).status == case.status
