"""Conversations in other tools' formats, and as flat rows."""

from segue.export.conversion import convert
from segue.export.exporter import FORMATS, Exporter, Format
from segue.export.rows import RowKind, to_rows

__all__ = ["FORMATS", "Exporter", "Format", "RowKind", "convert", "to_rows"]
