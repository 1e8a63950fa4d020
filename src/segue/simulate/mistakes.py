"""What senders get wrong: one small edit of a clean conversation for every rule.

The table maps a rule to the edit that offends it.  An edit changes the script and returns True, or
finds nothing to change and returns False; whether the conversation then gives exactly that finding
is for the check to say (`plant`), and if not, another conversation is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from segue.simulate.people import AGENTS
from segue.simulate.script import Item, Script
from segue.simulate.walk import someone

__all__ = ["MISTAKES", "Mistake"]

Edit = Callable[[Random, Script], bool]

_BY_IDENTITY: Final = {agent.identity: agent for agent in AGENTS}


@dataclass(frozen=True, slots=True)
class Mistake:
    """One way to offend a rule."""

    code: str
    title: str
    """What the sender did, as a clause."""
    edit: Edit


def _pick(random: Random, indexes: list[int]) -> int | None:
    return random.choice(indexes) if indexes else None


def _drop(*kinds: str, last: bool = False) -> Edit:
    """Leave an item out."""

    def edit(random: Random, script: Script) -> bool:
        found = script.having(*kinds)
        index = _pick(random, found[-1:] if last else found)
        if index is None:
            return False
        del script.items[index]
        return True

    return edit


def _retype(kind: str, to: str, *, last: bool = False) -> Edit:
    """Send another kind of transfer."""

    def edit(random: Random, script: Script) -> bool:
        found = script.having(kind)
        index = _pick(random, found[-1:] if last else found)
        if index is None:
            return False
        _rename(script.items[index], to)
        return True

    return edit


def _rename(item: Item, kind: str) -> None:
    item.event["transfertype"], item.event["transition"] = kind.split(" ")


def _before_release(*kinds: str) -> Edit:
    """Insert transfers of the primary just before the last NA exit."""

    def edit(random: Random, script: Script) -> bool:
        index = _pick(random, script.having("NA exit")[-1:])
        if index is None:
            return False
        leaving = script.items[index]
        agent = _BY_IDENTITY[leaving.agent]
        script.items[index:index] = [
            script.transfer(leaving.at - 0.5 + 0.1 * step, kind, agent)
            for step, kind in enumerate(kinds)
        ]
        return True

    return edit


def _insert(kind: str, into: tuple[str, ...] = ("NA entry", "COLD entry")) -> Edit:
    """Insert a transfer by somebody who has no part in it, just after an entry."""

    def edit(random: Random, script: Script) -> bool:
        index = _pick(random, script.having(*into))
        if index is None:
            return False
        at = script.items[index].at + 0.05
        script.items.insert(index + 1, script.transfer(at, kind, someone(random, script)))
        return True

    return edit


def _after_end(make: Callable[[Random, Script, Item], list[Item]]) -> Edit:
    def edit(random: Random, script: Script) -> bool:
        end = script.items[-1]
        script.items += make(random, script, end)
        return True

    return edit


def _swap(first: str, second: str) -> Edit:
    """Let two neighbours arrive in the other order."""

    def edit(random: Random, script: Script) -> bool:
        items = script.items
        found = [
            index for index in script.having(first)
            if index + 1 < len(items) and items[index + 1].kind == second
        ]  # fmt: skip
        index = _pick(random, found)
        if index is None:
            return False
        one, two = items[index], items[index + 1]
        one.at, two.at = two.at, one.at
        items[index], items[index + 1] = two, one
        return True

    return edit


def _repeated_summary(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("summary"))
    if index is None:
        return False
    at = script.items[index].at + 0.4
    script.items.insert(index + 1, script.summary(at, locale="en-GB"))
    return True


def _redial_after_summary(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("summary"))
    if index is None or script.having("start"):
        return False
    agent = _BY_IDENTITY[script.items[-1].agent]
    at = script.items[index].at
    script.items[index + 1 : index + 1] = [
        script.transfer(at + 0.3, "redial entry", agent),
        script.transfer(at + 0.6, "NA exit", agent),
    ]
    return True


def _cold_while_consulting(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("COLD exit"))
    entries = script.having("COLD entry")
    if index is None or script.having("start"):
        return False
    after = [entry for entry in entries if entry > index]
    if not after:
        return False
    consultant = someone(random, script)
    leaving, entering = script.items[index], script.items[after[0]]
    script.items.insert(
        after[0] + 1, script.transfer(entering.at + 0.02, "WARM exit", consultant)
    )
    script.items.insert(index, script.transfer(leaving.at - 0.02, "WARM entry", consultant))
    return True


def _warm_handoff(random: Random, script: Script) -> bool:
    release = _pick(random, script.having("NA exit")[-1:])
    if release is None or script.having("start"):
        return False
    leaving = script.items[release]
    old, new = _BY_IDENTITY[leaving.agent], someone(random, script)
    script.items[release:release] = [
        script.transfer(leaving.at - 0.5, "WARM entry", new),
        script.transfer(leaving.at - 0.4, "WARM exit", old),
    ]
    leaving.event["participant"] = new.participant()
    return True


def _redial_by_another(random: Random, script: Script) -> bool:
    release = _pick(random, script.having("NA exit")[-1:])
    if release is None or script.having("start"):
        return False
    agent = someone(random, script)
    at = script.items[release].at
    script.items[release + 1 : release + 1] = [
        script.transfer(at + 0.3, "redial entry", agent),
        script.transfer(at + 0.6, "NA exit", agent),
    ]
    return True


def _redial_while_held(random: Random, script: Script) -> bool:
    found = script.having("COLD exit")
    index = _pick(random, found)
    if index is None or script.having("start"):
        return False
    entries = [entry for entry in script.having("COLD entry") if entry > index]
    if not entries:
        return False
    _rename(script.items[entries[0]], "redial entry")
    del script.items[index]
    return True


def _present_again(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("NA entry"))
    if index is None:
        return False
    item = script.items[index]
    script.items.insert(
        index + 1, script.transfer(item.at + 0.05, "WARM entry", _BY_IDENTITY[item.agent])
    )
    return True


def _absent_author(random: Random, script: Script) -> bool:
    index = _pick(random, script.where(lambda item: item.body.get("author") == {"type": "AGENT"}))
    if index is None:
        return False
    script.items[index].body["agentId"] = someone(random, script).identity
    return True


def _other_case(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("NA exit", "COLD exit", "WARM exit"))
    if index is None:
        return False
    participant = script.items[index].event["participant"]
    participant["identity"] = participant["identity"].upper()
    return True


def _other_experience(_: Random, script: Script) -> bool:
    script.items[-1].event["experience"] = "chat" if script.experience == "voice" else "voice"
    return True


def _other_bot(_: Random, script: Script) -> bool:
    script.items[-1].body["botId"] = "st-other"
    return True


def _acted_twice(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("start", "resume", "pause"))
    if index is None:
        return False
    script.items.insert(index + 1, script.items[index].copy(0.05))
    return True


def _stranger_acts(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("end"))
    actions = [i for i in script.having("end") if script.items[i].is_action]
    index = _pick(random, actions)
    if index is None:
        return False
    script.items[index].body["agentId"] = someone(random, script).identity
    return True


def _no_start(_: Random, script: Script) -> bool:
    starts = script.having("start")
    if len(starts) != 1:
        return False
    del script.items[starts[0]]
    return True


def _handovers(script: Script) -> list[int]:
    return script.where(lambda item: item.is_action and item.body.get("handover") is True)


def _no_handover(random: Random, script: Script) -> bool:
    index = _pick(random, _handovers(script))
    if index is None:
        return False
    starts = [start for start in script.having("start") if start > index]
    if not starts:
        return False
    del script.items[starts[0]]
    del script.items[index]
    return True


def _handover_for_nothing(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("start")[:1])
    if index is None or script.having("COLD exit"):
        return False
    item = script.items[index]
    script.items[index + 1 : index + 1] = [
        script.action(item.at + 0.05, "pause", item.agent, handover=True),
        script.action(item.at + 0.1, "resume", item.agent),
    ]
    return True


def _hold_for_handover(random: Random, script: Script) -> bool:
    index = _pick(random, _handovers(script))
    if index is None:
        return False
    starts = [start for start in script.having("start") if start > index]
    if not starts:
        return False
    script.items[index].body["handover"] = False
    script.items[starts[0]].body["action"] = "resume"
    return True


def _left_open(_: Random, script: Script) -> bool:
    actions = [i for i in script.having("end") if script.items[i].is_action]
    if not actions:
        return False
    del script.items[actions[-1]]
    return True


def _acted_late(_: Random, script: Script) -> bool:
    if not script.having("start"):
        return False
    end = script.items[-1]
    script.items.append(script.action(end.at + 1, "start", end.agent))
    return True


def _on_message(change: Callable[[Random, Script, Item], None]) -> Edit:
    """Change one message."""

    def edit(random: Random, script: Script) -> bool:
        index = _pick(random, script.having("message"))
        if index is None:
            return False
        change(random, script, script.items[index])
        return True

    return edit


def _cut_off(random: Random, script: Script, item: Item) -> None:
    item.cut = random.randint(120, 200)


def _sentinel(_: Random, script: Script, item: Item) -> None:
    item.body["author"] = {"type": "USER"}
    item.body["agentId"] = "undefined"


def _no_such_time(_: Random, script: Script, item: Item) -> None:
    item.extra["received_at"] = "yesterday, late"


def _envelope_bot(_: Random, script: Script, item: Item) -> None:
    item.extra["bot_id"] = "st-other"


def _on_exit(change: Callable[[dict[str, object]], None]) -> Edit:
    """Change the participant of an exit."""

    def edit(random: Random, script: Script) -> bool:
        index = _pick(random, script.having("NA exit", "COLD exit", "WARM exit"))
        if index is None:
            return False
        change(script.items[index].event["participant"])
        return True

    return edit


def _nameless(participant: dict[str, object]) -> None:
    del participant["name"]


def _numbered(participant: dict[str, object]) -> None:
    participant["name"] = 101


def _human(participant: dict[str, object]) -> None:
    participant["type"] = "human"


def _unheard_of(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("NA entry"))
    if index is None:
        return False
    at = script.items[index].at + 0.05
    script.items.insert(index + 1, script.deliver(at, {"name": "AGENT_TYPING_EVENT"}))
    return True


def _empty(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("NA entry"))
    if index is None:
        return False
    item = script.deliver(script.items[index].at + 0.05, {})
    item.body["events"] = []
    script.items.insert(index + 1, item)
    return True


def _redelivered(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("NA entry", "WARM entry", "COLD entry", "summary"))
    if index is None:
        return False
    script.items.insert(index + 1, script.items[index].copy(0.1))
    return True


def _clock_back(random: Random, script: Script) -> bool:
    index = _pick(random, script.having("message"))
    if index is None or index == 0 or script.items[index - 1].is_action:
        return False
    script.items[index].at = script.items[index - 1].at - 5
    return True


def _id_reused(random: Random, script: Script) -> bool:
    found = script.having("message")
    if len(found) < 2:  # noqa: PLR2004 - one to send, one to send under its id
        return False
    first, second = (script.items[index] for index in found[:2])
    first.extra["delivery_id"] = second.extra["delivery_id"] = f"d-{random.randint(1000, 9999)}"
    second.body["query"] = f"{second.body['query']} Really."
    return True


MISTAKES: Final = tuple(
    Mistake(code, title, edit)
    for code, title, edit in (
        ("SG101", "the first NA entry was lost", _drop("NA entry")),
        ("SG102", "a consultant came in by NA entry", _retype("WARM entry", "NA entry")),
        ("SG103", "the COLD entry overtook the COLD exit", _swap("COLD exit", "COLD entry")),
        ("SG105", "nobody took the transfer", _before_release("COLD exit")),
        ("SG106", "the summary overtook the NA exit", _swap("NA exit", "summary")),
        ("SG107", "the last NA exit was lost", _drop("NA exit", last=True)),
        ("SG108", "the end was lost", _drop("end", last=True)),
        (
            "SG109",
            "the end was sent twice",
            _after_end(lambda _r, _s, end: [end.copy(2.0)]),
        ),
        (
            "SG110",
            "a message came after the end",
            _after_end(
                lambda random, script, end: [
                    script.message(end.at + 3, "USER", end.agent, "Hello?"),
                ],
            ),
        ),
        ("SG111", "the summary was triggered twice", _repeated_summary),
        ("SG112", "the NA exit of the dropped session was lost", _drop("NA exit")),
        ("SG113", "the last exit was sent as redial", _retype("NA exit", "redial exit", last=True)),
        ("SG114", "the agent redialled after the summary", _redial_after_summary),
        ("SG115", "a redial was sent as COLD entry", _retype("redial entry", "COLD entry")),
        ("SG116", "the primary left by COLD exit during a consult", _cold_while_consulting),
        ("SG117", "a COLD entry was sent as WARM", _retype("COLD entry", "WARM entry")),
        ("SG118", "the conversation is a callback", _retype("NA entry", "redial entry")),
        ("SG119", "the primary handed off to the consultant", _warm_handoff),
        ("SG120", "the transfer came back", _before_release("COLD exit", "COLD entry")),
        ("SG121", "a COLD entry was sent as redial", _retype("COLD entry", "redial entry")),
        ("SG201", "an agent who was not in left", _insert("WARM exit")),
        ("SG202", "a consultant left by COLD exit", _retype("WARM exit", "COLD exit")),
        ("SG203", "the primary joined once more", _present_again),
        ("SG204", "the consultant's WARM exit was lost", _drop("WARM exit", last=True)),
        ("SG205", "an agent who was not in wrote", _absent_author),
        ("SG206", "an exit spelt the identity in capitals", _other_case),
        ("SG207", "another agent redialled", _redial_by_another),
        ("SG208", "a redial came while another agent was in", _redial_while_held),
        ("SG301", "the end named the other experience", _other_experience),
        ("SG302", "the end named another bot", _other_bot),
        ("SG401", "transcription was controlled before it was started", _no_start),
        ("SG402", "a transcription action was sent twice", _acted_twice),
        ("SG403", "somebody else ended transcription", _stranger_acts),
        ("SG404", "transcription ran on through a transfer", _no_handover),
        ("SG405", "a handover was announced and did not come", _handover_for_nothing),
        ("SG406", "a transfer was announced as a hold", _hold_for_handover),
        ("SG407", "transcription was never ended", _left_open),
        ("SG408", "transcription was started after the end", _acted_late),
        ("SG501", "a line was cut off", _on_message(_cut_off)),
        ("SG502", "an exit did not name the agent", _on_exit(_nameless)),
        ("SG503", "the agent's name came as a number", _on_exit(_numbered)),
        ("SG504", "an event has a name nobody knows", _unheard_of),
        ("SG505", "the participant is of an unknown type", _on_exit(_human)),
        ("SG506", "path and body named two bots", _on_message(_envelope_bot)),
        ("SG507", "an id was left undefined", _on_message(_sentinel)),
        ("SG508", "a delivery was empty", _empty),
        ("SG509", "a time could not be read", _on_message(_no_such_time)),
        ("SG601", "an event was delivered twice", _redelivered),
        ("SG602", "the clock ran backwards", _clock_back),
        ("SG603", "a delivery id was used twice", _id_reused),
    )
)
"""At least one mistake for every rule."""
