"""HTML tables in which notebooks show reports and repairs."""

from collections.abc import Iterable
from html import escape


def html_table(caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return an HTML table as text, with all captions and cells escaped.

    Each element of `rows` holds the cells of one row. None becomes an empty cell.
    """
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>"


def _cell(value: object) -> str:
    return f"<td>{'' if value is None else escape(str(value))}</td>"
