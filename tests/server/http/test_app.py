"""The application by itself: which effects it yields and when, and what it stores."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.families import family
from tests.server.adapters.transports import through_core
from tests.server.http import world
from tests.server.http.table import CASES, E1, E21, FINE, Case
from tests.server.http.tokens import SECRET, asked
from tests.server.http.world import END, ENTRY, EXIT, READS, SENDS, THEIRS, UNSCOPED, delivery

import segue
from segue.report.schema import report_schema
from segue.server.http import (
    Body,
    BodyError,
    Headers,
    HttpApp,
    Inspector,
    Principal,
    Problem,
    ReadBody,
    Request,
    RequestLimits,
)
from segue.server.http.auth import READ
from segue.server.inspector.recent_causes import JournalCauses
from segue.server.processor import Effect, Processor, Unit, drive, perform


def build(found: Processor | None = None, **settings: Any) -> HttpApp:
    settings.setdefault("auth", segue.NoAuth())
    store = segue.MemoryStore()
    return HttpApp(found or segue.Processor(store=store), report_schema=report_schema, **settings)


def ask(app: HttpApp, method: str, target: str, body: bytes = b"", **headers: str) -> Any:
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    answer = through_core(app, Case("", 0, None, method, target, pairs, body))
    return answer.status, json.loads(answer.body or b"null")


# What is asked for, and when.


def request(*headers: tuple[str, str], to: str = E21) -> Request:
    return Request("POST", to, Headers(headers))


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("auth", "x"),),
        (("auth", THEIRS),),
        (("auth", SENDS), ("content-type", "text/plain")),
        (("auth", SENDS), ("content-length", "262145")),
        (("auth", SENDS), ("content-length", "?")),
    ],
)
def test_a_body_is_not_asked_for_before_everything_else_is_fine(
    headers: tuple[tuple[str, str], ...],
) -> None:
    assert asked(world.app(world.processor()).handle(request(*headers))) == []


def test_a_body_is_asked_for_with_the_limits() -> None:
    app = build(limits=RequestLimits(max_body_bytes=7, body_seconds=3.5))

    assert asked(app.handle(request())) == [ReadBody(7, 3.5)]


@pytest.mark.parametrize(
    ("lack", "status"),
    [(BodyError.TOO_LARGE, 413), (BodyError.TOO_SLOW, 408), (BodyError.CUT_OFF, 400)],
)
def test_a_body_that_is_not_whole_is_not_applied(lack: BodyError, status: int) -> None:
    found = segue.Processor(store=segue.MemoryStore())

    answer = drive(
        build(found).handle(request()),
        lambda ask: Body(FINE, lack) if isinstance(ask, ReadBody) else perform(ask),
    )

    assert answer.status == status
    assert found.conversations().items == ()


class _Failing(segue.MemoryStore):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error: Exception | None = error

    def load(self, *given: Any) -> Any:
        self._fail()
        return super().load(*given)

    def owners(self, *given: Any) -> Any:
        self._fail()
        return super().owners(*given)

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


@pytest.mark.parametrize(
    "error",
    [
        segue.errors.StoreUnavailable("path /secret is locked: another program holds it"),
        segue.errors.StoreConflict("secret"),
        segue.errors.SchemaTooNew("secret"),
        segue.ConfigurationError("the store was written by an earlier Segue: secret"),
    ],
)
def test_a_store_that_is_not_well_is_answered_with_a_time_to_come_back(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    store = _Failing(error)
    app = build(segue.Processor(store=store), read=True)

    for method, target, body in (("POST", E21, FINE), ("GET", "/conversations/c", b"")):
        answer = through_core(app, Case("", 0, None, method, target, (), body))
        assert (answer.status, answer.headers["retry-after"]) == (503, "2")
        assert b"secret" not in answer.body
    assert caplog.messages == [f"store unavailable: {error}"] * 2

    store.error = None
    assert ask(app, "POST", E21, FINE)[0] == 200


def test_a_store_that_does_not_answer_is_not_ready() -> None:
    class Gone(segue.MemoryStore):
        def ping(self) -> None:
            raise segue.errors.StoreUnavailable("gone")

    app = build(segue.Processor(store=Gone()))

    assert ask(app, "GET", "/readyz")[0] == 503
    assert ask(app, "GET", "/healthz") == (200, {"status": "ok"})


def test_a_process_whose_handlers_hang_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    app = build(segue.Processor(store=segue.MemoryStore()))
    assert ask(app, "GET", "/readyz")[0] == 200
    monkeypatch.setattr(segue.Processor, "is_stalled", True)

    status, problem = ask(app, "GET", "/readyz")
    assert (status, problem["type"]) == (503, "urn:segue:problem:callbacks-stalled")
    assert ask(app, "GET", "/healthz") == (200, {"status": "ok"})
    assert ask(app, "POST", E21, FINE)[0] == 200


def test_a_defect_is_not_hidden() -> None:
    app = build(segue.Processor(store=_Failing(ZeroDivisionError())))

    with pytest.raises(ZeroDivisionError):
        ask(app, "POST", E21, FINE)


# Who may do what.


class _Own:
    """An authenticator of a host's own."""

    def __init__(self, answer: Principal | Problem) -> None:
        self.answer, self.seen = answer, list[Headers]()

    def authenticate(self, headers: Headers) -> Unit[Principal | Problem]:
        self.seen.append(headers)
        yield from ()
        return self.answer


