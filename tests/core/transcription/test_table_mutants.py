"""Changes one cell of a table at a time and asks whether the hand-written page notices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.core.transcription.page import PAGES, differences, misbehaviours
from tests.families import family

from segue.core.transcription import TranscriptionState
from segue.core.transcription.table import ActionCell, Command

CODES = (None, "SG401", "SG402", "SG408")


def _mutants(cell: ActionCell) -> Iterator[ActionCell]:
    yield from (cell._replace(code=code) for code in CODES if code != cell.code)
    yield from (cell._replace(to=to) for to in TranscriptionState if to is not cell.to)


@family(
    ("ended", "state", "command"),
    [(ended, *cell) for ended, (_, page) in PAGES.items() for cell in page],
)
def test_every_change_of_the_cell_is_noticed_there_and_nowhere_else(
    state: str, command: str, *, ended: bool
) -> None:
    row = PAGES[ended][0][TranscriptionState(state)]
    cell = row[Command(command)]
    mutants = list(_mutants(cell))

    assert len(mutants) == len(CODES) - 1 + len(TranscriptionState) - 1
    for mutant in mutants:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(row, Command(command), mutant)

            assert differences() == {(ended, state, command)}
            if (cell.code, mutant.code) != ("SG402", "SG402"):  # a repeat leads nowhere
                assert misbehaviours() == {(ended, state, command)}
