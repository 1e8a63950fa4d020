"""`segue causes`: what it shows."""

import json

from tests.analysis.causes.test_causes import log
from tests.cli.command import Segue, Write


def test_causes_are_shown(segue: Segue, write: Write) -> None:
    write("day.jsonl", log(range(101, 400)))
    write("fine.jsonl", log(range(0), numbers=2))
    text = segue("causes", "day.jsonl")
    document = json.loads(segue("causes", "--format", "json", "day.jsonl").out)
    (cause,) = document["causes"]

    assert text.code == 0
    assert "150 of 150 findings where bot = st-1 since 10:41; " in text.out
    assert "  An entry comes for an agent who is already present.\n" in text.out
    assert (cause["where"], cause["since"]) == ({"bot": "st-1"}, "2026-03-02T10:41:00+00:00")
    assert document["unexplained"] == []
    assert segue("causes", "fine.jsonl").out == "No mistakes, so no causes.\n"
    ignored = segue("causes", "--ignore", cause["code"], "day.jsonl")
    assert ignored.out == "No mistakes, so no causes.\n"
    berlin = segue("causes", "--time-zone", "Europe/Berlin", "day.jsonl")
    assert "since 11:41; " in berlin.out
    assert text.out.endswith("Times are in UTC.\n")
    assert berlin.out.endswith("Times are in Europe/Berlin.\n")


def test_a_check_shows_causes_below_its_findings(segue: Segue, write: Write) -> None:
    write("day.jsonl", log(range(101, 400)))
    sentence = "150 of 150 findings where bot = st-1 since 10:41; "
    full = segue("check", "--causes", "day.jsonl", "--output", "html=report.html")
    jsonl = segue("check", "--causes", "--format", "jsonl", "day.jsonl")

    assert (full.code, full.out.count(sentence), full.err.count(sentence)) == (0, 1, 0)
    assert (jsonl.out.count(sentence), jsonl.err.count(sentence)) == (0, 1)
    assert sentence not in segue("check", "day.jsonl").out
    segue("check", "--write-baseline", "known.json", "day.jsonl")
    known = segue("check", "--causes", "--baseline", "known.json", "day.jsonl")
    assert sentence not in known.out


def test_a_document_of_a_check_has_causes_when_asked(segue: Segue, write: Write) -> None:
    write("day.jsonl", log(range(101, 400)))
    asked = segue("check", "--causes", "--format", "json", "day.jsonl")
    summary = json.loads(asked.out)["summary"]
    (cause,) = summary["causes"]

    assert (cause["where"], cause["since"]) == ({"bot": "st-1"}, "2026-03-02T10:41:00+00:00")
    assert (summary["unexplained"], summary["has_times"]) == ([], True)
    assert "findings where" not in asked.err
    assert (
        "causes" not in json.loads(segue("check", "--format", "json", "day.jsonl").out)["summary"]
    )


def test_what_the_settings_ignore_has_no_cause(segue: Segue, write: Write) -> None:
    write("day.jsonl", log(range(101, 400)))
    write("segue.toml", ['ignores = ["SG203 bot=st-1 until=2999-12-31"]'])
    done = segue("causes", "day.jsonl")

    assert done.out == "No mistakes, so no causes.\n"
    assert "150 findings ignored by " in done.err
    assert "findings where" not in segue("check", "--causes", "day.jsonl").out
