"""Mutate a package or module and show every mutant that the tests do not notice.

    python tests/mutants.py events/fingerprints.py tests/core/events tests/core/engine
    python tests/mutants.py transcription tests/core/transcription tests/vectors

mutmut runs in a temporary copy of the source, with `[tool.mutmut]` limited to the target and tests.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_COPIED = shutil.ignore_patterns(".*", "mutants", "build", "dist", "__pycache__", "*.egg-info")


def run(target: str, tests: list[str]) -> int:
    """Return 1 if a mutant of `target`, a path below src/segue, survives `tests`."""
    mutated = f"src/segue/{target}"
    if (ROOT / mutated).is_dir():
        mutated += "/*"
    elif not (ROOT / mutated).is_file():
        sys.exit(f"not a package or module: {mutated}")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "segue")
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
        narrow(copy / "pyproject.toml", "only_mutate", [mutated])
        narrow(copy / "pyproject.toml", "pytest_add_cli_args_test_selection", tests)
        subprocess.run([sys.executable, "-m", "mutmut", "run"], cwd=copy, check=True)
        survivors = re.findall(r"^ *(\S+): (?!killed)", mutmut(copy, "results"), re.MULTILINE)
        for name in survivors:
            sys.stdout.write(f"\n{mutmut(copy, 'show', name)}")
        sys.stdout.write(f"\n{len(survivors)} mutants of {target} were not killed\n")
    return bool(survivors)


def narrow(settings: Path, key: str, values: list[str]) -> None:
    """Replace the value of a list in `[tool.mutmut]`."""
    text = settings.read_text("utf-8")
    narrowed = re.sub(rf"(?ms)^{key} = \[.*?^\]", f"{key} = {values}", text)
    settings.write_text(narrowed, "utf-8")


def mutmut(folder: Path, *arguments: str) -> str:
    """Run a mutmut command and return its output."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(run(sys.argv[1], sys.argv[2:]))
