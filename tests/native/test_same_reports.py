"""The accelerator says what the reference says, to the byte."""

from __future__ import annotations

import gzip
import io
import json
import os
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.native.both import lines_of, same, seen
from tests.native.hostile_files import HOSTILE_FILES

import segue
from segue.logs import ChunkSizes, Detail, replayer, start_replay
from segue.logs.accelerated import AcceleratedReplayer, can_accelerate
from segue.logs.plan import Replay, ReplayOptions
from segue.logs.replay_run import ReplayRun, replayer_of
from segue.native import engine_name
from segue.simulate import generate, write

SAMPLES = Path(__file__).parents[2] / "samples"
IS_LONG = os.environ.get("SEGUE_LONG") == "1"
KINDS: dict[str, dict[str, Any]] = {
    "plain": {"spellings": False, "notes": False},
    "motley": {},
    "delivered": {"spellings": False, "notes": False, "delivery_ids": True},
    "motley and delivered": {"delivery_ids": True},
}


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


def test_several_logs_are_one(tmp_path: Path) -> None:
    lines = made(tmp_path, 3_000)
    same(lines[:1000], lines[1000:1001], lines[1001:2500], lines[2500:])


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


@pytest.mark.parametrize(
    ("jobs", "detail", "native", "is_alone"),
    [
        (2, Detail(history=False), "1", True),
        (2, Detail(history=False), "0", False),
        (2, Detail(history=False, json=True), "1", False),
        (2, Detail(), "1", False),
        (3, Detail(history=False), "1", False),
    ],
)
def test_it_is_quicker_than_two_processes_that_show_findings(  # noqa: PLR0913 - one row
    jobs: int,
    detail: Detail,
    native: str,
    *,
    is_alone: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"".join(made(tmp_path, 500)))
    monkeypatch.setenv("SEGUE_NATIVE", native)
    run = start_replay(
        Replay(logs=(path,), jobs=jobs, detail=detail, chunk_sizes=ChunkSizes(4_000, 8_000))
    )
    assert (type(run) is ReplayRun) is is_alone


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = Replay(logs=(tmp_path / "log",))
    assert type(replayer_of(plan)) is AcceleratedReplayer
    monkeypatch.setenv("SEGUE_NATIVE", "0")
    assert type(replayer_of(plan)) is replayer.Replayer


@pytest.mark.parametrize(
    "plan",
    [
        Replay(lines=[]),
        Replay(sort="received_at"),
        Replay(on_delivery=print),
        Replay(options=ReplayOptions(conversations=("c-1",))),
        Replay(options=ReplayOptions(policy=segue.Policy(require=("language",)))),
    ],
)
def test_what_it_cannot_do_is_left_to_the_reference(plan: Replay) -> None:
    assert not can_accelerate(plan)


def test_it_leaves_a_log_in_which_little_is_usual(tmp_path: Path) -> None:
    odd = [line.replace(b'"isExtAD"', b'"isextad"') for line in made(tmp_path, 7_000)]
    accelerated = same(odd)
    assert not accelerated.is_accelerated


def test_a_conversation_goes_on_elsewhere(tmp_path: Path) -> None:
    lines = made(tmp_path, 400, **KINDS["delivered"])
    first, second = AcceleratedReplayer(ReplayOptions()), AcceleratedReplayer(ReplayOptions())
    reference, resumed = replayer.Replayer(ReplayOptions()), replayer.Replayer(ReplayOptions())
    for each in (first, reference):
        list(each.feed_all(lines[:250], batch_size=64))
    for identity in (*reference._open, *reference._ended):  # noqa: SLF001 - all keys there are
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
