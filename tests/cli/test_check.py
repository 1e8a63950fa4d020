"""`segue check`: output, exit codes, and what of a log is looked at."""

import gzip
import json
import re
from pathlib import Path
from textwrap import dedent

import duckdb
import pytest
from tests.cli.command import Segue, Write
from tests.report.story import early, line, log

from segue.report.renderers import FORMATS

CLEAN = log("NA entry a-1", "NA exit a-1", "END", conversation="c-2")
NOTED = log("redial entry a-1", "NA exit a-1", "END", conversation="c-3")
WARNED = log("NA entry a-1", "NA exit A-1", "END", conversation="c-4")


def test_findings_are_told_in_full_and_the_exit_code_says_that_there_are_errors(
    segue: Segue,
    write: Write,
) -> None:
    write("shift.jsonl", [*CLEAN, *early()])

    done = segue("check", "shift.jsonl")

    assert done.code == 1
    assert done.err == ""
    assert done.out == dedent("""\
        ── c-1 ─────────────────────────────────────────────────────────────────────────
           bot st-1 · ended · 7 events · 1 mistake (1 error)
           held by a-1 (Ada), then a-2 (Ben)
           what happened: the COLD exit of a-1 came after the COLD entry of a-2 (line 8,
           due before line 7), or the COLD entry of a-2 came before the COLD exit of a-1
           (line 7, due after line 8)
             fix: Send events in the order in which they happen: the COLD exit of a-1
             before the COLD entry of a-2.

        error[SG103] cold-entry-before-exit
          agent a-2 took over by COLD entry while a-1 was still primary
          --> shift.jsonl:7  event 3  /events/0
            │
          0 │ NA entry    a-1  line 4
            │ --------------- because
            ┆ 2 messages
          3 │ COLD entry  a-2  line 7
            │ ^^^^^^^^^^^^^^^ SG103
          4 │ COLD exit   a-1  line 8
            │
            = expected: NA exit by a-1, COLD exit by a-1, WARM entry by another agent,
                        message
            = help:     send the COLD exit of a-1 first, then the COLD entry of a-2;
                        WARM entry when a-2 joined beside a-1
            = explain:  segue explain SG103

        findings by rule ───────────────────────────────────────────────────────────────
          1  SG103  cold-entry-before-exit  error

        2 conversations, 1 valid, 1 clean, 10 events in 10 lines
        1 mistake (1 error)
        """)


def test_a_clean_log_exits_with_0(segue: Segue, write: Write) -> None:
    write("shift.jsonl", CLEAN)

    assert segue("check", "shift.jsonl") == (
        0,
        "1 conversation, clean, 3 events in 3 lines\nno findings\n",
        "",
    )


def test_without_explanations_errors_are_counted(segue: Segue, write: Write) -> None:
    write("shift.jsonl", log("NA entry a-1"))

    full = segue("check", "shift.jsonl", "--no-explain")
    document = json.loads(segue("check", "shift.jsonl", "--no-explain", "--format", "json").out)
    rows = segue("check", "shift.jsonl", "--no-explain", "--format", "csv").out.splitlines()

    assert full.code == 1
    assert "bot st-1 · active · 1 event · 2 errors\n" in full.out
    assert full.out.endswith("\n2 errors\n")
    assert "mistake" not in full.out
    [report] = document["reports"]
    assert (report["mistakes"], report["explanation"]) == (None, None)
    assert [each["mistake"] for each in report["findings"]] == [None, None]
    assert document["summary"]["mistakes"] is None
    assert rows[0].endswith(",help,mistake")
    assert all(each.endswith(",") for each in rows[1:])


def test_a_clean_log_has_no_explanation_if_none_is_wanted(segue: Segue, write: Write) -> None:
    write("shift.jsonl", CLEAN)

    made, none = (
        json.loads(segue("check", "shift.jsonl", "--format", "jsonl", *options).out)
        for options in ((), ("--no-explain",))
    )

    assert (made["mistakes"], made["explanation"]) == ([], "complete")
    assert (none["mistakes"], none["explanation"]) == (None, None)


