"""`segue repair`: what it shows, what it writes, and what it refuses."""

import difflib
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import Segue, Write

import segue as library
from segue.testing import story

ROOT = Path(__file__).parents[2]
SHIFT = ROOT / "samples" / "shift.jsonl"

SWAPPED = story(
    *("NA entry by a-1", "WARM exit by a-2", "WARM entry by a-2", "NA exit by a-1"),
    "END_OF_CONVERSATION by a-1",
)
UNENDED = story("NA entry by a-1", "NA exit by a-1", conversation_id="c-2")


def line(body: Any, second: int = 0, **envelope: Any) -> str:
    return json.dumps({"received_at": f"2026-03-02T09:00:{second:02}Z", **envelope, "body": body})


def ids(text: str) -> list[str]:
    """Return whose the lines of a log are."""
    found = []
    for raw in text.splitlines():
        try:
            record = json.loads(raw)
            body = record.get("body", record)
            body = json.loads(body) if isinstance(body, str) else body
            found.append(body.get("conversationId") or record.get("conversation_id", ""))
        except ValueError:
            found.append("")
    return found


def test_of_the_sample_every_repaired_conversation_is_valid_and_nothing_else_changed(
    segue: Segue, tmp_path: Path
) -> None:
    done = segue("repair", str(SHIFT), "--write", "fixed.jsonl", "--format", "json")

    repaired = {each["conversation_id"]: each for each in json.loads(done.out)}
    assert done.code == 1
    assert len(repaired) == 12  # 10 conversations, and 2 with events after END
    assert all(each["valid"] and each["explanation"] == "complete" for each in repaired.values())
    left = [found for each in repaired.values() for found in each["left"]]
    assert {found["code"] for found in left} <= {"SG116"}  # a note: the consultant took over
    before, after = SHIFT.read_text("utf-8"), (tmp_path / "fixed.jsonl").read_text("utf-8")
    for report in library.replay(tmp_path / "fixed.jsonl"):
        if report.conversation_id in repaired:
            assert {each.code for each in report.findings} <= {"SG116"}, report
    olds, news = before.splitlines(), after.splitlines()
    changed = [text[2:] for text in difflib.ndiff(olds, news) if text[0] in "+-"]
    assert set(ids("\n".join(changed))) == set(repaired)
    others = [text for text, whose in zip(olds, ids(before), strict=True) if whose not in repaired]
    assert others == [
        text for text, whose in zip(news, ids(after), strict=True) if whose not in repaired
    ]
    assert segue("repair", "fixed.jsonl").out == "nothing to repair\n"


def test_a_repair_is_shown_as_a_diff(segue: Segue, write: Write) -> None:
    write("log.jsonl", [json.dumps(body) for body in SWAPPED])

    done = segue("repair", "log.jsonl")

    assert done.code == 1
    assert done.out == (
        "── c-1 ─────────────────────────────────────────────────────────────────────────\n"
        "   1 mistake · 1 edit · valid then\n"
        "   1. the WARM entry of a-2 came after the WARM exit of a-2 (event 2, due before\n"
        "   event 1)\n"
        "      Send events in the order in which they happen: the WARM entry of a-2\n"
        "      before the WARM exit of a-2.\n"
        "       log  now\n"
        "         0    0  NA entry by a-1\n"
        "   +          1  WARM entry by a-2\n"
        "                   moved, mistake 1 (from 2)\n"
        "         1    2  WARM exit by a-2\n"
        "   -     2       WARM entry by a-2                         moved to 1\n"
        "         3    3  NA exit by a-1\n"
        "              ┆ 1 event\n"
        "\n"
        "1 conversation with 1 mistake repaired by 1 edit\n"
    )


def test_there_may_be_nothing_to_repair(segue: Segue, write: Write) -> None:
    write("log.jsonl", [json.dumps(body) for body in story("NA entry by a-1", "NA exit by a-1")])

    assert segue("repair", "--partial", "end", "log.jsonl")[:2] == (0, "nothing to repair\n")
    assert segue("repair", "--partial", "end", "--format", "json", "log.jsonl").out == "[]\n"
    assert segue("repair", "--conversation", "c-9", "--allow-empty", "log.jsonl").code == 0
    assert segue("repair", "log.jsonl").code == 1


