"""The page on transcription, followed with curl: its answers are those of a server."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.server import Serving

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "control-a-transcription.md"
CALL = re.compile(r"^\$ (curl .*)\n(\{.*)$", re.MULTILINE)
PATH = re.compile(r'^\$ URL="\$SERVER(.*)"$', re.MULTILINE)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_answers_of_the_page_are_those_of_the_server(tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8")
    calls, (path,) = CALL.findall(text), PATH.findall(text)
    with Serving(tmp_path, "--no-auth", "--store", "memory") as server:
        for command, shown in calls:
            words = shlex.split(command.replace("$URL", server.url + path))
            done = subprocess.run([*words, "-sS"], capture_output=True, check=True)
            answer = json.loads(done.stdout)
            wanted = json.loads(shown)
            assert {key: answer.get(key) for key in wanted} == wanted

    assert len(calls) == 5
