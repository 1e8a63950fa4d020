"""Logs that are damaged in a way that can be known: the command reads them right, and says so."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Segue
from tests.report.test_html import parts

Lines = list[str]


def generated(segue: Segue, *options: str) -> tuple[Lines, Counter[str]]:
    """Return the lines of a made-up log, and the codes of the mistakes that were put into it."""
    options = ("--conversations", "40", "--mistakes", "0.2", "--no-notes", *options)
    segue("generate", "made.jsonl", "--truth", "truth.jsonl", *options)
    truth = map(json.loads, Path("truth.jsonl").read_text("utf-8").splitlines())
    return Path("made.jsonl").read_text("utf-8").splitlines(), Counter(t["code"] for t in truth)


def checked(segue: Segue, *options: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        segue("check", "--format", "json", "--no-explain", *options).out
    )
    return document


def codes(document: dict[str, Any]) -> Counter[str]:
    found = {each["code"]: each["count"] for each in document["summary"]["findings"]}
    return Counter({code: found.get(code, 0) for code in found})


def kinds(document: dict[str, Any]) -> list[str]:
    return [each["kind"] for each in document["log"]]


def newest_first(lines: Lines) -> Lines:
    return lines[::-1]


def each_line_twice(lines: Lines) -> Lines:
    return [line for each in lines for line in (each, each)]


def the_log_twice(lines: Lines) -> Lines:
    return lines * 2


def parts_exchanged(lines: Lines) -> Lines:
    third = len(lines) // 3
    return lines[2 * third :] + lines[:third] + lines[third : 2 * third]


def sources_written_in_blocks(lines: Lines) -> Lines:
    """Return lines of three sources, each of which writes 20 lines at once."""
    chance, held, written = random.Random(7), [[], [], []], []  # type: ignore[var-annotated]
    for line in lines:
        source = chance.choice(held)
        source.append(line)
        if len(source) == 20:
            written += source
            source.clear()
    return written + [line for source in held for line in source]


DAMAGES: list[tuple[Callable[[Lines], Lines], list[str]]] = [
    (newest_first, ["newest-first"]),
    (each_line_twice, ["lines-twice"]),
    (the_log_twice, ["lines-twice"]),
    (parts_exchanged, ["out-of-order"]),
    (sources_written_in_blocks, ["out-of-order"]),
    (lambda lines: newest_first(each_line_twice(lines)), ["newest-first", "lines-twice"]),
]


@pytest.mark.parametrize(("damage", "named"), DAMAGES)
def test_a_damaged_log_has_the_mistakes_of_the_senders_only(
    segue: Segue, write: Callable[..., Path], damage: Callable[[Lines], Lines], named: list[str]
) -> None:
    lines, truth = generated(segue)
    write("whole.jsonl", lines)
    write("damaged.jsonl", damage(lines))

    whole, damaged = checked(segue, "whole.jsonl"), checked(segue, "damaged.jsonl")

    assert kinds(whole) == []
    assert kinds(damaged) == named
    assert all(each["applied"] for each in damaged["log"])
    assert truth
    assert {code: codes(damaged)[code] for code in truth} == truth
    assert damaged["summary"]["findings"] == whole["summary"]["findings"]
    assert damaged["summary"]["possibly_of_log"] == 0
    as_it_is = checked(segue, "damaged.jsonl", "--no-sort")
    assert as_it_is["log"] == []
    assert codes(as_it_is).total() > codes(whole).total()


def test_lines_of_a_log_without_times_are_read_from_the_end(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue, "--bare")
    write("whole.jsonl", lines)
    write("damaged.jsonl", lines[::-1])

    damaged = checked(segue, "damaged.jsonl")

    assert kinds(damaged) == ["newest-first"]
    assert damaged["summary"]["findings"] == checked(segue, "whole.jsonl")["summary"]["findings"]


def test_numbers_of_lines_are_those_of_the_file(segue: Segue, write: Callable[..., Path]) -> None:
    lines, _ = generated(segue)
    write("whole.jsonl", lines)
    write("damaged.jsonl", each_line_twice(lines))

    def located(name: str) -> list[int]:
        out = segue("check", "--format", "concise", name).out
        return [int(line.split(":")[1]) for line in out.splitlines() if line.startswith(name)]

    assert located("whole.jsonl")
    assert located("damaged.jsonl") == [2 * number - 1 for number in located("whole.jsonl")]


def test_a_copy_of_a_file_is_left_out(segue: Segue, write: Callable[..., Path]) -> None:
    lines, _ = generated(segue)
    path = write("app.log.1", lines)
    Path("app.log.1.gz").write_bytes(gzip.compress(path.read_bytes()))

    both = checked(segue, "app.log.1", "app.log.1.gz")

    assert kinds(both) == ["file-twice"]
    assert both["log"][0]["text"] == "app.log.1.gz repeats the logs before it, and is left out"
    assert both["summary"] == checked(segue, "app.log.1")["summary"]


def test_the_diagnosis_is_the_first_paragraph_and_part_of_the_page(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue)
    write("log.jsonl", lines[::-1])
    sentence = "the log is newest first: it is read from its end (--no-sort reads all lines as they"

    done = segue("check", "log.jsonl", "--output", "html=page.html")
    paragraph, _, _ = done.out.partition("\n\n")

    assert " ".join(paragraph.split()) == f"log: {sentence} are)"
    run = dict(parts(Path("page.html").read_text("utf-8")))["run"]
    assert run["log"] == [f"{sentence} are)"]
    assert segue("segments", "log.jsonl").err.startswith(f"segue: {sentence}")
    assert not segue("check", "log.jsonl", "--quiet").out.startswith("log: ")


def test_one_time_that_is_ahead_does_not_put_lines_in_another_order(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue)
    envelope = json.loads(lines[100])
    lines[100] = json.dumps(envelope | {"received_at": "2031-01-01T00:00:00+00:00"})
    write("log.jsonl", lines)

    assert kinds(checked(segue, "log.jsonl")) == []


def test_repeats_of_a_sender_are_findings(segue: Segue, write: Callable[..., Path]) -> None:
    lines, _ = generated(segue)
    few = [line for n, line in enumerate(lines) for line in [line] * (1 + (n % 3 == 0))]
    write("log.jsonl", few)

    document = checked(segue, "log.jsonl")

    assert kinds(document) == []
    assert codes(document)["SG601"] > 0


def test_a_repair_of_a_log_in_another_order_is_refused(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue)
    write("log.jsonl", lines[::-1])

    done = segue("repair", "log.jsonl", "--quiet")

    assert done.code == 2
    assert done.err == (
        "segue: the log is newest first: repair reads lines in their own order, "
        "so put them in order first\n"
    )


def as_payloads(lines: Lines) -> list[dict[str, Any]]:
    envelopes = map(json.loads, lines)
    return [
        {"at": each["received_at"], "payload": each["body"]}
        for each in envelopes
        if "endpoint" not in each
    ]


def test_lines_that_are_left_out_are_counted_with_the_reason(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue, "--no-transcription")
    others = ['{"at": "2026-03-02T08:00:00Z", "message": "started"}'] * 7
    write("log.jsonl", [*map(json.dumps, as_payloads(lines)), *others])

    document = checked(segue, "log.jsonl")

    assert document["summary"]["left_out"] == [
        {
            "reason": "without a body",
            "lines": 7,
            "log": "log.jsonl",
            "first_line": len(lines) + 1,
        }
    ]
    assert "7 lines left out (without a body)" in segue("check", "log.jsonl").out
    assert "segue: 7 lines left out (without a body)\n" in segue("segments", "log.jsonl").err
    left_out = document["summary"]["left_out"]
    assert checked(segue, "log.jsonl", "--sort", "received_at")["summary"]["left_out"] == left_out


def test_bodies_at_another_place_than_most_are_findings(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue, "--no-transcription")
    records = as_payloads(lines)
    other = [{"at": "2026-03-02T08:00:00Z", "data": each["payload"]} for each in records[:4]]
    write("log.jsonl", [*map(json.dumps, [*records, *other, {"message": "started"}])])

    document = checked(segue, "log.jsonl", "--body-at", "/payload", "--skip-others")

    assert codes(document)["SG501"] == len(other) == 4


def test_lines_that_are_cut_off_are_named_and_their_conversations_are_in_doubt(
    segue: Segue, write: Callable[..., Path]
) -> None:
    lines, _ = generated(segue, "--mistakes", "0")
    long = [n for n, line in enumerate(lines) if len(line) > 500]
    cut = [line[:500] for line in lines]
    concerned = {json.loads(lines[n])["body"]["conversationId"] for n in long}
    write("log.jsonl", cut)

    document = checked(segue, "log.jsonl")

    [remark] = document["log"]
    assert remark["kind"] == "cut-lines"
    assert (remark["count"], remark["first_line"]) == (len(long), long[0] + 1)
    assert f"{len(long)} lines are cut off, {len(long)} of them after 500 bytes" in remark["text"]
    faulty = {each["conversation_id"] for each in document["reports"] if each["findings"]}
    assert faulty <= {None, *concerned}
    assert document["summary"]["possibly_of_log"] == sum(
        not finding["code"].startswith("SG5")
        for each in document["reports"]
        for finding in each["findings"]
    )
