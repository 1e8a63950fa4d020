"""What the README and the pages show is run: every Python block, every `segue` command."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/how-to").rglob("*.md")),
    *sorted((ROOT / "docs/explanation").glob("*.md")),
]
SCRATCH = "/tmp/"  # noqa: S108 - how pages call it; the tests have a folder of their own
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(language: str, *, always: Sequence[Path]) -> list[object]:
    return [
        pytest.param(
            "".join(
                text for found, text in BLOCK.findall(path.read_text("utf-8")) if found == language
            ),
            id=str(path.relative_to(ROOT)),
            marks=() if path in always else pytest.mark.thorough,
        )
        for path in PAGES
    ]


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"PYTHONWARNINGS": "error", "HOME": str(folder)}


@pytest.mark.parametrize("code", blocks("python", always=PAGES[::3]))
def test_the_python_of_a_page_runs_from_top_to_bottom(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("code", blocks("sh", always=PAGES[:1]))
def test_the_commands_of_a_page_run(code: str, tmp_path: Path) -> None:
    sample = ROOT / "samples" / "shift.jsonl"
    line = '{"conversationId": "c-1", "botId": "st-1", "events": [{"name": "END"}]}'
    wrapped = f'{{"request": {{"body": {line}}}, "ts": "2026-03-02T08:00:00Z"}}'
    (tmp_path / "log.jsonl").write_text(f"{line}\n{wrapped}\n", "utf-8")
    escaped = line.replace('"', "\\x22")
    request = f'[02/Mar/2026:08:00:00 +0000] "POST /agentdesk/api/v1/hooks/st-1" "{escaped}"'
    (tmp_path / "access.log").write_text(f"{request}\n", "utf-8")
    for line in code.splitlines():
        if not line.startswith("segue "):
            continue
        words = [
            word.replace(SCRATCH, f"{tmp_path}/").replace("samples/shift.jsonl", str(sample))
            for word in shlex.split(line.partition(" > ")[0])  # without a shell
        ]
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), (line, done.stderr)


def test_the_links_between_pages_lead_somewhere() -> None:
    for path in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8")):
            assert (path.parent / target).exists(), (path.name, target)


@pytest.mark.parametrize("script", ["terminal.py", "layers.py"])
def test_the_pictures_are_current(script: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "images" / script), "--check"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")
