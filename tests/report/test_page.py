"""The page in a browser: what is shown, filtered, clicked and pressed, without a complaint."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.report.browser import Opened, chromium, opened
from tests.report.hostile import CANARY, SECRET, hostile
from tests.report.story import early, line, log, rendered, with_callbacks

import segue
from segue.analysis.causes import RootCause, RootCauses
from segue.report import RunSummary, renderer
from segue.report.escape import visible

TIMED = [
    line("NA entry a-1", "c-1", "08:00:00"),
    line("start a-1", "c-1", "08:00:01"),
    line("user message", "c-1", "08:00:10"),
    line("pause false a-1", "c-1", "08:00:20"),
    line("WARM entry a-3", "c-1", "08:00:20"),
    line("WARM exit a-3", "c-1", "08:00:40"),
    line("resume a-1", "c-1", "08:00:41"),
    line("pause true a-1", "c-1", "08:01:00"),
    line("COLD exit a-1", "c-1", "08:01:00"),
    line("COLD entry a-2", "c-1", "08:01:30"),
    line("start a-2", "c-1", "08:01:31"),
    line("NA exit a-2", "c-1", "08:03:00"),
    line("redial entry a-2", "c-1", "08:03:30"),
    line("end a-2", "c-1", "08:03:59"),
    line("NA exit a-2", "c-1", "08:04:00"),
    line("END", "c-1", "08:04:01"),
]
MIXED = [
    *log("NA entry a-1", "NA exit a-1", "END", conversation="c-clean"),
    *log("redial entry a-1", "NA exit a-1", "END", conversation="c-note"),
    *log("NA entry a-1", "NA exit A-1", "END", conversation="c-warning"),
    *early("c-error"),
    *log("NA entry a-1", "NA exit a-1", "END", conversation="c-late"),
    "{",
    line("END", "c-late"),
]

Write = Callable[..., Path]


def tips(page: Page, selector: str) -> list[str]:
    """What is said of these where they are pointed at."""
    found = [each.get_attribute("data-tip") for each in page.locator(selector).all()]
    return [each for each in found if each is not None]


def place_of(it: Opened, row: int) -> float:
    """Where the mark of a row is, from the left."""
    moved = it.page.locator(f"#mark-{row}").get_attribute("transform") or ""
    return float(moved.removeprefix("translate(").split(" ")[0])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def file(tmp_path: Path) -> Write:
    """Write the report of a log."""

    def write(lines: list[str], *, include_text: bool = False) -> Path:
        path = tmp_path / "report.html"
        text = rendered("html", lines, include_text=include_text)
        path.write_text(text, "utf-8", newline="\n")
        return path

    return write


@pytest.fixture
def mixed(browser: Browser, file: Write) -> Iterator[Opened]:
    with opened(browser, file(MIXED), at="#c-error") as it:
        yield it


@pytest.fixture
def timed(browser: Browser, file: Write) -> Iterator[Opened]:
    with opened(browser, file(TIMED)) as it:
        yield it


def test_a_report_opens_on_what_all_conversations_come_to(browser: Browser, file: Write) -> None:
    path = file(MIXED)
    with opened(browser, path) as it:
        page = it.page
        assert it.texts("#story h2") == ["Overview"]
        assert it.texts('.row[aria-selected="true"]') == []
        assert page.title() == "Segue report"
        page.keyboard.press("j")
        expect(page.locator("#story h2")).to_have_text("c-error")
        page.go_back()
        expect(page.locator("#story h2")).to_have_text("Overview")
    with opened(browser, path, width=320) as it:
        expect(it.page.locator("#list")).to_be_visible()
        it.page.click("#overview")
        expect(it.page.locator("#list")).not_to_be_visible()
    with opened(browser, file(early("c-only"))) as it:
        assert it.texts("#story h2") == ["c-only"]


def test_failing_conversations_stand_first(mixed: Opened) -> None:
    assert mixed.titles() == [
        "c-error",
        "c-late",
        "line 20",
        "c-warning",
        "c-note",
        "c-clean",
    ]
    assert mixed.texts("#story h2") == ["c-error"]
    assert mixed.texts("#totals")[0].startswith("5 conversations · 3 valid · 1 clean · 20 events")


def test_a_finding_says_what_was_expected_why_and_what_to_do(mixed: Opened) -> None:
    assert mixed.texts(".card h3") == ["#1 error SG103 cold-entry-before-exit"]
    assert mixed.texts(".card > p") == [
        "agent a-2 took over by COLD entry while a-1 was still primary",
    ]
    told = dict(zip(mixed.texts(".card dt"), mixed.texts(".card dd"), strict=True))
    assert told["where"] == "line 13, event 3, /events/0"
    assert told["expected"] == (
        "NA exit by a-1, COLD exit by a-1, WARM entry by another agent, message"
    )
    assert told["because"] == "NA entry of a-1 (line 10)"
    assert (
        told["help"] == "send the COLD exit of a-1 first, then the COLD entry of a-2; "
        "WARM entry when a-2 joined beside a-1"
    )
    assert told["the rule"].startswith("An agent takes over by COLD entry before")


def test_the_events_are_told_with_their_findings(mixed: Opened) -> None:
    assert mixed.texts("table.events tbody tr") == [
        "0 NA entry a-1 line 10",
        "1 user message line 11",
        "2 agent message a-1 line 12",
        "3 COLD entry a-2 line 13 #1 SG103",
        "4 COLD exit a-1 line 14",
        "5 NA exit a-2 line 15",
        "6 END_OF_CONVERSATION line 16",
    ]


@pytest.mark.parametrize(
    ("search", "left"),
    [
        ("sg118", ["c-note"]),
        ("BEN", ["c-error"]),
        ("c- sg2", ["c-warning"]),
        ("nobody", []),
    ],
)
def test_the_search_finds_ids_names_and_rules(mixed: Opened, search: str, left: list[str]) -> None:
    mixed.page.fill("#search", search)

    assert mixed.titles() == left
    found = f"{len(left)} conversation{'' if len(left) == 1 else 's'}"
    assert mixed.texts("#found") == [f"{found}, of 5 conversations and 1 line"]


def test_filters_narrow_by_severity_rule_and_agent(mixed: Opened) -> None:
    page = mixed.page
    assert mixed.texts("#found") == ["5 conversations and 1 line"]
    expect(page.locator("#ranks")).to_have_attribute(
        "aria-label", "Conversations by gravest finding"
    )
    assert mixed.texts(".chip") == ["errors 3", "warnings 1", "notes 1", "clean 1"]

    page.click(".chip >> text=warnings")
    page.click(".chip >> text=notes")
    assert mixed.titles() == ["c-warning", "c-note"]
    page.select_option("#rule", "SG118")
    assert mixed.titles() == ["c-note"]
    page.click(".chip >> text=notes")
    assert mixed.titles() == []
    page.click(".chip >> text=warnings")
    page.select_option("#rule", "")
    page.fill("#agent", "a-2")
    assert mixed.titles() == ["c-error"]
    page.fill("#agent", "be")
    assert mixed.titles() == ["c-error"]
    page.fill("#agent", "A-")
    assert mixed.titles() == ["c-error", "c-late", "c-warning", "c-note", "c-clean"]


def test_a_click_opens_a_conversation(mixed: Opened) -> None:
    mixed.page.click(".row >> text=c-note")

    expect(mixed.page.locator("#story h2")).to_have_text("c-note")
    assert mixed.page.url.endswith("#c-note")
    assert mixed.texts('.row[aria-selected="true"] b') == ["c-note"]


def test_an_address_opens_its_conversation(browser: Browser, file: Write) -> None:
    path = file(MIXED)
    with opened(browser, path) as it:
        it.page.goto(f"{path.as_uri()}#c-warning")
        it.page.reload()
        expect(it.page.locator("#story h2")).to_have_text("c-warning")


def test_a_pin_leads_to_its_finding_and_stands_at_its_event(mixed: Opened) -> None:
    page = mixed.page
    [pin] = page.locator(".pin").all()
    expect(pin).to_have_attribute("aria-label", re.compile("^1 error SG103: agent a-2 took over"))

    pin.locator("circle").click()
    expect(page.locator("#finding-0")).to_be_focused()
    path = pin.locator("path").get_attribute("d")
    [end] = re.findall(r"L([\d.]+) ", path or "")
    assert float(end) == pytest.approx(place_of(mixed, 3), abs=0.1)


def test_a_finding_shows_its_event_and_what_led_to_it(mixed: Opened) -> None:
    page = mixed.page
    spot, cause = page.locator(".about .spot"), page.locator(".about .because")

    for circle, row in ((spot, 3), (cause, 0)):
        place = float(circle.get_attribute("cx") or 0)
        assert place == pytest.approx(place_of(mixed, row), abs=0.1)
    expect(spot).to_be_visible()
    expect(cause).not_to_be_visible()
    page.hover(".card")
    expect(cause).to_be_visible()
    page.hover("h1")
    expect(cause).not_to_be_visible()
    page.focus(".pin")
    expect(cause).to_be_visible()


def test_bars_say_how_long_they_lasted_and_marks_what_they_are(timed: Opened) -> None:
    assert timed.page.locator(".lasted").all_text_contents() == ["1:00", "1:30", "0:30"]
    assert timed.page.locator(".mark text").all_text_contents() == [
        *("N", "s", "p", "W", "W", "r", "p", "C", "C", "s", "N", "R", "e", "N", "E")
    ]
    assert timed.texts(".facts")[0].startswith(
        "bot st-1 · ended · 10 events · began 2026-03-02 08:00:00 UTC"
    )
    timed.page.keyboard.press("t")
    assert timed.page.locator(".lasted").count() == 0


def test_a_story_of_a_moment_is_drawn_by_event(browser: Browser, file: Write) -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("NA exit a-1", "c-1", "08:00:01"),
        line("END", "c-1", "08:00:02"),
    ]
    with opened(browser, file(lines)) as it:
        assert it.texts("button.by") == ["Show by time"]
        it.page.keyboard.press("t")
        assert it.texts("button.by") == ["Show by event"]


def test_keys_lead_through_the_page(mixed: Opened) -> None:
    page = mixed.page
    shown = page.locator("#story h2")

    page.keyboard.press("j")
    expect(shown).to_have_text("c-late")
    page.keyboard.press("k")
    expect(shown).to_have_text("c-error")
    page.keyboard.press("n")
    expect(page.locator("#finding-0")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("jj")
    expect(page.locator("#search")).to_have_value("jj")
    expect(shown).to_have_text("c-error")
    page.fill("#search", "")
    page.keyboard.press("Escape")
    expect(page.locator("#list")).to_be_focused()
    page.keyboard.press("End")
    expect(shown).to_have_text("c-clean")
    page.keyboard.press("ArrowUp")
    expect(shown).to_have_text("c-note")
    page.keyboard.press("Home")
    expect(shown).to_have_text("c-error")


def test_a_timeline_has_lanes_bars_and_hand_overs(timed: Opened) -> None:
    page = timed.page

    assert page.locator("svg .agent").all_text_contents() == [
        "a-1 (Ada)",
        "a-3 (Cleo)",
        "a-2 (Ben)",
    ]
    assert tips(page, ".bar") == [
        "a-1 (Ada), primary: NA entry at event 0, COLD exit at event 4, 1:00",
        "a-3 (Cleo), consultant: WARM entry at event 2, WARM exit at event 3, 0:20",
        "a-2 (Ben), primary: COLD entry at event 5, NA exit at event 6, 1:30",
        "a-2 (Ben), primary: redial entry at event 7, NA exit at event 8, 0:30",
    ]
    assert tips(page, "g.handover") == [
        "consult: a-1 (Ada) to a-3 (Cleo)",
        "transfer: a-1 (Ada) to a-2 (Ben)",
    ]
    assert tips(page, "rect.spell") == [
        "transcription active, from 0:01, 0:19",
        "transcription hold, from 0:20, 0:21",
        "transcription active, from 0:41, 0:19",
        "transcription handover, from 1:00, 0:31",
        "transcription active, from 1:31, 2:28",
    ]
    assert tips(page, "rect.phase") == [
        *("active, 0:20", "consulting, 0:20", "active, 0:20", "waiting for the next agent, 0:30"),
        *("active, 1:30", "wrap-up, 0:30", "active, 0:30", "wrap-up, 0:01"),
    ]
    assert page.locator("path.messages.user").count() == 1
    assert tips(page, "path.gap") == ["not connected, 0:30"]


def test_a_mark_opens_its_event_and_an_event_shows_its_mark(timed: Opened) -> None:
    page = timed.page
    page.click("#mark-8")
    expect(page.locator("#drawer h3")).to_have_text("4 COLD exit")
    expect(page.locator("#row-of-8")).to_have_class("picked")
    expect(page.locator("#mark-8")).to_have_class(re.compile("picked"))
    page.hover("#row-of-9")
    expect(page.locator("#mark-9")).to_have_class(re.compile("told"))
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).not_to_be_visible()


def test_what_is_wrong_has_its_letter_where_there_is_room_for_one(
    browser: Browser, file: Write
) -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("WARM entry a-3", "c-1", "08:30:00"),
        line("COLD exit a-3", "c-1", "08:30:02"),
        line("NA exit a-1", "c-1", "09:00:00"),
        line("END", "c-1", "09:00:01"),
    ]
    with opened(browser, file(lines)) as it:
        marks = it.page.locator(".mark.exit, .mark.entry")
        assert marks.locator("text").all_text_contents() == ["N", "C", "N"]
        assert it.page.locator("path.crowd").get_attribute("d") is not None


def test_times_name_their_zone(browser: Browser, file: Write) -> None:
    with opened(browser, file([*TIMED, *early("c-2")]), at="#?v=overview&show=began") as it:
        assert it.texts(".row small:first-of-type")[1] == "2026-03-02 08:00:00 UTC"
        hours = it.page.locator("details:has(> summary:text-is('Hours (UTC)')) th")
        assert [each.inner_text() for each in (hours.first, hours.last)] == [
            *("hour", "2026-03-02 08:00")
        ]


def test_a_consultation_begins_where_the_consultant_enters(browser: Browser, file: Write) -> None:
    first = ("NA entry a-1", "NA exit a-1", "redial entry a-1", "WARM entry a-3", "WARM exit a-3")
    with opened(browser, file(log(*first, "NA exit a-1", "END"))) as it:
        path = it.page.locator("g.handover.consult path").first.get_attribute("d")
        start = float(it.page.locator(".bar.consultant").get_attribute("x") or 0)
    found = re.match(r"M([\d.]+) .*H([\d.]+)V", path or "")
    assert found is not None
    assert [round(float(each), 3) for each in found.groups()] == [round(start, 3)] * 2


def test_what_was_said_stands_among_the_events(browser: Browser, file: Write) -> None:
    lines = [
        line("user message", "c-1", "08:00:00", query="<b>Hello</b>\nyou"),
        line("NA entry a-1", "c-1", "08:00:05"),
        line("agent message a-1", "c-1", "08:00:06", query="Yes"),
        line("start a-1", "c-1", "08:00:06"),
        line("NA exit a-1", "c-1", "08:00:09"),
        line("END", "c-1", "08:00:10"),
        line("user message", "c-1", "08:00:11", query="Thanks"),
    ]
    with opened(browser, file(lines, include_text=True)) as it:
        assert it.texts("table.events tbody tr") == [
            "0 0:00 user message line 1 <b>Hello</b> you",
            "1 0:05 NA entry a-1 line 2",
            "2 0:06 agent message a-1 line 3 Yes",
            "action 0 0:06 transcription start a-1 line 4",
            "3 0:09 NA exit a-1 line 5",
            "4 0:10 END_OF_CONVERSATION line 6 #2 SG407",
            "5 0:11 user message late line 7 Thanks #1 SG110",
        ]


def test_every_segment_has_its_hold_and_talk_time(browser: Browser, file: Write) -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("start a-1", "c-1", "08:00:00"),
        line("pause false a-1", "c-1", "08:01:00"),
        line("WARM entry a-2", "c-1", "08:01:10"),
        line("resume a-1", "c-1", "08:01:30"),
        line("NA exit a-1", "c-1", "08:02:00"),
        line("WARM exit a-2", "c-1", "08:02:30"),
    ]
    with opened(browser, file(lines)) as it:
        expect(it.page.locator("#story h2")).to_have_text("c-1")
        assert it.texts("table.segments th") == [
            "agent", "as", "outcome", "connections", "connected", "hold", "talk",
        ]  # fmt: skip
        assert it.texts("table.segments tbody tr") == [
            "a-1 (Ada) primary completed 1 2:00 0:30 1:30",
            "a-2 (Ben) consultant consulted 1 1:20 0:20 1:00",
        ]
    with opened(browser, file(log("NA entry a-1"))) as it:
        assert it.texts("table.segments tbody tr") == ["a-1 (Ada) primary implied 1 ? ? ?"]


def test_a_timeline_is_drawn_by_time_or_by_event(timed: Opened) -> None:
    first_bar = timed.page.locator(".bar").first  # as long as a quarter, and as half of all events
    by_time = first_bar.bounding_box()

    timed.page.keyboard.press("t")
    by_event = first_bar.bounding_box()
    assert by_time is not None
    assert by_event is not None
    assert by_event["width"] > 1.5 * by_time["width"]
    assert timed.texts("button.by") == ["Show by time"]
    timed.page.click("button.by")
    assert first_bar.bounding_box() == by_time


def queued(name: str, queue: str) -> str:
    """The entry of an agent who answers for a queue."""
    who = {"identity": "a-1", "name": "Ada", "type": "agent"}
    fields = {"queueId": f"qu-{queue}", "queueName": queue}
    return line("NA entry a-1", name, "09:00:00", participant={**who, "customFields": fields})


def test_the_list_is_sorted_and_its_columns_are_chosen(browser: Browser, file: Write) -> None:
    lines = [*TIMED, queued("c-2", "Orders"), queued("c-3", "Returns"), *early("c-4")]
    path = file(lines)
    with opened(browser, path) as it:
        page = it.page
        page.select_option("#sort", "newest")
        assert it.titles() == ["c-2", "c-3", "c-1", "c-4"]
        page.select_option("#sort", "most events")
        assert it.titles() == ["c-1", "c-4", "c-2", "c-3"]
        assert ticked(it) == ["agents"]
        page.click("#columns summary")
        page.check("#columns [value=queues]")
        assert it.texts(".row small:first-of-type")[2:] == [
            "a-1 (Ada) · Orders",
            "a-1 (Ada) · Returns",
        ]
        page.uncheck("#columns [value=agents]")
        assert it.texts(".row small:first-of-type")[2:] == ["Orders", "Returns"]
        page.check("#columns [value=events]")
        assert it.texts(".row small:first-of-type")[0] == "10 events"
        address = page.url
    with opened(browser, path, at=address[address.index("#") :]) as it:
        assert it.titles() == ["c-1", "c-4", "c-2", "c-3"]
        assert ticked(it) == ["queues", "events"]
        it.page.click("#columns summary")
        it.page.uncheck("#columns [value=queues]")
        it.page.click("#columns [value=events]")
        assert ticked(it) == ["agents"]
        assert "show=" not in it.page.url


def test_what_is_open_is_found_again_by_its_address(browser: Browser, file: Write) -> None:
    path = file([*TIMED, queued("c-2", "Orders"), "{"])
    with opened(browser, path) as it:
        assert len(it.titles()) == 3
        it.page.select_option("#phase", "open")
        assert it.titles() == ["c-2"]
        address = it.page.url
    with opened(browser, path, at=address[address.index("#") :]) as it:
        assert it.titles() == ["c-2"]
        it.page.select_option("#phase", "ended")
        assert it.titles() == ["c-1"]


def ticked(it: Opened) -> list[str]:
    """The columns that are chosen."""
    boxes = "boxes => boxes.map(box => box.value)"
    found: list[str] = it.page.eval_on_selector_all("#columns :checked", boxes)
    return found


def test_the_overview_counts_by_queue(browser: Browser, file: Write) -> None:
    with opened(browser, file([queued("c-2", "Orders"), *early("c-4")]), at="#?v=overview") as it:
        queues = it.page.locator("details:has(> summary:text-is('Queues'))")
        assert queues.locator("tbody tr").all_inner_texts() == ["Orders\t1\t1\t1\t"]
        queues.locator("text=Orders").click()
        assert it.titles() == ["c-2"]


def test_a_call_is_drawn_above_the_agents(browser: Browser, file: Write) -> None:
    call = {
        "received_at": "2026-03-02T08:05:00Z",
        "endpoint": "notifications",
        "bot_id": "st-1",
        "body": {
            "conversationId": "c-1",
            "status": "completed",
            "callconnecttime": "3/2/2026, 08:00:00 AM",
            "callDisconnectTime": "3/2/2026, 08:04:00 AM",
            "duration": 240,
        },
    }
    with opened(browser, file([*TIMED[:-1], json.dumps(call), TIMED[-1]])) as it:
        assert tips(it.page, ".phone") == ["call completed, 4:00"]
        whole, phone, ada = (
            float(it.page.locator(each).first.get_attribute("y") or 0)
            for each in ("text.whole >> text=conversation", "text.whole >> text=call", ".agent")
        )
        assert whole < phone < ada


def test_a_finding_at_a_callback_says_so(browser: Browser, file: Write) -> None:
    with opened(browser, file(with_callbacks())) as it:
        where = it.texts("dt:text-is('where') + dd")
        assert "line 3, transcription action 1, /handover" in where
        assert "line 5, call notification 1" in where


def test_very_many_events_are_drawn_as_a_few_shapes(browser: Browser, file: Write) -> None:
    start = datetime(2026, 3, 2, 8, tzinfo=UTC)
    labels = ["NA entry a-1", *["WARM entry a-2", "user message", "WARM exit a-2"] * 300]
    lines = [
        json.dumps(
            json.loads(line(label, "c-1", "08:00:00"))
            | {"received_at": (start + timedelta(seconds=number)).isoformat()}
        )
        for number, label in enumerate(labels)
    ]
    with opened(browser, file(lines)) as it:
        page = it.page
        assert page.locator(".moving *").count() < 400
        assert page.locator(".mark").count() == 0
        page.locator(".lanes").focus()
        for _ in range(9):
            page.keyboard.press("+")
        expect(page.locator(".mark text").first).to_be_visible()
        assert page.locator(".moving *").count() < 400
        assert page.locator("table.segments tbody tr").count() == 200
        page.click("#story >> text=Show 101 more segments")
        assert page.locator("table.segments tbody tr").count() == 301


def test_a_log_without_times_is_drawn_by_event(mixed: Opened) -> None:
    assert not mixed.page.locator("button.by").is_visible()
    assert mixed.page.locator(".tick").all_text_contents()[:2] == ["0", "1"]


def test_a_conversation_with_some_times_is_drawn_by_event(browser: Browser, file: Write) -> None:
    lines = [
        line("NA entry a-1", "c-1", "08:00:00"),
        line("start a-1", "c-1", "08:00:05"),
        line("NA exit a-1", "c-1"),
        line("END", "c-1", "08:00:10"),
    ]
    with opened(browser, file(lines)) as it:
        assert not it.page.locator("button.by").is_visible()
        assert it.page.locator(".mark.action").count() == 1
        assert "NaN" not in it.page.locator(".drawing").evaluate("each => each.outerHTML")


@pytest.mark.parametrize("name", ["%E0%A4%A", "c-9", "st-9/c-note"])
def test_an_address_that_is_not_in_the_report_is_said(
    browser: Browser, file: Write, name: str
) -> None:
    path = file(MIXED)
    with opened(browser, path, at=f"#{name}") as it:
        expect(it.page.locator("#story")).to_have_text(re.compile("is not in this report"))
        assert it.texts('.row[aria-selected="true"]') == []
        it.page.goto(f"{path.as_uri()}#c-note")
        expect(it.page.locator("#story h2")).to_have_text("c-note")


def test_an_address_has_what_is_looked_at(browser: Browser, file: Write) -> None:
    path = file([*MIXED, *TIMED])
    with opened(browser, path) as it:
        page = it.page
        page.fill("#search", "c-")
        page.click('.row b >> text="c-1"')
        page.click("#mark-8")
        page.locator(".lanes").focus()
        page.keyboard.press("+")
        expect(page).to_have_title("c-1 · Segue report")
        expect(page).to_have_url(re.compile("from="))
        page.click("#tab-ladder")
        expect(page).to_have_url(re.compile("v=ladder"))
        address = page.url
    assert "#c-1?" in address
    with opened(browser, path, at=address[address.index("#") :]) as it:
        page = it.page
        expect(page.locator("#drawer h3")).to_have_text("4 COLD exit")
        expect(page.locator("#search")).to_have_value("c-")
        expect(page.locator("#tab-ladder")).to_have_attribute("aria-selected", "true")
        page.click("#tab-timeline")
        assert page.locator(".minimap .window").count() == 1


def test_back_leads_to_the_conversation_before(mixed: Opened) -> None:
    page = mixed.page
    page.click('.row b >> text="c-note"')
    expect(page.locator("#story h2")).to_have_text("c-note")
    page.click('.row b >> text="c-late"')
    expect(page.locator("#story h2")).to_have_text("c-late")
    page.go_back()
    expect(page.locator("#story h2")).to_have_text("c-note")
    assert mixed.texts('.row[aria-selected="true"] b') == ["c-note"]
    page.go_forward()
    expect(page.locator("#story h2")).to_have_text("c-late")


def test_the_timeline_is_zoomed_by_wheel_keys_and_drag(timed: Opened) -> None:
    page = timed.page
    lanes, bars = page.locator(".lanes"), page.locator(".bar")
    whole = bars.count()

    def span() -> float:
        return float(page.evaluate("document.querySelectorAll('.tick').length"))

    assert span() > 3
    box = lanes.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 60)
    page.keyboard.down("Control")
    for _ in range(8):
        page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    expect(page.locator(".minimap .window")).to_have_count(1)
    expect(bars).not_to_have_count(whole)
    lanes.focus()
    page.keyboard.press("0")
    expect(page.locator(".minimap .window")).to_have_count(0)
    page.mouse.move(box["x"] + 300, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 500, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(page.locator(".minimap .window")).to_have_count(1)
    assert "UTC" in timed.texts(".when")[0]


def test_the_timeline_is_read_by_keyboard(timed: Opened) -> None:
    page = timed.page
    page.locator(".lanes").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tip")).to_have_text("event 0: NA entry of a-1 at 0:00")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tip")).to_have_text("transcription start of a-1 at 0:01")
    page.keyboard.press("Enter")
    expect(page.locator("#drawer")).to_contain_text("transcription control (E1)")


def test_a_tip_is_reached_by_touch(browser: Browser, file: Write) -> None:
    page = browser.new_page(viewport={"width": 375, "height": 800}, has_touch=True)
    page.goto(f"{file(TIMED).as_uri()}#c-1")
    page.wait_for_selector(".bar")
    box = page.locator(".bar").first.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect(page.locator("#tip")).to_have_text(
        re.compile("^a-1 .Ada., primary: NA entry at event 0")
    )
    page.touchscreen.tap(20, 400)
    expect(page.locator("#tip")).not_to_be_visible()
    page.close()


def test_a_long_gap_is_folded(browser: Browser, file: Write) -> None:
    lines = [
        line("NA entry a-1", "c-1", "01:00:00"),
        line("NA exit a-1", "c-1", "01:05:00"),
        line("redial entry a-1", "c-1", "21:05:00"),
        line("NA exit a-1", "c-1", "21:06:00"),
    ]
    with opened(browser, file(lines)) as it:
        assert it.page.locator(".tick.folded").all_text_contents() == ["20 h"]
        widths = [float(each.get_attribute("width") or 0) for each in it.page.locator(".bar").all()]
        assert widths[0] / widths[1] == pytest.approx(5, rel=0.05)


def test_an_event_says_where_the_conversation_stood_and_what_was_legal(mixed: Opened) -> None:
    page = mixed.page
    page.click("#mark-3")
    told = dict(zip(mixed.texts("#drawer dt"), mixed.texts("#drawer dd"), strict=True))
    assert told == {
        "agent": "a-2",
        "from": "line 13",
        "sent to": "event (E21)",
        "before": "active: a-1 primary",
        "after": "active: a-2 primary",
        "legal was": "NA exit by a-1, COLD exit by a-1, WARM entry by another agent, message",
    }
    [found] = mixed.texts("#drawer li")
    assert found.startswith("#1 SG103 agent a-2 took over by COLD entry")
    page.keyboard.press("Tab")
    page.click("#drawer >> text=pytest")
    assert page.input_value("#drawer textarea").splitlines()[4:9] == [
        "def test_c_error() -> None:",
        "    report = segue.check(story(",
        '        "NA entry by a-1",',
        '        "user message by a-1",',
        '        "agent message by a-1",',
    ]
    page.click("#drawer >> text=command")
    assert page.input_value("#drawer textarea") == "segue check LOG --conversation=c-error"
    page.click("#drawer >> text=Markdown")
    assert "| 3 |  | **COLD entry** | a-2 | SG103 |" in page.input_value("#drawer textarea")


def test_the_overview_counts_and_filters(mixed: Opened) -> None:
    page = mixed.page
    page.keyboard.press("o")
    expect(page.locator("#story h2")).to_have_text("Overview")
    [_, agents, bots] = page.locator(".tally").all()
    assert mixed.texts(".tally >> nth=0 >> tbody tr") == [
        "SG103 cold-entry-before-exit 1",
        "SG109 repeated-end 1",
        "SG118 callback-start 1",
        "SG206 identity-case-mismatch 1",
        "SG501 unreadable-body 1",
    ]
    assert mixed.texts(".tally >> nth=2 >> tbody tr") == ["st-1 5 2 2"]
    agents.locator("text=a-2 (Ben)").click()
    assert mixed.titles() == ["c-error"]
    expect(page).to_have_url(re.compile("v=overview.*agent=a-2|agent=a-2.*v=overview"))
    assert bots.locator("thead button").all_inner_texts()[0] == "bot"


def test_a_repair_is_shown_as_a_ghost_and_as_what_would_have_been(mixed: Opened) -> None:
    page = mixed.page
    assert tips(page, ".ghost") == ["COLD exit of a-1 belongs here"]
    before = tips(page, ".bar")
    page.click("text=Show repaired")
    assert page.locator(".pin, .ghost").count() == 0
    assert tips(page, ".bar")[0] == "a-1 (Ada), primary: NA entry at event 0, COLD exit at event 3"
    page.click(".repair")
    assert tips(page, ".bar") == before


def test_a_ladder_has_a_column_for_each_who_takes_part(mixed: Opened) -> None:
    mixed.page.keyboard.press("l")
    assert mixed.texts(".ladder thead th") == ["#", "customer", "bot", "a-1 (Ada)", "a-2 (Ben)"]
    assert mixed.texts(".ladder tbody tr") == [
        "0 NA entry",
        "1 user message",
        "2 agent message",
        "3 COLD entry SG103",
        "4 COLD exit",
        "5 NA exit",
        "6 END_OF_CONVERSATION",
    ]


def test_nothing_of_a_sender_is_markup(browser: Browser, file: Write) -> None:
    with opened(browser, file(hostile())) as it:
        assert it.titles()[0] == visible(CANARY)
        assert it.page.locator("#story b, #story a, #story script, #rows script").count() == 0
        it.page.keyboard.press("j")
        expect(it.page.locator("#story h2")).to_have_text(visible(CANARY))
        assert it.page.locator("#story b, #story a, #story script, #rows script").count() == 0
        everything = it.page.evaluate("document.documentElement.outerHTML")
        assert SECRET not in everything
        assert CANARY not in everything


def test_no_other_script_can_run(browser: Browser, file: Write) -> None:
    path = file(MIXED)
    text = path.read_text("utf-8")
    path.write_text(text.replace("</body>", "<script>document.title = 'owned'</script></body>"))
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]", state="attached")

    assert page.title() == "Segue report"
    page.close()


def test_a_long_list_shows_only_what_can_be_seen(browser: Browser, file: Write) -> None:
    lines = [each for number in range(700) for each in log("END", conversation=f"c-{number:03}")]
    with opened(browser, file(lines)) as it:
        assert 10 < it.page.locator(".row").count() < 60
        it.page.focus("#list")
        it.page.keyboard.press("End")
        assert it.titles()[-1] == "c-699"
        expect(it.page.locator("#story h2")).to_have_text("c-699")
        assert it.page.locator(".row").count() < 60


def test_all_counts_above_the_list_have_separators(browser: Browser, file: Write) -> None:
    lines = [each for number in range(1200) for each in log("END", conversation=f"c-{number:04}")]
    with opened(browser, file(lines)) as it:
        assert it.texts("#totals") == [
            "1,200 conversations · 1,200 valid · 0 clean · 1,200 events · 1,200 notes"
        ]


@pytest.mark.slow
def test_fifty_thousand_conversations_can_be_opened(browser: Browser, file: Write) -> None:
    lines = [
        each
        for number in range(50_000)
        for each in log("NA entry a-1", "NA exit a-1", "END", conversation=f"c-{number:05}")
    ]
    with opened(browser, file(lines)) as it:
        assert it.texts("#found") == ["50,000 conversations"]
        it.page.focus("#list")
        it.page.keyboard.press("End")
        expect(it.page.locator("#story h2")).to_have_text("c-49999")
        it.page.fill("#search", "c-31415")
        assert it.titles() == ["c-31415"]


def test_a_narrow_page_shows_the_list_or_a_conversation(browser: Browser, file: Write) -> None:
    with opened(browser, file(TIMED + early("c-2")), width=320) as it:
        page = it.page
        expect(page.locator("#story")).not_to_be_visible()
        page.click(".row >> text=c-1")
        expect(page.locator("#story h2")).to_have_text("c-1")
        expect(page.locator("#list")).not_to_be_visible()
        for selector in ("html", "#story"):
            wide, room = page.locator(selector).evaluate("e => [e.scrollWidth, e.clientWidth]")
            assert wide <= room
        page.click(".back")
        expect(page.locator("#list")).to_be_visible()


def test_a_dark_page_is_dark(browser: Browser, file: Write) -> None:
    path = file(MIXED)
    shades = {}
    for scheme in ("light", "dark"):
        with opened(browser, path, scheme=scheme) as it:
            color = it.page.evaluate("getComputedStyle(document.body).backgroundColor")
            shades[scheme] = sum(map(int, re.findall(r"\d+", color)))
    assert shades["light"] > 600
    assert shades["dark"] < 150


def test_a_printed_page_has_the_conversation_and_no_list(mixed: Opened) -> None:
    mixed.page.emulate_media(media="print")

    expect(mixed.page.locator("#side")).not_to_be_visible()
    expect(mixed.page.locator("footer")).not_to_be_visible()
    expect(mixed.page.locator(".card")).to_be_visible()


def test_many_findings_are_shown_on_request(browser: Browser, file: Write) -> None:
    broken = [line("NA entry a-1", transfertype="odd")] * 250
    with opened(browser, file([line("NA entry a-1"), *broken])) as it:
        assert it.page.locator(".card").count() == 200
        it.page.click("#story > button >> text=more finding")
        assert it.page.locator(".card").count() > 250


def test_an_empty_log_is_an_empty_page(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(rendered("html", []), "utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]", state="attached")

    expect(page.locator("#found")).to_have_text("0 conversations")
    page.close()


def test_causes_stand_above_the_conversations(browser: Browser, tmp_path: Path) -> None:
    written: list[str] = []
    page = renderer("html", written.append)
    for report in segue.replay(MIXED):
        page.show(report)
    where = (("queue", "<b>1</b>"),)
    cause = RootCause("SG103", where, None, None, 5, 5, 0.5, 0.0, "transfers", 9.0)
    sentence = (
        "SG103: 5 of 5 findings where queue = <b>1</b>; 50 % of its transfers, 0 % elsewhere."
    )
    causes = RootCauses((cause,), {"SG101": 1}, has_times=True, share=1, day=None)
    page.finish(RunSummary(causes=causes))
    path = tmp_path / "report.html"
    path.write_text("".join(written), "utf-8")

    with opened(browser, path) as it:
        order = "boxes => boxes.map(each => each.id || each.parentNode.id)"
        stops = it.page.eval_on_selector_all("header :is(button, summary)", order)
        assert stops == ["overview", "causes"]
        assert it.texts("#causes li") == [sentence, "Unexplained: 1 mistake or warning (SG101 1)."]
