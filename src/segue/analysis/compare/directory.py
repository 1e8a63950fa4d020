"""A directory of agents and queues, which adds names to reports and finds unknown ids.

It is read from the list of agents that the platform's operation E22 returns.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from segue.analysis.compare.listed import items_of, text_of
from segue.analysis.compare.statistics import ranked
from segue.core.conversation import Report
from segue.core.segments import Segment

_IDS: Final = ("id", "userId", "emailId")
"""The keys of an agent in the list whose values may appear in events as the agent's id."""

_MOST: Final = 10
"""The maximum number of ids in a remark."""


class Directory:
    """The agents and queues in the platform's list of agents.

    Args:
        document: The decoded JSON that `segue call agents.list --format json` writes.
        name: The name of the file, for messages.

    """

    def __init__(self, document: object, name: str) -> None:
        self.name = name
        self.agents: dict[str, str] = {}
        """The names of agents. The keys are all ids of an agent, in lower case."""
        self.queues: dict[str, str] = {}
        """The names of queues, by queue id. Empty if the list contains no queues."""
        self.unknown_agents: Counter[str] = Counter()
        """The number of conversations with each unknown agent, by agent id."""
        self.unknown_queues: Counter[str] = Counter()
        """The number of conversations with each unknown queue, by queue id."""
        for item in items_of(document, name, _IDS, "agents.list"):
            self._add(item)

    def _add(self, item: dict[str, Any]) -> None:
        parts = (text_of(item, key) for key in ("firstName", "lastName"))
        name = " ".join(filter(None, parts)) or text_of(item, "nickName")
        ids = (text_of(item, key).lower() for key in _IDS)
        self.agents.update(dict.fromkeys(filter(None, ids), name))
        queues = item.get("queues")
        for queue in queues if isinstance(queues, list) else ():
            if isinstance(queue, dict) and text_of(queue, "id"):
                self.queues[text_of(queue, "id")] = text_of(queue, "name")

    def apply(self, report: Report) -> None:
        """Add missing names of agents and queues to the segments of a report, in place.

        Ids that are not in the directory are counted for `remarks`.
        """
        if not report.segments:
            return
        report.segments = tuple(map(self._named, report.segments))
        agents = {segment.agent for segment in report.segments}
        self.unknown_agents.update(each for each in agents if each.lower() not in self.agents)
        queues = {segment.queue_id for segment in report.segments if segment.queue_id}
        self.unknown_queues.update(queues - self.queues.keys() if self.queues else ())

    def remarks(self) -> Iterator[str]:
        """Yield a line of text about unknown agents, and one about unknown queues, if any."""
        for what, unknown in (("agent", self.unknown_agents), ("queue", self.unknown_queues)):
            shown = [f"{each} ({count})" for each, count in ranked(unknown)[:_MOST]]
            more = [f"and {len(unknown) - _MOST} more"] if len(unknown) > _MOST else []
            if unknown:
                number = f"{len(unknown)} {what}{'s' if len(unknown) > 1 else ''}"
                names = ", ".join((*shown, *more))
                yield f"{number} not in {self.name}, with conversations: {names}"

    def _named(self, segment: Segment) -> Segment:
        name = segment.name or self.agents.get(segment.agent.lower(), "")
        fields, queue = segment.custom_fields, self.queues.get(segment.queue_id, "")
        if queue and not segment.queue_name:
            fields = {**fields, "queueName": queue}
        return replace(segment, name=name, custom_fields=fields)
