"""What the tests of this room share."""

import re
from collections.abc import Callable

import pytest


@pytest.fixture
def without_colour() -> Callable[[str], str]:
    """Take the escape sequences of tones out of a text."""
    return lambda text: re.sub("\x1b\\[[0-9;]*m", "", text)
