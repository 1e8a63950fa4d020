"""What Spark needs and this machine lacks."""

import os
from importlib.util import find_spec
from shutil import which
from typing import Final

__all__ = ["MISSING"]


def _missing() -> str | None:
    if find_spec("pyspark") is None:
        return "the extra spark is not installed"
    if which("java") is None and "JAVA_HOME" not in os.environ:
        return "Spark needs a JVM"
    return None


MISSING: Final = _missing()
"""Why no test can start Spark, or None."""
