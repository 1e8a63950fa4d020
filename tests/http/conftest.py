"""Loggers as they are in a fresh process: others may have switched them off in this one."""

import logging

import pytest


@pytest.fixture(autouse=True)
def _loggers_are_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("segue.http", "segue.http.jwt"):
        monkeypatch.setattr(logging.getLogger(name), "disabled", False)
