"""How long tests wait for what must happen.

It ends a run that hangs. No machine is so busy that a test that passes needs as long.
"""

from typing import Final

__all__ = ["PATIENCE"]

PATIENCE: Final = 600.0
"""In seconds."""