def test_causes_need_explanations(segue: Segue, write: Write) -> None:
    write("shift.jsonl", CLEAN)

    done = segue("check", "shift.jsonl", "--causes", "--no-explain")

    assert done.code == 2
    assert "--causes is about mistakes, which --no-explain leaves out" in done.err


def test_full_explains_the_first_conversations_of_very_many(segue: Segue, write: Write) -> None:
    lines = [log("NA entry a-1", "END", conversation=f"c-{number}") for number in range(503)]
    write("shift.jsonl", [line for each in lines for line in each])

    some = segue("check", "shift.jsonl", "--limit", "1").out
    every = segue("check", "shift.jsonl", "--all").out

    assert some.endswith(
        "\n503 errors\nexplained: 500 of 503 conversations with errors (use --all)\n"
    )
    assert every.endswith("\n503 mistakes (503 errors)\n")


def test_concise_is_one_line_a_finding(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), "{"])

    done = segue("check", "shift.jsonl", "--format", "concise", "--quiet")

    assert done == (
        1,
        (
            "shift.jsonl:8: error SG501 a body could not be read: cut off [unreadable-body]\n"
            "shift.jsonl:4: error SG103 c-1 agent a-2 took over by COLD entry while a-1 was still "
            "primary [cold-entry-before-exit]\n"
        ),
        "",
    )


def test_json_is_one_document(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *CLEAN])

    document = json.loads(segue("check", "shift.jsonl", "--format", "json").out)

    assert [report["valid"] for report in document["reports"]] == [False, True]
    assert (document["summary"]["conversations"], document["summary"]["lines"]) == (2, 10)


def test_json_lines_are_reports_and_nothing_else(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *CLEAN])

    lines = segue("check", "shift.jsonl", "--format", "jsonl").out.splitlines()

    assert [json.loads(each)["conversation_id"] for each in lines] == ["c-1", "c-2"]


@pytest.mark.parametrize(
    ("lines", "threshold", "code"),
    [
        (NOTED, "error", 0),
        (NOTED, "warning", 0),
        (NOTED, "note", 1),
        (WARNED, "error", 0),
        (WARNED, "warning", 1),
        (WARNED, "note", 1),
        (early(), "error", 1),
        (early(), "never", 0),
        (CLEAN, "note", 0),
    ],
)
def test_the_exit_code_depends_on_the_threshold(
    segue: Segue,
    write: Write,
    lines: list[str],
    threshold: str,
    code: int,
) -> None:
    write("shift.jsonl", lines)

    assert segue("check", "shift.jsonl", "--fail-on", threshold).code == code


def test_strict_makes_notes_errors(segue: Segue, write: Write) -> None:
    write("shift.jsonl", NOTED)

    done = segue("check", "shift.jsonl", "--strict", "--format", "concise")

    assert done.code == 1
    assert "SG118  callback-start  error" in done.out


def test_rules_are_selected_ignored_and_ranked(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *NOTED, *WARNED])

    def codes(*options: str) -> list[str]:
        out = segue("check", "shift.jsonl", "--format", "jsonl", *options).out
        reports = [json.loads(each) for each in out.splitlines()]
        return [f"{f['code']} {f['severity']}" for r in reports for f in r["findings"]]

    assert codes() == ["SG103 error", "SG118 note", "SG206 warning"]
    assert codes("--select", "SG1") == ["SG103 error", "SG118 note"]
    assert codes("--select", "sg118,identity-case-mismatch") == ["SG118 note", "SG206 warning"]
    assert codes("--select", "SG1", "--ignore", "SG103") == ["SG118 note"]
    assert codes("--severity", "SG1=warning,SG103=note", "--severity", "SG206=error") == [
        "SG103 note",
        "SG118 warning",
        "SG206 error",
    ]


