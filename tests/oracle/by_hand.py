"""Cases worked out by hand from the page, for the oracle and for the library alike.

The expected values are typed from the text of `lifecycle.md`, phrase by phrase; nothing here was
made by running either of the two.
"""

from tests.oracle.oracle import Ev, Verdict

KIND_OF_SHORTHAND = {
    "N+": "NA entry",
    "N-": "NA exit",
    "C+": "COLD entry",
    "C-": "COLD exit",
    "W+": "WARM entry",
    "W-": "WARM exit",
    "R+": "redial entry",
    "R-": "redial exit",
    "u:": "user message",
    "g:": "agent message",
}


def log(shorthand: str) -> list[Ev]:
    """`N+a` NA entry of a ... `u:a`, `g:a` messages, `S` summary, `E` END; `/x` is a tag."""
    events = []
    for word in shorthand.split():
        word, _, tag = word.partition("/")  # noqa: PLW2901
        if word in ("S", "E"):
            events.append(Ev("summary" if word == "S" else "end", tag=tag))
        else:
            events.append(Ev(KIND_OF_SHORTHAND[word[:2]], word[2:], tag))
    return events


def found(verdict: Verdict) -> str:
    """`2:SG204` for a finding at position 2, `close:SG108` for one at the close."""
    return " ".join(
        f"{'close' if position is None else position}:{code}" for position, code in verdict.findings
    )


def _spelling(number: int) -> str:
    """Spell aaaaaaa in letter cases of its own: those of the number's binary digits."""
    return "".join("A" if digit == "1" else "a" for digit in f"{number:07b}")


