"""Exports: conversations as other people's tools want them, in formats that are not ours."""

from segue.export.conversion import convert
from segue.export.exporter import FORMATS, Exporter, Format
from segue.export.rows import RowKind, to_rows

__all__ = ["FORMATS", "Exporter", "Format", "RowKind", "convert", "to_rows"]
