"""A finding about a transcription action has the line of that action, in every format."""

from pathlib import Path

import pytest
from tests.report.story import log, rendered

import segue
from segue.report.page_data import details
from segue.report.page_rows import Situations

REFUSED = log("NA entry a-1", "user message", "resume a-1", "end a-1", "NA exit a-1", "END")
"""Nothing is paused that could be resumed: SG401 at line 3."""

SHOWN = {
    "full": "--> {0}:3  transcription action 0\n",
    "concise": "{0}:3: error SG401 c-1 agent a-1 sent transcription action resume",
    "json": '"event": null, "action": 0, "line": 3, ',
    "jsonl": '"event": null, "action": 0, "line": 3, ',
    "github": "::error file={0},line=3,title=SG401 ",
    "gitlab": '"location": {{"path": "{0}", "lines": {{"begin": 3}}}}',
    "junit": "  at {0}:3, transcription action 0\n",
    "sarif": '"region": {{"startLine": 3}}',
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A log with a short name: a long one would be broken over lines."""
    monkeypatch.chdir(tmp_path)
    Path("log.jsonl").write_text("\n".join(REFUSED), "utf-8")
    return "log.jsonl"


@pytest.mark.parametrize("name", SHOWN)
def test_formats_show_the_line_of_an_action(name: str, path: str) -> None:
    assert SHOWN[name].format(path) in rendered(name, path)


def test_the_page_shows_the_line_of_an_action(path: str) -> None:
    [report] = segue.replay(path)

    assert [
        (each["action"], each["line"]) for each in details(report, Situations())["findings"]
    ] == [(0, 3)]


def test_one_line_of_text_has_the_line_of_an_action() -> None:
    [report] = segue.replay(REFUSED)

    assert str(report.findings[0]).startswith("line 3, transcription action 0: SG401 ")


def test_what_is_found_at_the_end_has_the_line_of_its_action() -> None:
    lines = log("NA entry a-1", "start a-9", "pause true a-1", "resume a-1", "end a-1", "END")
    [report] = segue.replay(lines)

    lines_by_code = {finding.code: finding.place.line for finding in report.findings}

    assert (lines_by_code["SG403"], lines_by_code["SG405"]) == (2, 3)
