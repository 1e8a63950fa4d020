"""Make the sample logs. The same seeds give the same bytes on every machine."""

from pathlib import Path

from segue.simulate import generate, write

RULES = (
    "SG101 SG103 SG106 SG107 SG108 SG109 SG110 SG112 SG115 SG118 SG119 SG201 SG202 SG204 SG205 "
    "SG206 SG302 SG401 SG402 SG404 SG407 SG501 SG502 SG503 SG505 SG507 SG509 SG601 SG602 SG603"
)


def make(folder: Path) -> None:
    """Write the sample logs into a folder."""
    shift = generate(
        2026, conversations=60, mistakes=0.5, rules=RULES.split(), open_at_once=9
    )
    write(folder / "shift.jsonl", shift, folder / "shift.truth.jsonl")
    write(folder / "clean.jsonl", generate(7, conversations=12, mistakes=0, open_at_once=4))


if __name__ == "__main__":
    make(Path(__file__).parent)
