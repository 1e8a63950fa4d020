"""Mutants of the table: what one wrong row would look like."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from segue.lifecycle import ROWS, TABLE, Cell, Phase, Row
from segue.lifecycle.table import compile_rows

__all__ = ["Mutant", "mutants"]

CODES = ("SG101", "SG102", "SG103", "SG107", "SG201", "SG202", "SG204", None)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One row with one thing changed."""

    number: int
    row: Row
    what: str

    def __str__(self) -> str:
        row = ROWS[self.number]
        return f"row {self.number} ({row.kinds[0].value}, {row.code}): {self.what}"

    @contextmanager
    def in_place(self) -> Iterator[bool]:
        """Put the mutant into the table while the context lasts; yield whether a cell changed."""
        mutated = compile_rows([*ROWS[: self.number], self.row, *ROWS[self.number + 1 :]])
        changed: list[tuple[list[Cell | None], int, Cell | None]] = []
        for phase in self.row.phases:
            for kind in self.row.kinds:
                cells = TABLE[phase][kind]
                for index, cell in enumerate(mutated[phase][kind]):
                    if cell != cells[index]:
                        changed.append((cells, index, cells[index]))
                        cells[index] = cell
        try:
            yield bool(changed)
        finally:
            for cells, index, cell in changed:
                cells[index] = cell


def mutants() -> list[Mutant]:
    """Every row with another code, or another phase to go on in."""
    found = []
    for number, row in enumerate(ROWS):
        others = [code for code in CODES if code != row.code]
        picked: list[str | None] = [None] if row.code is not None else []
        picked += [code for code in others if code is not None][:2]
        found += [Mutant(number, replace(row, code=code), f"code {code}") for code in picked]
        found += [
            Mutant(number, replace(row, to=to), f"to {to}")
            for to in (None, *Phase)
            if to is not row.to
        ]
    return found
