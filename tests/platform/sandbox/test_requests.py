"""What the sandbox refuses, and what it may post."""

import json
from datetime import timedelta
from typing import Any

import pytest
from tests.platform.client.recording import bad_answer, serving
from tests.server.http.tokens import SECRET, Kit

from segue.errors import ConfigurationError
from segue.platform.client import ReceivedAnswer, SentRequest
from segue.platform.sandbox import PostSender, Sandbox, SandboxClock, outgoing, post_to_loopback
from segue.platform.sandbox.clock import DueTask
from segue.platform.sandbox.outgoing import is_allowed
from segue.platform.sandbox.requests import read_request
from segue.platform.table import endpoint
from segue.server.http import Headers
from segue.server.http.jwt import JwtAuth

QUEUES = "/agentdesk/api/v1/public/st-1/queues"
DIALOUT = "/api/1.1/public/bot/st-1/voicedesk/dialout"
TRANSCRIPTION = "/api/1.1/public/bot/st-1/control/transcription?conversationId=c-1"
SESSIONS = "/api/public/bot/st-1/getSessions"
CAMPAIGNS = "/agentdesk/api/v1/public/st-1/campaign/getAllCampaignDetails"


def ask(
    sandbox: Sandbox, method: str, target: str, body: object = None, **headers: str
) -> ReceivedAnswer:
    given = {"auth": "some-token"} | headers
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    return sandbox.answer(SentRequest(method, target, given, data))


def problem(answer: ReceivedAnswer) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    value = json.loads(answer.body)
    assert isinstance(value, dict)
    assert value["status"] == answer.status
    return value


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "said"),
    [
        ("GET", "/nowhere", None, 404, "no endpoint"),
        ("DELETE", QUEUES, None, 405, "GET, POST"),
        ("POST", QUEUES, b"{", 400, "not JSON"),
        ("POST", QUEUES, [], 400, "not a JSON object"),
        ("POST", QUEUES, {}, 400, "name: Field required"),
        ("POST", QUEUES, {"name": "x", "hoursOfOperation": {"id": "h-9"}}, 400, "no hours"),
        ("PUT", f"{QUEUES}/qu-9", {}, 404, "no object in queues"),
        ("GET", f"{QUEUES}?page=x", None, 400, "page must be of type int"),
        ("GET", "/api/public/roles", None, 400, "needs the parameter roleType"),
        ("GET", "/api/public/roles?roleType=bot&limit=51", None, 400, "at most 50"),
        ("GET", "/api/public/roles?roleType=king", None, 400, "bot, admin"),
        ("POST", CAMPAIGNS, {"type": "voice"}, 400, "needs the header iid"),
        ("GET", "/sandbox/nothing", None, 404, "the kinds are"),
        ("POST", "/sandbox/advance", {"duration": "ten"}, 400, "10m"),
        ("POST", "/sandbox/queues/x/play", None, 404, "the kinds are"),
    ],
)
def test_a_request_that_does_not_fit_is_refused_with_a_problem(
    method: str, target: str, body: object, status: int, said: str
) -> None:
    with Sandbox() as sandbox:
        answer = ask(sandbox, method, target, body)

    assert answer.status == status
    assert said in problem(answer)["detail"]


def queue_body(sandbox: Sandbox, **more: Any) -> dict[str, Any]:
    hours = next(iter(sandbox.state.tables["hours"]))
    return {"name": "Night", "hoursOfOperation": {"id": hours}, **more}


def skill(**time: object) -> list[dict[str, Any]]:
    return [{"id": "s1", "isExpireEnabled": True, "expireTime": time}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 5},
        {"description": ["long"]},
        {"hoursOfOperation": {}},
        {"hoursOfOperation": {"id": "h-9"}},
        {"hoursOfOperation": "h-9"},
        {"agents": [{}]},
        {"agents": [5]},
        {"agents": [{"userId": "u-1", "aId": "a-2", "isPreferredAgent": True}]},
        {"sourceAgentGroups": 5},
        {"skills": skill(min="soon")},
        {"skills": skill(sec="1.5")},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_queue_that_cannot_be_is_refused_and_changes_nothing(
    method: str, wrong: dict[str, Any]
) -> None:
    with Sandbox() as sandbox:
        target = (
            QUEUES if method == "POST" else f"{QUEUES}/{next(iter(sandbox.state.tables['queues']))}"
        )
        before = json.dumps(sandbox.state.tables["queues"])
        answer = ask(
            sandbox, method, target, queue_body(sandbox, **wrong) if method == "POST" else wrong
        )
        after = json.dumps(sandbox.state.tables["queues"])

    assert problem(answer)["status"] == 400
    assert after == before


