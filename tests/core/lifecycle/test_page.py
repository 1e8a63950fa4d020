"""The rows of the page, typed by hand: what one event gives after a setup, and where it leads.

A line is: setup, event, what is reported (nothing: no finding), phase afterwards.  `N C W R` are
transfer types, `+` is an entry and `-` an exit, `u:` and `g:` are messages of user and agent, `S`
is the summary, `E` the end, and a dot the close of the log.  Setups may report what they like.
"""

from tests.core.lifecycle.library import close, take
from tests.core.lifecycle.walker import Walker
from tests.families import family
from tests.oracle.by_hand import log

MOVES = """
# waiting | NA entry | active, P=a
                        N+a     -               active
# waiting | redial entry (a callback; note SG118) | active, P=a
                        R+a     SG118           active
# waiting | END_OF_CONVERSATION (note SG122, unless SG101 was said) | ended
                        E       SG122           ended
S                       E       SG122           ended
R-a                     E       SG122           ended
# active | NA exit, a=P | released, L=a
N+a                     N-a     -               released
# active | COLD exit, a=P | transferring, L=a
N+a                     C-a     -               transferring
# consulting | COLD exit, a=P (note SG116) | transferring, L=a, C kept
N+a W+b                 C-a     SG116           transferring
N+a W+b C-a             C+a     SG120           consulting
# active, consulting | WARM entry, a not present | consulting, C+a
N+a                     W+b     -               consulting
N+a W+b                 W+c     -               consulting
N+a N+b                 W+a     -               consulting
# consulting | WARM exit, a in C | C without a
N+a W+b                 W-b     -               active
N+a W+b W+c             W-b     -               consulting
# consulting | WARM exit, a=P (note SG119) | the only consultant becomes P; with several P=?, C kept
N+a W+b                 W-a     SG119           active
N+a W+b W-a             W-b     SG202           active
N+a W+b W+c             W-a     SG119           consulting
N+a W+b W+c W-a         g:a     -               consulting
N+a W+b W+c W-a         S       SG106           consulting
N+a W+b W+c W-a         E       SG107           ended
N+a W+b W+c W-a         W+c/2   SG203           consulting
# ... who is told by an exit
N+a W+b W+c W-a         C-b     -               transferring
N+a W+b W+c W-a C-b     N-c     -               released
N+a W+b W+c W-a         C-c     -               transferring
N+a W+b W+c W-a         N-b     SG202           active
N+a W+b W+c W-a N-b     N-c     -               released
# ... by a later entry
N+a W+b W+c W-a         C+c     -               consulting
N+a W+b W+c W-a C+c     W-c     SG119           active
N+a W+b W+c W-a C+d     N-d     SG204           released
# ... by being alone, although others have joined since
N+a W+b W+c W-a         W-b     -               active
N+a W+b W+c W-a         W-c     -               active
N+a W+b W+c W-a         R-c     SG113           active
N+a W+b W+c W-a W-b     N-c     -               released
N+a W+b W+c W-a W-b     W-c     SG202           active
N+a W+b W+c W-a W-b     C+d     SG103           active
N+a W+b W+c W-a W-b     R+b     SG123           consulting
N+a W+b W+c W-a W-b     g:b     SG205           active
N+a W+b W+c W-a W+d     W-b     -               consulting
N+a W+b W+c W-a W+d W-b C-c     SG116           transferring
N+a W+b W+c W-a W+d W-d W-c     -               active
N+a W+b W+c W+d W-a     W-b     -               consulting
N+a W+b W+c W+d W-a W-b C-c     -               transferring
N+a W+b W+c W+d W-a W-b W-d     -               active
N+a W+b W+c W+d W-a W-b W-d W-c SG202   active
# active, consulting | redial entry, a not present and was consulting (note SG123) | C+a
N+a W+b W-b             R+b     SG123           consulting
N+a W+b W+c W-b         R+b     SG123           consulting
N+a W+b R-b             R+b     SG123           consulting
N+a W+b W-b R+b         W-b     -               active
N+a W+b W-b R+b W-b     R+b     SG123           consulting
N+a W+b W-b C-a C+c     R+b     SG123           consulting
N+a C-a C+b W+a W-a     R+a     SG123           consulting
N+a W+b W-b N+c         R+b     SG123           consulting
N+a W+b W-b g:b         R+b     SG123           consulting
N+a W+b N-b             R+b     SG208           active
N+a W+b C-b             R+b     SG208           active
N+a W+b W-a             R+a     SG208           active
N+a W+b W-b W-b/2       R+b     SG208           active
N+a W+b W-b R-b         R+b     SG208           active
N+a W+b W-b W-x         R+b     SG123           consulting
N+a W+b W-x             R+b     SG208           active
N+a W+b W-x W-b         R+b     SG208           active
N+a W+b N-a N-b R+a     R+b     SG208           active
N+a N+b W-b             R+b     SG208           active
N+a W+b W-b W-a         R+b     -               active
# transferring | NA exit, a alone in C (a took over when P left) | released, L=a
N+a W+b C-a             N-b     -               released
N+a W+b C-a N-b         R+b     -               active
# transferring | COLD exit, a alone in C (took over, and is replaced) | transferring, L=a, C empty
N+a W+b C-a             C-b     -               transferring
N+a W+b C-a C-b         C+c     -               active
N+a W+b C-a C-b         C+b     SG120           active
N+a W+b C-a C-b         N-b     SG105           released
# transferring | NA exit, a=L and C empty (nobody took over; note SG105) | released, L=a
N+a C-a                 N-a     SG105           released
N+a C-a N-a             R+a     -               active
N+a W+b C-a W-b         N-a     SG105           released
# transferring | COLD entry (note SG120 when a=L) | active, P=a
N+a C-a                 C+b     -               active
N+a C-a                 C+a     SG120           active
N+a W+b C-a             C+c     -               consulting
N+a W+b C-a             C+b     -               active
# released | redial entry (note SG207 when a≠L) | active, P=a
N+a N-a                 R+a     -               active
N+a N-a                 R+b     SG207           active
# released | TRIGGER_SUMMARY_EVENT | summarized
N+a N-a                 S       -               summarized
# released, summarized | END_OF_CONVERSATION | ended
N+a N-a                 E       -               ended
N+a N-a S               E       -               ended
# any but ended | message event | unchanged
                        u:a     -               waiting
N+a                     g:a     -               active
N+a                     u:x     -               active
N+a W+b                 g:b     -               consulting
N+a C-a                 u:a     -               transferring
N+a N-a                 u:a     -               released
N+a N-a S               u:a     -               summarized
"""

