"""Logs as a whole: the same for a seed, interleaved, streamed, and true to what was planted."""

from __future__ import annotations

import gc
import json
import re
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Nowhere

import segue
from segue import ConfigurationError, Severity
from segue.analysis.simulate import MORNING, GeneratedLine, generate, write
from segue.analysis.simulate.mistakes import mistakes_of
from segue.core.findings import BY_CODE, RULES
from segue.errors import UnknownRule

NOTES = frozenset(rule.code for rule in RULES if rule.severity is Severity.NOTE)

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"spellings": False, "notes": False},
    {"transcription": False},
    {"envelopes": False},
    {"delivery_ids": True},
    {"messages": 0},
    {"messages": 0, "transcription": False, "envelopes": False, "delivery_ids": True},
    {"open_at_once": 1},
)


def _told(lines: list[GeneratedLine]) -> Counter[tuple[object, ...]]:
    return Counter(finding[:4] for line in lines for finding in line.expected)


def _found(lines: list[GeneratedLine]) -> Counter[tuple[object, ...]]:
    return Counter(
        (
            report.conversation_id,
            finding.code,
            finding.place.event,
            finding.place.action,
        )
        for report in segue.replay([line.text for line in lines])
        for finding in report.findings
    )


def _bodies(lines: list[GeneratedLine]) -> Iterator[dict[str, Any]]:
    for line in lines:
        record = json.loads(line.text)
        body = record.get("body", record)
        yield json.loads(body) if isinstance(body, str) else body


def test_the_same_seed_and_options_give_the_same_log() -> None:
    once, again, other = (list(generate(seed, mistakes=0.3)) for seed in (5, 5, 6))

    assert once == again
    assert once != other


def test_a_conversation_does_not_depend_on_how_many_come_after_it() -> None:
    few, many = (
        [line for line in generate(conversations=number) if line.conversation_id == "c-00003"]
        for number in (50, 60)
    )

    assert few == many


def test_logs_of_two_seeds_share_no_id_of_a_conversation_or_delivery() -> None:
    def ids(seed: int) -> set[str]:
        lines = generate(seed, conversations=60, mistakes=0.3, calls=True, delivery_ids=True)
        return {
            found
            for line in lines
            for found in re.findall(
                r'"(?:conversationId|conversation_id|delivery_id)": "([^"]+)"', line.text
            )
        }

    first, *others = map(ids, (0, 1, 2, 11, -1))
    assert "c-00001" in first
    assert any(each.startswith("d-00001-") for each in first)
    assert "c-1-00001" in others[0]
    for other in others:
        assert not first & other
        first |= other


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(
    ("seed", "count"),
    [(1, 30), *(pytest.param(seed, 120, marks=pytest.mark.thorough) for seed in (1, 2))],
)
def test_a_check_finds_exactly_what_is_told(seed: int, count: int, options: dict[str, Any]) -> None:
    lines = list(generate(seed, conversations=count, mistakes=0.8, **options))

    assert _found(lines) == _told(lines)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_log_without_mistakes_has_notes_at_most(options: dict[str, Any]) -> None:
    lines = list(generate(3, conversations=60, mistakes=0, **options))
    codes_found = {code for _, code, *_ in _found(lines)}

    assert codes_found <= NOTES
    assert _found(lines) == _told(lines)
    assert codes_found or options.get("notes") is False


def test_every_conversation_is_told_to_its_end() -> None:
    lines = list(generate(conversations=40, mistakes=0))

    phases = {report.phase for report in segue.replay([line.text for line in lines])}

    assert phases == {segue.Phase.ENDED}


def test_mistakes_is_the_share_of_conversations_that_have_one() -> None:
    lines = list(generate(conversations=80, mistakes=0.25, notes=False))

    assert sum(len(line.expected) for line in lines) == 20


def test_all_rules_are_offended_in_turn() -> None:
    lines = list(generate(conversations=65, mistakes=1, calls=True))

    assert Counter(code for _, code, *_ in _told(lines).elements()) == Counter(
        set(BY_CODE) - {"SG512"}
    )


def test_a_placeholder_as_conversation_id_is_not_planted() -> None:
    with pytest.raises(ConfigurationError, match="SG512 cannot be planted"):
        next(generate(mistakes=1, rules=["SG512"]))


def test_rules_may_be_chosen_by_code_prefix_and_name_and_more_than_once() -> None:
    lines = list(generate(conversations=6, mistakes=1, rules=["SG109", "SG3", "repeated-end"]))

    assert Counter(code for _, code, *_ in _told(lines).elements()) == {
        "SG109": 3,
        "SG301": 2,
        "SG302": 1,
    }


