"""The export format `vcon`: vCons (IETF vCon core 0.4.0, contact-center extension), one per line.

An agent's interval in one role is a `recording-set` whose party history has the times at which the
agent joined and dropped. An agent who was only seen leaving has not joined, and the set starts at
the exit, because it needs a start. A completed transfer is a `transfer`, a message is a `text`, and
the findings are an `analysis`. A vCon without message text is marked as a redaction of the vCon
with message text. Skills are left out, and no extension is marked as `critical`.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple

from segue.core.segments import Segment, Transfer
from segue.report.export.conversation_view import ExportView, finding_to_dict
from segue.report.export.identifiers import iso, uuid8
from segue.report.export.role_intervals import CONSULTANT, RoleInterval, intervals_of

_CUSTOMER: Final = 0


def vcon_pieces(views: Iterable[ExportView]) -> Iterator[str]:
    """Yield one line of JSON for each conversation, which contains it as a vCon."""
    for view in views:
        yield f"{json.dumps(_Dialogs(view).vcon())}\n"


class _Dialog(NamedTuple):
    """A dialog between the customer and an agent, or between two agents."""

    segment: Segment
    parties: list[int]
    intervals: list[RoleInterval]


class _Dialogs:
    """The dialogs of one conversation and their parties, from which its vCon is built."""

    def __init__(self, view: ExportView) -> None:
        self._view = view
        agents = view.agents
        first = 2 if view.bot_id else 1
        self._party = {agent: number for number, agent in enumerate(agents, first)}
        self._dialogs: list[_Dialog] = []
        self._main: dict[int, int] = {}
        """The index of the dialog with the customer, by the index of the segment.

        `_consult` has the indices of consultations.
        """
        self._consult: dict[int, int] = {}
        for segment in view.segments:
            self._add_segment(segment)

    def vcon(self) -> dict[str, Any]:
        """Return the vCon of the conversation as a dict for JSON."""
        view = self._view
        messages = [each for each in view.timeline if each.is_message]
        whole = ("vcon", view.bot_id, view.conversation_id)
        is_redacted = any(each.text is None for each in messages)
        redacted = {"redacted": {"uuid": str(uuid8(*whole)), "type": "text"}}
        dialogs = [self._recording(each) for each in self._dialogs]
        dialogs += [self._transfer(each) for each in view.transfers]
        dialogs += self._texts()
        return {
            "vcon": "0.4.0",
            "uuid": str(uuid8(*whole, "redacted") if is_redacted else uuid8(*whole)),
            "extensions": ["CC"],
            "created_at": iso(view.end),
            **(redacted if is_redacted else {}),
            "parties": list(self._parties()),
            "dialog": dialogs,
            "analysis": [_analysis(view, len(self._dialogs))],
        }

    def _parties(self) -> Iterator[dict[str, str]]:
        yield {"type": "person", "role": "customer"}
        if self._view.bot_id:
            yield {"type": "bot", "name": self._view.bot_id}
        for agent, name in self._view.agents.items():
            named = {"name": name} if name else {}
            yield {"type": "person", "role": "agent", "uuid": agent, **named}

    def _add_segment(self, segment: Segment) -> None:
        """Add the dialogs of a segment: one, or two if a consultant became the primary."""
        agent, host = self._party[segment.agent], segment.consult_of
        between = [agent]
        if host is not None:
            between.insert(0, self._party[self._view.segments[host].agent])
        intervals = list(intervals_of(self._view, segment))
        if self._is_transcribed(intervals[0].start):
            between.append(_CUSTOMER)
        dialogs = (self._consult, between, True), (self._main, [_CUSTOMER, agent], False)
        for where, parties, is_consult in dialogs:
            found = [each for each in intervals if (each.role == CONSULTANT) is is_consult]
            if found:
                where[segment.index] = len(self._dialogs)
                self._dialogs.append(_Dialog(segment, parties, found))

    def _is_transcribed(self, start: datetime | None) -> bool:
        """Return whether transcription was active at the time `start`.

        If it was, the customer hears a consultation that begins at that time.
        """
        return any(
            each.state == "active"
            and each.start is not None
            and start is not None
            and each.start <= start
            and (each.end is None or start < each.end)
            for each in self._view.transcription
        )

    def _recording(self, dialog: _Dialog) -> dict[str, Any]:
        first, end = dialog.intervals[0], dialog.intervals[-1].end
        start, duration = first.start, {}
        if start is not None and end is not None:
            duration = {"duration": (end - start).total_seconds()}
        return {
            "type": "recording-set",
            "start": iso(first.known_from),
            **duration,
            "parties": dialog.parties,
            "recordings": [],
            "party_history": self._history(dialog),
            **self._interaction(dialog.segment.experience),
        }

    def _history(self, dialog: _Dialog) -> list[dict[str, Any]]:
        agent = self._party[dialog.segment.agent]
        history = [
            (at, event, agent)
            for interval in dialog.intervals
            for event, at in (("join", interval.start), ("drop", interval.end))
            if at is not None
        ]
        if _CUSTOMER in dialog.parties:
            history += self._holds(history[0][0], dialog.intervals[-1].end or self._view.end)
        history.sort(key=itemgetter(0))
        return [{"party": party, "time": iso(at), "event": event} for at, event, party in history]

    def _holds(self, start: datetime, end: datetime | None) -> Iterator[tuple[datetime, str, int]]:
        """Yield `(time, event, party)` each time the customer was put on hold or taken off hold.

        The event is `hold` or `unhold`. Only times from `start` to `end` are considered.
        """
        for each in self._view.transcription:
            if each.state == "hold":
                for event, at in (("hold", each.start), ("unhold", each.end)):
                    if at is not None and end is not None and start <= at <= end:
                        yield at, event, _CUSTOMER

    def _transfer(self, transfer: Transfer) -> dict[str, Any]:
        giver, taker = transfer.from_segment, transfer.to_segment
        roles = {
            "transferor": self._party.get(transfer.from_agent or ""),
            "transfer_target": self._party.get(transfer.to_agent or ""),
            "original": None if giver is None else self._main.get(giver),
            "consultation": None if taker is None else self._consult.get(taker),
            "target_dialog": None if taker is None else self._main.get(taker),
        }
        return {
            "type": "transfer",
            "start": iso(transfer.left_at or transfer.taken_at),
            "transferee": _CUSTOMER,
            **{role: index for role, index in roles.items() if index is not None},
            **self._interaction("" if taker is None else self._view.segments[taker].experience),
        }

    def _texts(self) -> Iterator[dict[str, Any]]:
        for each in self._view.timeline:
            if each.is_message:
                author = self._party.get(each.agent, _CUSTOMER)
                known = {} if each.label == "message" else {"parties": [author]}
                body = {"mediatype": "text/plain", "body": each.text, "encoding": "none"}
                yield {
                    "type": "text",
                    "start": iso(each.at),
                    **known,
                    **({} if each.text is None else body),
                    **self._interaction(""),
                }

    def _interaction(self, experience: str) -> dict[str, str]:
        kind = {"interaction_type": experience} if experience else {}
        return {**kind, "interaction_id": self._view.conversation_id}


def _analysis(view: ExportView, dialogs: int) -> dict[str, Any]:
    report = view.report
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
            "findings": [finding_to_dict(finding) for finding in report.findings],
            **({} if report.call is None else {"call": report.call}),
        },
        "encoding": "json",
    }
