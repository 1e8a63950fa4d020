"""Generate the reference page of the sandbox's choices where the specification is silent."""

from collections.abc import Iterator

from segue.platform.sandbox.choices import CHOICES
from segue.platform.sandbox.moves import MOVES, SandboxMove
from segue.platform.table import ENDPOINTS

__all__ = ["sandbox_page"]

_INTRODUCTION = """\
# Choices of the sandbox

Where the specification is silent, the [sandbox](../how-to/use-the-sandbox.md) has to choose some
behaviour. Programs should not depend on the choices on this page.
"""


def sandbox_page() -> str:
    """Return the reference page of the sandbox's choices in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _INTRODUCTION
    yield "| choice | reason |"
    yield "|---|---|"
    for each in CHOICES:
        yield f"| {each.what} | {each.why} |"
    yield "\n## Endpoints\n"
    yield "| endpoint | choice | reason |"
    yield "|---|---|---|"
    for row in ENDPOINTS:
        for each in row.chosen:
            yield f"| {row.number} | {each.what} | {each.why} |"
    yield "\n## Moves\n"
    yield "Objects change from one state to the next by these moves. *time* means that the move\n"
    yield "happens by itself.\n"
    yield "| subject | from | by | to | after | specification, or reason for the choice |"
    yield "|---|---|---|---|---|---|"
    for move in MOVES:
        yield _move(move)


def _move(move: SandboxMove) -> str:
    after = "" if move.after is None else f"{move.after.total_seconds():g} s"
    state = f"`{move.state}`" if move.state else ""
    origin = move.origin.removeprefix("chosen: ") if move.is_chosen else f"“{move.origin}”"
    cells = (move.subject, state, move.trigger, f"`{move.next}`", after, origin.replace("|", "\\|"))
    return f"| {' | '.join(cells)} |"
