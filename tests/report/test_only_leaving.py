"""An agent who was only seen leaving: no format says when, or how, the agent entered."""

import json
from datetime import UTC, datetime
from textwrap import dedent

import pytest
from jsonschema import Draft202012Validator
from tests.report.export.story import DAY, converted, timed
from tests.report.export.test_otlp import facts, lasts, read, spans
from tests.report.export.test_trace import NINE, SECOND, of

import segue
from segue.report.look import Look
from segue.report.page_data import details
from segue.report.page_rows import Situations
from segue.report.schema import report_schema
from segue.report.segments_view import segments_lines

LINES = timed(
    "09:00:00 NA entry a-1",
    "09:01:00 COLD exit a-1",
    "09:03:00 NA exit a-2",
    "09:03:10 END",
)
"""The COLD entry of Ben is missing."""
EXIT = "09:03:00"


@pytest.fixture(scope="module")
def report() -> segue.Report:
    [only] = segue.replay(LINES)
    return only


def test_json_has_null(report: segue.Report) -> None:
    told = report.to_dict()
    Draft202012Validator(report_schema()).validate(told)
    stay = told["segments"][1]
    assert (stay["agent"], stay["kind"], stay["role"], stay["outcome"]) == (
        "a-2", None, "primary", "completed",
    )  # fmt: skip
    unknown = ("connected_time", "talk_time", "user_messages", "agent_messages", "response_times")
    assert [stay[name] for name in unknown] == [None] * 5
    assert stay["connections"] == [
        {
            "opened_by": None,
            "opened_kind": None,
            "started_at": None,
            "closed_by": 2,
            "closed_kind": "NA",
            "ended_at": f"{DAY}{EXIT}+00:00",
        }
    ]
    metrics = told["metrics"]
    assert (metrics["connected_time"], metrics["max_concurrent_agents"]) == (None, None)
    assert (metrics["lost_time"], metrics["transfers_cold"]) == (0, 1)


def test_nothing_unknown_is_estimated(report: segue.Report) -> None:
    assert not {"connected_time", "talk_time", "transfer_gap"} & {*report.estimated}


def test_rows_have_null() -> None:
    _, row = segue.to_rows(segue.replay(LINES), "segments")
    assert (row["kind"], row["started_at"], row["connected_time"]) == (None, None, None)
    assert row["ended_at"] == datetime(2026, 3, 2, 9, 3, tzinfo=UTC)
    [row] = segue.to_rows(segue.replay(LINES), "conversations")
    assert (row["talk_time"], row["max_concurrent_agents"]) == (None, None)


def test_the_table_of_segments_says_unknown(report: segue.Report) -> None:
    lines = segments_lines(report, report.segments, Look())
    assert "".join(f"{each.render()}\n" for each in lines) == dedent("""\
        ── c-1 ─────────────────────────────────────────────────────────────────────────
           bot st-1 · ended · 4 events · 1 mistake (1 error)
           agent      as       entered  talk  outcome      0:00 to 3:00
           a-1 (Ada)  primary  NA       1:00  transferred  ██████████░░░░░░░░░░░░░░░░░░░
           a-2 (Ben)  primary  unknown     ?  completed    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░█
           duration 3:10, wrap-up 0:10
           as mended: connected 1:00 to 3:00, transfer gap 0:00 to 2:00, overlap 0:00,
           talk 1:00 to 3:00, handle 1:10 to 3:10, max concurrent agents 1

    """)


def test_the_page_has_null(report: segue.Report) -> None:
    stay = details(report, Situations())["segments"][1]
    assert stay["times"] == [None, None, None]
    assert stay["connections"] == [[None, 2, None, 180_000, None, "NA"]]


def test_vcon_has_a_drop_without_a_join() -> None:
    exported = json.loads(converted(LINES, "vcon"))
    dialog = exported["dialog"][1]
    party = next(n for n, each in enumerate(exported["parties"]) if each.get("uuid") == "a-2")
    time = f"{DAY}{EXIT}.000000Z"
    assert dialog["party_history"] == [{"party": party, "time": time, "event": "drop"}]
    assert dialog["start"] == time
    assert "duration" not in dialog
    transfer = exported["dialog"][2]
    assert (transfer["type"], transfer["target_dialog"]) == ("transfer", 1)


def test_a_slice_of_the_trace_has_no_length() -> None:
    stay = of(LINES, "X", "connection")[1]
    assert (stay["ts"], stay["dur"]) == (NINE + 180 * SECOND, 0)
    assert stay["args"]["opened_by"] is None
    [end] = of(LINES, "f")
    assert (end["tid"], end["ts"]) == (stay["tid"], stay["ts"])


def test_a_span_has_no_length() -> None:
    [line] = converted(LINES, "otlp").splitlines()
    read(line)
    stay, connection = spans(LINES)[3:5]
    assert (stay["name"], connection["name"]) == ("primary segment", "unknown connection")
    assert lasts(stay) == lasts(connection) == (180, 180)
    assert (facts(stay)["segue.kind"], facts(connection)["segue.opened_by"]) == (
        "unknown", "unknown",
    )  # fmt: skip


def test_ocel_says_unknown() -> None:
    exported = json.loads(converted(LINES, "ocel"))
    [stay] = [each for each in exported["objects"] if each["id"] == "segment/c-1/1"]
    assert {each["name"]: each["value"] for each in stay["attributes"]}["kind"] == "unknown"
    [leaves] = [each for each in exported["events"] if each["type"] == "NA exit"]
    assert {"objectId": stay["id"], "qualifier": "in"} in leaves["relationships"]


def test_xes_has_the_exit_in_the_segment() -> None:
    exported = converted(LINES, "xes")
    leaves = exported[exported.index('value="NA exit"') :]
    assert leaves.index('<int key="segment" value="1"/>') < leaves.index("</event>")


def test_the_platform_s_segments_have_null() -> None:
    stay = json.loads(converted(LINES, "segments"))["data"][1]
    assert stay["segmentStartTime"] is None
    assert stay["segmentEndTime"] == f"{DAY}{EXIT}.000Z"
