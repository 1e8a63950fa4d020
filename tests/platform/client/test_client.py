"""What a client does with its options, with answers, and with pages."""

import asyncio
import json
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from tests.builders import Nowhere
from tests.platform.client.calling import TOKEN, Script

from docs.client_methods import main as write_methods
from segue.errors import ConfigurationError
from segue.platform.client import (
    AsyncClient,
    CannotPage,
    Client,
    HttpTransport,
    MemoryTransport,
    PlatformUnreachable,
    ReceivedAnswer,
    RequestRefused,
    SentRequest,
)
from segue.platform.client.exchange import PauseFor, SendNow, Settings, exchange
from segue.platform.table import endpoint

SENT = "Sun, 06 Nov 1994 08:49:37 GMT"
BUSY = ReceivedAnswer(503, {"retry-after": "0"}, b"")


def test_a_result_has_what_was_received() -> None:
    client = Script({"id": "qu-1", "isActive": 1, "added": 2}).client(account="a1", app="st-1")

    queue = client.queues.create(stream="st-1", name="Billing", hours="h-1")

    assert (queue.id, queue.is_active, queue.model_extra) == ("qu-1", None, {"added": 2})
    assert queue.raw
    assert json.loads(queue.raw.body) == {"id": "qu-1", "isActive": 1, "added": 2}
    assert [flaw.pointer for flaw in queue.flaws] == ["/isActive"]


def test_a_strict_client_refuses_what_does_not_fit() -> None:
    client = Script({"id": 7}).client(strict=True)

    with pytest.raises(RequestRefused, match="SG503 /id"):
        client.queues.create(stream="st-1", name="Billing", hours="h-1")


def test_a_refusal_says_what_the_platform_said_without_the_token() -> None:
    headers = {"x-request-id": f"r-7 {TOKEN}"}
    answer = ReceivedAnswer(403, headers, f"no\x1b scope: {TOKEN}".encode())

    with pytest.raises(RequestRefused) as caught:
        Script(answer).client().training.start(bot="st-1")

    error = caught.value
    assert (error.status, error.endpoint, error.request_id) == (403, "E14", "r-7 ***")
    assert error.problem == "no scope: ***"


def test_no_token_is_shown() -> None:
    script = Script({})
    client = script.client()
    client.training.start(bot="st-1")

    assert TOKEN not in repr((client, vars(client), script.asked))
    assert script.asked[0].headers["auth"] == TOKEN


@pytest.mark.parametrize("token", ["", "two words", "line\r\nX: y", "é"])
def test_a_token_that_no_header_can_hold_is_refused_without_showing_it(token: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^the token must be visible ASCII text without spaces$"
    ):
        Client("https://h", token=token)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "h",
            "ftp://h",
            "https://",
            "https://u:p@h",
            "https://h?x=1",
            "http://[",
            "http://h:x",
        ),
        *("https://exa mple", "https://a\tb", "http://a..b", "https://h/a b", f"http://{'a' * 70}"),
    ],
)
def test_a_wrong_base_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="base URL"):
        Client(url, token=TOKEN)
    with pytest.raises(ConfigurationError, match="base URL"):
        HttpTransport(url)


@pytest.mark.parametrize(
    "url", ["https://b\u00fccher.example", "http://[::1]:8080", "HTTP://h/v1/"]
)
def test_a_host_of_other_letters_or_numbers_is_a_base_url(url: str) -> None:
    HttpTransport(url)


@pytest.mark.parametrize(
    "url", ["http://platform.example.com", "HTTP://10.0.0.1:8080/v1", "http://localhost.example"]
)
@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_token_over_plain_http_to_another_host_is_refused(kind: Any, url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"unencrypted: use .* https://") as caught:
        kind(url, token=TOKEN)
    assert TOKEN not in str(caught.value)
    with pytest.raises(ConfigurationError, match="unencrypted"):
        kind(url, token=TOKEN, transport=MemoryTransport(Script({})))


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://localhost", "http://[::1]:80/v1"])
def test_a_token_over_plain_http_to_this_machine_is_accepted(url: str) -> None:
    Client(url, token=TOKEN).close()


