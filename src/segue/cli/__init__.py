"""The command `segue`. It needs the extra `cli`; without it, it says so in one line."""

import sys
from importlib.util import find_spec

__all__ = ["main"]


def main() -> None:
    """Run the command and exit."""
    if find_spec("click") is None or find_spec("rich") is None:
        sys.stderr.write('segue: the command needs an extra: python -m pip install "segue[cli]"\n')
        sys.exit(2)
    from segue.cli.app import run  # noqa: PLC0415 - only when click is there

    run()
