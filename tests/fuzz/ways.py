"""Read the logs of a case in every way that must give the same output.

A way reads logs by the library, which gives reports, or by the command, which gives text and an
exit code. The first way of each kind is the reference: Python alone, in one process, from files.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias
from unittest.mock import patch

from tests.fuzz.cases import Case, plan_of
from tests.logs.native.both import is_installed
from tests.logs.together import here

import segue
from segue.cli.app import run as run_command
from segue.core.conversation import Report
from segue.core.findings import Finding, Place
from segue.errors import SegueError
from segue.logs import parallel
from segue.logs.framing import holds_values
from segue.logs.keying import KEYS
from segue.logs.parallel import LogChunks, ParallelRun
from segue.logs.plan import ChunkSizes, Replay
from segue.logs.replay_run import ReplayRun
from segue.logs.replayer import Replayer
from segue.logs.replaying import start_replay
from segue.logs.sorting import sort_in_memory

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["WAYS", "Outcome", "Way", "difference", "iterable", "reference_of"]

TABLES: Final = ("findings", "segments", "events", "conversations")
_LINE: Final = re.compile(r'"line": (?:\d+|null)')


class Outcome(NamedTuple):
    """All that can be seen of one reading."""

    anywhere: list[str]
    """The parts that do not tell in which file a line is."""
    exact: list[str]
    """The parts that name logs and lines."""


Read: TypeAlias = Callable[[Case, Path], Outcome | None]


class Way(NamedTuple):
    """A way to read a case."""

    name: str
    is_command: bool
    """Whether it is compared with the reference of the command or of the library."""
    read: Read
    """Read a case, with a folder for files. Return None if the case cannot be read in this way."""
    is_placed: bool = True
    """Whether the files have the same lines as those of the reference."""


@contextmanager
def engine(*, is_native: bool) -> Iterator[None]:
    """Read with or without the accelerator within the block."""
    with patch.dict(os.environ, {"SEGUE_NATIVE": "1" if is_native else "0"}):
        yield


def written(case: Case, folder: Path, suffix: str = "") -> tuple[str, ...]:
    """Write the logs of a case into a folder, packed as the suffix says, and return their paths."""
    folder.mkdir(exist_ok=True)
    paths = []
    for number, lines in enumerate(case.logs):
        path = folder / f"log-{number}.jsonl{suffix}"
        path.write_bytes(PACKINGS[suffix](b"".join(lines)))
        paths.append(str(path))
    return tuple(paths)


def _zipped(data: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("log.jsonl", data)
    return archive.getvalue()


PACKINGS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "": bytes,
    ".gz": partial(gzip.compress, compresslevel=1),
    ".zst": zstd.compress,
    ".xz": partial(lzma.compress, preset=0),
    ".bz2": bz2.compress,
    ".zip": _zipped,
}


class Names(NamedTuple):
    """Where the lines of a case are while it is read."""

    offsets: dict[str, int]
    """The number of lines before each log, by the name of the log."""
    indices: dict[str, int]

    @classmethod
    def of(cls, case: Case, names: Sequence[str]) -> Names:
        """Return the names of logs that have the lines of the case."""
        before = [sum(map(len, case.logs[:index])) for index in range(len(case.logs))]
        indices = {name: index for index, name in enumerate(names)}
        return cls({name: before[index] for name, index in indices.items()}, indices)

    def anywhere(self, place: Place) -> Place:
        """Return a place with its line counted through all logs, and without a log."""
        line = place.line and place.line + self.offsets.get(place.source, 0)
        return replace(place, line=line, source="")

    def exact(self, place: Place) -> Place:
        """Return a place with the number of its log instead of a name."""
        return replace(place, source=str(self.indices.get(place.source, "-")))


def _placed(finding: Finding, of: Callable[[Place], Place]) -> Finding:
    return replace(
        finding,
        place=of(finding.place),
        because=tuple(replace(cause, place=of(cause.place)) for cause in finding.because),
    )


def seen(report: Report, names: Names) -> tuple[str, str]:
    """Return all that can be seen of a report: anywhere, and exactly."""
    shown = report.to_json()
    findings = report.findings
    rows = [list(segue.to_rows([report], table)) for table in TABLES]
    bare = [[{k: v for k, v in row.items() if k not in _PLACES} for row in each] for each in rows]
    placed = [[{**row, "source": ""} for row in each] for each in rows]
    notes = [(position, repr(note)) for position, _, note in report.notes]
    places = [names.indices.get(source, source) for _, source, _ in report.notes]
    times = [event.received_at for event in report.timeline]
    moments = (times, report.transcription_intervals, report.late, report.keyed_by)
    anywhere = (
        _LINE.sub("", shown),
        [_placed(finding, names.anywhere) for finding in findings],
        bare,
        notes,
        moments,
    )
    exact = (shown, [_placed(finding, names.exact) for finding in findings], places, placed)
    return repr(anywhere), repr(exact)


_PLACES: Final = frozenset({"line", "source", "log", "file"})


def outcome(
    reports: Iterable[Report], names: Names, totals: Callable[[], object] = lambda: None
) -> Outcome:
    """Read reports to their end, or to an error of the library, which is a part of the outcome."""
    found: list[tuple[str, str]] = []
    try:
        found += (seen(report, names) for report in reports)
    except SegueError as error:
        found.append((type(error).__name__, str(error)))
    anywhere, exact = zip(*found, strict=True) if found else ((), ())
    return Outcome([*anywhere, repr(totals())], [*exact])


def _files(case: Case, folder: Path, *, is_native: bool, suffix: str = "") -> Outcome | None:
    """Read files in one process."""
    if is_native and not is_installed():
        return None
    paths = written(case, folder, suffix)
    with engine(is_native=is_native):
        return _run(case, start_replay(plan_of(case, paths)), paths)


def _run(case: Case, run: ReplayRun, names: Sequence[str]) -> Outcome:
    return outcome(run.reports(), Names.of(case, names), lambda: (run.lines, run.healed))


def _packed(case: Case, folder: Path) -> Outcome | None:
    random = Random(case.tear)
    suffix, is_native = random.choice([*PACKINGS][1:]), random.random() < 0.5 and is_installed()
    return _files(case, folder, is_native=is_native, suffix=suffix)


def _chunks(case: Case, folder: Path, *, is_native: bool) -> Outcome | None:
    """Read parts of files in workers, which are in this process."""
    if (is_native and not is_installed()) or case.sets("sort") or case.sets("race"):
        return None
    random, paths = Random(case.tear), written(case, folder)
    chunks = LogChunks(paths, 2, _sizes(case, random))
    if chunks.processes < 2:
        return None
    lost = [number for number in range(9) if random.random() < 0.1]
    with engine(is_native=is_native):
        run = ParallelRun(plan_of(case, paths), chunks, partial(here, lost=lost))
        return _run(case, run, paths)


def _sizes(case: Case, random: Random) -> ChunkSizes:
    size = sum(len(line) for log in case.logs for line in log)
    return ChunkSizes(1, 1 + int(size * random.choice((0.02, 0.1, 0.3, 0.5, 0.7))))


def _one_file(case: Case, folder: Path) -> Outcome | None:
    """Read all logs as one file."""
    if len(case.logs) < 2 or _has_document(case):
        return None
    whole = case._replace(logs=(tuple(_lines(case)),))
    paths = written(whole, folder)
    with engine(is_native=is_installed()):
        return _run(whole, start_replay(plan_of(whole, paths)), paths)


def _lines(case: Case) -> list[bytes]:
    """Return the lines of all logs, each with a newline."""
    return [line if line.endswith(b"\n") else line + b"\n" for log in case.logs for line in log]


def _has_document(case: Case) -> bool:
    """Return whether a log is one JSON document, which is read in another way than its lines."""
    return any(holds_values(b"".join(log)) for log in (*case.logs, _lines(case)))


def iterable(case: Case, _: Path, given: Callable[[bytes], object]) -> Outcome | None:
    """Read lines that the caller has."""
    if _has_document(case):
        return None
    lines = [given(line) for line in _lines(case)]
    whole = case._replace(logs=((b"",) * len(lines),))
    return _run(whole, start_replay(plan_of(case, lines=lines)), [""])


def _as_text(line: bytes) -> object:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line


def _as_mapping(line: bytes) -> object:
    """Return the object on a line, or the line if an object does not tell all that is on it."""
    try:
        value = json.loads(line)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return line
    same = re.sub(rb"\s", b"", line) == re.sub(r"\s", "", text).encode("utf-8", "surrogatepass")
    return value if same and isinstance(value, dict) else line


def _standard_input(case: Case, folder: Path) -> Outcome | None:
    """Read the log from standard input."""
    if len(case.logs) != 1:
        return None
    with engine(is_native=is_installed()), _stdin(*written(case, folder)):
        return _run(case, start_replay(plan_of(case, ("-",))), ["<stdin>"])


@contextmanager
def _stdin(path: str) -> Iterator[None]:
    with Path(path).open(encoding="utf-8") as file, patch.object(sys, "stdin", file):
        yield


def _sorted_in_memory(case: Case, folder: Path, *, is_native: bool) -> Outcome | None:
    """Sort lines in memory, where files are otherwise sorted on disk."""
    if not case.sets("sort") or (is_native and not is_installed()):
        return None
    paths = written(case, folder)
    with engine(is_native=is_native):
        run = start_replay(plan_of(case, paths))
        run._sorter = sort_in_memory  # noqa: SLF001 - nobody else chooses
        return _run(case, run, paths)


def _restored(case: Case, folder: Path) -> Outcome | None:
    """Save everything every few lines, and go on with another replayer, as on Spark.

    The events of the whole log are not counted then, so a window has no end.
    """
    alone = len(case.logs) == 1 and not case.has_notes
    if not alone or any(map(case.sets, ("sort", "race", "window"))):
        return None
    del folder
    reports = _restoring(plan_of(case), case.logs[0], every=1 + case.tear % 3)
    totals = (len(case.logs[0]), 0)
    return outcome(reports, Names.of(case, [""]), lambda: totals)


def _restoring(plan: Replay, lines: Sequence[bytes], every: int) -> Iterator[Report]:
    with engine(is_native=False):
        replayer = Replayer(plan.options)
        known: dict[str, None] = {}
        for number, line in enumerate(lines, 1):
            report = replayer.feed(line, number)
            if report is not None:
                key = KEYS[report.keyed_by](report)
                known |= {} if key is None else {key: None}
                yield report
            if number % every == 0:
                replayer = _restarted(plan, replayer, known)
        yield from replayer.close()


def _restarted(plan: Replay, replayer: Replayer, known: Iterable[str]) -> Replayer:
    options = replace(plan.options, key=replayer._reader.keying)  # noqa: SLF001 - as below
    again = Replayer(options)
    keys = dict.fromkeys([*replayer._open, *replayer._late, *known])  # noqa: SLF001 - their order
    for key in keys:
        again.resume(key, replayer.save(key))
    return again


def _command(
    case: Case,
    folder: Path,
    *,
    is_native: bool,
    suffix: str = "",
    more: Sequence[str] = (),
) -> Outcome | None:
    """Run the command in this process."""
    if is_native and not is_installed():
        return None
    names = [Path(path).name for path in written(case, folder, suffix)]
    with engine(is_native=is_native), chdir(folder):
        return _ran((*case.arguments, *_USUAL, *more, *names), suffix)


_USUAL: Final = ("--no-config", "--allow-empty")


def _ran(arguments: Sequence[str], suffix: str = "") -> Outcome:
    errors, written_bytes = io.StringIO(), io.BytesIO()
    output = io.TextIOWrapper(written_bytes, write_through=True)
    code: object = None
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            run_command(arguments)
        except SystemExit as done:
            code = done.code
    told = written_bytes.getvalue().decode()
    return _told(code, told, errors.getvalue(), suffix)


def _told(code: object, output: str, errors: str, suffix: str = "") -> Outcome:
    text = f"{code}\n{errors}\n{output}"
    text = text.replace(f".jsonl{suffix}", ".jsonl").replace("<stdin>", "log-0.jsonl")
    return Outcome([], text.split("\n"))


def _command_in_chunks(case: Case, folder: Path) -> Outcome | None:
    """Run the command with workers, which are in this process."""
    random = Random(case.tear)
    sizes, is_native = _sizes(case, random), random.random() < 0.5 and is_installed()
    run = partial(ParallelRun, results=here)
    with (
        patch("segue.logs.plan.DEFAULT_CHUNK_SIZES", sizes),
        patch.object(parallel, "ParallelRun", run),
    ):
        return _command(case, folder, is_native=is_native, more=("-j", "2"))


_UNALIGNED: Final = frozenset({"json", "jsonl", "concise", "csv"})
"""The formats of `check` in which the length of a name does not move anything."""


def _has_names(case: Case) -> bool:
    """Return whether a longer name of a log could change more of the output than the name."""
    return case.command[:1] == ("check",) and not _UNALIGNED.issuperset(case.command[2:3])


def _packed_command(case: Case, folder: Path) -> Outcome | None:
    random = Random(case.tear)
    suffix, is_native = random.choice([*PACKINGS][1:]), random.random() < 0.5 and is_installed()
    if _has_names(case):
        return None
    return _command(case, folder, is_native=is_native, suffix=suffix)


_STREAMED: Final = frozenset({"concise", "full"})
"""The formats that show each report of standard input at once, even if another may replace it."""


def _command_on_standard_input(case: Case, folder: Path) -> Outcome | None:
    if len(case.logs) != 1 or _has_names(case) or _STREAMED & {*case.command}:
        return None
    with engine(is_native=is_installed()), _stdin(*written(case, folder)), chdir(folder):
        found = _ran((*case.arguments, *_USUAL, "-"))
    file = _command(case, folder, is_native=is_installed())
    # A file may be read in another order, where only an option reads a pipe so.
    return None if file and any("--no-sort reads" in line for line in file.exact) else found


_ONE_IN: Final = 40


def _process(case: Case, folder: Path) -> Outcome | None:
    """Run the command in a process of its own, for few cases."""
    if case.tear % _ONE_IN:
        return None
    names = [Path(path).name for path in written(case, folder)]
    command = (sys.executable, "-m", "segue", *case.arguments, *_USUAL, "-j", "2", *names)
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=60)
    return _told(done.returncode, done.stdout.decode(), done.stderr.decode())


WAYS: Final = (
    Way("reference", is_command=False, read=partial(_files, is_native=False)),
    Way("accelerator", is_command=False, read=partial(_files, is_native=True)),
    Way("chunks", is_command=False, read=partial(_chunks, is_native=False)),
    Way("accelerated chunks", is_command=False, read=partial(_chunks, is_native=True)),
    Way("packed", is_command=False, read=_packed),
    Way("standard input", is_command=False, read=_standard_input),
    Way("one file", is_command=False, read=_one_file, is_placed=False),
    Way("bytes", is_command=False, read=partial(iterable, given=bytes), is_placed=False),
    Way("text", is_command=False, read=partial(iterable, given=_as_text), is_placed=False),
    Way("mappings", is_command=False, read=partial(iterable, given=_as_mapping), is_placed=False),
    Way("sorted in memory", is_command=False, read=partial(_sorted_in_memory, is_native=False)),
    Way(
        "accelerated, sorted in memory",
        is_command=False,
        read=partial(_sorted_in_memory, is_native=True),
    ),
    Way("restored", is_command=False, read=_restored),
    Way("command", is_command=True, read=partial(_command, is_native=False)),
    Way("accelerated command", is_command=True, read=partial(_command, is_native=True)),
    Way("command in chunks", is_command=True, read=_command_in_chunks),
    Way("packed command", is_command=True, read=_packed_command),
    Way("command on standard input", is_command=True, read=_command_on_standard_input),
    Way("process", is_command=True, read=_process),
)
"""All ways, by kind. The first of each kind is its reference."""


def reference_of(way: Way) -> Way:
    """Return the way with which another one is compared."""
    return next(each for each in WAYS if each.is_command == way.is_command)


def difference(found: Outcome, wanted: Outcome, *, is_placed: bool) -> tuple[str, str] | None:
    """Return the first parts of two outcomes that differ: wanted and found. None if none do."""
    kinds = ("anywhere", "exact") if is_placed else ("anywhere",)
    for kind in kinds:
        one, other = getattr(wanted, kind), getattr(found, kind)
        if one != other:
            both = zip([*one, "(no more)"], [*other, "(no more)"], strict=False)
            return next(pair for pair in both if pair[0] != pair[1])
    return None
