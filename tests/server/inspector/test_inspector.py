"""The inspector: what is in its page, and what it is given to draw."""

import json
import re
import zlib
from base64 import b64decode
from typing import Any

import pytest
from tests.report.hostile import HOSTILE, SECRET, hostile
from tests.report.story import early, rendered, report, with_callbacks
from tests.report.test_html import parts

import segue
from segue.core.findings import RULES
from segue.core.wire import read_line
from segue.server.inspector.page import inspector_data, inspector_page


def run(*, asks_for_token: bool) -> Any:
    page, _ = inspector_page(asks_for_token=asks_for_token)
    [data] = re.findall(r'data-part="run">([\w+/=]*)<', page.decode())
    return json.loads(zlib.decompress(b64decode(data)))


@pytest.mark.parametrize("asks", [True, False])
def test_the_page_knows_the_rules_and_whether_to_ask(*, asks: bool) -> None:
    told = run(asks_for_token=asks)

    assert told["asks"] is asks
    assert [code for code, *_ in told["rules"]] == [rule.code for rule in RULES]


def test_the_page_asks_its_own_server_and_no_other() -> None:
    page, policy = inspector_page(asks_for_token=True)

    assert "connect-src 'self';" in policy
    assert "default-src 'none';" in policy
    assert policy in page.decode()
    assert not re.search(r"localStorage|sessionStorage|\.cookie|indexedDB", page.decode())


def test_a_file_asks_nobody() -> None:
    assert "connect-src" not in rendered("html", early())


def test_what_is_drawn_is_what_a_file_has() -> None:
    [(_, stories), (_, rows), (_, situations), _] = parts(rendered("html", early()))
    [only] = segue.replay(early())
    deliveries = [read_line(each, line=line) for line, each in enumerate(early(), start=1)]
    drawn = json.loads(json.dumps(inspector_data(only, ["message\x1b"], deliveries)))

    assert drawn["row"] == rows[0]
    more = {"expected": ["message\\x1b"], "later": None, "situations": situations, "waiting": []}
    assert drawn["story"] == {**stories[0], "start": rows[0][12], **more}


def test_a_finding_stands_at_what_came_to_its_own_intake() -> None:
    deliveries = [read_line(each) for each in with_callbacks()]
    drawn = inspector_data(segue.check(deliveries, partial="end"), (), deliveries)

    assert [(each["code"], each["row"]) for each in drawn["story"]["findings"]] == [
        ("SG502", 2),
        ("SG703", 4),
    ]


def test_of_an_excerpt_the_page_knows_where_it_goes_on() -> None:
    [only] = segue.replay(early())

    assert inspector_data(only, [], later=("7000000", 12))["story"]["later"] == {
        "after": "7000000",
        "findings": 12,
    }


def test_nothing_that_acts_and_no_text_is_drawn() -> None:
    for each in segue.replay(hostile()):
        told = json.dumps(inspector_data(each, [each.conversation_id or ""]), ensure_ascii=False)
        assert SECRET not in told
        assert not any(character in told for character in HOSTILE)


def test_a_conversation_without_events_can_be_drawn() -> None:
    assert inspector_data(report("END"), [])["story"]["segments"] == []
