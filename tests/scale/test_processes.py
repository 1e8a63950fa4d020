"""Several processes and one come to the same: on the equality corpus, and byte for byte."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from tests.cli.command import Segue
from tests.logs.together import alone, everything, here
from tests.scale.corpus import write, write_hot
from tests.scale.digest import digest

from segue import replay
from segue.logs import plan
from segue.logs.parallel.chunk_replayer import ChunkReplayer, ChunkResult
from segue.logs.parallel.coordinator import ParallelRun
from segue.logs.plan import ChunkSizes, ReplayOptions
from segue.report.renderers import FORMATS

TINY = ChunkSizes(per_process=20_000, largest=300_000)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def right(paths: list[Path]) -> str:
    return digest(alone(paths, ReplayOptions()))


@pytest.fixture
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs are shared out however small they are."""
    monkeypatch.setattr(plan, "DEFAULT_CHUNK_SIZES", TINY)


@pytest.fixture
def _here(_tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """And workers do their work in this process."""
    monkeypatch.setattr("segue.logs.parallel.ParallelRun", partial(ParallelRun, results=here))


@pytest.mark.thorough
@pytest.mark.usefixtures("_tiny")
@pytest.mark.parametrize("jobs", [2, 3])
def test_the_digest_is_that_of_one_process(paths: list[Path], right: str, jobs: int) -> None:
    assert digest(replay(paths, jobs=jobs)) == right


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
def test_all_that_can_be_seen_of_a_report_is_the_same(paths: list[Path]) -> None:
    one = list(map(everything, alone(paths, ReplayOptions())))
    for jobs in (1, 2, 3, 7, 40):
        assert list(map(everything, replay(paths, jobs=jobs))) == one


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize("fault", ["crossing", "ended", "open", "lines"])
def test_a_fault_in_putting_parts_together_is_in_the_digest(
    paths: list[Path], right: str, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    def result(
        self: ChunkReplayer,
        reports: list[bytes],
        orphans: list[bytes],
        lines: list[array[int]],
        sizes: list[array[int]],
    ) -> ChunkResult:
        if fault == "lines":
            lines = [array("L", [0] * len(each)) for each in lines]
        made = whole(self, reports, orphans, lines, sizes)
        return made._replace(ended={}) if fault == "ended" else made

    whole = ChunkReplayer.result
    monkeypatch.setattr(ChunkReplayer, "result", result)
    if fault == "open":
        monkeypatch.setattr(ChunkReplayer, "take_over", lambda *_: None)
    if fault == "crossing":
        monkeypatch.setattr(ChunkReplayer, "knows", lambda *_: False)

    if fault == "lines":  # an ended conversation is not found again
        with pytest.raises(AssertionError, match="the conversation has ended in the chunk"):
            digest(replay(paths, jobs=5))
    else:
        assert digest(replay(paths, jobs=5)) != right


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
def test_files_that_are_compressed_are_shared_out(
    paths: list[Path], right: str, tmp_path: Path
) -> None:
    packed = [tmp_path / f"{path.name}.gz" for path in paths]
    for path, other in zip(paths, packed, strict=True):
        other.write_bytes(gzip.compress(path.read_bytes(), 1))

    assert digest(replay(packed, jobs=3)) == right
    assert digest(replay([packed[0], *paths[1:]], jobs=2)) == right


@pytest.mark.thorough
@pytest.mark.usefixtures("_tiny")
def test_every_format_is_the_same_byte_for_byte(
    paths: list[Path], segue: Segue, tmp_path: Path
) -> None:
    done = []
    for jobs in ("1", "3"):
        outputs = [f"--output={style}={tmp_path / style}.{jobs}" for style in FORMATS]
        done.append(segue("check", *map(str, paths), "--no-config", *outputs, "--jobs", jobs))

    assert done[0] == done[1]
    assert (done[0].code, done[0].err) == (1, "")
    for style in FORMATS:
        one, several = (tmp_path / f"{style}.{jobs}" for jobs in (1, 3))
        assert one.read_bytes() == several.read_bytes()


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize("style", FORMATS)
def test_every_format_alone_has_all_it_needs(paths: list[Path], segue: Segue, style: str) -> None:
    options = ["check", *map(str, paths), "--format", style, "--no-config", "--all"]

    assert segue(*options, "--jobs", "3") == segue(*options)


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(
    "options",
    [
        ["--conversation", "c-00007", "--conversation", "late"],
        ["--partial", "both", "--strict"],
        ["--since", "2026-03-02T08:30:00Z", "--until", "2026-03-02T09:30:00Z"],
        ["--body-at", "/body", "--time-at", "/received_at"],
        ["--select", "SG1", "--ignore", "SG101"],
    ],
)
def test_whatever_is_asked_for_the_answer_is_the_same(
    paths: list[Path], segue: Segue, options: Sequence[str]
) -> None:
    logs = list(map(str, paths))
    one = segue("check", *logs, "--format", "json", "--no-config", *options)

    assert segue("check", *logs, "--format", "json", "--no-config", *options, "-j", "3") == one


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
def test_a_baseline_knows_the_same(paths: list[Path], segue: Segue, tmp_path: Path) -> None:
    logs = ["check", *map(str, paths), "--no-config", "--format", "jsonl"]
    known = [tmp_path / "one.json", tmp_path / "three.json"]
    for jobs, path in zip(("1", "3"), known, strict=True):
        segue(*logs, "--jobs", jobs, "--select", "SG1", "--write-baseline", str(path))
    one = segue(*logs, "--baseline", str(known[0]))

    assert known[0].read_bytes() == known[1].read_bytes()
    assert segue(*logs, "--baseline", str(known[1]), "--jobs", "3") == one


@pytest.mark.thorough
@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize("style", ["text", "json"])
def test_segments_are_the_same(paths: list[Path], segue: Segue, style: str) -> None:
    logs = ["segments", *map(str, paths), "--no-config", "--format", style]

    assert segue(*logs, "--jobs", "3") == segue(*logs)


@pytest.mark.slow
def test_an_endless_conversation_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_hot(tmp_path / "log.jsonl")
    right = digest(replay(path))
    monkeypatch.setattr(plan, "DEFAULT_CHUNK_SIZES", ChunkSizes(1 << 20, 40 << 20))

    for jobs in (2, 3):
        assert digest(replay(path, jobs=jobs)) == right
