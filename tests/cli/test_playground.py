"""`segue playground`: which files it takes, and, where they can be had, the page in a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.command import Segue
from tests.cli.test_playground_files import wheel
from tests.report.browser import Opened, chromium

from segue.cli import playground

ROOT = Path(__file__).parents[2]
MINUTES = 600_000


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small files in the place of the real ones."""
    folder = tmp_path / "assets"
    folder.mkdir()
    for table, files in (
        ("_RUNTIME", {"pyodide.mjs": b"export", "python_stdlib.zip": b"PK"}),
        ("_WHEELS", {"a-1-py3-none-any.whl": wheel(a="a = 1")}),
    ):
        for name, data in files.items():
            (folder / name).write_bytes(data)
        hashes = {name: sha256(data).hexdigest() for name, data in files.items()}
        monkeypatch.setattr(playground, table, hashes)
    return folder


def test_the_page_is_written_with_all_it_needs(segue: Segue, assets: Path, tmp_path: Path) -> None:
    done = segue("playground", "--assets", str(assets), "--output", "deep/er")

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("deep/er: 5 files, ")
    written = sorted(each.name for each in (tmp_path / "deep/er").iterdir())
    assert written == [
        "index.html",
        "library.zip",
        "pyodide.mjs",
        "python_stdlib.zip",
        "worker.mjs",
    ]


def test_a_file_that_was_not_tested_is_not_used(segue: Segue, assets: Path, tmp_path: Path) -> None:
    (assets / "pyodide.mjs").write_bytes(b"evil")

    done = segue("playground", "--assets", str(assets), "--output", "out")

    assert done.code == 2
    assert "pyodide.mjs is not the file that this version was tested with" in done.err
    assert not (tmp_path / "out").exists()


def test_a_missing_file_is_named(segue: Segue, assets: Path) -> None:
    (assets / "pyodide.mjs").unlink()

    done = segue("playground", "--assets", str(assets), "--output", "out")

    assert done.code == 2
    assert "pyodide.mjs cannot be read: No such file or directory" in done.err


def test_a_file_is_no_folder(segue: Segue, assets: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")

    assert "is not a folder" in segue("playground", "--output", "out").err
    beside = segue("playground", "--assets", str(assets), "--output", "out/in")
    assert (beside.code, "cannot be written" in beside.err) == (2, True)


@pytest.mark.parametrize(
    ("npm", "said"),
    [
        ("", "npm is not installed: give the folder of the files as --assets"),
        ("#!/bin/sh\necho no network >&2\nexit 1\n", "failed (no network): give the folder"),
    ],
)
def test_what_cannot_be_fetched_is_said(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, npm: str, said: str
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    if npm:
        (programs / "npm").write_text(npm)
        (programs / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))

    done = segue("playground", "--output", "out")

    assert (done.code, said in done.err) == (2, True), done.err


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as any static host does."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


@pytest.mark.slow
def test_a_log_is_checked_in_the_browser(segue: Segue, tmp_path: Path) -> None:
    """The real thing: Python in Chromium, without a network once it is loaded."""
    done = segue("playground", "--output", "site")
    if done.code:
        pytest.skip(f"the files cannot be fetched here: {done.err}")
    with served(tmp_path / "site") as url, chromium() as browser:
        page = browser.new_page()
        it = Opened(page, url)
        page.goto(url)
        page.wait_for_selector('[data-state="live"]', timeout=MINUTES)
        page.context.set_offline(offline=True)
        page.set_input_files("#log", ROOT / "samples/shift.jsonl")
        page.wait_for_selector('[data-state="shown"]', timeout=MINUTES)
        totals = page.frame_locator("#report").locator("#totals")
        assert totals.inner_text().startswith("60 conversations · 41 valid · 29 clean")

        page.set_input_files(
            "#log", {"name": "x", "mimeType": "text/plain", "buffer": b"hello\nworld\n"}
        )
        page.wait_for_selector('[data-state="away"]', timeout=MINUTES)
        assert page.inner_text("#said").startswith("x: ")
        assert it.troubles == []