@pytest.mark.parametrize("time", [{"min": "1", "sec": "30"}, {"min": 1, "sec": 30}])
def test_a_queue_is_updated_with_every_member_of_the_resource(time: dict[str, object]) -> None:
    given: dict[str, Any] = {
        "name": "Nights", "maxTimeout": {"min": 5, "sec": 0}, "skills": skill(**time),
        "agents": [{"userId": "u-2", "aId": "a-2", "isPreferredAgent": True}],
    }  # fmt: skip
    with Sandbox() as sandbox:
        queue = next(iter(sandbox.state.tables["queues"]))
        answer = json.loads(ask(sandbox, "PUT", f"{QUEUES}/{queue}", given | {"id": "qu-9"}).body)

    assert (answer["id"], answer["name"], answer["isActive"]) == (queue, "Nights", True)
    assert answer["maxTimeout"] == {"min": 5, "sec": 0}
    assert answer["skills"][0]["expireTime"] == {"min": 1, "sec": 30}  # numbers in responses
    assert [each["userId"] for each in answer["agents"]] == ["u-2"]


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_skill_that_does_not_expire_has_no_time_for_it(method: str) -> None:
    given = [{"id": "s1", "isExpireEnabled": False}]
    with Sandbox() as sandbox:
        queue = "" if method == "POST" else f"/{next(iter(sandbox.state.tables['queues']))}"
        answer = ask(sandbox, method, QUEUES + queue, queue_body(sandbox, skills=given))

    assert json.loads(answer.body)["skills"] == given


GROUP = "/agentdesk/api/v1/public/st-1/skill-groups/{skill_groups}"
ASSIGN = "/agentdesk/api/v1/public/st-1/assign-conversation"
LISTS = "/agentdesk/api/v1/public/st-1/campaign/contactList/createContactList"
TRANSFER = {"callbackUrl": "http://127.0.0.1/t", "orgId": "o-1", "botSessionId": "c-1"}


@pytest.mark.parametrize(
    ("method", "target", "body", "status"),
    [
        # E6: `id` listed as required
        ("PUT", GROUP, {"name": "Languages"}, 400),
        ("PUT", GROUP, {"name": "Languages", "id": 5}, 400),
        ("PUT", GROUP, {"name": "Languages", "id": "{skill_groups}"}, 200),
        # E10: `source` string required, must be `passiveApi`
        ("POST", LISTS, {"name": "March", "description": "All"}, 400),
        ("POST", LISTS, {"name": "March", "description": "All", "source": "upload"}, 400),
        ("POST", LISTS, {"name": "March", "description": "All", "source": "passiveApi"}, 200),
        # E3: `hoursOfOperation` object; `agentGroups`: array of objects
        ("POST", QUEUES, {"name": "Night", "hoursOfOperation": "{hours}"}, 400),
        (
            "POST",
            QUEUES,
            {"name": "Night", "hoursOfOperation": {"id": "{hours}"}, "agentGroups": ["ag-1"]},
            400,
        ),
        ("POST", QUEUES, {"name": "Night", "hoursOfOperation": {"id": "{hours}"}}, 200),
        # E9: for a queue transfer send `transferredType` with value `QUEUE` and `queueId`
        ("POST", ASSIGN, {**TRANSFER, "queueId": "{queues}"}, 400),
        ("POST", ASSIGN, {**TRANSFER, "queueId": "{queues}", "transferredType": "Q"}, 400),
        ("POST", ASSIGN, {**TRANSFER, "aId": "a-1", "transferredType": "QUEUE"}, 400),
        ("POST", ASSIGN, {**TRANSFER, "queueId": "{queues}", "transferredType": "QUEUE"}, 200),
        ("POST", ASSIGN, {**TRANSFER, "aId": "a-1"}, 200),
    ],
)
def test_what_the_client_fills_is_required_of_others(
    method: str, target: str, body: dict[str, Any], status: int
) -> None:
    with Sandbox() as sandbox:
        names = {kind: next(iter(table), "") for kind, table in sandbox.state.tables.items()}
        text = json.dumps(body)
        for kind, name in names.items():
            text = text.replace(f"{{{kind}}}", name)
        headers = {"accountId": "acc-1", "iid": "st-1"}
        answer = ask(sandbox, method, target.format(**names), text.encode(), **headers)

    assert answer.status == status