def test_a_format_goes_to_a_file_with_everything_in_it(
    segue: Segue,
    write: Write,
    tmp_path: Path,
) -> None:
    write("shift.jsonl", [*early(), *early("c-9")])

    done = segue(
        "check",
        "shift.jsonl",
        *("--limit", "1", "--color", "always"),
        *("--output", "jsonl=all.jsonl", "--output", "full=all.txt"),
    )

    assert "… and 1 more conversation with findings (use --all or --output)" in done.out
    assert len((tmp_path / "all.jsonl").read_text("utf-8").splitlines()) == 2
    full = (tmp_path / "all.txt").read_text("utf-8")
    assert full.count("error[SG103]") == 2
    assert "\x1b" not in full


def test_all_shows_all(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [each for n in range(22) for each in early(f"c-{n}")])

    assert segue("check", "shift.jsonl").out.count("error[SG103]") == 20
    assert segue("check", "shift.jsonl", "--all").out.count("error[SG103]") == 22
    assert segue("check", "shift.jsonl", "--limit", "0").out.count("error[SG103]") == 0


def test_quiet_leaves_out_the_summary(segue: Segue, write: Write) -> None:
    write("shift.jsonl", CLEAN)

    assert segue("check", "shift.jsonl", "-q") == (0, "", "")


@pytest.mark.parametrize(
    ("logs", "what"),
    [
        (("a.jsonl", "b.jsonl", "a.jsonl"), "a.jsonl is named twice"),
        (("logs", "logs"), "logs is named twice"),
        (("a.jsonl", "./a.jsonl"), "a.jsonl and ./a.jsonl are the same file"),
        (("a.jsonl", "link.jsonl"), "a.jsonl and link.jsonl are the same file"),
        (("-", "-"), "<stdin> is named twice"),
    ],
)
def test_a_log_that_is_named_twice_is_not_read(
    logs: tuple[str, ...], what: str, segue: Segue, write: Write, tmp_path: Path
) -> None:
    """It would be one mistake after the other."""
    for name in ("a.jsonl", "b.jsonl"):
        write(name, CLEAN)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/c.jsonl").write_text((tmp_path / "b.jsonl").read_text())
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")

    assert segue("check", *logs) == (2, "", f"segue: {what}: name it once\n")


def test_a_file_is_read_once_if_its_folder_is_named_too(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    write("logs/a.jsonl", CLEAN)
    (tmp_path / "logs/latest.jsonl").symlink_to(tmp_path / "logs/a.jsonl")

    for logs in (["logs"], ["logs", "logs/a.jsonl"], ["logs/a.jsonl", "logs"]):
        done = segue("check", *logs)
        assert done == (0, "1 conversation, clean, 3 events in 3 lines\nno findings\n", "")


def test_only_some_conversations_are_looked_at(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *early("c-2"), *early("c-3")])

    done = segue("check", "shift.jsonl", "--conversation", "c-1", "--conversation", "c-3")

    assert "2 conversations, 0 valid, 0 clean, 14 events in 21 lines" in done.out


def test_a_cut_log_is_read_as_such(segue: Segue, write: Write) -> None:
    write("shift.jsonl", log("COLD exit a-1", "COLD entry a-2"))

    assert segue("check", "shift.jsonl", "--partial", "both").code == 0
    assert segue("check", "shift.jsonl", "--partial", "start").code == 1


def test_times_without_a_zone_are_in_the_zone_that_is_named(segue: Segue, write: Write) -> None:
    lines = [
        line("NA entry a-1", at="08:30:00"),
        line("NA exit a-1", at="09:30:00"),
        line("END", at="10:30:00"),
    ]
    write("shift.jsonl", lines)

    def events(*options: str) -> int:
        out = segue("check", "shift.jsonl", "--format", "json", *options).out
        number: int = json.loads(out)["summary"]["events"]
        return number

    assert events("--since", "2026-03-02T09:00:00") == 2
    assert events("--until", "2026-03-02T09:30:00Z") == 1
    assert events("--since", "2026-03-02T10:00:00", "--time-zone", "Europe/Berlin") == 2