# phrase of the page -> (log, findings, phase); the phase "" is "ended".
BY_HAND: dict[str, list[tuple[str, str, str]]] = {
    # section 3
    "any but ended: a message changes nothing": [
        ("u:x N+a g:a u:a N-a u:a S E", "", ""),
    ],
    "a redial entry opens: note SG118": [
        ("R+a N-a E", "0:SG118", ""),
    ],
    "WARM exit, a=P: the only consultant becomes P, with several P=?, note SG119": [
        ("N+a W+b W-a N-b E", "2:SG119", ""),
        ("N+a W+b W+c W-a W-c N-b E", "3:SG119", ""),
        ("N+a W+b W+c W-a W-b N-c E", "3:SG119", ""),
        ("N+a W+b W+c W-a W-b W-c E", "3:SG119 5:SG202", ""),
        ("N+a W+b W+c W-a C-c C+d W-b N-d E", "3:SG119", ""),
        ("N+a W+b W+c W-b W+b W-a W-b N-c E", "5:SG119", ""),
    ],
    "COLD entry: note SG120 when a=L": [
        ("N+a C-a C+a N-a E", "2:SG120", ""),
    ],
    "waiting, END: note SG122, unless SG101 was said": [
        ("E", "0:SG122", ""),
        ("u:a u:a E", "2:SG122", ""),
        ("S E", "0:SG106 1:SG122", ""),
        ("R-a E", "0:SG113 1:SG122", ""),
        ("W-a E", "0:SG101", ""),
        ("E E", "0:SG122 1:SG109", ""),
    ],
    "consulting, COLD exit, a=P: note SG116": [
        ("N+a W+b C-a C+c W-b N-c E", "2:SG116", ""),
        ("N+a W+b C-a C-a/2 C+c W-b N-c E", "2:SG116 3:SG201", ""),
    ],
    "redial entry by an agent who was consulting: note SG123, consulting, C+a": [
        ("N+a W+b W-b R+b W-b N-a E", "3:SG123", ""),
        ("N+a W+b W-b R+b N-a W-b E", "3:SG123 4:SG204", ""),
        ("N+a W+b W+c W-b R+b W-c W-a N-b E", "4:SG123 6:SG119", ""),
        ("N+a W+b W-b C-a C+c R+b W-b N-c E", "5:SG123", ""),
        ("N+a W+b C-a W-b C+c R+b W-b N-c E", "2:SG116 5:SG123", ""),
        ("N+a W+b R-b R+b W-b N-a E", "2:SG113 3:SG123", ""),
        ("N+a W+b W-b N-a R+a R+b W-b N-a E", "5:SG123", ""),
        ("N+a C-a C+b W+a W-a R+a W-a N-b E", "5:SG123", ""),
    ],
    "was consulting: a WARM or redial exit that took a out of C": [
        ("N+a W+b N-b R+b W-b N-a E", "2:SG202 3:SG208", ""),
        ("N+a W+b C-b R+b W-b N-a E", "2:SG202 3:SG208", ""),
        ("N+a W+b W-a R+a N-b N-a E", "2:SG119 3:SG208", ""),
        ("N+a N+b W-b R+b W-b N-a E", "1:SG102 3:SG208", ""),
        ("N+a W+b W-x R+b N-b E", "2:SG201 3:SG208", ""),
    ],
    "was consulting: no entry or exit of a since, one that gave SG201 included": [
        ("N+a W+b W-b W-b/2 R+b W-b N-a E", "3:SG201 4:SG208", ""),
        ("N+a W+b W-b W-b R+b W-b N-a E", "3:SG601 4:SG123", ""),
        ("N+a W+b W-b R-b R+b W-b N-a E", "3:SG113 4:SG208", ""),
        ("N+a W+b W-b g:b R+b W-b N-a E", "3:SG205 4:SG123", ""),
        ("N+a W+b W-b W+b N+c W-b R+b N-b N-a N-c E", "4:SG102 6:SG123 7:SG202", ""),
    ],
    "was consulting: a consumed exit of a since, or an excused presence": [
        ("N+a W+b W+c N-a R+a W-b R+b N-b N-a E", "3:SG204 6:SG208", ""),
    ],
    "was consulting: P named": [
        ("W+a W+b W-b R+b W-a N-b E", "0:SG101", ""),
        ("N+a W+b W-b W-a R+b N-b E", "3:SG202", ""),
    ],
    "transferring, NA or COLD exit, a alone in C: took over when P left": [
        ("N+a W+b C-a N-b E", "2:SG116", ""),
        ("N+a W+b C-a C-b C+c N-c E", "2:SG116", ""),
        ("N+a W+b C-a C-b N-b E", "2:SG116 4:SG105", ""),
        ("N+a W+b C-a C-b C+b N-b E", "2:SG116 4:SG120", ""),
        ("N+a W+b C-a C-b N-a E", "2:SG116 4:SG201", ""),
        ("N+a W+b W+c C-a C-b C-c C+d N-d E", "3:SG116 4:SG202", ""),
    ],
    "transferring, NA exit, a=L and C empty: note SG105": [
        ("N+a C-a N-a E", "2:SG105", ""),
        ("N+a C-a N-a R+a N-a E", "2:SG105", ""),
    ],
    "released, redial entry: note SG207 when a is not L": [
        ("N+a N-a R+b N-b E", "2:SG207", ""),
        ("N+a N-a R+a N-a E", "", ""),
    ],
    # section 4, marks
    "excused: the first later exit consumes the mark without a finding": [
        ("N+a N+b N-a N-b E", "1:SG102", ""),
        ("N+a N+b C-a N-b E", "1:SG102", ""),
        ("N+a N+b W-a N-b E", "1:SG102", ""),
        ("N+a W+b N-a N-b E", "2:SG204", ""),
    ],
    "excused: only the first": [
        ("N+a N+b N-a N-a/2 N-b E", "1:SG102 3:SG201", ""),
    ],
    "owed: the first later COLD exit consumes; NA or WARM with SG202": [
        ("N+a C+b C-a N-b E", "1:SG103", ""),
        ("N+a C+b N-a N-b E", "1:SG103 2:SG202", ""),
        ("N+a C+b W-a N-b E", "1:SG103 2:SG202", ""),
    ],
    "owed: if it never comes, nothing more is said": [
        ("N+a C+b N-b S E", "1:SG103", ""),
    ],
    "an entry by an excused or owed agent clears the mark": [
        ("N+a N+b W+a N-b N-a E", "1:SG102 3:SG204", ""),
        ("N+a C+b W+a C-a N-b E", "1:SG103 3:SG202", ""),
    ],
    "such an agent is not present": [
        ("N+a N+b N+a N-b N-a E", "1:SG102 2:SG102", ""),
        ("N+a N+b R+a N-b N-a E", "1:SG102 2:SG208", ""),
        ("N+a C+b W+a W-a N-b E", "1:SG103", ""),
    ],
    "consuming comes first in every phase but ended": [
        ("N+a W+b N-a S W-b E", "2:SG204", ""),
        ("N+a C+b C-b N-a C+c N-c E", "1:SG103 3:SG202", ""),
        ("N+a W+b N-a E W-b", "2:SG204 4:SG110", ""),
    ],
    "a redial exit never consumes": [
        ("N+a N+b R-a N-a N-b E", "1:SG102 2:SG113", ""),
    ],
    "in doubt: summary, END or close go on as released": [
        ("N+a W+b N-b E", "2:SG202", ""),
        ("N+a W+b N-b S E", "2:SG202", ""),
        ("N+a W+b N-b", "2:SG202 close:SG108", "released"),
        ("N+a N+b N-a E", "1:SG102", ""),
        ("N+a C+b N-a E", "1:SG103 2:SG202", ""),
        ("N+a R-a E", "1:SG113", ""),
    ],
    "in doubt: also in transferring": [
        ("N+a N+b C-b N-a E", "1:SG102", ""),
        ("N+a N+b C-b N-a", "1:SG102 close:SG108", "released"),
    ],
    "in doubt: all present excused": [
        ("N+a W+b W+c N-b S W-c N-a E", "3:SG202", ""),
    ],
    "in doubt: only when it was the last lifecycle event": [
        ("N+a W+b N-b W+c E", "2:SG202 4:SG107", ""),
        ("N+a W+b N-b u:a g:a E", "2:SG202", ""),
    ],
    "in doubt: a COLD entry by an agent not present without SG103": [
        ("N+a W+b N-b C+c N-a N-c E", "2:SG202", ""),
        ("N+a W+b W+c N-b C+c C-a N-c E", "3:SG202 4:SG103", ""),
    ],
    "in doubt: a redial entry by P without SG112": [
        ("N+a R-a R+a N-a E", "1:SG113", ""),
        ("N+a W+b W+c N-b R+c W-c N-a E", "3:SG202 4:SG112", ""),
    ],
    # section 4, the table
    "waiting: SG101 and how it goes on": [
        ("C+a N-a E", "0:SG101", ""),
        ("W+a W-a N-b E", "0:SG101", ""),
        ("N-a R+a N-a E", "0:SG101", ""),
        ("C-a C+a N-a E", "0:SG101 1:SG120", ""),
        ("W-a N+b N-b E", "0:SG101", ""),
    ],
    "NA, COLD or WARM entry, a present: SG203, unchanged": [
        ("N+a W+b C+a W+a N+b W+b W-b N-a E", "2:SG203 3:SG203 4:SG203 5:SG203", ""),
    ],
    "COLD entry by a consultant: SG103, old P owed": [
        ("N+a W+b C+b C-a N-b E", "2:SG103", ""),
    ],
    "redial entry, a present SG112, not present SG208": [
        ("N+a W+b R+b W-b N-a E", "2:SG112", ""),
        ("N+a R+b N-a N-b E", "1:SG208", ""),
    ],
    "WARM exit, a=P: SG202, P=?": [
        ("N+a W-a N-b E", "1:SG202", ""),
    ],
    "WARM exit, a=P whose entry replaced b, still marked: none, P=b": [
        ("N+a N+b W-b N-a E", "1:SG102", ""),
        ("N+a C+b W-b C-a C+c N-c E", "1:SG103", ""),
        ("N+a R+b W-b N-a E", "1:SG208", ""),
        ("C+a N+b W-b N-a E", "0:SG101", ""),
        ("N+a N+b W+c W-b W-c N-a E", "1:SG102", ""),
        ("N+a N+b N+c W-c W-b N-a E", "1:SG102 2:SG102", ""),
        ("N+a N+b N+b/2 W-b N-a E", "1:SG102 2:SG203", ""),
        ("N+a N+b N-a W-b N-x E", "1:SG102 3:SG202", ""),
    ],
    "WARM exit, a not present: SG201; exactly one consultant is excused and gone": [
        ("N+a W-x N-a E", "1:SG201", ""),
        ("N+a W+b W-x W-b N-a E", "2:SG201", ""),
        ("N+a W+b W+c W-x W-b W-c N-a E", "3:SG201", ""),
    ],
    "NA exit, a not present: SG201, released, all present excused": [
        ("N+a W+b N-x N-a W-b R+x N-x E", "2:SG201", ""),
    ],
    "COLD exit, a not present: SG201, transferring L=a, P excused, C kept": [
        ("N+a W+b C-x C-a C+x W-b N-x E", "2:SG201 4:SG120", ""),
    ],
    "consulting: NA exit of P SG204, exits of a consultant SG202": [
        ("N+a W+b N-a W-b E", "2:SG204", ""),
        ("N+a W+b C-b N-a E", "2:SG202", ""),
        ("N+a W+b N-b N-a E", "2:SG202", ""),
    ],
    "transferring: entries": [
        ("N+a C-a N+b N-b E", "2:SG102", ""),
        ("N+a W+b C-a N+b N-b E", "2:SG116 3:SG102", ""),
        ("N+a C-a W+b W-b N-c E", "2:SG117", ""),
        ("N+a W+b C-a W+b C+c W-b N-c E", "2:SG116 3:SG203", ""),
        ("N+a C-a R+a N-a E", "2:SG121", ""),
    ],
    "transferring: NA exit": [
        ("N+a W+b C-a N-a W-b E", "2:SG116 3:SG204", ""),
        ("N+a W+b W+c C-a N-b W-c E", "3:SG116 4:SG204", ""),
        ("N+a W+b C-a N-x W-b E", "2:SG116 3:SG201", ""),
    ],
    "transferring: COLD and WARM exit": [
        ("N+a W+b W+c C-a C-b C+d W-c N-d E", "3:SG116 4:SG202", ""),
        ("N+a C-a C-x C+a N-a E", "2:SG201 3:SG120", ""),
        ("N+a W+b C-a W-b C+c N-c E", "2:SG116", ""),
        ("N+a C-a W-x C+b N-b E", "2:SG201", ""),
    ],
    "released, summarized: entries": [
        ("N+a N-a N+b N-b E", "2:SG102", ""),
        ("N+a N-a S C+b N-b E", "3:SG115", ""),
        ("N+a N-a W+b W-b N-c E", "2:SG115", ""),
        ("N+a N-a S R+b N-b E", "3:SG114", ""),
    ],
    "released, summarized: exits SG201, unchanged (L too)": [
        ("N+a N-a N-b C-b W-b R+a N-a E", "2:SG201 3:SG201 4:SG201", ""),
    ],
    "summaries: SG111 after one, SG106 before the release": [
        ("N+a N-a S S/2 E", "3:SG111", ""),
        ("S", "0:SG106 close:SG108", "waiting"),
        ("N+a C-a S N-a E", "2:SG106 3:SG105", ""),
    ],
    "END before the release: one SG107": [
        ("N+a W+b W+c E", "3:SG107", ""),
        ("N+a C-a E", "2:SG107", ""),
    ],
    "redial exit: SG113": [
        ("N+a W+b R-b N-a E", "2:SG113", ""),
        ("R-a N+a N-a R-a E", "0:SG113 3:SG113", ""),
    ],
    "ended: END each, anything else once": [
        ("N+a N-a E E E N+a u:a N-a", "3:SG109 4:SG109 5:SG110", ""),
    ],
    "AGENT message, a not present": [
        ("g:a N+a N-a g:a E", "0:SG205 3:SG205", ""),
        ("W+a g:x W-a N-x E", "0:SG101", ""),
        ("N+a g:x g:y g:x g:y N-a E", "1:SG205 2:SG205", ""),
        ("g:a g:a N+a g:a N-a g:a g:a R+a g:a N-a g:a E", "0:SG205 5:SG205 10:SG205", ""),
        ("N+a W+b g:b W-b g:b R+b W-b g:b N-a E", "4:SG205 5:SG123 7:SG205", ""),
    ],
    "AGENT message, a excused or owed": [
        ("N+a N+b g:a N-b E", "1:SG102", ""),
        ("N+a C+b g:a C-a g:a N-b E", "1:SG103 4:SG205", ""),
        ("N+a N+b N-a g:a N-b E", "1:SG102 3:SG205", ""),
        ("N+a W+b N-a g:b W-b g:b E", "2:SG204 5:SG205", ""),
    ],
    "at most 64 absences are remembered, then they are silent": [
        (
            f"N+a {' '.join(f'g:x{n}' for n in range(66))} g:x0 N-a E",
            " ".join(f"{n + 1}:SG205" for n in range(64)),
            "",
        ),
    ],
    "at most 64 spellings are remembered, then they are silent": [
        (
            f"N+{'a' * 7} {' '.join(f'g:{_spelling(n)}' for n in range(1, 67))} N-{'a' * 7} E",
            " ".join(f"{n}:SG206" for n in range(1, 65)),
            "",
        ),
    ],
    # section 4, P=?
    "P=?: NA or redial entry by an agent not present, any COLD entry": [
        ("W+a N+b W-a N-b E", "0:SG101", ""),
        ("W+a R+b W-a N-b E", "0:SG101", ""),
        ("W+a C+a N-a E", "0:SG101", ""),
        ("W+a N+a W-a N-b E", "0:SG101 1:SG203", ""),
    ],
    "P=?: NA exit": [
        ("W+a N-a E", "0:SG101", ""),
        ("W+a W+b N-x W-a N-b E", "0:SG101 2:SG204", ""),
        ("W+a W+b N-a W-b N-x E", "0:SG101 2:SG202", ""),
    ],
    "P=?: COLD exit": [
        ("W+a C-x C+x W-a N-x E", "0:SG101 1:SG116 2:SG120", ""),
        ("W+a C-a C+b N-b E", "0:SG101", ""),
        ("N+a W-a C-x C+b N-b E", "1:SG202", ""),
    ],
    "P=?: WARM exit by an agent not in C": [
        ("W+a W+b W-x W-b N-a E", "0:SG101", ""),
        ("N+a W-a W-x N-y E", "1:SG202", ""),
    ],
    "P=?: summary, END or close with C empty": [
        ("N+a W-a S E", "1:SG202", ""),
        ("N+a W-a E", "1:SG202", ""),
        ("N+a W-a", "1:SG202 close:SG108", "released"),
        ("W+a E", "0:SG101 1:SG107", ""),
        ("W+a S", "0:SG101 1:SG106 close:SG108", "consulting"),
    ],
    # section 4, further silences
    "SG101 once per conversation": [
        ("W-a E", "0:SG101", ""),
        ("W-a C+b N-b E", "0:SG101", ""),
        ("W-a", "0:SG101 close:SG108", "waiting"),
    ],
    "the first NA entry after SG101 gives no SG102": [
        ("C+a N+b N-a N-b E", "0:SG101", ""),
        ("N-a N+b N-b E", "0:SG101", ""),
        ("C-a N+b N-b E", "0:SG101", ""),
        ("C+a N+b N+c N-c E", "0:SG101 2:SG102", ""),
        ("C+a N+a N+b N-b E", "0:SG101 1:SG203 2:SG102", ""),
    ],
    "no SG107 directly after a summary that gave SG106": [
        ("N+a S E", "1:SG106", ""),
        ("N+a S", "1:SG106 close:SG108", "active"),
        ("N+a S u:a S g:a E", "1:SG106 3:SG601", ""),
        ("N+a S W+b W-b E", "1:SG106 4:SG107", ""),
    ],
    # section 4, repeats
    "a repeat gives SG601 instead and changes nothing": [
        ("N+a N-a N-a R+a N-a E", "2:SG601", ""),
        ("N+a N+b N-a N-a N-b E", "1:SG102 3:SG601", ""),
        ("N+a W+b W+b W+b W-b N-a E", "2:SG601 3:SG601", ""),
        ("N+a R-a R-a E", "1:SG113 2:SG601", ""),
    ],
    "equals as a JSON value, messages neither count nor interrupt": [
        ("N+a N-a N-a/2 E", "2:SG201", ""),
        ("N+a u:a u:a N+a g:x g:x N-a E", "3:SG601 4:SG205", ""),
        ("N+a W+b W+c W+b W-b W-c N-a E", "3:SG203", ""),
    ],
    "only what would give a warning or an error": [
        ("R+a R+a N-a E", "0:SG118 1:SG601", ""),
        ("N+a W-a W-x W-x N-y E", "1:SG202", ""),
        ("W-x W-x N+a N-a E", "0:SG101", ""),
    ],
    # section 4, identity
    "an exit, a redial or a message in another case is that agent, SG206": [
        ("N+Ann N-ann E", "1:SG206", ""),
        ("N+Ann N-Ann R+ann N-Ann E", "2:SG206", ""),
        ("N+Ann g:ann N-Ann E", "1:SG206", ""),
        ("N+Ann N+bob N-ann N-bob E", "1:SG102 2:SG206", ""),
    ],
    "SG206 after the position's own rule, once per spelling": [
        ("N+Ann N-Ann g:ann g:ann g:ANN E", "2:SG205 2:SG206 4:SG206", ""),
    ],
    "an NA, COLD or WARM entry is exact": [
        ("N+Ann W+ann W-ann N-Ann E", "", ""),
    ],
    "exactly one of them ignoring case": [
        ("N+Ann W+ann W-ANN W-ann N-Ann E", "2:SG201", ""),
    ],
    "transferring, NA exit, a in C with others: released, L=a": [
        ("N+a W+b W+c C-a N-b R+b N-b E", "3:SG116 4:SG204", ""),
    ],
    "an owed exit is consumed while transferring, too": [
        ("N+a C+b C-b C-a C+c N-c E", "1:SG103", ""),
        ("N+a C+b C-b W-a C+c N-c E", "1:SG103 3:SG202", ""),
    ],
    "transferring, NA exit, a alone in C: released, L=a": [
        ("N+a W+b C-a N-b R+b N-b E", "2:SG116", ""),
    ],
    "P=?, NA exit by an agent not in C: released, L=a": [
        ("W+b W-b N-a R+a N-a E", "0:SG101", ""),
    ],
    "transferring, redial exit, a in C: C without a": [
        ("N+a W+b C-a R-b C+c N-c E", "2:SG116 3:SG113", ""),
    ],
    "P=?, COLD exit by one in C: transferring, none": [
        ("N+a W-a W+b C-b C+c N-c E", "1:SG202", ""),
    ],
    # section 4, close
    "close": [
        ("", "", "waiting"),
        ("u:a", "close:SG108", "waiting"),
        ("W-a", "0:SG101 close:SG108", "waiting"),
        ("N+a W+b", "close:SG107 close:SG108", "consulting"),
        ("N+a C-a", "close:SG107 close:SG108", "transferring"),
        ("N+a N-a S", "close:SG108", "summarized"),
    ],
}


