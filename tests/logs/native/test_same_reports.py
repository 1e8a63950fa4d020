"""The accelerator says what the reference says, to the byte."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from tests.logs.native.both import lines_of, same, seen
from tests.logs.native.hostile_files import HOSTILE_FILES
from tests.logs.native.odd_lines import (
    at_all_times,
    crafted,
    of_bots_with_the_same_ids,
    of_many,
    restructured,
)
from tests.logs.native.quick_law import (
    message_of,
    of_another_bot,
    refuses_what_is_no_description,
)
from tests.logs.story import jsonl, lines as story
from tests.logs.together import alone, cut, everything, together

import segue
from segue.analysis.causes import cause_notes
from segue.analysis.simulate import generate, write
from segue.core.conversation import Report, state_of
from segue.core.engine import lifecycle_events
from segue.core.engine.entry_replay import past_of
from segue.core.engine.state import Facts
from segue.core.events import Json
from segue.core.findings import Finding
from segue.core.wire import read_line
from segue.logs import replayer
from segue.logs.accelerated import AcceleratedReplayer, can_accelerate
from segue.logs.native import Learned, engine_name
from segue.logs.native.learned import Answer
from segue.logs.parallel.chunk_replayer import ChunkReplayer, replay_chunk
from segue.logs.plan import Detail, Replay, ReplayOptions
from segue.logs.replay_run import replayer_of
from segue.logs.sorting import sorter_on_disk

SAMPLES = Path(__file__).parents[3] / "samples"
IS_LONG = os.environ.get("SEGUE_LONG") == "1"
KINDS: dict[str, dict[str, Any]] = {
    "plain": {"spellings": False, "notes": False},
    "motley": {},
    "delivered": {"spellings": False, "notes": False, "delivery_ids": True},
    "motley and delivered": {"delivery_ids": True},
}

EVENT = (
    '{"conversationId":"c-1","botId":"b","events":[{"name":"INTERNAL_TRANSFER_EVENT",'
    '"transfertype":"%s","transition":"%s","isExtAD":false,"language":"en",'
    '"experience":"chat","participant":{"identity":"%s","name":"A","type":"agent"}}]}\n'
)
END = (
    '{"conversationId":"c-1","botId":"b","events":[{"name":"END_OF_CONVERSATION",'
    '"reason":"agent_initiated","language":"en","experience":"chat",'
    '"participant":{"identity":"ada","name":"A","type":"agent"}}]}\n'
)
OPPOSITES = ["plain", "motley and delivered"]


def made(tmp_path: Path, lines: int, **dials: Any) -> list[bytes]:
    path = tmp_path / "made.jsonl"
    write(path, generate(11, lines=lines, open_at_once=40, messages=2.0, **dials))
    return lines_of(path)


@pytest.mark.parametrize("name", ["shift.jsonl", "clean.jsonl"])
@pytest.mark.parametrize("partial", [None, "start", "end", "both"])
def test_the_samples(name: str, partial: str | None) -> None:
    same(lines_of(SAMPLES / name), partial=partial)


@pytest.mark.parametrize("kind", KINDS)
def test_made_up_logs(kind: str, tmp_path: Path) -> None:
    same(made(tmp_path, 4_000, **KINDS[kind]))


def test_most_conversations_of_a_usual_log_are_kept(tmp_path: Path) -> None:
    lines = made(tmp_path, 6_000, **KINDS["delivered"])
    accelerated = AcceleratedReplayer(ReplayOptions())
    reports = list(accelerated.feed_all(lines, batch_size=64))
    kept = [each for each in reports if type(each) is not segue.Report]
    assert len(kept) > 0.8 * len(reports)


@pytest.mark.parametrize("partial", [None, "start"])
@pytest.mark.parametrize("kind", OPPOSITES)
def test_a_history_needs_no_state(kind: str, partial: str | None, tmp_path: Path) -> None:
    lines = made(tmp_path, 2_000, **KINDS[kind])
    replayer = AcceleratedReplayer(ReplayOptions(partial=partial))  # type: ignore[arg-type]
    kept = [each for each in replayer.feed_all(lines, batch_size=64) if type(each) is not Report]
    assert len(kept) > 20
    for report in kept:
        as_json = report.to_dict()
        assert "_state" not in vars(report)
        state = state_of(report)
        applied = Report(state)
        assert as_json == applied.to_dict() | {"keyed_by": report.keyed_by}
        assert report._past == past_of(state)  # noqa: SLF001 - as above
        assert report.transcription == applied.transcription
        assert report.transcription_intervals == applied.transcription_intervals
        assert report.mistakes == applied.mistakes
        assert report.explanation == applied.explanation
        assert report.call is applied.call is None


def test_a_conversation_of_many_events_has_segments() -> None:
    """More than there may be in an order that is remembered."""
    first = (EVENT % ("NA", "entry", "ada")).replace("c-1", "c-0")  # decides what ids are
    known = [first, EVENT % ("NA", "entry", "ada")]
    known += [EVENT % ("WARM", way, "ben") for _ in range(50) for way in ("entry", "exit")]
    lines = [line.encode() for line in (*known, EVENT % ("NA", "exit", "ada"), END)]
    same(lines)
    (report,) = AcceleratedReplayer(ReplayOptions()).feed_all(lines, batch_size=64)
    assert type(report) is not Report
    assert [len(each.connections) for each in report.segments] == [1, *[1] * 50]


def test_several_logs_are_one(tmp_path: Path) -> None:
    lines = made(tmp_path, 3_000)
    same(lines[:1000], lines[1000:1001], lines[1001:2500], lines[2500:])


def test_a_check_may_tell_agents_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """As SG301 would be if each agent had an experience of its own."""

    def changed(kept: Json, facts: Facts) -> tuple[Json, Finding | None]:
        experience = facts.event.experience if facts.event else ""
        known: dict[str, str] = kept or {}
        first = known.get(facts.agent, experience)
        found = {"first": first, "experience": experience}
        finding = None if first == experience else facts.violation("SG301", found)
        return known | {facts.agent: first}, finding

    monkeypatch.setattr(lifecycle_events, "_OF_EVENT", ((1, changed),))
    event = (
        '{"conversationId":"%s","botId":"b","events":[{"name":"INTERNAL_TRANSFER_EVENT",'
        '"transfertype":"%s","transition":"entry","isExtAD":false,"language":"en",'
        '"experience":"%s","participant":{"identity":"%s","name":"A","type":"agent"}}]}\n'
    )
    message = (
        '{"conversationId":"%s","botId":"b","query":"hi","agentId":"%s","experience":"voice",'
        '"author":{"type":"AGENT"},"source":"s"}\n'
    )
    lines = [
        line.encode()
        for conversation, writer in (("c-1", "ben"), ("c-2", "ben"), ("c-3", "ada"), ("c-4", "ben"))
        for line in (
            event % (conversation, "NA", "chat", "ada"),
            event % (conversation, "WARM", "voice", "ben"),
            message % (conversation, writer),
        )
    ]
    same(lines)
    found = [each.code for each in segue.check(lines[6:9], partial="end").findings]
    assert found == ["SG301"]


def test_lines_that_are_usual_but_for_one_thing(tmp_path: Path) -> None:
    lines = made(tmp_path, 400, **KINDS["delivered"])
    entry = next(line for line in lines if b'"entry"' in line)
    message = next(line for line in lines if b'"query"' in line)
    same(list(crafted([entry, message])))


def test_lines_with_one_value_changed() -> None:
    """A few at a time, because most of them are left to the reference."""
    lines = list(restructured())
    for begin in range(0, len(lines), 2_000):
        same(lines[begin : begin + 2_000])


@pytest.mark.parametrize("is_sorted", [False, True])
def test_lines_of_all_times_and_of_many_things(*, is_sorted: bool) -> None:
    same(at_all_times(), of_many(), is_sorted=is_sorted)


@pytest.mark.parametrize("is_sorted", [False, True])
def test_bots_with_the_same_ids(*, is_sorted: bool, tmp_path: Path) -> None:
    lines = made(tmp_path, 150, delivery_ids=True)
    same(of_bots_with_the_same_ids(lines), is_sorted=is_sorted, key="bot")


def test_half_a_message_beside_events_is_one() -> None:
    event = json.loads(EVENT % ("NA", "entry", "ada"))
    first, half = (
        json.dumps(event | {"conversationId": key} | more).encode() + b"\n"
        for key, more in (("c-1", {}), ("c-2", {"author": {"type": "USER"}}))
    )
    same([first, half])
    finding = segue.check([half], partial="end").findings[0]
    assert (finding.code, finding.place.pointer) == ("SG502", "/query")


@pytest.mark.parametrize("identity", ["", "undefined", "<id>", "\u00e9", '"'])
def test_ids_beside_a_body_are_held_to_what_ids_have_to_be(identity: str) -> None:
    body = {"events": json.loads(EVENT % ("NA", "entry", "ada"))["events"]}
    lines = [
        json.dumps({"conversation_id": key, "bot_id": bot, "body": body}).encode() + b"\n"
        for key, bot in (("c-1", "b"), ("c-2", "b"), (identity, "b"), ("c-3", identity))
    ]
    same(lines)


def test_the_library_takes_a_whole_description_only() -> None:
    assert refuses_what_is_no_description()


def test_a_bot_that_comes_when_the_texts_are_full() -> None:
    """Of each message to an agent two texts are kept; 65,536 fit."""
    first = message_of(b"a").replace(b'"c"', b'"b"')  # decides what ids are
    many = [message_of(b"%d" % number) for number in range(33_000)]
    accelerated = same([first, *many, *[of_another_bot(many[0])] * 2])
    assert accelerated.is_accelerated


def test_an_id_with_escapes_is_the_same_id() -> None:
    line = SHORT[1].replace(b'"d-1"', rb'"d\u002d1"')
    assert line != SHORT[1]
    same([SHORT[1], line])
    same([line, SHORT[1]])


def test_a_log_without_a_newline_at_its_end(tmp_path: Path) -> None:
    lines = made(tmp_path, 500, **KINDS["plain"])
    same([*lines[:-1], lines[-1].rstrip(b"\n")], lines[:20])


@pytest.mark.parametrize("packed", [False, True])
def test_a_path_and_standard_input_are_read_alike(
    *, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = b"".join(made(tmp_path, 2_000))
    path = tmp_path / "log"
    path.write_bytes(gzip.compress(raw) if packed else raw)
    monkeypatch.setenv("SEGUE_NATIVE", "0")
    wanted = [report.to_json() for report in segue.replay(path)]
    monkeypatch.delenv("SEGUE_NATIVE")
    assert [report.to_json() for report in segue.replay(path)] == wanted
    standard_input = io.TextIOWrapper(io.BytesIO(path.read_bytes()))
    monkeypatch.setattr("sys.stdin", standard_input)
    by_input = [json.loads(report.to_json()) for report in segue.replay("-")]
    assert [each["conversation_id"] for each in by_input] == [
        json.loads(each)["conversation_id"] for each in wanted
    ]


def test_it_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_name() == f"segue-native {segue.__version__}"
    monkeypatch.setenv("SEGUE_NATIVE", "0")
    assert engine_name() == "reference"


def shuffled(lines: list[bytes], logs: int) -> list[list[bytes]]:
    """The lines in blocks that change places, in several logs."""
    chance, blocks = Random(5), [lines[at : at + 7] for at in range(0, len(lines), 7)]
    chance.shuffle(blocks)
    cut = len(blocks) // logs
    parts = [blocks[at : at + cut] for at in range(0, len(blocks), cut)]
    return [[line for block in part for line in block] for part in parts]


@pytest.mark.parametrize("logs", [1, 3])
@pytest.mark.parametrize("kind", OPPOSITES)
def test_sorted_logs(kind: str, logs: int, tmp_path: Path) -> None:
    same(*shuffled(made(tmp_path, 1_200, **KINDS[kind]), logs), is_sorted=True)


def test_sorted_logs_with_lines_that_are_not_usual(tmp_path: Path) -> None:
    lines = made(tmp_path, 1_500, **KINDS["plain"])
    odd = [*lines[:900:3], b"\n", b"junk\n", b"[1]\n", *lines[900:], lines[2].rstrip(b"\n")]
    accelerated = same(odd, *shuffled(lines, 2), is_sorted=True)
    assert accelerated.is_accelerated


def test_logs_sorted_on_disk(tmp_path: Path) -> None:
    """Sorted on disk, a line comes only after the first row is asked for."""
    logs = shuffled(made(tmp_path, 600, **KINDS["motley and delivered"]), 3)
    accelerated = same(*logs, is_sorted=True, sorter=sorter_on_disk("256MB"))
    assert accelerated.is_accelerated


def test_what_is_sorted_may_be_slow(tmp_path: Path) -> None:
    odd = [line.replace(b'"isExtAD"', b'"isextad"') for line in made(tmp_path, 7_000)]
    assert not same(*shuffled(odd, 2), is_sorted=True).is_accelerated


def filters_of(lines: list[bytes]) -> list[dict[str, Any]]:
    """Filters by which something of these lines is left, and something is not."""
    deliveries = [read_line(line) for line in lines]
    ids = sorted({each.conversation_id for each in deliveries if each.conversation_id})
    times = sorted(each.received_at for each in deliveries if each.received_at)
    first, last = times[len(times) // 4], times[3 * len(times) // 4]
    return [
        {"conversations": ids[::3]},
        {"conversations": frozenset(ids[:1])},
        {"conversations": ("nobody",)},
        {"since": first},
        {"until": last, "partial": "end"},
        {"since": first.astimezone(timezone(timedelta(hours=3))), "until": last},
        {"since": first, "until": last, "conversations": set(ids[1::2]), "partial": "both"},
    ]


@pytest.mark.parametrize("is_sorted", [False, True])
@pytest.mark.parametrize("kind", OPPOSITES)
def test_filters(kind: str, *, is_sorted: bool, tmp_path: Path) -> None:
    lines = made(tmp_path, 500, **KINDS[kind])
    for options in filters_of(lines):
        same(lines[:300], lines[300:], is_sorted=is_sorted, **options)


def test_lines_without_a_time_are_left_out_by_a_time() -> None:
    lines = [line.partition(b'"body": ')[2][:-2] + b"\n" for line in SHORT] + SHORT
    at = datetime(2026, 3, 2, 9, 0, 3, tzinfo=UTC)
    same(lines, lines, since=at)
    same(lines, lines, until=at)
    same(lines, lines, since=at.replace(microsecond=500_000))


@pytest.mark.parametrize("options", [{}, {"partial": "both"}, {"conversations": True}])
@pytest.mark.parametrize("kind", OPPOSITES)
def test_several_processes(
    kind: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = made(tmp_path, 1_500, **KINDS[kind])
    path = tmp_path / "made.jsonl"
    options = {"note": cause_notes(), **options}
    if "conversations" in options:
        options |= {"conversations": tuple(filters_of(lines)[0]["conversations"])}
    chunks = cut(path, [400, 401, 900])
    monkeypatch.setenv("SEGUE_NATIVE", "0")
    wanted = [everything(report) for report in alone([path], ReplayOptions(**options))]
    monkeypatch.setenv("SEGUE_NATIVE", "1")
    for lost in ((), (2,)):
        run = together(chunks, ReplayOptions(**options), lost)
        assert [everything(report) for report in run.reports()] == wanted


def test_what_was_learned_in_one_part_is_not_asked_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = made(tmp_path, 300)
    again = [line.replace(b'"conversationId": "', b'"conversationId": "x') for line in first]
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join([*first, *again]))
    asked: list[tuple[int, ...]] = []

    def ask(self: Learned, *question: int) -> list[Answer]:
        asked.append(question)
        return whole(self, *question)

    whole = Learned.ask
    monkeypatch.setattr(Learned, "ask", ask)
    list(alone([path], ReplayOptions()))
    alone_asked = asked.copy()
    asked.clear()
    run = together(cut(path, [150, 300, 450]), ReplayOptions(key="conversation"))
    assert len(list(run.reports())) > 10
    assert len(asked) == len(set(asked)) > 10
    assert len(asked) <= len(alone_asked)


def test_workers_note_whose_each_line_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = made(tmp_path, 1_000)
    odd = [*lines[:500], b"\n", b"junk\n", lines[0].replace(b'"isExtAD"', b'"isextad"')]
    path = tmp_path / "odd"
    path.write_bytes(b"".join([*odd, *lines[500:]]))
    found = []
    for engine in "01":
        monkeypatch.setenv("SEGUE_NATIVE", engine)
        options = ReplayOptions(key="conversation")
        result = replay_chunk(cut(path, [])[0], options, Detail(), Learned(None))
        names = {number: key for key, number in result.conversations.items()}
        found.append([names.get(number) for number in result.lines[0]])
    assert found[0] == found[1]
    assert found[0][500:502] == [None, None]


def test_values_on_several_lines_are_left_to_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    values = [json.dumps(json.loads(line), indent=1) for line in made(tmp_path, 300)]
    path.write_text("\n".join(values))
    found = []
    for engine in "01":
        monkeypatch.setenv("SEGUE_NATIVE", engine)
        found.append([seen(report) for report in segue.replay(path)])
    assert found[0] == found[1]


def test_an_error_while_lines_are_read_is_not_lost(tmp_path: Path) -> None:
    lines = made(tmp_path, 50)

    def broken(count: int) -> Iterator[bytes]:
        yield from lines[:count]
        raise segue.errors.UnreadableLog("it ends here")

    for count in (0, 1, 2, 50):
        with pytest.raises(segue.errors.UnreadableLog):
            list(AcceleratedReplayer(ReplayOptions()).feed_all(broken(count), batch_size=64))


def test_what_cannot_be_told_is_not_accelerated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> bytes:
        raise ValueError("it means different things")

    monkeypatch.setattr("segue.logs.native.accelerator.description", refuse)
    assert not same(made(tmp_path, 200)).is_accelerated
    monkeypatch.setattr("segue.logs.native.accelerator.description", lambda: b"junk")
    assert not same(made(tmp_path, 200)).is_accelerated


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = Replay(logs=(tmp_path / "log",))
    assert type(replayer_of(plan)) is AcceleratedReplayer
    monkeypatch.setenv("SEGUE_NATIVE", "0")
    assert type(replayer_of(plan)) is replayer.Replayer


@pytest.mark.parametrize(
    "plan",
    [
        Replay(lines=[]),
        Replay(on_delivery=print),
        Replay(options=ReplayOptions(conversations={"c-1": 1})),
        Replay(options=ReplayOptions(conversations=())),
        Replay(options=ReplayOptions(race=timedelta(seconds=1))),
        Replay(options=ReplayOptions(policy=segue.Policy(require=("language",)))),
    ],
)
def test_what_it_cannot_do_is_left_to_the_reference(plan: Replay) -> None:
    assert not can_accelerate(plan)


def test_it_leaves_a_log_in_which_little_is_usual(tmp_path: Path) -> None:
    odd = [line.replace(b'"isExtAD"', b'"isextad"') for line in made(tmp_path, 7_000)]
    accelerated = same(odd)
    assert not accelerated.is_accelerated


def test_it_stays_where_a_part_of_a_log_has_the_ends_of_many_conversations() -> None:
    many = [story("NA exit a-1", "END", conversation=f"c-{number}") for number in range(3_000)]
    log = jsonl(chain.from_iterable(many)).splitlines(keepends=True)
    part = ChunkReplayer(ReplayOptions(key="conversation"), is_accelerated=True)
    part.deferred = set()

    assert not list(part.replay(log, 64, 1))
    assert part.is_accelerated
    assert len(part.deferred) == 3_000


def test_a_conversation_goes_on_elsewhere(tmp_path: Path) -> None:
    lines = made(tmp_path, 400, **KINDS["delivered"])
    first, second = AcceleratedReplayer(ReplayOptions()), AcceleratedReplayer(ReplayOptions())
    reference, resumed = replayer.Replayer(ReplayOptions()), replayer.Replayer(ReplayOptions())
    for each in (first, reference):
        list(each.feed_all(lines[:250], batch_size=64))
    for identity in {read_line(line).conversation_id or "" for line in lines[:250]}:
        saved = first.save(identity)
        assert saved == reference.save(identity)
        second.resume(identity, saved)
        resumed.resume(identity, saved)
    found = [each.to_json() for each in second.feed_all(lines[250:], 64, 251)]
    assert found == [each.to_json() for each in resumed.feed_all(lines[250:], 64, 251)]


def test_interrupted_it_reports_what_is_open(tmp_path: Path) -> None:
    lines = made(tmp_path, 700)
    found = []
    for each in (AcceleratedReplayer(ReplayOptions()), replayer.Replayer(ReplayOptions())):
        list(each.feed_all(lines, batch_size=64))
        found.append([report.to_json() for report in each.interrupt()])
    assert found[0] == found[1]


@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_hostile_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, path = b"".join(lines_of(SAMPLES / "shift.jsonl")[:60]), tmp_path / "log"
    for seed in range(11 if IS_LONG else 2):
        path.write_bytes(HOSTILE_FILES[name](good, Random(seed)))
        found = []
        for engine in "01":
            monkeypatch.setenv("SEGUE_NATIVE", engine)
            found.append([seen(report) for report in segue.replay(path)])
        assert found[0] == found[1]


SHORT = [
    b'{"received_at": "2026-03-02T09:00:0%d%s", "delivery_id": "d-%d", "body": %s}\n'
    % (number, zone, number, body)
    for number, (zone, body) in enumerate(
        (zone, json.dumps(body).encode())
        for zone in (b"Z", b".5Z", b"+01:00", b"-00:30")
        for body in (
            {
                "conversationId": "c",
                "botId": "b",
                "events": [
                    {
                        "name": "INTERNAL_TRANSFER_EVENT",
                        "transfertype": "NA",
                        "transition": "entry",
                        "isExtAD": False,
                        "language": "én",
                        "experience": "chat",
                        "participant": {"identity": "ada", "name": 'A"d\\a\u2028', "type": "agent"},
                        "extra": [1, 2.5, {"b": None, "a": "\x01"}],
                    }
                ],
            },
            {
                "conversationId": "c",
                "botId": "b",
                "query": "hi",
                "agentId": "ada",
                "experience": "CHAT",
                "author": {"type": "AGENT"},
                "source": "s",
            },
        )
    )
]
PIECES = st.sampled_from(
    [
        *b'"\\{}[],: \x00\xff\n',
        *b"null NA exit WARM COLD redial ADA ben voice undefined <id> 24 1e9 00 -0".split(),
        *(b"\\u0000", b"\\ud800", b'"events":', b'"botId":"b",', b"\xef\xbb\xbf"),
    ]
).map(lambda piece: bytes([piece]) if isinstance(piece, int) else piece)


@st.composite
def mutated(draw: st.DrawFn) -> list[bytes]:
    """Some lines of a log with a few odd places."""
    source = draw(st.sampled_from(CORPUS))
    begin = draw(st.integers(0, max(0, len(source) - 12)))
    lines = list(islice(source, begin, begin + 12))
    for _ in range(draw(st.integers(1, 4))):
        index = draw(st.integers(0, len(lines) - 1))
        line = lines[index]
        at = draw(st.integers(0, len(line)))
        until = min(len(line), at + draw(st.integers(0, 8)))
        lines[index] = line[:at] + draw(PIECES) + line[until:]
    order = draw(st.permutations(range(len(lines))))
    return [lines[index] for index in order] if draw(st.booleans()) else lines


CORPUS = [lines_of(SAMPLES / "shift.jsonl"), lines_of(SAMPLES / "clean.jsonl"), SHORT * 2]


@given(mutated())
@settings(max_examples=20_000 if IS_LONG else 250, deadline=None)
@example(SHORT)
def test_mutated_lines(lines: list[bytes]) -> None:
    same(b"".join(lines).splitlines(keepends=True))


def test_what_is_handed_over_as_a_line_is_one() -> None:
    """Also if it is empty, has two lines in it, or ends without a newline."""
    lines = lines_of(SAMPLES / "shift.jsonl")[:60]
    whole = [line.rstrip(b"\n") + b"\n" for line in lines]
    same([*whole[:10], b"", *whole[10:30], b"".join(whole[30:32]), *whole[32:]])
    same([*whole[:10], b"", *whole[10:]])
    same([*whole[:10], whole[10][:-1], *whole[11:], b""])
    same([*whole[:10], b"".join(whole[10:12])])


ENTRY, MESSAGE = (json.loads(line)["body"] for line in SHORT[:2])
RETRIES = {
    "counter": {"attempt": 2},
    "text": {"query": "HI"},
    "empty language": {"language": ""},
    "null": {"language": None},
    "source": {"source": '\\s"\u2028'},
    "letter case": {"experience": "Chat"},
    "other experience": {"experience": "voice"},
    "flag": {"sendUserMessage": False},
    "flag as text": {"sendUserMessage": "FALSE"},
    "other event": {"events": ENTRY["events"]},
    "no events": {"events": []},
}


@pytest.mark.parametrize("first", RETRIES)
def test_delivery_ids_that_come_again(first: str) -> None:
    """Both sides compare by what is read: each pair of messages under one delivery id."""
    for change in RETRIES.values():
        bodies = (MESSAGE | RETRIES[first], MESSAGE | change, dict(sorted(MESSAGE.items())))
        retries = ({"delivery_id": "d", "body": body} for body in bodies)
        read_by_the_reference = {"body": ENTRY | {"conversationId": "c-0"}}
        lines = (read_by_the_reference, {"body": ENTRY}, *retries)
        same([json.dumps(line).encode() + b"\n" for line in lines])


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 1, 0)])
def test_a_uuid_in_several_spellings_is_one_id(order: tuple[int, ...]) -> None:
    uuid = b"7f0f4d6e-0000-4000-8000-0000000000c1"
    spellings = uuid, uuid.upper(), b"{" + uuid + b"}"
    lines = [message_of(b"a").replace(b'"c"', b'"' + spellings[each] + b'"') for each in order]
    assert spellings[order[0]] in lines[0]
    same(lines)


@pytest.mark.parametrize("place", [b'"c"', b'"a"'])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 1), (2, 1, 0)])
def test_blanks_around_an_id_are_no_part_of_it(order: tuple[int, ...], place: bytes) -> None:
    spellings = place, place[:-1] + b' "', b'" ' + place[1:]
    lines = [message_of(b"a").replace(place, spellings[each]) for each in order]
    assert spellings[order[0]] in lines[0]
    same(lines)