def test_a_moved_line_gets_the_nearest_time_its_place_allows_and_a_new_one_none(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    lines = [line(body, second) for second, body in enumerate(SWAPPED)]
    lines[4:4] = [line(body, 3 + second) for second, body in enumerate(UNENDED)]
    write("log.jsonl", lines)

    done = segue("repair", "log.jsonl", "--write", "fixed.jsonl")

    fixed = (tmp_path / "fixed.jsonl").read_text("utf-8").splitlines()
    assert done.err == "segue: 3 lines changed in fixed.jsonl\n"
    assert fixed[0] == lines[0]
    assert json.loads(fixed[1]) == json.loads(lines[2]) | {
        "received_at": "2026-03-02T09:00:01.000Z"
    }
    assert fixed[2] == lines[1]
    assert fixed[3:6] == lines[3:6]
    assert json.loads(fixed[6]).keys() == {"body"}
    assert fixed[7:] == lines[6:]
    assert all(report.clean for report in library.replay(tmp_path / "fixed.jsonl"))


def test_a_line_keeps_the_manner_of_its_sender(segue: Segue, write: Write, tmp_path: Path) -> None:
    bodies = story("NA entry by a-1", "WARM exit by a-1", "END_OF_CONVERSATION by a-1")
    bodies[1]["events"][0]["participant"]["name"] = "Zoë"
    text = json.dumps(bodies[1], separators=(",", ":"), ensure_ascii=False)
    envelope = {"x": 1, "body": text, "delivery_id": "d-1"}
    lines = [json.dumps(bodies[0]), json.dumps(envelope, ensure_ascii=False), json.dumps(bodies[2])]
    write("log.jsonl", "\n".join(lines))

    segue("repair", "log.jsonl", "--write", "fixed.jsonl")

    fixed = (tmp_path / "fixed.jsonl").read_text("utf-8")
    wanted = json.dumps(envelope | {"body": text.replace("WARM", "NA")}, ensure_ascii=False)
    assert fixed == f"{lines[0]}\n{wanted}\n{lines[2]}"


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        (("NA exit", "END_OF_CONVERSATION"), ("NA entry", "NA exit", "END_OF_CONVERSATION")),
        (
            ("WARM entry", "NA exit", "END_OF_CONVERSATION"),
            ("NA entry", "NA exit", "END_OF_CONVERSATION"),
        ),
        (
            ("END_OF_CONVERSATION", "NA entry", "NA exit"),
            ("NA entry", "NA exit", "END_OF_CONVERSATION"),
        ),
    ],
    ids=["a line before it", "changed", "moved"],
)
def test_a_byte_order_mark_stays_at_the_beginning(
    labels: tuple[str, ...], wanted: tuple[str, ...], segue: Segue, write: Write, tmp_path: Path
) -> None:
    """Whatever happens to the line that it stands before."""

    def text(kinds: tuple[str, ...]) -> str:
        bodies = story(*(f"{kind} by a-1" for kind in kinds))
        return "\ufeff" + "".join(f"{json.dumps(each)}\n" for each in bodies)

    write("log.jsonl", text(labels))

    segue("repair", "log.jsonl", "--write", "fixed.jsonl")

    fixed = (tmp_path / "fixed.jsonl").read_text("utf-8")
    assert fixed[0] == "\ufeff"
    assert fixed.count("\ufeff") == 1
    assert [_label(line) for line in fixed.removeprefix("\ufeff").splitlines()] == list(wanted)


def _label(line: str) -> str:
    event = json.loads(line)["events"][0]
    kind = (event.get("transfertype"), event.get("transition"))
    return " ".join(filter(None, kind)) or str(event["name"])


