"""Causes: which are found, which are not, and that parts of a log come to the same as the whole."""

from __future__ import annotations

import json
import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st
from tests.analysis.causes.days import Day, Plant, day, plants
from tests.report.story import with_callbacks

import segue
from segue.analysis.causes import (
    Counts,
    FindingReader,
    RootCause,
    RootCauses,
    cause_notes,
    find_causes,
)
from segue.analysis.causes.search import unit_of
from segue.analysis.causes.statistic import first_of
from segue.logs.plan import ChunkSizes, Detail, Replay, ReplayOptions
from segue.logs.replaying import start_replay

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


def transfer(kind: str, agent: str, **more: object) -> dict[str, object]:
    transfer_type, transition = kind.split()
    participant = {"identity": agent, "name": agent, "type": "agent"}
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": transfer_type,
        "transition": transition,
        "isExtAD": False,
        "language": "en",
        "experience": "chat",
        "participant": participant,
        **more,
    }


def end(agent: str) -> dict[str, object]:
    event = transfer("NA exit", agent)
    return {"name": "END_OF_CONVERSATION", "reason": "agent_initiated"} | {
        key: event[key] for key in ("language", "experience", "participant")
    }


def conversation(
    number: int,
    bot: str = "st-1",
    agent: str = "a-1",
    *,
    is_wrong: bool = False,
    timed: bool = True,
) -> Iterator[str]:
    """One conversation a minute; wrong: its agent enters twice."""
    kinds = ["NA entry", "NA entry" if is_wrong else "", "NA exit"]
    events = [transfer(kind, agent) for kind in kinds if kind]
    if is_wrong:
        events[1]["reason"] = "again"  # not the same event twice
    at = NINE + timedelta(minutes=number)
    for event in (*events, end(agent)):
        body = {"conversationId": f"c-{number}", "botId": bot, "events": [event]}
        yield json.dumps({"received_at": at.isoformat(), "body": body} if timed else body)


def log(wrong: range, *, timed: bool = True, numbers: int = 400) -> list[str]:
    """Two bots by turns; one of them is wrong in a range of conversations."""
    return [
        line
        for number in range(numbers)
        for line in conversation(
            number,
            f"st-{number % 2}",
            f"a-{number % 7}",
            is_wrong=number in wrong and number % 2 == 1,
            timed=timed,
        )
    ]


def test_a_day_that_the_file_names_is_not_said_again() -> None:
    at = NINE + timedelta(minutes=7)

    def said(file: str, *, until: datetime | None = None) -> str:
        where = (("file", file), ("bot", "st-1"))
        cause = RootCause("SG103", where, at, until, 5, 6, 0.5, 0.0, "transfers", 9.0)
        return cause.sentence().partition("bot = ")[2].partition(";")[0]

    assert said("2026-03-02.jsonl") == "st-1 since 09:07"
    assert said("2026-03-02.jsonl", until=at + timedelta(hours=1)) == "st-1 since 09:07 until 10:07"
    assert said("march.jsonl") == "st-1 since 2026-03-02 09:07"
    assert said("2026-03-02.jsonl", until=at + timedelta(days=1)) == (
        "st-1 since 2026-03-02 09:07 until 2026-03-03 09:07"
    )


def only(causes: RootCauses) -> RootCause:
    (cause,) = causes.causes
    return cause


def test_the_share_names_the_events_that_it_is_of() -> None:
    """NA entries are compared with NA entries; if one in five is wrong, with all transfers."""
    few = only(segue.causes(log(range(1, 100))))
    many = only(segue.causes(log(range(1, 400))))

    assert few.unit == "NA entries"
    assert many.unit == "transfers"


def actions(number: int, bot: str, agent: str) -> list[str]:
    """A transcription that is started and ended."""
    at = NINE + timedelta(minutes=number)
    envelope = {"received_at": at.isoformat(), "endpoint": "transcription", "bot_id": bot}
    return [
        json.dumps(
            envelope
            | {"conversation_id": f"c-{number}", "body": {"action": action, "agentId": agent}}
        )
        for action in ("start", "end")
    ]


def test_conversations_are_called_so_with_and_without_transcription() -> None:
    """One bot ends no conversation; every second conversation of both is transcribed."""
    lines = []
    for number in range(400):
        bot, agent = f"st-{number % 2}", f"a-{number % 7}"
        entry, leave, over = conversation(number, bot, agent)
        recorded = actions(number, bot, agent) if number % 4 in (0, 1) else []
        lines += [entry, *recorded, leave, *([] if number % 2 else [over])]

    missing = only(segue.causes(lines))

    assert (missing.code, missing.where, missing.found) == ("SG108", (("bot", "st-1"),), 200)
    assert missing.unit == "conversations"


