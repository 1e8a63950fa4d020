"""Where lines come from, and what becomes of a log that cannot be read to its end."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.logs.story import CLEAN, all_told, body, jsonl, lines, mixed, told

from segue.core.conversation.current import current_reports
from segue.errors import ConfigurationError, UnreadableLog
from segue.logs import replay
from segue.logs.sources import LONGEST_LINE, lines_of, name_of

MIB = 1024 * 1024
CALM: list[tuple[str | None, bool, list[str]]] = [("c-1", False, [])]
ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


def zstd(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip(ZSTD).compress(data)
    return packed


def padded_xz(data: bytes) -> bytes:
    """Pack in two streams, each followed by null bytes, of which there are four or a multiple."""
    half = len(data) // 2
    return lzma.compress(data[:half]) + bytes(4) + lzma.compress(data[half:]) + bytes(1 << 17)


PACKERS = [pytest.param(lambda data: data, id="plain"), gzip.compress, zstd, padded_xz]


@pytest.fixture
def log(tmp_path: Path) -> Callable[[bytes], Path]:
    """Writes a log whose name says nothing."""

    def written(data: bytes) -> Path:
        path = tmp_path / "log"
        path.write_bytes(data)
        return path

    return written


class Terminal(io.BytesIO):
    """Standard input, as tests and some hosts have it: bytes without a file behind them."""

    name = "<stdin>"


def pipe_in(monkeypatch: pytest.MonkeyPatch, data: bytes) -> io.TextIOWrapper:
    stdin = io.TextIOWrapper(Terminal(data))
    monkeypatch.setattr(sys, "stdin", stdin)
    return stdin


@pytest.mark.parametrize("pack", PACKERS)
def test_a_log_is_unpacked_whatever_its_name(
    log: Callable[[bytes], Path],
    pack: Callable[[bytes], bytes],
) -> None:
    path = log(pack(jsonl(lines(*CLEAN))))
    assert all_told(path) == CALM
    assert all_told(str(path)) == CALM


@pytest.mark.parametrize("pack", PACKERS)
def test_standard_input_is_unpacked_and_left_open(
    monkeypatch: pytest.MonkeyPatch,
    pack: Callable[[bytes], bytes],
) -> None:
    stdin = pipe_in(monkeypatch, pack(jsonl(lines(*CLEAN))))
    assert all_told("-") == CALM
    assert not stdin.buffer.closed


def test_standard_input_is_given_line_by_line_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "r") as stdin, os.fdopen(writing, "wb", buffering=0) as pen:
        monkeypatch.setattr(sys, "stdin", stdin)
        given = lines_of("-")
        for line in (b"first\n", b"second\n"):
            pen.write(line)
            assert next(given) == line


def test_a_beginning_that_comes_byte_by_byte_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    data = gzip.compress(b"a line\n")
    pieces = [data[:1], data[1:2], data[2:]]

    class Slow:
        def read1(self, _: int) -> bytes:
            return pieces.pop(0) if pieces else b""

        read = read1

    class Stdin:
        buffer = Slow()

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert list(lines_of("-")) == [b"a line\n"]


@pytest.mark.parametrize("stdin", [None, io.StringIO("{}")], ids=["none", "text"])
def test_without_a_binary_standard_input_there_is_nothing_to_read(
    monkeypatch: pytest.MonkeyPatch,
    stdin: object,
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(UnreadableLog, match="<stdin> cannot be read: there is no binary"):
        list(lines_of("-"))


def test_a_closed_standard_input_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe_in(monkeypatch, b"").close()
    with pytest.raises(UnreadableLog, match="<stdin> cannot be read"):
        list(lines_of("-"))


def test_logs_are_called_by_their_path() -> None:
    assert name_of("-") == "<stdin>"
    assert name_of("a/b.jsonl") == "a/b.jsonl"
    assert name_of(Path("a") / "b.jsonl") == str(Path("a") / "b.jsonl")


@pytest.mark.parametrize(
    ("path", "reason"),
    [("missing.jsonl", "No such file"), (".", "contains no files"), ("a\0b", "null byte")],
)
def test_what_cannot_be_opened_is_an_unreadable_log(
    tmp_path: Path,
    path: str,
    reason: str,
) -> None:
    with pytest.raises(UnreadableLog, match=f"cannot be read: .*{reason}"):
        list(replay(os.path.join(tmp_path, path)))  # noqa: PTH118 - a Path refuses a NUL


def test_a_file_one_may_not_read_is_an_unreadable_log(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(io, "FileIO", refuse)  # root may read everything
    with pytest.raises(UnreadableLog, match="Permission denied"):
        list(replay(tmp_path / "log"))


def test_a_missing_file_is_noticed_when_lines_are_asked_for(tmp_path: Path) -> None:
    reports = replay(tmp_path / "missing.jsonl")
    with pytest.raises(UnreadableLog):
        next(reports)


def test_an_empty_log_gives_nothing(log: Callable[[bytes], Path]) -> None:
    assert list(replay(log(b""))) == []
    assert list(replay(log(gzip.compress(b"")))) == []


def test_a_log_shorter_than_any_magic_is_read(log: Callable[[bytes], Path]) -> None:
    assert list(lines_of(log(b"{}"))) == [b"{}"]


def test_several_gzip_members_are_one_log(log: Callable[[bytes], Path]) -> None:
    first, second = (jsonl(half) for half in (lines(*CLEAN[:2]), lines(*CLEAN[2:])))
    assert all_told(log(gzip.compress(first) + gzip.compress(second))) == CALM
    torn = first + second
    middle = len(first) - 5
    halves = gzip.compress(torn[:middle]) + gzip.compress(torn[middle:])
    assert all_told(log(halves + b"\0" * 100)) == CALM


def noise(size: int) -> bytes:
    """Lines that cannot be packed well."""
    return b"".join(b"%d %x\n" % (n, hash((n, n))) for n in range(size))


@pytest.mark.parametrize("part", [0.3, 0.7, 0.999])
def test_every_complete_line_before_a_truncation_is_given(
    log: Callable[[bytes], Path],
    part: float,
) -> None:
    data = noise(100_000)
    packed = gzip.compress(data, compresslevel=1)
    packed = packed[: int(len(packed) * part)]
    intact = zlib.decompressobj(31).decompress(packed)
    whole = intact[: intact.rindex(b"\n") + 1].splitlines(keepends=True)
    path = log(packed)
    given: list[bytes] = []
    with pytest.raises(UnreadableLog, match=f"{path.name} cannot be read after line {len(whole)}"):
        given.extend(lines_of(path))
    assert len(given) == len(whole)
    assert given == whole


def test_a_log_without_a_whole_line_has_no_line_that_it_is_read_to(
    log: Callable[[bytes], Path],
) -> None:
    path = log(gzip.compress(noise(100_000))[:20])
    with pytest.raises(UnreadableLog, match=f"{path.name} cannot be read: .*end-of-stream"):
        list(lines_of(path))


def test_conversations_that_ended_before_a_truncation_are_reported(
    log: Callable[[bytes], Path],
) -> None:
    whole, cut = lines(*CLEAN), lines("NA entry a-1", conversation="c-2")
    packed = gzip.compress(jsonl(whole)) + gzip.compress(jsonl(cut))[:-10]
    reports = replay(log(packed))
    assert told(next(reports)) == []
    with pytest.raises(UnreadableLog, match=r"cannot be read after line 4: .*end-of-stream"):
        next(reports)


def test_a_truncated_zstd_log_is_unreadable_where_it_ends(log: Callable[[bytes], Path]) -> None:
    data = noise(100_000)
    packed = zstd(data)
    given: list[bytes] = []
    with pytest.raises(UnreadableLog, match="cannot be read after line"):
        given.extend(lines_of(log(packed[: len(packed) // 2])))
    assert given
    assert data.startswith(b"".join(given))


@pytest.mark.parametrize("pack", [gzip.compress, zstd, padded_xz])
def test_bytes_that_unpack_to_nothing_are_an_unreadable_log(
    log: Callable[[bytes], Path],
    pack: Callable[[bytes], bytes],
) -> None:
    packed = bytearray(pack(noise(1000)))
    packed[20:40] = bytes(20)
    path = log(bytes(packed))
    with pytest.raises(UnreadableLog, match=f"^{re.escape(str(path))} cannot be read: "):
        list(lines_of(path))


def test_what_follows_a_gzip_log_and_is_none_makes_it_unreadable(
    log: Callable[[bytes], Path],
) -> None:
    with pytest.raises(UnreadableLog, match="after line 1: Not a gzipped file"):
        list(lines_of(log(gzip.compress(b"a\n") + b"plain\n")))


def test_a_disk_that_fails_is_an_unreadable_log(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self) -> None:
            self.pieces = [b"12\n4", b"56\n"]

        def read(self, _: int) -> bytes:
            if self.pieces:
                return self.pieces.pop(0)
            raise OSError(5, "Input/output error")

    class Stdin:
        buffer = Broken()

    monkeypatch.setattr(sys, "stdin", Stdin())
    given: list[bytes] = []
    with pytest.raises(UnreadableLog, match=r"<stdin> .* after line 2: Input/output error"):
        given.extend(lines_of("-"))
    assert given == [b"12\n", b"456\n"]


@pytest.mark.parametrize("missing", ["backports.zstd", "compression.zstd"])
def test_without_the_extra_a_zstd_log_says_which_one_is_missing(
    monkeypatch: pytest.MonkeyPatch,
    log: Callable[[bytes], Path],
    missing: str,
) -> None:
    version = (3, 14, 0) if missing.startswith("compression") else (3, 11, 0)
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ConfigurationError, match=r'"segue\[zstd\]"') as raised:
        list(replay(log(b"\x28\xb5\x2f\xfd and so on")))
    assert "\n" not in str(raised.value)


def test_zstd_is_the_module_of_the_interpreter_or_its_backport() -> None:
    pytest.importorskip(ZSTD)
    assert import_module(ZSTD).ZstdFile


def test_line_ends_of_every_kind_and_blank_lines_are_no_findings(
    log: Callable[[bytes], Path],
) -> None:
    entry, leave, summary, end = jsonl(lines(*CLEAN)).splitlines()
    data = b"\n\n" + entry + b"\r\n \t \r\n" + leave + b"\n" + summary + b"\r\n\r\n" + end
    assert all_told(log(data)) == CALM


def test_blank_lines_are_counted(log: Callable[[bytes], Path]) -> None:
    (report,) = replay(log(b"\n\r\n{\n"))
    assert report.findings[0].place.line == 3


def long_line(size: int) -> bytes:
    """A clean body of so many bytes, newline not included."""
    text = jsonl([body("NA entry a-1")]).rstrip()
    return text[:-1] + b" " * (size - len(text)) + b"}"


@pytest.mark.parametrize("sort", [None, "received_at"])
@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("mark", list("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
def test_only_a_newline_ends_a_line(
    log: Callable[[bytes], Path],
    pack: Callable[[bytes], bytes],
    mark: str,
    sort: Literal["received_at"] | None,
) -> None:
    said = jsonl(lines("user message")).decode().replace("hello", f"{mark}x" * (mark > "~"))
    odd = f'{{"x":{mark}oops}}\n{mark}x\n'
    path = log(pack((said + odd).encode() + jsonl(lines("NA exit a-1", "END", "END"))))

    reports = current_reports(replay(path, sort=sort))
    found = [each for report in reports for each in report.findings]

    wanted = [("SG101", 4), ("SG109", 6), ("SG501", 2), ("SG501", 3)]
    assert sorted((each.code, each.place.line) for each in found) == wanted


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize("pack", PACKERS[:2])
def test_a_line_of_sixteen_mebibytes_is_read_and_one_byte_more_is_a_finding(
    log: Callable[[bytes], Path],
    pack: Callable[[bytes], bytes],
    end: bytes,
) -> None:
    path = log(pack(long_line(LONGEST_LINE) + end))
    assert all_told(path, partial="end") == CALM
    path = log(pack(long_line(LONGEST_LINE + 1) + end))
    (report,) = replay(path)
    assert told(report) == ["SG501"]
    assert "larger than 16 MiB" in report.findings[0].message


@pytest.mark.parametrize("size", [17 * MIB, 40 * MIB, LONGEST_LINE + 2, LONGEST_LINE + 3])
def test_the_line_behind_an_overlong_one_has_the_next_number(
    log: Callable[[bytes], Path],
    size: int,
) -> None:
    stray, report = replay(log(b"x" * size + b"\n" + jsonl([body("NA exit a-1")])), partial="end")
    assert (told(stray), stray.findings[0].place.line) == (["SG501"], 1)
    assert report.findings[0].place.line == 2


def test_an_overlong_line_is_never_held_in_memory(log: Callable[[bytes], Path]) -> None:
    path = log(b"x" * (80 * MIB) + b"\n" + jsonl(lines(*CLEAN)))
    tracemalloc.start()
    try:
        assert len(all_told(path)) == 2
        assert tracemalloc.get_traced_memory()[1] < 60 * MIB
    finally:
        tracemalloc.stop()


def test_lines_given_as_text_are_measured_too() -> None:
    line = long_line(LONGEST_LINE + 1)
    for source in ([line], [line.decode()], [line + b"\r\n"]):
        assert all_told(source) == [(None, False, ["SG501"])]
    line = long_line(LONGEST_LINE)
    for source in ([line], [line.decode()], [line + b"\r\n"]):
        assert all_told(source, partial="end") == CALM


@pytest.mark.parametrize("pack", PACKERS)
def test_progress_is_told_in_bytes_of_the_file(
    log: Callable[[bytes], Path],
    pack: Callable[[bytes], bytes],
) -> None:
    path = log(pack(noise(100_000)))
    seen: list[int] = []
    assert len(list(lines_of(path, seen.append))) == 100_000
    assert seen == sorted(seen)
    assert len(seen) > 2
    assert seen[-1] == path.stat().st_size


def test_progress_is_told_of_standard_input_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = jsonl(lines(*CLEAN))
    pipe_in(monkeypatch, data)
    seen: list[int] = []
    assert len(list(replay("-", progress=seen.append))) == 1
    assert seen[-1] == len(data)


def test_what_goes_wrong_in_telling_is_no_fault_of_the_log(log: Callable[[bytes], Path]) -> None:
    def told(_: int) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        list(lines_of(log(b"{}\n"), told))


@pytest.mark.parametrize("pack", PACKERS)
def test_a_log_that_is_left_early_is_closed(
    log: Callable[[bytes], Path],
    pack: Callable[[bytes], bytes],
) -> None:
    opened: list[Any] = []
    real = io.FileIO

    def watched(*given: Any, **named: Any) -> Any:
        opened.append(real(*given, **named))
        return opened[-1]

    several = (range(100), range(100, 600))  # one behind the other
    many = [
        line
        for numbers in several
        for line in mixed(*(lines(*CLEAN, conversation=f"c-{number}") for number in numbers))
    ]
    path = log(pack(jsonl(many)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(io, "FileIO", watched)
        reports = replay(path)
        next(reports)
    assert [file.closed for file in opened if file.name == str(path)] == [False]
    del reports
    assert [file.closed for file in opened if file.name == str(path)] == [True]
