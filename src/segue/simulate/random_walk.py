"""A walk over the lifecycle table: one conversation that the specification allows.

At each step the walk asks the table which events are legal here, and picks one by weight; when it
has had enough it leaves by the shortest legal way.  So it cannot disagree with the check.  What is
legal but worth a note (a callback, a warm handoff) happens now and then, and is written down.

It decides what happens and who speaks; how it looks is the script's business, and what goes wrong
the mistakes'.
"""

from random import Random
from typing import Final

from segue.events import EventKind
from segue.lifecycle import TABLE, Effect, Phase, Roster, advance, is_legal
from segue.simulate.sample_data import AGENTS, BOTS, BY_IDENTITY, Agent, said
from segue.simulate.script import SECOND, Note, Script
from segue.simulate.transcription import Recording

__all__ = ["someone", "walk"]

_WEIGHTS: Final = {
    EventKind.NA_ENTRY: 1.0,
    EventKind.COLD_EXIT: 3.0,
    EventKind.COLD_ENTRY: 6.0,
    EventKind.WARM_ENTRY: 0.8,
    EventKind.WARM_EXIT: 4.0,
    EventKind.NA_EXIT: 2.0,
    EventKind.REDIAL_ENTRY: 3.0,
}
"""How usual a transfer is, for each agent who could make it."""
_UNUSUAL: Final = 0.02
"""How much less usual it is when it is worth a note."""
_LENGTHS: Final = (1, 1, 1, 2, 2, 3, 4, 5, 6)
_CLOSING: Final = (
    EventKind.COLD_ENTRY,
    EventKind.WARM_EXIT,
    EventKind.NA_ENTRY,
    EventKind.NA_EXIT,
)
"""What leads to the release, in the order to try."""
_CAST: Final = 5
_TALKATIVE: Final = frozenset({Phase.ACTIVE, Phase.CONSULTING})


class _Walk:
    def __init__(self, random: Random, script: Script, messages: float, *, notes: bool) -> None:
        self._random = random
        self._script = script
        self._messages = messages
        self._notes = notes
        self._roster = Roster()
        self._cast = random.sample(AGENTS, _CAST)
        self._now = 0
        self._recording: Recording | None = None
        if script.experience == "voice" and random.random() < 0.7:  # noqa: PLR2004
            self._recording = Recording(random)

    def run(self, moves: int) -> None:
        """Walk so many moves at most, then leave."""
        roster = self._roster
        self._talk()
        for _ in range(moves):
            options, weights = self._options()
            self._move(*self._random.choices(options, weights)[0])
        while roster.phase is not Phase.RELEASED:
            self._move(*self._way_out())
        self._finish()

    def _finish(self) -> None:
        random, script = self._random, self._script
        if random.random() < 0.1:  # noqa: PLR2004
            self._say("USER", self._roster.last or "")
        if random.random() < 0.6:  # noqa: PLR2004
            script.items.append(script.summary(self._wait(2, 9)))
        script.items.append(script.end(self._wait(1, 5), BY_IDENTITY[self._roster.last or ""]))

    def _options(self) -> tuple[list[tuple[EventKind, str]], list[float]]:
        """Return what may happen next, with its weights."""
        roster = self._roster
        row = TABLE[roster.phase]
        situations = [(agent.identity, roster.situate(agent.identity)) for agent in self._cast]
        options, weights = list[tuple[EventKind, str]](), list[float]()
        for kind, weight in _WEIGHTS.items():
            cells = row[kind]
            for agent, situation in situations:
                cell = cells[situation]
                if cell is None or cell.effect is Effect.NONE:
                    continue
                if cell.code is None:
                    options.append((kind, agent))
                    weights.append(weight)
                elif self._notes and is_legal(cell.code):
                    options.append((kind, agent))
                    weights.append(weight * _UNUSUAL)
        return options, weights

    def _way_out(self) -> tuple[EventKind, str]:
        roster = self._roster
        row = TABLE[roster.phase]
        return next(
            (kind, agent.identity)
            for kind in _CLOSING
            for agent in self._cast
            if (cell := row[kind][roster.situate(agent.identity)]) is not None
            and cell.code is None
            and cell.effect is not Effect.NONE
        )

    def _move(self, kind: EventKind, identity: str) -> None:
        """Append the event, with the transcription and the talk that belong to it."""
        script, roster = self._script, self._roster
        if self._recording is not None:
            self._act(self._recording.before(kind, identity, roster.primary or identity))
        item = script.transfer(self._wait(1, 20), kind.value, BY_IDENTITY[identity])
        script.items.append(item)
        move = advance(roster, kind, identity)
        if move.code is not None:
            script.notes.append(Note(item, move.code))
        if self._recording is not None:
            alone = not roster.consultants
            self._act(self._recording.after(kind, roster.primary or identity, alone=alone))
        if roster.phase in _TALKATIVE:
            self._talk()
        elif roster.phase is Phase.TRANSFERRING and self._random.random() < 0.2:  # noqa: PLR2004
            self._say("USER", identity)

    def _act(self, actions: list[tuple[str, str, bool | None]]) -> None:
        for name, agent, handover in actions:
            at = self._wait(0.2, 1.5)
            self._script.items.append(self._script.action(at, name, agent, handover=handover))

    def _talk(self) -> None:
        random, roster = self._random, self._roster
        primary = roster.primary or self._cast[0].identity
        aside = 0.2 if roster.consultants else 0
        for _ in range(int(random.random() * (2 * self._messages + 1))):
            drawn = random.random()
            if drawn < aside:
                self._say("AGENT", roster.consultants[-1])
            else:
                self._say("AGENT" if roster.primary and drawn > 0.5 else "USER", primary)  # noqa: PLR2004
        if self._recording is not None and not roster.consultants:
            self._act(self._recording.pause(primary))

    def _say(self, author: str, agent: str) -> None:
        text = said(self._random, author)
        self._script.items.append(self._script.message(self._wait(2, 40), author, agent, text))

    def _wait(self, least: float, most: float) -> int:
        self._now += int(SECOND * (least + (most - least) * self._random.random()))
        return self._now


def walk(
    random: Random,
    number: int,
    *,
    messages: float = 2.5,
    transcription: bool = True,
    notes: bool = True,
) -> Script:
    """Return the script of a conversation without a mistake.

    `messages` is how many there are on average between two events; `transcription` lets voice
    conversations be transcribed; `notes` allows what is legal but worth a note.
    """
    experience = random.choice(("chat", "voice")) if transcription else "chat"
    script = Script(f"c-{number:05d}", random.choice(BOTS), experience)
    _Walk(random, script, messages, notes=notes).run(random.choice(_LENGTHS))
    return script


def someone(random: Random, script: Script) -> Agent:
    """Return an agent who has no part in the conversation."""
    named = script.agents()
    return random.choice([agent for agent in AGENTS if agent.identity not in named])
