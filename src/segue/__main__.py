"""`python -m segue` is the command `segue`."""

from segue.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