def test_the_time_of_a_call_covers_the_check_of_its_answer() -> None:
    now = [0.0]
    settings = Settings(TOKEN, timeout=2.0)
    call = exchange(settings, endpoint("E4"), {"stream": "st-1"}, None, lambda: now[0])
    sent = next(call)
    assert isinstance(sent, SendNow)
    assert sent.timeout == 2.0
    now[0] = 2.0
    with pytest.raises(PlatformUnreachable, match="in time"):
        call.send(ReceivedAnswer(200, {}, b'{"results": [], "hasMore": false}'))


@pytest.mark.parametrize("size", [16 * 1024 * 1024, 16 * 1024 * 1024 + 1])
def test_an_answer_of_any_transport_is_read_up_to_a_limit(size: int) -> None:
    script = Script(ReceivedAnswer(200, {}, b" " * size))
    if size > 16 * 1024 * 1024:
        with pytest.raises(PlatformUnreachable, match="longer than 16777216 bytes"):
            script.client().training.start(bot="st-1")
    else:
        assert script.client().training.start(bot="st-1").flaws[0].code == "SG501"
    assert len(script.asked) == 1


def queue_pages() -> Script:
    return Script(
        {"results": [{"id": "qu-1"}, {"id": 5}], "hasMore": True},
        {"results": [{"id": "qu-2"}], "hasMore": False},
    )


def test_pages_have_a_first_item_a_length_and_a_short_repr() -> None:
    script = queue_pages()
    pages = script.client().queues.list(stream="st-1")
    assert repr(pages) == "<Pages queues.list: 0 items so far>"
    assert (len(script.asked), bool(pages)) == (0, True)

    first = pages.first()
    assert first is not None
    assert (first.id, pages.first(), len(script.asked)) == ("qu-1", first, 1)
    assert repr(pages) == "<Pages queues.list: 2 items so far>"
    with pytest.raises(TypeError, match="after the last page"):
        len(pages)

    assert [each.id for each in pages] == ["qu-1", None, "qu-2"]
    assert (len(pages), repr(pages)) == (3, "<Pages queues.list: 3 items>")
    assert pages.first() is first
    assert ([flaw.code for flaw in pages.flaws], pages.flaw_count) == (["SG503"], 1)


def test_the_only_page_has_a_length_at_once() -> None:
    script = Script({"results": [{"id": "qu-1"}], "hasMore": False})
    pages = script.client().queues.list(stream="st-1")
    assert (len(pages), len(script.asked)) == (1, 1)
    assert [each.id for each in pages] == ["qu-1"]


def test_an_empty_list_has_no_first_item() -> None:
    pages = Script({"results": [], "hasMore": False}).client().queues.list(stream="st-1")
    assert pages.first() is None
    assert (len(pages), bool(pages), list(pages)) == (0, False, [])


def test_async_pages_have_the_same() -> None:
    async def read() -> None:
        script = queue_pages()
        client = AsyncClient("https://h", token=TOKEN, transport=MemoryTransport(script))
        pages = client.queues.list(stream="st-1")
        assert repr(pages) == "<AsyncPages queues.list: 0 items so far>"
        with pytest.raises(TypeError, match="after the last page"):
            len(pages)
        first = await pages.first()
        assert first is not None
        assert (first.id, len(script.asked)) == ("qu-1", 1)
        assert [each.id async for each in pages] == ["qu-1", None, "qu-2"]
        assert (len(pages), repr(pages)) == (3, "<AsyncPages queues.list: 3 items>")

    asyncio.run(read())


