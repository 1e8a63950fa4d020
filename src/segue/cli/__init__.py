"""The command `segue`. If the extra `cli` is missing, the command says how to install it."""

import gc
import sys
from typing import Final

__all__ = ["main"]

_GARBAGE: Final = 100_000
"""The number of newly allocated objects after which the garbage collector runs."""


def main() -> None:
    """Run the command `segue` and exit.

    The garbage collector is configured to run seldom, and not at exit. Most objects of a short run
    belong to modules and live until the end, so collecting them would only take time.
    """
    gc.set_threshold(_GARBAGE, 50, 50)
    try:
        from segue.cli.app import run  # needs an extra

        run()
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in ("click", "rich"):
            raise
        sys.stderr.write('segue: the command needs an extra: python -m pip install "segue[cli]"\n')
        sys.exit(2)
    except KeyboardInterrupt:  # during an import, or a second one at exit
        sys.exit(130)
    finally:
        if "duckdb" not in sys.modules:  # it would count the frozen objects on stderr
            gc.freeze()
