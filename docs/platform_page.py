"""The reference page of what the specification says in two ways, or not at all.

The words are those of the platform's table, which quotes the specification.
"""

from collections.abc import Iterable, Iterator

from segue.platform.rows import Endpoint, Unknown, Variant
from segue.platform.table import ENDPOINTS, UNKNOWN_IN_GENERAL

__all__ = ["platform_page"]

_INTRODUCTION = """\
# What the specification does not say

Of some things the specification says nothing, and of some it says two. For each endpoint this page
lists both, in the words of the specification, and what Segue does all the same.

*Sent* is what a request has unless a dialect is asked for: `reference` sends the first form,
`samples` the second. Where it is empty, nothing depends on a dialect: either form is read, or what
the caller gives is sent.
"""


def platform_page() -> str:
    """Return the page as Markdown."""
    parts = [_INTRODUCTION, "## Every endpoint\n", *_unknown(UNKNOWN_IN_GENERAL)]
    for row in ENDPOINTS:
        parts += _section(row)
    return "\n".join(parts)


def _section(row: Endpoint) -> Iterator[str]:
    yield f"## {row.number} {row.title}\n"
    yield f"`{row.method} {row.path}`\n"
    if row.variants:
        yield "\n".join(_variants(row.variants)) + "\n"
    yield from _unknown(row.unknown)
    if row.chosen:
        yield "Chosen:\n"
        yield "\n".join(f"- {each.what}. {each.why}" for each in row.chosen) + "\n"


def _variants(variants: Iterable[Variant]) -> Iterator[str]:
    yield "| said in two ways | reference | sample | sent | the specification |"
    yield "|---|---|---|---|---|"
    for each in variants:
        cells = (each.what, each.reference, each.sample, each.sends, each.cites)
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _unknown(unknown: Iterable[Unknown]) -> Iterator[str]:
    yield "Not said:\n"
    yield "\n".join(f"- {each.what}: “{each.cites}”" for each in unknown) + "\n"
