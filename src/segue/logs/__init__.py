"""Logs: the lines of many conversations, interleaved, replayed to one report each."""

from segue.logs.ended import SavedConversation
from segue.logs.field_mapping import FieldMapping
from segue.logs.line_reader import LineReader
from segue.logs.plan import ChunkSizes, Detail, OnDelivery, Replay, ReplayOptions
from segue.logs.readability import readable
from segue.logs.replay_run import ReplayRun
from segue.logs.replayer import Replayer
from segue.logs.replaying import replay, start_replay
from segue.logs.sources import LogLine, LogPath, lines_of, name_of

__all__ = [
    "ChunkSizes",
    "Detail",
    "FieldMapping",
    "LineReader",
    "LogLine",
    "LogPath",
    "OnDelivery",
    "Replay",
    "ReplayOptions",
    "ReplayRun",
    "Replayer",
    "SavedConversation",
    "lines_of",
    "name_of",
    "readable",
    "replay",
    "start_replay",
]
