"""What the accelerator is held against: the reference, on the same logs."""

from __future__ import annotations

import pytest
from tests.logs.native.both import is_installed

needs_library = pytest.mark.skipif(not is_installed(), reason="segue-native is not installed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/logs/native/" in item.nodeid and "test_description" not in item.nodeid:
            item.add_marker(needs_library)
