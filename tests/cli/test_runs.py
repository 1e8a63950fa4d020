"""The command as a user runs it: exit codes, formats, streams, settings, what is never shown."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from tests.builders import body, end, transfer

from segue.core.findings import RULES
from segue.report.renderers import FORMATS
from segue.report.schema import report_schema

ROOT = Path(__file__).parents[2]
CLEAN = ROOT / "samples" / "clean.jsonl"
SHIFT = ROOT / "samples" / "shift.jsonl"
WRONG = [body(transfer("NA entry", "a-1")), body(transfer("COLD entry", "a-2"))]


def segue(
    *arguments: str, folder: Path, text: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "segue", *arguments],
        input=text,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def log(folder: Path, *deliveries: object) -> str:
    path = folder / "log.jsonl"
    path.write_text("".join(f"{json.dumps(delivery)}\n" for delivery in deliveries), "utf-8")
    return path.name


def test_a_clean_log_exits_with_0(tmp_path: Path) -> None:
    done = segue("check", str(CLEAN), folder=tmp_path)

    assert (done.returncode, done.stderr) == (0, "")
    assert "12 conversations, all clean" in done.stdout


def test_errors_exit_with_1(tmp_path: Path) -> None:
    done = segue("check", str(SHIFT), folder=tmp_path)

    assert done.returncode == 1
    assert "60 conversations, 41 valid, 29 clean" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["check", "missing.jsonl"], "missing.jsonl"),
        (["check", "."], "."),
        (["check", "--select", "SG999", str(CLEAN)], "SG999"),
        (["check", "--time-zone", "Mars/Olympus", str(CLEAN)], "Mars/Olympus"),
        (["check", "--since", "noon", str(CLEAN)], "noon"),
        (["check", "--baseline", "missing.json", str(CLEAN)], "missing.json"),
        (["explain", "SG104"], "SG104"),
        (["check"], "LOG"),
        (["check", "--no-such-option", str(CLEAN)], "no-such-option"),
    ],
    ids=["missing", "folder", "rule", "zone", "time", "baseline", "code", "nothing", "option"],
)
def test_what_cannot_be_run_exits_with_2_and_says_why(
    arguments: list[str], problem: str, tmp_path: Path
) -> None:
    done = segue(*arguments, folder=tmp_path)

    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


def test_standard_input_is_a_log(tmp_path: Path) -> None:
    done = segue(
        "check", "--format", "concise", "-", folder=tmp_path, text=CLEAN.read_text("utf-8")
    )

    assert done.returncode == 0


def test_a_concise_finding_is_one_line_with_its_place(tmp_path: Path) -> None:
    name = log(tmp_path, *WRONG)

    done = segue("check", "--partial", "end", "--format", "concise", name, folder=tmp_path)

    assert done.stdout.splitlines()[0] == (
        "log.jsonl:2: error SG103 c-1 agent a-2 took over by COLD entry while a-1 was still "
        "primary [cold-entry-before-exit]"
    )


def test_every_line_of_jsonl_is_a_report_by_the_schema(tmp_path: Path) -> None:
    done = segue("check", "--format", "jsonl", str(SHIFT), folder=tmp_path)

    validator = jsonschema.Draft202012Validator(report_schema())
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    for report in reports:
        validator.validate(report)
    assert len({report["conversation_id"] for report in reports}) == 61  # 60, and null


def test_json_is_one_document_with_a_summary(tmp_path: Path) -> None:
    done = segue("check", "--format", "json", str(CLEAN), folder=tmp_path)

    document = json.loads(done.stdout)
    assert len(document["reports"]) == 12
    assert document["summary"]["conversations"] == 12


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = (segue("check", str(SHIFT), folder=tmp_path) for _ in range(2))

    assert first.stdout == second.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--ignore", "SG1"], 0),
        (["--select", "SG2"], 0),
        (["--fail-on", "never"], 0),
        (["--severity", "SG103=note"], 0),
        (["--severity", "SG103=note", "--fail-on", "note"], 1),
        (["--severity", "SG103=note", "--strict"], 0),
    ],
    ids=["ignore", "select", "never", "note", "fail-on-note", "named-beats-strict"],
)
def test_switches_decide_what_counts(arguments: list[str], code: int, tmp_path: Path) -> None:
    name = log(tmp_path, *WRONG)

    assert segue("check", "--partial", "end", *arguments, name, folder=tmp_path).returncode == code


def test_settings_of_the_project_are_read_and_the_command_line_wins(tmp_path: Path) -> None:
    name = log(tmp_path, *WRONG)
    (tmp_path / "pyproject.toml").write_text('[tool.segue]\nignore = ["SG103"]\npartial = "end"\n')

    assert segue("check", name, folder=tmp_path).returncode == 0
    assert segue("check", "--ignore", "SG205", name, folder=tmp_path).returncode == 1


def test_an_unknown_setting_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.segue]\nignored = ["SG103"]\n')

    done = segue("check", str(CLEAN), folder=tmp_path)

    assert done.returncode == 2
    assert "ignored" in done.stderr
    assert "ignore" in done.stderr.replace("ignored", "")


def test_a_baseline_hides_what_is_known_and_nothing_else(tmp_path: Path) -> None:
    name = log(tmp_path, *WRONG)
    written = segue("check", "--write-baseline", "known.json", name, folder=tmp_path)
    known = segue("check", "--baseline", "known.json", name, folder=tmp_path)
    log(tmp_path, *WRONG, body(transfer("WARM exit", "a-9")))
    new = segue("check", "--format", "concise", "--baseline", "known.json", name, folder=tmp_path)

    assert written.returncode in (0, 1)
    assert known.returncode == 0
    assert new.returncode == 1
    assert "SG201" in new.stdout
    assert "SG103" not in new.stdout.splitlines()[0]


HOSTILE = "a\x1b[31m\r\n::error::[red]\u202e<script>"


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(each, marks=pytest.mark.thorough if number else ())
        for number, each in enumerate(FORMATS)
    ],
)
def test_nothing_a_sender_writes_reaches_the_terminal_as_control(
    style: str, tmp_path: Path
) -> None:
    name = log(tmp_path, body(transfer("NA exit", HOSTILE), transfer("NA exit", HOSTILE), end()))

    done = segue("check", "--format", style, "--color", "never", name, folder=tmp_path)

    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert not any(line.startswith("::error::") for line in done.stdout.splitlines())


def test_colour_is_for_terminals_and_on_request(tmp_path: Path) -> None:
    plain = segue("check", str(SHIFT), folder=tmp_path)
    coloured = segue("check", "--color", "always", str(SHIFT), folder=tmp_path)

    assert "\x1b[" not in plain.stdout
    assert "\x1b[" in coloured.stdout


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m segue check --format jsonl "{SHIFT}" | head -n 1'

    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_segments_name_who_held_the_conversation(tmp_path: Path) -> None:
    name = log(
        tmp_path,
        body(transfer("NA entry", "a-1"), transfer("COLD exit", "a-1")),
        body(transfer("COLD entry", "a-2"), transfer("NA exit", "a-2"), end("a-2")),
    )

    done = segue("segments", "--format", "jsonl", name, folder=tmp_path)

    (report,) = map(json.loads, done.stdout.splitlines())
    assert [segment["agent"] for segment in report["segments"]] == ["a-1", "a-2"]


def test_every_rule_can_be_explained_and_listed(tmp_path: Path) -> None:
    listed = segue("rules", "--format", "json", folder=tmp_path)
    explained = segue("explain", "SG103", folder=tmp_path)

    assert [rule["code"] for rule in json.loads(listed.stdout)] == [rule.code for rule in RULES]
    assert "cold-entry-before-exit" in explained.stdout
    assert "Why it matters" in explained.stdout


def test_the_lifecycle_is_drawn(tmp_path: Path) -> None:
    assert segue("graph", folder=tmp_path).stdout.startswith("stateDiagram-v2\n")
    assert segue("graph", "--format", "dot", folder=tmp_path).stdout.startswith("digraph")


def test_a_generated_log_gives_what_was_planted(tmp_path: Path) -> None:
    made = segue(
        "generate", "log.jsonl", "--conversations", "40", "--mistakes", "0.5", "--rules", "SG1",
        "--truth", "truth.jsonl", folder=tmp_path,
    )  # fmt: skip
    done = segue("check", "--format", "jsonl", "log.jsonl", folder=tmp_path)

    truth = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    found = [
        (report["conversation_id"], finding["code"])
        for report in map(json.loads, done.stdout.splitlines())
        for finding in report["findings"]
    ]
    assert made.returncode == 0
    assert sorted(found) == sorted(
        (planted["conversation_id"], planted["code"]) for planted in truth
    )


@pytest.mark.parametrize("command", ["--help", "rules", "explain SG103", "--version"])
def test_commands_that_read_no_log_load_no_parser(command: str, tmp_path: Path) -> None:
    code = (
        "import sys; from segue.cli import main\n"
        f"sys.argv = ['segue', *{command.split()!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "loaded = {'pydantic', 'transitions', 'dateutil'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
