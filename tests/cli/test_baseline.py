"""A baseline: what is known is not reported again, and nothing else is silenced."""

import json
from pathlib import Path

from tests.cli.command import Segue, Write
from tests.report.story import early, log


def test_findings_written_to_a_baseline_are_known_from_then_on(
    segue: Segue,
    write: Write,
    tmp_path: Path,
) -> None:
    write("shift.jsonl", [*early(), "{"])

    written = segue("check", "shift.jsonl", "--write-baseline", "known.json")

    assert written.code == 0
    assert written.err == "segue: 2 findings written to known.json\n"
    assert "2 more findings known from the baseline" in written.out
    assert (tmp_path / "known.json").read_text("utf-8") == (
        '{"version": 1, "findings": [\n'
        '{"code": "SG103", "conversation_id": "c-1", "bot_id": null, "event": 3, "action": null, '
        '"pointer": "/events/0"},\n'
        '{"code": "SG501", "conversation_id": null, "bot_id": null, "event": null, "action": null, '
        '"pointer": ""}\n'
        "]}\n"
    )

    again = segue("check", "shift.jsonl", "--baseline", "known.json")

    assert again == (
        0,
        (
            "log: 1 line is cut off\n\n"
            "1 conversation, clean, 7 events in 8 lines, 1 line without a conversation\n"
            "no findings\n"
            "2 more findings known from the baseline\n"
        ),
        "",
    )


def test_a_new_finding_is_reported_beside_known_ones(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())
    segue("check", "shift.jsonl", "--write-baseline", "known.json")
    write("shift.jsonl", [*early(), *early("c-2")])

    done = segue("check", "shift.jsonl", "--baseline", "known.json", "--format", "json")

    assert done.code == 1
    document = json.loads(done.out)
    assert [report["clean"] for report in document["reports"]] == [True, False]
    assert document["summary"]["known"] == 1


def test_an_entry_knows_one_finding(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), "{"])
    segue("check", "shift.jsonl", "--write-baseline", "known.json")
    write("shift.jsonl", [*early(), "{", "{"])

    assert segue("check", "shift.jsonl", "--baseline", "known.json").code == 1


def test_entries_that_match_nothing_are_mentioned(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *early("c-2")])
    segue("check", "shift.jsonl", "--write-baseline", "known.json")
    write("shift.jsonl", [*early(), *log("NA entry a-1", "NA exit a-1", "END", conversation="c-2")])

    done = segue("check", "shift.jsonl", "--baseline", "known.json")

    assert done.code == 0
    assert done.err == "segue: 1 finding of the baseline no longer occurs\n"


def test_a_part_of_a_log_makes_no_entry_stale(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *early("c-2")])
    segue("check", "shift.jsonl", "--write-baseline", "known.json")

    done = segue("check", "shift.jsonl", "--baseline", "known.json", "--conversation", "c-1")

    assert (done.code, done.err) == (0, "")


def test_the_wording_of_a_finding_is_no_part_of_its_identity(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())
    segue("check", "shift.jsonl", "--write-baseline", "known.json")
    write("shift.jsonl", [each.replace("a-1", "a-7") for each in early()])

    assert segue("check", "shift.jsonl", "--baseline", "known.json").code == 0


def test_a_baseline_of_a_newer_segue_is_refused(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())
    write("known.json", '{"version": 2, "findings": []}')

    done = segue("check", "shift.jsonl", "--baseline", "known.json")

    assert done.err == (
        "segue: the baseline known.json has version 2: write it again with this Segue\n"
    )
