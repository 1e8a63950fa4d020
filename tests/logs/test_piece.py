"""Pieces: where files are cut, and who reads what."""

from __future__ import annotations

import gzip
import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import ConfigurationError
from segue.logs.parallel.chunks import Measure, Part, Piece, processes, share

SMALL = Measure(smallest=10, largest=1 << 30, starting=0)


def read(part: Part) -> list[bytes]:
    lines: list[bytes] = []
    for piece in part.pieces:
        with ExitStack() as stack:
            lines += piece.lines(piece.opened(stack))
    return lines


def extents(parts: list[Part]) -> list[list[tuple[int, int | None]]]:
    return [[(piece.start, piece.end) for piece in part.pieces] for part in parts]


@given(
    content=st.lists(st.sampled_from([b"", b"x", b"\r", b"a line\r", b"x" * 60])).map(b"\n".join),
    jobs=st.integers(2, 9),
    largest=st.integers(5, 60),
)
def test_every_line_of_a_file_is_in_one_part_and_the_parts_are_in_order(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, jobs: int, largest: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    path.write_bytes(content)
    parts = share([path], jobs, Measure(5, largest, 0))

    if parts:
        with path.open("rb") as file:
            assert [line for part in parts for line in read(part)] == list(file)
        for part in parts[:-1]:
            assert read(part)[-1].endswith(b"\n")


def test_one_file_is_cut_behind_a_newline(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 10)
    own, other = share([path], 2, SMALL)

    assert (own.is_own, other.is_own) == (True, False)
    assert own.pieces[0].end == other.pieces[0].start == 50
    assert other.pieces[0].end is None
    assert {piece.identity for part in (own, other) for piece in part.pieces} == {
        (path.stat().st_dev, path.stat().st_ino)
    }


def test_a_line_belongs_to_the_part_it_begins_in(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"x" * 53 + b"\n" + b"y" * 46)
    [_, other] = share([path], 2, SMALL)

    assert other.pieces[0].start == 54


def test_a_line_is_never_cut_even_if_it_is_all_there_is(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"x" * 1000)

    assert share([path], 4, SMALL) == []


def test_what_is_compressed_is_not_cut(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.gz" for number in range(4)]
    for path in paths:
        path.write_bytes(gzip.compress(b"x\n" * 5000))

    assert share(paths[:1], 2, SMALL) == []
    parts = share(paths, 2, SMALL)
    assert extents(parts) == [[(0, None)] * 2] * 2
    assert [part.is_own for part in parts] == [True, False]


def test_small_files_share_a_part_and_a_part_begins_within_one_file_at_most(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.jsonl" for number in range(30)]
    for number, path in enumerate(paths):
        path.write_bytes(b"123456789\n" * (100 if number == 15 else 3))
    parts = share(paths, 3, SMALL)

    assert [piece.path for part in parts for piece in part.pieces if not piece.start] == [
        str(path) for path in paths
    ]
    assert len(parts) < 7
    for part in parts:
        assert not any(piece.start for piece in part.pieces[1:])
        assert len(part.pieces) == 1 or not part.pieces[0].start


def test_large_logs_are_read_by_turns(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 1000)
    parts = share([path], 2, Measure(10, 1000, 0))

    assert len(parts) == 10
    assert [part.is_own for part in parts] == [True, False] * 5


def test_more_processes_leave_less_to_the_one_that_asked(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 10_000)
    ends = [share([path], jobs, SMALL)[0].pieces[0].end or 0 for jobs in (2, 3, 4, 8, 32)]

    assert ends == sorted(ends, reverse=True)
    assert all(
        0 < end < 2 * 100_000 / jobs for end, jobs in zip(ends, (2, 3, 4, 8, 32), strict=True)
    )


@pytest.mark.parametrize("jobs", [0, 1])
def test_one_process_shares_nothing(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)

    assert share([path], jobs, SMALL) == []


def test_what_is_small_is_not_shared(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)

    assert share([path], 2) == []
    assert len(share([path], 8, Measure(400, 1 << 30, 0))) == 2


def test_what_is_no_file_is_read_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    for other in ("-", pipe, tmp_path, tmp_path / "none", "\0"):
        assert share([path, other], 2, SMALL) == []


def test_a_program_without_an_interpreter_has_no_helpers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    monkeypatch.setattr("sys.frozen", True, raising=False)

    assert share([path], 2, SMALL) == []


def test_a_file_under_the_name_of_another_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"123456789\n" * 100)
    piece = share([path], 2, SMALL)[1].pieces[0]
    path.rename(tmp_path / "log.1")
    path.write_bytes(b"123456789\n" * 100)

    with ExitStack() as stack, pytest.raises(FileNotFoundError, match="replaced"):
        piece.opened(stack)


def test_a_whole_file_is_whichever_bears_the_name(tmp_path: Path) -> None:
    with ExitStack() as stack:
        assert Piece(str(tmp_path / "none")).opened(stack) is None


def test_no_number_is_one_process_for_each_core() -> None:
    assert processes(0) >= 1
    assert (processes(1), processes(7)) == (1, 7)


def test_where_nobody_says_which_cores_one_may_use_all_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)

    assert processes(0) == os.cpu_count()


@pytest.mark.parametrize("jobs", [-1, 1.5, True, "2", None])
def test_what_is_no_number_of_processes_is_a_mistake(jobs: int) -> None:
    with pytest.raises(ConfigurationError, match="jobs is how many processes"):
        processes(jobs)