def test_a_host_may_bring_its_own_authenticator() -> None:
    own = _Own(Principal(client_id="x", bots={"st-1"}))
    app = build(auth=own)

    assert ask(app, "POST", E21, FINE, x_key="k")[0] == 200
    assert ask(app, "POST", E21.replace("st-1", "st-2"), FINE)[0] == 403
    assert own.seen[0].get("x-key") == "k"
    assert "k" not in repr(own.seen[0]).replace("x-key", "")


@pytest.mark.parametrize("permission", ["hooks", "transcription", "read"])
def test_a_principal_does_only_what_it_may(permission: str) -> None:
    app = build(auth=_Own(Principal(permissions=frozenset({permission}))), read=True)
    statuses = {
        "hooks": ask(app, "POST", E21, FINE)[0],
        "transcription": ask(app, "POST", f"{E1}?conversationId=c", b"[]")[0],
        "read": ask(app, "GET", "/feed")[0],
    }

    assert {each for each, status in statuses.items() if status != 403} == {permission}


@pytest.mark.parametrize(
    ("method", "target", "headers", "name"),
    [
        ("GET", "/conversations?limit=x", {}, "limit"),
        ("GET", "/feed?after=x", {}, "after"),
        ("GET", "/feed?wait=x", {}, "wait"),
        ("GET", "/conversations/c-open?page=x", {}, "page"),
        ("GET", "/conversations/c-open?botId=a&botId=b", {}, "botId"),
        ("GET", f"/conversations/{'x' * 1025}", {}, "conversationId"),
        ("POST", f"{E1}?conversationId=a&conversationId=b", {}, "conversationId"),
        ("POST", E21, {"idempotency-key": "k" * 1025}, "idempotency-key"),
        ("POST", E21, {"webhook-id": "k" * 1025}, "webhook-id"),
        ("POST", E21, {"idempotency-key": "a", "webhook-id": "b"}, "webhook-id"),
        ("POST", "/agentdesk/api/v1/hooks/st%00", {}, "botId"),
    ],
)
def test_a_parameter_that_cannot_be_used_is_named(
    method: str, target: str, headers: dict[str, str], name: str
) -> None:
    answered = ask(build(read=True), method, target, FINE, **headers)

    assert answered[0] == 400
    assert answered[1]["detail"].startswith(
        f"{name}: A parameter in the path, the query or the headers is "
    )


@pytest.mark.parametrize("query", ["", "?conversationId=", "?conversationid=c-open"])
def test_an_action_without_its_conversation_in_the_address_is_told_where_it_belongs(
    query: str,
) -> None:
    status, answer = ask(build(), "POST", E1 + query, b'{"action": "end", "agentId": "a-1"}')

    assert status == 400
    assert answer["detail"].startswith(
        "the address has no ?conversationId=: The body cannot be read."
    )
    assert "the address" not in ask(build(), "POST", f"{E1}?conversationId=c", b"{}")[1]["detail"]


