"""The conformance table: malformed and odd requests, and the answer the design gives each.

Every row is written by hand from the table of statuses: name, status, and the type of the problem
(None: it is answered as wished). A `lacking` row announces more than it sends.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.server.http.tokens import Kit, encode
from tests.server.http.world import (
    BEN,
    BOTLESS,
    END,
    ENTRY,
    EXIT,
    READS,
    SENDS,
    THEIRS,
    UNSCOPED,
    action,
    delivery,
    transfer,
)

E21 = "/agentdesk/api/v1/hooks/st-1"
E1 = "/api/1.1/public/bot/st-1/control/transcription"
JSON = ("content-type", "application/json")
AUTH = ("auth", SENDS)
HEADERS = (AUTH, JSON)
FINE = delivery("c-new", ENTRY)

Pairs = tuple[tuple[str, str], ...]


class Case(NamedTuple):
    """One request, and what it is answered."""

    name: str
    status: int
    problem: str | None
    method: str
    target: str
    """Path and query, percent-encoded."""
    headers: Pairs
    body: bytes
    lacking: bool = False


def _post(
    name: str,
    status: int,
    problem: str | None,
    body: bytes = FINE,
    *,
    to: str = E21,
    headers: Pairs = HEADERS,
    lacking: bool = False,
) -> Case:
    return Case(name, status, problem, "POST", to, headers, body, lacking)


def _get(name: str, status: int, problem: str | None, to: str, *headers: tuple[str, str]) -> Case:
    return Case(name, status, problem, "GET", to, headers, b"")


def _routes() -> Iterator[Case]:
    gone = "no-route"
    for path in (
        "/",
        "//",
        "/agentdesk",
        "/agentdesk/api/v1/hooks",
        "/agentdesk/api/v1/hooks/",
        "/agentdesk/api/v1/hooks/st-1/more",
        "/agentdesk/api/v1/hooks/st%2F1",
        "/agentdesk/api/v1/hooks/st%252f1",
        "/agentdesk/api/v1/hooks//",
        "/healthz//",
        "/agentdesk/api/v2/hooks/st-1",
        "/Agentdesk/api/v1/hooks/st-1",
        "/agentdesk/api/v1/hooks/st-1%20/x",
        "/api/1.1/public/bot//control/transcription",
        "/api/1.0/public/bot/st-1/control/transcription",
        "/api/1.1/public/bot/st-1/control",
        "/api/1.1/public/bot/a/b/control/transcription",
        "/healthz/x",
        "/openapi.json/",
        "/conversation",
        "/conversations/",
        "/feed/",
        "/inspect/",
        "/inspector",
        "/.env",
        "/%00",
        "/%FF%FE",
        "/index.php",
    ):
        yield _post(f"path {path}", 404, gone, to=path)
    yield _get("get nothing", 404, gone, "/")
    yield _get("get a long path", 404, gone, "/" + "a" * 3000)
    for method in ("GET", "PUT", "DELETE", "PATCH", "HEAD", "PROPFIND"):
        yield Case(f"{method} E21", 405, "wrong-method", method, E21, HEADERS, b"")
        yield Case(f"{method} E1", 405, "wrong-method", method, E1, HEADERS, b"")
    for path in (
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/feed",
        "/conversations/c-open",
        "/inspect",
        "/inspect/c-open",
        "/causes",
    ):
        yield Case(f"POST {path}", 405, "wrong-method", "POST", path, HEADERS, b"{}")
        yield Case(f"DELETE {path}", 405, "wrong-method", "DELETE", path, HEADERS, b"")
    yield Case("wrong method without a token", 405, "wrong-method", "GET", E21, (), b"")
    yield Case("unknown route without a token", 404, gone, "POST", "/x", (), FINE)


def _tokens() -> Iterator[Case]:
    none, bad, not_allowed = "no-token", "bad-token", "not-allowed"
    authorization = ("authorization", f"Bearer {SENDS}")
    expired = Kit("HS256").token({"exp": 1})
    unsigned = ".".join((encode(b'{"alg":"none"}'), encode(b"{}"), ""))
    yield _post("no header at all", 401, none, headers=())
    yield _post("no token", 401, none, headers=(JSON,))
    yield _post("auth empty", 401, none, headers=(("auth", ""), JSON))
    yield _post("auth undefined", 401, bad, headers=(("auth", "undefined"), JSON))
    yield _post("auth expired", 401, bad, headers=(("auth", expired), JSON))
    yield _post("auth unsigned", 401, bad, headers=(("auth", unsigned), JSON))
    yield _post("auth forged", 401, bad, headers=(("auth", Kit("HS256").token(key=1)), JSON))
    yield _post("auth twice", 401, bad, headers=(AUTH, AUTH, JSON))
    yield _post("auth and another token", 401, bad, headers=(AUTH, ("token", READS), JSON))
    yield _post("auth too long", 401, bad, headers=(("auth", "x" * 8193), JSON))
    yield _post("Basic", 401, none, headers=(("authorization", "Basic YTpi"), JSON))
    yield _post("a cookie", 401, none, headers=(("cookie", f"auth={SENDS}"), JSON))
    yield _post("token in the query", 401, none, headers=(JSON,), to=f"{E21}?auth={SENDS}")
    yield _post("as token", 200, None, headers=(("token", SENDS), JSON))
    yield _post("as bearer", 200, None, headers=(authorization, JSON))
    yield _post(
        "auth next to authorization", 200, None, headers=(AUTH, ("authorization", "x"), JSON)
    )
    yield _post("names in upper case", 200, None, headers=(("AUTH", SENDS), JSON))
    yield _post("token of other bots", 403, not_allowed, headers=(("auth", THEIRS), JSON))
    yield _post("token of no bots", 403, not_allowed, headers=(("auth", BOTLESS), JSON))
    yield _post("token that reads sends too", 200, None, headers=(("auth", READS), JSON))
    yield _post(
        "no scope for transcription", 403, not_allowed, action("end"),
        to=f"{E1}?conversationId=c-open", headers=(("auth", UNSCOPED), JSON),
    )  # fmt: skip
    yield _post("the id of another bot's conversation", 200, None, delivery("c-theirs", EXIT))
    yield _post(
        "another bot's conversation, in its name", 200, None,
        delivery("c-theirs", EXIT, bot="st-9"),
    )  # fmt: skip
    yield _post(
        "the id of another bot's transcription", 200, None, action("start"),
        to=f"{E1}?conversationId=c-theirs",
    )  # fmt: skip
    for path in ("/conversations", "/conversations/c-open", "/feed", "/causes", "/inspect/c-open"):
        yield _get(f"{path} without a token", 401, none, path)
        yield _get(f"{path} with a sender's token", 403, not_allowed, path, AUTH)
    yield _post("bad JSON without a token", 401, none, b"{", headers=(JSON,))
    yield _post("XML without a token", 401, none, b"<a/>", headers=(("content-type", "text/xml"),))


def _headers() -> Iterator[Case]:
    for media in (
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        'application/json; charset="utf-8"',
        "APPLICATION/JSON",
        "application/json; x=y; charset=us-ascii",
        "application/cloudevents+json",
        "text/json",
        "",
    ):
        yield _post(f"content type {media!r}", 200, None, headers=(AUTH, ("content-type", media)))
    yield _post("no content type", 200, None, headers=(AUTH,))
    for media in (
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json, text/plain",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
        "application/json; charset=utf-8; charset=utf-16",
        "json",
        "*/*",
        ";",
        "application/ json",
        "application/+json",
        "image/svg+xml",
        "application/json" + " " * 5000 + "x",
    ):
        yield _post(
            f"media {media[:40]!r}", 415, "not-json", headers=(AUTH, ("content-type", media))
        )
    yield _post(
        "two content types", 415, "not-json", headers=(AUTH, JSON, ("content-type", "text/xml"))
    )
    for coding in ("gzip", "br", "deflate, gzip", "identity, gzip", "unknown"):
        coded = ("content-encoding", coding)
        yield _post(f"coded {coding}", 415, "not-json", headers=(*HEADERS, coded))
    for coding in ("identity", "Identity", ""):  # codings have no letter case (RFC 9110, 8.4.1)
        coded = ("content-encoding", coding)
        yield _post(f"not coded {coding!r}", 200, None, headers=(*HEADERS, coded))
    for length in ("-1", "+5", "abc", "1e3", "0x10", "5, 5", "1 2", "٣", "9" * 30, "1.0"):
        wrong = ("content-length", length)
        yield _post(f"length {length!r}", 400, "bad-length", headers=(*HEADERS, wrong))
    much = ("content-length", "262145")
    yield _post("announces too much", 413, "large-body", headers=(*HEADERS, much))
    huge = ("content-length", "67108864")
    yield _post("announces 64 MiB", 413, "large-body", headers=(*HEADERS, huge))
    yield _post("unknown headers", 200, None, headers=(*HEADERS, ("x-y", "z"), ("accountid", "a")))
    yield _post("wants XML", 200, None, headers=(*HEADERS, ("accept", "application/xml")))
    for name in ("idempotency-key", "webhook-id"):
        yield _post(
            f"{name} too long", 400, "bad-parameter", headers=(*HEADERS, (name, "k" * 1025))
        )
        yield _post(f"{name} empty", 200, None, headers=(*HEADERS, (name, "")))
        yield _post(
            f"{name} again", 200, None, delivery("c-1", ENTRY), headers=(*HEADERS, (name, "d-1"))
        )
        yield _post(
            f"{name} again, spelt otherwise", 200, None,
            json.dumps(json.loads(delivery("c-1", ENTRY)), indent=2).encode(),
            headers=(*HEADERS, (name, "d-1")),
        )  # fmt: skip
        yield _post(
            f"{name} reused",
            422,
            "delivery-id-reused",
            delivery("c-1", EXIT),
            headers=(*HEADERS, (name, "d-1")),
        )
        yield _post(
            f"{name} reused elsewhere", 422, "delivery-id-reused", headers=(*HEADERS, (name, "d-1"))
        )
    same, other = ("idempotency-key", "a"), ("webhook-id", "b")
    yield _post("two ids", 400, "bad-parameter", headers=(*HEADERS, same, other))
    yield _post("one id twice", 200, None, headers=(*HEADERS, same, ("webhook-id", "a")))
    yield _post("one id and none", 200, None, headers=(*HEADERS, same, ("webhook-id", "")))
    yield _post(
        "id of two parts", 200, None, headers=(*HEADERS, ("webhook-id", "a"), ("webhook-id", "b"))
    )


def _bodies() -> Iterator[Case]:
    unreadable = "unreadable-body"
    fine = json.loads(FINE)
    event = {
        "name": "internal_transfer_event",
        **{k: fine["events"][0][k] for k in fine["events"][0] if k != "name"},
    }
    yield _post(
        "a name in small letters", 200, None, json.dumps({**fine, "events": [event]}).encode()
    )
    bare = {"conversationId": fine["conversationId"], "botId": fine["botId"], **fine["events"][0]}
    yield _post("a bare event", 200, None, json.dumps(bare).encode())
    respelled = {"ConversationID" if key == "conversationId" else key: fine[key] for key in fine}
    yield _post("a key in other letters", 200, None, json.dumps(respelled).encode())
    yield _post(
        "a bare event of nobody", 422, "unfiled-delivery", json.dumps(fine["events"][0]).encode()
    )
    for name, body in {
        "empty": b"",
        "spaces": b"  \n ",
        "cut off": FINE[:-1],
        "cut in a string": FINE[:20],
        "cut in an escape": b'{"conversationId":"\\u00',
        "words": b"hello",
        "a form": b"conversationId=c-new&botId=st-1",
        "XML": b"<conversation/>",
        "single quotes": b"{'conversationId':'c'}",
        "a comment": b"{} // ok",
        "a trailing comma": b'{"conversationId":"c",}',
        "two objects": FINE + FINE,
        "JSON lines": FINE + b"\n" + FINE,
        "null": b"null",
        "true": b"true",
        "a number": b"42",
        "a string": b'"conversationId"',
        "a list": b"[" + FINE + b"]",
        "an empty list": b"[]",
        "NaN": b'{"conversationId":"c","botId":"st-1","x":NaN}',
        "Infinity": b'{"x":-Infinity}',
        "a key twice": b'{"conversationId":"c","conversationId":"d"}',
        "a key twice inside": b'{"conversationId":"c","events":[{"name":"a","name":"b"}]}',
        "not UTF-8": b'{"conversationId":"\xff"}',
        "Latin-1": '{"conversationId":"é"}'.encode("latin-1"),
        "UTF-16": FINE.decode().encode("utf-16"),
        "UTF-32": FINE.decode().encode("utf-32"),
        "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
        "NUL bytes": b"\0" * 10,
        "NUL in an id": b'{"conversationId":"c\\u0000","events":[]}',
        "NUL in a text": b'{"conversationId":"c","query":"\\u0000"}',
        "NUL in a key": b'{"\\u0000":1}',
        "a lone surrogate": b'{"conversationId":"c","query":"\\ud800"}',
        "an overlong character": b'{"conversationId":"\xc0\xaf"}',
        "a surrogate in UTF-8": b'{"conversationId":"\xed\xa0\x80"}',
        "a control character": b'{"conversationId":"a\x01b"}',
        "a line end in a string": b'{"conversationId":"a\nb"}',
        "depth 65": b'{"x":' * 64 + b"{}" + b"}" * 64,
        "depth 100000": b"[" * 100_000,
        "objects without end": b'{"a":' * 40_000,
        "a number without digits": b'{"x":-}',
        "a number with a zero first": b'{"x":01}',
        "a bare key": b"{x:1}",
        "a template": b'{"conversationId": {{id}}}',
    }.items():
        yield _post(f"body {name}", 400, unreadable, body)
    for name, identity in {"an id of 1025 characters": "c" * 1025, "a dot as id": "."}.items():
        yield _post(f"body {name}", 400, "unusable-id", delivery(identity, ENTRY))
    for name, body in {
        "BOM": b"\xef\xbb\xbf" + FINE,
        "indented": json.dumps(json.loads(FINE), indent=4).encode(),
        "depth 64": delivery("c-new", ENTRY)[:-1] + b',"x":' + b"[" * 63 + b"]" * 63 + b"}",
        "a number of 5000 digits": FINE[:-1] + b',"x":' + b"9" * 5000 + b"}",
        "a tiny number": FINE[:-1] + b',"x":1e-999}',
        "a huge number": FINE[:-1] + b',"x":1e999}',
        "an emoji": delivery("c-\U0001f4de", ENTRY),
        "a surrogate pair": b'{"conversationId":"\\ud83d\\ude00","botId":"st-1","query":"x"}',
        "just fits": FINE + b" " * (256 * 1024 - len(FINE)),
        "unknown event": delivery("c-new", {"name": "COFFEE"}),
        "an event of nothing": delivery("c-new", {}),
        "events that are none": delivery("c-new", None, 7, "x", [ENTRY]),
        "a thousand events": delivery("c-new", *[{"name": "x"}] * 1000),
        "out of order": delivery("c-new", END),
        "another bot in it": delivery("c-new", ENTRY, bot="st-2"),
        "no bot in it": b'{"conversationId":"c-new","query":"x"}',
        "a bot that is a number": b'{"conversationId":"c-new","botId":7,"query":"x"}',
        "after the end": delivery("c-over", ENTRY),
        "a message": delivery("c-new", query="help", author={"type": "USER"}, agentId="a-1"),
        "events of another type": delivery("c-new", query="x").replace(
            b'"events": []', b'"events": {}'
        ),
        "placeholder ids": delivery("<conversation_id>", ENTRY, bot="<bot_id>"),
        "undefined as id": delivery("undefined", ENTRY),
        "an id of 255 characters": delivery("c" * 255, ENTRY),
        "an id of 1024 characters": delivery("c" * 1024, ENTRY),
    }.items():
        yield _post(f"body {name}", 200, None, body)
    for name, body in {
        "{}": b"{}",
        "no conversation": b'{"botId":"st-1","query":"x"}',
        "conversation null": b'{"conversationId":null,"botId":"st-1","query":"x"}',
        "conversation empty": b'{"conversationId":"","botId":"st-1","query":"x"}',
        "conversation a boolean": b'{"conversationId":true,"botId":"st-1","query":"x"}',
        "conversation a list": b'{"conversationId":["c"],"botId":"st-1","query":"x"}',
        "nothing in it": b'{"conversationId":"c-new","botId":"st-1"}',
        "no events": delivery("c-new"),
        "events null": b'{"conversationId":"c-new","botId":"st-1","events":null}',
    }.items():
        yield _post(f"unfiled {name}", 422, "unfiled-delivery", body)
    yield _post("rejected by policy", 422, "rejected-delivery", delivery("c-over", END))
    yield _post(
        "rejected with others", 422, "rejected-delivery", delivery("c-new", ENTRY, EXIT, END, END)
    )
    yield _post("one byte too many", 413, "large-body", FINE + b" " * (256 * 1024 + 1 - len(FINE)))
    yield _post("half a mebibyte", 413, "large-body", b"[" * 512 * 1024)
    yield _post("announces more than it sends", 400, "cut-off-body", FINE, lacking=True)
    yield _post("announces and sends nothing", 400, "cut-off-body", b"", lacking=True)
    yield _post("cut off without a token", 401, "no-token", FINE, headers=(JSON,), lacking=True)


def _paths() -> Iterator[Case]:
    base = "/agentdesk/api/v1/hooks/"
    for name, bot in {"NUL": "st%00", "no UTF-8": "st%FF", "too long": "s" * 1025}.items():
        yield _post(f"bot {name}", 403, "not-allowed", to=base + bot)
    yield _post("bot of two", 200, None, delivery("c-new", ENTRY, bot="st-2"), to=base + "st-2")
    yield _post("bot encoded", 200, None, to=base + "%73t%2D1")
    for path in ("//agentdesk//api/v1/hooks///st-1", E21 + "/", E21 + "//", f"http://x{E21}"):
        yield _post(f"bot at {path}", 200, None, to=path)
    yield _post("bot at a URL, with a query", 200, None, to=f"HTTPS://x:8443{E21}/?x=1")
    yield _post("bot with a query", 200, None, to=E21 + "?x=1&x=2&&=&%00=%FF")
    yield _post("a query without end", 200, None, to=E21 + "?" + "a=1&" * 1000)


def _actions() -> Iterator[Case]:
    here = f"{E1}?conversationId=c-open"
    unreadable = "unreadable-body"
    yield _post("pause", 200, None, action("pause", handover=False), to=here)
    yield _post("pause, handover in words", 200, None, action("pause", handover="true"), to=here)
    yield _post("end", 200, None, action("end"), to=here)
    yield _post("start again is a repeat", 200, None, action("start"), to=here)
    yield _post("start elsewhere", 200, None, action("start"), to=f"{E1}?conversationId=c-new")
    yield _post("other parameters", 200, None, action("end"), to=here + "&x=1&y")
    yield _post("start by another", 409, "action-not-allowed", action("start", "a-2"), to=here)
    yield _post("resume while active", 409, "action-not-allowed", action("resume"), to=here)
    seven, small = b'{"action":"start","agentId":7}', b'{"Action":"start","agentId":"a-1"}'
    yield _post("agent a number", 200, None, seven, to=f"{E1}?conversationId=c-new")
    yield _post("a key of an action in other letters", 200, None, small, to=here)
    yield _post("end with more slashes", 200, None, action("end"), to=here.replace("?", "//?"))
    over = f"{E1}?conversationId=c-over"
    yield _post("start after the end", 409, "action-not-allowed", action("start"), to=over)
    yield _post(
        "resume of nothing",
        409,
        "action-not-allowed",
        action("resume"),
        to=f"{E1}?conversationId=c-none",
    )
    for name, body in {
        "no action": b'{"agentId":"a-1"}',
        "no agent": b'{"action":"start"}',
        "agent empty": action("start", ""),
        "agent a fraction": b'{"action":"start","agentId":7.5}',
        "agent null": b'{"action":"start","agentId":null}',
        "unknown": action("stop"),
        "in upper case": action("START"),
        "a list": b'{"action":["start"],"agentId":"a-1"}',
        "pause without handover": action("pause"),
        "handover a number": action("pause", handover=1),
        "handover a word": action("pause", handover="yes"),
        "nothing": b"{}",
        "not JSON": b"start",
        "a key twice": b'{"action":"start","action":"end","agentId":"a-1"}',
        "list": b"[]",
        "empty": b"",
    }.items():
        yield _post(f"action {name}", 400, unreadable, body, to=here)
    for name, query in {
        "two conversations": "conversationId=c-open&conversationId=c-new",
        "one and an empty one": "conversationId=c-open&conversationId=",
        "the same twice": "conversationId=c-open&conversationId=c-open",
        "NUL": "conversationId=c%00",
        "no UTF-8": "conversationId=%FF",
        "too long": "conversationId=" + "c" * 1025,
    }.items():
        yield _post(f"query {name}", 400, "bad-parameter", action("end"), to=f"{E1}?{query}")
    for name, query in {
        "none": "",
        "empty": "?conversationId=",
        "misspelt": "?conversationid=c-open",
    }.items():
        yield _post(f"query {name}", 400, unreadable, action("end"), to=E1 + query)
    many = f"{E1}?conversationId=c-open" + "&x=1" * 64
    yield _post("more parameters than anybody means", 400, unreadable, action("end"), to=many)
    yield _post(
        "E1 as a form",
        415,
        "not-json",
        b"action=end",
        to=here,
        headers=(AUTH, ("content-type", "application/x-www-form-urlencoded")),
    )
    yield _post("E1 too large", 413, "large-body", b"[" * 262_145, to=here)


def _reading() -> Iterator[Case]:
    reads = ("auth", READS)
    bad, none = "bad-parameter", "no-conversation"
    yield _get("show", 200, None, "/conversations/c-open", reads)
    yield _get(
        "show with bearer", 200, None, "/conversations/c-open", ("authorization", f"Bearer {READS}")
    )
    yield _get("show unknown", 404, none, "/conversations/c-none", reads)
    yield _get("show another bot's", 404, none, "/conversations/c-theirs", reads)
    yield _get("show of a bot", 200, None, "/conversations/c-open?botId=st-1", reads)
    yield _get("show of another bot", 404, none, "/conversations/c-theirs?botId=st-9", reads)
    yield _get("show of two bots", 400, bad, "/conversations/c?botId=a&botId=b", reads)
    yield _get("show of a bot with NUL", 400, bad, "/conversations/c?botId=%00", reads)
    yield _get("page of findings", 200, None, "/conversations/c-open?page=findings", reads)
    yield _get("page of events", 200, None, "/conversations/c-open?page=events&limit=1", reads)
    yield _get("page of nothing", 404, none, "/conversations/c-none?page=events", reads)
    yield _get("page of another bot's", 404, none, "/conversations/c-theirs?page=events", reads)
    yield _get("page of what", 400, bad, "/conversations/c-open?page=bodies", reads)
    yield _get("page of two", 400, bad, "/conversations/c-open?page=events&page=findings", reads)
    yield _get("page behind what", 400, bad, "/conversations/c-open?page=events&after=x", reads)
    yield _get("page of none", 400, bad, "/conversations/c-open?page=events&limit=0", reads)
    yield _get("show with slashes", 404, none, "/conversations/a/b/../c", reads)
    yield _get("show NUL", 400, bad, "/conversations/c%00", reads)
    yield _get("show no UTF-8", 400, bad, "/conversations/%C3%28", reads)
    yield _get("show too long", 400, bad, "/conversations/" + "c" * 1025, reads)
    yield _get("draw", 200, None, "/inspect/c-open", reads)
    yield _get("draw unknown", 404, none, "/inspect/c-none", reads)
    yield _get("draw another bot's", 404, none, "/inspect/c-theirs", reads)
    yield _get("draw with slashes", 404, none, "/inspect/a/b", reads)
    yield _get("draw NUL", 400, bad, "/inspect/c%00", reads)
    yield _get("causes", 200, None, "/causes", reads)
    yield _get("the inspector", 200, None, "/inspect")
    yield _get("the inspector with a token in the query", 200, None, f"/inspect?token={READS}")
    yield _get("list", 200, None, "/conversations", reads)
    yield _get("list one", 200, None, "/conversations?limit=1", reads)
    yield _get("list after", 200, None, "/conversations?after=2&limit=200", reads)
    yield _get("feed", 200, None, "/feed", reads)
    yield _get("feed after", 200, None, "/feed?after=3&limit=1", reads)
    yield _get("feed from now on", 200, None, "/feed?after=now", reads)
    yield _get("feed from now on, misspelt", 400, bad, "/feed?after=NOW", reads)
    yield _get("list from now on", 400, bad, "/conversations?after=now", reads)
    yield _get("feed at its end", 200, None, "/feed?after=999999&wait=0", reads)
    for path in ("/conversations", "/feed"):
        for query in (
            "limit=0", "limit=-1", "limit=201", "limit=ten", "limit=1.5", "limit=1&limit=2",
            "limit=" + "9" * 40, "after=x", "after=-1", "after=1&after=2", "after=" + "9" * 19,
            "after=%D9%A3", "after=%00",
        ):  # fmt: skip
            yield _get(f"{path}?{query[:20]}", 400, bad, f"{path}?{query}", reads)
    for wait in ("x", "-1", "-0.1", "nan", "1e3", "inf", "1_0", "%201", "0x1", "1e-", ".5", "5."):
        yield _get(f"wait {wait!r}", 400, bad, f"/feed?wait={wait}", reads)
    for wait in ("", "0", "0.0", "-0.0", "1", "1.5", "1e-05", "99999"):
        yield _get(f"wait {wait!r}", 200, None, f"/feed?wait={wait}", reads)
    for path in ("/healthz", "/readyz", "/openapi.json", "/inspect"):
        yield _get(f"get {path}", 200, None, path)
        yield Case(f"head {path}", 200, None, "HEAD", path, (), b"")
        yield Case(f"options {path}", 204, None, "OPTIONS", path, (), b"")
    yield Case("head of a conversation", 200, None, "HEAD", "/conversations/c-open", (reads,), b"")
    yield Case("options E21", 204, None, "OPTIONS", E21, (), b"")
    yield Case("options nowhere", 404, "no-route", "OPTIONS", "/x", (), b"")


CASES: tuple[Case, ...] = (
    *_routes(),
    *_tokens(),
    *_headers(),
    *_bodies(),
    *_paths(),
    *_actions(),
    *_reading(),
)


def findings_of(answer: Any) -> list[str]:
    return [finding["code"] for finding in answer["findings"]]


__all__ = ["BEN", "CASES", "Case", "findings_of", "transfer"]
