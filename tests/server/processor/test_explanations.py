"""Mistakes of a stored conversation: searched for once a version, in a thread, within bounds."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.server.processor.story import ENDS, body, due, message, processor, transfer
from tests.server.stores.library import key

from segue.core.conversation import state_of
from segue.core.events import HOOKS
from segue.core.explain import LIVE_BUDGET, Explanation
from segue.core.findings import Policy
from segue.server.processor import (
    Processor,
    Receipt,
    SubmissionContext,
    adrive,
    drive,
    perform,
    queries,
)
from segue.server.stores import MemoryStore

LOST_EXIT = "the COLD exit of a-1 is missing (at the latest before event 1)"


class Searches:
    """Searches for explanations, as they happen."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: list[int] = []
        self.running, self.most = 0, 0
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        search = queries.live_explanation

        def explained(state: Any) -> Explanation:
            self.threads.append(threading.get_ident())
            self.running += 1
            self.most = max(self.most, self.running)
            assert self.may_go_on.wait(PATIENCE)
            self.running -= 1
            return search(state)

        monkeypatch.setattr(queries, "live_explanation", explained)

    async def begin(self, count: int) -> None:
        """Wait until a number of searches has begun, while the event loop runs."""
        while len(self.threads) < count:  # noqa: ASYNC110 - they begin in threads
            await asyncio.sleep(0)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Searches]:
    found = Searches(monkeypatch)
    yield found
    found.may_go_on.set()


def hand_over(it: Processor, conversation: str = "c-1") -> None:
    """Replace an agent by a COLD entry without a COLD exit (SG103)."""
    for kind, agent in (("NA entry", "a-1"), ("COLD entry", "a-2"), ("NA exit", "a-2")):
        it.receive("st-1", body(transfer(kind, agent), conversation=conversation))


def sentences(it: Processor, conversation: str = "c-1") -> list[str]:
    view = it.conversation(conversation)
    assert view is not None
    return [mistake["sentence"] for mistake in view.to_dict()["mistakes"]]


def test_a_view_has_the_mistakes_so_far() -> None:
    it = processor()
    hand_over(it)
    view = it.conversation("c-1")

    assert view is not None
    assert (view.explanation, view.report.explanation) == ("complete", "complete")
    assert [each.sentence for each in view.report.mistakes] == sentences(it) == [LOST_EXIT]
    assert view.report.mistake_of(view.report.findings[0]) == view.report.mistakes[0]


def test_mistakes_are_searched_for_once_a_version(searches: Searches) -> None:
    it = processor()
    hand_over(it)

    assert [sentences(it) for _ in range(3)] == [[LOST_EXIT]] * 3
    assert len(searches.threads) == 1

    it.receive("st-1", body(transfer("COLD exit", "a-1")))
    assert sentences(it) == [
        "the COLD exit of a-1 came after the COLD entry of a-2 (event 3, due before event 1)"
    ]
    assert len(searches.threads) == 2


def test_the_policy_decides_what_is_shown_of_what_is_remembered() -> None:
    it = processor()
    hand_over(it)
    assert sentences(it) == [LOST_EXIT]
    other = processor(store=it.store, policy=Policy(ignore=("SG103",)))

    view = other.conversation("c-1")

    assert view is not None
    assert (view.report.mistakes, view.report.ignored_mistakes) == ((), 1)


def test_a_conversation_without_errors_is_not_searched(searches: Searches) -> None:
    it = processor()
    it.receive("st-1", message("AGENT", "z"))  # SG205, a warning
    view = it.conversation("c-1")

    assert view is not None
    assert (view.explanation, view.report.mistakes) == ("complete", ())
    assert searches.threads == []


def test_an_event_loop_is_not_blocked_by_a_search(searches: Searches) -> None:
    """Two readers of one conversation share a search, while the loop does something else."""
    it = processor()
    hand_over(it)
    searches.may_go_on.clear()

    async def work() -> list[Any]:
        readers = [asyncio.create_task(it.aconversation("c-1")) for _ in range(2)]
        await searches.begin(1)
        searches.may_go_on.set()
        return await asyncio.gather(*readers)

    one, other = asyncio.run(asyncio.wait_for(work(), PATIENCE))

    assert one.report.mistakes == other.report.mistakes != ()
    assert len(searches.threads) == 1
    assert searches.threads[0] != threading.get_ident()


