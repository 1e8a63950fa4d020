"""The files of the playground: its page, the script of its worker, and the packed library."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from segue.report.html import report_template
from segue.report.page_template import PageTemplate

LIBRARY: Final = "library.zip"
"""The archive from which the worker imports Segue and its dependencies."""
_LEFT_OUT: Final = frozenset({"__pycache__", "cli", "testing", "spark", "platform", "server"})
"""The packages that need more than a browser offers. The page does not use them."""


def playground_page() -> str:
    """Return the HTML document of the page."""
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
    """Return the script of the worker."""
    return files("segue.cli").joinpath("page", "worker.mjs").read_text("utf-8")


def library(wheels: Mapping[str, bytes]) -> bytes:
    """Return an archive of the wheels and of Segue. Equal files give equal bytes."""
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
