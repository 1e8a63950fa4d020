"""Every block of code of the pages is run somewhere, or held to what can be held without that.

`sh` and `python` blocks are run by `test_examples`. A `console` block needs what a test does not
have, such as a server, a network or a cluster: its commands are parsed. Data is parsed.
"""

import configparser
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
import pytest
import yaml
from tests.families import family

from segue.cli.app import segue

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").rglob("*.md")),
    *sorted((ROOT / "docs" / "explanation").rglob("*.md")),
    ROOT / "docs" / "reference" / "settings.md",
]
BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = [
    pytest.param(language, text, id=f"{path.stem}-{number}")
    for path in PAGES
    for number, (language, text) in enumerate(BLOCK.findall(path.read_text("utf-8")), 1)
]
RUN_ELSEWHERE = {
    "python3 -m pip install": "README and extras: .ci/run, python -m release",
    "python -m pip install": "the same",
    "python3 -m venv": "the same",
    "python -m pytest": "the tests themselves",
    "bash .ci/run": "runs the tests",
    "nox -s": "the tasks of noxfile.py",
    "python benchmarks/": "tests/benchmarks",
}
PARSED_BY_OTHERS = {"", "text", "sql", "nginx"}
"""Pictures of text, queries and the configuration of a server of others."""


def commands(text: str) -> list[str]:
    lines = text.replace("\\\n", " ").splitlines()
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def is_understood(line: str) -> bool:
    """Say whether a command line of Segue has a command and options that exist."""
    plain = re.split(r" [|>&] ?| && ", line)[0]
    words = shlex.split(plain, comments=True)[1:]
    command: click.Command = segue
    context = click.Context(segue, info_name="segue", **segue.context_settings)
    while isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        assert found is not None, line
        command, words = found, words[1:]
        context = click.Context(command, parent=context)
    with suppress(click.exceptions.Exit):  # --help and --version
        command.make_context("segue", words, parent=context)
    return True


def check_script(text: str) -> None:
    for line in filter(None, text.replace("\\\n", " ").splitlines()):
        assert line.startswith(tuple(RUN_ELSEWHERE)) or is_understood(line), line


def check_session(text: str) -> None:
    assert commands(text)
    for line in commands(text):
        assert not line.startswith("segue ") or is_understood(line)


def check_yaml(text: str) -> None:
    assert yaml.safe_load(text)
    for line in re.findall(r"segue check [^\n]*", text):
        assert is_understood(line)


CHECKS: dict[str, Callable[[str], object]] = {
    "python": lambda text: compile(text, "page", "exec"),
    "sh": check_script,
    "console": check_session,
    "json": json.loads,
    "yaml": check_yaml,
    "toml": tomllib.loads,
    "ini": configparser.ConfigParser(strict=False).read_string,
}


@family(("language", "text"), BLOCKS)
def test_a_block_is_run_or_parsed(language: str, text: str) -> None:
    assert language in CHECKS.keys() | PARSED_BY_OTHERS
    if language in CHECKS:
        CHECKS[language](text)


@family("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_command_within_a_sentence_has_options_and_samples_that_exist(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for line in re.findall(r"`segue ((?!call [A-Z])[a-z][^`…]*)`", prose):
        with suppress(click.MissingParameter, click.BadParameter, click.BadOptionUsage, IndexError):
            assert is_understood(f"segue {line}")
        for path in re.findall(r"(?<![\w/])[\w-]+/[\w/.-]+\.jsonl", line):
            assert (ROOT / path).is_file(), line


def test_what_is_run_elsewhere_is_there() -> None:
    for page in PAGES:
        for script in re.findall(
            r"python3? ((?:benchmarks|samples|docs)/[\w/]+\.py)", page.read_text("utf-8")
        ):
            assert (ROOT / script).is_file(), script
