"""The accelerator: reads the usual lines of a log natively, and knows no rules.

It needs the distribution `segue-native`.  Without it, or with `SEGUE_NATIVE=0` in the environment,
the reference does everything, and nothing but time differs.
"""

from segue.logs.native.accelerator import Accelerator, Happening, KeptEnd, OddLine
from segue.logs.native.event_counter import BEGIN, END, NOTHING, UPPER_HALF, CountStep
from segue.logs.native.kept import (
    ACTION,
    NO_TIME,
    KeptConversation,
    columns_of,
    events_in,
    said_in,
)
from segue.logs.native.learned import Learned
from segue.logs.native.library import engine_name, usable_library
from segue.logs.native.past import KeptPast, kept_past

__all__ = [
    "ACTION",
    "BEGIN",
    "END",
    "NOTHING",
    "NO_TIME",
    "UPPER_HALF",
    "Accelerator",
    "CountStep",
    "Happening",
    "KeptConversation",
    "KeptEnd",
    "KeptPast",
    "Learned",
    "OddLine",
    "columns_of",
    "engine_name",
    "events_in",
    "kept_past",
    "said_in",
    "usable_library",
]
