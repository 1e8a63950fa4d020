"""Generate the reference page of contradictions and gaps in the platform's specification.

The text comes from the table of endpoints, which quotes the specification.
"""

from collections.abc import Iterable, Iterator

from segue.platform.rows import Endpoint, Unknown, Variant
from segue.platform.table import ENDPOINTS, UNKNOWN_IN_GENERAL

__all__ = ["platform_page"]

_INTRODUCTION = """\
# What the specification does not say

The specification leaves some questions open and answers others in two ways. For each endpoint, this
page lists both in the words of the specification, together with what Segue does.

*Sent* is the form that a request uses unless you choose a dialect: `reference` sends the first form
and `samples` the second. If it is empty, dialects make no difference: either form is accepted, or
the value that the caller gives is sent.
"""


def platform_page() -> str:
    """Return the reference page of contradictions and gaps in Markdown."""
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
        yield "Choices of the sandbox:\n"
        yield "\n".join(f"- {each.what}. {each.why}" for each in row.chosen) + "\n"


def _variants(variants: Iterable[Variant]) -> Iterator[str]:
    yield "| contradiction | reference | sample | sent | specification |"
    yield "|---|---|---|---|---|"
    for each in variants:
        cells = (each.what, each.reference, each.sample, each.sends, each.cites)
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _unknown(unknown: Iterable[Unknown]) -> Iterator[str]:
    yield "Not specified:\n"
    yield "\n".join(f"- {each.what}: “{each.cites}”" for each in unknown) + "\n"
