"""Conversations in other tools' formats."""

from segue.export.conversion import convert
from segue.export.exporter import FORMATS, Exporter, Format

__all__ = ["FORMATS", "Exporter", "Format", "convert"]