PARTIAL: list[tuple[str, str, str, str]] = [
    # "`partial="end"` (the log stops early) skips the close"
    ("end", "N+a", "", "active"),
    ("end", "W-a", "0:SG101", "waiting"),
    ("end", "N+a W+b N-b", "2:SG202", "active"),
    # "every agent who is first seen leaving, or consulting before an entry of its own, is taken
    # to have been there, silently"
    ("start", "N-a E", "", "ended"),
    ("start", "u:a C-a C+b N-b E", "", "ended"),
    ("start", "C+a N-a E", "", "ended"),
    ("start", "R+a N-a E", "", "ended"),
    ("start", "W+a W-a N-b E", "", "ended"),
    ("start", "W-a N-b E", "", "ended"),
    ("start", "S E", "", "ended"),
    ("start", "E", "", "ended"),
    ("start", "C+a W-b N-a E", "", "ended"),
    ("start", "C+a W-b W-b/2 N-a E", "2:SG201", "ended"),
    ("start", "C+a g:b R+b W-b N-a E", "", "ended"),
    ("start", "C+a W-b R+b W-b N-a E", "2:SG123", "ended"),
    ("start", "C+a W-a N-b E", "", "ended"),
    ("start", "C+a N-a g:b R+a W-b N-a E", "2:SG205", "ended"),
    ("start", "W+a W-b N-c E", "2:SG204", "ended"),
    ("start", "C-a N-b E", "", "ended"),
    ("start", "C-a C-b C+c W-d N-c E", "", "ended"),
    ("start", "R+a C-b C+c W-a N-c E", "", "ended"),
    ("start", "C+a W+b W-c N-a E", "3:SG204", "ended"),
    ("start", "C+a C+b N-b E", "1:SG103", "ended"),
    ("start", "C+a N+b N-b E", "1:SG102", "ended"),
    ("start", "C+a N-a W-b E", "2:SG201", "ended"),
    ("start", "C+a N-a C-b E", "2:SG201", "ended"),
    ("start", "R+a R+a N-a E", "1:SG601", "ended"),
    ("start", "C+a", "close:SG107 close:SG108", "active"),
    ("both", "C-a", "", "transferring"),
    ("both", "C+a", "", "active"),
]
"""(which ends are cut, log, findings, phase)"""
