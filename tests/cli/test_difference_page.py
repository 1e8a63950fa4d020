"""The page of `segue diff`, in a browser: both sides beside each other, and nothing that acts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.analysis.compare.story import CONSULTED, PLAIN, log
from tests.cli.command import Segue, Write
from tests.report.browser import chromium, opened
from tests.report.hostile import CANARY, SECRET, hostile
from tests.report.story import line

from segue.report.escape import visible

OLD = [*log(*PLAIN, start=0), *log(PLAIN[0], PLAIN[2], conversation="c-2")]
NEW = [*log(*CONSULTED, start=0), *log(*PLAIN, conversation="c-3")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def sides(write: Write) -> None:
    write("old.jsonl", [json.dumps(each) for each in OLD])
    write("new.jsonl", [json.dumps(each) for each in NEW])


def page_of(segue: Segue, write: Write, *arguments: str, err: str = "") -> Path:
    done = segue("diff", "--format", "html", *arguments)
    assert (done.code, done.err) == (1, err)
    return write("page.html", done.out)


@pytest.mark.usefixtures("sides")
def test_both_sides_stand_beside_each_other(browser: Browser, segue: Segue, write: Write) -> None:
    path = page_of(segue, write, "old.jsonl", "new.jsonl")
    with opened(browser, path, at="#c-1") as it:
        assert it.texts("#totals") == ["1 added, 1 removed, 1 changed, 0 the same"]
        assert sorted(it.titles()) == ["c-1", "c-2", "c-3"]
        assert it.texts(".sides h3") == ["before: old.jsonl", "after: new.jsonl"]
        assert it.texts(".changes li")[0] == "~ c-1 changed: 2 segments"
        assert it.texts(".pairs tr") == [
            "0 0:00 NA entry a-1 0 0:00 NA entry a-1",
            "1 0:10 WARM entry a-2",
            "2 0:20 WARM exit a-2",
            "1 0:10 NA exit a-1 3 0:30 NA exit a-1",
            "2 0:20 END_OF_CONVERSATION 4 0:40 END_OF_CONVERSATION",
        ]
        assert it.page.locator(".pairs tr.came").count() == 2

        first, second = it.page.locator(".sides .drawing").all()
        assert [each.locator(".agent").count() for each in (first, second)] == [1, 2]
        ends = [
            each.locator('[data-tip*="NA exit"]').last.bounding_box() for each in (first, second)
        ]
        assert ends[0] is not None
        assert ends[1] is not None
        assert ends[0]["x"] < ends[1]["x"] - 100  # one scale: ten seconds here, thirty there

        it.page.click(".pairs tr:nth-child(4) td:nth-child(3) button")
        assert it.texts("#drawer h3") == ["1 NA exit"]
        told = dict(zip(it.texts("#drawer dt"), it.texts("#drawer dd"), strict=True))
        assert told["from"] == "old.jsonl, line 2"
        it.page.click("#drawer [aria-label='Event before']")
        assert it.texts("#drawer h3") == ["0 NA entry"]

        it.page.click('[role="tab"] >> text=ladder')
        assert it.page.locator(".sides").count() == 0
        assert it.page.url.endswith("v=ladder")
        it.page.click('[role="tab"] >> text=compare')
        assert it.page.locator(".sides").count() == 1


@pytest.mark.usefixtures("sides")
def test_both_timelines_zoom_together(browser: Browser, segue: Segue, write: Write) -> None:
    with opened(browser, page_of(segue, write, "old.jsonl", "new.jsonl"), at="#c-1") as it:
        before = it.page.locator(".sides .axis").all_text_contents()
        it.page.locator(".sides .lanes").first.focus()
        it.page.keyboard.press("+")
        it.page.wait_for_timeout(100)
        after = it.page.locator(".sides .axis").all_text_contents()
        assert after[0] == after[1] != before[0] == before[1]


@pytest.mark.usefixtures("sides")
def test_what_only_one_side_has_is_shown_alone(
    browser: Browser, segue: Segue, write: Write
) -> None:
    with opened(browser, page_of(segue, write, "old.jsonl", "new.jsonl"), at="#c-2") as it:
        assert it.page.locator(".sides").count() == 0
        assert it.texts(".changes li") == ["- c-2 removed: ended, 1 mistake (1 error)"]
        it.page.fill("#search", "added")
        assert it.titles() == ["c-3"]


@pytest.mark.usefixtures("sides")
def test_two_conversations_are_a_pair(browser: Browser, segue: Segue, write: Write) -> None:
    path = page_of(segue, write, "old.jsonl", "--pair", "c-1", "c-2")
    with opened(browser, path) as it:
        assert it.texts(".changes li")[0].startswith("~ c-1 -> c-2 changed: 1 segment, 1 mistake")
        assert it.texts(".pairs tr.went") == ["1 0:10 NA exit a-1"]
    text = segue("diff", "old.jsonl", "new.jsonl", "--pair", "c-1", "c-3")
    assert (text.code, text.out) == (0, "no difference in 1 conversation\n")
    gone = segue("diff", "old.jsonl", "--pair", "c-1", "c-9")
    assert gone.code == 2
    assert "'c-9'" in gone.err


def test_what_came_after_the_end_is_compared_too(
    browser: Browser, segue: Segue, write: Write
) -> None:
    ended = [line("NA entry a-1"), line("NA exit a-1"), line("END")]
    write("old.jsonl", ended)
    write("new.jsonl", [*ended, line("NA exit a-1")])
    with opened(browser, page_of(segue, write, "old.jsonl", "new.jsonl")) as it:
        assert it.texts(".pairs tr.came") == ["3 NA exit a-1"]
        assert it.texts(".card h3") == ["#1 error SG110 event-after-end"]


def test_nothing_of_a_sender_is_markup_or_said(
    browser: Browser, segue: Segue, write: Write
) -> None:
    write("old.jsonl", hostile())
    write("new.jsonl", [each for each in hostile() if "END" not in each])
    cut = "segue: 1 line is cut off\n"
    path = page_of(segue, write, "old.jsonl", "new.jsonl", err=2 * cut)
    [script] = re.findall(r"script-src ('sha256-[^']+')", path.read_text("utf-8"))
    assert script.startswith("'sha256-")
    with opened(browser, path) as it:
        assert it.titles() == [visible(CANARY)]
        assert it.page.locator("#story b, #story a, #story script, #rows script").count() == 0
        everything = it.page.evaluate("document.documentElement.outerHTML")
        assert SECRET not in everything
        assert CANARY not in everything


def test_what_does_not_differ_is_an_empty_page(
    browser: Browser, segue: Segue, write: Write
) -> None:
    write("one.jsonl", [line("NA entry a-1"), line("NA exit a-1"), line("END")])
    done = segue("diff", "--format", "html", "one.jsonl", "one.jsonl")
    assert done.code == 0
    page = browser.new_page()
    page.goto(write("page.html", done.out).as_uri())
    page.wait_for_selector("body[data-ready]", state="attached")
    assert page.inner_text("#totals") == "no difference in 1 conversation"
    page.close()


@pytest.mark.usefixtures("sides")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["report.jsonl", "new.jsonl", "--format", "html"], "report.jsonl is a report"),
        (["report.jsonl", "new.jsonl", "--pair", "c-1", "c-1"], "report.jsonl is a report"),
        (
            ["old.jsonl", "--sessions", "report.jsonl", "--format", "html"],
            "leave out --pair and --format html",
        ),
        (["several.jsonl", "--key", "bot", "--pair", "c-1", "c-1"], "of several bots"),
    ],
)
def test_what_has_no_page_is_refused(
    segue: Segue, write: Write, arguments: list[str], told: str
) -> None:
    write("report.jsonl", segue("check", "--format", "jsonl", "old.jsonl").out)
    first = json.loads(line("NA entry a-1"))
    write("several.jsonl", [json.dumps(first), json.dumps({**first, "botId": "st-9"})])
    done = segue("diff", *arguments)

    assert (done.code, told in done.err) == (2, True), done.err
