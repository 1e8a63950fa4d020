"""Folders are their files, and rotated files are read from old to new."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.logs.story import CLEAN, jsonl, lines

from segue.errors import UnreadableLog
from segue.logs import replay
from segue.logs.log_files import files_of


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("x.log x.log.1 x.log.2.gz x.log.10.gz", "x.log.10.gz x.log.2.gz x.log.1 x.log"),
        ("x.log x.log-20260301.gz x.log-20260302", "x.log-20260301.gz x.log-20260302 x.log"),
        ("x.log.2026-03-02 x.log.2026-03-01 x.log", "x.log.2026-03-01 x.log.2026-03-02 x.log"),
        ("b.log a.log", "b.log a.log"),
        ("b.log.1 a.log.1 a.log", "b.log.1 a.log.1 a.log"),
        ("b.log b.log.1 - a.log", "b.log.1 b.log - a.log"),
        ("day-2.jsonl day-10.jsonl", "day-2.jsonl day-10.jsonl"),
        ("logs/x.log logs/x.log.1", "logs/x.log.1 logs/x.log"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_rotated_files_are_put_in_order(given: str, read: str) -> None:
    assert " ".join(files_of(given.split())) == read


def test_a_folder_is_its_files(tmp_path: Path) -> None:
    names = ["10.log", "2.log", "a/x.log", "a/x.log.1", ".hidden", ".git/x"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    found = [Path(each).relative_to(tmp_path).as_posix() for each in files_of([str(tmp_path)])]

    assert found == ["2.log", "10.log", "a/x.log.1", "a/x.log"]


def test_a_file_is_read_once_whatever_leads_to_it(tmp_path: Path) -> None:
    """By its folder, by its own name, and by a link."""
    log, link = tmp_path / "a.jsonl", tmp_path / "latest"
    log.write_text(jsonl(lines(*CLEAN)).decode())
    link.symlink_to(log)

    assert files_of([str(tmp_path), str(log)]) == (str(log),)
    assert files_of([str(log), str(link)]) == (str(log),)
    for logs in (tmp_path, [log, link], [tmp_path, log]):
        assert [report.clean for report in replay(logs)] == [True]


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableLog, match="it contains no files"):
        files_of([str(tmp_path)])


def test_a_folder_of_very_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.logs.log_files._MOST_FILES", 2)
    for name in "abc":
        (tmp_path / name).touch()
    with pytest.raises(UnreadableLog, match="more than 2 files: name the folder"):
        files_of([str(tmp_path)])


def test_a_folder_is_replayed_as_one_log(tmp_path: Path) -> None:
    first, second, *others = lines(*CLEAN)
    for name, part in (("x.log", others), ("x.log.1", [second]), ("x.log.2", [first])):
        (tmp_path / name).write_bytes(jsonl(part))

    [report] = replay(tmp_path)

    assert report.clean


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("path", ["x" * 5_000, '{"conversationId": "c-1"}' * 100, "a\0b"])
def test_a_text_that_no_file_can_be_called_is_an_unreadable_log(path: str, jobs: int) -> None:
    with pytest.raises(UnreadableLog, match="cannot be read"):
        list(replay(path, jobs=jobs))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_special_files_in_a_folder_are_skipped(tmp_path: Path) -> None:
    """Reading a pipe waits for its writer, so a folder with a pipe must not be read whole."""
    log, folder, elsewhere = tmp_path / "logs/a.jsonl", tmp_path / "logs", tmp_path / "elsewhere"
    elsewhere.mkdir()
    folder.mkdir()
    log.write_bytes(jsonl(lines(*CLEAN)))
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / ".hidden")
    (folder / "gone").symlink_to(tmp_path / "nothing")
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "link").symlink_to(elsewhere)
    skipped: list[str] = []

    assert files_of([str(folder)], skipped.append) == (str(log),)
    assert skipped == [str(folder / name) for name in ("circle", "gone", "link", "pipe")]
    assert [report.clean for report in replay(folder)] == [True]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_stays_a_log(tmp_path: Path) -> None:
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    assert files_of([pipe]) == (pipe,)


def test_a_folder_that_cannot_be_listed_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.log").touch()
    (tmp_path / "locked").mkdir()
    scan = os.scandir

    def scandir(path: str) -> object:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr("os.scandir", scandir)
    with pytest.raises(UnreadableLog, match="locked cannot be read: Permission denied"):
        files_of([str(tmp_path)])


def test_digits_of_other_scripts_are_not_numbers(tmp_path: Path) -> None:
    """Python calls a superscript two a digit, and `int` does not read it."""
    for name in ("1²2.log", "1²10.log", "٣.log"):
        (tmp_path / name).touch()

    found = [Path(each).name for each in files_of([str(tmp_path)])]

    assert found == ["1²2.log", "1²10.log", "٣.log"]