def test_the_searches_of_one_conversation_do_not_overlap(searches: Searches) -> None:
    it = processor()
    hand_over(it)
    hand_over(it, "c-2")
    searches.may_go_on.clear()

    async def work() -> None:
        first = asyncio.create_task(it.aconversation("c-1"))
        await searches.begin(1)
        it.receive("st-1", body(transfer("COLD exit", "a-1")))
        again = asyncio.create_task(it.aconversation("c-1"))
        other = asyncio.create_task(it.aconversation("c-2"))
        await searches.begin(2)
        searches.may_go_on.set()
        await asyncio.gather(first, again, other)

    asyncio.run(asyncio.wait_for(work(), PATIENCE))

    assert len(searches.threads) == 3
    assert searches.most == 2, "one of each conversation"


def test_a_reader_that_gives_up_leaves_the_search_to_the_others(searches: Searches) -> None:
    it = processor()
    hand_over(it)
    searches.may_go_on.clear()

    async def work() -> Any:
        first = asyncio.create_task(it.aconversation("c-1"))
        await searches.begin(1)
        second = asyncio.create_task(it.aconversation("c-1"))
        first.cancel()
        searches.may_go_on.set()
        return await second

    view = asyncio.run(asyncio.wait_for(work(), PATIENCE))

    assert [each.sentence for each in view.report.mistakes] == [LOST_EXIT]


def test_an_excerpt_has_no_explanation(searches: Searches) -> None:
    it = processor()
    hand_over(it)

    view = drive(it.queries.conversation("c-1", most=1))

    assert view is not None
    shown = view.to_dict()
    assert (shown["explanation"], shown["mistakes"], shown["untraced"]) == (None, None, [])
    assert searches.threads == []


def test_a_search_that_fails_is_made_again() -> None:
    it = processor()
    hand_over(it)
    failures = [MemoryError()]

    def performing(effect: Any) -> Any:
        function = getattr(getattr(effect, "function", None), "func", None)
        if failures and function is queries.live_explanation:
            raise failures.pop()
        return perform(effect)

    with pytest.raises(MemoryError):
        drive(it.queries.conversation("c-1"), performing)

    assert sentences(it) == [LOST_EXIT]


def test_a_search_ends_with_its_budget_even_after_the_end() -> None:
    """Nobody can have meant this: 400 exits of agents who had not entered."""
    it = processor()
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    for number in range(400):
        kind = ("WARM exit", "COLD entry", "NA entry", "redial entry")[number % 4]
        it.receive("st-1", body(transfer(kind, f"x-{number * 7 % 11}")))
    it.receive("st-1", ENDS)

    view = it.conversation("c-1")

    assert view is not None
    assert view.explanation == "untraced"
    found = queries.live_explanation(state_of(view.report))
    assert found.spent < 2 * LIVE_BUDGET
    assert found.untraced


def test_a_handler_is_told_the_mistakes_at_the_end() -> None:
    store = MemoryStore()
    it = processor(store=store, callbacks=["conversation_ended"])
    hand_over(it)
    it.receive("st-1", ENDS)

    (call,) = due(store)

    report = json.loads(call.data)["report"]
    assert [each["sentence"] for each in report["mistakes"]] == [LOST_EXIT]


def test_events_after_the_end_do_not_make_a_snapshot_grow() -> None:
    """They are entries, of which each delivery adds one."""
    it = processor()
    it.receive("st-1", body(transfer("NA entry", "a-1")))
    it.receive("st-1", ENDS)
    sizes = []
    for _ in range(50):
        it.receive("st-1", message("AGENT", "a-1"))
        record = it.store.load(key("c-1")).conversation
        assert record is not None
        sizes.append(len(record.snapshot))
        entries = it.store.entries(key("c-1"), -1, 999, 999)
        assert len(entries) == record.version
        assert entries[-1].version == record.version
    it.receive("st-1", body(transfer("NA exit", "a-1")))

    assert max(sizes[1:]) - min(sizes[1:]) <= 9, "numbers get another digit"
    assert sentences(it) == [
        "the END_OF_CONVERSATION came before the NA exit of a-1 (event 1, due after event 52)"
    ]


def test_other_requests_run_while_a_search_runs(searches: Searches) -> None:
    it = processor()
    hand_over(it)
    searches.may_go_on.clear()

    async def work() -> Any:
        reading = asyncio.create_task(it.aconversation("c-1"))
        await searches.begin(1)
        receipt = await adrive(it.ingest.submit(*_submission()))
        searches.may_go_on.set()
        await reading
        return receipt

    assert asyncio.run(asyncio.wait_for(work(), PATIENCE)).findings == ()


def _submission() -> tuple[Any, ...]:
    return HOOKS, body(transfer("COLD exit", "a-1")), SubmissionContext("st-1"), Receipt.of