def test_a_rule_with_several_mistakes_gets_them_in_turn() -> None:
    first, second = mistakes_of("SG502")
    lines = list(generate(conversations=2, mistakes=1, rules=["SG502"], open_at_once=1))
    ends = [line for line in lines if "END_OF_CONVERSATION" in line.text]

    assert first is not second
    assert ["reason" in line.text for line in ends] == [False, True]  # the page's, and any field


def test_what_shows_at_a_line_is_told_with_that_line() -> None:
    lines = list(generate(4, conversations=100, mistakes=1, calls=True))
    at_close = {"SG107", "SG108", "SG407", "SG708"}

    for number, line in enumerate(lines, start=1):
        for finding in line.expected:
            assert finding.line == number or (finding.line is None and finding.code in at_close)
            assert finding.conversation_id in (line.conversation_id, None)


def test_the_lines_of_a_check_are_those_that_were_told() -> None:
    lines = list(generate(4, conversations=100, mistakes=1, calls=True))
    texts = [line.text for line in lines]
    told = {finding.code: finding.line for line in lines for finding in line.expected[:1]}

    for report in segue.replay(texts):
        for finding in report.findings:
            if finding.place.line is not None:
                shown = [finding.code for finding in lines[finding.place.line - 1].expected]
                assert shown == [finding.code], told


def test_a_line_that_is_cut_off_still_knows_its_conversation() -> None:
    lines = list(generate(conversations=3, mistakes=1, rules=["SG501"]))
    cut = next(line for line in lines if line.expected)

    assert cut.conversation_id.startswith("c-")
    assert cut.expected[0].conversation_id is None
    assert cut.expected[0].event is None


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_line_is_json_of_less_than_a_kilobyte(options: dict[str, Any]) -> None:
    lines = list(generate(conversations=100, mistakes=0, **options))

    for line in lines:
        assert "\n" not in line.text
        assert isinstance(json.loads(line.text), dict)
        assert len(line.text.encode()) < 1024


def test_times_never_run_backwards_in_a_log_without_mistakes() -> None:
    lines = generate(conversations=200, mistakes=0, open_at_once=20, delivery_ids=True)
    times = [datetime.fromisoformat(json.loads(line.text)["received_at"]) for line in lines]

    assert all(one <= two for one, two in pairwise(times))
    assert MORNING <= times[0] < MORNING + timedelta(minutes=1)


def test_the_log_begins_at_the_start_it_is_given_in_utc() -> None:
    start = datetime(2027, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))

    first = json.loads(next(generate(start=start)).text)["received_at"]

    assert first.startswith("2027-01-01T00:00:")
    assert first.endswith("Z")


@pytest.mark.parametrize("open_at_once", [1, 7])
def test_so_many_conversations_are_open_at_once(open_at_once: int) -> None:
    lines = list(generate(conversations=60, open_at_once=open_at_once, mistakes=0))
    last = {line.conversation_id: number for number, line in enumerate(lines)}
    is_open: set[str] = set()
    most = 0
    for number, line in enumerate(lines):
        is_open.add(line.conversation_id)
        most = max(most, len(is_open))
        if last[line.conversation_id] == number:
            is_open.discard(line.conversation_id)

    assert most == open_at_once


def test_lines_fill_a_log_with_whole_conversations() -> None:
    lines = list(generate(lines=2_000, mistakes=0))
    reports = list(segue.replay([line.text for line in lines]))

    assert 2_000 <= len(lines) < 2_100
    assert {report.phase for report in reports} == {segue.Phase.ENDED}


def test_the_smaller_of_lines_and_conversations_decides() -> None:
    assert {line.conversation_id for line in generate(lines=10_000, conversations=2)} == {
        "c-00001",
        "c-00002",
    }
    assert len(list(generate(lines=1, conversations=50, open_at_once=1))) < 100


@pytest.mark.parametrize("options", [{"lines": 0}, {"conversations": 0}], ids=str)
def test_an_empty_log_is_a_log(options: dict[str, Any]) -> None:
    assert list(generate(**options)) == []


def test_the_log_is_streamed() -> None:
    assert len(list(islice(generate(lines=10**12), 100))) == 100


@pytest.mark.thorough
def test_memory_does_not_grow_with_the_log() -> None:
    def peak(conversations: int) -> int:
        tracemalloc.start()
        for number, _ in enumerate(generate(conversations=conversations, open_at_once=10)):
            if number % 100 == 0:
                gc.collect()  # when Python does depends on what was made before this test
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    gc.freeze()  # the tests before this one have left much to look through
    try:
        peak(600)  # whatever is loaded or cached once
        assert peak(600) < 1.5 * peak(100) + 100_000
    finally:
        gc.unfreeze()


