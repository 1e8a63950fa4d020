"""The lifecycle of one conversation: rules, state machine, segments, findings, and their reader."""

__all__: list[str] = []
