"""`segue export`: where an export goes, what is left out, and how the run ends."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Segue, Write
from tests.report.export.story import COLD, WARM, converted, timed
from tests.report.story import line, log

from segue.report.export import FORMATS

UNTIMED = log("NA entry a-1", "NA exit a-1", "END", conversation="c-9")


@pytest.mark.parametrize("to", FORMATS)
def test_it_writes_what_the_library_gives(segue: Segue, write: Write, to: str) -> None:
    write("shift.jsonl", COLD)

    done = segue("export", "shift.jsonl", "--to", to)

    assert done == (0, converted(COLD, to), "")


@pytest.mark.parametrize("to", FORMATS)
def test_it_writes_a_file(segue: Segue, write: Write, tmp_path: Path, to: str) -> None:
    write("shift.jsonl", COLD)

    assert segue("export", "shift.jsonl", "--to", to, "--output", "out") == (0, "", "")

    assert (tmp_path / "out").read_text("utf-8") == converted(COLD, to)
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith("out")] == ["out"]


@pytest.mark.parametrize("folder", ["calls/", "calls", "new/calls/"])
def test_vcons_go_to_a_folder_as_well(
    segue: Segue, write: Write, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "calls").mkdir()
    write("shift.jsonl", [*COLD, *(each.replace("c-1", "../c-2") for each in WARM)])

    assert segue("export", "shift.jsonl", "--to", "vcon", "--output", folder) == (0, "", "")

    told = {each.name: json.loads(each.read_text()) for each in (tmp_path / folder).iterdir()}
    assert len(told) == 2
    assert all(name == f"{vcon['uuid']}.vcon" for name, vcon in told.items())


def test_one_document_goes_to_one_file(segue: Segue, write: Write) -> None:
    write("shift.jsonl", COLD)

    done = segue("export", "shift.jsonl", "--to", "xes", "--output", "calls/")

    assert done.code == 2
    assert done.err == "segue: xes is one document: give --output a file, not the folder calls/\n"


def test_a_folder_that_cannot_be_is_said(segue: Segue, write: Write) -> None:
    write("shift.jsonl", COLD)

    done = segue("export", "shift.jsonl", "--to", "vcon", "--output", "shift.jsonl/")

    assert done.code == 2
    assert done.err.startswith("segue: shift.jsonl is not a folder that can be written to: ")


def test_a_log_is_not_written_over(segue: Segue, write: Write, tmp_path: Path) -> None:
    write("shift.jsonl", COLD)

    done = segue("export", "shift.jsonl", "--to", "xes", "--output", "shift.jsonl")

    assert done.code == 2
    assert "is read by this command" in done.err
    assert (tmp_path / "shift.jsonl").read_text("utf-8").splitlines() == COLD


def test_what_cannot_be_told_is_left_out_and_named(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*UNTIMED, *COLD])

    done = segue("export", "shift.jsonl", "--to", "vcon")

    assert done == (
        1,
        converted(COLD, "vcon"),
        "segue: c-9 is left out: vcon needs times, but event 0 (NA entry) has none\n",
    )
    assert segue("export", "shift.jsonl", "--to", "vcon", "--quiet").err == ""


def test_of_many_that_are_left_out_some_are_named(segue: Segue, write: Write) -> None:
    untimed = [line("NA entry a-1", f"c-{number}") for number in range(100, 130)]
    write("shift.jsonl", [*untimed, *COLD])

    err = segue("export", "shift.jsonl", "--to", "otlp").err.splitlines()

    assert len(err) == 21
    assert err[-1] == "segue: 30 conversations left out in all"


@pytest.mark.parametrize("to", ["vcon", "xes", "ocel", "trace", "otlp", "segments"])
def test_a_log_without_times_fails_and_says_how_to_mend_it(
    segue: Segue, write: Write, tmp_path: Path, to: str
) -> None:
    write("shift.jsonl", UNTIMED)

    done = segue("export", "shift.jsonl", "--to", to, "--output", "out")

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"segue: no conversation can be written, the first because {to} needs times, but "
        "event 0 (NA entry) has none; "
        "give the log times: received_at in an envelope, or --time-at POINTER\n"
    )
    assert [each.name for each in tmp_path.iterdir()] == ["shift.jsonl"]
    assert segue("export", "shift.jsonl", "--to", to).out == ""


def test_a_strict_run_fails_at_the_first(segue: Segue, write: Write, tmp_path: Path) -> None:
    write("shift.jsonl", [*COLD, *UNTIMED])

    done = segue("export", "shift.jsonl", "--to", "trace", "--strict", "--output", "out")

    assert done.code == 2
    assert done.err.startswith("segue: conversation c-9 cannot be written: trace needs times")
    assert not (tmp_path / "out").exists()


def test_a_file_that_was_there_stays_when_the_run_fails(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    write("shift.jsonl", UNTIMED)
    write("out", "yesterday's")

    assert segue("export", "shift.jsonl", "--to", "ocel", "--output", "out").code == 2
    assert (tmp_path / "out").read_text("utf-8") == "yesterday's"


def test_settings_of_a_project_count_unless_they_must_not(segue: Segue, write: Write) -> None:
    write("segue.toml", 'partial = "end"\n')
    write("shift.jsonl", timed("09:00:00 NA entry a-1"))

    open_ended = segue("export", "shift.jsonl", "--to", "vcon").out
    closed = segue("export", "shift.jsonl", "--to", "vcon", "--no-config").out

    assert "SG108" not in open_ended
    assert "SG108" in closed


def test_times_may_be_elsewhere(segue: Segue, write: Write) -> None:
    lines = [
        json.dumps({"ts": json.loads(each)["received_at"], "body": json.loads(each)["body"]})
        for each in COLD
    ]
    write("shift.jsonl", lines)

    done = segue("export", "shift.jsonl", "--to", "vcon", "--time-at", "/ts", "--body-at", "/body")

    assert done == (0, converted(COLD, "vcon"), "")


def test_a_shuffled_log_can_be_put_in_order(segue: Segue, write: Write) -> None:
    write("shift.jsonl", COLD[::-1])

    for to in FORMATS:
        done = segue("export", "shift.jsonl", "--to", to, "--sort", "received_at")
        assert done == (0, converted(COLD, to), "")


def test_texts_are_written_on_demand_only(segue: Segue, write: Write) -> None:
    write("shift.jsonl", COLD)

    for to in FORMATS:
        assert "Hello" not in segue("export", "shift.jsonl", "--to", to).out
    assert "Hello" in segue("export", "shift.jsonl", "--to", "vcon", "--include-text").out


def test_an_empty_log_is_an_empty_document(segue: Segue, write: Write) -> None:
    write("shift.jsonl", "")

    for to in FORMATS:
        done = segue("export", "shift.jsonl", "--to", to, "--allow-empty")
        assert done == (0, converted([], to), "")


def test_a_part_of_a_log_is_written(segue: Segue, write: Write) -> None:
    others = timed("09:00:00 NA entry a-1", conversation="c-2")
    write("shift.jsonl", [*others, *COLD])

    done = segue("export", "shift.jsonl", "--to", "vcon", "--conversation", "c-1")

    assert done.out == converted(COLD, "vcon")


def test_a_log_that_is_not_there_is_said(segue: Segue) -> None:
    done = segue("export", "shift.jsonl", "--to", "xes", "--output", "out")

    assert done == (2, "", "segue: shift.jsonl cannot be read: No such file or directory\n")


def test_a_file_that_cannot_be_is_said(segue: Segue, write: Write) -> None:
    write("shift.jsonl", COLD)

    done = segue("export", "shift.jsonl", "--to", "xes", "--output", "not/there")

    assert done == (2, "", "segue: not/there cannot be written: No such file or directory\n")


def test_a_log_that_breaks_off_leaves_no_file(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "shift.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00")

    done = segue("export", "shift.jsonl.gz", "--to", "xes", "--output", "out")

    assert done.code == 2
    assert "shift.jsonl.gz cannot be read: " in done.err
    assert [each.name for each in tmp_path.iterdir()] == ["shift.jsonl.gz"]
