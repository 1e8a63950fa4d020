"""Make the sample logs. The same seeds give the same bytes on every machine."""  # noqa: INP001 - a script

from pathlib import Path

from segue.simulate import generate, write

RULES = (
    "SG103 SG501 SG204 SG407 SG109 SG502 SG206 SG602 SG107 SG404 SG601 SG201 SG503 SG110 SG302 "
    "SG112 SG402 SG507 SG205 SG101 SG501 SG603 SG115 SG505 SG401 SG202 SG509 SG106 SG403 SG108"
)


def make(folder: Path) -> None:
    """Write the sample logs into a folder."""
    shift = generate(
        2026, conversations=60, mistakes=0.5, rules=RULES.split(), open_at_once=9, messages=1.5
    )
    write(folder / "shift.jsonl", shift, folder / "shift.truth.jsonl")
    clean = generate(7, conversations=12, mistakes=0, open_at_once=4, messages=1.5, notes=False)
    write(folder / "clean.jsonl", clean)


if __name__ == "__main__":
    make(Path(__file__).parent)
