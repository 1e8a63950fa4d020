"""The outbox: leases, order, failures, dead letters."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from tests.server.stores.crowd import write
from tests.server.stores.library import ALWAYS, DAY, at, commit, done

from segue import PostgresStore
from segue.server.processor import OutboxMessage, Store
from segue.server.processor.misdated import LongestWaits


def _ids(messages: object) -> list[str]:
    assert isinstance(messages, list | tuple)
    return [message.id for message in messages]


def _claim(
    store: Store,
    lease: str,
    *,
    now: float = 0,
    until: float = 60,
    limit: int = 100,
    without: Collection[str] = (),
) -> list[OutboxMessage]:
    return list(store.claim(lease, at(now), at(until), limit, without=without))


def test_an_empty_outbox_has_nothing_to_claim(store: Store) -> None:
    done(store.save(commit("c-1")))

    assert _claim(store, "me") == []


def test_messages_are_claimed_in_the_order_of_their_commits(store: Store) -> None:
    done(store.save(commit("c-2", messages=2)))
    done(store.save(commit("c-1", messages=1)))
    done(store.save(commit("c-2", 1, messages=1)))

    claimed = _claim(store, "me")

    assert [(each.id, each.kind, each.data) for each in claimed] == [
        ("c-2:1:message:0", "message", '{"n":0}'),
        ("c-2:1:message:1", "message", '{"n":1}'),
        ("c-1:1:message:0", "message", '{"n":0}'),
        ("c-2:2:message:0", "message", '{"n":0}'),
    ]
    assert {(each.lease, each.tries, each.reason) for each in claimed} == {("me", 0, "")}
    assert [each.number for each in claimed] == sorted({each.number for each in claimed})


def test_what_is_claimed_is_not_claimed_again(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    done(store.save(commit("c-2", messages=1)))

    assert _ids(_claim(store, "me", limit=1)) == ["c-1:1:message:0"]
    assert _ids(_claim(store, "you")) == ["c-2:1:message:0"]
    assert _claim(store, "them") == []


def test_a_conversation_with_a_leased_message_waits_as_a_whole(store: Store) -> None:
    done(store.save(commit("c-1", messages=3)))

    (first,) = _claim(store, "me", limit=1)
    done(store.save(commit("c-1", 1, messages=1)))
    assert _claim(store, "you") == []

    assert done(store.acknowledge(first.number, "me"))
    assert _ids(_claim(store, "you")) == ["c-1:1:message:1", "c-1:1:message:2", "c-1:2:message:0"]


def test_a_lease_that_ran_out_hinders_no_claim(store: Store) -> None:
    done(store.save(commit("c-1", messages=2)))
    _claim(store, "me", now=0, until=60)

    assert _claim(store, "you", now=59.999999) == []
    claimed = _claim(store, "you", now=60, until=120)

    assert _ids(claimed) == ["c-1:1:message:0", "c-1:1:message:1"]
    assert {each.lease for each in claimed} == {"you"}


def test_a_lease_that_a_wrong_clock_wrote_hinders_no_claim(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    ahead = datetime(2126, 3, 1, tzinfo=UTC)

    assert len(store.claim("a", ahead, ahead + timedelta(seconds=60), 9)) == 1
    [message] = store.claim("b", DAY, at(60), 9)
    assert store.postpone(message.number, "b", ahead)
    [message] = store.claim("c", DAY, at(60), 9)
    assert message.tries == 1


@pytest.mark.parametrize(("minutes", "is_misdated"), [(2, False), (2.1, True), (60, True)])
def test_a_lease_that_ends_too_late_for_its_length_was_written_by_a_wrong_clock(
    store: Store, minutes: float, *, is_misdated: bool
) -> None:
    longest = LongestWaits(timedelta(minutes=1), timedelta(minutes=10))
    done(store.save(commit("c-1", messages=2)))
    assert len(store.claim("a", at(0), at(60 * minutes), 9, longest)) == 2

    assert len(store.claim("b", at(0), at(60), 9, longest)) == 2 * is_misdated


@pytest.mark.parametrize(("minutes", "is_misdated"), [(20, False), (20.1, True), (60, True)])
def test_a_postponement_to_a_time_too_late_was_written_by_a_wrong_clock(
    store: Store, minutes: float, *, is_misdated: bool
) -> None:
    longest = LongestWaits(timedelta(minutes=1), timedelta(minutes=10))
    done(store.save(commit("c-1", messages=2)))
    [message, _] = store.claim("a", at(0), at(60), 9, longest)
    assert store.postpone(message.number, "a", at(60 * minutes))

    assert len(store.claim("b", at(0), at(60), 9, longest)) == 2 * is_misdated


def test_the_last_times_of_the_calendar_can_be_claimed_at(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    last = datetime.max.replace(tzinfo=UTC)

    assert len(store.claim("a", last, last, 9)) == 1


def test_what_was_acknowledged_is_forgotten(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    (message,) = _claim(store, "me")

    assert done(store.acknowledge(message.number, "me")) is True
    assert done(store.acknowledge(message.number, "me")) is False
    assert store.claim("you", ALWAYS, ALWAYS, 10) == []
    assert store.dead(0, 10) == []


def test_only_the_holder_of_a_lease_may_say_what_becomes_of_it(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    (message,) = _claim(store, "me", until=60)
    (again,) = _claim(store, "you", now=60, until=120)
    assert again.number == message.number

    for stranger in ("me", "them", ""):
        assert done(store.acknowledge(message.number, stranger)) is False
        assert store.postpone(message.number, stranger, at(500)) is False
        assert store.bury(message.number, stranger, "E") is False
    assert store.dead(0, 10) == []
    assert done(store.acknowledge(message.number, "you")) is True


def test_what_was_given_back_is_held_by_no_lease(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    (message,) = _claim(store, "me")
    assert store.postpone(message.number, "me", DAY)

    assert done(store.acknowledge(message.number, "")) is False
    assert store.postpone(message.number, "", ALWAYS) is False
    assert store.bury(message.number, "", "E") is False
    assert len(_claim(store, "you")) == 1


def test_a_lease_that_ran_out_may_acknowledge_until_it_is_claimed(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    (message,) = _claim(store, "me", until=60)

    assert _claim(store, "you", now=59) == []
    assert done(store.acknowledge(message.number, "me")) is True


def test_what_was_postponed_keeps_its_conversation_waiting_and_no_other(store: Store) -> None:
    done(store.save(commit("c-1", messages=2)))
    done(store.save(commit("c-2", messages=1)))
    first, second, other = _claim(store, "me", until=60)

    assert store.postpone(first.number, "me", at(30)) is True

    assert done(store.acknowledge(second.number, "me")) is False, "it was given back"
    assert done(store.acknowledge(other.number, "me")) is True, "it was not"
    assert _claim(store, "you", now=29) == []
    retried = _claim(store, "you", now=30)
    assert [(each.id, each.tries) for each in retried] == [
        ("c-1:1:message:0", 1),
        ("c-1:1:message:1", 0),
    ]


def test_a_postponed_conversation_waits_for_what_comes_later_too(store: Store) -> None:
    done(store.save(commit("c-1", messages=1)))
    (message,) = _claim(store, "me")
    store.postpone(message.number, "me", at(30))
    done(store.save(commit("c-1", 1, messages=1)))

    assert _claim(store, "you", now=29) == []
    assert _ids(_claim(store, "you", now=31)) == ["c-1:1:message:0", "c-1:2:message:0"]


def test_a_dead_letter_blocks_nothing(store: Store) -> None:
    done(store.save(commit("c-1", messages=3)))
    first, second, third = _claim(store, "me", until=60)

    assert store.bury(first.number, "me", "ValueError") is True

    assert done(store.acknowledge(second.number, "me")) is True, "the lease holds the rest"
    assert done(store.acknowledge(first.number, "me")) is False
    assert _ids(_claim(store, "you", now=60)) == [third.id]
    (dead,) = store.dead(0, 10)
    assert (dead.id, dead.tries, dead.reason, dead.lease) == (first.id, 1, "ValueError", "")
    assert (dead.conversation_id, dead.data, dead.number) == ("c-1", '{"n":0}', first.number)


def test_dead_letters_are_paged(store: Store) -> None:
    done(store.save(commit("c-1", messages=3)))
    first, second, third = _claim(store, "me")
    for message in (third, first, second):
        store.bury(message.number, "me", "E")

    assert _ids(list(store.dead(0, 2))) == [first.id, second.id]
    assert _ids(list(store.dead(second.number, 2))) == [third.id]


def test_a_revived_letter_stands_where_it_stood(store: Store) -> None:
    done(store.save(commit("c-1", messages=2)))
    first, second = _claim(store, "me", until=60)
    store.bury(first.number, "me", "E")

    assert store.revive(first.number) is True
    assert store.revive(first.number) is False
    assert store.revive(second.number) is False

    assert store.dead(0, 10) == []
    claimed = _claim(store, "you", now=60)
    assert [(each.id, each.tries, each.reason) for each in claimed] == [
        (first.id, 0, ""),
        (second.id, 0, ""),
    ]


def test_workers_that_claim_at_once_share_the_messages(store: Store) -> None:
    """Each message goes to one of them, and no conversation to two."""
    for number in range(30):
        done(store.save(commit(f"c-{number}", messages=2)))

    def work(name: int) -> list[OutboxMessage]:
        claimed: list[OutboxMessage] = []
        while some := store.claim(f"{name}-{len(claimed)}", DAY, ALWAYS, 4):
            claimed += some
        return claimed

    with ThreadPoolExecutor(6) as pool:
        shares = list(pool.map(work, range(6)))

    everything = [message.id for share in shares for message in share]
    assert sorted(everything) == sorted(
        f"c-{number}:1:message:{n}" for number in range(30) for n in range(2)
    )
    homes = [{message.conversation_id for message in share} for share in shares]
    assert sum(map(len, homes)) == 30


def test_a_queue_that_was_damaged_is_claimed_after_a_lease(store: Store) -> None:
    """Its row says that it begins where there is none of its messages."""
    for name in ("c-1", "c-2"):
        done(store.save(commit(name, messages=1)))
    damage = "UPDATE segue_queues SET first = -1000000 WHERE first IN (SELECT min(first) FROM"
    write(store, lambda database: database.execute(f"{damage} segue_queues)"))

    assert _ids(_claim(store, "me", until=60)) == ["c-2:1:message:0"]
    assert _ids(_claim(store, "you", now=59)) == []
    assert _ids(_claim(store, "you", now=60)) == ["c-1:1:message:0", "c-2:1:message:0"]


def test_a_claim_of_a_conversation_ends_what_another_lease_held_of_it(store: Store) -> None:
    done(store.save(commit("c-1", messages=2)))
    first, second = _claim(store, "me", until=60)

    assert _ids(_claim(store, "you", now=60, until=120, limit=1)) == [first.id]

    assert done(store.acknowledge(second.number, "me")) is False
    assert store.postpone(second.number, "me", at(500)) is False
    assert done(store.acknowledge(first.number, "you")) is True
    assert _ids(_claim(store, "them", now=61)) == [second.id]


def test_a_long_queue_is_claimed_in_parts_and_in_order(store: Store) -> None:
    """Messages that were stored long after the first one wait for it."""
    done(store.save(commit("c-1", messages=1)))
    done(store.save(commit("c-2", messages=300)))
    done(store.save(commit("c-1", 1, messages=1)))

    claimed = _claim(store, "me", limit=1000)

    assert len(claimed) == 1 + 256
    for message in claimed:
        assert done(store.acknowledge(message.number, "me"))
    rest = _ids(_claim(store, "you", limit=1000))
    assert rest == [*(f"c-2:1:message:{n}" for n in range(256, 300)), "c-1:2:message:0"]


# Kinds.


def test_messages_of_another_kind_wait_for_those_before_them(store: Store) -> None:
    done(store.save(commit("c-1", messages=["message", "message", "finding", "message"])))

    first, second = _claim(store, "a")
    assert _ids([first, second]) == ["c-1:1:message:0", "c-1:1:message:1"]
    assert done(store.acknowledge(first.number, "a"))
    assert _claim(store, "b") == []
    assert done(store.acknowledge(second.number, "a"))
    (finding,) = _claim(store, "b")
    assert finding.id == "c-1:1:finding:2"
    assert store.bury(finding.number, "b", "E")
    assert _ids(_claim(store, "c")) == ["c-1:1:message:3"]


def test_conversations_that_begin_with_an_unwanted_kind_are_left(store: Store) -> None:
    done(store.save(commit("c-1", messages=["message", "finding"])))
    done(store.save(commit("c-2", messages=["finding", "message"])))

    assert _claim(store, "me", without={"finding", "message"}) == []
    assert _ids(_claim(store, "me", without={"message"})) == ["c-2:1:finding:0"]
    assert _ids(_claim(store, "me")) == ["c-1:1:message:0"]


def test_the_limit_holds_for_each_kind(store: Store) -> None:
    for number in range(4):
        done(store.save(commit(f"c-{number}", messages=2)))
    done(store.save(commit("c-4", messages=["finding", "finding"])))

    assert _ids(_claim(store, "me", limit=3)) == [
        "c-0:1:message:0",
        "c-0:1:message:1",
        "c-1:1:message:0",
        "c-4:1:finding:0",
        "c-4:1:finding:1",
    ]


@pytest.mark.parametrize("until", [at(30), datetime(2126, 3, 1, tzinfo=UTC)])
def test_what_was_postponed_is_left_if_its_kind_is_unwanted(store: Store, until: datetime) -> None:
    """Also if a wrong clock wrote until when."""
    done(store.save(commit("c-1", messages=["finding", "finding"])))
    done(store.save(commit("c-2", messages=1)))
    for message in _claim(store, "me"):
        if message.id.endswith(":0"):
            assert store.postpone(message.number, "me", until)

    assert _ids(_claim(store, "a", now=30, without={"finding"})) == ["c-2:1:message:0"]
    assert _ids(_claim(store, "b", now=30)) == ["c-1:1:finding:0", "c-1:1:finding:1"]


def test_a_lease_of_an_unwanted_kind_that_ran_out_stays(store: Store) -> None:
    done(store.save(commit("c-1", messages=["finding"])))
    (message,) = _claim(store, "me", until=60)

    assert _claim(store, "you", now=60, without={"finding"}) == []
    assert done(store.acknowledge(message.number, "me")) is True


def test_a_revived_letter_gives_its_kind_to_its_conversation(store: Store) -> None:
    done(store.save(commit("c-1", messages=["finding", "message"])))
    (finding,) = _claim(store, "me")
    assert store.bury(finding.number, "me", "E")
    assert store.revive(finding.number)

    assert _claim(store, "me", without={"finding"}) == []
    assert _ids(_claim(store, "me", without={"message"})) == [finding.id]


def test_a_letter_that_was_revived_after_the_first_one_changes_no_kind(store: Store) -> None:
    done(store.save(commit("c-1", messages=["message", "finding", "message"])))
    for lease in "ab":
        (letter,) = _claim(store, lease)
        assert store.bury(letter.number, lease, "E")
    first, second = store.dead(0, 9)
    assert store.revive(first.number)
    assert _ids(_claim(store, "c", until=60)) == ["c-1:1:message:0", "c-1:1:message:2"]
    assert done(store.acknowledge(first.number, "c"))
    assert store.revive(second.number)

    assert _claim(store, "d", now=60, without={"finding"}) == []
    assert _ids(_claim(store, "d", now=60, until=120)) == ["c-1:1:finding:1"]


@pytest.mark.parametrize("kind", [b"?", b"", b"zz", b"\xff"])
def test_a_queue_whose_kind_was_damaged_delays_no_other(store: Store, kind: bytes) -> None:
    for name in ("c-1", "c-2"):
        done(store.save(commit(name, messages=["finding"])))
    value = "convert_from(?, 'LATIN1')" if isinstance(store, PostgresStore) else "CAST(? AS TEXT)"
    damage = (
        "UPDATE segue_queues SET kind = {} WHERE first IN (SELECT min(first) FROM segue_queues)"
    )
    write(store, lambda database: database.execute(damage.format(value), (kind,)))

    claimed = _ids(_claim(store, "me"))

    assert "c-2:1:finding:0" in claimed
    assert ("c-1:1:finding:0" in claimed) is kind.isascii()
