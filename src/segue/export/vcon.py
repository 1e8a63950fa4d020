"""`vcon`: a vCon a conversation (IETF vCon core 0.4.0, contact-center extension), one a line.

It decides what of a conversation is a dialog.  A stay of an agent is a `recording-set` whose party
history says when the agent joined and dropped; a consultant who becomes the primary has two, before
and after; a transfer that somebody took is a `transfer` between them; a message is a `text`.

House rules: ids and times come from the conversation alone, so that it is the same vCon in every
run; without the texts of its messages it is a redaction of the one with them, and says so; what
the check found is an `analysis`.  Skills are not told, and nothing is `critical`.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple

from segue.export.conversation_view import Episode, Handover, Needs, told
from segue.export.identifiers import iso, uuid8
from segue.export.role_intervals import CONSULTANT, Stay, stays_of
from segue.segments import Segment

__all__ = ["VCon"]

_CUSTOMER: Final = 0


class VCon:
    """Writes a vCon for each conversation."""

    needs: Final[Needs] = "everything"

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def show(self, episode: Episode) -> None:
        """Write the vCon of a conversation."""
        self._write(f"{json.dumps(_Story(episode).vcon())}\n")

    def finish(self) -> None:
        """Write nothing: every line is a vCon."""


class _Act(NamedTuple):
    """A dialog between the customer and an agent, or between two agents."""

    segment: Segment
    parties: list[int]
    stays: list[Stay]


class _Story:
    """The dialogs of one conversation, and who they are between."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        agents = episode.agents
        first = 2 if episode.bot_id else 1
        self._party = {agent: number for number, agent in enumerate(agents, first)}
        self._acts: list[_Act] = []
        self._main: dict[int, int] = {}
        """Where the dialog of a segment with the customer stands."""
        self._consult: dict[int, int] = {}
        for segment in episode.segments:
            self._enact(segment)

    def vcon(self) -> dict[str, Any]:
        """Return the vCon."""
        episode = self._episode
        messages = [each for each in episode.happenings if each.is_message]
        whole = ("vcon", episode.bot_id, episode.conversation_id)
        is_redacted = any(each.text is None for each in messages)
        redacted = {"redacted": {"uuid": str(uuid8(*whole)), "type": "text"}}
        dialogs = [self._dialog(act) for act in self._acts]
        dialogs += [self._transfer(each) for each in episode.handovers()]
        dialogs += self._texts()
        return {
            "vcon": "0.4.0",
            "uuid": str(uuid8(*whole, "redacted") if is_redacted else uuid8(*whole)),
            "extensions": ["CC"],
            "created_at": _time(episode.end),
            **(redacted if is_redacted else {}),
            "parties": list(self._parties()),
            "dialog": dialogs,
            "analysis": [_analysis(episode, len(self._acts))],
        }

    def _parties(self) -> Iterator[dict[str, str]]:
        yield {"type": "person", "role": "customer"}
        if self._episode.bot_id:
            yield {"type": "bot", "name": self._episode.bot_id}
        for agent, name in self._episode.agents.items():
            named = {"name": name} if name else {}
            yield {"type": "person", "role": "agent", "uuid": agent, **named}

    def _enact(self, segment: Segment) -> None:
        """Make the dialogs of a segment: one, or two if a consultant became the primary."""
        agent, host = self._party[segment.agent], segment.consult_of
        between = [agent]
        if host is not None:
            between.insert(0, self._party[self._episode.segments[host].agent])
        stays = list(stays_of(self._episode, segment))
        if self._is_heard(stays[0].start):
            between.append(_CUSTOMER)
        for where, parties, found in (
            (self._consult, between, [stay for stay in stays if stay.role == CONSULTANT]),
            (self._main, [_CUSTOMER, agent], [stay for stay in stays if stay.role != CONSULTANT]),
        ):
            if found:
                where[segment.index] = len(self._acts)
                self._acts.append(_Act(segment, parties, found))

    def _is_heard(self, start: datetime | None) -> bool:
        """Whether transcription ran at a time: who is consulted then, is so before the customer."""
        return any(
            spell.state == "active"
            and spell.start is not None
            and start is not None
            and spell.start <= start
            and (spell.end is None or start < spell.end)
            for spell in self._episode.spells
        )

    def _dialog(self, act: _Act) -> dict[str, Any]:
        start, end = act.stays[0].start, act.stays[-1].end
        lasted = {}
        if start is not None and end is not None:
            lasted = {"duration": (end - start).total_seconds()}
        return {
            "type": "recording-set",
            "start": _time(start),
            **lasted,
            "parties": act.parties,
            "recordings": [],
            "party_history": self._history(act),
            **self._interaction(act.segment.experience),
        }

    def _history(self, act: _Act) -> list[dict[str, Any]]:
        agent = self._party[act.segment.agent]
        history = [
            (at, event, agent)
            for stay in act.stays
            for event, at in (("join", stay.start), ("drop", stay.end))
            if at is not None
        ]
        if _CUSTOMER in act.parties:
            history += self._holds(history[0][0], act.stays[-1].end or self._episode.end)
        history.sort(key=itemgetter(0))
        return [{"party": party, "time": iso(at), "event": event} for at, event, party in history]

    def _holds(self, start: datetime, end: datetime | None) -> Iterator[tuple[datetime, str, int]]:
        """Yield when the customer was put on hold, and taken off."""
        for spell in self._episode.spells:
            if spell.state == "hold":
                for event, at in (("hold", spell.start), ("unhold", spell.end)):
                    if at is not None and end is not None and start <= at <= end:
                        yield at, event, _CUSTOMER

    def _transfer(self, handover: Handover) -> dict[str, Any]:
        giver, taker = handover.giver, handover.taker
        dialogs = {
            "original": self._main.get(giver.index),
            "consultation": self._consult.get(taker.index),
            "target_dialog": self._main.get(taker.index),
        }
        return {
            "type": "transfer",
            "start": _time(handover.left.ended_at or handover.taken_at),
            "transferee": _CUSTOMER,
            "transferor": self._party[giver.agent],
            "transfer_target": self._party[taker.agent],
            **{role: dialog for role, dialog in dialogs.items() if dialog is not None},
            **self._interaction(taker.experience),
        }

    def _texts(self) -> Iterator[dict[str, Any]]:
        for each in self._episode.happenings:
            if each.is_message:
                author = self._party.get(each.agent, _CUSTOMER)
                known = {} if each.label == "message" else {"parties": [author]}
                body = {"mediatype": "text/plain", "body": each.text, "encoding": "none"}
                yield {
                    "type": "text",
                    "start": _time(each.at),
                    **known,
                    **({} if each.text is None else body),
                    **self._interaction(""),
                }

    def _interaction(self, experience: str) -> dict[str, str]:
        kind = {"interaction_type": experience} if experience else {}
        return {**kind, "interaction_id": self._episode.conversation_id}


def _analysis(episode: Episode, dialogs: int) -> dict[str, Any]:
    report = episode.report
    return {
        "type": "report",
        **({"dialog": list(range(dialogs))} if dialogs else {}),
        "mediatype": "application/json",
        "vendor": "segue",
        "product": "segue",
        "schema": "report",
        "body": {
            "valid": report.valid,
            "phase": report.phase.value,
            "findings": [told(finding) for finding in report.findings],
        },
        "encoding": "json",
    }


def _time(at: datetime | None) -> str:
    assert at is not None  # noqa: S101 - a conversation without times is not told
    return iso(at)
