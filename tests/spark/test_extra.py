"""Without its extra the room says which one to install."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from segue.errors import ConfigurationError


@pytest.mark.parametrize("missing", ["pyspark.sql", "pyarrow", "google.protobuf"])
def test_what_is_missing_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in [name for name in sys.modules if name.startswith("segue.spark")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ConfigurationError) as refused:
        import_module("segue.spark")
    assert str(refused.value) == (
        'segue.spark needs an extra: python -m pip install "segue[spark]"'
    )
