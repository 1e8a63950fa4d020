"""Rows as CSV: read back as they are, and never a formula."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.report.export.story import COLD, timed
from tests.report.hostile import HOSTILE, hostile
from tests.report.story import line

import segue
from segue.report import RunSummary, renderer
from segue.report.csv_table import CsvTable
from segue.report.renderers import RenderOptions
from segue.report.row_columns import RowKind

KINDS: tuple[RowKind, ...] = ("findings", "segments", "events", "conversations", "figures")


def written(lines: list[str], rows: RowKind) -> str:
    """What the table of a log is."""
    texts: list[str] = []
    table = renderer("csv", texts.append, RenderOptions(rows=rows))
    for report in segue.replay(lines):
        table.show(report)
    table.finish(RunSummary())
    return "".join(texts)


def test_a_table_is_lines_of_cells() -> None:
    assert written(COLD, "events") == (
        "conversation_id,bot_id,position,kind,agent,line,received_at\n"
        "c-1,st-1,1,NA entry,a-1,2,2026-03-02T09:00:10.000000Z\n"
        "c-1,st-1,3,COLD exit,a-1,4,2026-03-02T09:01:00.000000Z\n"
        "c-1,st-1,4,COLD entry,a-2,5,2026-03-02T09:01:05.000000Z\n"
        "c-1,st-1,5,NA exit,a-2,6,2026-03-02T09:02:00.000000Z\n"
        "c-1,st-1,6,END_OF_CONVERSATION,,7,2026-03-02T09:02:10.000000Z\n"
    )


def test_what_is_not_known_is_an_empty_cell_and_truth_is_a_word() -> None:
    [row] = csv.DictReader(io.StringIO(written(timed("09:00:00 NA entry a-1"), "conversations")))

    assert (row["conversation_id"], row["valid"], row["duration"]) == ("c-1", "false", "")
    assert row["events"] == "1"


def test_a_table_without_rows_has_its_head() -> None:
    assert written(COLD, "findings").startswith("conversation_id,bot_id,code,")
    assert written(COLD, "findings").count("\n") == 1


@pytest.mark.parametrize("rows", KINDS)
def test_no_text_of_a_sender_acts(rows: RowKind) -> None:
    found = written(hostile(), rows)

    assert not any(sign in found for sign in HOSTILE)
    table = list(csv.reader(io.StringIO(found)))
    assert len({len(row) for row in table}) == 1


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("a=1", "a=1"),
        ("\t=1", "\\t=1"),
        ('say "x", y', '"say ""x"", y"'),
        (-1, "-1"),
        (-0.5, "-0.5"),
        (True, "true"),
        (None, ""),
    ],
)
def test_a_text_that_would_be_a_formula_begins_with_an_apostrophe(value: Any, cell: str) -> None:
    assert one_cell(value) == f"{cell},1\n"


def one_cell(value: object) -> str:
    texts: list[str] = []
    table = CsvTable(texts.append, RenderOptions())
    del texts[:]
    table.write_rows([{"agent": value, "": 1}])
    return "".join(texts)


@given(st.text())
def test_no_text_is_a_formula_and_each_is_one_cell(text: str) -> None:
    [[cell, _]] = csv.reader(io.StringIO(one_cell(text)))

    assert cell.strip()[:1] not in {"=", "+", "-", "@"}


def test_no_row_begins_as_a_workflow_command() -> None:
    found = written([line("NA entry a-1", "::error::c")], "conversations")

    assert found.splitlines()[1].startswith("'::error::c,")
