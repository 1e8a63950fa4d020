"""The command, as its own tests run it."""

from tests.cli.conftest import segue

__all__ = ["segue"]
