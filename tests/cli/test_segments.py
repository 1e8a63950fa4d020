"""`segue segments`: who held each conversation."""

import json
from pathlib import Path
from textwrap import dedent

from tests.cli.command import Segue, Write
from tests.report.story import early, line, log


def test_segments_are_told_in_a_table(segue: Segue, write: Write) -> None:
    told = [
        ("NA entry a-1", "09:00:00"),
        ("NA exit a-1", "09:04:00"),
        ("redial entry a-1", "09:05:00"),
        ("NA exit a-1", "09:08:00"),
        ("END", "09:08:30"),
    ]
    write("shift.jsonl", [line(text, at=at) for text, at in told])

    assert segue("segments", "shift.jsonl") == (
        0,
        dedent("""\
            ── c-1 ─────────────────────────────────────────────────────────────────────────
               bot st-1 · ended · 5 events
               agent      as       entered  connections  talk  outcome    0:00 to 8:00
               a-1 (Ada)  primary  NA                 2  7:00  completed  █████████░░███████
               duration 8:30 = connected 7:00 + drop gap 1:00 + wrap-up 0:30, talk 7:00

            """),
        "",
    )


def test_segments_after_the_edits_are_told_as_well(segue: Segue, write: Write) -> None:
    told = [
        ("NA entry a-1", "09:00:00"),
        ("END", "09:01:00"),
        ("NA exit a-1", "09:04:00"),
        ("END", "09:05:00"),
    ]
    write("shift.jsonl", [line(text, at=at) for text, at in told])

    text = segue("segments", "shift.jsonl").out
    [found] = json.loads(segue("segments", "shift.jsonl", "--format", "json").out)

    assert "as mended: duration 5:00, connected 4:00, wrap-up 1:00" in text
    assert found["mended"]["metrics"]["talk_time"] == {"at_least": 240.0, "at_most": 240.0}
    assert found["best"]["talk_time"]["source"] == "mended"


def test_an_agents_own_segments_are_found(segue: Segue, write: Write) -> None:
    others = log("NA entry a-3", "NA exit a-3", "END", conversation="c-2")
    write("shift.jsonl", [*early(), *others])

    out = segue("segments", "shift.jsonl", "--agent", "a-2", "--format", "jsonl").out

    [only] = [json.loads(each) for each in out.splitlines()]
    assert (only["conversation_id"], only["valid"]) == ("c-1", False)
    assert [segment["agent"] for segment in only["segments"]] == ["a-2"]
    assert "c-2" not in segue("segments", "shift.jsonl", "--agent", "a-2").out


def test_segments_are_one_document(segue: Segue, write: Write) -> None:
    lines = [*early(), *early("c-2")]
    write("shift.jsonl", [*lines, "{", line("user message")])
    write("empty.jsonl", "")

    document = json.loads(segue("segments", "shift.jsonl", "--format", "json").out)

    assert [each["conversation_id"] for each in document] == ["c-2", "c-1"]
    assert document[0]["metrics"]["transfers_cold"] == 1
    done = segue("segments", "empty.jsonl", "--format", "json", "--allow-empty")
    assert done == (0, "[]\n", "")


def test_a_conversation_is_chosen(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *early("c-2")])

    out = segue("segments", "shift.jsonl", "--conversation", "c-2").out

    assert out.startswith("── c-2 ──")
    assert "c-1 " not in out


def test_names_of_a_sender_cannot_act(segue: Segue, write: Write) -> None:
    evil = "\x1b[31m[red]\n\u202e"
    who = {"identity": evil, "name": evil, "type": "agent"}
    write("shift.jsonl", [line("NA entry a-1", evil, participant=who)])

    for style in ("text", "json", "jsonl"):
        out = segue("segments", "shift.jsonl", "--format", style).out
        assert all(each.isprintable() or each == "\n" for each in out)


def test_an_agent_without_a_segment_is_not_green(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())
    wrong = ("segments", "shift.jsonl", "--agent", "a-2", "--agent", "a-9")

    done = segue(*wrong)
    assert done.code == 2
    assert "a-2" in done.out
    assert done.err == ("segue: shift.jsonl: 'a-9' has no segment (--allow-empty accepts that)\n")
    assert segue(*wrong, "--allow-empty").code == 0


def test_segments_are_rows_in_files_and_on_the_output(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    others = log("NA entry a-3", "NA exit a-3", "END", conversation="c-2")
    write("shift.jsonl", [*early(), *others])
    outputs = [f"--output={style}=out.{style}" for style in ("csv", "json", "jsonl", "parquet")]

    done = segue("segments", "shift.jsonl", "--agent", "a-3", "--format", "csv", *outputs)

    assert (done.code, done.err) == (0, "")
    head, row = done.out.splitlines()
    assert head.startswith("conversation_id,bot_id,index,agent,")
    assert row.startswith("c-2,st-1,0,a-3,")
    assert (tmp_path / "out.csv").read_text("utf-8") == done.out
    [only] = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [each["agent"] for each in only["segments"]] == ["a-3"]
    assert json.loads((tmp_path / "out.jsonl").read_text("utf-8")) == only
    assert (tmp_path / "out.parquet").read_bytes().startswith(b"PAR1")


def test_a_format_that_segments_do_not_have_is_refused(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())

    done = segue("segments", "shift.jsonl", "--output", "sarif=out")

    assert done.code == 2
    assert done.err == (
        "segue: --output has no format 'sarif': use one of json, jsonl, csv, parquet\n"
    )
