"""The README quotes the command as it prints, and shows the floors of the package."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")


def floors() -> list[str]:
    """Return the floors from top to bottom, as the import contract lists them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["id"] == "floors")
    return [name for row in layers for name in re.findall(r"\w+", row)][2:]


def test_quoted_findings_are_those_of_the_sample() -> None:
    quoted = re.findall(r"^samples/shift\.jsonl:.*", README, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-m", "segue", "check", "--format", "concise", "samples/shift.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert quoted
    assert set(quoted) <= set(done.stdout.splitlines())


def test_the_floors_are_those_of_the_contract() -> None:
    assert re.findall(r"^\| `(\w+)` \| [A-Z]", README, re.MULTILINE) == floors()
    assert re.findall(r"^  (\w+)/ ", ARCHITECTURE, re.MULTILINE) == floors()
    assert re.findall(r"^- \*\*(\w+)\*\* ", ARCHITECTURE, re.MULTILINE) == floors()
