"""Writes the reference pages: `python -m segue.cli.generate_docs [--check] [FOLDER]`.

With `--check` nothing is written; the stale pages are listed and the exit code is 1.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from segue.cli.reference import reference

__all__ = ["main"]

_FOLDER: Final = Path("docs", "reference")


def main(arguments: Sequence[str]) -> int:
    """Write or check the pages; return the exit code."""
    is_check = "--check" in arguments
    folders = [Path(argument) for argument in arguments if argument != "--check"]
    folder = folders[0] if folders else _FOLDER
    wanted = reference()
    stale = list(_stale(folder, wanted))
    if is_check:
        sys.stdout.write("".join(f"{path} is stale\n" for path in stale))
        return int(bool(stale))
    for path in stale:
        text = wanted.get(path.relative_to(folder).as_posix())
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    sys.stdout.write("".join(f"{path}\n" for path in stale))
    return 0


def _stale(folder: Path, wanted: Mapping[str, str]) -> Iterator[Path]:
    """Yield what is not as it should be: other text, not there, or there without a reason."""
    for name, text in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode():
            yield path
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in wanted:
            yield path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