def test_a_bot_that_goes_wrong_from_a_minute_on() -> None:
    causes = segue.causes(log(range(101, 400)))
    cause = only(causes)

    assert (cause.where, cause.since, cause.until) == (
        (("bot", "st-1"),),
        NINE + timedelta(minutes=101),
        None,
    )
    assert (cause.found, cause.total, cause.rate_elsewhere) == (150, 150, 0)
    assert causes.unexplained == {}
    first = causes.sentences()[0]
    assert first.startswith(f"{cause.code}: 150 of 150 findings where bot = st-1 since 10:41; "), (
        first
    )


def test_a_cause_that_is_over() -> None:
    cause = only(segue.causes(log(range(101, 200))))

    assert cause.where == (("bot", "st-1"),)
    assert cause.since == NINE + timedelta(minutes=101)
    assert cause.until == NINE + timedelta(minutes=200)


def test_a_log_without_times_has_causes_without_an_onset() -> None:
    causes = segue.causes(log(range(400), timed=False))
    cause = only(causes)

    assert (cause.where, cause.since, cause.until) == ((("bot", "st-1"),), None, None)
    assert causes.sentences()[-1] == "The log has no times, so it is not known since when."


def test_a_rare_agent() -> None:
    lines = [
        line
        for number in range(600)
        for line in conversation(
            number, agent="a-9" if number % 60 == 5 else "a-1", is_wrong=number % 60 == 5
        )
    ]

    assert only(segue.causes(lines)).where == (("agent", "a-9"),)


def test_two_bots_that_go_wrong_are_two_causes_of_one_rule() -> None:
    lines = [
        line
        for number in range(600)
        for line in conversation(
            number,
            f"st-{number % 5}",
            is_wrong=(number % 5 == 1 and number > 100) or (number % 5 == 3 and number > 400),
        )
    ]
    found = {cause.where: cause.since for cause in segue.causes(lines).causes}

    assert found == {
        (("bot", "st-1"),): NINE + timedelta(minutes=101),
        (("bot", "st-3"),): NINE + timedelta(minutes=403),
    }


def test_traffic_that_moves_to_another_bot_is_no_cause() -> None:
    lines = [
        line
        for number in range(900)
        for line in conversation(
            number,
            "st-1" if Random(number).random() < number / 900 else "st-0",
            is_wrong=number % 10 == 0,
        )
    ]
    causes = segue.causes(lines)

    assert causes.causes == ()
    assert sum(causes.unexplained.values()) == 90
    assert causes.sentences()[0] == "No findings go together with an attribute or a time."


def test_a_log_in_order_has_none() -> None:
    assert segue.causes(log(range(0))).sentences() == []


def test_files_are_told_apart(tmp_path: Path) -> None:
    for name, wrong in (("a.jsonl", range(0)), ("b.jsonl", range(400))):
        lines = "\n".join(log(wrong)).replace("c-", f"{name}-")
        (tmp_path / name).write_text(lines.replace('"st-1"', '"st-0"'))
    cause = only(segue.causes([tmp_path / "a.jsonl", tmp_path / "b.jsonl"]))

    assert cause.where == (("file", str(tmp_path / "b.jsonl")),)


def test_the_hour_of_the_day_counts_in_long_logs() -> None:
    lines = [
        line
        for number in range(0, 4 * 1440, 4)
        for line in conversation(number, is_wrong=(NINE + timedelta(minutes=number)).hour == 14)
    ]

    assert only(segue.causes(lines)).where == (("hour", "14"),)


def test_the_hour_is_that_of_the_zone_on_each_day() -> None:
    """Before 29 March, 14 h in Berlin is 13 h UTC, and 12 h from then on."""
    zone = ZoneInfo("Europe/Berlin")
    lines: list[str] = []
    for after in range(24, 34):
        begin = datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=after)
        for minute in range(0, 1440, 10):
            at = begin + timedelta(minutes=minute)
            number = int((at - NINE).total_seconds()) // 60
            lines += conversation(number, is_wrong=at.hour == (13 if after < 28 else 12))
    found = segue.causes(lines, time_zone=zone)

    assert [(each.where, each.found, each.total) for each in found.causes] == [
        ((("hour", "14"),), 60, 60)
    ]