@pytest.mark.parametrize(
    ("method", "target", "auth", "reason"),
    [
        ("GET", "/feed", SENDS, 'for read it lacks the scope "Conversations"'),
        ("POST", f"{E1}?conversationId=c", UNSCOPED, "for transcription it lacks the scope "),
        ("POST", f"/agentdesk/api/v1/hooks/{'x' * 999}", SENDS, "act for the bot of the address, "),
    ],
)
def test_the_log_says_what_a_token_lacks_and_the_answer_does_not(
    method: str, target: str, auth: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = build(auth=world.AUTH, read=True)

    with caplog.at_level("INFO", "segue.http"):
        status, answer = ask(app, method, target, FINE, auth=auth)

    assert (status, answer["detail"]) == (
        403,
        "The token lacks a scope, or may not act for this bot. Send a token that has both.",
    )
    [message] = caplog.messages
    assert message.startswith("a token does not allow this: ")
    assert reason in message
    assert len(message) < 240


def test_the_log_names_the_permission_where_no_scope_gives_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    app = build(auth=_Own(Principal()), read=True)

    with caplog.at_level("INFO", "segue.http"):
        assert ask(app, "GET", "/feed")[0] == 403

    assert caplog.messages == ['a token does not allow this: it lacks the permission "read"']


READING = ("/conversations", "/conversations/c-new", "/feed")


def test_nobody_reads_unless_that_is_configured() -> None:
    app = build()

    assert [ask(build(read=False), "GET", path)[0] for path in READING] == [404, 404, 404]
    assert [ask(app, "GET", path)[0] for path in READING] == [404, 404, 404]
    assert [ask(app, "OPTIONS", path)[0] for path in READING] == [404, 404, 404]
    assert "/feed" not in ask(app, "GET", "/openapi.json")[1]["paths"]


def test_readers_may_have_an_authenticator_of_their_own() -> None:
    reader = _Own(Principal(permissions=frozenset({READ})))
    app = build(auth=_Own(Problem.BAD_TOKEN), read=reader)

    assert ask(app, "POST", E21, FINE)[0] == 401
    assert [ask(app, "GET", path)[0] for path in READING] == [200, 404, 200]
    assert len(reader.seen) == 3


def test_a_reader_that_is_a_sender_by_mistake_is_refused_at_the_start() -> None:
    message = r'^`read` accepts no token: .* JwtAuth\(…, scopes=\{"read": "Conversations"\}\)$'
    for auth, read in (
        (world.AUTH, segue.JwtAuth(secret=SECRET)),
        (segue.JwtAuth(secret=SECRET), True),
    ):
        with pytest.raises(segue.ConfigurationError, match=message):
            build(auth=auth, read=read)


def test_a_sender_without_the_scope_of_readers_reads_nothing() -> None:
    app = build(auth=world.AUTH, read=segue.JwtAuth(secret=SECRET, scopes={"read": "all"}))

    assert [ask(app, "GET", path, auth=SENDS)[0] for path in READING] == [403, 403, 403]


# The inspector.


PAGE = Inspector(
    b"<!doctype html>", "default-src 'none'", lambda _: {"row": [], "story": {}}, JournalCauses()
)


def test_the_page_is_for_everybody_and_what_it_draws_for_readers() -> None:
    app = build(auth=world.AUTH, read=True, inspector=PAGE)
    answer = through_core(app, Case("", 0, None, "GET", "/inspect", (), b""))

    assert (answer.status, answer.body) == (200, PAGE.page)
    assert answer.headers == {
        "content-type": "text/html; charset=utf-8",
        "content-length": str(len(PAGE.page)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
    }
    head = through_core(app, Case("", 0, None, "HEAD", "/inspect", (), b""))
    assert head == answer._replace(body=b"")
    assert ask(app, "GET", "/inspect/c-1")[0] == 401
    assert ask(app, "GET", "/inspect/c-1", auth=SENDS)[0] == 403
    assert ask(app, "GET", "/inspect/c-1", auth=READS)[0] == 404


def test_what_is_drawn_is_made_outside() -> None:
    seen: list[segue.server.ConversationView] = []

    def draw(known: segue.server.ConversationView) -> Mapping[str, Any]:
        seen.append(known)
        return {"row": ["c-open"], "story": {}}

    inspector = Inspector(b"", "", draw, JournalCauses())
    app = HttpApp(
        world.processor(),
        auth=world.AUTH,
        read=True,
        inspector=inspector,
        report_schema=report_schema,
    )

    drawn = ask(app, "GET", "/inspect/c-open", auth=READS)
    assert drawn == (200, {"row": ["c-open"], "story": {}})
    assert [known.report.conversation_id for known in seen] == ["c-open"]
    assert ask(app, "GET", "/inspect/c-theirs", auth=READS)[0] == 404
    assert len(seen) == 1


def test_without_an_inspector_there_is_nothing_to_inspect() -> None:
    app = build(read=True)

    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        for path in ("/inspect", "/inspect/c-new", "/causes"):
            assert ask(app, method, path)[0] == 404
    assert "/inspect" not in ask(app, "GET", "/openapi.json")[1]["paths"]


def test_an_inspector_without_readers_is_refused() -> None:
    message = "^`inspector` needs readers: name them with read=…$"
    with pytest.raises(segue.ConfigurationError, match=message):
        build(inspector=PAGE)


# Where it is mounted.


def test_a_prefix_stands_before_every_path() -> None:
    app = build(prefix="/segue/v1")

    assert ask(app, "POST", f"/segue/v1{E21}", FINE)[0] == 200
    for path in (E21, "/segue/v1", "/segue/v1x/healthz", "/segue/v1//healthz", "/Segue/v1/healthz"):
        assert ask(app, "POST", path, FINE)[0] == 404
    document = ask(app, "GET", "/segue/v1/openapi.json")[1]
    assert document["servers"] == [{"url": "/segue/v1"}]


def test_the_document_says_where_it_is_mounted() -> None:
    assert ask(build(), "GET", "/openapi.json")[1]["servers"] == [{"url": "/"}]
    app = build(prefix="/p")
    answer = drive(app.handle(Request("GET", "/p/openapi.json", Headers(()), "", "/m")))

    assert json.loads(answer.body)["servers"] == [{"url": "/m/p"}]


@pytest.mark.parametrize(
    ("path", "methods"), [("/healthz", "GET, HEAD, OPTIONS"), (E21, "OPTIONS, POST")]
)
def test_whoever_asks_in_a_wrong_way_is_told_the_right_ones(path: str, methods: str) -> None:
    for method, status in (("PUT", 405), ("OPTIONS", 204)):
        answer = through_core(build(), Case("", 0, None, method, path, (), b""))
        assert (answer.status, answer.headers["allow"]) == (status, methods)


# Parameters.


@pytest.mark.parametrize("bot", ["st%00", "st%ff", "s" * 1025])
def test_a_bot_id_that_cannot_be_kept_is_refused_and_the_body_is_kept(bot: str) -> None:
    found = segue.Processor(store=segue.MemoryStore())
    status, answer = ask(build(found), "POST", f"/agentdesk/api/v1/hooks/{bot}", FINE)

    assert (status, answer["type"]) == (400, "urn:segue:problem:bad-parameter")
    [kept] = found.quarantined()
    assert (kept.body, kept.reason, kept.endpoint) == (FINE, answer["type"], "hooks")


@pytest.mark.parametrize(
    ("wait", "patience"), [("", None), ("wait=0", None), ("wait=0.25", 0.25), ("wait=99", 0.5)]
)
def test_a_reader_of_the_feed_waits_no_longer_than_it_may(
    wait: str, patience: float | None
) -> None:
    found = segue.Processor(store=segue.MemoryStore())
    drive(found.queries.is_ready())
    unit = build(found, read=True, limits=RequestLimits(feed_seconds=0.5)).handle(
        Request("GET", "/feed", Headers(()), wait)
    )
    patiences: list[float | None] = []

    def performing(ask: Effect[Any]) -> Any:
        patiences.append(ask.timeout)
        return perform(ask)

    answer = drive(unit, performing)

    assert answer.status == 200
    waited = [each for each in patiences if each is not None]
    assert bool(waited) is (patience is not None)
    assert all(each <= (patience or 0) for each in waited)


def test_a_page_nobody_asked_the_length_of_is_as_long_as_it_may_be() -> None:
    found = segue.Processor(store=segue.MemoryStore())
    app = build(found, read=True, limits=RequestLimits(page=2))
    for name in ("c-1", "c-2", "c-3"):
        found.receive("st-1", delivery(name, ENTRY))

    for path in ("/conversations", "/feed"):
        status, page = ask(app, "GET", path)
        assert (status, len(page["items"])) == (200, 2)


@pytest.mark.parametrize(
    "settings",
    [
        {"max_body_bytes": 0},
        {"body_seconds": 0},
        {"page": -1},
        {"max_id_length": 0},
        {"feed_seconds": -1},
    ],
)
def test_limits_under_which_nothing_passes_are_refused(settings: dict[str, Any]) -> None:
    [name] = settings
    with pytest.raises(segue.ConfigurationError, match=rf"^`{name}` must be "):
        RequestLimits(**settings)


def test_limits_may_be_as_small_as_makes_sense() -> None:
    assert RequestLimits(1, 0.1, 0, 1, 1).feed_seconds == 0


# Nothing is lost.

KEPT = [case for case in CASES if case.target.startswith((E21, E1)) and case.method == "POST"]


@family("case", KEPT, ids=lambda case: case.name)
def test_what_is_refused_to_an_authenticated_sender_is_kept_as_it_came(case: Case) -> None:
    """All that is answered 400 or 422, but for bodies whose length nobody can tell."""
    found = world.processor()
    answer = through_core(world.app(found), case)

    kept = [item.body for item in found.quarantined()]
    expected = answer.status in (400, 422) and case.problem != "bad-length"
    assert kept == ([case.body] if expected else [])


# What belongs to whom.

TOKENS = {"st-1": SENDS, "st-9": THEIRS}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["st-1", "st-9"]),
            st.sampled_from(["st-1", "st-9"]),
            st.sampled_from(["c-1", "c-2", "c-3"]),
            st.booleans(),
        ),
        max_size=12,
    )
)
def test_a_token_neither_writes_nor_reads_what_belongs_to_another_bot(
    steps: list[tuple[str, str, str, bool]],
) -> None:
    """Each bot has its own conversations, whatever their ids; nobody else changes or sees them."""
    found = segue.Processor(store=segue.MemoryStore())
    app, events = world.app(found), dict[tuple[str, str], int]()
    for holder, bot, name, control in steps:
        before = _accounts(found)
        if control:
            target, body = f"{E1.replace('st-1', bot)}?conversationId={name}", world.action("start")
        else:
            target, body = E21.replace("st-1", bot), delivery(name, ENTRY, bot=bot)
        status, answer = ask(app, "POST", target, body, auth=TOKENS[holder])

        assert (status == 403) is (holder != bot)
        if holder == bot:
            events[bot, name] = events.get((bot, name), 0) + (not control)
            continue
        assert _accounts(found) == before
        assert answer["findings"] == []
        assert name not in json.dumps(answer)
    for _, _, name, _ in steps:
        for query in ("", "?botId=st-1", "?botId=st-9"):
            status, answer = ask(app, "GET", f"/conversations/{name}{query}", auth=READS)
            seen = None if query.endswith("9") else events.get(("st-1", name))
            assert status == (404 if seen is None else 200)
            assert answer.get("events") == seen
    listed = ask(app, "GET", "/conversations", auth=READS)[1]["items"]
    assert {row["bot_id"] for row in listed} <= {"st-1"}
    news = ask(app, "GET", "/feed", auth=READS)[1]["items"]
    assert {row["bot_id"] for row in news} <= {"st-1"}