AGENTS = "/agentdesk/api/v1/public/st-1/agent-groups/{agent_groups}"
SUITE = "/api/public/bot/st-1/testsuite/import"
TEST_SUITE = {"fileName": "f", "fileType": "json", "importType": "new", "delimiter": ",",
              "description": "d"}  # fmt: skip


def managers(level: str) -> list[dict[str, str]]:
    return [{"userId": "u-1", "accessLevel": level}]


CALL = {"target": "tel:+490", "caller": "1"}


@pytest.mark.parametrize(
    ("target", "body", "wrong"),
    [
        # E1: `action` string required, one of `start`, `pause`, `resume`, `end`
        (TRANSCRIPTION, {"action": "start", "agentId": "a-1"}, {"action": "stop"}),
        # E2: `disconnect`, `detect`, `disabled`
        (DIALOUT, {**CALL, "machinedetection": "detect"}, {"machinedetection": "on"}),
        (DIALOUT, {**CALL, "machineDetection": "disabled"}, {"machineDetection": "off"}),
        # E7: accessLevel: full or view
        (
            AGENTS,
            {"name": "n", "description": "d", "managers": managers("view")},
            {"managers": managers("read")},
        ),
        # E19: `importType` string (`new` or `update`); `engine`: `regression`, empty or absent
        (SUITE, TEST_SUITE, {"importType": "replace"}),
        (SUITE, {**TEST_SUITE, "engine": ""}, {"engine": "gpt"}),
        # E23: `type` `voice` or `sms`; status, allowed …; each `asc` or `desc`
        (CAMPAIGNS, {"type": "sms"}, {"type": "email"}),
        (
            CAMPAIGNS,
            {"type": "sms", "filters": {"status": ["Active"]}},
            {"filters": {"status": ["Ready", "active"]}},
        ),
        (CAMPAIGNS, {"type": "sms", "sortBy": {"name": "asc"}}, {"sortBy": {"name": "up"}}),
        # E25: `sessionType`
        (SESSIONS, {"sessionType": "interactive"}, {"sessionType": "both"}),
    ],
)
def test_a_value_outside_the_list_of_the_specification_is_refused(
    target: str, body: dict[str, Any], wrong: dict[str, Any]
) -> None:
    with Sandbox() as sandbox:
        group = next(iter(sandbox.state.tables["agent_groups"]))
        method = "PUT" if target == AGENTS else "POST"
        headers = {"accountId": "acc-1", "iid": "st-1"}
        statuses = [
            ask(sandbox, method, target.format(agent_groups=group), each, **headers).status
            for each in (body | wrong, body)
        ]

    assert statuses == [400, 200]


@pytest.mark.parametrize(("org", "hours", "agents"), [("o-1", 200, 6), ("o-2", 404, 0)])
def test_an_organization_has_its_own_queues_and_agents(org: str, hours: int, agents: int) -> None:
    with Sandbox() as sandbox:
        queue = next(iter(sandbox.state.tables["queues"]))
        assert ask(sandbox, "POST", QUEUES, queue_body(sandbox, orgId="o-2")).status == 200
        found = ask(
            sandbox,
            "GET",
            f"/agentdesk/api/public/organizations/{org}/operationshours/{queue}",
            accountId="acc-1",
            Iid="st-1",
        )
        pages = [
            ask(
                sandbox,
                "GET",
                f"/agentdesk/api/v1/public/st-1/organizations/{org}/agents?page={page}",
            )
            for page in (1, 2)
        ]

    assert found.status == hours
    assert sum(len(json.loads(page.body)["results"]) for page in pages) == agents


