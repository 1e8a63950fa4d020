"""Format counts with singular or plural nouns."""

from collections.abc import Mapping


def pluralize(count: int, noun: str) -> str:
    """Return the count with its noun, such as `1 event` or `2 events`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def counted(counts: Mapping[str, int], separator: str = ", ") -> str:
    """Return the counts as text, such as `2 events, 1 message`. Counts of 0 are left out."""
    return separator.join(pluralize(count, noun) for noun, count in counts.items() if count)