def _accounts(found: Processor) -> list[Any]:
    rows = found.conversations().items
    known = [found.conversation(row.conversation_id, row.bot_id) for row in rows]
    return [None if each is None else each.to_dict() for each in known]


@given(st.lists(st.tuples(st.sampled_from([ENTRY, EXIT, END]), st.booleans()), max_size=6))
def test_a_stranger_is_answered_as_if_the_conversation_were_unknown(
    events: list[tuple[Any, bool]],
) -> None:
    """Whatever the owner has sent, the answers to another bot do not show it."""
    used, unused = (segue.Processor(store=segue.MemoryStore()) for _ in range(2))
    for event, is_named in events:
        used.receive("st-9", delivery("c-1", event, bot="st-9"), delivery_id="d" * is_named)
    theirs = [
        ("POST", E21, delivery("c-1", ENTRY)),
        ("POST", E21, delivery("c-1", EXIT, bot="st-9")),
        ("POST", f"{E1}?conversationId=c-1", world.action("start")),
        ("GET", "/conversations/c-1", b""),
        ("GET", "/conversations/c-1?botId=st-9", b""),
        ("GET", "/inspect/c-1?botId=st-9", b""),
    ]
    for method, target, body in theirs:
        headers = (("auth", SENDS if method == "POST" else READS), ("idempotency-key", "d"))
        case = Case("", 0, None, method, target, headers, body)
        one, other = (through_core(world.app(found), case) for found in (used, unused))
        assert (one.status, _timeless(one.body)) == (other.status, _timeless(other.body))


