"""Which mistakes go together with which attribute, and since when.

notes               what is kept of each delivery
attribution         what findings are at
counts              how often something could go wrong, and did: counts that can be merged
finding_attributes  kind, agent, queue and time of findings, for ignores and statistics
statistic           how surprising it is that findings are together
opportunities       what could have gone wrong and did, by rule, attribute and time
search              the causes of a log, one rule after the other
cause               a cause as a sentence and as JSON
window              the causes of what has happened of late
"""

from segue.analysis.causes.attribution import event_keys, key_at
from segue.analysis.causes.cause import RootCause, RootCauses
from segue.analysis.causes.contexts import CONVERSATION
from segue.analysis.causes.counts import MOST_ROWS, Counts
from segue.analysis.causes.finding_attributes import FindingAttributes, FindingReader
from segue.analysis.causes.finding_causes import causes
from segue.analysis.causes.notes import ATTRIBUTES, case_of, cause_notes, spelling_of
from segue.analysis.causes.search import find_causes
from segue.analysis.causes.window import CauseWindow

__all__ = [
    "ATTRIBUTES",
    "CONVERSATION",
    "MOST_ROWS",
    "CauseWindow",
    "Counts",
    "FindingAttributes",
    "FindingReader",
    "RootCause",
    "RootCauses",
    "case_of",
    "cause_notes",
    "causes",
    "event_keys",
    "find_causes",
    "key_at",
    "spelling_of",
]
