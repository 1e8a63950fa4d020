"""Decides how a log is read, from the contents of its first lines."""

from segue.logs.sniffing.decision import Sniffed, absent_pointers, sniff

__all__ = ["Sniffed", "absent_pointers", "sniff"]
