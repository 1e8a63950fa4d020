"""Logs: many conversations, interleaved, one line a delivery, replayed to one report each."""

from segue.logs.ended import Remains
from segue.logs.field_mapping import Layout
from segue.logs.options import Options
from segue.logs.parallel import ALL, Crew, Team, Wanted, processes, share
from segue.logs.replayer import Replayer
from segue.logs.replaying import replay
from segue.logs.sorting import where_it_fits
from segue.logs.sources import Path, ahead_in, lines_of, name_of
from segue.logs.times import read_time

__all__ = [
    "ALL",
    "Crew",
    "Layout",
    "Options",
    "Path",
    "Remains",
    "Replayer",
    "Team",
    "Wanted",
    "ahead_in",
    "lines_of",
    "name_of",
    "processes",
    "read_time",
    "replay",
    "share",
    "where_it_fits",
]