OFFENCES = """
# waiting | COLD entry / WARM entry | SG101 | P=a / P=?, C={a}
                        C+a     SG101           active
                        W+a     SG101           consulting
# waiting | NA exit / COLD exit / WARM exit | SG101 | released L=a / transferring L=a / waiting
                        N-a     SG101           released
                        C-a     SG101           transferring
                        W-a     SG101           waiting
N-a                     R+a     -               active
C-a                     C+a     SG120           active
# active, consulting | NA entry, COLD entry or WARM entry, a present | SG203 | unchanged
N+a                     N+a/2   SG203           active
N+a                     C+a     SG203           active
N+a                     W+a     SG203           active
N+a W+b                 N+a/2   SG203           consulting
N+a W+b                 N+b     SG203           consulting
N+a W+b                 C+a     SG203           consulting
N+a W+b                 W+b/2   SG203           consulting
N+a W+b                 W+a     SG203           consulting
# active, consulting | COLD entry, a≠P | SG103 | P=a, old P owed
N+a                     C+b     SG103           active
N+a C+b                 N-b     -               released
N+a W+b                 C+b     SG103           active
N+a W+b                 C+c     SG103           consulting
# active, consulting | NA entry, a not present | SG102 | P=a, old P excused
N+a                     N+b     SG102           active
N+a N+b                 C-a     -               active
N+a W+b                 N+c     SG102           consulting
# active, consulting | redial entry, a present / not present | SG112 / SG208
N+a                     R+a     SG112           active
N+a W+b                 R+a     SG112           consulting
N+a W+b                 R+b     SG112           consulting
N+a                     R+b     SG208           active
N+a R+b                 W-a     -               active
N+a W+b                 R+c     SG208           consulting
# active | WARM exit, a=P | SG202 | P=?
N+a                     W-a     SG202           active
# active, consulting | WARM exit, a=P, who replaced b | none | P=b, b's mark cleared, C kept
N+a N+b                 W-b     -               active
N+a N+b W-b             N-a     -               released
N+a N+b W-b             N-b     SG201           released
N+a C+b                 W-b     -               active
N+a R+b                 W-b     -               active
N+a R+b W-b             C-a     -               transferring
C+a N+b                 W-b     -               active
N+a N+b W+c             W-b     -               consulting
N+a W+b C+b             W-b     -               active
N+a N+b N+c W-c         W-b     -               active
N+a N+b N-a             W-b     SG202           active
N+a N+b R+b             W-b     -               active
N+a N+b N+b/2           W-b     -               active
N+a W+b N-b C+c         W-c     SG202           active
# active, consulting | WARM exit, a not present | SG201 | exactly one consultant: excused and gone
N+a                     W-x     SG201           active
N+a W+b                 W-x     SG201           active
N+a W+b W-x             W-b     -               active
N+a W+b W+c             W-x     SG201           consulting
N+a W+b W+c W-x         W-b     -               consulting
# active, consulting | NA exit, a not present | SG201 | released L=a, all present excused
N+a                     N-x     SG201           released
N+a W+b                 N-x     SG201           released
N+a W+b N-x             N-a     -               released
N+a W+b N-x             W-b     -               released
N+a N-x                 R+x     -               active
# active, consulting | COLD exit, a not present | SG201 | transferring L=a, P excused, C kept
N+a                     C-x     SG201           transferring
N+a C-x                 C-a     -               transferring
N+a C-x                 C+x     SG120           active
N+a W+b                 C-x     SG201           transferring
N+a W+b C-x             C+c     -               consulting
# consulting | NA exit, a=P | SG204 | released L=a, C excused
N+a W+b                 N-a     SG204           released
N+a W+b N-a             W-b     -               released
# consulting | NA or COLD exit, a in C | SG202 | C without a
N+a W+b                 N-b     SG202           active
N+a W+b                 C-b     SG202           active
N+a W+b W+c             N-b     SG202           consulting
N+a W+b W+c             C-c     SG202           consulting
# transferring | NA entry (a in C too) | SG102 | P=a
N+a C-a                 N+b     SG102           active
N+a C-a                 N+a/2   SG102           active
N+a W+b C-a             N+b     SG102           active
N+a W+b C-a             N+c     SG102           consulting
# transferring | WARM entry, a not in C / in C | SG117 / SG203 | P=?, C+a / unchanged
N+a C-a                 W+b     SG117           consulting
N+a C-a                 W+a     SG117           consulting
N+a W+b C-a             W+b/2   SG203           transferring
# transferring | redial entry (a in C too) | SG121 | P=a
N+a C-a                 R+a     SG121           active
N+a C-a                 R+b     SG121           active
N+a W+b C-a             R+b     SG121           active
N+a W+b C-a             R+c     SG121           consulting
# transferring | NA exit: a=L with C not empty, or a in C with others / otherwise (but §3)
N+a W+b C-a             N-a     SG204           released
N+a W+b C-a N-a         W-b     -               released
N+a W+b W+c C-a         N-b     SG204           released
N+a W+b W+c C-a N-b     W-c     -               released
N+a C-a                 N-x     SG201           released
N+a C-a N-x             R+x     -               active
# transferring | COLD exit: a in C with others / otherwise | SG202 / SG201 | C without a / unchanged
N+a W+b W+c C-a         C-b     SG202           transferring
N+a W+b W+c C-a C-b     C+a     SG120           consulting
N+a W+b C-a             C-x     SG201           transferring
N+a C-a                 C-x     SG201           transferring
N+a C-a C-x             C+a     SG120           active
N+a C-a                 C-a/2   SG201           transferring
# transferring | WARM exit: a in C / otherwise | none / SG201 | C without a / unchanged
N+a W+b C-a             W-b     -               transferring
N+a C-a                 W-x     SG201           transferring
N+a C-a                 W-a     SG201           transferring
# released, summarized | NA entry / COLD entry | SG102 / SG115 | active, P=a
N+a N-a                 N+b     SG102           active
N+a N-a                 N+a     SG102           active
N+a N-a                 C+b     SG115           active
N+a N-a S               N+b     SG102           active
N+a N-a S               C+a     SG115           active
# released, summarized | WARM entry | SG115 | P=?, C={a}
N+a N-a                 W+b     SG115           consulting
N+a N-a S               W+a     SG115           consulting
N+a N-a W+b W-b         N-x     -               released
# released, summarized | NA / COLD / WARM exit | SG201 | unchanged (L too)
N+a N-a                 N-a/2   SG201           released
N+a N-a                 C-b     SG201           released
N+a N-a                 W-b     SG201           released
N+a N-a S               N-b     SG201           summarized
N+a N-a S               C-a     SG201           summarized
N+a N-a S               W-a     SG201           summarized
N+a N-a N-b             R+a     -               active
# summarized | redial entry | SG114 | active, P=a
N+a N-a S               R+a     SG114           active
N+a N-a S               R+b     SG114           active
# summarized | summary | SG111 | summarized
N+a N-a S               S/2     SG111           summarized
# waiting, active, consulting, transferring | summary | SG106 | unchanged
                        S       SG106           waiting
N+a                     S       SG106           active
N+a W+b                 S       SG106           consulting
N+a C-a                 S       SG106           transferring
# active, consulting, transferring | END (one finding) | SG107 | ended
N+a                     E       SG107           ended
N+a W+b W+c             E       SG107           ended
N+a C-a                 E       SG107           ended
# any but ended | redial exit: a=P / a in C / otherwise | SG113 | in doubt / C without a / unchanged
                        R-a     SG113           waiting
N+a                     R-a     SG113           active
N+a R-a                 E       -               ended
N+a                     R-x     SG113           active
N+a R-x                 E       SG107           ended
N+a W+b                 R-b     SG113           active
N+a W+b R-b             E       SG107           ended
N+a W+b                 R-a     SG113           consulting
N+a W+b C-a             R-b     SG113           transferring
N+a C-a                 R-a     SG113           transferring
N+a N-a                 R-a     SG113           released
N+a N-a S               R-a     SG113           summarized
# ended | END (each) / anything else, messages included (once) | SG109 / SG110 | ended
N+a N-a E               E       SG109           ended
N+a N-a E E             E       SG109           ended
N+a N-a E               N+a     SG110           ended
N+a N-a E               S       SG110           ended
N+a N-a E               u:a     SG110           ended
N+a N-a E               g:x     SG110           ended
N+a N-a E N+a           W-a     -               ended
N+a N-a E u:a           E       SG109           ended
# any but ended | AGENT message, a not present, not excused or owed, P≠? | SG205 once an absence
                        g:a     SG205           waiting
N+a                     g:x     SG205           active
N+a W+b                 g:x     SG205           consulting
N+a C-a                 g:a     SG205           transferring
N+a N-a                 g:a     SG205           released
N+a N-a S               g:a     SG205           summarized
N+a N+b                 g:a     -               active
N+a C+b                 g:a     -               active
N+a C+b C-a             g:a     SG205           active
N+a N+b N-a             g:a     SG205           active
N+a g:x                 g:x     -               active
N+a g:x                 g:y     SG205           active
N+a g:x W+x W-x         g:x     SG205           active
N+a W+b W-b             g:b     SG205           active
W+a                     g:x     -               consulting
"""