def test_an_unknown_organization_is_refused() -> None:
    body = {**TRANSFER, "aId": "a-1", "orgId": "o-9"}
    with Sandbox() as sandbox:
        answers = [
            ask(sandbox, "GET", "/agentdesk/api/v1/public/st-1/organizations/o-9/agents"),
            ask(sandbox, "POST", ASSIGN, body),
        ]

    assert [problem(answer)["status"] for answer in answers] == [404, 404]


def test_a_source_of_a_task_is_any_text() -> None:  # for example `rtm`
    task = {"caseId": "c", "caseRefId": "r", "taskTmp": "t", "desc": "d", "source": "email",
            "userInfo": {"_id": "u-1", "name": "Kim"}}  # fmt: skip
    with Sandbox() as sandbox:
        answer = ask(sandbox, "POST", "/caseManagement/api/public/analytics/st-1/createTask", task)

    assert json.loads(answer.body)["source"] == "email"


def test_a_transfer_that_names_an_agent_and_a_queue_goes_where_its_type_says() -> None:
    with Sandbox() as sandbox:
        queue = list(sandbox.state.tables["queues"])[1]
        both = {**TRANSFER, "aId": "a-1", "queueId": queue}
        answers = [
            json.loads(ask(sandbox, "POST", ASSIGN, body).body)
            for body in (both, both | {"transferredType": "QUEUE"})
        ]

    assert [(each.get("agentId"), each.get("queueId")) for each in answers] == [
        ("a-1", None), (None, queue),
    ]  # fmt: skip


@pytest.mark.parametrize("dates", [{"dateTo": "0001-01-02"}, {"dateFrom": "9999-12-31"}])
def test_a_range_beyond_all_dates_is_refused(dates: dict[str, str]) -> None:
    with Sandbox() as sandbox:
        assert problem(ask(sandbox, "POST", SESSIONS, dates))["status"] == 400


def test_nothing_that_was_sent_is_repeated() -> None:
    text = "Do not repeat this"
    with Sandbox() as sandbox:
        answers = [
            ask(sandbox, "POST", QUEUES, {"name": {"text": text}}),
            ask(sandbox, "GET", f"/api/public/roles?roleType={text.replace(' ', '+')}"),
            ask(sandbox, "GET", f"/{text.replace(' ', '%20')}"),
        ]

    for answer in answers:
        assert 400 <= answer.status < 500
        assert text.encode() not in answer.body


def test_a_token_is_needed_and_its_scopes_count() -> None:
    kit = Kit("HS256")
    with Sandbox(auth=JwtAuth(secret=SECRET)) as sandbox:
        given = [
            ask(sandbox, "GET", QUEUES, auth=kit.token({"appId": "cs-1", "scope": scope}))
            for scope in ("Configuration", "Routing")
        ]
        bad = ask(sandbox, "GET", QUEUES, auth="x.y.z")
    with Sandbox() as sandbox:
        missing = sandbox.answer(SentRequest("GET", QUEUES, {}, None))

    assert [answer.status for answer in given] == [200, 403]
    assert (bad.status, missing.status) == (401, 401)


TRAINING = "/api/public/bot/st-1/train"
ROLES = "/api/public/alluserroles"
FAQ = "/api/public/bot/st-1/faqs/train/status?language=en"
IMPORT = "/api/public/bot/import/status/bir-1"


