"""Changes one cell of the table at a time and asks whether the hand-written page notices."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.transcription.page import PAGE, differences, misbehaviours

from segue.transcription import TABLE, ActionCell, Command, TranscriptionState


def _mutants(cell: ActionCell) -> Iterator[ActionCell]:
    yield cell._replace(code="SG401" if cell.code is None else None)
    yield from (cell._replace(to=to) for to in TranscriptionState if to is not cell.to)


@pytest.mark.parametrize(("state", "command"), PAGE)
def test_every_change_of_the_cell_is_noticed_there_and_nowhere_else(
    state: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = TABLE[TranscriptionState(state)]
    mutants = list(_mutants(row[Command(command)]))

    assert len(mutants) == len(TranscriptionState)
    for mutant in mutants:
        monkeypatch.setitem(row, Command(command), mutant)

        assert differences() == {(state, command)}
        assert misbehaviours() == {(state, command)}
