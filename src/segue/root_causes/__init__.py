"""Which mistakes go together with which attribute, and since when.

notes          what is kept of each delivery
counts         how often something could go wrong, and did: counts that can be merged
statistic      how surprising it is that findings are together
opportunities  what could have gone wrong and did, by rule, attribute and time
search         the causes of a log, one rule after the other
cause          a cause as a sentence and as JSON
window         the causes of what has happened of late
"""

from segue.root_causes.cause import RootCause, RootCauses
from segue.root_causes.counts import MOST_ROWS, Counts
from segue.root_causes.finding_causes import causes
from segue.root_causes.notes import ATTRIBUTES, cause_notes, spelling_of
from segue.root_causes.search import find_causes
from segue.root_causes.window import CauseWindow

__all__ = [
    "ATTRIBUTES",
    "MOST_ROWS",
    "CauseWindow",
    "Counts",
    "RootCause",
    "RootCauses",
    "cause_notes",
    "causes",
    "find_causes",
    "spelling_of",
]
