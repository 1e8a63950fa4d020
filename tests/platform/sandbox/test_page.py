"""The page of the sandbox: what there is and what was sent, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.report.browser import Opened, chromium

from segue.platform.client import SentRequest
from segue.testing import TestSandbox


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def test_the_page_needs_no_token_and_loads_nothing() -> None:
    with TestSandbox() as sandbox:
        answer = sandbox.answer(SentRequest("GET", "/sandbox/page", {}, None))

    text = answer.body.decode()
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert policy.endswith("frame-ancestors 'none'")
    assert not re.search(r"<(?:link|img|iframe)|\bsrc=|https?://(?!www\.w3\.org)", text)


def test_what_there_is_and_was_sent_is_shown_as_it_happens(browser: Browser) -> None:
    with TestSandbox(faults=["callback-twice=1"]) as sandbox, browser.new_page() as page:
        opened = Opened(page, sandbox.url)
        page.goto(f"{sandbox.url}/sandbox/page#token={sandbox.token}")
        page.wait_for_selector(".chip:has-text('agents 6')")
        assert page.inner_text("#story .facts") == "Nothing yet."
        assert "token" not in page.url

        sandbox.client().calls.start(
            bot="st-1", target="tel:+49301231", caller="1", notify_url="http://127.0.0.1:9/<b>"
        )
        page.click("text=+ ten minutes")
        page.wait_for_selector("tbody tr:nth-child(2)")
        [newest, _] = opened.texts("tbody tr")
        assert re.fullmatch(
            r"2026-\S+Z notification 0 http://127\.0\.0\.1:9/<b> all( \{.*)?", newest
        )
        page.click(".chip:has-text('faults 1')")
        page.wait_for_selector("tbody tr:has-text('callback-twice')")
        page.click(".chip:has-text('calls 1')")
        page.wait_for_selector("tbody tr:has-text('failed')")
        assert opened.troubles == []


def test_a_token_that_is_not_accepted_is_asked_for_again(browser: Browser) -> None:
    with TestSandbox() as sandbox, browser.new_page() as page:
        page.goto(f"{sandbox.url}/sandbox/page")
        page.wait_for_selector("#token")
        page.fill("#token", "two words")
        page.press("#token", "Enter")
        assert page.inner_text("#refused") == "A token is one word, without blanks."
        page.fill("#token", sandbox.token)
        page.press("#token", "Enter")
        page.wait_for_selector(".chip:has-text('queues 3')")
        assert not page.is_visible("#enter")
