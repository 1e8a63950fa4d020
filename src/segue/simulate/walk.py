"""A walk over the lifecycle table: one conversation without an offence.

At each step the walk asks the table which events are legal here without so much as a note, and
picks one by weight; when it has had enough it leaves by the shortest legal way.  So it cannot
disagree with the check.
"""

from random import Random
from typing import Final

from segue.events import EventKind
from segue.lifecycle import TABLE, Effect, Phase, Roster, advance
from segue.simulate.people import AGENTS, BOTS, Agent, said
from segue.simulate.script import Script

__all__ = ["someone", "walk"]

_WEIGHTS: Final = {
    EventKind.NA_ENTRY: 1,
    EventKind.COLD_EXIT: 3,
    EventKind.COLD_ENTRY: 6,
    EventKind.WARM_ENTRY: 3,
    EventKind.WARM_EXIT: 5,
    EventKind.NA_EXIT: 2,
    EventKind.REDIAL_ENTRY: 3,
}
_CLOSING: Final = (
    EventKind.COLD_ENTRY,
    EventKind.WARM_EXIT,
    EventKind.NA_ENTRY,
    EventKind.NA_EXIT,
)
"""What leads to the release, in the order to try."""
_BY_IDENTITY: Final = {agent.identity: agent for agent in AGENTS}


class _Walk:
    def __init__(self, random: Random, script: Script, messages: float) -> None:
        self._random = random
        self._script = script
        self._messages = messages
        self._roster = Roster()
        self._cast = random.sample(AGENTS, 5)
        self._now = 0.0
        self._speaks = script.experience == "voice" and random.random() < 0.7  # noqa: PLR2004
        self._transcribing = ""

    def run(self, moves: int) -> None:
        """Walk so many moves at most, then leave."""
        roster = self._roster
        self._talk()
        for _ in range(moves):
            options = self._options(tuple(_WEIGHTS))
            if not options:
                break
            weights = [_WEIGHTS[kind] for kind, _ in options]
            self._move(*self._random.choices(options, weights)[0])
        while roster.phase is not Phase.RELEASED:
            for kind in _CLOSING:
                options = self._options((kind,))
                if options:
                    self._move(*options[0])
                    break
        last = _BY_IDENTITY[roster.last or ""]
        if self._random.random() < 0.6:  # noqa: PLR2004
            self._script.items.append(self._script.summary(self._wait(2, 9)))
        self._script.items.append(self._script.end(self._wait(1, 5), last))

    def _options(self, kinds: tuple[EventKind, ...]) -> list[tuple[EventKind, str]]:
        roster = self._roster
        row = TABLE[roster.phase]
        found = []
        for kind in kinds:
            for agent in self._cast:
                cell = row[kind][roster.situate(agent.identity)]
                if cell is not None and cell.code is None and cell.effect is not Effect.NONE:
                    found.append((kind, agent.identity))
        return found

    def _move(self, kind: EventKind, identity: str) -> None:
        """Append the event, with the transcription and the talk that belong to it."""
        script, agent = self._script, _BY_IDENTITY[identity]
        if self._transcribing:
            self._before(kind, identity)
        script.items.append(script.transfer(self._wait(1, 20), kind.value, agent))
        advance(self._roster, kind, identity)
        if self._speaks:
            self._after(kind, identity)
        if self._roster.phase in (Phase.ACTIVE, Phase.CONSULTING):
            self._talk()

    def _before(self, kind: EventKind, identity: str) -> None:
        if kind is EventKind.COLD_EXIT:
            self._act("pause", identity, handover=True)
        elif kind is EventKind.WARM_ENTRY and self._transcribing == "active":
            if self._random.random() < 0.5:  # noqa: PLR2004 - else it is a conference
                self._act("pause", self._roster.primary or identity, handover=False)
                self._transcribing = "hold"
        elif kind is EventKind.NA_EXIT:
            self._act("end", identity)
            self._transcribing = ""

    def _after(self, kind: EventKind, identity: str) -> None:
        roster = self._roster
        if kind in (EventKind.NA_ENTRY, EventKind.COLD_ENTRY, EventKind.REDIAL_ENTRY):
            self._act("start", identity)
            self._transcribing = "active"
        elif (
            kind is EventKind.WARM_EXIT
            and self._transcribing == "hold"
            and not roster.consultants
        ):
            self._act("resume", roster.primary or identity)
            self._transcribing = "active"

    def _act(self, name: str, agent: str, *, handover: bool | None = None) -> None:
        at = self._wait(0.2, 1.5)
        self._script.items.append(self._script.action(at, name, agent, handover=handover))

    def _talk(self) -> None:
        random, roster, script = self._random, self._roster, self._script
        for _ in range(min(int(random.expovariate(1 / self._messages)), 12)):
            author = random.choice(("USER", "AGENT")) if roster.primary else "USER"
            agent = roster.primary or self._cast[0].identity
            script.items.append(
                script.message(self._wait(2, 40), author, agent, said(random, author)),
            )

    def _wait(self, least: float, most: float) -> float:
        self._now += self._random.uniform(least, most)
        return self._now


def walk(random: Random, number: int, *, messages: float = 2.5, transcription: bool = True) -> Script:
    """Return the script of a clean conversation.

    `messages` is how many there are on average between two events; `transcription` lets voice
    conversations be transcribed.
    """
    experience = random.choice(("chat", "voice")) if transcription else "chat"
    script = Script(f"c-{number:05d}", random.choice(BOTS), experience)
    _Walk(random, script, messages).run(random.choice((1, 1, 1, 2, 3, 4, 5, 6)))
    return script


def someone(random: Random, script: Script) -> Agent:
    """Return an agent who has no part in the conversation."""
    named = script.agents()
    return random.choice([agent for agent in AGENTS if agent.identity not in named])
