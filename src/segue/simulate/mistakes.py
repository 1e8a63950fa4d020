"""What senders get wrong: small edits of a clean conversation, at least one for every rule.

The table maps a rule to edits that offend it, each with a clause that says what the sender did.
House rules: an edit looks for a place that suits it and otherwise says no; whether the
conversation then gives exactly that finding is for the check to say (`plant`), and if not, another
conversation is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from json import dumps
from random import Random
from typing import Final

from segue.simulate import sequence_edits as slip
from segue.simulate.edit import (
    COMES,
    END,
    LEAVES,
    SUMMARY,
    Change,
    Edit,
    Make,
    act,
    after_end,
    any_of,
    before_release,
    by_stranger,
    change,
    drop,
    fields,
    insert,
    is_action,
    is_message,
    repeat,
    retype,
    swap,
    twin,
)
from segue.simulate.script import Item, Script

__all__ = ["MISTAKES", "NOTES", "Mistake", "Need"]


class Need(StrEnum):
    """What a log may be made without."""

    MESSAGES = "messages"
    TRANSCRIPTION = "transcription"
    ENVELOPES = "envelopes"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One way to offend a rule."""

    code: str
    title: str
    """What the sender did, as a clause."""
    edit: Edit
    needs: tuple[Need, ...] = ()
    """What there must be for it to go wrong."""


NOTES: Final = {
    "SG118": "the conversation began as a callback",
    "SG119": "the primary left the conversation to a consultant",
    "SG120": "the transfer came back to the agent who began it",
    "SG207": "another agent than the one who left redialled",
}
"""What is no mistake, may happen in any conversation, and is reported nevertheless."""


# Changes of one item.


def _set(field: str, value: object) -> Change:
    def how(_: Random, __: Script, item: Item) -> None:
        holder = fields(item)
        *parents, last = field.split(".")
        for parent in parents:
            holder = holder[parent]
        holder[last] = value

    return how


def _unset(field: str) -> Change:
    def how(_: Random, __: Script, item: Item) -> None:
        holder = fields(item)
        *parents, last = field.split(".")
        for parent in parents:
            holder = holder[parent]
        del holder[last]

    return how


def _envelope(field: str, value: object) -> Change:
    def how(_: Random, __: Script, item: Item) -> None:
        item.extra[field] = value

    return how


def _bot(_: Random, __: Script, item: Item) -> None:
    item.body["botId"] = "st-other"


def _spoil(spoil: Callable[[str], str]) -> Change:
    def how(_: Random, __: Script, item: Item) -> None:
        item.spoil = spoil

    return how


