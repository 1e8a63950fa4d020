"""Logs: many conversations, interleaved, one line a delivery, replayed to one report each."""

from segue.logs.ended import SavedConversation
from segue.logs.field_mapping import FieldMapping
from segue.logs.options import ReplayOptions
from segue.logs.parallel import FULL_DETAIL, Crew, Detail, Team, processes, share
from segue.logs.replayer import Replayer
from segue.logs.replaying import replay
from segue.logs.sorting import where_it_fits
from segue.logs.sources import Path, ahead_in, lines_of, name_of
from segue.logs.times import read_time

__all__ = [
    "FULL_DETAIL",
    "Crew",
    "Detail",
    "FieldMapping",
    "Path",
    "ReplayOptions",
    "Replayer",
    "SavedConversation",
    "Team",
    "ahead_in",
    "lines_of",
    "name_of",
    "processes",
    "read_time",
    "replay",
    "share",
    "where_it_fits",
]