def test_the_format_of_times_may_be_said(segue: Segue, write: Write) -> None:
    lines = [line(event, at="09:30:00") for event in ("NA entry a-1", "NA exit a-1", "END")]
    write(
        "odd.jsonl",
        [
            re.sub('"received_at": "[^"]*"', '"received_at": "02x03x26 9.30"', each)
            for each in lines
        ],
    )

    assert segue("check", "odd.jsonl", "--fail-on", "error").code == 1
    assert segue("check", "odd.jsonl", "--time-format", "%dx%mx%y %H.%M").code == 0
    refused = segue("check", "odd.jsonl", "--time-format", "%H.%M")
    assert refused.code == 2
    assert "the time format '%H.%M' cannot be used" in refused.err
    write("segue.toml", ['time-format = "%dx%mx%y %H.%M"'])
    assert segue("check", "odd.jsonl").code == 0


def test_fields_may_be_required(segue: Segue, write: Write) -> None:
    write(
        "log.jsonl",
        [line(event, at="09:30:00") for event in ("NA entry a-1", "NA exit a-1", "END")],
    )

    assert segue("check", "log.jsonl").code == 0
    done = segue("check", "log.jsonl", "--require", "customFields.costCenter,language")
    assert done.code == 1
    assert "participant.customFields.costCenter of INTERNAL_TRANSFER_EVENT" in done.out
    refused = segue("check", "log.jsonl", "--require", "queue")
    assert refused.code == 2
    assert "`require` takes customFields, language, reason, customFields.KEY" in refused.err
    write("segue.toml", ['require = ["customFields.costCenter"]'])
    assert segue("check", "log.jsonl").code == 1


def test_lines_of_another_shape_are_read_by_pointers(segue: Segue, write: Write) -> None:
    lines = [
        json.dumps({"request": {"payload": json.loads(each)}, "meta": {"id": f"d-{number}"}})
        for number, each in enumerate(CLEAN)
    ]
    write("shift.jsonl", lines)

    done = segue(
        "check", "shift.jsonl", "--body-at", "/request/payload", "--delivery-at", "/meta/id"
    )

    assert done.code == 0
    assert done.out.startswith("1 conversation, clean, 3 events")


def test_lines_are_sorted_on_request(segue: Segue, write: Write) -> None:
    lines = [
        line("NA exit a-1", at="08:30:00"),
        line("NA entry a-1", at="08:00:00"),
        line("END", at="09:00:00"),
    ]
    write("shift.jsonl", lines)

    assert segue("check", "shift.jsonl").code == 1
    assert segue("check", "shift.jsonl", "--sort", "received_at").code == 0


def test_what_is_out_of_order_may_wait_for_what_came_later(segue: Segue, write: Write) -> None:
    entry, leaving, end = CLEAN
    write(
        "shift.jsonl",
        [
            json.dumps({"received_at": f"2026-03-02T08:00:0{second}Z", "body": json.loads(line)})
            for second, line in enumerate((entry, end, leaving))
        ],
    )
    assert segue("check", "shift.jsonl").code == 1

    waited = segue("check", "shift.jsonl", "--race", "5s")

    assert waited.out == (
        "1 conversation, clean, 3 events in 3 lines, 1 put in order\nno findings\n"
    )
    write("segue.toml", ['race = "5s"'])
    assert segue("check", "shift.jsonl") == waited
    assert segue("segments", "shift.jsonl").code == 0
    for wrong, why in (("5", "--race takes a duration"), ("0s", "`race` must be positive")):
        done = segue("check", "shift.jsonl", "--race", wrong)
        assert (done.code, done.out) == (2, "")
        assert why in done.err


def test_what_may_be_held_while_sorting_can_be_said(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [line("END", at="09:00:00"), line("NA entry a-1", at="08:00:00")])
    sort = ("check", "shift.jsonl", "--sort", "received_at", "--format", "concise")

    assert segue(*sort, "--sort-memory", "300MB") == segue(*sort)
    done = segue(*sort, "--sort-memory", "some")
    assert (done.code, done.out) == (2, "")
    assert "the memory for sorting must be a size such as 500MB or 4GB, not 'some'" in done.err


