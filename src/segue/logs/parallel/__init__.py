"""The team: several processes that read logs and come to what one comes to.

piece    where logs are cut, and who reads which part
helper   reads a part, for the one that started it
process  the process of a helper: a fork, or a command
crew     the helpers of one reading, and when each is started
tracer   a replayer that remembers whose each line of its part is
spool    what a helper has read, on the disk until it is its turn
freight  reports on their way from one process to another
finder   lines of a part that have to be read again
team     all parts as one story
"""

from segue.logs.parallel.chunks import processes, share
from segue.logs.parallel.coordinator import Team
from segue.logs.parallel.pool import Crew
from segue.logs.parallel.report_codec import FULL_DETAIL, Detail

__all__ = ["FULL_DETAIL", "Crew", "Detail", "Team", "processes", "share"]
