"""The inspector of a running server, in a browser: who is let in, and what is seen as it happens.

One server serves most of them; each has a bot of its own, and so sees nothing of the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import jwt
import pytest
from playwright.sync_api import Browser, Locator, expect
from tests.cli.server import SECRET, Serving, free_port, segue_in
from tests.patience import PATIENCE
from tests.report.browser import Opened, chromium, opened
from tests.report.hostile import CANARY
from tests.report.story import line
from tests.server.http.world import BEN, END, ENTRY, EXIT, delivery, transfer

import segue

ROOT = Path(__file__).parents[2]
MILLISECONDS = 1000 * PATIENCE
READS = "Conversations"
AUTH = ("--quiet", f"--read={READS}", "--bots=bots")
FAILED = "Failed to load resource: "
REFUSED = f"{FAILED}the server responded with a status of "
STORED = """async () => [
  localStorage.length, sessionStorage.length, document.cookie,
  (await indexedDB.databases()).length, (await caches.keys()).length,
  (await navigator.serviceWorker.getRegistrations()).length,
]"""

Inspect = Callable[..., AbstractContextManager[Opened]]


def token(*bots: str, scope: str = READS) -> str:
    claims = {"appId": "cs-1", "scope": scope, "bots": bots}
    return jwt.encode(claims, SECRET, algorithm="HS256")


def send(server: Serving, bot: str, conversation: str, *events: object, **more: object) -> None:
    """Deliver in the name of a bot."""
    url = f"{server.url}/agentdesk/api/v1/hooks/{bot}"
    headers = {"auth": token(bot, scope="Transcription"), "Content-Type": "application/json"}
    body = delivery(conversation, *events, bot=bot, **more)
    with urlopen(Request(url, body, headers), timeout=PATIENCE) as answer:  # noqa: S310
        assert answer.status == 200


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder, secret = tmp_path_factory.mktemp("inspected"), {"SEGUE_SECRET": SECRET}
    with Serving(folder, *AUTH, "--store=memory", environment=secret) as serving:
        yield serving


@pytest.fixture
def inspect(browser: Browser) -> Inspect:
    """Open the inspector of a server, and find at the end that nothing went wrong in it."""

    @contextmanager
    def opening(
        server: Serving, *expected: str, given: str = "", at: str = "", width: int = 1200
    ) -> Iterator[Opened]:
        with browser.new_context(viewport={"width": width, "height": 800}) as context:
            it = Opened(context.new_page(), f"{server.url}/", *expected)
            it.page.goto(f"{server.url}/inspect{at}")
            if given:
                enter(it, given)
                becomes(it, "live")
            yield it
            assert it.troubles == [], server.kill()

    return opening


def enter(it: Opened, text: str) -> None:
    it.page.fill("#token", text)
    it.page.keyboard.press("Enter")


def becomes(it: Opened, state: str) -> None:
    it.page.wait_for_selector(f'body[data-state="{state}"]', state="attached")


def row(it: Opened, name: str) -> Locator:
    return it.page.locator(".row", has_text=name)


def shows(locator: Locator, text: str | re.Pattern[str] | list[str]) -> None:
    expect(locator).to_have_text(text, timeout=MILLISECONDS)


def test_a_log_is_watched_as_it_is_sent(server: Serving, tmp_path: Path, inspect: Inspect) -> None:
    log = ROOT / "samples/shift.jsonl"
    bots = set(re.findall(r'"botId": ?"([^"]+)"', log.read_text("utf-8")))
    given = token(*bots)
    with inspect(server, given=given) as it:
        shows(it.page.locator("#totals"), "0 conversations")
        sender = token(*bots, scope=f"Transcription {READS}")
        segue_in(tmp_path, "send", str(log), server.url, SEGUE_TOKEN=sender)

        # The delivery that names another bot is a conversation of that bot, and no SG302.
        totals = re.compile(r"^61 conversations · .*\d+ mistakes \(15 errors\)")
        shows(it.page.locator("#totals"), totals)
        said = r"No findings go together .*Unexplained: \d+ mistakes and warnings \(SG"
        shows(it.page.locator("#causes ol"), re.compile(said))
        it.page.click(".chip >> text=errors")
        it.page.fill("#search", "SG202")
        row(it, "SG202").click()
        shows(it.page.locator(".card h3"), re.compile("#1 error SG202 wrong-exit-kind"))
        told = dict(zip(it.texts(".card dt"), it.texts(".card dd"), strict=True))
        assert told["expected"].startswith("COLD exit by a-120, WARM entry by")
        assert told["help"].startswith("send WARM exit for a consultant")
        assert it.page.locator("rect.bar").count() == 4
        assert it.page.locator("g.handover.consult").count() == 2
        assert "log" not in it.texts("th")

        everything = it.page.evaluate("document.documentElement.outerHTML")
        kept = [it.page.url, everything, it.page.input_value("#token")]
        assert not any(given in each for each in kept)
        assert it.page.evaluate(STORED) == [0, 0, "", 0, 0, 0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("no-token", "The server does not accept this token."),
        (
            token("st-let-in", scope="Transcription"),
            "This token may not read. It needs the scope that readers have.",
        ),
        ("two words", "A token is one word, without blanks."),
        ("tökén", "A token is one word, without blanks."),
        ("", "A token is one word, without blanks."),
    ],
    ids=["forged", "sender", "words", "letters", "nothing"],
)
def test_who_may_not_read_is_told_so(
    server: Serving, inspect: Inspect, given: str, said: str
) -> None:
    send(server, "st-let-in", "c-1", ENTRY)
    with inspect(server, REFUSED) as it:
        enter(it, given)
        shows(it.page.locator("#refused"), said)
        expect(it.page.locator("main")).not_to_be_visible()
        assert it.page.input_value("#token") == ""

        enter(it, f"Bearer {token('st-let-in')}")
        becomes(it, "live")
        expect(row(it, "c-1")).to_be_visible()
        it.page.click("text=Forget the token")
        expect(it.page.locator("#token")).to_be_focused()
        assert it.page.locator(".row").count() == 0


def test_what_belongs_to_another_bot_does_not_exist(server: Serving, inspect: Inspect) -> None:
    send(server, "st-others", "c-theirs", ENTRY)
    send(server, "st-own", "c-ours", ENTRY)
    with inspect(server, f"{REFUSED}404", given=token("st-own"), at="#c-theirs") as it:
        shows(it.page.locator("#story"), "There is no such conversation for this reader.")
        send(server, "st-others", "c-theirs", EXIT)
        send(server, "st-own", "c-ours", EXIT)
        row(it, "c-ours").click()
        shows(it.page.locator(".facts"), re.compile("released · 2 events"))
        assert it.titles() == ["c-ours"]


def test_the_open_conversation_is_drawn_anew_and_news_are_marked(
    server: Serving, inspect: Inspect
) -> None:
    bot = "st-drawn"
    with inspect(server, given=token(bot)) as it:
        page = it.page
        send(server, bot, "d-1", ENTRY)
        send(server, bot, "d-2", ENTRY)
        row(it, "d-1").click()
        shows(page.locator(".facts"), re.compile("active · 1 event"))
        shows(page.locator(".next"), re.compile("^next NA exit by a-1"))
        assert page.locator("path.bar").count() == 1  # Ada is still there
        assert page.locator(".bar.unsaid").count() == 0
        send(server, bot, "d-2", transfer("COLD", "entry", BEN))
        expect(row(it, "d-2")).to_have_class(re.compile("news"), timeout=MILLISECONDS)
        expect(page).to_have_title("(1) d-1 · Segue inspector")

        page.keyboard.press("Escape")
        page.click("summary >> text=Events")
        send(server, bot, "d-1", transfer("COLD", "entry", BEN))
        shows(page.locator(".card.fresh h3"), re.compile("#1 error SG103"))
        shows(page.locator("svg .agent"), ["a-1 (Ada)", "a-2 (Ben)"])
        expect(page.locator(".pin.fresh")).to_have_count(1)
        expect(row(it, "d-1")).not_to_have_class(re.compile("news"))
        assert it.titles() == ["d-1", "d-2"]
        expect(page.locator("table.events tbody")).not_to_be_visible()

        page.keyboard.press("n")
        send(server, bot, "d-1", transfer("COLD", "exit"))
        expect(page.locator("table.events tbody tr")).to_have_count(3, timeout=MILLISECONDS)
        expect(page.locator("#finding-0")).to_be_focused()
        expect(page.locator(".card.fresh")).to_have_count(0)
        row(it, "d-2").click()
        expect(page).to_have_title("d-2 · Segue inspector", timeout=MILLISECONDS)


def test_a_row_stays_where_it_is_while_it_is_pressed(server: Serving, inspect: Inspect) -> None:
    bot = "st-pressed"
    send(server, bot, "r-1", ENTRY)
    with inspect(server, given=token(bot)) as it:
        row(it, "r-1").hover()
        it.page.mouse.down()
        with it.page.expect_response(re.compile("inspect/r-2")):
            send(server, bot, "r-2", ENTRY)
        it.page.evaluate("new Promise(requestAnimationFrame)")
        assert it.titles() == ["r-1"]
        it.page.mouse.up()
        shows(it.page.locator("#story h2"), "r-1")
        expect(it.page.locator(".row")).to_have_count(2)
        assert it.titles() == ["r-2", "r-1"]


def test_messages_are_seen_although_they_are_no_news(server: Serving, inspect: Inspect) -> None:
    bot = "st-talks"
    send(server, bot, "m-1", ENTRY)
    with inspect(server, given=token(bot), at="#m-1") as it:
        shows(it.page.locator(".facts"), re.compile("1 event"))
        send(server, bot, "m-1", query="x", author={"type": "USER"}, agentId="a-1", source="desk")
        shows(it.page.locator(".facts"), re.compile("2 events"))
        expect(it.page.locator("path.messages.user")).to_have_count(1)


def test_a_pause_is_a_pause_and_nothing_is_missed(server: Serving, inspect: Inspect) -> None:
    bot = "st-paused"
    with inspect(server, given=token(bot)) as it:
        it.page.locator("#list").focus()
        it.page.keyboard.press("f")
        shows(it.page.locator("#state"), "paused")
        send(server, bot, "p-1", ENTRY, EXIT)
        with it.page.expect_request(re.compile("feed")) as asked:
            assert it.titles() == []
            it.page.click("text=Follow")
        assert "after=now" not in asked.value.url
        shows(row(it, "p-1"), re.compile(r"a-1 \(Ada\)"))
        assert it.texts("#state") == ["live"]


def test_a_store_that_is_not_well_is_waited_for(server: Serving, inspect: Inspect) -> None:
    bot = "st-unwell"
    with inspect(server, f"{REFUSED}503", given=token(bot)) as it:
        it.page.route("**/feed*", lambda route: route.fulfill(status=503))
        send(server, bot, "u-1", ENTRY)
        shows(it.page.locator("#state"), "reconnecting…")
        it.page.unroute("**/feed*")
        becomes(it, "live")
        send(server, bot, "u-2", ENTRY)
        shows(it.page.locator(".row b"), ["u-2", "u-1"])


def test_a_token_that_ends_takes_all_it_showed_with_it(server: Serving, inspect: Inspect) -> None:
    bot = "st-ending"
    send(server, bot, "e-1", ENTRY)
    with inspect(server, f"{REFUSED}401", given=token(bot)) as it:
        row(it, "e-1").click()
        shows(it.page.locator("#story h2"), "e-1")
        it.page.route("**/feed*", lambda route: route.fulfill(status=401))
        send(server, bot, "e-1", EXIT)
        shows(it.page.locator("#refused"), "The server does not accept this token.")
        assert "a-1" not in it.page.evaluate("document.body.outerHTML.split('<script')[0]")


@pytest.mark.parametrize("store", ["sqlite:segue.db", "memory"])
def test_a_server_that_comes_back_is_followed_again(
    tmp_path: Path, inspect: Inspect, store: str
) -> None:
    bot, port, options = "st-back", free_port(), (*AUTH, f"--store={store}")
    secret = {"SEGUE_SECRET": SECRET}
    with Serving(tmp_path, *options, environment=secret, port=port) as before:
        send(before, bot, "b-1", ENTRY, EXIT)
        with inspect(before, FAILED, given=token(bot)) as it:
            expect(row(it, "b-1")).to_be_visible()
            before.kill()
            shows(it.page.locator("#state"), "reconnecting…")
            with Serving(tmp_path, *options, environment=secret, port=port) as after:
                becomes(it, "live")
                send(after, bot, "b-2", ENTRY)
                expect(row(it, "b-2")).to_be_visible(timeout=MILLISECONDS)
                assert it.titles() == (["b-2"] if store == "memory" else ["b-2", "b-1"])


def test_the_newest_thousand_are_kept(tmp_path: Path, inspect: Inspect) -> None:
    with Serving(tmp_path, "--no-auth", "--quiet") as server, inspect(server) as it:
        becomes(it, "live")
        with segue.Processor(store=segue.SqliteStore(str(tmp_path / "segue.db"))) as beside:
            for number in range(1, 1006):
                beside.receive("st-1", delivery(f"n-{number:04}", ENTRY))
        shows(it.page.locator("#totals"), "the 1,000 newest conversations")
        shows(row(it, "n-1005"), re.compile("Ada"))
        it.page.focus("#list")
        it.page.keyboard.press("End")
        shows(it.page.locator("#story h2"), "n-0006")
        assert it.page.locator(".row").count() < 60


def test_a_long_conversation_is_read_in_pages(server: Serving, inspect: Inspect) -> None:
    bot, agent = "st-long", f"a-9{CANARY}"[:200]
    send(server, bot, "l-1", ENTRY)
    for _ in range(11):
        send(server, bot, "l-1", *[EXIT, transfer("redial", "entry")] * 100)
    wrong = transfer("WARM", "exit", {"identity": agent, "name": "N", "type": "agent"})
    send(server, bot, "l-1", *[wrong] * 150)
    with inspect(server, given=token(bot), at="#l-1") as it:
        later = it.page.locator("#later")
        findings, events = later.locator("details").all()
        shows(it.page.locator("#story .badge").first, "1 error (150 findings)")
        assert it.page.locator("#story tr.gap").count() == 0

        findings.locator("text=Next 100").click()
        expect(findings.locator("tbody tr")).to_have_count(100)
        shows(findings.locator("tbody tr:first-child .badge"), "SG201")
        findings.locator("text=Next 100").click()
        expect(findings.locator("tbody tr")).to_have_count(50)
        expect(findings.locator("text=Next 100")).not_to_be_visible()
        findings.locator("text=From the beginning").click()
        expect(findings.locator("tbody tr")).to_have_count(100)
        events.locator("text=Next 100").click()
        shows(events.locator("tbody tr:first-child td:first-child"), "2001")
        send(server, bot, "l-1", EXIT)
        shows(it.page.locator(".facts"), re.compile("2,352 events"))
        expect(events.locator("tbody tr")).to_have_count(100)
        everything = it.page.evaluate("document.documentElement.outerHTML")
        assert later.locator("b, a, script, img").count() == 0
        assert not any(each in everything for each in ("\x1b", "\u202e", "\x9b"))


def test_nothing_of_a_sender_is_markup(server: Serving, inspect: Inspect) -> None:
    bot, who = "st-hostile", {"identity": CANARY, "name": CANARY, "type": "agent"}
    with inspect(server, given=token(bot)) as it:
        events = transfer("NA", "entry", who), transfer("COLD", "entry", who)
        send(server, bot, CANARY, *events)
        row(it, "::error").click()
        expect(it.page.locator(".card")).not_to_have_count(0, timeout=MILLISECONDS)
        everything = it.page.evaluate("document.documentElement.outerHTML")
        assert it.page.locator("#story h2 b, #story a, #story script, #rows script").count() == 0
        assert not any(each in everything for each in ("\x1b", "\u202e", "\x9b"))
        send(server, bot, CANARY, transfer("NA", "exit", who))
        expect(it.page.locator("table.events tbody tr")).to_have_count(3, timeout=MILLISECONDS)


def test_nobody_is_asked_where_everybody_may_read(tmp_path: Path, inspect: Inspect) -> None:
    options = ("--no-auth", "--quiet", "--store=memory", "--prefix=/in")
    with Serving(tmp_path, *options) as server, inspect(server, width=320) as it:
        becomes(it, "live")
        expect(it.page.locator("text=Forget the token")).not_to_be_visible()
        send(server, "st-1", "c-1", ENTRY)
        row(it, "c-1").click()
        shows(it.page.locator("#story h2"), "c-1")
        for selector in ("html", "header", "#story"):
            wide, room = it.page.locator(selector).evaluate("e => [e.scrollWidth, e.clientWidth]")
            assert wide <= room


def test_a_token_in_the_address_opens_the_page_and_is_erased(
    server: Serving, inspect: Inspect
) -> None:
    send(server, "st-fragment", "f-1", ENTRY)
    given = token("st-fragment")
    with inspect(server, at=f"#token={given}") as it:
        becomes(it, "live")
        expect(row(it, "f-1")).to_be_visible()
        everything = it.page.evaluate("document.documentElement.outerHTML")
        assert given not in it.page.url + everything
        assert it.page.evaluate(STORED) == [0, 0, "", 0, 0, 0]


def test_what_was_refused_is_listed(server: Serving, inspect: Inspect) -> None:
    url = f"{server.url}/agentdesk/api/v1/hooks/st-refused"
    headers = {
        "auth": token("st-refused", scope="Transcription"),
        "Content-Type": "application/json",
    }
    for body in (b"{", b'{"query":"4111-1111","botId":"st-refused"}'):
        with pytest.raises(HTTPError), urlopen(Request(url, body, headers), timeout=PATIENCE):  # noqa: S310
            pass
    with inspect(server, given=token("st-refused")) as it:
        shows(it.page.locator("#refusals summary"), "2 requests refused")
        it.page.click("#refusals summary")

        first, second = it.texts("#refusals li")
        assert first.startswith("422 Unprocessable Content ")
        assert "bot st-refused" in first
        assert second.startswith("400 Bad Request ")
        assert second.endswith("SG501")
        assert "4111-1111" not in it.page.content()
    with inspect(server, given=token("st-other")) as it:
        assert it.page.locator("#refusals").is_hidden()


@pytest.fixture
def scoped(tmp_path: Path) -> Iterator[Serving]:
    """A server that lets only some send."""
    options = (*AUTH, "--store=memory", "--scope=transcription=Transcription")
    with Serving(tmp_path, *options, environment={"SEGUE_SECRET": SECRET}) as serving:
        yield serving


def test_the_quarantine_is_listed_and_replayed(scoped: Serving, inspect: Inspect) -> None:
    bot, server = "st-quarantined", scoped
    url = f"{server.url}/api/1.1/public/bot/{bot}/control/transcription?conversationId=q-1"
    sender = token(bot, scope=f"Transcription {READS}")
    headers = {"auth": sender, "Content-Type": "application/json"}
    body = b'{"action":"start","agentId":"4111-1111"'
    with pytest.raises(HTTPError), urlopen(Request(url, body, headers), timeout=PATIENCE):  # noqa: S310
        pass
    with inspect(server, f"{REFUSED}404", given=token(bot)) as it:
        shows(it.page.locator("#quarantine summary"), "1 request in the quarantine")
        it.page.click("#quarantine summary")
        [item] = it.texts("#quarantine li")
        assert item.startswith("400 Bad Request 20")
        assert item.endswith(f"bot {bot} · SG501 · conversation q-1")
        assert it.page.locator("#quarantine button").count() == 0
        assert "4111-1111" not in it.page.content()
        it.page.click("#quarantine a")
        shows(it.page.locator("#story"), "There is no such conversation for this reader.")
    with inspect(server, given=sender) as it:
        it.page.click("#quarantine summary")
        it.page.click("#quarantine button >> text=Replay")
        shows(it.page.locator("#quarantine [role=status]"), "400 unreadable")
        it.page.click("#refusals summary")
        assert it.page.locator("#list").evaluate("e => e.clientHeight") > 100
        expect(it.page.locator("#quarantine button")).to_be_enabled(timeout=MILLISECONDS)
        shows(it.page.locator("#quarantine summary"), "1 request in the quarantine")


def test_open_and_ended_are_told_apart(server: Serving, inspect: Inspect) -> None:
    bot = "st-phases"
    send(server, bot, "o-1", ENTRY)
    send(server, bot, "o-2", ENTRY, EXIT, END)
    with inspect(server, given=token(bot)) as it:
        about = row(it, "o-1").locator("small").first
        shows(about, re.compile(r"open \d+:\d\d · a-1 \(Ada\)"))
        shows(row(it, "o-2").locator("small").first, "ended · a-1 (Ada)")
        before = about.inner_text()
        it.page.select_option("#phase", "open")
        assert it.titles() == ["o-1"]
        it.page.select_option("#phase", "ended")
        assert it.titles() == ["o-2"]
        it.page.select_option("#phase", "Any phase")
        expect(about).not_to_have_text(before, timeout=MILLISECONDS)


def test_what_is_held_says_until_when(tmp_path: Path, inspect: Inspect) -> None:
    options = ("--no-auth", "--quiet", "--store=memory", "--patience=1h")
    with Serving(tmp_path, *options) as server, inspect(server) as it:
        becomes(it, "live")
        send(server, "st-1", "h-1", ENTRY)
        send(server, "st-1", "h-1", transfer("COLD", "entry", BEN))
        row(it, "h-1").click()
        held = re.compile(r"^held SG103 until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$")
        shows(it.page.locator(".next", has_text="held"), held)
        expect(it.page.locator("tr.held")).to_have_count(1)


def seen(it: Opened, names: list[str]) -> dict[str, list[str]]:
    """What a page shows of these conversations, without lines of a log, which are not sent."""
    found = {}
    for name in names:
        it.page.click(f'.row b >> text="{name}"')
        shows(it.page.locator("#story h2"), name)
        it.page.wait_for_selector("table.events")
        rows = [re.sub(r" line \d+", "", text) for text in it.texts("table.events tbody tr")]
        cards = [*it.texts(".card h3"), *it.texts(".card > p")]
        bars = [each.get_attribute("data-tip") or "" for each in it.page.locator(".bar").all()]
        found[name] = [*it.texts(".facts"), *bars, *rows, *cards]
    return found


def test_a_log_looks_the_same_in_both_pages(
    browser: Browser, tmp_path: Path, inspect: Inspect
) -> None:
    lines = [
        line("user message", "s-1", "08:00:00.250"),
        line("NA entry a-1", "s-1", "08:00:05"),
        line("start a-1", "s-1", "08:00:06"),
        line("agent message a-1", "s-1", "08:00:07"),
        line("WARM entry a-2", "s-1", "08:00:09"),
        line("pause true a-1", "s-1", "08:00:10"),
        line("COLD entry a-3", "s-1", "08:00:11"),
        line("NA exit a-3", "s-1", "08:00:12"),
        line("END", "s-1", "08:00:13"),
        line("user message", "s-1", "08:00:14"),
        line("end a-1", "s-1", "08:00:14.5"),  # closes the session: SG405
        line("END", "s-1", "08:00:15"),
        line("NA entry a-1", "s-2", "08:01:00"),
        line("NA exit a-1", "s-2", "08:01:02.5"),
        line("END", "s-2", "08:01:03"),
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(lines), "utf-8")
    segue_in(tmp_path, "check", str(log), "--key=bot", "--output=html=report.html")
    with opened(browser, tmp_path / "report.html") as it:
        of_file = seen(it, ["s-1", "s-2"])
        total = it.texts("#totals")[0].replace(f" in {len(lines)} lines", "")
    with segue.Processor(store=segue.SqliteStore(str(tmp_path / "segue.db"))) as processor:
        for each in lines:
            sent = json.loads(each)
            at = datetime.fromisoformat(sent["received_at"])
            if "endpoint" in sent:
                name = sent["conversation_id"]
                processor.control(sent["bot_id"], name, sent["body"], received_at=at)
            else:
                processor.receive("st-1", sent["body"], received_at=at)
    options = ("--no-auth", "--quiet", "--store=sqlite:segue.db")
    with Serving(tmp_path, *options) as server, inspect(server) as it:
        becomes(it, "live")
        assert seen(it, ["s-1", "s-2"]) == of_file
        shows(it.page.locator("#totals"), total.replace(" · 1 with events after the end", ""))
    assert any("0:00 user message" in each for each in of_file["s-1"])
    assert any("late" in each for each in of_file["s-1"])
    assert any("SG405" in each for each in of_file["s-1"])
