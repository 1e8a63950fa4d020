"""A program that uses the platform and gets everything right, and programs with one bug each."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from segue.core.conversation import Conversation
from segue.platform import PlatformUnreachable, RequestRefused, SentRequest
from segue.testing import BackendDelivery, PlatformProgram, PlatformStep, TestSandbox, view
from segue.testing.reference import answer


class Good(PlatformProgram):
    def __init__(self, sandbox: TestSandbox) -> None:
        self.sandbox = sandbox
        self.client = sandbox.client()
        self.over: dict[str, str] = {}
        self.moved: dict[str, str] = {}
        self.stored: dict[str, Conversation] = {}

    def dial(self, target: str, notify_url: str) -> None:
        self.client.calls.start(bot="st-1", target=target, caller="4711", notify_url=notify_url)

    def notified(self, body: Any) -> None:
        self.over[body["conversationId"]] = body["status"]

    def calls(self) -> Sequence[tuple[str, str]]:
        return list(self.over.items())

    def assign(self, session: str, agent: str, callback_url: str) -> None:
        self.client.conversations.assign(
            stream="st-1", org="o-1", session=session, agent=agent, callback_url=callback_url
        )

    def transferred(self, body: Any) -> None:
        self.moved[body["sessionId"]] = body["status"]

    def transfers(self) -> Sequence[tuple[str, str]]:
        return list(self.moved.items())

    def agents(self) -> Sequence[str | None]:
        return [agent.id for agent in self.client.agents.list(stream="st-1", org="o-1")]

    def receive(self, delivered: BackendDelivery) -> int | None:
        known = self.stored.setdefault(
            delivered.conversation_id, Conversation(delivered.conversation_id)
        )
        return int(answer(known, delivered)["status"])

    def conversation(self, conversation_id: str) -> Mapping[str, Any]:
        return view(self.stored[conversation_id])


class Bug(Good):
    """One bug; `shortest` is the shortest story that shows it."""

    shortest: ClassVar[tuple[PlatformStep, ...]] = ()

    def pages(self) -> list[list[dict[str, Any]]]:
        """Read the pages of agents by hand."""
        found: list[list[dict[str, Any]]] = []
        while not found or found[-1]:
            found.append(self.page(len(found) + 1))
        return found

    def page(self, number: int) -> list[dict[str, Any]]:
        for _ in range(5):
            received = self.sandbox.answer(self.request(number))
            if received.status == 200:
                items: list[dict[str, Any]] = json.loads(received.body)["data"]["agents"]
                return items
        raise AssertionError

    def request(self, number: int) -> SentRequest:
        raise NotImplementedError


def step(action: str, detail: str = "", fault: str = "") -> tuple[PlatformStep, ...]:
    return (PlatformStep(action, detail, fault),)


class LostAnswerNotRetried(Bug):
    shortest = step("list agents", "", "answer-lost")

    def agents(self) -> Sequence[str | None]:
        before = self.sandbox.faults.counts["answer-lost"]
        found = super().agents()
        if self.sandbox.faults.counts["answer-lost"] > before:
            raise PlatformUnreachable("gave up")
        return found


class RefusalNotRetried(Bug):
    status = 429
    shortest = step("list agents", "", "answer-429")

    def agents(self) -> Sequence[str | None]:
        name = f"answer-{self.status}"
        before = self.sandbox.faults.counts[name]
        found = super().agents()
        return [] if self.sandbox.faults.counts[name] > before else found


class UnavailableNotRetried(RefusalNotRetried):
    status = 503
    shortest = step("list agents", "", "answer-503")


class ClosedStatusOfAgents(Bug):
    shortest = step("list agents", "", "answer-unknown-value")

    def agents(self) -> Sequence[str | None]:
        found = list(self.client.agents.list(stream="st-1", org="o-1"))
        for agent in found:
            if str(agent.online_status).lower() not in ("offline", "online"):
                raise ValueError(agent.online_status)
        return [agent.id for agent in found]


class LetterCaseOfAgents(Bug):
    shortest = step("list agents", "", "answer-respelled")

    def agents(self) -> Sequence[str | None]:
        found = list(self.client.agents.list(stream="st-1", org="o-1"))
        return [agent.id for agent in found if agent.status == "ACTIVE"
                and agent.online_status == "Offline"]  # fmt: skip


class RepeatedAgents(Bug):
    """Takes what a shifted page repeats as another agent."""

    shortest = step("list agents", "", "page-shifted")

    def agents(self) -> Sequence[str | None]:
        before = self.sandbox.faults.counts["page-shifted"]
        found = list(super().agents())
        return found + found[3:4] * (self.sandbox.faults.counts["page-shifted"] > before)


class FirstPageOnly(Bug):
    shortest = step("list agents")

    def agents(self) -> Sequence[str | None]:
        return super().agents()[:4]


class CallbackBeforeResponseDropped(Bug):
    shortest = step("dial", "answered", "callback-first")

    def __init__(self, sandbox: TestSandbox) -> None:
        super().__init__(sandbox)
        self.mine: set[str] = set()

    def dial(self, target: str, notify_url: str) -> None:
        call = self.client.calls.start(
            bot="st-1", target=target, caller="4711", notify_url=notify_url
        )
        self.mine.add(str(call.call_id))

    def notified(self, body: Any) -> None:
        if body["conversationId"] in self.mine or not self.is_new(body):
            super().notified(body)

    def is_new(self, body: Any) -> bool:
        """Whether the call began just now, so that no answer was lost."""
        lost = self.sandbox.faults.counts["answer-lost"]
        return not lost and body["conversationId"] not in self.over


class DoubledCallbackCountedTwice(Bug):
    shortest = step("dial", "answered", "callback-twice")

    def __init__(self, sandbox: TestSandbox) -> None:
        super().__init__(sandbox)
        self.every: list[tuple[str, str]] = []

    def notified(self, body: Any) -> None:
        self.every.append((body["conversationId"], body["status"]))

    def calls(self) -> Sequence[tuple[str, str]]:
        return self.every


class ClosedStatusOfCalls(Bug):
    shortest = step("dial", "answered", "callback-unknown-value")

    def notified(self, body: Any) -> None:
        if body["status"] not in ("completed", "failed"):
            raise ValueError(body["status"])
        super().notified(body)


class NewMemberOfCallbackRefused(Bug):
    shortest = step("dial", "answered", "callback-added-member")

    def notified(self, body: Any) -> None:
        if "xPlatform" in body:
            raise KeyError("xPlatform")
        super().notified(body)


class LateCallbackIgnored(Bug):
    shortest = step("dial", "answered", "callback-late")

    def notified(self, body: Any) -> None:
        began = self.sandbox.now.replace(hour=8, minute=0, second=0)
        if (self.sandbox.now - began).total_seconds() < 600:
            super().notified(body)


class FailedCallsTakenAsCompleted(Bug):
    shortest = step("dial", "busy")

    def notified(self, body: Any) -> None:
        super().notified(body | {"status": body["status"].replace("failed", "completed")})


class LostDialRepeated(Bug):
    shortest = step("dial", "answered", "answer-lost")

    def dial(self, target: str, notify_url: str) -> None:
        try:
            super().dial(target, notify_url)
        except PlatformUnreachable:
            super().dial(target, notify_url)


class FailedTransferTakenAsDone(Bug):
    shortest = step("assign", "declined")

    def transferred(self, body: Any) -> None:
        self.moved[body["sessionId"]] = "success"


class RepeatedDeliveryAppliedTwice(Bug):
    shortest = step("receive a conversation", "of one agent", "delivery-repeated")

    def receive(self, delivered: BackendDelivery) -> int | None:
        return super().receive(delivered._replace(delivery_id=None))


class WrongDialect(Bug):
    shortest = step("receive a conversation", "of one agent", "delivery-respelled")

    def receive(self, delivered: BackendDelivery) -> int | None:
        body = delivered.body if isinstance(delivered.body, dict) else {}
        for event in body.get("events", ()):
            spelled = event.get("transfertype", "NA"), event.get("transition", "entry")
            if spelled[0] not in ("NA", "COLD", "WARM", "redial") or not spelled[1].islower():
                return 400
            if isinstance(event.get("isExtAD"), str):
                return 400
        return super().receive(delivered)


class UnknownExperienceRefused(Bug):
    shortest = step("receive a conversation", "of one agent", "delivery-unknown-value")

    def receive(self, delivered: BackendDelivery) -> int | None:
        return 500 if "hologram" in json.dumps(delivered.body) else super().receive(delivered)


class BrokenBodyAccepted(Bug):
    shortest = step("receive a conversation", "of one agent", "delivery-cut-off")

    def receive(self, delivered: BackendDelivery) -> int | None:
        super().receive(delivered)
        return 200


class RefusedRequestIsFatal(Bug):
    """It stops working after the first refusal."""

    shortest: ClassVar[tuple[PlatformStep, ...]] = (
        PlatformStep("dial", "answered", "answer-429"), PlatformStep("list agents"),
    )  # fmt: skip

    def __init__(self, sandbox: TestSandbox) -> None:
        super().__init__(sandbox)
        self.is_dead = False

    def dial(self, target: str, notify_url: str) -> None:
        try:
            super().dial(target, notify_url)
        except RequestRefused:
            self.is_dead = True
            raise

    def agents(self) -> Sequence[str | None]:
        return [] if self.is_dead else super().agents()


BUGS = [each for each in globals().values()
        if isinstance(each, type) and issubclass(each, Bug) and each is not Bug]  # fmt: skip