MARKS = """
# excused: the first later NA, COLD or WARM exit consumes the mark and changes nothing else
N+a N+b                 N-a     -               active
N+a N+b                 W-a     -               active
N+a N+b N-a             N-a/2   SG201           released
N+a W+b N-a S           W-b     -               summarized
N+a N+b C-b             C-a     -               transferring
# owed: COLD exit without a finding, NA or WARM exit with SG202
N+a C+b                 C-a     -               active
N+a C+b                 N-a     SG202           active
N+a C+b                 W-a     SG202           active
N+a C+b C-a             C-a/2   SG201           transferring
# an entry by an excused or owed agent clears the mark
N+a N+b W+a             W-a     -               active
N+a N+b W+a             N-a     SG202           active
N+a C+b W+a             C-a     SG202           active
# a redial exit never consumes
N+a N+b                 R-a     SG113           active
N+a N+b R-a             N-a     -               active
# in doubt: summary, END and close go on as released
N+a W+b N-b             S       -               summarized
N+a W+b N-b             E       -               ended
N+a W+b N-b             .       SG108           released
N+a W+b W+c N-b         S       -               summarized
N+a N+b N-a             E       -               ended
N+a C+b N-a             E       -               ended
N+a N+b C-b N-a         S       -               summarized
N+a W+b N-b S           N-a     -               summarized
N+a W+b N-b u:a         E       -               ended
N+a W+b N-b W+c         E       SG107           ended
N+a W+b C-b             E       SG107           ended
# in doubt: a COLD entry by an agent not present is P=a without SG103, the old P excused
N+a W+b N-b             C+c     -               active
N+a W+b N-b C+c         N-a     -               active
N+a W+b W+c N-b         C+d     -               consulting
N+a W+b W+c N-b         C+c     SG103           active
# in doubt: a redial entry by P is a new connection without SG112
N+a W+b N-b             R+a     -               active
N+a W+b W+c N-b         R+a     -               consulting
N+a W+b W+c N-b         R+c     SG112           consulting
N+a W+b N-b             R+c     SG208           active
"""

