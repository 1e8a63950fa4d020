"""Law 4 for what stores keep: judging goes on without the past, which is stored elsewhere."""

from typing import Any

from hypothesis import given, strategies as st
from tests.strategies import logs, streams

from segue.core.engine import Entry, State, apply, new
from segue.core.engine.snapshot import (
    PastSize,
    dump,
    dump_parts,
    forget_past,
    load_parts,
    restore_past,
)
from segue.core.events import ActionKind, EventKind
from segue.core.wire import read_line

_ENDS = {EventKind.END, ActionKind.END}
"""END, and the end of a transcription, which may close a session after END."""


class Kept:
    """A conversation as a store keeps it: agents and entries by number, and the rest in pieces."""

    def __init__(self, state: State) -> None:
        self.judging = dump_parts(state).judging
        self.agents: dict[int, bytes] = {}
        self.entries: dict[int, Entry] = {}
        self.pieces: list[bytes] = []

    def load(self, *, whole: bool) -> State:
        state = load_parts(self.judging, [data for _, data in sorted(self.agents.items())])
        if whole:
            assert [*self.entries] == [*range(state.first + len(state.entries))]
            entries = [*self.entries.values()]
            assert entries[state.first :] == state.entries
            restore_past(state, entries[: state.first], self.pieces, is_all=True)
        return state

    def save(self, state: State, since: PastSize) -> None:
        self.judging, agents, entries, added, _ = dump_parts(state, since)
        before = dict(enumerate(since.open, since.final))
        assert all(before.get(number) != entry for number, entry in entries)
        self.agents |= agents
        self.entries |= dict(entries)
        self.pieces += [added] if added else []


@given(logs(streams()), st.sampled_from((None, "start", "end", "both")), st.data())
def test_a_conversation_whose_past_is_elsewhere_is_judged_alike(
    lines: list[dict[str, Any]], partial: Any, data: st.DataObject
) -> None:
    """Restored or still in memory, with its past or without. An end reads the past."""
    whole, state = new("c-1", partial=partial), new("c-1", partial=partial)
    kept = Kept(state)
    for number, line in enumerate(lines, 1):
        delivery = read_line(line, line=number)
        ends = any(event.kind in _ENDS for event in delivery.events)
        if ends or data.draw(st.booleans()):
            state = kept.load(whole=ends or data.draw(st.booleans()))
        since = PastSize.of(state)
        assert apply(state, delivery) == apply(whole, read_line(line, line=number))
        kept.save(state, since)
        if data.draw(st.booleans()):
            forget_past(state)
        assert dump_parts(state).judging == dump_parts(whole).judging == kept.judging

    assert dump(kept.load(whole=True)) == dump(whole)
