"""A second opinion on the lifecycle rules, written from the normative page alone.

It is plain imperative logic around the agents of one conversation, not a table. The words in
double quotes next to the branches are those of sections 3 and 4 of the page (P = primary,
C = consultants in order of entry, L = the agent who last left the primary place, a = the
event's agent). Shape findings and families 3-6 other than SG601 are out of scope.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

MESSAGES = frozenset({"user message", "agent message"})
TRANSFERS = frozenset(
    {
        *("NA entry", "NA exit", "COLD entry", "COLD exit"),
        *("WARM entry", "WARM exit", "redial entry", "redial exit"),
    }
)
KINDS = MESSAGES | TRANSFERS | {"summary", "end"}

# Section 5, the codes this oracle can give; every other one of them is an error.
NOTES = frozenset(
    {"SG105", "SG116", "SG118", "SG119", "SG120", "SG122", "SG123", "SG207"},
)
WARNINGS = frozenset(
    {
        *("SG111", "SG112", "SG114", "SG121"),
        *("SG203", "SG205", "SG206", "SG601"),
    }
)


@dataclass(frozen=True)
class Ev:
    """One event; two that compare equal are equal as JSON values."""

    kind: str
    agent: str = ""
    tag: str = ""


@dataclass(frozen=True)
class Verdict:
    """What the page says about a closed log."""

    findings: list[tuple[int | None, str]]
    phase: str

    @property
    def valid(self) -> bool:
        """No finding is an error."""
        return all(severity(code) != "error" for _, code in self.findings)


@dataclass(frozen=True)
class Mark:
    """An excused or owed agent, and the position of the event that made it so."""

    kind: Literal["excused", "owed"]
    since: int


def severity(code: str) -> str:
    """Give the severity of a rule (section 5)."""
    if code in NOTES:
        return "note"
    if code in WARNINGS:
        return "warning"
    return "error"


def judge(events: Sequence[Ev], partial: str = "") -> Verdict:
    """Judge one conversation; `partial` is "", "end", "start" or "both"."""
    if partial not in ("", "end", "start", "both"):
        raise ValueError(f"not a kind of partial log: {partial!r}")
    conversation = _Conversation(begins_late=partial in ("start", "both"))
    findings: list[tuple[int | None, str]] = []
    for position, ev in enumerate(events):
        if ev.kind not in KINDS:
            raise ValueError(f"not a kind of event: {ev.kind!r}")
        findings += [(position, code) for code in conversation.see(position, ev)]
    # §4: "partial="end" (the log stops early) skips the close"
    if partial not in ("end", "both"):
        findings += [(None, code) for code in conversation.close()]
    return Verdict(findings, conversation.phase())


def candidates(events: Sequence[Ev]) -> set[str]:
    """Give the agents of whom one is P, while it is not known who."""
    conversation = _Conversation(begins_late=False)
    for position, ev in enumerate(events):
        conversation.see(position, ev)
    return conversation.candidates if conversation.stage == "held" else set()


class _Conversation:
    """Where one conversation stands."""

    def __init__(self, *, begins_late: bool) -> None:
        # §4: with `partial="start"` "every agent who is first seen leaving, or consulting before
        # an entry of its own, is taken to have been there, silently", a P=? from the beginning.
        self.begins_late = begins_late
        self.unseen: str | None = None  # the event's agent, when no event has named it before
        self.position = 0
        # "held" is active or consulting: somebody has the primary place.
        self.stage = "held" if begins_late else "waiting"
        # Every agent a transfer event has named: "primary", "consultant" or "gone".
        # Consultants stand in order of entry.
        self.status: dict[str, str] = {}
        self.unknown_primary = begins_late  # P=?
        # Those of whom one is P, "until an exit, a later entry or being alone tells".
        self.candidates: set[str] = set()
        self.last_primary: str | None = None  # L
        self.marks: dict[str, Mark] = {}
        # For an agent whose last entry gave SG102 (silenced or not), SG103 or SG208: the
        # agent it replaced, and the position of that entry.
        self.replaced: dict[str, tuple[str, int]] = {}
        # §3: agents who were consulting, by their latest exit, no entry or exit of theirs since.
        self.was_consulting: set[str] = set()
        # §4: "the last lifecycle event was ..."; both live for one lifecycle event only.
        self.in_doubt = False
        self.summary_gave_sg106 = False
        self.previous: Ev | None = None  # the previous lifecycle event
        self.any_event = False
        self.said_sg101 = False
        self.said_sg110 = False
        self.na_entry_seen = False
        # §4: "at most 64 absences and 64 spellings of SG206 are remembered"
        self.spellings_said: set[str] = set()
        self.absences_said: set[str] = set()

    def copy(self) -> "_Conversation":
        """Give one that may go another way."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | set):
                setattr(other, name, value.copy())
        return other

    # -- who is there ----------------------------------------------------------------

    def phase(self) -> str:
        """Name the phase; "active" means `consulting` when C is not empty."""
        if self.stage != "held":
            return self.stage
        return "consulting" if self.consultants() else "active"

    def primary(self) -> str | None:
        """Give the named P; None when nobody is, or P=?."""
        for agent, status in self.status.items():
            if status == "primary":
                return agent
        return None

    def consultants(self) -> list[str]:
        """Give C, the earliest first."""
        return [agent for agent, status in self.status.items() if status == "consultant"]

    def others(self, a: str) -> list[str]:
        """Give the consultants but a."""
        return [agent for agent in self.consultants() if agent != a]

    def is_primary(self, a: str) -> bool:
        """Say whether a=P."""
        return self.status.get(a) == "primary"

    def is_consultant(self, a: str) -> bool:
        """Say whether a is in C."""
        return self.status.get(a) == "consultant"

    def is_present(self, a: str) -> bool:
        """Say whether a is P or in C (an excused or owed agent is not present)."""
        return self.is_primary(a) or self.is_consultant(a)

    # -- moves of agents -------------------------------------------------------------

    def clear_by_entry(self, a: str) -> None:
        """Begin a's new entry."""
        # §4: "once for each absence of a (until a is present again ...)"
        self.absences_said.discard(a)
        # §4: "An entry by an excused or owed agent clears the mark"
        self.marks.pop(a, None)
        # "a's last entry" is from now on this one.
        self.replaced.pop(a, None)

    def enter_as_primary(self, a: str) -> None:
        """P=a by a's entry into a free or unknown primary place."""
        self.clear_by_entry(a)
        self.unknown_primary = False  # "has no segment until named"
        self.status[a] = "primary"  # "P=a always takes a out of C"
        self.stage = "held"

    def enter_replacing(self, a: str, mark: Literal["excused", "owed"], *, remember: bool) -> None:
        """P=a by a's entry into the place of a named P, who gets the mark."""
        old = self.primary()
        assert old is not None
        assert old != a
        self.enter_as_primary(a)
        self.status[old] = "gone"
        self.marks[old] = Mark(mark, self.position)
        if remember:
            self.replaced[a] = (old, self.position)

    def enter_as_consultant(self, a: str) -> None:
        """C+a."""
        self.clear_by_entry(a)
        self.status.pop(a, None)  # to the end of the order of entry
        self.status[a] = "consultant"
        self.stage = "held"

    def primary_becomes_unknown(self) -> None:
        """P=?."""
        self.unknown_primary = True
        self.stage = "held"

    def hand_over(self) -> None:
        """P is one of the consultants: the only one; with several P=?, nobody is preferred."""
        self.unknown_primary = True
        self.candidates = set(self.consultants())
        self.alone_tells()

    def alone_tells(self) -> None:
        """P is the only one left of those who may be P."""
        self.candidates &= set(self.consultants()) if self.unknown_primary else set()
        if len(self.candidates) == 1:
            self.status[self.candidates.pop()] = "primary"
            self.unknown_primary = False

    def leave(self, a: str) -> None:
        """The agent is not there after its own exit."""
        self.status[a] = "gone"

    def excuse(self, a: str) -> None:
        """The agent's presence is "ended by believing a later event"."""
        self.status[a] = "gone"
        self.marks[a] = Mark("excused", self.position)

    def excuse_all_present(self) -> None:
        """All present excused; "? ... is never excused"."""
        for agent in [agent for agent in self.status if self.is_present(agent)]:
            self.excuse(agent)
        self.unknown_primary = False

    def release(self, a: str) -> None:
        """Released, L=a by a's own exit; whoever is still there is excused."""
        self.leave(a)
        self.excuse_all_present()
        self.last_primary = a
        self.stage = "released"

    def start_transfer(self, a: str) -> None:
        """Transferring, L=a by a's own exit; C kept."""
        self.leave(a)
        self.unknown_primary = False
        self.last_primary = a
        self.stage = "transferring"

    def go_on_as_released(self, *, in_doubt: bool) -> None:
        """Before a summary, an END or the close: released after all, where the page says so."""
        doubted = in_doubt and self.stage in ("held", "transferring")
        # P=?: "Summary, END or close with C empty: as after release, none."
        nobody_named = self.unknown_primary and not self.consultants()
        if doubted or nobody_named:
            # §4: "L=P; L stays when there is no named P; all present excused"
            named = self.primary()
            if named is not None:
                self.last_primary = named
            self.excuse_all_present()
            self.stage = "released"

    def missing_na_entry(self) -> str:
        """Give SG101, "once per conversation"."""
        if self.said_sg101:
            return ""
        self.said_sg101 = True
        return "SG101"

    # -- one event -------------------------------------------------------------------

    def see(self, position: int, ev: Ev) -> list[str]:
        """Take one event and give the codes it is reported with."""
        self.position = position
        if ev.kind in TRANSFERS and not ev.agent:
            return []  # unprocessable: "keeps its position and is skipped"
        self.any_event = True
        if self.stage == "ended":
            return self.after_the_end(ev)
        if ev.kind in MESSAGES:
            return self.message(ev)

        if ev.kind != "end" and ev == self.previous:
            # §4: "a lifecycle event (END excepted) that would give a warning or an error of
            # families 1-2 (severities of §5, before policy) and equals, as a JSON value, the
            # conversation's previous lifecycle event gives SG601 instead of all its findings
            # and changes nothing; it stays the previous one."
            before = vars(self.copy())
            codes = self.lifecycle_event(ev)
            if any(severity(code) in ("warning", "error") for code in codes):
                vars(self).update(before)
                return ["SG601"]
            return codes
        return self.lifecycle_event(ev)

    def lifecycle_event(self, ev: Ev) -> list[str]:
        """Apply one lifecycle event in any phase but `ended`."""
        first = self.previous is None
        self.previous = ev
        # What the last lifecycle event left behind is for this one only.
        in_doubt, self.in_doubt = self.in_doubt, False
        sg106_before, self.summary_gave_sg106 = self.summary_gave_sg106, False

        a, misspelt = self.identify(ev)
        self.unseen = a if self.begins_late and a not in self.status else None
        if ev.kind in TRANSFERS:
            self.status.setdefault(a, "gone")  # known from now on

        if ev.kind == "summary":
            code = self.summary(in_doubt=in_doubt)
        elif ev.kind == "end":
            code = self.end(in_doubt=in_doubt, sg106_before=sg106_before)
        elif ev.kind.endswith("entry"):
            code = self.entry(ev.kind, a, in_doubt=in_doubt)
            # §3: "no entry or exit of a since"
            self.was_consulting.discard(a)
        else:
            # In a log that begins late a P, or an agent not seen before, may have consulted.
            maybe = self.is_primary(a) or a == self.unseen
            left_c = self.is_consultant(a) or (self.begins_late and maybe)
            code = self.exit(ev.kind, a)
            if ev.kind == "redial exit" and first and self.begins_late:
                code = ""
            left_c = left_c and ev.kind in ("WARM exit", "redial exit") and not self.is_present(a)
            # §3: "a's latest exit was a WARM or redial exit that took a out of C", "no entry or
            # exit of a since, a consumed one or one that gave SG201 included"
            self.was_consulting.discard(a)
            if left_c:
                self.was_consulting.add(a)
        self.alone_tells()
        return self.own_rule_first(code, ev, misspelt=misspelt)

    def entry(self, kind: str, a: str, *, in_doubt: bool) -> str:
        """Choose by the kind of entry."""
        if kind == "NA entry":
            return self.na_entry(a)
        if kind == "COLD entry":
            return self.cold_entry(a, in_doubt=in_doubt)
        if kind == "WARM entry":
            return self.warm_entry(a)
        return self.redial_entry(a, in_doubt=in_doubt)

    def exit(self, kind: str, a: str) -> str:
        """Choose by the kind of exit."""
        if kind == "redial exit":
            # §4: "A redial exit never consumes."
            return self.redial_exit(a)
        if a in self.marks:
            # §4: "Consuming comes before everything below, in every phase but `ended`."
            return self.consume(kind, a)
        if kind == "NA exit":
            return self.na_exit(a)
        if kind == "COLD exit":
            return self.cold_exit(a)
        return self.warm_exit(a)

    def identify(self, ev: Ev) -> tuple[str, bool]:
        """Give the agent meant, and whether its identity was spelt in another case."""
        # §4: "an exit, redial, message ... whose identity matches no known agent of the
        # conversation exactly and exactly one of them ignoring case is taken as that agent"
        if ev.kind not in MESSAGES and ev.kind not in (
            *("NA exit", "COLD exit", "WARM exit"),
            *("redial entry", "redial exit"),
        ):
            return ev.agent, False
        if ev.agent in self.status:
            return ev.agent, False
        same = [known for known in self.status if known.casefold() == ev.agent.casefold()]
        if len(same) == 1:
            return same[0], True
        return ev.agent, False

    def own_rule_first(self, code: str, ev: Ev, *, misspelt: bool) -> list[str]:
        """Order the findings of one place: own rule, then SG206 "(once per spelling)"."""
        codes = [code] if code else []
        # §4: "at most 64 absences and 64 spellings ...; then both are silent"
        if misspelt and ev.agent not in self.spellings_said and len(self.spellings_said) < 64:
            self.spellings_said.add(ev.agent)
            codes.append("SG206")
        return codes

    def consume(self, kind: str, a: str) -> str:
        """Take the first later exit of an excused or owed agent."""
        mark = self.marks.pop(a)
        if kind == "NA exit":
            # in doubt: "the last lifecycle event was an NA exit that did not release
            # (consumed, or SG202)"
            self.in_doubt = True
        if mark.kind == "excused":
            # §4: "The first later NA, COLD or WARM exit of an excused agent consumes the mark
            # without a finding and changes nothing else."
            return ""
        # owed: "Its first later COLD exit consumes the mark without a finding; an NA or WARM
        # exit consumes it with SG202."
        return "" if kind == "COLD exit" else "SG202"

    # -- entries ---------------------------------------------------------------------

    def na_entry(self, a: str) -> str:
        """NA entry."""
        # §4: "the first NA entry of a conversation (whatever it gives), when it comes after
        # SG101, gives no SG102 (old P excused)"
        silenced = self.said_sg101 and not self.na_entry_seen
        self.na_entry_seen = True
        repeated = "" if silenced else "SG102"

        if self.stage == "waiting":
            # §3: "waiting | NA entry | active, P=a"
            self.enter_as_primary(a)
            return ""
        if self.stage == "held":
            if self.is_present(a):
                # §4: "NA entry, COLD entry or WARM entry, a present | SG203 | unchanged"
                return "SG203"
            if self.unknown_primary:
                # §4: "NA or redial entry by an agent not present ... -> P=a, none"
                self.enter_as_primary(a)
                return ""
            # §4: "NA entry, a not present | SG102 | P=a, old P excused"
            self.enter_replacing(a, "excused", remember=True)
            return repeated
        # §4: "transferring | NA entry (a in C too) | SG102 | P=a"
        # §4: "released, summarized | NA entry ... | SG102 ... | active, P=a"
        self.enter_as_primary(a)
        return repeated

    def cold_entry(self, a: str, *, in_doubt: bool) -> str:
        """COLD entry."""
        if self.stage == "waiting":
            # §4: "waiting | COLD entry ... | SG101 | P=a"
            self.enter_as_primary(a)
            return self.missing_na_entry()
        if self.stage == "held":
            return self.cold_entry_held(a, in_doubt=in_doubt)
        if self.stage == "transferring":
            # §3: "transferring | COLD entry (note SG120 when a=L) | active, P=a"
            self.enter_as_primary(a)
            return "SG120" if a == self.last_primary else ""
        # §4: "released, summarized | ... COLD entry | ... SG115 | active, P=a"
        self.enter_as_primary(a)
        return "SG115"

    def cold_entry_held(self, a: str, *, in_doubt: bool) -> str:
        """COLD entry in active or consulting."""
        if self.unknown_primary:
            # §4: "any COLD entry -> P=a, none"
            self.enter_as_primary(a)
            return ""
        if self.is_primary(a):
            # §4: "a present | SG203 | unchanged (COLD entry, a in C: the next row)"
            return "SG203"
        if in_doubt and not self.is_present(a):
            # §4: "a COLD entry by an agent not present is then P=a without SG103 (old P
            # excused)"
            self.enter_replacing(a, "excused", remember=False)
            return ""
        # §4: "COLD entry, a≠P | SG103 | P=a, old P owed"
        self.enter_replacing(a, "owed", remember=True)
        return "SG103"

    def warm_entry(self, a: str) -> str:
        """WARM entry."""
        if self.stage == "waiting":
            # §4: "waiting | ... WARM entry | SG101 | ... P=?, C={a}"
            self.enter_as_consultant(a)
            self.primary_becomes_unknown()
            return self.missing_na_entry()
        if self.stage == "held":
            if self.is_present(a):
                # §4: "... or WARM entry, a present | SG203 | unchanged"
                return "SG203"
            # §3: "active, consulting | WARM entry, a not present | consulting, C+a"
            self.enter_as_consultant(a)
            return ""
        if self.stage == "transferring":
            # §4: "transferring | WARM entry, a not in C / in C | SG117 / SG203 | P=?, C+a /
            # unchanged"
            if self.is_consultant(a):
                return "SG203"
            self.enter_as_consultant(a)
            self.primary_becomes_unknown()
            return "SG117"
        # §4: "released, summarized | WARM entry | SG115 | P=?, C={a}"
        self.enter_as_consultant(a)
        self.primary_becomes_unknown()
        return "SG115"

    def redial_entry(self, a: str, *, in_doubt: bool) -> str:
        """Redial entry."""
        if self.stage == "waiting":
            # §3: "waiting | redial entry (a callback; note SG118) | active, P=a"
            self.enter_as_primary(a)
            return "SG118"
        if self.stage == "held":
            return self.redial_entry_held(a, in_doubt=in_doubt)
        if self.stage == "transferring":
            # §4: "transferring | redial entry (a in C too) | SG121 | P=a"
            self.enter_as_primary(a)
            return "SG121"
        if self.stage == "released":
            # §3: "released | redial entry (note SG207 when a≠L) | active, P=a"
            self.enter_as_primary(a)
            return "SG207" if a != self.last_primary else ""
        # §4: "summarized | redial entry | SG114 | active, P=a"
        self.enter_as_primary(a)
        return "SG114"

    def redial_entry_held(self, a: str, *, in_doubt: bool) -> str:
        """Redial entry in active or consulting."""
        if self.is_present(a):
            # in doubt: "a redial entry by P is a new connection without SG112"
            if in_doubt and self.is_primary(a):
                return ""
            # §4: "redial entry, a present ... | SG112 ... | new connection"; "SG112 and
            # SG203 are no entries here"
            return "SG112"
        if a == self.unseen and not (self.unknown_primary and not self.consultants()):
            # Begins late: somebody else is there, so a was consulting "before an entry of its own".
            self.enter_as_consultant(a)
            return ""
        if self.unknown_primary and not (self.begins_late and a in self.was_consulting):
            # §4: "NA or redial entry by an agent not present ... -> P=a, none"
            self.enter_as_primary(a)
            return ""
        if a in self.was_consulting:
            # §3: "redial entry, a not present and was consulting (... P named) (note SG123) |
            # consulting, C+a, a new connection of a's segment"
            self.enter_as_consultant(a)
            return "SG123"
        # §4: "redial entry, ... not present (but §3) | ... SG208 | ... P=a, old P excused"
        self.enter_replacing(a, "excused", remember=True)
        return "SG208"

    # -- exits (of agents without a mark) ----------------------------------------------

    def na_exit(self, a: str) -> str:
        """NA exit."""
        if self.stage == "waiting":
            # §4: "waiting | NA exit ... | SG101 | released L=a"
            self.release(a)
            return self.missing_na_entry()
        if self.stage == "held":
            return self.na_exit_held(a)
        if self.stage == "transferring":
            others = self.others(a)
            if self.is_consultant(a):
                # §3: "transferring | NA exit, a alone in C (a took over when P left) | released"
                # §4: "NA exit: ... a in C with others ... | SG204 ... | released L=a, C excused"
                code = "SG204" if others else ""
            elif a == self.last_primary:
                # §3: "NA exit, a=L and C empty (nobody took over; note SG105) | released, L=a"
                # §4: "NA exit: a=L with C not empty ... | SG204 ... | released L=a, C excused"
                code = "SG204" if others else "SG105"
            else:
                # §4: "NA exit: ... otherwise (but §3) | ... SG201 | released L=a, C excused"
                code = "SG201"
                if a == self.unseen:  # begins late: a took over when P left
                    code = "SG204" if others else ""
            self.release(a)
            return code
        # §4: "released, summarized | NA / COLD / WARM exit | SG201 | unchanged (L too)"
        return "SG201"

    def na_exit_held(self, a: str) -> str:
        """NA exit in active or consulting."""
        others = self.others(a)
        if self.unknown_primary and not (self.is_consultant(a) and others):
            # P=?: "NA exit by an agent not in C, or by the only one in C -> released L=a
            # (SG204 if another consultant stays)"
            self.release(a)
            return "SG204" if others else ""
        if self.is_primary(a):
            # §3: "active | NA exit, a=P | released, L=a"
            # §4: "consulting | NA exit, a=P | SG204 | released L=a, C excused"
            self.release(a)
            return "SG204" if others else ""
        if self.is_consultant(a):
            # §4: "consulting | NA or COLD exit, a in C | SG202 | C without a"
            self.leave(a)
            # in doubt: "an NA exit that did not release (consumed, or SG202)"
            self.in_doubt = True
            return "SG202"
        # §4: "NA exit, a not present | SG201 | released L=a, all present excused"
        self.release(a)
        return "" if a == self.unseen else "SG201"

    def cold_exit(self, a: str) -> str:
        """COLD exit."""
        if self.stage == "waiting":
            # §4: "waiting | ... COLD exit ... | SG101 | ... transferring L=a"
            self.start_transfer(a)
            return self.missing_na_entry()
        if self.stage == "held":
            return self.cold_exit_held(a)
        if self.stage == "transferring":
            # §4: "COLD exit: a in C with others / otherwise (but §3) | SG202 / SG201 | C without
            # a / unchanged (L too)"
            if not self.is_consultant(a) and a != self.unseen:
                return "SG201"
            if self.others(a):
                self.leave(a)
                return "SG202"
            # §3: "COLD exit, a alone in C (a took over when P left, and is replaced ...) |
            # transferring, L=a, C empty"
            self.start_transfer(a)
            return ""
        # §4: "released, summarized | NA / COLD / WARM exit | SG201 | unchanged (L too)"
        return "SG201"

    def cold_exit_held(self, a: str) -> str:
        """COLD exit in active or consulting."""
        if self.unknown_primary:
            # P=?: "COLD exit by an agent not in C -> transferring L=a (SG116 if C is not
            # empty); by one in C -> transferring L=a, C without a, none"
            code = "SG116" if self.consultants() and not self.is_consultant(a) else ""
            self.start_transfer(a)
            return code
        if self.is_primary(a):
            # §3: "active | COLD exit, a=P | transferring, L=a"
            # §3: "consulting | COLD exit, a=P (note SG116) | transferring, L=a, C kept"
            self.start_transfer(a)
            return "SG116" if self.consultants() else ""
        if self.is_consultant(a):
            # §4: "consulting | NA or COLD exit, a in C | SG202 | C without a"
            self.leave(a)
            return "SG202"
        # §4: "COLD exit, a not present | SG201 | transferring L=a, P excused, C kept"
        old = self.primary()
        assert old is not None
        self.excuse(old)
        self.start_transfer(a)
        return "" if a == self.unseen else "SG201"

    def warm_exit(self, a: str) -> str:
        """WARM exit."""
        if self.stage == "waiting":
            # §4: "waiting | ... WARM exit | SG101 | ... waiting"
            return self.missing_na_entry()
        if self.stage == "held":
            return self.warm_exit_held(a)
        if self.stage == "transferring":
            # §4: "transferring | WARM exit: a in C / otherwise | none / SG201 | C without a /
            # unchanged"
            if self.is_consultant(a) or a == self.unseen:
                self.leave(a)
                return ""
            return "SG201"
        # §4: "released, summarized | NA / COLD / WARM exit | SG201 | unchanged (L too)"
        return "SG201"

    def warm_exit_held(self, a: str) -> str:
        """WARM exit in active or consulting."""
        if self.is_consultant(a):
            # §3: "consulting | WARM exit, a in C | C without a"
            self.leave(a)
            return ""
        if self.is_primary(a):
            return self.warm_exit_of_primary(a)
        if a == self.unseen:
            return ""  # begins late: a consultant, or P who leaves somebody no event named
        if self.unknown_primary:
            # P=?: "WARM exit by an agent not in C: the only consultant becomes P, none; with
            # several or none unchanged (P=?), none"
            if len(self.consultants()) == 1:
                self.hand_over()
            return ""
        # §4: "WARM exit, a not present | SG201 | unchanged; exactly one consultant: it is
        # excused and gone"
        if len(self.consultants()) == 1:
            self.excuse(self.consultants()[0])
        return "SG201"

    def warm_exit_of_primary(self, a: str) -> str:
        """WARM exit, a=P."""
        if a in self.replaced:
            # §4: "a's last entry gave SG102 (silenced or not), SG103 or SG208 and the agent b it
            # replaced is still excused or owed (before §3 ...) | none | P=b, b's mark
            # cleared, C kept, what is known of b's own entry kept"
            b, when = self.replaced[a]
            mark = self.marks.get(b)
            if mark is not None and mark.since == when:
                del self.marks[b]
                self.leave(a)
                self.status[b] = "primary"
                return ""
        self.leave(a)
        if self.consultants():
            # §3: "consulting | WARM exit, a=P (note SG119) | the only consultant becomes P; with
            # several P=? (nobody is preferred), C kept"
            self.hand_over()
            return "SG119"
        # §4: "active | WARM exit, a=P | SG202 | P=?"
        self.primary_becomes_unknown()
        # Begins late: a consultant whom no event named may be there.
        return "" if self.begins_late else "SG202"

    def redial_exit(self, a: str) -> str:
        """Redial exit."""
        # §4: "any but ended | redial exit: a=P / a in C / otherwise | SG113 | in doubt / C without
        # a / unchanged"
        if self.is_primary(a):
            self.in_doubt = True
        elif self.is_consultant(a):
            self.leave(a)
        return "SG113"

    # -- summary, END, messages, close -------------------------------------------------

    def summary(self, *, in_doubt: bool) -> str:
        """Take a TRIGGER_SUMMARY_EVENT."""
        self.go_on_as_released(in_doubt=in_doubt)
        if self.stage == "released":
            # §3: "released | TRIGGER_SUMMARY_EVENT | summarized"
            self.stage = "summarized"
            return ""
        if self.stage == "summarized":
            # §4: "summarized | summary | SG111 | summarized"
            return "SG111"
        # §4: "waiting, active, consulting, transferring | summary | SG106 | unchanged"
        self.summary_gave_sg106 = True
        return "SG106"

    def end(self, *, in_doubt: bool, sg106_before: bool) -> str:
        """Take an END_OF_CONVERSATION."""
        self.go_on_as_released(in_doubt=in_doubt)
        stage, self.stage = self.stage, "ended"
        if stage == "waiting":
            # §3: "waiting | END_OF_CONVERSATION (...; note SG122, unless SG101 was said) | ended"
            return "" if self.said_sg101 else "SG122"
        if stage in ("released", "summarized"):
            # §3: "released, summarized | END_OF_CONVERSATION | ended"
            return ""
        # §4: "SG107 is not reported at an END or close directly after a summary that gave SG106"
        if sg106_before:
            return ""
        # §4: "active, consulting, transferring | END ... | SG107 | ended"
        return "SG107"

    def message(self, ev: Ev) -> list[str]:
        """Take a message in any phase but `ended`; "any but ended | message event | unchanged"."""
        a, misspelt = self.identify(ev)
        code = ""
        # §4: "AGENT message, a not present, neither excused nor owed, P≠? | SG205, once for each
        # absence of a (until a is present again; at most 64 absences ... are remembered, then
        # both are silent) | unchanged"
        absent = not self.is_present(a) and a not in self.marks and not self.unknown_primary
        if self.begins_late and a not in self.status and self.stage in ("held", "transferring"):
            absent = False  # a may have been consulting since before the log
        new = a not in self.absences_said and len(self.absences_said) < 64
        if ev.kind == "agent message" and absent and new:
            self.absences_said.add(a)
            code = "SG205"
        return self.own_rule_first(code, ev, misspelt=misspelt)

    def after_the_end(self, ev: Ev) -> list[str]:
        """Take an event in `ended`; nothing changes there."""
        if ev.kind == "end":
            # §4: "ended | END (each) ... | SG109"
            return ["SG109"]
        # §4: "anything else, messages included (once per conversation) | ... SG110"
        code = "" if self.said_sg110 else "SG110"
        self.said_sg110 = True
        _, misspelt = self.identify(ev)
        return self.own_rule_first(code, ev, misspelt=misspelt)

    def close(self) -> list[str]:
        """Close the log."""
        # §4: "A conversation without any processable event gets none."; "not ended -> ..."
        if not self.any_event or self.stage == "ended":
            return []
        self.go_on_as_released(in_doubt=self.in_doubt)
        codes: list[str] = []
        # §4: "nothing more in waiting"
        if self.stage in ("held", "transferring") and not self.summary_gave_sg106:
            # §4: "SG107 in active, consulting, transferring (with the silences above)"
            codes.append("SG107")
        # §4: "then SG108"
        codes.append("SG108")
        return codes
