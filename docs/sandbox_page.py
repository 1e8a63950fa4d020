"""The reference page of what the sandbox chose where the specification does not say."""

from collections.abc import Iterator

from segue.platform.sandbox.choices import CHOICES
from segue.platform.sandbox.moves import MOVES, SandboxMove
from segue.platform.table import ENDPOINTS

__all__ = ["sandbox_page"]

_INTRODUCTION = """\
# What the sandbox chose

The [sandbox](../how-to/use-the-sandbox.md) has to behave in some way where the specification says
nothing. A program should not depend on anything on this page.
"""


def sandbox_page() -> str:
    """Return the page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    yield "| it chose | because |"
    yield "|---|---|"
    for each in CHOICES:
        yield f"| {each.what} | {each.why} |"
    yield "\n## Endpoints\n"
    yield "| endpoint | it chose | because |"
    yield "|---|---|---|"
    for row in ENDPOINTS:
        for each in row.chosen:
            yield f"| {row.number} | {each.what} | {each.why} |"
    yield "\n## Moves\n"
    yield "How objects get from one state to the next. *time* is a move that happens by itself.\n"
    yield "| subject | from | by | to | after | the specification, or why it was chosen |"
    yield "|---|---|---|---|---|---|"
    for move in MOVES:
        yield _move(move)


def _move(move: SandboxMove) -> str:
    after = "" if move.after is None else f"{move.after.total_seconds():g} s"
    state = f"`{move.state}`" if move.state else ""
    origin = move.origin.removeprefix("chosen: ") if move.is_chosen else f"“{move.origin}”"
    cells = (move.subject, state, move.trigger, f"`{move.next}`", after, origin.replace("|", "\\|"))
    return f"| {' | '.join(cells)} |"
