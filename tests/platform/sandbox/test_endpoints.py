"""Every endpoint of the sandbox, called by the client: answers without a flaw, and what they do."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.builders import Sender
from tests.families import family

from segue.platform.client import Client, RequestRefused, SentRequest
from segue.platform.sandbox import START, PostSender, Sandbox
from segue.platform.table import ENDPOINTS

BOT = "st-1"
CALLS: dict[str, Callable[[Any, Sandbox], Any]] = {
    "E1": lambda client, _: client.transcription.control(
        bot=BOT, conversation="c-1", action="start", agent="a-1"
    ),
    "E2": lambda client, _: client.calls.start(bot=BOT, target="tel:+49301239", caller="4711"),
    "E3": lambda client, sandbox: client.queues.create(
        stream=BOT, name="Night", hours=one(sandbox, "hours")
    ),
    "E4": lambda client, _: list(client.queues.list(stream=BOT)),
    "E5": lambda client, sandbox: client.queues.update(stream=BOT, queue=one(sandbox, "queues")),
    "E6": lambda client, sandbox: client.skill_groups.update(
        stream=BOT, skill_group=one(sandbox, "skill_groups"), name="Tongues"
    ),
    "E7": lambda client, sandbox: client.agent_groups.update(
        stream=BOT,
        agent_group=one(sandbox, "agent_groups"),
        name="Night shift",
        description="Late",
        managers=[{"userId": "u-1", "accessLevel": "full"}],
    ),
    "E8": lambda client, _: client.tasks.create(
        stream=BOT,
        case="ci-1",
        case_ref="C-1",
        template="ttm-1",
        user={"name": "Kim", "emailId": "kim@example.com"},
        source="rtm",
        desc="SandboxRequest back",
    ),
    "E9": lambda client, _: client.conversations.assign(
        stream=BOT, org="o-1", session="c-1", agent="a-2", callback_url="http://localhost/done"
    ),
    "E10": lambda client, _: client.contact_lists.create(name="Spring", description="All"),
    "E11": lambda client, _: (
        client.contact_lists.create(name="Spring", description="All"),
        client.contact_lists.add(contact_list_name="Spring", contacts=[{"phoneNumber": "+4930"}]),
    )[1],
    "E12": lambda client, _: client.users.create(
        users=[{"userInfo": {"emailId": "kim@example.com"}}]
    ),
    "E13": lambda client, sandbox: client.hours.get(org="o-1", queue=one(sandbox, "queues")),
    "E14": lambda client, _: client.training.start(bot=BOT),
    "E15": lambda client, _: client.training.get(bot=BOT, job=client.training.start(bot=BOT).id),
    "E16": lambda client, _: list(client.roles.list(role_type="bot", limit=50)),
    "E17": lambda client, _: list(client.users.roles(limit=50)),
    "E18": lambda client, _: client.bots.import_status(request="bir-1"),
    "E19": lambda client, _: client.test_suites.upload(
        bot=BOT, file_name="suite.json", delimiter=",", description="Regression"
    ),
    "E20": lambda client, _: client.faqs.training_status(bot=BOT, language="en"),
    "E21": lambda client, _: client.conversations.send(
        bot=BOT, extra=Sender().body("NA entry a-1")
    ),
    "E22": lambda client, _: list(client.agents.list(stream=BOT, org="o-1", include_queues=True)),
    "E23": lambda client, _: list(client.campaigns.list(kind="voice")),
    "E24": lambda client, sandbox: client.campaigns.start(campaign=campaign(sandbox, "Ready")),
    "E25": lambda client, _: list(client.sessions.list(bot=BOT)),
    "E26": lambda client, _: client.languages.update(
        version="1.1",
        bot=BOT,
        language="de",
        configurations={
            "nluLanguage": "de",
            "inputTranslation": False,
            "responseTranslation": False,
        },
    ),
}


def one(sandbox: Sandbox, kind: str) -> str:
    return next(iter(sandbox.state.tables[kind]))


def campaign(sandbox: Sandbox, status: str, kind: str = "voice") -> str:
    return next(
        key
        for key, value in sandbox.state.tables["campaigns"].items()
        if (value["status"], value["kind"]) == (status, kind)
    )


def connect(sandbox: Sandbox, **options: Any) -> Any:
    return Client(
        "https://sandbox.example",
        token="some.token.here",  # noqa: S106 - of nobody
        account="acc-1",
        app=BOT,
        strict=True,
        transport=sandbox.transport,
        **options,
    )


def test_every_endpoint_is_called() -> None:
    assert list(CALLS) == [row.number for row in ENDPOINTS]


@family("dialect", ["", "reference", "samples"])
@family("number", CALLS)
def test_an_endpoint_answers_without_a_flaw(number: str, dialect: str) -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox, dialect=dialect)
        answer = CALLS[number](client, sandbox)  # a flaw would be an error: strict
        for each in answer if isinstance(answer, list) else [answer]:
            assert each.flaws == ()


def test_pages_lead_to_every_queue_agent_and_campaign() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        for number in range(9):
            client.queues.create(stream=BOT, name=f"Extra {number}", hours=one(sandbox, "hours"))

        assert len({queue.id for queue in client.queues.list(stream=BOT)}) == 12
        assert [agent.first_name for agent in client.agents.list(stream=BOT, org="o-1")] == [
            "Ada", "Ben", "Cyd", "Dee", "Eva", "Finn"
        ]  # fmt: skip
        assert [each.name for each in client.campaigns.list(kind="sms")] == ["Delivery notes"]


def test_a_campaign_starts_once() -> None:
    with Sandbox() as sandbox:
        client, ready = connect(sandbox), campaign(sandbox, "Ready")
        started = client.campaigns.start(campaign=ready)

        assert (started.status, started.campaign_instance_id[:4]) == ("Active", "cid-")
        with pytest.raises(RequestRefused) as refused:
            client.campaigns.start(campaign=ready)
        assert refused.value.status == 409
        with pytest.raises(RequestRefused) as refused:
            client.campaigns.start(campaign=campaign(sandbox, "Ready", "sms"))
        assert refused.value.status == 400


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["Spring reminders", "Survey"]),
        ({"limit": 1}, ["Spring reminders", "Survey"]),
        ({"page": 1, "limit": 1}, ["Spring reminders", "Survey"]),
        ({"page": 2, "limit": 1}, ["Survey"]),
        ({"page": 2, "skip": "", "limit": 1}, ["Survey"]),
        ({"page": "", "skip": "", "limit": ""}, ["Spring reminders", "Survey"]),
        ({"page": 1, "skip": 1, "limit": 1}, ["Survey"]),
        ({"page": 3, "limit": 1}, []),
        ({"start_date": "2026-02-28"}, ["Spring reminders", "Survey"]),
        ({"start_date": "2026-03-01T00:00:00.000Z"}, []),
        ({"end_date": "2026-02-28T07:59:59.999Z"}, []),
        ({"start_date": "2026-02-01", "end_date": "2026-03-01"}, ["Spring reminders", "Survey"]),
    ],
)
def test_campaigns_are_listed_by_page_and_date(asked: dict[str, Any], names: list[str]) -> None:
    with Sandbox() as sandbox:  # whose campaigns were created on 28 February at 8
        found = connect(sandbox).campaigns.list(kind="voice", **asked)

        assert [each.name for each in found] == names


def test_contacts_are_records_after_a_while_and_once() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        found = client.contact_lists.create(name="Spring", description="All").data
        assert (found.status, found.total_record_count) == ("Ready", 0)
        for number in ("+1", "+2", "+1"):
            client.contact_lists.add(contact_list_name="Spring", contacts=[{"phoneNumber": number}])
        stored = sandbox.state.tables["contact_lists"][found.id]

        assert stored["totalRecordCount"] == 0
        sandbox.advance("5s")
        assert stored["totalRecordCount"] == 2


def test_an_agent_is_shown_in_the_queues_that_have_it() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)

        def queues_of(agent: str) -> list[tuple[str, bool]]:
            agents = client.agents.list(stream=BOT, org="o-1", include_queues=True)
            (found,) = [each for each in agents if each.id == agent]
            return [(each.name, each.agents[0].is_preferred_agent) for each in found.queues]

        def named(agent: str) -> dict[str, Any]:
            return {"userId": f"u{agent[1:]}", "aId": agent, "isPreferredAgent": True}

        assert queues_of("a-1") == [("Billing", False)]
        night = client.queues.create(
            stream=BOT, name="Night", hours=one(sandbox, "hours"), agents=[named("a-1")]
        )
        assert queues_of("a-1") == [("Billing", False), ("Night", True)]
        client.queues.update(stream=BOT, queue=night.id, extra={"name": "Late"})
        assert queues_of("a-1") == [("Billing", False), ("Late", True)]
        client.queues.update(stream=BOT, queue=night.id, extra={"agents": [named("a-2")]})
        assert queues_of("a-1") == [("Billing", False)]
        assert queues_of("a-2") == [("Billing", False), ("Late", True)]


def test_a_training_is_of_one_bot() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        job = client.training.start(bot=BOT)
        with pytest.raises(RequestRefused) as refused:
            client.training.get(bot="no-such-bot", job=job.id)
        assert refused.value.status == 404
        assert client.training.get(bot=BOT, job=job.id).id == job.id


def test_a_training_goes_on_with_the_clock() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        job = client.training.start(bot=BOT)
        seen = [job.status]
        for _ in range(2):
            sandbox.advance("25s")
            seen.append(client.training.get(bot=BOT, job=job.id).status)

        assert seen == ["running", "in progress", "success"]
        log = client.training.get(bot=BOT, job=job.id).execution_log
        assert (log.parsing.status, log.indexing.status) == ("success", "success")


@pytest.mark.parametrize(
    ("digit", "detection", "status", "code", "machine"),
    [
        ("0", None, "completed", "caller-disconnected", "disabled"),
        ("1", None, "failed", "Busy Here", None),
        ("2", "detect", "failed", "Service Unavailable", "disconnect"),
        ("3", None, "failed", "Temporarily Unavailable", None),
        ("4", "disconnect", "completed", "bot-disconnected", "amd_machine_detected"),
        ("4", "detect", "completed", "caller-disconnected", "amd_machine_detected"),
        ("5", "detect", "completed", "bot-disconnected", "amd_human_detected"),
    ],
)
def test_a_call_is_notified_once_when_it_is_over(
    digit: str, detection: str | None, status: str, code: str, machine: str | None
) -> None:
    with Sandbox() as sandbox:
        started = connect(sandbox).calls.start(
            bot=BOT,
            target=f"tel:+4930123{digit}",
            caller="4711",
            notify_url="http://127.0.0.1:9/call",
            machine_detection=detection,
        )
        before = len(sandbox.sent)
        sandbox.advance("10m")
        sents = sandbox.sent

    assert (before, len(sents)) == (0, 1)
    sent = sents[0]
    assert (sent.kind, sent.url) == ("notification", "http://127.0.0.1:9/call")
    assert sent.body["conversationId"] == started.call_id
    assert (sent.body["status"], sent.body["reasonCode"]) == (status, code)
    assert sent.body.get("machinedetection") == machine
    assert ("duration" in sent.body) == (status == "completed")


@pytest.mark.parametrize("dialect", ["reference", "samples"])
def test_objects_of_a_call_are_read_from_either_place(dialect: str) -> None:
    with Sandbox() as sandbox:
        started = connect(sandbox, dialect=dialect).calls.start(
            bot=BOT,
            target="tel:+49301230",
            caller="4711",
            metadata={"order": 7},
            timers={"toneTimeoutMs": 20000},
            threshold_word_count=3,
        )
        assert sandbox.state.get("calls", started.call_id)["status"] == "dialling"


def test_a_transfer_is_told_and_called_back() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        client.conversations.send(bot=BOT, extra=Sender().body("NA entry a-1"))
        answer = CALLS["E9"](client, sandbox)
        assert (answer.session_id, answer.agent_id, answer.status) == ("c-1", "a-2", "transferred")
        sandbox.advance("2s")
        view = sandbox.state.processor.conversation("c-1", BOT)

        (sent,) = sandbox.sent
        assert (sent.kind, sent.body["status"]) == ("transfer", "success")
        assert view is not None
        assert [segment.agent for segment in view.report.segments] == ["a-1", "a-2"]
        assert view.report.clean


@pytest.mark.parametrize(
    ("before", "target", "delivered"),
    [
        # Ordering rule 2: one agent replaces another; rule 3: consultants leave by WARM exit.
        (
            ("NA entry a-1", "WARM entry a-2", "COLD exit a-1", "COLD entry a-3"),
            "a-4",
            ["WARM exit a-2", "COLD exit a-3", "COLD entry a-4"],
        ),
        (
            ("NA entry a-1", "WARM entry a-2"),
            "a-2",
            ["WARM exit a-2", "COLD exit a-1", "COLD entry a-2"],
        ),
        (("NA entry a-1", "COLD exit a-1"), "a-2", []),
    ],
)
def test_a_transfer_is_from_the_agent_in_charge(
    before: tuple[str, ...], target: str, delivered: list[str]
) -> None:
    with Sandbox(outgoing=PostSender(hook="http://127.0.0.1:9")) as sandbox:
        client = connect(sandbox)
        for label in before:
            client.conversations.send(bot=BOT, extra=Sender().body(label))
        client.conversations.assign(
            stream=BOT, org="o-1", session="c-1", agent=target, callback_url="http://localhost/done"
        )
        sandbox.advance("2s")
        events = [each.body["events"][0] for each in sandbox.sent if each.kind == "delivery"]

    assert [
        f"{each['transfertype']} {each['transition']} {each['participant']['identity']}"
        for each in events
    ] == delivered


def test_users_without_an_address_fail_one_by_one() -> None:
    with Sandbox() as sandbox:
        people = [{"userInfo": {"emailId": each}} for each in ("kim@example.com", "kim")]
        answer = connect(sandbox).users.create(users=people)

    assert [each.user_info.email_id for each in answer.failed] == ["kim"]
    assert answer.failed[0].user_info.reason.errors[0].msg == "INVALID_EMAIL"


def test_sessions_are_the_conversations_that_were_told() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        for label in ("NA entry a-1", "agent message a-1", "NA exit a-1", "END a-1"):
            client.conversations.send(bot=BOT, extra=Sender().body(label))
        client.conversations.send(bot=BOT, extra=Sender().body("user message", conversation="c-2"))
        found = {each.session_id: each for each in client.sessions.list(bot=BOT)}
        by_id = client.sessions.list(bot=BOT, sessions=["c-1", "c-9"])

        assert found.keys() == {"c-1", "c-2"}
        assert (found["c-1"].session_status, found["c-1"].containment_type) == ("closed", "agent")
        assert (found["c-2"].session_status, found["c-2"].session_type) == (
            "active", "interactive"
        )  # fmt: skip
        assert [each.session_id for each in by_id] == ["c-1"]


def test_sessions_by_id_are_the_latest_first() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        for conversation in ("c-1", "c-2"):
            body = Sender().body("user message", conversation=conversation)
            client.conversations.send(bot=BOT, extra=body)
            sandbox.advance("1m")
        found = client.sessions.list(bot=BOT, sessions=["c-1", "c-2", "c-1"], limit=1, skip=1)

        assert [each.session_id for each in found] == ["c-2", "c-1"]


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 1),
        ({"tags": {}}, 1),
        ({"tags": {"userTags": []}}, 1),
        ({"tags": {"and": [{"name": "vip", "value": "yes"}]}}, 0),
        ({"call": "desk-7"}, 0),
        ({"call": "desk-7", "sessions": ["c-1"]}, 1),  # all other filters are ignored
        ({"containment": "agent"}, 0),
        ({"session_type": "non-interactive"}, 0),
        ({"user": "user-c-1"}, 1),
        ({"user": "kim@example.com"}, 0),
    ],
)
def test_sessions_are_filtered(filters: dict[str, Any], count: int) -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        client.conversations.send(bot=BOT, extra=Sender().body("user message"))

        assert len(list(client.sessions.list(bot=BOT, **filters))) == count


def test_a_range_of_seven_days_is_refused() -> None:
    with Sandbox() as sandbox:
        body = b'{"dateFrom": "2026-03-01", "dateTo": "2026-03-08"}'
        request = SentRequest(
            "POST", f"/api/public/bot/{BOT}/getSessions", {"auth": "x"}, body
        )  # fmt: skip
        assert sandbox.answer(request).status == 400


def test_transcription_follows_its_table() -> None:
    with Sandbox() as sandbox:
        client = connect(sandbox)
        CALLS["E1"](client, sandbox)
        with pytest.raises(RequestRefused) as refused:
            client.transcription.control(bot=BOT, conversation="c-1", action="resume", agent="a-1")
        assert refused.value.status == 409


def test_things_may_go_on_after_reads_or_at_once() -> None:
    seen = {}
    for pace in (0, 1, 2):
        with Sandbox(pace=pace) as sandbox:
            client = connect(sandbox)
            job = client.training.start(bot=BOT)
            seen[pace] = [client.training.get(bot=BOT, job=job.id).status for _ in range(5)]
            assert job.status == "running"

    assert seen == {
        0: ["success"] * 5,
        1: ["running", "in progress", "success", "success", "success"],
        2: ["running", "running", "in progress", "in progress", "success"],
    }


@pytest.mark.parametrize("pace", [0, 1, 2])
def test_what_is_never_read_goes_on_at_once_with_a_pace(pace: int) -> None:
    with Sandbox(pace=pace) as sandbox:
        client = connect(sandbox)
        client.calls.start(bot=BOT, target="tel:+490", caller="4711", notify_url="http://localhost")
        CALLS["E9"](client, sandbox)
        contacts = CALLS["E11"](client, sandbox)
        sandbox.follow()

        assert sorted(sent.body["status"] for sent in sandbox.sent) == ["completed", "success"]
        (found,) = sandbox.state.all("contact_lists")
        assert (found["totalRecordCount"], contacts.flaws) == (1, ())


def test_a_campaign_goes_on_when_it_is_listed() -> None:
    with Sandbox(pace=2) as sandbox:
        client, started = connect(sandbox), campaign(sandbox, "Ready")
        client.campaigns.start(campaign=started)
        seen = [
            {each.id: each.status for each in client.campaigns.list(kind="voice")}[started]
            for _ in range(3)
        ]

    assert seen == ["Active", "Active", "Completed"]


def test_the_clock_stands_still_until_it_is_advanced() -> None:
    with Sandbox() as sandbox:
        assert sandbox.now == START == datetime(2026, 3, 2, 8, tzinfo=UTC)
        sandbox.advance("1.5h")
        assert sandbox.now - START == timedelta(minutes=90)
