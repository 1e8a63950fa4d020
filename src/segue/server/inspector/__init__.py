"""The page of a running server, with the conversations in its store and recent causes."""

__all__: list[str] = []
