"""Chunks: where files are cut, and when they are not."""

from __future__ import annotations

import gzip
import os
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from segue.errors import ConfigurationError
from segue.logs.parallel.chunks import Chunk, LogChunks, count_processes, slice_lines
from segue.logs.plan import ChunkSizes
from segue.logs.sources import LogPath

SMALL = ChunkSizes(per_process=10, largest=1 << 30)


def chunks_of(logs: list[LogPath], jobs: int, sizes: ChunkSizes = SMALL) -> list[Chunk]:
    """The chunks, none if one process is to read the logs."""
    with closing(LogChunks(logs, jobs, sizes)) as chunks:
        return list(chunks) if chunks.processes > 1 else []


def read(chunk: Chunk) -> list[bytes]:
    return [line for part in chunk for line in slice_lines(part)]


def extents(chunks: list[Chunk]) -> list[list[tuple[int, int | None]]]:
    return [[(part.start, part.end) for part in chunk] for chunk in chunks]


@given(
    content=st.lists(st.sampled_from([b"", b"x", b"\r", b"a line\r", b"x" * 60])).map(b"\n".join),
    jobs=st.integers(2, 9),
    largest=st.integers(5, 60),
)
def test_every_line_of_a_file_is_in_one_chunk_and_the_chunks_are_in_order(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, jobs: int, largest: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    path.write_bytes(content)
    chunks = chunks_of([path], jobs, ChunkSizes(5, largest))

    if chunks:
        with path.open("rb") as file:
            lines = list(file)
        assert [line for chunk in chunks for line in read(chunk)] == lines
        for chunk in chunks[:-1]:
            assert read(chunk)[-1].endswith(b"\n")
        numbered = dict(enumerate(lines, start=1))
        for [part] in chunks:
            assert numbered[part.first_line] == read((part,))[0]
        assert sum(part.size for [part] in chunks) == len(content)


def test_one_file_is_cut_behind_a_newline(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 16)
    chunks = chunks_of([path], 2)

    assert extents(chunks) == [[(0, 80)], [(80, None)]]
    assert [part.first_line for [part] in chunks] == [1, 9]
    assert {part.identity for [part] in chunks} == {(path.stat().st_dev, path.stat().st_ino)}


def test_a_line_belongs_to_the_chunk_it_begins_in(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"x" * 53 + b"\n" + b"y" * 46)
    [_, [other]] = chunks_of([path], 2)

    assert (other.start, other.first_line) == (54, 2)


def test_a_line_is_never_cut_even_if_it_is_all_there_is(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"x" * 1000)

    assert extents(chunks_of([path], 4)) == [[(0, None)]]


def test_what_is_compressed_is_not_cut(tmp_path: Path) -> None:
    paths: list[LogPath] = []
    for number in range(4):
        paths.append(tmp_path / f"{number}.gz")
        (tmp_path / f"{number}.gz").write_bytes(gzip.compress(b"x\n" * 5000))

    assert chunks_of(paths[:1], 2) == []
    assert extents(chunks_of(paths, 2)) == [[(0, None)] * 2] * 2


def test_small_files_share_a_chunk_that_begins_within_one_file_at_most(tmp_path: Path) -> None:
    paths: list[LogPath] = []
    for number in range(30):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(b"123456789\n" * (100 if number == 15 else 3))
        paths.append(path)
    chunks = chunks_of(paths, 3)

    assert [part.path for chunk in chunks for part in chunk if not part.start] == [
        str(path) for path in paths
    ]
    assert len(chunks) < 15
    for chunk in chunks:
        assert not any(part.start for part in chunk[1:])
    assert [line for chunk in chunks for line in read(chunk)] == [b"123456789\n"] * 187


def test_large_logs_are_read_in_many_chunks(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 1000)

    assert len(chunks_of([path], 2, ChunkSizes(10, 500))) == 20
    assert len(chunks_of([path], 3, ChunkSizes(10, 500))) == 21


@pytest.mark.parametrize("jobs", [0, 1])
def test_one_process_shares_nothing(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)

    assert chunks_of([path], jobs) == []


def test_what_is_small_is_not_shared(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)

    assert chunks_of([path], 2, ChunkSizes()) == []
    assert LogChunks([path], 8, ChunkSizes(400)).processes == 2


def test_what_is_not_a_file_is_read_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    for other in ("-", pipe, tmp_path, tmp_path / "none", "\0"):
        assert chunks_of([path, other], 2) == []


def test_a_program_without_an_interpreter_has_no_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    monkeypatch.setattr("sys.frozen", True, raising=False)

    assert chunks_of([path], 2) == []


def test_a_daemon_has_no_workers(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    with get_context("spawn").Pool(1) as daemons:
        assert len(chunks_of([path], 2)) > 1
        assert daemons.apply(chunks_of, ([path], 2)) == []


def test_a_file_under_the_name_of_another_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    [_, [part], *_] = chunks_of([path], 2)
    path.rename(tmp_path / "log.1")
    path.write_bytes(b"123456789\n" * 100)

    with pytest.raises(FileNotFoundError, match="replaced"):
        list(slice_lines(part))


def test_a_file_that_was_cut_is_read_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    with closing(LogChunks([path], 2, SMALL)) as chunks:
        [_, [part], *_] = chunks
        path.unlink()
        assert set(chunks.lines(part)) == {b"123456789\n"}


def test_no_number_is_one_process_for_each_core() -> None:
    assert count_processes(0) >= 1
    assert (count_processes(1), count_processes(7)) == (1, 7)


def test_where_nobody_says_which_cores_one_may_use_all_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)

    assert count_processes(0) == os.cpu_count()


@pytest.mark.parametrize("jobs", [-1, 1.5, True, "2", None])
def test_what_is_no_number_of_processes_is_a_mistake(jobs: int) -> None:
    with pytest.raises(ConfigurationError, match="`jobs` must be "):
        count_processes(jobs)