def test_flaws_of_all_pages_are_kept_up_to_a_limit() -> None:
    wrong = [{"id": f"{page}", "name": 1} for page in range(60)]
    script = Script(
        {"results": wrong, "hasMore": True},
        {"results": [each | {"id": f"b{each['id']}"} for each in wrong], "hasMore": False},
    )
    pages = script.client().queues.list(stream="st-1")
    assert len(list(pages)) == 120
    assert (len(pages.flaws), pages.flaw_count) == (100, 120)


def test_a_token_may_be_asked_for_each_time() -> None:
    script = Script({})
    tokens = iter(["t1", "t2"])
    client = Client("https://h", token=lambda: next(tokens), transport=MemoryTransport(script))

    client.training.start(bot="st-1")
    client.training.start(bot="st-1")

    assert [request.headers["auth"] for request in script.asked] == ["t1", "t2"]


def test_the_webhook_sample_names_another_header() -> None:
    script = Script({})
    body = {"conversationId": "c-1", "botId": "st-1"}

    script.client(dialect="samples").conversations.send(bot="st-1", extra=body)

    assert (script.asked[0].headers["token"], script.bodies) == (TOKEN, [body])


def test_what_is_safe_is_sent_again() -> None:
    script = Script(BUSY, BUSY, {"_id": "fjg-1", "status": "success"})

    assert script.client().training.get(bot="st-1", job="fjg-1").status == "success"
    assert len(script.asked) == 3


def test_a_post_is_sent_once_unless_asked() -> None:
    once, again = Script(BUSY, {}), Script(BUSY, {})

    with pytest.raises(RequestRefused):
        once.client().training.start(bot="st-1")
    again.client(repeat_posts=True).training.start(bot="st-1")

    assert (len(once.asked), len(again.asked)) == (1, 2)


def test_an_update_sent_as_post_is_sent_once() -> None:
    script = Script(BUSY)
    client = script.client(dialect="samples")

    with pytest.raises(RequestRefused):
        client.skill_groups.update(stream="st-1", skill_group="5f", name="L")
    assert len(script.asked) == 1


def test_a_wait_beyond_the_time_of_the_call_is_not_begun() -> None:
    for seconds in ("60", "99999999999", "9" * 5000):
        script = Script(ReceivedAnswer(429, {"retry-after": seconds}, b""))

        with pytest.raises(RequestRefused, match="429"):
            script.client().training.get(bot="st-1", job="fjg-1")
        assert len(script.asked) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"date": SENT, "retry-after": "Sun, 06 Nov 1994 08:49:42 GMT"}, 5.0),
        ({"date": SENT, "retry-after": "Sun, 06 Nov 1994 08:00:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 06 Nov 1994 08:49:42 GMT"}, 0.0),  # by our clock
        ({"date": SENT, "retry-after": "soon"}, 0.25),
        ({"date": "Sun, 06 Nov 1994 08:49:37 -0000", "retry-after": SENT}, 0.0),
        ({"date": SENT, "retry-after": "1.5"}, 0.25),
        ({}, 0.25),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float) -> None:
    arguments = {"bot": "st-1", "job": "fjg-1"}
    flow = exchange(Settings(TOKEN), endpoint("E15"), arguments, None, lambda: 0.0)
    flow.send(None)

    assert flow.send(ReceivedAnswer(503, headers, b"")) == PauseFor(seconds)


def test_a_date_to_retry_after_without_one_beside_it_is_held_against_our_clock() -> None:
    arguments = {"bot": "st-1", "job": "fjg-1"}
    flow = exchange(Settings(TOKEN, timeout=3600.0), endpoint("E15"), arguments, None, lambda: 0.0)
    at = datetime.now(UTC) + timedelta(minutes=20)
    flow.send(None)

    paused = flow.send(ReceivedAnswer(503, {"retry-after": f"{at:%a, %d %b %Y %H:%M:%S} GMT"}, b""))

    assert isinstance(paused, PauseFor)
    assert 1100 < paused.seconds <= 1200