def test_a_table_is_a_log(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), "{"])
    path = str(write("shift.parquet", ""))
    with duckdb.connect() as database:
        rows = "SELECT unnest($1::VARCHAR[]) AS body"
        database.execute(f"CREATE TABLE log AS {rows}", [[*early(), "{"]])
        database.execute(f"COPY log TO '{path}' (FORMAT parquet)")

    said = segue("check", "shift.parquet", "--format", "concise")
    assert said.code == 1
    assert said.out == segue("check", "shift.jsonl", "--format", "concise").out.replace(
        "shift.jsonl", "shift.parquet"
    )
    page = ("--format", "html", "--include-text")
    assert segue("check", "shift.parquet", *page).code == 1


def test_several_logs_are_sorted_as_if_they_were_one(segue: Segue, write: Write) -> None:
    write("one.jsonl", [line("NA entry a-1", at="08:00:00"), line("summary", at="08:45:00")])
    write("two.jsonl", [line("END", at="09:00:00"), line("NA exit a-1", at="08:30:00")])

    assert segue("check", "one.jsonl", "two.jsonl").code == 1
    done = segue("check", "two.jsonl", "one.jsonl", "--sort", "received_at")
    assert done.code == 0
    assert done.out.startswith("1 conversation, clean, 4 events")


def test_a_conversation_goes_on_in_the_next_log(segue: Segue, write: Write, tmp_path: Path) -> None:
    lines = early()
    write("one.jsonl", lines[:3])
    (tmp_path / "two.jsonl.gz").write_bytes(gzip.compress("\n".join(lines[3:]).encode()))

    done = segue("check", "one.jsonl", "two.jsonl.gz", "--format", "concise", "-q")

    assert done.out.startswith("two.jsonl.gz:1: error SG103 c-1 ")


def test_the_same_log_gives_the_same_bytes(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *NOTED, *WARNED, "{"])

    for style in ("full", "concise", "json", "jsonl"):
        assert len({segue("check", "shift.jsonl", "--format", style).out for _ in range(2)}) == 1


def test_a_damaged_log_is_reported_as_far_as_it_goes(segue: Segue, tmp_path: Path) -> None:
    packed = gzip.compress("\n".join([*early(), *CLEAN * 500]).encode())
    (tmp_path / "shift.jsonl.gz").write_bytes(packed[: len(packed) // 2])

    done = segue("check", "shift.jsonl.gz")

    assert done.code == 2
    assert "error[SG103]" in done.out
    assert done.out.count("findings by rule") == 1
    assert done.err.startswith("segue: shift.jsonl.gz cannot be read after line ")
    assert done.err.count("\n") == 1


def test_help_is_in_sections(segue: Segue) -> None:
    done = segue("check", "--help")

    titles = [each for each in done.out.splitlines() if each.endswith(":") and each[0] != " "]
    assert titles == ["What is shown:", "What counts:", "The log:", "Settings:", "Options:"]
    assert done.code == 0


def test_one_run_writes_every_format(segue: Segue, write: Write, tmp_path: Path) -> None:
    write("shift.jsonl", [*early(), *CLEAN, *NOTED, *WARNED, "{"])
    outputs = [f"--output={name}=out.{name}" for name in FORMATS]

    done = segue("check", "shift.jsonl", "--format", "concise", *outputs)

    assert done.code == 1
    assert "SG103" in done.out
    for name in FORMATS:
        alone = segue("check", "shift.jsonl", "--format", name, "--all").out
        written = (tmp_path / f"out.{name}").read_text("utf-8")
        assert len(alone) > 100
        if name == "jsonl":  # alone, it shows each report when it is made
            alone, written = (str(sorted(text.splitlines())) for text in (alone, written))
        assert alone == written


def test_a_run_writes_a_parquet_table(segue: Segue, write: Write, tmp_path: Path) -> None:
    write("shift.jsonl", early())

    assert segue("check", "shift.jsonl", "-q", "--output", "parquet=out.parquet").code == 1

    assert (tmp_path / "out.parquet").read_bytes().startswith(b"PAR1")
