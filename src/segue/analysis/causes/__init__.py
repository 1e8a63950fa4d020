"""Searches for root causes: attributes and onset times that findings have in common.

An opportunity is an event or a conversation at which a rule could have been broken.

notes               the attributes stored for each delivery
contexts            attributes that events inherit from earlier events of their conversation
moments             minutes of events, and the sampling of conversations
attribution         the attributes by which a finding is counted
counts              mergeable counts of opportunities and findings
kept_counts         the same counts for conversations that the accelerator has processed
finding_attributes  kind, agent, queue and time of findings, for ignores and statistics
statistic           the significance of a number of findings
opportunities       indexed opportunities and findings, by rule, attribute and time
search              the search for the causes of a log
cause               a cause as a sentence and as JSON
finding_causes      the public function `segue.causes`
window              causes in a sliding window of recent deliveries
"""

from segue.analysis.causes.attribution import event_keys, key_at
from segue.analysis.causes.cause import RootCause, RootCauses
from segue.analysis.causes.contexts import CONVERSATION
from segue.analysis.causes.counts import MOST_ROWS, Counts
from segue.analysis.causes.finding_attributes import FindingAttributes, FindingReader
from segue.analysis.causes.finding_causes import causes
from segue.analysis.causes.notes import case_of, cause_notes, spelling_of
from segue.analysis.causes.search import find_causes
from segue.analysis.causes.window import CauseWindow

__all__ = [
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
