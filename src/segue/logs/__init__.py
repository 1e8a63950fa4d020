"""Logs: many conversations, interleaved, one line a delivery, replayed to one report each."""

from segue.logs.layout import Layout
from segue.logs.options import Options
from segue.logs.order import where_it_fits
from segue.logs.playback import replay
from segue.logs.replayer import Replayer
from segue.logs.source import Path, ahead_in, lines_of, name_of
from segue.logs.team import ALL, Crew, Team, Wanted, processes, share
from segue.logs.times import read_time
from segue.logs.tombstone import Remains

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
