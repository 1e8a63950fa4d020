"""Counted nouns."""

from collections.abc import Mapping


def pluralize(count: int, noun: str) -> str:
    """Return `1 event`, `2 events`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def counted(counts: Mapping[str, int], separator: str = ", ") -> str:
    """Return `2 events, 1 message`; nouns that count nothing are left out."""
    return separator.join(pluralize(count, noun) for noun, count in counts.items() if count)
