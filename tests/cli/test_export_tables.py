"""`segue export --to csv` and `--to parquet`: one table, or one of each kind."""

from pathlib import Path

import pytest
from tests.cli.command import Segue, Write
from tests.report.export.story import COLD, timed
from tests.report.story import log

KINDS = ["conversations", "events", "figures", "findings", "segments"]
LATE = [*COLD, *timed("09:10:00 NA entry a-1")]
LOST = timed("09:00:00 NA entry a-1", "09:02:00 END", conversation="c-2")


@pytest.mark.parametrize("to", ["csv", "parquet"])
@pytest.mark.parametrize("folder", ["tables/", "new/tables/", "tables"])
def test_a_folder_gets_a_table_of_each_kind(
    segue: Segue, write: Write, tmp_path: Path, to: str, folder: str
) -> None:
    (tmp_path / "tables").mkdir()
    write("shift.jsonl", [*LATE, *LOST])

    assert segue("export", "shift.jsonl", "--to", to, "--output", folder) == (0, "", "")

    found = sorted((tmp_path / folder).iterdir())
    assert [each.name for each in found] == [f"{kind}.{to}" for kind in KINDS]
    assert all(each.stat().st_size > 100 for each in found)


@pytest.mark.parametrize("kind", KINDS)
def test_one_table_goes_to_the_output_or_to_a_file(
    segue: Segue, write: Write, tmp_path: Path, kind: str
) -> None:
    write("shift.jsonl", LATE)
    options = ["export", "shift.jsonl", "--to", "csv", "--rows", kind]

    done = segue(*options)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("conversation_id,bot_id,")
    assert segue(*options, "--output", "out.csv") == (0, "", "")
    assert (tmp_path / "out.csv").read_text("utf-8") == done.out
    assert segue(*options, "--output", "tables/") == (0, "", "")
    assert [each.name for each in (tmp_path / "tables").iterdir()] == [f"{kind}.csv"]


def test_what_came_late_is_in_the_findings(segue: Segue, write: Write) -> None:
    write("shift.jsonl", LATE)

    found = segue("export", "shift.jsonl", "--to", "csv", "--rows", "findings").out

    assert [row.split(",")[2] for row in found.splitlines()[1:]] == ["SG110"]


def test_rows_need_no_times(segue: Segue, write: Write) -> None:
    write("shift.jsonl", log("NA entry a-1", "NA exit a-1", "END"))

    done = segue("export", "shift.jsonl", "--to", "csv", "--rows", "events")

    assert [row[-2:] for row in done.out.splitlines()[1:]] == ["1,", "2,", "3,"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--to", "csv"],
            "the kind of rows is missing: give --rows findings or --rows segments or --rows ",
        ),
        (["--to", "parquet", "--rows", "events"], "parquet is a binary format: give --output FILE"),
        (["--to", "xes", "--rows", "events"], "--rows is for --to csv and parquet"),
        (
            ["--to", "csv", "--output", "shift.jsonl/"],
            "shift.jsonl/ is not a folder that can be written to",
        ),
    ],
)
def test_what_cannot_be_is_said(
    segue: Segue, write: Write, options: list[str], message: str
) -> None:
    write("shift.jsonl", COLD)

    done = segue("export", "shift.jsonl", *options)

    assert done.code == 2
    assert done.err.startswith(f"segue: {message}")


def test_a_table_is_complete_or_not_there(segue: Segue, write: Write, tmp_path: Path) -> None:
    write("empty.jsonl", "")

    done = segue("export", "empty.jsonl", "--to", "parquet", "--output", "tables/")

    assert done.code == 2
    assert list((tmp_path / "tables").iterdir()) == []
