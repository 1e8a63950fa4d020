"""A status is asked for until it is final, or until the time of the wait is over."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from tests.platform.client.calling import TOKEN, Script

from segue.errors import ConfigurationError
from segue.platform.client import AsyncClient, MemoryTransport, RequestRefused
from segue.platform.table import endpoint

SOON = timedelta(milliseconds=1)
LONG = timedelta(minutes=1)
STARTED = {"_id": "fjg-1", "status": "running"}


@pytest.mark.parametrize("final", ["success", "failed", "failure"])
def test_a_training_is_waited_for(final: str) -> None:
    states = ["running", "in progress", "halted", final]
    script = Script(STARTED, *({"_id": "fjg-1", "status": status} for status in states))
    client = script.client()

    job = client.training.wait(client.training.start(bot="st-1"), within=LONG, every=SOON)

    assert (job.status, len(script.asked)) == (final, 5)
    assert {request.target for request in script.asked[1:]} == {
        "/api/public/bot/st-1/job-group/fjg-1"
    }


def test_an_import_and_a_training_of_faqs_are_waited_for_by_their_own_status() -> None:
    script = Script(
        {"_id": "bir-1", "status": "in progress"}, {"_id": "bir-1", "status": "success"}
    )
    client = script.client()
    found = client.bots.wait(client.bots.import_status(request="bir-1"), within=LONG, every=SOON)
    assert found.status == "success"
    assert script.asked[1].target == "/api/public/bot/import/status/bir-1"

    script = Script({"status": "in-progress"}, {"status": "failure"})
    client = script.client(account="a")
    status = client.faqs.training_status(bot="st-1", language="en", state="published")
    assert client.faqs.wait(status, within=LONG, every=SOON).status == "failure"
    assert script.asked[1].target.endswith("/faqs/train/status?language=en&state=published")


def test_what_is_final_is_not_asked_for_again() -> None:
    script = Script({"_id": "bir-1", "status": "success"})
    client = script.client()
    status = client.bots.import_status(request="bir-1")

    assert client.bots.wait(status, within=LONG) is status
    assert len(script.asked) == 1


def test_a_wait_ends_with_its_time_and_says_what_the_status_was() -> None:
    script = Script(STARTED)
    client = script.client()

    job = client.training.wait(
        client.training.start(bot="st-1"), within=timedelta(milliseconds=500), every=LONG
    )

    assert (job.status, len(script.asked)) == ("running", 3)  # at the start and at the end


def test_an_error_ends_a_wait() -> None:
    script = Script(STARTED, status=200)
    client = script.client()
    started = client.training.start(bot="st-1")
    script.answers, script.status = [{"message": "gone"}], 404

    with pytest.raises(RequestRefused, match="E15 was refused with 404"):
        client.training.wait(started, within=LONG)


def test_an_answer_without_an_id_cannot_be_waited_for() -> None:
    client = Script({"status": "running"}).client()

    with pytest.raises(RequestRefused, match="E15 was refused with 200: the answer has no id"):
        client.training.wait(client.training.start(bot="st-1"), within=LONG)


@pytest.mark.parametrize(
    ("answer", "path"),
    [({"status": "running"}, "fjg-1"), ({"_id": "fjg-2", "status": "running"}, "fjg-1")],
    ids=["without an id", "with another"],
)
def test_what_was_asked_for_by_its_id_is_waited_for_by_it(answer: Any, path: str) -> None:
    script = Script(answer, {"status": "success"})
    client = script.client()

    status = client.training.get(bot="st-1", job="fjg-1")

    assert client.training.wait(status, within=LONG, every=SOON).status == "success"
    assert script.asked[1].target == f"/api/public/bot/st-1/job-group/{path}"


def test_what_no_call_returned_cannot_be_waited_for() -> None:
    client = Script({}).client()
    job: Any = endpoint("E15").model.model_validate(STARTED)

    with pytest.raises(ConfigurationError, match="wait for the result of a call"):
        client.training.wait(job, within=LONG)
    for limits in ({"within": timedelta(0)}, {"within": LONG, "every": -SOON}):
        with pytest.raises(ConfigurationError, match="must be positive"):
            client.training.wait(client.training.start(bot="st-1"), **limits)
    seconds: Any = 5
    with pytest.raises(ConfigurationError, match="`within` must be a timedelta, got 5: use"):
        client.training.wait(client.training.start(bot="st-1"), within=seconds)


def test_an_async_client_waits_alike() -> None:
    script = Script(STARTED, STARTED, {"_id": "fjg-1", "status": "success"})

    async def run() -> str | None:
        transport = MemoryTransport(script)
        async with AsyncClient("https://h", token=TOKEN, transport=transport) as client:
            started = await client.training.start(bot="st-1")
            return (await client.training.wait(started, within=LONG, every=SOON)).status

    assert asyncio.run(run()) == "success"