@pytest.mark.parametrize(
    ("method", "target", "body", "scope", "status"),
    [
        # Authentication 5: some scopes have a name in the app builder, another in the admin console
        ("POST", SESSIONS, {}, "Bot Sessions", 200),
        ("POST", SESSIONS, {}, ["Bot Sessions"], 200),
        ("POST", SESSIONS, {}, ["Bot Analytics > Bot Sessions"], 200),
        ("POST", SESSIONS, {}, ["Bot Analytics"], 403),
        ("GET", FAQ, None, "Train FAQ", 200),
        ("GET", FAQ, None, ["Test and Train > Train FAQ"], 200),
        ("GET", FAQ, None, "Train", 403),
        ("GET", IMPORT, None, ["Bot Definition > Bot Import"], 200),
        ("GET", IMPORT, None, "Bot Import", 403),
        ("GET", QUEUES, None, "Case Management Configuration", 403),
        ("GET", QUEUES, None, "Language Configuration", 403),
        ("GET", QUEUES, None, "Case Management Configuration Configuration", 200),
        ("GET", QUEUES, None, "Configuration Case Management Configuration", 200),
        ("GET", QUEUES, None, "Management Configuration", 200),  # two that are no name together
        ("GET", QUEUES, None, ["Case Management Configuration"], 403),
        ("POST", TRAINING, {}, "Train FAQ", 403),
        ("POST", TRAINING, {}, "Train FAQ Train", 200),
        ("GET", FAQ, None, "Train Test and Train > Train FAQ", 200),
        ("POST", TRAINING, {}, "Test and Train > Train FAQ", 403),
        ("GET", ROLES, None, "anything", 200),  # Scopes of E16, E17: not shown.
    ],
)
def test_either_scope_of_an_endpoint_is_enough(
    method: str, target: str, body: object, scope: object, status: int
) -> None:
    token = Kit("HS256").token({"appId": "cs-1", "scope": scope})
    with Sandbox(auth=JwtAuth(secret=SECRET)) as sandbox:
        assert ask(sandbox, method, target, body, auth=token).status == status


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://localhost:9/x", True),
        ("https://127.0.0.1/x", True),
        ("http://[::1]:80/", True),
        ("http://hook.example/x", True),
        ("http://10.0.0.1/x", False),
        ("http://169.254.169.254/latest", False),
        ("http://localhost.evil.example/", False),
        ("file:///etc/passwd", False),
        ("http://127.0.0.1:99999/", False),
        ("http://127.0.0.1:0/", False),
        ("http://", False),
        ("http://[", False),
        ("http://localhost/a b", False),
        ("http://local\thost/", False),
    ],
)
def test_only_this_machine_and_allowed_hosts_are_called(url: str, allowed: bool) -> None:  # noqa: FBT001
    assert is_allowed(url, frozenset({"hook.example"})) is allowed


@pytest.mark.parametrize(
    "wrong",
    [
        {"notifyurl": "/relative"},
        {"notifyurl": "x"},
        {"notifyurl": ""},
        {"notifyurl": "javascript:1"},
        {"notifyurl": "//host/path"},
        {"notifyurl": "http://["},
        {"notifyurl": "http://h:x/"},
        {"target": "tel:"},
        {"target": "sip:"},
        {"target": "tel: "},
        {"target": "+490"},
    ],
)
def test_a_call_needs_a_callee_and_an_absolute_address(wrong: dict[str, str]) -> None:
    good = {"target": "sip:ada@example.com", "caller": "1", "notifyurl": "https://us.example/n"}
    with Sandbox() as sandbox:
        assert ask(sandbox, "POST", DIALOUT, good).status == 200
        refused = ask(sandbox, "POST", DIALOUT, {**good, **wrong})

    assert problem(refused)["detail"].startswith(f"{next(iter(wrong))} must be ")
    assert refused.status == 400


