"""Entry point of the playground, a web page that runs Segue in the browser.

The web worker of the page runs Python and calls `check_in_browser`.
"""

from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from segue.core.version import __version__
from segue.logs.plan import Detail, Replay, ReplayOptions
from segue.logs.replaying import start_replay
from segue.report.escape import visible
from segue.report.page_rows import page_note
from segue.report.renderers import RenderOptions, renderer
from segue.report.run_summary import RunSummary


def check_in_browser(data: bytes | memoryview, name: str) -> str:
    """Check a log, and return the report as an HTML document.

    `data` is the content of the log. `name` is its file name, which the report shows.
    """
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
            options=ReplayOptions(note=page_note, settled=True),
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
