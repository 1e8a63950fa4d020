"""Generate the clean sample log. The same seed gives the same bytes on every machine."""  # noqa: INP001 - a script

from pathlib import Path

from segue.analysis.simulate import generate, write


def make(folder: Path) -> None:
    """Write the sample log into a folder."""
    clean = generate(7, conversations=12, mistakes=0, open_at_once=4, messages=1.5, notes=False)
    write(folder / "clean.jsonl", clean)


if __name__ == "__main__":
    make(Path(__file__).parent)