def test_a_callback_to_another_host_is_remembered_and_not_posted() -> None:
    posted: list[str] = []

    def post(url: str, _: object, __: bytes) -> int:
        posted.append(url)
        return 204

    with Sandbox(outgoing=PostSender(post)) as sandbox:
        for url in ("http://127.0.0.1/ok", "http://10.0.0.1/internal"):
            body = {"target": "tel:+490", "caller": "1", "notifyurl": url}
            assert ask(sandbox, "POST", DIALOUT, body).status == 200
        sandbox.advance("5m")

        assert [(sent.url, sent.status) for sent in sandbox.sent] == [
            ("http://127.0.0.1/ok", 204), ("http://10.0.0.1/internal", 0),
        ]  # fmt: skip
    assert posted == ["http://127.0.0.1/ok"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/x", "https://127.0.0.1:9/x", "http://h:x"])
def test_posting_survives_a_dead_server(url: str) -> None:
    assert post_to_loopback(url, {}, b"{}") == 0


@pytest.mark.parametrize("kind", ["slow", "slow head"])
def test_an_answer_that_drips_is_none_in_time(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "_SECONDS", 0.3)
    with serving(lambda handler: bad_answer(handler, kind)) as (url, _):
        assert post_to_loopback(url, {}, b"{}") == 0  # its status would be read in the end


def test_a_post_goes_to_path_and_query_with_its_headers() -> None:
    with serving(lambda handler: bad_answer(handler, "missing")) as (url, received):
        status = post_to_loopback(f"{url}/a/b?c=d", {"auth": "t"}, b"[1]")

    assert [(each.target, each.body, each.headers["auth"]) for each in received] == [
        ("POST /a/b?c=d", [1], "t")
    ]
    assert status == 200


def test_the_control_shows_what_there_is_and_what_was_sent() -> None:
    with Sandbox() as sandbox:
        overview = json.loads(ask(sandbox, "GET", "/sandbox").body)
        queues = json.loads(ask(sandbox, "GET", "/sandbox/queues").body)["queues"]
        advanced = json.loads(ask(sandbox, "POST", "/sandbox/advance", {"duration": "10m"}).body)
        sent = json.loads(ask(sandbox, "GET", "/sandbox/sent").body)

    assert overview["now"] == "2026-03-02T08:00:00.000Z"
    assert overview["objects"]["queues"] == len(queues) == 3
    assert advanced["now"] == "2026-03-02T08:10:00.000Z"
    assert sent == {"sent": []}


def test_no_query_of_an_address_is_shown() -> None:
    signed = "http://127.0.0.1:9/n?signature=s1gned"
    with Sandbox() as sandbox:
        ask(sandbox, "POST", DIALOUT, {**CALL, "notifyurl": signed})
        sandbox.advance(timedelta(minutes=10))
        shown = [
            ask(sandbox, "GET", f"/sandbox/{kind}").body.decode() for kind in ("calls", "sent")
        ]
        posts = sandbox.sent

    assert [post.url for post in posts] == [signed]
    assert [text.count('"http://127.0.0.1:9/n"') for text in shown] == [1, 1]
    assert [text.count("s1gned") for text in (*shown, repr(posts))] == [0, 0, 0]


def test_no_repr_of_what_is_asked_for_has_an_address() -> None:
    body = json.dumps({**CALL, "notifyurl": "http://127.0.0.1:9/n?signature=s1gned"}).encode()

    request = read_request(endpoint("E2"), {"bot": "st-1"}, "", Headers(()), body)

    assert request.body["notifyurl"].endswith("s1gned")
    assert "127.0.0.1" not in repr(request)


def test_the_same_seed_gives_the_same_ids() -> None:
    def ids(seed: int) -> list[str]:
        with Sandbox(seed=seed) as sandbox:
            return list(sandbox.state.tables["queues"])

    assert ids(1) == ids(1) != ids(2)
    assert all(each.startswith("qu-") for each in ids(1))


@pytest.mark.parametrize("duration", ["ten", "-1s", "5", "3000000d", 300, timedelta.max])
def test_a_duration_that_is_none_is_an_error(duration: Any) -> None:
    with Sandbox() as sandbox, pytest.raises(ConfigurationError):
        sandbox.advance(duration)


def test_a_clock_may_follow_the_real_one() -> None:
    moments = iter([SandboxClock().now] * 2)
    clock = SandboxClock(lambda: next(moments))
    done: list[DueTask] = []
    clock.perform = done.append
    clock.after(timedelta(0), "hang up", "calls", "1")
    clock.after(timedelta(days=1), "hang up", "calls", "2")
    clock.follow()
    assert done == [("hang up", "calls", "1")]
    clock.finish()
    assert done == [("hang up", "calls", "1"), ("hang up", "calls", "2")]
