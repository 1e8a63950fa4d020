"""Several processes report what one reports: laws, and what may happen to files meanwhile."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from tests.logs.story import CLEAN, action, body, enveloped, jsonl, lines, mixed
from tests.logs.test_laws import known, renamed, stories
from tests.logs.together import CutLogs, alone, cut, everything, here, together

from segue.core.conversation import Report
from segue.core.findings import Policy
from segue.core.lifecycle import Phase
from segue.errors import UnreadableLog
from segue.logs import FieldMapping
from segue.logs.native import Learned
from segue.logs.parallel.chunk_replayer import replay_chunk
from segue.logs.parallel.chunks import Chunk, LogChunks
from segue.logs.parallel.coordinator import ParallelRun, Results
from segue.logs.plan import ChunkSizes, Detail, Replay, ReplayOptions
from segue.logs.replay_run import ReplayRun
from segue.logs.sources import LONGEST_LINE, LogSlice

options = st.one_of(
    st.just(ReplayOptions()),
    st.builds(
        ReplayOptions,
        partial=st.sampled_from([None, "start", "end", "both"]),
        policy=st.sampled_from([Policy(ignore=("SG1",)), Policy(strict=True)]),
        field_mapping=st.sampled_from(
            [None, FieldMapping(body_at="/body", time_at="/received_at")]
        ),
        conversations=st.sampled_from([None, frozenset({"c-0", "c-1"})]),
    ),
    st.builds(
        ReplayOptions,
        window=st.integers(0, 12),
        settled=st.booleans(),
        most_late=st.sampled_from([0, 1, 10_000]),
    ),
)
ends = st.sampled_from([b"\n", b"\n", b"\r\n", b"\n\n"])


@st.composite
def logs(draw: st.DrawFn) -> list[bytes]:
    """Lines of several conversations, mixed; some broken, some blank, some cut off."""
    told = draw(st.lists(stories.map(known), min_size=1, max_size=4))
    queues: list[list[Any]] = [renamed(story, f"c-{n}") for n, story in enumerate(told)]
    mixture = []
    while any(queues):
        mixture.append(draw(st.sampled_from([queue for queue in queues if queue])).pop(0))
    raw = [json.dumps(line).encode() + draw(ends) for line in mixture]
    for at in draw(st.lists(st.integers(0, len(raw)), max_size=2)):
        raw.insert(at, draw(st.sampled_from([b"{\n", b"\xff\n", b"  \n", b'{"body": 5}\n'])))
    if draw(st.booleans()):
        raw[-1] = raw[-1].rstrip()
    return [line for each in raw for line in each.splitlines(keepends=True)]


@st.composite
def cut_up(draw: Any, folder: Path, raw: list[bytes]) -> tuple[list[Path], list[Chunk]]:
    """Write lines into files, and cut these into chunks, one way or the other."""
    places = sorted(draw(st.lists(st.integers(0, len(raw)), max_size=2)))
    paths: list[Path] = []
    chunks: list[Chunk] = []
    for start, end in zip([0, *places], [*places, len(raw)], strict=True):
        path = folder / f"{len(paths)}.jsonl"
        content = b"".join(raw[start:end])
        is_packed = draw(st.booleans())
        path.write_bytes(gzip.compress(content) if is_packed else content)
        paths.append(path)
        at = sorted(draw(st.sets(st.integers(1, max(1, content.count(b"\n"))), max_size=3)))
        if is_packed or content.count(b"\n") < max(at, default=0):
            whole = LogSlice(str(path), log=len(paths) - 1)
            if chunks and draw(st.booleans()):
                chunks[-1] = (*chunks[-1], whole)
            else:
                chunks.append((whole,))
        else:
            chunks += cut(path, at, len(paths) - 1)
    return paths, chunks


@pytest.mark.thorough
@given(st.data(), options, logs())
def test_several_processes_say_what_one_says(
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
    how: ReplayOptions,
    raw: list[bytes],
) -> None:
    """The same reports in the same order, wherever logs are cut."""
    paths, chunks = data.draw(cut_up(tmp_path_factory.mktemp("logs"), raw))

    assert list(map(everything, together(chunks, how).reports())) == list(
        map(everything, alone(paths, how))
    )


@pytest.mark.thorough
@settings(max_examples=max(10, settings().max_examples // 2))
@given(st.data(), logs())
def test_a_chunk_that_no_worker_finished_is_read_by_the_coordinator(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, raw: list[bytes]
) -> None:
    paths, chunks = data.draw(cut_up(tmp_path_factory.mktemp("logs"), raw))
    lost = data.draw(st.lists(st.integers(0, len(chunks)), min_size=1))
    how = ReplayOptions()
    run = together(chunks, how, lost)

    assert list(map(everything, run.reports())) == list(map(everything, alone(paths, how)))
    assert run.chunks_reread == sum(n < len(chunks) for n in set(lost))
    assert run.lines == len(raw)


@given(st.data(), logs(), st.integers(0, 12))
def test_whenever_a_reading_stops_nothing_that_ended_is_missing_and_nothing_comes_twice(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, raw: list[bytes], shown: int
) -> None:
    """What came before and after the interrupt is what one reports of the log up to somewhere."""
    paths, chunks = data.draw(cut_up(tmp_path_factory.mktemp("logs"), raw))
    how = ReplayOptions()
    run = together(chunks, how)
    reports = run.reports()
    before = list(islice(reports, shown))
    rest = list(run.interrupt())

    once = [(each.key, each.late) for each in (*before, *rest) if each.conversation_id]
    assert len(set(once)) == len(once)
    over = finished([*before, *rest])
    assert over == finished(alone(paths, how))[: len(over)]
    assert len(before) == min(shown, len(list(alone(paths, how))))


def finished(reports: Iterable[Report]) -> list[tuple[Any, ...]]:
    """Reports that are made as soon as their last line is there."""
    return [
        everything(report)
        for report in reports
        if not report.late and (report.phase is Phase.ENDED or not report.conversation_id)
        if report.transcription["state"] in {"idle", "ended"}
    ]


def write(path: Path, *told: list[Any]) -> Path:
    path.write_bytes(jsonl(mixed(*told)))
    return path


def test_a_reading_that_stops_while_a_chunk_is_merged_shows_what_crossed(tmp_path: Path) -> None:
    """The chunk became shorter: the lines of a conversation that crosses are applied until then."""
    log = [*mixed(*[lines(*CLEAN, conversation=f"c-{n}") for n in range(2)])]
    path = write(tmp_path / "log.jsonl", log)
    assert len(log) == 8
    run = ParallelRun(Replay(), CutLogs(cut(path, [2])), _shortened(path, len(jsonl(log[:-1]))))

    with pytest.raises(UnreadableLog, match=r"log\.jsonl was truncated while it was read"):
        list(run.reports())

    assert [report.conversation_id for report in run.interrupt()] == ["c-0", "c-1"]


def test_a_worker_leaves_what_cannot_have_begun_in_its_part_to_the_coordinator(
    tmp_path: Path,
) -> None:
    """And reports stand in their order all the same, also of what began without an entry."""
    crossing = lines("NA entry a-1", "NA exit a-1", "END", conversation="c-0")
    orphan = lines("NA exit a-2", conversation="c-1")
    whole = lines("NA entry a-3", "NA exit a-3", conversation="c-2")
    path = write(tmp_path / "log.jsonl", [*crossing[:1], *orphan, *whole[:1], *crossing[1:]], [])
    _, second = cut(path, [1])

    result = replay_chunk(second, ReplayOptions(key="conversation"), Detail(), Learned(None))
    reports = list(together(cut(path, [1]), ReplayOptions()).reports())

    assert result.deferred == {"c-0", "c-1"}
    assert list(result.open) == ["c-2"]
    assert [each.conversation_id for each in reports] == ["c-0", "c-1", "c-2"]
    assert list(map(everything, reports)) == list(map(everything, alone([path], ReplayOptions())))


def _shortened(path: Path, size: int) -> Any:
    """What a pool yields, while a file becomes shorter."""

    def results(work: Any, tasks: Any, processes: int) -> Results:
        done = list(here(work, tasks, processes))
        os.truncate(path, size)
        yield from done

    return results


@pytest.mark.parametrize("choice", [Detail(), Detail(history=False, json=True)])
def test_what_is_not_wanted_of_clean_reports_is_not_sent(tmp_path: Path, choice: Detail) -> None:
    wrong = lines("NA entry a-1", "END", conversation="c-2")
    path = write(tmp_path / "log.jsonl", lines("summary"), lines(*CLEAN, conversation="c-1"), wrong)
    run = together(cut(path, [0]), how := ReplayOptions(), detail=choice)
    reports = list(run.reports())

    assert [each.to_json() for each in reports] == [each.to_json() for each in alone([path], how)]
    assert all(report.segments for report in reports if report.conversation_id == "c-2")


def test_an_overlong_line_in_a_part_is_no_hindrance(tmp_path: Path) -> None:
    told = [*lines(*CLEAN), *lines(*CLEAN, conversation="c-2")]
    overlong = b'{"conversationId": "c-3", "query": "' + b"x" * LONGEST_LINE + b'"}\n'
    path = tmp_path / "log.jsonl"
    path.write_bytes(jsonl(told[:1]) + overlong + jsonl(told[1:]) + jsonl(lines("END")))
    chunks, how = cut(path, [1]), ReplayOptions()

    several = list(map(everything, together(chunks, how).reports()))
    assert several == list(map(everything, alone([path], how)))


@pytest.mark.thorough
def test_lines_far_behind_an_overlong_one_are_found_again(tmp_path: Path) -> None:
    others = lines(*["user message"] * 9000, conversation="c-2")
    overlong = b"x" * (LONGEST_LINE + 1) + b"\n"
    path = tmp_path / "log.jsonl"
    path.write_bytes(
        b"".join([jsonl(lines(*CLEAN[:2])), overlong, jsonl(others), jsonl(lines(*CLEAN[2:]))])
    )
    chunks, how = cut(path, [1]), ReplayOptions()

    several = list(map(everything, together(chunks, how).reports()))
    assert several == list(map(everything, alone([path], how)))


@pytest.mark.thorough
def test_lines_of_many_blocks_are_found_again(tmp_path: Path) -> None:
    rare = [line for n in range(4) for line in (lines("user message") + filler(n, 5000))]
    path = write(tmp_path / "log.jsonl", [*lines(*CLEAN[:1]), *rare, *lines(*CLEAN[1:])])
    for at in ([1], [1, 8000], [3000, 9000, 15_000]):
        chunks, how = cut(path, at), ReplayOptions()
        several = list(map(everything, together(chunks, how).reports()))
        assert several == list(map(everything, alone([path], how)))


def filler(number: int, size: int) -> list[Any]:
    return lines(*["user message"] * size, conversation=f"filler-{number}")


def test_a_file_that_is_gone_is_read_to_its_end(tmp_path: Path) -> None:
    path = write(tmp_path / "log.jsonl", *[lines(*CLEAN, conversation=f"c-{n}") for n in range(9)])
    how = ReplayOptions()
    expected = list(map(everything, alone([path], how)))
    reports = together(cut(path, [29, 31]), how, lost=[2]).reports()

    first = next(reports)  # it is open now
    path.unlink()
    assert list(map(everything, [first, *reports])) == expected


def test_a_file_that_became_another_before_it_was_opened_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "log.jsonl", lines(*CLEAN))
    chunks, how = cut(path, [2]), ReplayOptions()
    path.rename(tmp_path / "log.1")
    write(path, lines(*CLEAN))

    with pytest.raises(UnreadableLog, match=r"log\.jsonl cannot be read: it was replaced"):
        list(together(chunks, how).reports())


def test_a_file_that_grows_is_read_to_the_end_it_has_then(tmp_path: Path) -> None:
    path = write(tmp_path / "log.jsonl", lines(*CLEAN[:3]))
    chunks, how = cut(path, [2]), ReplayOptions()
    with path.open("ab") as file:
        file.write(jsonl(lines("END")))

    [report] = together(chunks, how).reports()
    assert report.clean


def test_damage_is_said_after_what_could_be_read(tmp_path: Path) -> None:
    whole = write(tmp_path / "1.jsonl", lines(*CLEAN))
    packed = tmp_path / "2.jsonl.gz"
    packed.write_bytes(gzip.compress(jsonl(lines(*CLEAN, conversation="c-2") * 9))[:-9])
    chunks: list[Chunk] = [(LogSlice(str(whole)),), (LogSlice(str(packed), log=1),)]
    reports = together(chunks, ReplayOptions()).reports()
    shown = [next(reports), next(reports)]
    with pytest.raises(UnreadableLog, match=r"2\.jsonl\.gz cannot be read after line 36"):
        next(reports)
    assert [report.conversation_id for report in shown] == ["c-1", "c-2"]


def test_an_action_that_is_late_keeps_its_position_from_part_to_part(tmp_path: Path) -> None:
    told = [*lines(*CLEAN[:1]), action("start a-1"), *lines(*CLEAN[1:]), action("resume a-1")]
    path = write(tmp_path / "log.jsonl", [*told, enveloped("user message"), body("summary")])
    for at in ([6], [7], [1, 6, 7]):
        chunks, how = cut(path, at), ReplayOptions()
        several = list(map(everything, together(chunks, how).reports()))
        assert several == list(map(everything, alone([path], how)))


@pytest.mark.parametrize("ids", [("d-1", "d-0"), ("d-0", "d-1"), ("d-1", "d-0", "d-1")])
def test_the_last_delivery_before_the_end_stays_the_last_from_part_to_part(
    tmp_path: Path, ids: tuple[str, ...]
) -> None:
    entry, *exits = ("NA entry a-1", *["NA exit a-1"] * (len(ids) - 1))
    told = [
        enveloped(text, delivery_id=each) for text, each in zip((entry, *exits), ids, strict=True)
    ]
    again = enveloped("NA exit a-1", delivery_id=ids[1])
    path = write(tmp_path / "log.jsonl", [*told, enveloped("END"), again])

    for at in ([1], [2], [len(ids)], [2, len(ids) + 1]):
        several = list(map(everything, together(cut(path, at), ReplayOptions()).reports()))
        assert several == list(map(everything, alone([path], ReplayOptions())))


def test_custom_fields_keep_their_order_from_part_to_part(tmp_path: Path) -> None:
    entry = body("NA entry a-1")
    entry["events"][0]["participant"]["customFields"] = {"queueName": "q", "agentEmail": "e"}
    path = write(tmp_path / "log.jsonl", [entry, *lines(*CLEAN[1:])])

    [report] = together(cut(path, [1, 2]), ReplayOptions()).reports()

    [segment] = report.segments
    assert list(segment.custom_fields) == ["queueName", "agentEmail"]


@pytest.mark.parametrize("size", [100, 10_000])
def test_a_log_that_cannot_be_read_is_said_after_everything_before_it(
    tmp_path: Path, size: int
) -> None:
    first, second = write(tmp_path / "1.jsonl", lines(*CLEAN)), tmp_path / "2.jsonl"
    second.write_bytes(b"no log\n" * 500)
    logs = (str(first), str(second))
    plan = Replay(logs=logs, refuse_unreadable=True)
    chunks = LogChunks(logs, 2, ChunkSizes(1, size))
    for run in (ReplayRun(plan), ParallelRun(plan, chunks, here)):
        reports = run.reports()

        assert next(reports).conversation_id == "c-1"
        with pytest.raises(UnreadableLog, match=r"2\.jsonl"):
            next(reports)
