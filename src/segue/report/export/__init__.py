"""Conversations in other tools' formats."""

from segue.report.export.conversion import convert
from segue.report.export.exporter import FORMATS, Exporter, Format

__all__ = ["FORMATS", "Exporter", "Format", "convert"]