def test_messages_after_the_end_are_not_noted() -> None:
    """Of several the first one only is a finding."""
    body: dict[str, object] = {"conversationId": "c", "botId": "b"}
    message = body | {"agentId": "a-1", "experience": "chat", "author": {"type": "USER"}}
    message |= {
        "language": "en",
        "source": "desk",
        "sendUserMessage": True,
        "sendAgentMessage": False,
    }
    events = transfer("NA entry", "a-1"), transfer("NA exit", "a-1"), end("a-1")
    lines = [body | {"events": [event]} for event in events]
    lines += [message | {"query": "hello"}, message | {"query": "are you there"}]

    assert segue.causes(lines).unexplained == {"SG110": 1}


def test_actions_and_callbacks_of_one_number_are_told_apart() -> None:
    [report] = segue.replay(with_callbacks(), note=cause_notes(), partial="end")
    found = FindingReader().read(report)

    assert [(each.code, each.place.action) for each in report.findings] == [
        ("SG502", 1),
        ("SG703", 1),
    ]
    assert [(each.kind, each.at) for each in found] == [
        ("pause handover=false", NINE),
        ("answered", NINE + timedelta(minutes=90)),
    ]


def counted(reports: Iterator[segue.Report], most_rows: int = 1 << 20) -> Counts:
    counts = Counts(most_rows)
    for report in reports:
        counts.add(report)
    return counts


def findings_of(counts: Counts) -> Sequence[object]:
    return sorted((code, of, sorted(at)) for code, of, at in counts.found())


@pytest.fixture(scope="module")
def planted() -> Day:
    return day(4, [Plant("SG103", (("bot", "st-sales"),), 200, 0.5)], conversations=400)


@pytest.mark.parametrize("most_rows", [700, pytest.param(1 << 20, marks=pytest.mark.thorough)])
def test_parts_come_to_the_same_as_the_whole(planted: Day, most_rows: int) -> None:
    whole = counted(segue.replay(planted.lines, note=cause_notes()), most_rows)
    reports = list(segue.replay(planted.lines, note=cause_notes()))
    parts = [
        counted((each for each in reports if len(str(each.conversation_id)) % 3 == part), most_rows)
        for part in (2, 0, 1)
    ]
    merged = Counts(most_rows)
    for part in parts:
        merged.merge(part)

    assert merged.share == whole.share
    assert (whole.share > 0) is (most_rows == 700)
    assert find_causes(merged) == find_causes(whole)


@given(st.lists(st.integers(0, 3), min_size=7, max_size=7), st.permutations(range(4)))
def test_parts_in_any_order_come_to_the_same(parts: list[int], order: list[int]) -> None:
    """Law: as batches on a cluster do, each conversation in one part, what comes late with it."""
    reports = late_ends()
    counts = [Counts(300) for _ in range(4)]
    for report in reports:
        counts[parts[zlib.crc32(str(report.conversation_id).encode()) % 7]].add(report)
    merged = Counts(300)
    for number in order:
        merged.merge(pickle.loads(pickle.dumps(counts[number])))  # noqa: S301 - our own

    whole = counted(iter(reports), 300)
    assert findings_of(merged) == findings_of(whole)
    assert find_causes(merged) == find_causes(whole)
    assert whole.share == 1


@cache
def late_ends() -> list[segue.Report]:
    return list(segue.replay(late_end_lines(), note=cause_notes(), window=0))


def late_end_lines() -> list[str]:
    """Conversations of two queues, of which one has a second end after the first."""
    lines = []
    for number in range(150):
        queue = {"customFields": {"queueName": f"queue {number % 2}"}}
        sent = list(conversation(number))
        sent[0] = sent[0].replace('"identity"', f'{json.dumps(queue)[1:-1]}, "identity"')
        if number % 2:
            sent.append(sent[-1].replace('"reason"', '"again": 1, "reason"'))
        lines += sent
    return lines


@pytest.mark.thorough
def test_several_processes_give_the_same(planted: Day, tmp_path: Path) -> None:
    path = tmp_path / "day.jsonl"
    path.write_text("\n".join(planted.lines))
    plan = Replay(
        logs=(path,),
        options=ReplayOptions(note=cause_notes(), settled=True),
        detail=Detail(history=False),
        jobs=2,
        chunk_sizes=ChunkSizes(1_000, 60_000),
    )
    alone = segue.causes(path)

    assert alone.causes
    assert find_causes(counted(start_replay(plan).reports())) == alone


