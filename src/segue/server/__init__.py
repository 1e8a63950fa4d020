"""Receiving events: a processor with its stores, HTTP as values, adapters and the inspector."""

__all__: list[str] = []
