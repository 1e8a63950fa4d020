"""The output of `segue call`: results, requests, and the specification of an endpoint."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from segue.platform.client import SentRequest
from segue.platform.rows import Endpoint
from segue.report.styled_text import TextLine, Tone, clip, indented, table, wrap

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel

_WIDEST: Final = 40


def members_of(result: "PlatformModel") -> dict[str, Any]:
    """Return the members of an answer as a JSON object, with the platform's spelling of names."""
    members: dict[str, Any] = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return members


def item_table(items: Sequence[Mapping[str, Any]], columns: int) -> Iterator[TextLine]:
    """Yield the lines of a table with a row for each item.

    The table has as many members of the items as fit into a width of `columns` characters. Lists
    and objects are left out.
    """
    names = list(dict.fromkeys(
        name for item in items for name, value in item.items() if not isinstance(value, dict | list)
    ))  # fmt: skip
    cells = [[_cell(item.get(name)) for name in names] for item in items]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    while len(names) > 1 and sum(widths[: len(names)]) + 2 * len(names) - 2 > columns:
        names.pop()
    head = [(name, Tone.FAINT) for name in names]
    rows = [[(cell, None) for cell in row[: len(names)]] for row in cells]
    yield from table([head, *rows], 0) if names else ()


def result_lines(members: Mapping[str, Any], columns: int) -> Iterator[TextLine]:
    """Yield a line with name and value for each member, clipped to a width of `columns`."""
    width = max(map(len, members), default=0)
    for name, value in members.items():
        text = clip(_text(value), max(columns - width - 2, 1))
        yield TextLine(name, Tone.FAINT).to(width + 2).add(text)


def request_lines(request: SentRequest, base_url: str) -> Iterator[TextLine]:
    """Yield the lines of a request as it would be sent to `base_url`: target, headers and body."""
    yield TextLine(f"{request.method} ", Tone.STRONG).add(f"{base_url}{request.target}")
    for name, value in request.headers.items():
        yield TextLine(f"{name}: ", Tone.FAINT).add(value)
    if request.body:
        yield TextLine()
        for line in json.dumps(json.loads(request.body), indent=2).splitlines():
            yield TextLine(line)


def explanation(row: Endpoint, columns: int) -> Iterator[TextLine]:
    """Yield the statements of the specification about an endpoint, and its open questions."""
    yield TextLine(f"{row.number}. ", Tone.STRONG).add(row.title, Tone.STRONG)
    yield TextLine(row.cites)
    if row.shown_scope:
        yield TextLine("scope: ", Tone.FAINT).add(row.shown_scope)
    if row.needs_admin_token:
        yield TextLine("token: ", Tone.FAINT).add("of an application of the admin console")
    for variant in row.variants:
        yield from _part("said in two ways", variant.what, columns)
        yield TextLine(f"  reference: {variant.reference}; sample: {variant.sample}"
                       + (f"; sent: {variant.sends}" if variant.sends else ""))  # fmt: skip
        yield from indented(wrap(f"“{variant.cites}”", columns - 2), 2, Tone.FAINT)
    for unknown in row.unknown:
        yield from _part("not said", unknown.what, columns)
        yield from indented(wrap(f"“{unknown.cites}”", columns - 2), 2, Tone.FAINT)
    for chosen in row.chosen:
        yield from _part("chosen", f"{chosen.what}. {chosen.why}", columns)


def _part(kind: str, what: str, columns: int) -> Iterator[TextLine]:
    first, *others = wrap(what, columns - len(kind) - 2)
    yield TextLine(f"{kind}: ", Tone.CODE).add(first)
    yield from indented(others, len(kind) + 2)


def _cell(value: object) -> str:
    return clip(_text(value), _WIDEST) if value is not None else ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
