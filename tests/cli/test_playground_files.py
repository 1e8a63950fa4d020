"""The files of the playground: its page and what is packed for its worker."""

import io
import re
from base64 import b64encode
from hashlib import sha256
from zipfile import ZipFile

from segue.cli.playground_files import library, playground_page, playground_worker
from segue.report.html import report_template


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
