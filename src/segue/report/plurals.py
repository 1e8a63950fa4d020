"""Counted nouns."""

__all__ = ["pluralize"]


def pluralize(count: int, noun: str) -> str:
    """Return `1 event`, `2 events`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