UNKNOWN = """
# P=?: NA or redial entry by an agent not present, and any COLD entry: P=a, none
W+a                     N+b     -               consulting
W+a                     R+b     -               consulting
W+a                     C+b     -               consulting
W+a                     C+a     -               active
N+a W-a                 N+b     -               active
N+a W-a                 N+a/2   -               active
W+a                     N+a     SG203           consulting
W+a                     R+a     SG112           consulting
# P=?: NA exit by an agent not in C, or by the only one in C: released (SG204 if another stays)
N+a W-a                 N-x     -               released
W+a                     N-x     SG204           released
W+a                     N-a     -               released
W+a W+b                 N-a     SG202           consulting
W+a N-x                 R+x     -               active
# P=?: COLD exit by an agent not in C: transferring (SG116 if C is not empty); by one in C: none
N+a W-a                 C-x     -               transferring
W+a                     C-x     SG116           transferring
W+a                     C-a     -               transferring
W+a W+b                 C-a     -               transferring
W+a C-x                 C+x     SG120           consulting
# P=?: WARM exit by an agent not in C: the only one becomes P, none; else unchanged, none
W+a                     W-x     -               active
W+a W-x                 N-a     -               released
W+a W+b                 W-x     -               consulting
W+a W+b W-x W-b         N-a     -               released
N+a W-a                 W-x     -               active
W+a                     W-a     -               active
# P=?: summary, END or close with C empty: as after release, none
N+a W-a                 S       -               summarized
N+a W-a                 E       -               ended
N+a W-a                 .       SG108           released
W+a                     S       SG106           consulting
W+a                     E       SG107           ended
W+a                     .       SG107+SG108     consulting
"""

