"""The command `segue`. It needs the extra `cli`; without it, it says so in one line."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command and exit."""
    try:
        import click  # noqa: F401, PLC0415 - whether it is there is the question
    except ModuleNotFoundError:
        sys.stderr.write('segue: the command needs an extra: python -m pip install "segue[cli]"\n')
        sys.exit(2)
    from segue.cli.app import run  # noqa: PLC0415 - it needs click

    run()
