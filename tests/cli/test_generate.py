"""`segue generate`: a log to try things on."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Segue

OPTIONS = ("--seed", "5", "--conversations", "12", "--mistakes", "0.5")


def test_a_log_is_written_with_what_must_be_found(segue: Segue, tmp_path: Path) -> None:
    done = segue("generate", "log.jsonl", *OPTIONS, "--no-notes", "--truth", "truth.jsonl")

    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    truth = [json.loads(each) for each in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert done == (0, "", f"segue: {len(lines)} lines written to log.jsonl\n")
    found = segue("check", "log.jsonl", "--format", "jsonl").out.splitlines()
    codes = sorted(f["code"] for each in found for f in json.loads(each)["findings"])
    assert codes == sorted(planted["code"] for planted in truth)


def test_without_a_file_the_log_goes_to_standard_output(segue: Segue, tmp_path: Path) -> None:
    segue("generate", "log.jsonl", *OPTIONS, "--truth", "one.jsonl")

    shown = segue("generate", *OPTIONS, "--truth", "two.jsonl")

    assert shown == (0, (tmp_path / "log.jsonl").read_text("utf-8"), "")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_the_dials_are_passed_on(segue: Segue) -> None:
    bare = segue("generate", "--conversations", "3", "--mistakes", "0", "--bare").out
    dated = segue("generate", "--lines", "10", "--start", "2020-01-01T00:00:00Z").out

    assert all("received_at" not in json.loads(line) for line in bare.splitlines())
    assert dated.startswith('{"received_at": "2020-01-01T00:')


def test_rules_to_offend_are_chosen(segue: Segue, tmp_path: Path) -> None:
    segue("generate", "log.jsonl", *OPTIONS, "--no-notes", "--rules", "sg103,SG106")

    found = segue("check", "log.jsonl", "--format", "json").out
    codes = {row["code"] for row in json.loads(found)["summary"]["findings"]}
    assert codes == {"SG103", "SG106"}
    assert (tmp_path / "log.jsonl").exists()


def test_a_log_is_left_as_it_is_when_the_truth_cannot_be_written(
    segue: Segue, tmp_path: Path
) -> None:
    (tmp_path / "log.jsonl").write_text("of yesterday")

    done = segue("generate", "log.jsonl", "--truth", "none/truth.jsonl", *OPTIONS)

    assert (done.code, (tmp_path / "log.jsonl").read_text()) == (2, "of yesterday")
    assert "none/truth.jsonl cannot be written" in done.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_log_without_room_is_named(segue: Segue) -> None:
    done = segue("generate", "/dev/full", *OPTIONS)

    assert done.code == 2
    assert done.err.startswith("segue: /dev/full cannot be written: ")
