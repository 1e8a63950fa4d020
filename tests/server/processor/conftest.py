"""A test leaves no processor running, whose threads would disturb those that measure memory."""

from collections.abc import Iterator

import pytest
from tests.server.processor.story import OPEN


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()
