"""Settings: found, understood or refused, and overridden by the command line."""

from pathlib import Path

import pytest
from tests.cli.command import Segue, Write
from tests.report.story import early, log

from segue.cli.config import KEYS, configuration, policy_of
from segue.errors import ConfigurationError

NOTED = log("redial entry a-1", "NA exit a-1", "END", conversation="c-3")


def test_settings_of_the_project_count(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *NOTED])
    write(
        "pyproject.toml", '[tool.segue]\nignore = ["SG103"]\nfail-on = "note"\nformat = "concise"'
    )

    done = segue("check", "shift.jsonl", "-q")

    assert done.code == 1
    assert done.out.splitlines() == [
        (
            "shift.jsonl:8: note SG118 c-3 agent a-1 opened the conversation by redial entry, as a "
            "callback [callback-start]"
        ),
    ]


def test_the_command_line_wins(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [*early(), *NOTED])
    write(
        "segue.toml",
        'select = ["SG1"]\nformat = "json"\nfail-on = "note"\nseverity = {SG118 = "error"}',
    )

    done = segue(
        "check",
        *("shift.jsonl", "-q", "--select", "SG118", "--format", "concise"),
        *("--severity", "SG118=note", "--fail-on", "error"),
    )

    assert done.code == 0
    assert done.out.count("\n") == 1


def test_settings_can_be_named_or_left_out(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())
    write("segue.toml", 'ignore = ["SG103"]')
    write("other.toml", '[segue]\nseverity = {SG103 = "note"}')

    assert segue("check", "shift.jsonl").code == 0
    assert segue("check", "shift.jsonl", "--no-config").code == 1
    assert "note[SG103]" in segue("check", "shift.jsonl", "--config", "other.toml").out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ("--config", "segue.toml", "--no-config"),
            "--config and --no-config contradict each other: give one",
        ),
        (("--sort-memory", "1GB"), "--sort-memory is for sorting: add --sort received_at"),
        (
            ("--limit", "3", "--format", "concise"),
            "--limit is for the format full, not for concise",
        ),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    options: tuple[str, ...], complaint: str, segue: Segue, write: Write
) -> None:
    write("segue.toml", [])
    write("shift.jsonl", early())

    done = segue("check", "shift.jsonl", *options)

    assert done == (2, "", f"segue: {complaint}\n")


def test_memory_for_sorting_in_the_settings_waits_for_sorting(segue: Segue, write: Write) -> None:
    write("segue.toml", ['sort-memory = "1GB"'])
    write("shift.jsonl", early())

    assert segue("check", "shift.jsonl").err == ""


def test_an_empty_log_that_the_settings_accept_is_accepted_by_diff(
    segue: Segue, write: Write
) -> None:
    write("e.toml", "allow-empty = true")
    write("a.jsonl", early())
    write("b.jsonl", early())
    compared = ("diff", "a.jsonl", "b.jsonl", "--conversation", "nope")

    assert segue(*compared).code == 2
    assert segue(*compared, "--config", "e.toml") == (0, "no difference in 0 conversations\n", "")


def test_a_setting_takes_back_what_the_first_lines_say(segue: Segue, write: Write) -> None:
    """Lines without a body are left out by themselves, unless the settings say not to."""
    write("a.jsonl", [*(f'{{"payload": {each}}}' for each in early()), '{"level": "info"}'])
    write("no.toml", "skip-others = false")
    write("yes.toml", "skip-others = true")
    concise = ("check", "a.jsonl", "--format", "concise", "-q", "--config")

    assert "SG501" in segue(*concise, "no.toml").out
    assert "SG501" not in segue(*concise, "yes.toml").out


def test_the_settings_of_a_log_count_for_segments_too(segue: Segue, write: Write) -> None:
    write("shift.jsonl", [f'{{"payload": {each}}}' for each in early()])
    write("segue.toml", 'body-at = "/nothing"')

    assert segue("segments", "shift.jsonl").code == 2
    assert "a-2 (Ben)" in segue("segments", "shift.jsonl", "--no-config").out
    assert "a-2 (Ben)" in segue("segments", "shift.jsonl", "--body-at", "/payload").out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('ignroe = ["SG1"]', "unknown setting 'ignroe': did you mean ignore?"),
        ("xyz = 1", f"unknown setting 'xyz': use one of {', '.join(KEYS)}"),
        ('ignore = "SG1"', "ignore must be a list of strings, got 'SG1'"),
        ("ignore = [1]", "ignore must be a list of strings, got [1]"),
        ("strict = 1", "strict must be true or false, got 1"),
        ("jobs = true", "jobs must be a whole number, got True"),
        ("baseline = 1", "baseline must be a string, got 1"),
        ('fail-on = "all"', "fail-on must be one of error, warning, note, never, got 'all'"),
        (
            "severity = {SG103 = 1}",
            "severity must be a table of codes, each error, warning or note, got {'SG103': 1}",
        ),
        ("segue = 1", "segue must be a table, got 1"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused(
    segue: Segue,
    write: Write,
    text: str,
    complaint: str,
) -> None:
    write("shift.jsonl", early())
    path = write("segue.toml", text)

    done = segue("check", "shift.jsonl")

    assert done == (2, "", f"segue: {path}: {complaint}\n")


def test_a_file_that_cannot_be_read_is_refused(segue: Segue, write: Write) -> None:
    write("shift.jsonl", early())
    write("broken.toml", "= 1")

    missing = segue("check", "shift.jsonl", "--config", "no.toml")
    broken = segue("check", "shift.jsonl", "--config", "broken.toml")

    assert missing.err == "segue: no.toml cannot be read: No such file or directory\n"
    assert broken.err.startswith("segue: broken.toml is not TOML: ")
    assert (missing.code, broken.code) == (2, 2)


def test_an_unknown_rule_in_the_settings_is_told_like_one_on_the_command_line(
    segue: Segue,
    write: Write,
) -> None:
    write("shift.jsonl", early())
    write("segue.toml", 'ignore = ["SG1O3"]')

    assert "did you mean SG123" in segue("check", "shift.jsonl").err


def test_the_nearest_file_that_is_about_segue_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "segue.toml").write_text('ignore = ["SG1"]', "utf-8")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1", "utf-8")

    assert configuration(start=inner) == {"ignore": ["SG1"]}

    (tmp_path / "a" / "pyproject.toml").write_text("[tool.segue]\nstrict = true", "utf-8")

    assert configuration(start=inner) == {"strict": True}


def test_a_path_is_relative_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "segue.toml").write_text('baseline = "known.json"', "utf-8")

    settings = configuration(start=tmp_path / "inner")

    assert settings == {"baseline": str(tmp_path / "known.json")}


def test_a_program_gets_its_policy_of_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "segue.toml"
    path.write_text('reject = ["SG109"]\ntranscription = "observe"\nstrict = true', "utf-8")

    policy = policy_of(configuration(path))

    assert (policy.reject, policy.transcription, policy.strict) == (("SG109",), "observe", True)
    assert policy_of({}) == policy_of(configuration(start=Path(path.anchor)))


def test_a_table_of_a_program_without_one_is_no_settings(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool]\nsegue = 1", "utf-8")

    with pytest.raises(ConfigurationError, match="segue must be a table, got 1"):
        configuration(path)