def found_of(made: Day, planted: list[Plant]) -> tuple[list[Plant], list[RootCause]]:
    """Which plants are found with rule, attributes and onset, and which causes nobody planted."""
    causes = segue.causes(made.lines).causes
    found = [
        plant
        for plant in planted
        for cause in causes
        if cause.code == plant.code and set(cause.where) == set(plant.where)
        if cause.since and abs(cause.since - made.onsets[plant]) <= timedelta(minutes=2)
    ]
    codes = {plant.code for plant in planted}
    return found, [cause for cause in causes if cause.code not in codes]


def strong(seed: int) -> list[Plant]:
    return [plant for plant in plants(Random(f"{seed}p")) if len(plant.where) < 3]


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(each, marks=pytest.mark.thorough) for each in (1, 2))]
)
def test_planted_causes_are_found(seed: int) -> None:
    planted = strong(seed)
    found, others = found_of(day(seed, planted, conversations=600), planted)

    assert others == []
    assert len(found) >= len(planted) - 1


@pytest.mark.slow
def test_planted_causes_of_100_days_are_found() -> None:
    planted = found = false = 0
    for seed in range(100):
        wanted = plants(Random(f"{seed}p"))
        seen, others = found_of(day(seed, wanted, conversations=3000), wanted)
        planted, found, false = planted + len(wanted), found + len(seen), false + bool(others)

    assert found >= 0.95 * planted, (found, planted)
    assert false <= 1


@pytest.mark.slow
def test_of_100_days_of_noise_none_has_a_cause() -> None:
    assert sum(bool(segue.causes(day(seed, []).lines).causes) for seed in range(100)) <= 1


def test_a_kind_of_event_is_a_cause_of_mistakes_of_form() -> None:
    """All kinds of events have a language to leave out; one kind has none to speak of."""
    lines = []
    for number in range(300):
        for line in conversation(number, f"st-{number % 3}"):
            if number > 50 and "NA exit" in line.replace('", "transition": "', " "):
                line = line.replace('"name": "a-1", ', "")  # noqa: PLW2901
            lines.append(line)
    cause = only(segue.causes(lines))

    assert (cause.code, cause.where) == ("SG502", (("kind", "NA exit"),))
    assert cause.since == NINE + timedelta(minutes=51)


def test_what_comes_after_the_end_has_the_attributes_of_its_conversation() -> None:
    """A second END names no queue: it has that of the conversation, which is no longer kept."""
    lines = []
    for number in range(400):
        queue = {"customFields": {"queueName": f"queue {number % 4}"}}
        sent = list(conversation(number))
        sent[0] = sent[0].replace('"identity"', f'{json.dumps(queue)[1:-1]}, "identity"')
        if number % 4 == 2:
            sent.append(sent[-1].replace('"reason"', '"again": 1, "reason"'))
        lines += sent
    cause = only(segue.causes(lines))

    assert (cause.code, cause.where) == ("SG109", (("queue", "queue 2"),))
    assert cause.found == 100


def test_a_kind_of_event_that_only_comes_late_has_no_cause() -> None:
    """Each conversation has its summary after its end, and none before."""
    data = {"language": "en", "locale": "en-US", "type": "summary"}
    lines = []
    for number in range(20):
        sent = list(conversation(number))
        late = {"name": "TRIGGER_SUMMARY_EVENT", "data": data}
        lines += [*sent, json.dumps({**json.loads(sent[-1]), "body": body_of(number, late)})]
    found = segue.causes(lines)

    assert (found.causes, found.unexplained) == ((), {"SG110": 20})


def body_of(number: int, event: Mapping[str, object]) -> dict[str, object]:
    return {"conversationId": f"c-{number}", "botId": "st-1", "events": [event]}


