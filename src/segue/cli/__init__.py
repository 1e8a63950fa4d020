"""The command `segue`. Without the extra `cli` it prints which extra to install."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command and exit."""
    try:
        from segue.cli.app import run  # noqa: PLC0415 - it needs an extra

        run()
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in ("click", "rich"):
            raise
        sys.stderr.write('segue: the command needs an extra: python -m pip install "segue[cli]"\n')
        sys.exit(2)
    except KeyboardInterrupt:  # while modules are imported, or once more at the end
        sys.exit(130)
