"""HTML tables, which notebooks show for reports and repairs."""

from collections.abc import Iterable
from html import escape


def html_table(caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table with all texts escaped. None becomes an empty cell."""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"


def _cell(value: object) -> str:
    return f"<td>{'' if value is None else escape(str(value))}</td>"