SILENCES = """
# SG101 once per conversation
C+a N-a E               N+a     SG110           ended
W-a                     W-a/2   -               waiting
W-a                     E       -               ended
W-a                     C+a     -               active
W-a                     .       SG108           waiting
# the first NA entry, when it comes after SG101, gives no SG102 (old P excused)
C+a                     N+b     -               active
C+a N+b                 N-a     -               active
C+a N+b                 N+c     SG102           active
N-a                     N+a     -               active
C-a                     N+a     -               active
C+a N+a                 N+b     SG102           active
# SG107 not at an END or close directly after a summary that gave SG106
N+a S                   E       -               ended
N+a S                   .       SG108           active
N+a S u:a               E       -               ended
N+a S S                 E       -               ended
N+a C-a S               E       -               ended
N+a S W+b               E       SG107           ended
# repeats: SG601 instead of all findings, and nothing changes
N+a                     N+a     SG601           active
N+a N+b                 N+b     SG601           active
N+a N-a                 N-a     SG601           released
N+a W+b N-b             N-b     SG601           active
N+a W+b N-b N-b         E       -               ended
N+a S                   S       SG601           active
R+a                     R+a     SG601           active
N+a u:a                 N+a     SG601           active
W-a                     W-a     -               waiting
# identity: an exit, redial or message in another letter case is that agent
N+Ann                   N-ann   SG206           released
N+Ann                   g:ANN   SG206           active
N+Ann N-Ann             R+ann   SG206           active
N+Ann g:ann             N-ann   -               released
N+Ann                   W+ann   -               consulting
N+Ann W+ann             W-ANN   SG201           active
N+Ann N-Ann             g:ann   SG205+SG206     released
"""

CLOSE = """
# nothing more in waiting; SG107 in active, consulting, transferring; then SG108
u:a                     .       SG108           waiting
N+a                     .       SG107+SG108     active
N+a W+b                 .       SG107+SG108     consulting
N+a C-a                 .       SG107+SG108     transferring
N+a N-a                 .       SG108           released
N+a N-a S               .       SG108           summarized
N+a N-a E               .       -               ended
"""


def lines() -> list[tuple[str, str, str, str]]:
    """Return setup, event, findings and phase of every line."""
    found = []
    for part in (MOVES, OFFENCES, MARKS, UNKNOWN, SILENCES, CLOSE):
        for line in part.strip("\n").splitlines():
            if not line.startswith("#"):
                *setup, event, findings, phase = line.split()
                codes = "" if findings == "-" else findings
                found.append((" ".join(setup), event, codes, phase))
    return found


@family(("setup", "event", "findings", "phase"), lines())
def test_the_library_does_what_the_page_says(
    setup: str, event: str, findings: str, phase: str
) -> None:
    walker = Walker()
    stream = log(setup)
    for position, each in enumerate(stream):
        take(walker, position, each)

    if event == ".":
        found = close(walker)
    else:
        [last] = log(event)
        found = take(walker, len(stream), last)

    assert "+".join(code for _, code in found) == findings
    assert walker.phase.value == phase


def test_no_line_is_typed_twice() -> None:
    typed = [(setup, event) for setup, event, *_ in lines()]

    assert len(set(typed)) == len(typed) > 200
