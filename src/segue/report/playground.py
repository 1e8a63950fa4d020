"""The playground: a page that checks logs in the browser, and what Python does there.

The page holds nothing but its own script.  A worker beside it runs Python with the library, which
is packed here as it is installed; a log is given to the worker and goes nowhere else.
"""

from collections.abc import Iterator, Mapping
from contextlib import chdir
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from segue.core.version import __version__
from segue.logs import Detail, Replay, ReplayOptions, start_replay
from segue.report.escape import visible
from segue.report.html import report_template
from segue.report.page_rows import page_note
from segue.report.page_template import PageTemplate, module_text
from segue.report.renderers import RenderOptions, renderer
from segue.report.run_summary import RunSummary

LIBRARY: Final = "library.zip"
"""The file from which the worker takes what Python imports."""
_LEFT_OUT: Final = frozenset({"__pycache__", "cli", "sandbox", "spark", "stores", "client"})
"""Packages that need what a browser does not have, and are not used there."""


def playground_page() -> str:
    """Return the document."""
    template = PageTemplate(
        "Segue playground",
        ("playground",),
        "worker-src 'self'",
        "frame-src blob:",
        frame="playground.html",
        shared=("dom",),
        framed=(report_template(),),
    )
    return template.document(())


def playground_worker() -> str:
    """Return the script of the worker."""
    return module_text("worker")


def library(wheels: Mapping[str, bytes]) -> bytes:
    """Return one archive of these wheels and of this library, the same bytes for the same files."""
    held = BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as archive:
        for name, data in (*_unpacked(wheels), *_package(files("segue"), "segue")):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return held.getvalue()


def check_in_browser(data: bytes | memoryview, name: str) -> str:
    """Return the report of a log as a page; the worker calls this."""
    log = Path(Path(name).name)
    if log.name in {"", "-", ".."}:
        log = Path("log")
    with TemporaryDirectory() as folder, chdir(folder):
        log.write_bytes(data)
        return _report_of(log)


def _report_of(log: Path) -> str:
    run = start_replay(
        Replay(
            logs=(log,),
            options=ReplayOptions(note=page_note),
            detail=Detail(history=True),
            refuse_unreadable=True,
        )
    )
    written: list[str] = []
    about = {"logs": [visible(log.name)], "version": __version__, "options": []}
    page = renderer("html", written.append, RenderOptions(about=about))
    summary = RunSummary()
    for report in run.reports():
        summary.add(report)
        page.show(report)
    summary.lines, summary.healed = run.lines, run.healed
    page.finish(summary)
    return "".join(written)


def _unpacked(wheels: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for name in sorted(wheels):
        with ZipFile(BytesIO(wheels[name])) as wheel:
            for each in wheel.infolist():
                if not each.is_dir():
                    yield each.filename, wheel.read(each)


def _package(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for each in sorted(folder.iterdir(), key=lambda item: item.name):
        if each.name in _LEFT_OUT:
            continue
        if each.is_dir():
            yield from _package(each, f"{name}/{each.name}")
        elif not each.name.endswith((".pyc", ".so")):
            yield f"{name}/{each.name}", each.read_bytes()
