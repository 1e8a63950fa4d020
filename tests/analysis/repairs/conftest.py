"""Streams that are all wrong are not searched for long here."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _little_patience() -> Iterator[None]:
    """Give up proving after a moment: what is asked of such repairs holds without a proof."""
    with pytest.MonkeyPatch.context() as patch:
        efforts = ((True, 0, 800), (False, 0, 300), (False, 7, None))
        patch.setattr("segue.core.edits.cheapest._EFFORTS", efforts)
        yield
