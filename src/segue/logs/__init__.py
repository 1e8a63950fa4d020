"""Replays a log of interleaved conversations, with one report for each."""

from segue.logs.ended import SavedConversation
from segue.logs.event_notes import (
    DeliveryNote,
    EventNote,
    EventNotes,
    KeptNotes,
    KnownNotes,
)
from segue.logs.field_mapping import FieldMapping
from segue.logs.keying import KEYS
from segue.logs.line_reader import LineReader
from segue.logs.log_files import files_of, same_file
from segue.logs.plan import ChunkSizes, Detail, NoteOf, OnDelivery, Replay, ReplayOptions
from segue.logs.readability import readable
from segue.logs.replay_run import ReplayRun, replayer_of
from segue.logs.replayer import Replayer
from segue.logs.replaying import replay, start_replay
from segue.logs.sniffing import Sniffed, absent_pointers, sniff
from segue.logs.sources import LogLine, LogPath, first_lines, is_rereadable, lines_of, name_of

__all__ = [
    "KEYS",
    "ChunkSizes",
    "DeliveryNote",
    "Detail",
    "EventNote",
    "EventNotes",
    "FieldMapping",
    "KeptNotes",
    "KnownNotes",
    "LineReader",
    "LogLine",
    "LogPath",
    "NoteOf",
    "OnDelivery",
    "Replay",
    "ReplayOptions",
    "ReplayRun",
    "Replayer",
    "SavedConversation",
    "Sniffed",
    "absent_pointers",
    "files_of",
    "first_lines",
    "is_rereadable",
    "lines_of",
    "name_of",
    "readable",
    "replay",
    "replayer_of",
    "same_file",
    "sniff",
    "start_replay",
]