def _timeless(body: bytes) -> bytes:
    return re.sub(rb"20[0-9]{2}-[0-9T:.+-]+", b"", body)


def test_a_reader_of_several_bots_is_asked_which_one_is_meant() -> None:
    found = segue.Processor(store=segue.MemoryStore())
    for bot in ("st-2", "st-1"):
        found.receive(bot, delivery("c-1", *[ENTRY] * int(bot[-1]), bot=bot))
    app = build(found, read=True)

    status, answer = ask(app, "GET", "/conversations/c-1")
    assert (status, answer["type"]) == (409, "urn:segue:problem:several-conversations")
    assert answer["bots"] == ["st-1", "st-2"]
    status, answer = ask(app, "GET", "/conversations/c-1?botId=st-2")
    assert (status, answer["bot_id"], answer["events"]) == (200, "st-2", 2)
    assert ask(app, "GET", "/conversations/c-1?botId=st-3")[0] == 404


def test_a_conversation_shows_how_many_of_its_deliveries_were_refused() -> None:
    policy = segue.Policy(reject=("SG101",))
    found = segue.Processor(store=segue.MemoryStore(), policy=policy)
    app = build(found, read=True)

    def send(body: bytes, **headers: str) -> int:
        status: int = ask(app, "POST", E21, body, **headers)[0]
        return status

    def refused(conversation: str) -> object:
        return ask(app, "GET", f"/conversations/{conversation}")[1]["refused"]

    assert send(delivery("c-1", EXIT)) == 422  # rejected, before the conversation begins
    assert send(delivery("c-1", ENTRY), idempotency_key="d-1") == 200
    assert send(delivery("c-2", ENTRY)) == 200
    assert (refused("c-1"), refused("c-2")) == (1, 0)
    assert send(delivery("c-1", EXIT), idempotency_key="d-1") == 422  # another body
    assert send(delivery("c-1")) == 422  # no events
    assert send(b"{") == 400
    assert (refused("c-1"), refused("c-2")) == (3, 0)

    first, *_ = found.quarantined()
    assert found.resubmit(first).outcome == "applied"
    assert refused("c-1") == 2
    view = found.conversation("c-1")
    assert view is not None
    assert view.refused == 2


def test_a_held_delivery_is_answered_200_and_listed_with_its_conversation() -> None:
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    store, patience = segue.MemoryStore(), timedelta(seconds=5)
    app = build(segue.Processor(store=store, patience=patience, clock=lambda: at), read=True)

    status, answer = ask(app, "POST", E21, delivery("c-1", EXIT), idempotency_key="d-1")

    assert (status, answer["held"], answer["duplicate"]) == (200, True, False)
    assert (answer["phase"], answer["findings"]) == ("waiting", [])
    _, again = ask(app, "POST", E21, delivery("c-1", EXIT), idempotency_key="d-1")
    assert (again["duplicate"], "held" in again) == (True, False)
    _, shown = ask(app, "GET", "/conversations/c-1")
    assert shown["held"] == [
        {
            "delivery_id": "d-1",
            "received_at": "2026-03-02T09:00:00+00:00",
            "deadline": "2026-03-02T09:00:05+00:00",
            "codes": ["SG101"],
        }
    ]
    _, entered = ask(app, "POST", E21, delivery("c-1", ENTRY))
    assert (entered["phase"], "held" in entered) == ("released", False)