def test_what_only_transfers_have_is_no_cause_of_a_missing_end() -> None:
    """A conversation without its end ends in a transfer, with the flag; others end in the end."""
    lines = [
        line
        for number in range(400)
        for line in list(conversation(number))[: 2 if number % 8 == 0 else 3]
    ]

    assert segue.causes(lines).causes == ()


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ([], 0),
        ([[0, 1.0]], 0),
        ([[3, 0.0], [4, 0.0]], 0),  # nothing of the kind came in time
        ([[1, 1.0]] * 40, 0),  # an even rate
        ([[0, 1.0]] * 20 + [[1, 1.0]] * 20, 20),
        ([[0, 1.0]] * 10 + [[1, 1.0]] + [[0, 1.0]] * 29 + [[1, 1.0]] * 40, 40),  # noise before
        ([[0, 1.0]] * 5 + [[1, 1.0]] * 3, 0),  # too few to tell: 8 ln(8/3) - … is below ln(1/0.03)
        ([[0, 0.0]] * 20 + [[1, 1.0]] * 20, 0),  # nothing could have gone wrong before
        ([[1, 1.0]] * 20 + [[0, 1.0]] * 20, 0),  # an end is no onset
    ],
)
def test_findings_begin_where_a_change_is_likelier_than_none(
    rows: list[list[float]], first: int
) -> None:
    assert first_of(rows, dispersion=1) == first


def test_an_onset_of_what_was_always_there_is_rare() -> None:
    """Law: of even rates, no more than three in a hundred have an onset."""
    random = Random(7)
    onsets = 0
    for _ in range(1000):
        rows = [[float(random.random() < 0.1), 0.1] for _ in range(300)]
        onsets += first_of(rows, 1) > 0

    assert onsets <= 30


@pytest.mark.parametrize("odd", [{"transfertype": "BLIND"}, {"name": "AGENT_CAME"}])
def test_an_event_that_cannot_be_read_names_its_agent(odd: dict[str, object]) -> None:
    """Of two consultants one has another client; the primary sends the events before."""
    lines = []
    for number in range(200):
        agent, more = ("a-2", odd) if number % 2 else ("a-3", {})
        events = [
            transfer("NA entry", "a-1" if number % 4 < 2 else "a-4"),
            transfer("WARM entry", agent, **more),
            transfer("WARM exit", agent, **more),
        ]
        for event in events:
            body = {"conversationId": f"c-{number}", "botId": "st", "events": [event]}
            lines.append(json.dumps(body))
    found = segue.causes(lines, partial="end").causes

    assert {cause.where for cause in found} == {(("agent", "a-2"),)}


