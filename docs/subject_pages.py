"""Generate the reference pages of the platform's endpoints, one page per subject."""

import json
from collections.abc import Iterator
from typing import Any, Final

from docs.platform_examples import EXAMPLES
from segue.platform.arguments import Argument, arguments_of
from segue.platform.rows import Endpoint, Paged
from segue.platform.table import ENDPOINTS

__all__ = ["subject_of", "subject_pages"]

_TITLES: Final = {
    "administration": "Users and roles",
    "agents": "Agents and hours",
    "bots": "Training, imports and languages",
    "calls": "Outbound calls",
    "campaigns": "Campaigns and contact lists",
    "conversations": "Conversations, sessions and tasks",
    "routing": "Queues, groups and transfers",
}
_WIDTH: Final = 100
_INTRODUCTION: Final = """\
`client` is a [client of the platform](../../how-to/call-the-platform.md), made with `account="a-1"`
and `app="st-1"`. Each example runs against the response below it. With `AsyncClient`, await the
same methods. A separate page lists [the gaps in the specification](../not-said.md).
"""


def subject_pages() -> dict[str, str]:
    """Return the pages in Markdown, by their paths relative to docs/reference."""
    return {
        f"platform/{subject}.md": "\n".join(_page(subject, title))
        for subject, title in _TITLES.items()
    }


def subject_of(row: Endpoint) -> str:
    """Return the subject of an endpoint, which is the subject of its body or its response."""
    result = row.result.item if isinstance(row.result, Paged) else row.result
    return (row.body or result).partition(".")[0]


def _page(subject: str, title: str) -> Iterator[str]:
    yield f"# {title}\n"
    yield _INTRODUCTION
    for row in ENDPOINTS:
        if subject_of(row) == subject:
            yield from _section(row)


def _section(row: Endpoint) -> Iterator[str]:
    yield f"## {row.number} {row.title}\n"
    yield f"`{row.method} {row.path}`\n"
    if notes := " ".join(_notes(row)):
        yield f"{notes}\n"
    yield "| argument | on the wire | in | kind | |"
    yield "|---|---|---|---|---|"
    yield from map(_row, arguments_of(row))
    yield ""
    yield f"```python\n{_call(row)}\n```\n"
    yield f"```json\n{json.dumps(EXAMPLES[row.number].answer, indent=2)}\n```\n"


def _notes(row: Endpoint) -> Iterator[str]:
    if row.shown_scope:
        yield f"Scope: {row.shown_scope}."
    if row.needs_admin_token:
        yield "It needs the token of an admin console application."
    if isinstance(row.result, Paged):
        yield f"Pagination: {row.result.by}."
    if row.window_days:
        yield f"The client splits a time range into windows of less than {row.window_days} days."
    if row.final:
        group = row.name.partition(".")[0]
        yield f"`client.{group}.wait` waits for {', '.join(row.final)}."
    for callback in row.callbacks:
        yield f"`{callback.member}` is called {callback.when}."


def _row(argument: Argument) -> str:
    notes = ["required"] if argument.is_required else []
    notes += [f"such as {', '.join(f'`{value}`' for value in argument.values)}"] * bool(
        argument.values
    )
    notes += [f"at most {argument.maximum}"] * (argument.maximum is not None)
    cells = (f"`{argument.name}`", f"`{argument.wire}`", argument.place, argument.kind)
    return f"| {' | '.join(cells)} | {'; '.join(notes)} |"


def _call(row: Endpoint) -> str:
    example = EXAMPLES[row.number]
    texts = [f"{name}={_broken(value, '    ')}" for name, value in example.arguments.items()]
    is_list = isinstance(row.result, Paged)
    begin = f"{'[item] = ' if is_list else 'result = '}client.{row.name}("
    line = f"{begin}{', '.join(texts)})"
    if len(line) > _WIDTH:
        line = begin + "".join(f"\n    {text}," for text in texts) + "\n)"
    return f"{line}\nassert {example.reads} == {_literal(example.value)}"


def _broken(value: Any, indent: str) -> str:  # noqa: ANN401 - any JSON
    """Return a value as Python source.

    Each member has a line of its own if a single line would be too long.
    """
    line = _literal(value)
    if len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    inner = f"{indent}    "
    if isinstance(value, list):
        parts = [_broken(each, inner) for each in value]
    else:
        parts = [f"{_literal(name)}: {_broken(each, inner)}" for name, each in value.items()]
    lines = "".join(f"{inner}{part},\n" for part in parts)
    return f"{line[0]}\n{lines}{indent}{line[-1]}"


def _literal(value: Any) -> str:  # noqa: ANN401 - any JSON
    match value:
        case str():
            return json.dumps(value, ensure_ascii=False)
        case dict():
            return "{" + ", ".join(f"{_literal(k)}: {_literal(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_literal, value)) + "]"
        case _:
            return repr(value)
