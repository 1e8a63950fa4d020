"""Analysis of logs: causes, comparisons, dialects, repaired logs and made-up conversations."""

__all__: list[str] = []