@pytest.mark.parametrize("placeholder", ["undefined", "<agent>"])
def test_a_placeholder_is_not_an_agent(placeholder: str) -> None:
    """Half of the conversations of one bot are of nobody known."""
    agents = ("a-1", "a-2", "a-3", placeholder)
    lines = [
        line
        for number in range(400)
        for line in conversation(
            number, f"st-{number // 4 % 2}", agents[number % 4 if number // 4 % 2 else number % 3]
        )
    ]
    found = {cause.code: cause.where for cause in segue.causes(lines).causes}

    assert found == {"SG507": (("bot", "st-1"),)}


def test_an_end_sent_too_early_is_one_mistake_within_the_window() -> None:
    """One bot ends conversations before the agent has left, who then leaves after the end."""
    lines = []
    for number in range(200):
        entry, leave, over = conversation(number, f"st-{number % 2}", f"a-{number % 7}")
        lines += [entry, over, leave] if number % 2 else [entry, leave, over]
    found = segue.causes(lines)

    assert [(cause.code, cause.total) for cause in found.causes] == [("SG107", 100)]
    assert not found.unexplained
    found = segue.causes(lines, window=0)
    assert [(cause.code, cause.total) for cause in found.causes] == [("SG107", 100), ("SG110", 100)]
    assert not found.unexplained


def test_only_the_first_error_of_a_mistake_is_counted() -> None:
    """One bot swaps the entry and the exit of a consultant, which gives two errors each."""
    lines = []
    for number in range(200):
        consult = [transfer("WARM entry", "a-2"), transfer("WARM exit", "a-2")]
        middle = reversed(consult) if number % 2 else consult
        for event in (transfer("NA entry", "a-1"), *middle, transfer("NA exit", "a-1")):
            body = {"conversationId": f"c-{number}", "botId": f"st-{number % 2}"}
            lines.append(json.dumps({**body, "events": [event]}))
    found = segue.causes(lines, partial="end")

    assert [(cause.code, cause.total) for cause in found.causes] == [("SG201", 100)]
    assert not found.unexplained


def test_a_lost_event_counts_for_its_own_agent() -> None:
    """`a-1` never tells its COLD exits. The errors are found at the entries of other agents."""
    lines = []
    for number in range(210):
        first, second = f"a-{number % 7}", f"a-{(number + 1 + number // 7 % 5) % 7}"
        events = [
            transfer("NA entry", first),
            *([] if first == "a-1" else [transfer("COLD exit", first)]),
            transfer("COLD entry", second),
            transfer("NA exit", second),
        ]
        for event in events:
            body = {"conversationId": f"c-{number}", "botId": "st"}
            lines.append(json.dumps({**body, "events": [event]}))
    [cause] = segue.causes(lines, partial="end").causes

    assert (cause.code, cause.where) == ("SG103", (("agent", "a-1"),))
    assert (cause.found, cause.rate, cause.unit) == (30, 1.0, "COLD exits")


def test_the_share_is_of_all_kinds_that_are_compared_and_counts_each_once() -> None:
    """`a-9` leaves 30 times by NA and by COLD exit without being there, and is there 30 times.

    Of the NA exits fewer than one in five is wrong, of the COLD exits each: so all of its transfers
    are compared, 30 NA exits, 30 COLD exits, and 30 WARM entries and exits each.
    """
    lines = []
    for number in range(300):
        middle = (
            [("NA exit", "a-9")],
            [("WARM entry", "a-9"), ("WARM exit", "a-9"), ("NA exit", "a-1")],
            [("COLD exit", "a-9"), ("COLD entry", "a-2"), ("NA exit", "a-2")],
        )
        usual = [("WARM entry", "a-2"), ("WARM exit", "a-2"), ("NA exit", "a-1")]
        rest = middle[number % 10] if number % 10 < 3 else usual
        for kind, agent in (("NA entry", "a-1"), *rest):
            body = {"conversationId": f"c-{number}", "events": [transfer(kind, agent)]}
            lines.append(json.dumps({**body, "botId": "st"}))
    found = {cause.code: cause for cause in segue.causes(lines, partial="end").causes}

    assert found["SG201"].where == (("agent", "a-9"),)
    assert (found["SG201"].found, found["SG201"].rate) == (60, 0.5)
    assert found["SG201"].unit == "transfers"


@pytest.mark.parametrize(
    ("kinds", "unit"),
    [
        ({"NA exit"}, "NA exits"),
        ({"NA exit", "COLD exit"}, "COLD exits and NA exits"),
        ({"NA exit", "transfer"}, "transfers"),
        ({"transfer", "TRIGGER_SUMMARY_EVENT"}, "summaries and transfers"),
        ({"TRIGGER_SUMMARY_EVENT"}, "summaries"),
        (
            {"END_OF_CONVERSATION", "COLD entry", "conversation"},
            "COLD entries, conversations and ends",
        ),
        (
            {"unprocessable event", "NA exit", "recorded conversation"},
            "events and recorded conversations",
        ),
        ({"conversation", "recorded conversation"}, "conversations"),
        ({"resume", "unprocessable action"}, "resume actions and unprocessable actions"),
        (
            {"answered", "unprocessable notification"},
            "answered notifications and unprocessable notifications",
        ),
    ],
)
def test_what_is_compared_is_named(kinds: set[str], unit: str) -> None:
    assert unit_of(kinds) == unit


@pytest.mark.parametrize(
    ("order", "code", "unit", "rate"),
    [
        (("entry", "summary", "exit", "over"), "SG106", "transfers", 0.5),
        (("entry", "exit", "summary", "summary", "over"), "SG111", "summaries", 0.5),
    ],
)
def test_the_share_is_of_the_events_that_were_wrong(
    order: tuple[str, ...], code: str, unit: str, rate: float
) -> None:
    """One bot of two tells an exit after the summary, or asks for a summary twice."""
    lines = []
    for number in range(200):
        names = order if number % 2 else ("entry", "exit", "summary", "over")
        events = {
            "entry": transfer("NA entry", f"a-{number % 7}"),
            "exit": transfer("NA exit", f"a-{number % 7}"),
            "over": end(f"a-{number % 7}"),
        }
        for place, name in enumerate(names):
            data = {"language": "English", "locale": f"en-{place}", "type": "post"}
            event = events.get(name) or {"name": "TRIGGER_SUMMARY_EVENT", "data": data}
            body = {"conversationId": f"c-{number}", "botId": f"st-{number % 2}"}
            lines.append(json.dumps({**body, "events": [event]}))
    found = {cause.code: cause for cause in segue.causes(lines).causes}

    assert found[code].unit == unit
    assert found[code].rate == rate