def test_a_log_without_transcription_has_chats_only() -> None:
    lines = list(generate(conversations=60, mistakes=0, transcription=False))

    assert not any("transcription" in line.text for line in lines)
    assert not any('"voice"' in line.text.lower() for line in lines)


def test_a_log_without_envelopes_has_bare_bodies_and_no_times() -> None:
    lines = list(generate(conversations=60, mistakes=0, envelopes=False, spellings=False))
    records = [json.loads(line.text) for line in lines]

    assert {key for record in records if "body" in record for key in record} == {
        "endpoint",
        "conversation_id",
        "bot_id",
        "body",
    }
    assert any("body" not in record for record in records)


def test_delivery_ids_are_on_every_line_and_a_retry_keeps_its_own() -> None:
    lines = list(generate(1, conversations=300, mistakes=0, delivery_ids=True))
    seen = Counter(json.loads(line.text)["delivery_id"] for line in lines)
    again = {identity for identity, number in seen.items() if number > 1}

    assert again
    assert all("again" in identity and seen[identity] == 2 for identity in again)


def test_events_messages_and_actions_are_those_of_the_specification() -> None:
    lines = list(generate(conversations=300, mistakes=0, spellings=False))
    kinds: Counter[str] = Counter()
    for body in _bodies(lines):
        if "action" in body:
            kinds[f"{body['action']} {body.get('handover', '')}".strip()] += 1
        elif "query" in body:
            kinds[body["author"]["type"]] += 1
        for event in body.get("events", ()):
            kinds[
                " ".join((event.get("transfertype", event["name"]), event.get("transition", "")))
            ] += 1

    assert set(kinds) == {
        "NA entry", "NA exit", "COLD entry", "COLD exit", "WARM entry", "WARM exit",
        "redial entry", "TRIGGER_SUMMARY_EVENT ", "END_OF_CONVERSATION ", "USER", "AGENT",
        "start", "pause True", "pause False", "resume", "end",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mistakes": 1.01}, "`mistakes` must be from 0 to 1"),
        ({"mistakes": -0.1}, "`mistakes` must be from 0 to 1"),
        ({"conversations": -1}, "at least 0"),
        ({"lines": -1}, "at least 0"),
        ({"messages": -1}, "0 to 1000, got -1"),
        ({"messages": 1e300}, "0 to 1000, got 1e"),
        ({"messages": float("nan")}, "0 to 1000, got nan"),
        ({"open_at_once": 0}, "at least 1"),
        ({"start": datetime(2026, 1, 1)}, "time zone"),  # noqa: DTZ001 - the mistake
        ({"start": datetime(2026, 1, 1, tzinfo=Nowhere())}, "time zone"),
        ({"rules": ["SG4"], "transcription": False}, "SG401 cannot .* without transcription"),
        ({"rules": ["SG602"], "envelopes": False}, "SG602 cannot .* without envelopes"),
        ({"rules": ["SG603"], "messages": 0}, "SG603 cannot .* without messages"),
    ],
    ids=str,
)
def test_arguments_that_cannot_be_meant_are_refused_at_once(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        generate(**options)


def test_an_unknown_rule_is_refused_at_once() -> None:
    with pytest.raises(UnknownRule):
        generate(rules=["SG999"])


def test_write_puts_the_truth_beside_the_log(tmp_path: Path) -> None:
    log, truth = tmp_path / "a.jsonl", tmp_path / "a.truth.jsonl"
    lines = list(generate(conversations=20, mistakes=0.5))

    written = write(log, iter(lines), str(truth))

    assert written == len(lines)
    assert log.read_bytes().decode() == "".join(f"{line.text}\n" for line in lines)
    rows = [json.loads(row) for row in truth.read_text("utf-8").splitlines()]
    assert [tuple(row.values()) for row in rows] == [
        tuple(finding) for line in lines for finding in line.expected
    ]
    assert set(rows[0]) == {"conversation_id", "code", "event", "action", "line", "title"}


def test_write_needs_no_place_for_the_truth(tmp_path: Path) -> None:
    assert write(tmp_path / "a.jsonl", generate(conversations=0)) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
    assert (tmp_path / "a.jsonl").read_bytes() == b""


def test_the_day_begins_in_utc() -> None:
    assert MORNING.tzinfo is UTC