def test_users_that_were_not_created_are_listed_whatever_the_status() -> None:
    failed = {"userInfo": {"emailId": "x"}, "reason": {"errors": [{"msg": "INVALID_EMAIL"}]}}
    script = Script({"failedUserDetails": [failed]}, status=400)

    created = script.client().users.create(users=[{"userInfo": {"emailId": "x"}}])

    [one] = created.failed
    assert one.reason
    assert one.reason.errors
    assert one.reason.errors[0].msg == "INVALID_EMAIL"


def test_pages_of_queues_are_followed_by_number() -> None:
    first = {"results": [{"id": "qu-1"}], "hasMore": True}
    script = Script(first, {"results": [{"id": "qu-2"}], "hasMore": False})
    queues = script.client().queues.list(stream="st-1")

    assert queues.raw
    assert queues.raw.status == 200
    assert [queue.id for queue in queues] == ["qu-1", "qu-2"]
    assert [request.target.partition("?")[2] for request in script.asked] == ["", "page=2"]


def test_pages_that_repeat_themselves_and_promise_more_end_with_an_error() -> None:
    queues = iter(
        Script({"results": [{"id": "qu-1"}], "hasMore": True}).client().queues.list(stream="st-1")
    )

    assert next(queues).id == "qu-1"
    with pytest.raises(CannotPage, match=r"queues.list \(E4\)"):
        next(queues)


def test_a_page_of_items_without_ids_that_comes_again_is_the_last() -> None:
    queues = iter(Script({"results": [{}], "hasMore": True}).client().queues.list(stream="st-1"))

    assert next(queues).id is None
    with pytest.raises(CannotPage, match="nothing new"):
        next(queues)
    agents = Script({"results": [{}]}).client().agents.list(stream="st-1", org="o-1")
    assert [agent.id for agent in agents] == [None]


def test_a_page_of_which_nothing_fits_is_not_the_last() -> None:
    agents = Script({"results": [5]}, {"results": [{"id": "a-1"}]}, {"results": []})
    sessions = Script(
        {"sessions": ["s-1"], "moreAvailable": True},
        {"sessions": [{"sessionId": "s-2"}], "moreAvailable": False},
    )

    found = agents.client().agents.list(stream="st-1", org="o-1")
    assert [agent.id for agent in found] == ["a-1"]
    assert [flaw.pointer for flaw in found.flaws] == ["/results/0"]
    kept = sessions.client().sessions.list(bot="st-1", limit=1)
    assert [session.session_id for session in kept] == ["s-2"]
    assert [body.get("skip") for body in sessions.bodies] == [None, 1]


@pytest.mark.parametrize("last", [[], [{"id": "a-2"}]], ids=["empty", "repeated"])
def test_pages_of_agents_end_where_nothing_is_new(last: list[dict[str, str]]) -> None:
    script = Script({"results": [{"id": "a-1"}]}, {"results": [{"id": "a-2"}]}, {"results": last})

    agents = script.client().agents.list(stream="st-1", org="o-1", include_queues=True)

    assert [agent.id for agent in agents] == ["a-1", "a-2"]
    assert len(script.asked) == 3


def test_campaigns_are_skipped_by_what_was_there() -> None:
    script = Script(
        {"status": "success", "data": {"results": [{"id": "cd-1"}, 7], "hasMore": True}},
        {"status": "success", "data": {"results": [{"id": "cd-2"}], "hasMore": False}},
    )
    found = script.client(account="a", app="s").campaigns.list(kind="voice", limit=2)

    assert [campaign.id for campaign in found] == ["cd-1", "cd-2"]
    asked = {"type": "voice", "limit": 2}
    assert script.bodies == [asked, {**asked, "skip": 2}]
    assert [flaw.pointer for flaw in found.flaws] == ["/data/results/1"]


