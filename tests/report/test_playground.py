"""The playground: its page, what is packed for the worker, and what Python does there."""

import io
import re
from base64 import b64encode
from hashlib import sha256
from zipfile import ZipFile

import pytest
from tests.report.hostile import CANARY, SECRET, hostile
from tests.report.story import early
from tests.report.test_html import parts

from segue.errors import UnreadableLog
from segue.report.html import report_template
from segue.report.playground import (
    check_in_browser,
    library,
    playground_page,
    playground_worker,
)


def wheel(**files: str) -> bytes:
    held = io.BytesIO()
    with ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


def test_the_page_runs_its_script_a_report_and_nothing_else() -> None:
    page = playground_page()

    [script] = re.findall(r"<script>(.*)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["script-src"] == f"'sha256-{digest}' {report_template().digest}"
    assert rules["default-src"] == "'none'"
    assert rules["worker-src"] == "'self'"
    assert rules["frame-src"] == "blob:"
    assert "connect-src" not in rules


def test_the_worker_asks_for_what_lies_beside_it() -> None:
    text = playground_page() + playground_worker()
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_the_library_is_packed_with_its_wheels_and_always_alike() -> None:
    wheels = {"b-1.whl": wheel(b="b = 1"), "a-1.whl": wheel(a="a = 1")}
    packed = library(wheels)

    with ZipFile(io.BytesIO(packed)) as archive:
        names = archive.namelist()
        assert archive.read("a") == b"a = 1"
    assert names[:2] == ["a", "b"]
    assert {"segue/__init__.py", "segue/core/findings/pages/SG101.md"} < set(names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("segue/cli/")]
    assert library(wheels) == packed


def test_a_log_becomes_the_page_of_its_report() -> None:
    made = check_in_browser("\n".join(early()).encode(), "shift <1>.jsonl")

    run = dict(parts(made))["run"]
    assert run["lines"] == 7
    assert run["about"]["logs"] == ["shift <1>.jsonl"]
    assert run["counts"] == ["1 mistake (1 error)"]


@pytest.mark.parametrize("name", ["-", "..", "", "/", "/etc/passwd"])
def test_a_name_is_a_name_and_no_place(name: str) -> None:
    run = dict(parts(check_in_browser("\n".join(early()).encode(), name)))["run"]

    assert run["about"]["logs"] == ["passwd" if "passwd" in name else "log"]


def test_nothing_that_was_said_is_in_it() -> None:
    made = check_in_browser("\n".join(hostile()).encode(), "../../x.jsonl")

    assert CANARY not in made
    assert SECRET not in str(list(parts(made)))


def test_what_is_no_log_is_said_to_be_none() -> None:
    with pytest.raises(UnreadableLog, match=r"x\.jsonl"):
        check_in_browser(b"hello\nworld\n", "x.jsonl")