def test_events_of_one_delivery_are_edited_inside_it(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    bodies = story("NA entry by a-1", "WARM entry by a-2", "NA exit by a-1")
    body = {**bodies[0], "events": [each["events"][0] for each in bodies]}
    end = story("END_OF_CONVERSATION by a-1")[0]
    write("log.jsonl", [json.dumps(body), json.dumps(end)])

    segue("repair", "log.jsonl", "--write", "fixed.jsonl")

    first, second = (tmp_path / "fixed.jsonl").read_text("utf-8").splitlines()
    assert [
        (event["transfertype"], event["transition"], event["participant"]["identity"])
        for event in json.loads(first)["events"]
    ] == [
        ("NA", "entry", "a-1"),
        ("WARM", "entry", "a-2"),
        ("WARM", "exit", "a-2"),
        ("NA", "exit", "a-1"),
    ]
    assert second == json.dumps(end)


def test_the_retry_of_a_line_that_changes_is_left_out(
    segue: Segue, write: Write, tmp_path: Path
) -> None:
    bodies = story("NA entry by a-1", "WARM exit by a-1", "END_OF_CONVERSATION by a-1")
    lines = [line(body, n, delivery_id=f"d-{n}") for n, body in enumerate(bodies)]
    write("log.jsonl", [lines[0], lines[0], lines[1], lines[1], lines[2]])

    segue("repair", "log.jsonl", "--write", "fixed.jsonl")

    fixed = (tmp_path / "fixed.jsonl").read_text("utf-8").splitlines()
    assert fixed == [lines[0], lines[0], lines[1].replace('"WARM"', '"NA"'), lines[2]]
    assert all(report.clean for report in library.replay(tmp_path / "fixed.jsonl"))


def test_a_packed_log_is_written_plain(segue: Segue, tmp_path: Path) -> None:
    text = "".join(f"{json.dumps(body)}\r\n" for body in UNENDED)
    (tmp_path / "log.jsonl.gz").write_bytes(gzip.compress(text.encode()))

    segue("repair", "log.jsonl.gz", "--write", "fixed.jsonl")

    fixed = (tmp_path / "fixed.jsonl").read_bytes()
    assert fixed.startswith(text.encode())
    assert fixed.count(b"\r\n") == 3


def test_conversations_of_two_bots_with_one_id_are_told_apart(segue: Segue, write: Write) -> None:
    lost = [story("NA exit by a-1", "END_OF_CONVERSATION by a-1", bot_id=bot) for bot in "bc"]
    write("log.jsonl", [line(body, bot_id=body["botId"]) for bodies in lost for body in bodies])

    shown, told = segue("repair", "log.jsonl"), segue("repair", "log.jsonl", "--format", "json")

    assert [text.strip("─ ") for text in shown.out.splitlines() if text.startswith("──")] == [
        "c-1 of bot b",
        "c-1 of bot c",
    ]
    assert [(each["conversation_id"], each["bot_id"]) for each in json.loads(told.out)] == [
        ("c-1", "b"),
        ("c-1", "c"),
    ]


def test_what_is_left_alone_is_told(segue: Segue, write: Write) -> None:
    broken = story("NA entry by a-1", "END_OF_CONVERSATION by a-1")
    del broken[0]["events"][0]["isExtAD"]
    write("log.jsonl", [json.dumps(body) for body in broken])

    out = segue("repair", "log.jsonl").out

    assert "1 mistake · 1 edit · not valid then\n" in out
    assert "   left as they are: SG502 missing-field\n" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-"], "give files, not a pipe or -"),
        (["log.jsonl", "--sort", "received_at"], "leave out --sort and --race"),
        (["log.jsonl", "--race", "5s"], "leave out --sort and --race"),
        (["log.jsonl", "other.jsonl", "--write", "new"], "--write takes one log at a time"),
        (
            ["log.jsonl", "--write", "new", "--since", "2026-03-02T09:00Z"],
            "leave out --write or these",
        ),
        (
            ["log.jsonl", "--write", "new", "--until", "2026-03-02T09:00Z"],
            "leave out --write or these",
        ),
        (["log.jsonl", "--body-at", "/b", "--write", "new"], "of another layout"),
        (["log.jsonl", "--write", "log.jsonl"], "is read by this command"),
        (["log.jsonl", "--write", "no/where"], "cannot be written"),
        (["missing.jsonl"], "cannot be read"),
        (["table", "--write", "new"], "table is a table"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    segue: Segue, write: Write, arguments: list[str], told: str
) -> None:
    for name in ("log.jsonl", "other.jsonl"):
        write(name, [json.dumps(body) for body in UNENDED])
    write("table", "PAR1")

    done = segue("repair", *arguments)

    assert done.code == 2
    assert told in done.err


def test_nothing_a_sender_wrote_reaches_the_terminal_unescaped(segue: Segue, write: Write) -> None:
    hostile = "a\x1b[31m\u202e"
    write(
        "log.jsonl",
        [json.dumps(body) for body in story(f"NA entry by {hostile}", conversation_id="c\x1b[1m")],
    )

    done = segue("repair", "log.jsonl")

    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "a\\x1b[31m" in done.out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('\ufeff{"x": 1, ', '{"x": 1, '),
        ('{"x": 1e999, ', '{"x": 1e999, '),
        ('{"x": [-1e999, "Infinity"], ', '{"x": [-1e999, "Infinity"], '),
        (f'{{"x": -{"9" * 5_000}, ', '{"x": -1e999, '),
        ('{"x": 1.50, ', '{"x": 1.5, '),
    ],
)
@pytest.mark.parametrize("is_text", [False, True])
def test_what_python_cannot_write_is_written_as_json(
    segue: Segue, write: Write, tmp_path: Path, before: str, after: str, *, is_text: bool
) -> None:
    """The line is changed, since its event names no agent that is there."""
    bodies = story("NA entry by a-1", "WARM exit by a-1", "END_OF_CONVERSATION by a-1")
    first, odd, last = [json.dumps(body) for body in bodies]
    odd = before + odd.removeprefix("{")
    lines = [json.dumps({"body": each}) for each in (first, odd, last)] if is_text else [odd]
    write("log.jsonl", lines if is_text else [first, odd, last])

    done = segue("repair", "log.jsonl", "--write", "fixed.jsonl")

    assert done.code == 1
    fixed = (tmp_path / "fixed.jsonl").read_text("utf-8").splitlines()[1]
    changed = json.loads(fixed)["body"] if is_text else fixed
    assert changed.startswith(after)
    assert "NA" in changed


def test_repairs_go_to_files_as_well(segue: Segue, tmp_path: Path) -> None:
    outputs = [f"--output={style}=out.{style}" for style in ("full", "json", "jsonl")]

    done = segue("repair", str(SHIFT), *outputs)

    assert done.code == 1
    assert done.err == (
        "segue: 2 lines are cut off, so findings about 'c-00003', 'c-00042' are possibly due to "
        "the log\n"
    )
    assert (tmp_path / "out.full").read_text("utf-8") == done.out
    for style in ("json", "jsonl"):
        alone = segue("repair", str(SHIFT), "--format", style).out
        assert (tmp_path / f"out.{style}").read_text("utf-8") == alone
    assert "such as json=repairs.json" in segue("repair", str(SHIFT), "--output", "json").err