def test_roles_beyond_the_limit_cannot_be_had() -> None:
    client = Script({"roles": [{"_id": "r1"}], "availableMore": True}).client()
    roles = iter(client.roles.list(role_type="bot", limit=50))

    assert next(roles).id == "r1"
    with pytest.raises(CannotPage, match="E16"):
        next(roles)


def test_the_first_page_is_shown_though_there_is_more() -> None:
    empty = {"roles": [], "availableMore": True}
    roles = Script(empty).client().roles.list(role_type="bot", limit=50)

    assert roles.raw
    assert json.loads(roles.raw.body) == empty
    with pytest.raises(CannotPage, match="E16"):
        list(roles)


def test_the_first_page_is_shown_though_the_items_are_on_the_next() -> None:
    script = Script({"results": [5]}, {"results": [{"id": "a-1"}]}, {"results": []})
    agents = script.client().agents.list(stream="st-1", org="o-1")

    assert agents.raw
    assert (json.loads(agents.raw.body), len(script.asked)) == ({"results": [5]}, 1)
    assert [agent.id for agent in agents] == ["a-1"]


def test_a_long_range_of_sessions_is_split_and_each_session_had_once() -> None:
    script = Script(
        {"sessions": [{"sessionId": "3"}, {"sessionId": "2"}], "moreAvailable": False},
        {"sessions": [{"sessionId": "2"}], "moreAvailable": True},
        {"sessions": [{"sessionId": "1"}], "moreAvailable": False},
    )
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)

    sessions = list(script.client().sessions.list(bot="st-1", since=since, until=until))

    assert [each.session_id for each in sessions] == ["3", "2", "1"]
    middle, start = "2026-03-02T00:00:00.001Z", "2026-03-01T00:00:00.000Z"
    assert script.bodies == [
        {"dateFrom": middle, "dateTo": "2026-03-09T00:00:00.000Z"},
        {"dateFrom": start, "dateTo": middle},
        {"dateFrom": start, "dateTo": middle, "skip": 1},
    ]


def one_session_a_day(request: SentRequest) -> ReceivedAnswer:
    """Answer E25 for a session at noon of each day of March 2026, the latest first."""
    body = json.loads(request.body or b"{}")
    since, until = (datetime.fromisoformat(body[name]) for name in ("dateFrom", "dateTo"))
    assert until - since < timedelta(days=7)
    noons = [datetime(2026, 3, day, 12, tzinfo=UTC) for day in range(31, 0, -1)]
    found = [{"sessionId": f"s-{noon.day}"} for noon in noons if since <= noon <= until]
    at, size = body.get("skip", 0), body.get("limit", 100)
    answer = {
        "total": len(found),
        "sessions": found[at : at + size],
        "moreAvailable": at + size < len(found),
    }
    return ReceivedAnswer(200, {}, json.dumps(answer).encode())


@pytest.mark.parametrize("limit", [None, 1, 2, 100])
@pytest.mark.parametrize("skip", [0, 1, 2, 7, 8, 19, 20, 25])
def test_sessions_of_a_long_range_are_skipped_once(skip: int, limit: int | None) -> None:
    client = Client("https://h", token=TOKEN, transport=MemoryTransport(one_session_a_day))
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 21, tzinfo=UTC)

    found = client.sessions.list(bot="st-1", since=since, until=until, skip=skip, limit=limit)

    expected = [f"s-{day}" for day in range(20, 0, -1)][skip:]
    assert [session.session_id for session in found] == expected


def test_sessions_of_a_short_range_are_skipped_by_the_platform() -> None:
    script = Script({"sessions": [{"sessionId": "1"}], "moreAvailable": False})
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 7, tzinfo=UTC)

    found = list(script.client().sessions.list(since=since, until=until, skip=2))

    assert [session.session_id for session in found] == ["1"]
    assert [body["skip"] for body in script.bodies] == [2]