def _cut_body(_: Random, script: Script, item: Item) -> None:
    text = dumps(item.body)
    item.extra |= {"conversation_id": script.conversation_id, "body": text[: len(text) // 2]}


def _shout(_: Random, __: Script, item: Item) -> None:
    holder, field = (
        (item.event["participant"], "identity") if item.event else (item.body, "agentId")
    )
    holder[field] = holder[field].upper()


def _other_experience(_: Random, script: Script, item: Item) -> None:
    fields(item)["experience"] = "chat" if script.experience == "voice" else "voice"


# Items to put in.


def _event(**fields: object) -> Make:
    return lambda _, script, item: script.deliver(item.at, dict(fields))


def _later(later: int) -> Make:
    return lambda _, __, item: item.copy(later)


def _message(_: Random, script: Script, item: Item) -> Item:
    return script.message(item.at + 3_000, "USER", item.agent, "Hello? Are you still there?")


def _summary(locale: str) -> Make:
    return lambda _, script, item: script.summary(item.at + 1_500, locale)


def _delivery(**body: object) -> Make:
    def make(_: Random, script: Script, item: Item) -> Item:
        empty = script.deliver(item.at, {})
        del empty.body["events"]
        empty.body |= body
        return empty

    return make


_first = any_of("NA entry")
_opening = any_of("NA entry", "COLD entry")
_consult = any_of("WARM entry")
_exit = any_of(*LEAVES)
_transfer = any_of(*COMES, *LEAVES)
_end = any_of(END)
_named = any_of(*COMES, *LEAVES, END)
_acting = is_action("start", "pause", "resume", "end")
_starting = is_action("start")
_WRITTEN, _RECORDED, _TIMED = (Need.MESSAGES,), (Need.TRANSCRIPTION,), (Need.ENVELOPES,)

MISTAKES: Final = (
    # Family 1: the order of events.
    Mistake("SG101", "the first NA entry was lost", drop(_first, mute=True)),
    Mistake("SG101", "the first agent came in by COLD entry", retype("NA entry", "COLD entry")),
    Mistake("SG101", "the end came before anybody was in", slip.abandon),
    Mistake("SG102", "a consultant came in by NA entry", retype("WARM entry", "NA entry")),
    Mistake("SG102", "a COLD entry was sent as NA", retype("COLD entry", "NA entry")),
    Mistake("SG102", "a redial was sent as NA entry", retype("redial entry", "NA entry")),
    Mistake("SG103", "the COLD entry overtook the COLD exit", swap("COLD exit", "COLD entry")),
    Mistake("SG103", "a COLD exit was lost", drop(any_of("COLD exit"))),
    Mistake("SG105", "nobody took the transfer", before_release("COLD exit")),
    Mistake("SG106", "the summary overtook the NA exit", swap("NA exit", SUMMARY)),
    Mistake(
        "SG106", "the last NA exit was lost before the summary", drop(any_of("NA exit"), last=True)
    ),
    Mistake("SG107", "the last NA exit was lost", drop(any_of("NA exit"), last=True)),
    Mistake("SG107", "the user hung up during a transfer", slip.hang_up),
    Mistake("SG108", "the end was lost", drop(_end)),
    Mistake("SG109", "the end was sent twice", after_end(_later(2_000))),
    Mistake(
        "SG109",
        "the end was sent again for another reason",
        after_end(twin(reason="session_timeout")),
    ),
    Mistake("SG110", "a message came after the end", after_end(_message)),
    Mistake("SG110", "the summary was triggered after the end", after_end(_summary("en"))),
    Mistake("SG111", "the summary was triggered twice", insert(_summary("en-GB"), any_of(SUMMARY))),
    Mistake("SG112", "the NA exit of the dropped session was lost", drop(any_of("NA exit"))),
    Mistake(
        "SG113", "the last exit was sent as redial", retype("NA exit", "redial exit", last=True)
    ),
    Mistake("SG113", "a consultant left by redial exit", retype("WARM exit", "redial exit")),
    Mistake("SG114", "the agent redialled after the summary", slip.redial_after_summary),
    Mistake("SG115", "a redial was sent as COLD entry", retype("redial entry", "COLD entry")),
    Mistake("SG115", "a transfer began by NA exit", retype("COLD exit", "NA exit")),
    Mistake("SG116", "the primary left by COLD exit during a consult", slip.consult_and_transfer),
    Mistake("SG117", "a COLD entry was sent as WARM", retype("COLD entry", "WARM entry")),
    Mistake("SG118", NOTES["SG118"], retype("NA entry", "redial entry")),
    Mistake("SG119", NOTES["SG119"], slip.hand_off),
    Mistake("SG120", NOTES["SG120"], before_release("COLD exit", "COLD entry")),
    Mistake("SG121", "a COLD entry was sent as redial", retype("COLD entry", "redial entry")),
    Mistake("SG121", "a drop was announced as a transfer", retype("NA exit", "COLD exit")),
    # Family 2: who is present.
    Mistake("SG201", "an agent who was not in left", insert(by_stranger("WARM exit"), _opening)),
    Mistake("SG201", "an exit named another agent", change(any_of("NA exit"), slip.misdirect)),
    Mistake("SG201", "a consultant's entry was lost", drop(_consult, mute=True)),
    Mistake("SG202", "a consultant left by COLD exit", retype("WARM exit", "COLD exit")),
    Mistake("SG202", "a consultant left by NA exit", retype("WARM exit", "NA exit")),
    Mistake("SG202", "the last agent left by WARM exit", retype("NA exit", "WARM exit", last=True)),
    Mistake("SG203", "the primary joined once more", insert(twin("WARM entry"), _opening)),
    Mistake(
        "SG203",
        "an entry was sent again in another language",
        insert(twin(language="en-GB"), any_of(*COMES)),
    ),
    Mistake("SG204", "a consultant's WARM exit was lost", drop(any_of("WARM exit"))),
    Mistake(
        "SG205",
        "an agent who was not in wrote",
        change(is_message("AGENT"), slip.misdirect),
        _WRITTEN,
    ),
    Mistake("SG205", "an agent wrote after leaving", slip.wrote_after_leaving),
    Mistake("SG206", "an exit spelt the identity in capitals", change(_exit, _shout)),
    Mistake(
        "SG206",
        "a message spelt the agent in capitals",
        change(is_message("AGENT"), _shout),
        _WRITTEN,
    ),
    Mistake("SG206", "an action spelt the agent in capitals", change(_acting, _shout), _RECORDED),
    Mistake("SG207", NOTES["SG207"], slip.redial_by_another),
    Mistake("SG208", "a redial came while another agent was in", slip.redial_while_held),
    # Family 3: what stays the same within a conversation.
    Mistake("SG301", "the end named the other experience", change(_end, _other_experience)),
    Mistake(
        "SG301",
        "a message named the other experience",
        change(is_message(), _other_experience),
        _WRITTEN,
    ),
    Mistake("SG302", "the end named another bot", change(_end, _bot)),
    Mistake("SG302", "a message named another bot", change(is_message(), _bot), _WRITTEN),
    # Family 4: transcription.
    Mistake(
        "SG401", "transcription was controlled before it was started", drop(_starting), _RECORDED
    ),
    Mistake(
        "SG401",
        "transcription was resumed without a pause",
        insert(act("resume"), _starting),
        _RECORDED,
    ),
    Mistake("SG402", "a transcription action was sent twice", repeat(_acting), _RECORDED),
    Mistake(
        "SG403",
        "somebody else ended transcription",
        change(is_action("end"), slip.misdirect),
        _RECORDED,
    ),
    Mistake(
        "SG403", "somebody else started transcription", change(_starting, slip.misdirect), _RECORDED
    ),
    Mistake("SG404", "transcription ran on through a transfer", slip.run_on, _RECORDED),
    Mistake(
        "SG405",
        "a handover was announced and did not come",
        slip.change_mind,
        _RECORDED,
    ),
    Mistake("SG406", "a transfer was announced as a hold", slip.hold_for_handover, _RECORDED),
    Mistake(
        "SG406",
        "somebody was consulted when a transfer had been announced",
        slip.consult_in_handover,
        _RECORDED,
    ),
    Mistake("SG407", "transcription was never ended", drop(is_action("end"), last=True), _RECORDED),
    Mistake(
        "SG408",
        "transcription was started after the end",
        after_end(act("start", later=900)),
        _RECORDED,
    ),
    Mistake(
        "SG408",
        "transcription was resumed after the end",
        after_end(act("resume", later=900)),
        _RECORDED,
    ),
    # Family 5: the shape of a delivery.
    Mistake(
        "SG501",
        "a line was cut off",
        change(is_message(), _spoil(lambda text: text[:150])),
        _WRITTEN,
    ),
    Mistake("SG501", "a body was cut off", change(is_message(), _cut_body), _WRITTEN),
    Mistake(
        "SG501",
        "a key stood in a body twice",
        change(is_message(), _spoil(lambda text: text.replace('"query"', '"source": "", "query"'))),
        _WRITTEN,
    ),
    Mistake("SG502", "an exit did not name the agent", change(_exit, _unset("participant.name"))),
    Mistake(
        "SG502",
        "a message did not say where it came from",
        change(is_message(), _unset("source")),
        _WRITTEN,
    ),
    Mistake(
        "SG502",
        "a pause did not say what it was for",
        change(is_action("pause"), _unset("handover")),
        _RECORDED,
    ),
    Mistake("SG502", "the end gave no reason", change(_end, _unset("reason"))),
    Mistake("SG502", "the summary had no locale", change(any_of(SUMMARY), _unset("data.locale"))),
    Mistake(
        "SG503", "the agent's name came as a number", change(_exit, _set("participant.name", 101))
    ),
    Mistake("SG503", "a flag came as a number", change(_transfer, _set("isExtAD", 1))),
    Mistake(
        "SG503",
        "the text of a message came as a list",
        change(is_message(), _set("query", ["Hi"])),
        _WRITTEN,
    ),
    Mistake(
        "SG504", "an event had a name nobody knows", insert(_event(name="AGENT_TYPING"), _opening)
    ),
    Mistake(
        "SG504",
        "the summary was misspelt",
        change(any_of(SUMMARY), _set("name", "TRIGGER_SUMMARY")),
    ),
    Mistake(
        "SG505",
        "the participant was of an unknown type",
        change(_exit, _set("participant.type", "human")),
    ),
    Mistake("SG505", "an unknown transfer type came in", insert(twin("MONITOR entry"), _opening)),
    Mistake("SG505", "an agent neither came nor left", insert(twin("NA hold"), _opening)),
    Mistake(
        "SG505",
        "a message had an unknown author",
        change(is_message(), _set("author.type", "BOT")),
        _WRITTEN,
    ),
    Mistake("SG505", "transcription was stopped", insert(act("stop"), _starting), _RECORDED),
    Mistake(
        "SG505", "an event had an unknown experience", change(_named, _set("experience", "email"))
    ),
    Mistake(
        "SG506",
        "path and body named two bots",
        change(is_message(), _envelope("bot_id", "st-other")),
        _WRITTEN,
    ),
    Mistake(
        "SG507",
        "an id was left undefined",
        change(is_message("USER"), _set("agentId", "undefined")),
        _WRITTEN,
    ),
    Mistake(
        "SG507",
        "a placeholder was sent as an id",
        change(is_message("USER"), _set("agentId", "<agent_id>")),
        _WRITTEN,
    ),
    Mistake("SG508", "a delivery had no events in it", insert(_delivery(events=[]), _opening)),
    Mistake("SG508", "a delivery had nothing but ids", insert(_delivery(), _opening)),
    Mistake(
        "SG509",
        "a time could not be read",
        change(is_message(), _envelope("received_at", "yesterday, late")),
        _WRITTEN,
    ),
    Mistake(
        "SG509",
        "a time had sixty-one minutes",
        change(_transfer, _envelope("received_at", "2026-03-02T09:61:00.000Z")),
    ),
    # Family 6: how deliveries arrive.
    Mistake("SG601", "an event was delivered twice", repeat(any_of(*COMES, *LEAVES, SUMMARY))),
    Mistake("SG602", "the clock ran backwards", slip.turn_back_clock, (*_WRITTEN, *_TIMED)),
    Mistake("SG603", "a delivery id was used twice", slip.reuse_id, _WRITTEN),
)
"""At least one mistake for every rule, in the order of the codes."""
