"""The samples of the page about the logs of tools are read right without an option."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from docs.tool_logs_page import SAMPLES, tool_logs
from segue.core.errors import UnreadableLog
from segue.core.events import EventKind
from segue.logs.file_kinds import kind_of
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.sniffing.decision import sniff
from segue.logs.sources import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from segue import Delivery

LOGS, FILES = tool_logs()["log"], tool_logs()["file"]
REFUSED = "syslog-ng-parsed.log"
TIMELESS = {
    *("redis-lrange.json", "redis-noraw.txt", "redis-xrange.txt", "modsecurity-native.log"),
    *("structlog-kv.log", "console-json.log", "dynamodb-export.jsonl", "fastavro-unions.jsonl"),
}
"""Samples in which the time of a delivery is not said, or not where its body is."""


def deliveries(sample: str) -> Iterator[Delivery]:
    path = SAMPLES / sample
    found = sniff(str(path))
    mapping = None if found.is_ordinary else found.ways[0]
    assert len(found.ways) == (not found.is_ordinary)
    reader = LineReader(ReplayOptions(field_mapping=mapping))
    for line in lines_of(str(path), None, mapping):
        delivery = reader.read_any(line, None)
        if delivery is not None:
            yield delivery


@pytest.mark.parametrize("sample", [row["sample"] for row in LOGS if row["sample"] != REFUSED])
def test_a_sample_is_read_right(sample: str) -> None:
    """Ada enters c-1 at first, and then Bea enters c-2. Nothing else is before them."""
    first, second = islice(deliveries(sample), 2)

    for delivery, conversation, agent, name in (
        (first, "c-1", "a-1", "Ada"),
        (second, "c-2", "a-2", "Bea"),
    ):
        [event] = delivery.events
        assert delivery.flaws == event.flaws == ()
        assert (delivery.conversation_id, delivery.bot_id) == (conversation, "st-1")
        assert (event.kind, event.agent, event.name) == (EventKind.NA_ENTRY, agent, name)
    if sample not in TIMELESS:
        assert first.received_at is not None
        assert second.received_at is not None
        assert first.received_at.year == 2026
        assert first.received_at < second.received_at


def test_fields_that_were_turned_into_text_are_refused() -> None:
    with pytest.raises(UnreadableLog, match="make it keep their types"):
        sniff(str(SAMPLES / REFUSED))


def test_each_sample_is_listed_once() -> None:
    assert sorted(row["sample"] for row in LOGS) == sorted(each.name for each in SAMPLES.iterdir())


@pytest.mark.parametrize("row", FILES, ids=[row["tool"] for row in FILES])
def test_a_file_without_lines_is_told_with_what_exports_it(row: dict[str, Any]) -> None:
    kind = kind_of(row["begins"].encode("latin-1"))

    assert kind is not None
    assert ": " in kind
