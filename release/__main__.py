"""Build a release and verify it: `python -m release [FOLDER]`.

Write the source distribution and the wheels into FOLDER (default: `dist`), and exit with 1 if any
check fails. Upload nothing.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from release.artifacts import MOST_BYTES, bill_in, build, metadata_problems
from release.installs import present_pythons, problem_of
from release.public_api import breaking_changes, public_stubs
from release.sbom import bills
from release.uses import USES

Row = tuple[str, bool, str]
"""The result of a check: its subject, whether it passed, and a detail."""


def main(arguments: Sequence[str]) -> int:
    """Print a line for each check, and return 1 if any check failed, otherwise 0."""
    folder = Path(arguments[0] if arguments else "dist").absolute()
    failed = 0
    for what, holds, detail in _rows(folder):
        sys.stdout.write(f"{'holds' if holds else 'FAILS':7}{what:45}{detail}\n")
        sys.stdout.flush()
        failed += not holds
    sys.stdout.write(f"{failed} do not hold\n" if failed else "everything holds\n")
    return int(failed > 0)


def _rows(folder: Path) -> Iterator[Row]:
    stale = [path.name for path, text in bills().items() if path.read_text("utf-8") != text]
    yield "bills of materials", not stale, ", ".join(stale) or "as the pyproject.toml have it"
    breaking = breaking_changes(public_stubs())
    yield "public API", not breaking, "; ".join(breaking) or "nothing breaks"
    files = build(folder)
    yield from _rows_of_files(files)
    wheels = {path.name.partition("-")[0]: path for path in files if path.suffix == ".whl"}
    for python in present_pythons():
        for extra in USES:
            if extra != "native" or "segue_native" in wheels:
                problem = problem_of(python, extra, wheels["segue"], wheels.get("segue_native"))
                title = f"segue[{extra}]" if extra else "segue"
                yield f"Python {python}, {title}", not problem, problem or "installed and used"


def _rows_of_files(files: Sequence[Path]) -> Iterator[Row]:
    with TemporaryDirectory() as second:
        again = {path.name: path.read_bytes() for path in build(Path(second))}
    for path in files:
        is_same = again[path.name] == path.read_bytes()
        size = f"{path.stat().st_size:,} bytes"
        yield path.name, is_same, f"{size}, {'the same' if is_same else 'others'} when built again"
        if path.suffix == ".whl":
            yield "  its size", path.stat().st_size <= MOST_BYTES, f"at most {MOST_BYTES:,} bytes"
            yield "  its bill of materials", bill_in(path) != "", bill_in(path)
    problems = metadata_problems(files)
    yield "metadata", not problems, problems or "twine check --strict"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