def test_a_session_that_is_skipped_does_not_come_with_the_next_window() -> None:
    script = Script(
        {"sessions": ["unreadable", {"sessionId": "3"}, {"sessionId": "2"}],
         "moreAvailable": False},
        {"sessions": [{"sessionId": "2"}, {"sessionId": "1"}], "moreAvailable": False},
    )  # fmt: skip
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)

    found = list(script.client().sessions.list(since=since, until=until, skip=3))

    assert [session.session_id for session in found] == ["1"]
    assert [body.get("skip") for body in script.bodies] == [None, None]


@pytest.mark.parametrize("skip", ["2", 1.5, True])
def test_what_is_no_number_is_not_skipped_in_a_long_range(skip: Any) -> None:
    client = Client("https://h", token=TOKEN, transport=MemoryTransport(one_session_a_day))
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 21, tzinfo=UTC)

    with pytest.raises(ConfigurationError, match="skip"):
        list(client.sessions.list(since=since, until=until, skip=skip))


def test_a_range_may_be_dates_text_or_open() -> None:
    script = Script({"sessions": [], "moreAvailable": False})
    client = script.client()

    list(client.sessions.list(since=date(2026, 3, 1)))
    list(client.sessions.list(since="2026-03-01", until="2026-03-02"))

    assert script.bodies == [
        {"dateFrom": "2026-03-01T00:00:00.000Z"},
        {"dateFrom": "2026-03-01", "dateTo": "2026-03-02"},
    ]
    with pytest.raises(ConfigurationError, match="zone"):
        client.sessions.list(since=datetime(2026, 3, 1))  # noqa: DTZ001 - refused
    with pytest.raises(ConfigurationError, match="zone"):
        client.sessions.list(since=datetime(2026, 3, 1, tzinfo=Nowhere()))
    with pytest.raises(ConfigurationError, match="must not be after"):
        client.sessions.list(since=date(2026, 3, 2), until=date(2026, 3, 1))


@pytest.mark.parametrize(
    "moment",
    [
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-14))),
    ],
)
def test_a_time_without_one_in_utc_is_refused(moment: datetime) -> None:
    with pytest.raises(ConfigurationError, match="is not between year 1 and 9999 in UTC"):
        Script({}).client().sessions.list(since=moment, until=moment)


def test_a_transport_that_is_empty_is_not_closed() -> None:
    class Empty(MemoryTransport):
        def __len__(self) -> int:
            return 0

        def close(self) -> None:
            raise AssertionError

    Client("https://h", token=TOKEN, transport=Empty(Script({}))).close()


def test_an_async_client_reads_pages_and_waits() -> None:
    script = Script(BUSY, {"results": [{"id": "qu-1"}], "hasMore": False})

    async def run() -> list[str | None]:
        transport = MemoryTransport(script)
        async with AsyncClient("https://h", token=TOKEN, transport=transport) as client:
            queues = client.queues.list(stream="st-1")
            assert queues.raw is None
            return [queue.id async for queue in queues]

    assert asyncio.run(run()) == ["qu-1"]


def test_a_client_can_be_entered_and_its_options_are_checked() -> None:
    with Script({}).client() as client:
        assert repr(client) == "Client('MemoryTransport')"
    with Client("https://h", token=TOKEN) as client:
        assert repr(client) == "Client('https://h')"
    with pytest.raises(ConfigurationError, match="`timeout` must be positive"):
        Client("https://h", token=TOKEN, timeout=timedelta(0))
    seconds: Any = 3
    with pytest.raises(ConfigurationError, match="`timeout` must be a timedelta, got 3: use"):
        Client("https://h", token=TOKEN, timeout=seconds)


def test_the_methods_are_those_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert (write_methods(["--check"]), capsys.readouterr().out) == (0, "")


def test_importing_the_client_imports_no_model_and_no_event_loop() -> None:
    script = "import sys, segue.platform.client; print({'pydantic', 'asyncio'} & set(sys.modules))"

    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "set()\n"
