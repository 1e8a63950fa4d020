"""The version of Segue."""

from typing import Final

__version__: Final = "0.5.0"
