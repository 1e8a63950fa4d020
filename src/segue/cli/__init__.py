"""The command `segue`. Without the extra `cli` it prints which extra to install."""

import gc
import sys
from typing import Final

__all__ = ["main"]

_GARBAGE: Final = 20_000
"""So many new objects are looked through for garbage together."""


def main() -> None:
    """Run the command and exit.

    Most of what a short run creates is modules, which the garbage collector need not look at again
    and again, nor at the end.
    """
    gc.set_threshold(_GARBAGE)
    try:
        from segue.cli.app import run  # it needs an extra

        run()
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in ("click", "rich"):
            raise
        sys.stderr.write('segue: the command needs an extra: python -m pip install "segue[cli]"\n')
        sys.exit(2)
    except KeyboardInterrupt:  # while modules are imported, or once more at the end
        sys.exit(130)
    finally:
        if "duckdb" not in sys.modules:  # it counts what is left at the end, on standard error
            gc.freeze()
