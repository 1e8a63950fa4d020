"""Exports of conversations to the formats of other tools."""

from segue.report.export.conversion import convert
from segue.report.export.exporter import FORMATS, Exporter

__all__ = ["FORMATS", "Exporter", "convert"]
