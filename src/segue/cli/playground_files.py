"""The files of the playground: the page, the script of its web worker, and a zip of the library."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from segue.report.html import report_template
from segue.report.page_template import PageTemplate

LIBRARY: Final = "library.zip"
"""The name of the archive from which the worker imports Segue and its dependencies."""
_LEFT_OUT: Final = frozenset({"__pycache__", "cli", "testing", "spark", "platform", "server"})
"""The packages left out of the archive, since they need more than a browser offers."""


def playground_page() -> str:
    """Return the HTML document of the playground."""
    template = PageTemplate(
        "Segue playground",
        ("playground",),
        "worker-src 'self'",
        "frame-src blob:",
        package="segue.cli",
        frame="playground.html",
        shared=("dom",),
        framed=(report_template(),),
    )
    return template.document(())


def playground_worker() -> str:
    """Return the JavaScript of the web worker that checks logs."""
    return files("segue.cli").joinpath("page", "worker.mjs").read_text("utf-8")


def library(wheels: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of Segue and the contents of these wheels.

    Equal files give an archive with equal bytes.
    """
    held = BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as archive:
        for name, data in (*_unpacked(wheels), *_package(files("segue"), "segue")):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return held.getvalue()


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
