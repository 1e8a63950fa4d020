"""The pages about the server side say what the code has: problems, limits, settings, metrics."""

import inspect
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import segue
from segue.server.http import Problem, RequestLimits

ROOT = Path(__file__).parents[3]
MOUNT = (ROOT / "docs/how-to/mount.md").read_text("utf-8")
SECURITY = (ROOT / "docs/explanation/security.md").read_text("utf-8")
UNTOLD = {"self", "cooldown", "max_age", "fetch", "clock"}
"""Settings of `JwtAuth` the page tells in words."""


def rows(page: str, pattern: str) -> list[Any]:
    return re.findall(pattern, page, re.MULTILINE)


def test_every_problem_is_explained_under_its_status() -> None:
    explained = {
        (int(status), f"urn:segue:problem:{name}")
        for status, names in rows(MOUNT, r"^\| (\d{3}) \| (`[^|]+`) \|")
        for name in re.findall(r"`([^`]+)`", names)
    }

    assert explained == {(problem.status, problem.type) for problem in Problem}


def test_every_limit_is_in_the_table() -> None:
    told = rows(MOUNT, r"^\| `RequestLimits\((\w+)=\)` \|")

    assert told == [each.name for each in fields(RequestLimits)]


def test_every_setting_of_tokens_is_in_the_table() -> None:
    table = SECURITY.partition("| setting of `JwtAuth` |")[2]
    told = {
        name
        for row in rows(table, r"^\| ((?:`\w+=`(?:, )?)+) \|")
        for name in re.findall(r"`(\w+)=`", row)
    }

    assert told == set(inspect.signature(segue.JwtAuth.__init__).parameters) - UNTOLD


def test_every_metric_is_in_the_table() -> None:
    source = (ROOT / "src/segue/server/adapters/prometheus.py").read_text("utf-8")
    made = set(re.findall(r'"(segue_\w+)"', source))
    told = {
        name.removesuffix("_total")
        for row in rows(MOUNT, r"^\| (`segue_[^|]+) \|")
        for name in re.findall(r"`(\w+)`", row)
    }

    assert told == made


def test_the_authenticator_on_the_page_works() -> None:
    [block] = rows(SECURITY, r"^```python\n((?:.*\n)*?)```")

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", str(block)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
